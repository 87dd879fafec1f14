# Section 5.2 there: simplification that must wait
# values: N=3
# values: N=50
name: deferred
context: [N] -> { : }
domain: [N] -> { S1[i, j] : 1 <= i <= 10 and 1 <= j <= i; S2[i, j] : 1 <= i <= 10 and 11 <= j <= N }
schedule: [N] -> { S1[i, j] -> [i, j] : 1 <= i <= 10 and 1 <= j <= i; S2[i, j] -> [i, j] : 1 <= i <= 10 and 11 <= j <= N }
