// Debug information changes names, and nothing else: neither the lines of statements nor what variables are called.
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -g0 -c %s -o %t.without.o && llvm-objdump-22 -d --no-show-raw-insn %t.without.o | grep -v 'file format' > %t.without
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -g -c %s -o %t.with.o && llvm-objdump-22 -d --no-show-raw-insn %t.with.o | grep -v 'file format' > %t.with
// RUN: diff %t.without %t.with
// RUN: FileCheck %s --input-file=%t.with
// CHECK: <product.part
// CHECK: <steps.part
void product(int z, int y, int x, double b[restrict z][y], double c[restrict z][x], double a[restrict x][y]) {
#line 900
  for (int k = 0; k < z; k++) {
    for (int S2 = 0; S2 < y; S2++)
#line 300
      b[k][S2] *= 0.5;
#line 100
    for (int i = 0; i < x; i++)
      for (int S2 = 0; S2 < y; S2++)
#line 20
        b[k][S2] += c[k][i] * a[i][S2];
  }
}

void steps(int t, int n, double z[restrict n], double a[restrict n], double m[restrict n]) {
  for (int k = 0; k < t; k++) {
#line 800
    for (int i = 1; i < n - 1; i++) a[i] = z[i - 1] + z[i] + z[i + 1];
#line 50
    for (int i = 1; i < n - 1; i++) { z[i] = a[i - 1] + a[i] + a[i + 1]; m[i] += z[i]; }
  }
}
