# Section 6.2 there: the mapping 2 i + 1
# values: N=5
# values: N=50
name: odd
context: [N] -> { : }
domain: [N] -> { S[i] : 1 <= i <= N }
schedule: [N] -> { S[i] -> [2i + 1] : 1 <= i <= N }
