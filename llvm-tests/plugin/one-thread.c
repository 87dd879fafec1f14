// Loops that only pay if threads share them are the program's own where there is one thread, or where the program has threads at work already.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='function(sroa,instcombine,simplifycfg),loopwright' -loopwright-parallel -S %t.ll -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@heat(
// CHECK: ask.threads:
// CHECK-NEXT: = call i32 @omp_get_max_threads()
// CHECK-NEXT: = call i32 @omp_in_parallel()
double h[2][4096];
void heat(int n, int steps) {
  int now = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      h[1 - now][i] = .25 * (h[now][i - 1] + 2 * h[now][i] + h[now][i + 1]);
    now = 1 - now;
  }
}
