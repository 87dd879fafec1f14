# A skewed stencil in tiles
# values: T=3 N=5
# values: T=20 N=60
name: tiled-stencil
context: [T, N] -> { : T >= 1 and N >= 3 }
domain: [T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N - 1 }
schedule: [T, N] -> { S[t, i] -> [floor(t/4), floor((t + i)/8), t, t + i] : 0 <= t < T and 0 < i < N - 1 }
