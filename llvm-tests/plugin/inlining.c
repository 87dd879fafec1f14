// What LLVM would have inlined, it inlines: the new loops that a function has beside its own do not count.
//
// RUN: %loopwright-clang -O3 -march=native -fopenmp -gline-tables-only -Rpass=inline %s -c -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="'apart' inlined"
// RUN: clang-22 -O3 -march=native -fopenmp -gline-tables-only -Rpass=inline %s -c -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="'apart' inlined"
// RUN: clang-22 -O3 -march=native -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='loopwright<parallel>' -S - | FileCheck %s --check-prefix=KEPT

// KEPT: call void @copied({{.*}}) #[[KEPT:[0-9]+]]
// KEPT: call void @apart({{.*}}){{$}}
// KEPT: attributes #[[KEPT]] = { alwaysinline }

static void copied(int n, int m, int w, double *a, double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * w + j] = b[i * w + j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[j * w + i] += a[i * w + j];
}

// CHECK-DAG: 'copied' inlined into 'here'
void here(int n, int w, double *a, double *b, double *c) { copied(n, n, w, a, b, c); }

// CHECK-DAG: 'copied' inlined into 'there'
void there(int n, int m, double *a, double *b, double *c) { copied(n, m, m, c, a, b); }

// What is not to be inlined is not.
__attribute__((noinline)) static void apart(int n, double *a) {
  for (int i = 0; i < n; i++) a[i] = i * 0.5;
}
void twice(int n, double *a, double *b) { apart(n, a), apart(2 * n, b); }
