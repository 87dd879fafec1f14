# Three statements around one loop nest
# values: N=4
# values: N=20
name: cholesky
context: [N] -> { : N >= 2 }
domain: [N] -> { S[i] : 0 <= i < N; T[i, j] : 0 <= i < j < N; U[i, j, k] : 0 <= i < k <= j < N }
schedule: [N] -> { S[i] -> [i, i, i, 0] : 0 <= i < N; T[i, j] -> [i, j, i, 1] : 0 <= i < j < N; U[i, j, k] -> [k, j, i, 2] : 0 <= i < k <= j < N }
