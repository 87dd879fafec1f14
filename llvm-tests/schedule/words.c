// Without threads nothing is said to be parallel; nor is a nest taken apart into so many parts that they are mostly code.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Rpass=loopwright -Rpass-analysis=loopwright -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -Rpass=loopwright -Rpass-analysis=loopwright -S %s -o %t.parallel.s 2>&1 | FileCheck --check-prefix=THREADS %s
// RUN: cat %t.s | wc -l | FileCheck --check-prefix=SIZE %s
//
// CHECK-NOT: parallel
// CHECK: words.c:[[#@LINE+6]]:3: remark: {{.*}}loops i0, i1; i0 in vectors
// CHECK-NOT: parallel
// CHECK-NOT: {{S[0-9]+/1[0-9]}}
// THREADS: words.c:[[#@LINE+3]]:3: remark: {{.*}}i1 on all cores
// SIZE: {{^[0-9]?[0-9]?[0-9]?[0-9]$}}
void columns(double (*restrict a)[64], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[j][i] += 1;
}

unsigned parts(int n, int m, long ld, unsigned char (*restrict a)[48], unsigned char *restrict b, int *restrict c,
               unsigned char *restrict d) {
  unsigned char s = 1;
  for (long i = 0; i < m; i++)
    for (int j = n - 1; j >= 1; j--) {
      for (int k = j; k < n; k++) {
        a[i][j] += d[j * ld + k];
        b[i * ld + 39 - k] ^= a[k][j];
      }
      s += c[i];
    }
  return s;
}
