# A stencil skewed over time
# values: T=3 N=5
# values: T=20 N=40
name: skewed-stencil
context: [T, N] -> { : T >= 1 and N >= 3 }
domain: [T, N] -> { S[t, i] : 0 <= t < T and 1 <= i < N - 1; R[t, i] : 0 <= t < T and 1 <= i < N - 1 }
schedule: [T, N] -> { S[t, i] -> [t, 2t + i, 0] : 0 <= t < T and 1 <= i < N - 1; R[t, i] -> [t, 2t + i + 1, 1] : 0 <= t < T and 1 <= i < N - 1 }
