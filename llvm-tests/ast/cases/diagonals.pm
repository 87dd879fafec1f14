# Anti-diagonals of a rectangle
# values: N=5 M=9
# values: N=30 M=20
name: diagonals
context: [N, M] -> { : N >= 1 and M >= 1 }
domain: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
schedule: [N, M] -> { S[i, j] -> [i + j, j] : 0 <= i < N and 0 <= j < M }
