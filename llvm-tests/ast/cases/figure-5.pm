# Figure 5 there: one polyhedron
# values: N=9 M=5
# values: N=40 M=30
name: figure-5
context: [N, M] -> { : 2 <= M < N }
domain: [N, M] -> { S[i, j] : 0 <= j <= i <= N and i >= M and i + j <= N + M }
schedule: [N, M] -> { S[i, j] -> [i, j] : 0 <= j <= i <= N and i >= M and i + j <= N + M }
