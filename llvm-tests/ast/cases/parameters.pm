# Many parameters
# values: A=1 B=9 C=2 D=12 E=3
# values: A=0 B=40 C=0 D=30 E=0
name: parameters
context: [A, B, C, D, E] -> { : A <= B and C <= D }
domain: [A, B, C, D, E] -> { S[i, j] : A <= i <= B and C <= j <= D and j <= i + E; T[i, j] : A <= i <= D and C <= j <= B }
schedule: [A, B, C, D, E] -> { S[i, j] -> [i, j, 0] : A <= i <= B and C <= j <= D and j <= i + E; T[i, j] -> [i, j, 1] : A <= i <= D and C <= j <= B }
