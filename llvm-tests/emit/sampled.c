// What a sample of iterations reads before the loops may be anything, as the loops have not written yet: what the program promises of what it reads is not said of
// it, and no branch depends on it as it is.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@product(
// CHECK: %[[READ:.*]] = load i8, {{.*}}, !noalias ![[#]]{{$}}
// CHECK-NEXT: freeze i8 %[[READ]]
void product(int n, _Bool B[restrict n][n], double A[restrict n][n], double C[restrict n][n]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      if (B[k][j])
        for (int i = 0; i < n; i++)
          C[i][j] += A[i][k] * 2;
}
