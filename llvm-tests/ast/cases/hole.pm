# A square with a hole
# values: N=9
# values: N=40
name: hole
context: [N] -> { : N >= 9 }
domain: [N] -> { S[i, j] : 0 <= i, j < N and (i < 3 or i > 5 or j < 3 or j > 5) }
schedule: [N] -> { S[i, j] -> [i, j] : 0 <= i, j < N and (i < 3 or i > 5 or j < 3 or j > 5) }
