# A loop of which the halves differ
# values: N=5
# values: N=40
name: two-halves
context: [N] -> { : N >= 2 }
domain: [N] -> { S[i, j] : 0 <= i < N and 2i < N and 0 <= j < N; T[i, j] : 0 <= i < N and 2i >= N and 0 <= j < N }
schedule: [N] -> { S[i, j] -> [i, j] : 0 <= i < N and 2i < N and 0 <= j < N; T[i, j] -> [i, j] : 0 <= i < N and 2i >= N and 0 <= j < N }
