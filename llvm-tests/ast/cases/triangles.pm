# An upper and a lower triangle
# values: N=4
# values: N=40
name: triangles
context: [N] -> { : N >= 2 }
domain: [N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i; T[i, j] : 0 <= i < N and i <= j < N }
schedule: [N] -> { S[i, j] -> [i, j, 0] : 0 <= i < N and 0 <= j <= i; T[i, j] -> [i, j, 1] : 0 <= i < N and i <= j < N }
