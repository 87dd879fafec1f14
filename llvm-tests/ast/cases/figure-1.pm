# Figures 1, 6, 7 and 9 of Quillere, Rajopadhye and Wilde: a rectangle and a diagonal
# values: N=9 M=5
# values: N=40 M=30
name: figure-1
context: [N, M] -> { : 4 <= M <= N }
domain: [N, M] -> { S1[i, j] : 1 <= i <= N and 1 <= j <= M; S2[i, j] : i = j and 3 <= i <= N }
schedule: [N, M] -> { S1[i, j] -> [i, j] : 1 <= i <= N and 1 <= j <= M; S2[i, j] -> [i, j] : i = j and 3 <= i <= N }
