// Stores to places that the loop counts: one statement with the counter, of which the model says how much it packs where the processor can put elements of
// vectors together, and where nothing else is in the way.
//
// RUN: clang-22 -O3 -march=x86-64-v4 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s --check-prefix=NARROW

// NARROW-NOT: packed:

int one(double *restrict out, const double *restrict x, int n, double t) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > t)
      out[k++] = x[i];
  return k;
}

// CHECK-LABEL: # one
// CHECK: - name: "S2"
// CHECK: operations:
// CHECK-NEXT: branches: true
// CHECK-NEXT: packed: 1
// CHECK: read: "[p0] -> { S2[i0, i1] -> [[K:.*]][] : p0 > 0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S2[i0, i1] -> [[K]][] : p0 > 0 and 0 <= i0 < p0 }"

// Two conditions, one behind the other; two arrays, with another counter that goes on first.
unsigned several(int *restrict out, int *restrict from, const int *restrict x, const int *restrict y, unsigned n) {
  unsigned k = -1;
  for (unsigned i = 0; i < n; i++)
    if (x[i] > 2 && y[i] > 2) {
      k++;
      out[(long)(int)k] = x[i] - y[i];
    }
  return k;
}

// CHECK-LABEL: # several
// CHECK-NOT: packed:

long both(float *restrict out, int *restrict from, float *restrict rest, const float *restrict x, long n) {
  long k = 0, l = 0;
  for (long i = 0; i < n; i++)
    if (x[i] > 0) {
      out[k] = x[i];
      from[k++] = i;
    } else
      rest[l++] = x[i];
  return k;
}

// CHECK-LABEL: # both
// CHECK: packed: 3

// In place: the counter is never ahead of what is read.
int in_place(double *x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      x[k++] = x[i];
  return k;
}

// CHECK-LABEL: # in_place
// CHECK: packed: 1

// What is stored is read later.
int ahead(double *x, int n) {
  int k = 1;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      x[k++] = x[i];
  return k;
}

int before(double *x, int n) {
  int k = 1;
  for (int i = 1; i < n; i++)
    if (x[i] > x[i - 1])
      x[k++] = x[i];
  return k;
}

int different(int *x, int n) {
  int k = 1;
  for (int i = 1; i < n; i++)
    if (x[i] != x[k - 1])
      x[k++] = x[i];
  return k;
}

// CHECK-LABEL: # ahead
// CHECK-NOT: packed:
// CHECK-LABEL: # before
// CHECK-NOT: packed:
// CHECK-LABEL: # different
// CHECK-NOT: packed:

// The counter is looked at for something else, is no place of neighbours, or is not alone one.
int looked_at(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      out[k] = k;
      k++;
    }
  return k;
}

int gaps(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[2 * k++] = x[i];
  return k;
}

int moving(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      out[i + k++] = x[i];
  return k;
}

int until_full(int *restrict out, const int *restrict x, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0 && k < 100)
      out[k++] = x[i];
  return k;
}

// CHECK-LABEL: # looked_at
// CHECK-NOT: packed:
// CHECK-LABEL: # gaps
// CHECK-NOT: packed:
// CHECK-LABEL: # moving
// CHECK-NOT: packed:
// CHECK-LABEL: # until_full
// CHECK-NOT: packed:
