# Points on a line
# values: N=9 M=2
# values: N=40 M=3
name: equalities
context: [N, M] -> { : }
domain: [N, M] -> { S[i, j, k] : i = 2j + M and k = i - j and 0 <= i < N }
schedule: [N, M] -> { S[i, j, k] -> [i, j, k] : i = 2j + M and k = i - j and 0 <= i < N }
