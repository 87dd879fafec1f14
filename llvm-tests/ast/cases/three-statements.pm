# Three statements whose domains overlap
# values: N=5 M=9
# values: N=30 M=40
name: three-statements
context: [N, M] -> { : 1 <= N <= M }
domain: [N, M] -> { R[i] : 0 <= i < N; S[i, j] : 0 <= i < M and 0 <= j < N; T[i, j] : 2 <= i < N and i <= j < M }
schedule: [N, M] -> { R[i] -> [i, 0, 0, 0] : 0 <= i < N; S[i, j] -> [i, 1, j, 0] : 0 <= i < M and 0 <= j < N; T[i, j] -> [i, 1, j, 1] : 2 <= i < N and i <= j < M }
