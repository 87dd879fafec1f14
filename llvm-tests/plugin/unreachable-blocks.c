// Blocks that are found to be unreachable while some loops are rewritten stay until all loops of the function are: plans hold them.
// (Memory that is freed is overwritten here, so that its use shows.)
//
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: env MALLOC_PERTURB_=165 %loopwright -passes='loopwright<parallel;min-work=0;check>' -pass-remarks=loopwright -pass-remarks-analysis=loopwright -pass-remarks-missed=loopwright -S %t.ll -o %t.out.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE --input-file %t.out.ll
//
// CHECK-NOT: law of the optimizer
// CHECK-COUNT-2: i0 on all cores
// CHECK-NOT: law of the optimizer
struct node {
  struct node *next;
  int v;
};
double A[1000], B[1000], C[1000];

// CODE-LABEL: define {{.*}} @two_loops(
// CODE: call void @two_loops.loop
// CODE: call void @two_loops.loop
int two_loops(int n, struct node *p) {
  for (int i = 0; i < n; i++) {
    if (A[i] > 3) {
      if (i % n != i) { // never, as the preparation finds out
        B[i] = A[i] + 7;
        C[i] = 2;
      } else
        A[i] = 5;
    }
    A[i] = A[i] * 2 + i;
  }
  int s = 0;
  while (p) { // no number of iterations
    s += p->v;
    p = p->next;
  }
  for (int j = 0; j < 1000; j++)
    C[j] = B[j] + 3;
  return s;
}
