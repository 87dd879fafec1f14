# A loop that runs backwards next to one that does not
# values: N=3
# values: N=50
name: reversed
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i] : 0 <= i < N; T[i] : -N <= i <= N }
schedule: [N] -> { S[i] -> [-i] : 0 <= i < N; T[i] -> [i] : -N <= i <= N }
