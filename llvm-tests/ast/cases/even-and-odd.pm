# Two statements that take turns
# values: N=1
# values: N=50
name: even-and-odd
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N }
schedule: [N] -> { S[i] -> [2i] : 0 <= i < N; T[i] -> [2i + 1] : 0 <= i < N }
