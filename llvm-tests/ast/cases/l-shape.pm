# A union that is not convex
# values: N=9 M=5
# values: N=40 M=30
name: l-shape
context: [N, M] -> { : 3 <= M < N }
domain: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < N and (i < M or j < M) }
schedule: [N, M] -> { S[i, j] -> [i, j] : 0 <= i < N and 0 <= j < N and (i < M or j < M) }
