# Disjoint intervals and one that covers them
# values: N=3
# values: N=20
name: union-of-three
context: [N] -> { : N >= 1 }
domain: [N] -> { S[i] : 0 <= i < N or 2N <= i < 3N; T[i] : N <= i < 2N; U[i] : 0 <= i < 4N }
schedule: [N] -> { S[i] -> [i, 0] : 0 <= i < N or 2N <= i < 3N; T[i] -> [i, 1] : N <= i < 2N; U[i] -> [i, 2] : 0 <= i < 4N }
