# Gaussian elimination, imperfectly nested
# values: N=4
# values: N=30
name: imperfect
context: [N] -> { : N >= 2 }
domain: [N] -> { S[k, i] : 0 <= k < N and k < i < N; T[k, i, j] : 0 <= k < N and k < i < N and k < j < N }
schedule: [N] -> { S[k, i] -> [k, 0, i, 0] : 0 <= k < N and k < i < N; T[k, i, j] -> [k, 1, i, j] : 0 <= k < N and k < i < N and k < j < N }
