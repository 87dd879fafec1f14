# A mapping that is not unimodular
# values: N=3
# values: N=20
name: lattice
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i, j] : 0 <= i, j < N }
schedule: [N] -> { S[i, j] -> [2i + j, i + 2j] : 0 <= i, j < N }
