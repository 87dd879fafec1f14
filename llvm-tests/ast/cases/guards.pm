# Conditions on parameters
# values: N=5 M=2 K=2
# values: N=30 M=4 K=7
name: guards
context: [N, M, K] -> { : N >= 1 }
domain: [N, M, K] -> { S[i, j] : 0 <= i, j < N and M >= 3; T[i, j] : 0 <= i, j < N and K <= M; U[i] : 0 <= i < N and K > M }
schedule: [N, M, K] -> { S[i, j] -> [i, j] : 0 <= i, j < N and M >= 3; T[i, j] -> [i, j] : 0 <= i, j < N and K <= M; U[i] -> [i, N] : 0 <= i < N and K > M }
