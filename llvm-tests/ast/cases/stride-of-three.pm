# A stride whose offset is an outer iterator
# values: N=4
# values: N=70
name: stride-of-three
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i, j] : 0 <= i < 9 and 0 <= i + 3j < N }
schedule: [N] -> { S[i, j] -> [i, i + 3j] : 0 <= i < 9 and 0 <= i + 3j < N }
