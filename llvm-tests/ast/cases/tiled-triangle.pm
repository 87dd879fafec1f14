# A triangle in tiles
# values: N=5
# values: N=50
name: tiled-triangle
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }
schedule: [N] -> { S[i, j] -> [floor(i/8), floor(j/8), i, j] : 0 <= i < N and 0 <= j <= i }
