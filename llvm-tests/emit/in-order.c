// Outer loops that count around inner loops that compute each value from the one before: no loop becomes another, but the outer one is
// parallel in the program's own order, with a count for each share.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: in-order.c:[[#@LINE+6]]:3: remark: in the program's order, outermost loops without dependences on all cores; each thread reduces into its own copy of 'hits'
// CHECK: in-order.c:[[#@LINE+18]]:3: remark: in the program's order, outermost loops without dependences on all cores; each thread reduces into its own copy of 'sum'
// CHECK: in-order.c:[[#@LINE+29]]:3: remark: loop nest left as it was: no transformation that pays was found

long counted(int n, int turns, unsigned long seed) {
  long hits = 0;
  for (int i = 0; i < n; i++) {
    unsigned long s = seed + (unsigned long)i;
    for (int k = 0; k < turns; k++) {
      s = s * 6364136223846793005u + 1442695040888963407u;
      if ((s >> 33) % 3 == 0)
        hits++;
    }
  }
  return hits;
}

long added(int n, int turns, const int *a) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    long s = a[i];
    for (int k = 0; k < turns; k++) {
      s = s * 3 + k;
      sum += s;
    }
  }
  return sum;
}

double strict(int n, int turns, const double *a) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double s = a[i];
    for (int k = 0; k < turns; k++) {
      s = 3.9 * s * (1 - s);
      sum += s;
    }
  }
  return sum;
}
