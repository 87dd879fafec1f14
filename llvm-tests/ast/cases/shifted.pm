# Statements that are shifted against each other
# values: N=4
# values: N=50
name: shifted
context: [N] -> { : N >= 4 }
domain: [N] -> { S[i] : 0 <= i < N; T[i] : 0 <= i < N; U[i] : 0 <= i < N }
schedule: [N] -> { S[i] -> [i, 0] : 0 <= i < N; T[i] -> [i + 1, 1] : 0 <= i < N; U[i] -> [i + 2, 2] : 0 <= i < N }
