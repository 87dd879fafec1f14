// Local arrays: each iteration has its own, so that the loop is parallel, unless values go from one iteration to another through them.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: private-arrays.c:[[#@LINE+2]]:3: remark: {{.*}}each thread has its own copy of 'v'
void sorted(int n, const double *restrict a, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double v[9];
    for (int k = 0; k < 9; k++)
      v[k] = a[i + k];
    for (int k = 1; k < 9; k++) {
      double t = v[k];
      int j = k - 1;
      while (j >= 0 && v[j] > t) {
        v[j + 1] = v[j];
        j--;
      }
      v[j + 1] = t;
    }
    out[i] = v[4];
  }
}

// CHECK: private-arrays.c:[[#@LINE+3]]:3: remark: {{.*}}each thread reduces into its own copy of 'total'; each thread has its own copy of 'count'
long cleared(int n, const int *restrict label, int *restrict out) {
  long total = 0;
  for (int i = 0; i < n; i++) {
    int count[10] = {0};
    for (int j = 0; j < 20; j++)
      count[label[i + j]]++;
    for (int c = 0; c < 10; c++)
      total += (long)count[c] * c;
    out[i] = count[label[i]];
  }
  return total;
}

// The array is not new in each iteration.
//
// CHECK: private-arrays.c:[[#@LINE+3]]:3: remark: loop at line [[#@LINE+3]] runs in order: 'v' written at line [[#@LINE+6]]:14 is read at line [[#@LINE+8]]:17 in a later iteration
void partly(int n, const double *restrict a, double *restrict out) {
  double v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      for (int k = 0; k < 8; k++)
        v[k] = a[i + k];
    for (int k = 0; k < 8; k++)
      out[i] += v[k] * k;
  }
}

// Copies too large for the stack of a thread are on the heap, and there is one for each share of the iterations.
//
// CHECK: define {{.*}}@large(
// CHECK: call {{.*}}@malloc(
void large(int n, const char *restrict a, char *restrict out) {
  for (int i = 0; i < n; i++) {
    char v[100000];
    for (int k = 0; k < 100000; k++)
      v[k] = a[k] ^ i;
    for (int k = 1; k < 100000; k++)
      if (v[k] > v[k - 1])
        v[k] -= v[k - 1];
    out[i] = v[99999];
  }
}

// Of two copies that are too large together, the second one is on the heap.
//
// CHECK: define {{.*}}@two.part(
// CHECK-NEXT: alloca [400 x i32]
// CHECK-NOT: alloca [400 x i32]
// CHECK: define {{.*}}@two.loop(
// CHECK: call {{.*}}@malloc(
void two(int n, const int *restrict a, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int v[400], w[400];
    for (int k = 0; k < 400; k++) {
      v[k] = a[k] ^ i;
      w[k] = a[k] + i;
    }
    for (int k = 1; k < 400; k++) {
      if (v[k] > w[k - 1])
        v[k] -= v[k - 1];
      if (w[k] > v[k - 1])
        w[k] -= w[k - 1];
    }
    out[i] = v[399] + w[399];
  }
}
