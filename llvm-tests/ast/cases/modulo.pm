# A guard modulo 4
# values: N=4
# values: N=30
name: modulo
context: [N] -> { : }
domain: [N] -> { S[i, j] : 0 <= i, j < N and (i + j) mod 4 = 1 }
schedule: [N] -> { S[i, j] -> [i, j] : 0 <= i, j < N and (i + j) mod 4 = 1 }
