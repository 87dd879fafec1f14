// Loops that run until data says so, in statements that can run side by side: of numbers, with nothing that does harm in lanes that have ended.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void steps(int n, const unsigned *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned v = x[i];
    int k = 0;
    while (v > 1) { v = v & 1 ? 3 * v + 1 : v / 2; k++; }
    out[i] = k;
  }
}
// CHECK-LABEL: # steps
// CHECK: has_loop: true
// CHECK-NEXT: side_by_side: true

// Two ways out.
void roots(int n, const double *restrict x, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double r = x[i];
    for (int k = 0; k < 40; k++) {
      double next = 0.5 * (r + x[i] / r), change = next - r;
      r = next;
      if (change < 1e-9 && change > -1e-9) break;
    }
    out[i] = r;
  }
}
// CHECK-LABEL: # roots
// CHECK: side_by_side: true

// A lane that has ended would divide by nothing.
void divisors(int n, const int *restrict x, const int *restrict y, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int a = x[i], b = y[i];
    while (b) { int t = a % b; a = b; b = t; }
    out[i] = a;
  }
}
// CHECK-LABEL: # divisors
// CHECK: has_loop: true
// CHECK-NOT: side_by_side

// What is read is read for those that are active, where it says where they go on.
void chains(int n, const int *restrict next, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int at = i, k = 0;
    while (at >= 0) { at = next[at]; k++; }
    out[i] = k;
  }
}
// CHECK-LABEL: # chains
// CHECK: has_loop: true
// CHECK-NEXT: side_by_side: true

// Where to go on is data as well where a condition on data decides it.
void places(int n, int most, const float *restrict x, const float *restrict table, int *restrict out) {
  for (int i = 0; i < n; i++) {
    int lo = 0, hi = most;
    while (lo < hi) { int mid = (lo + hi) >> 1; if (table[mid] < x[i]) lo = mid + 1; else hi = mid; }
    out[i] = lo;
  }
}
// CHECK-LABEL: # places
// CHECK: has_loop: true
// CHECK-NEXT: side_by_side: true

// Places that are known before they are read are read ahead by processors.
void probes(int n, unsigned mask, const unsigned *restrict keys, const unsigned *restrict x, unsigned *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned h = x[i] & mask;
    while (keys[h] != x[i] && keys[h]) h = (h + 1) & mask;
    out[i] = h;
  }
}
// CHECK-LABEL: # probes
// CHECK: has_loop: true
// CHECK-NOT: side_by_side

// Nor is anything written for one.
void counts(int n, const int *restrict next, int *restrict visits) {
  for (int i = 0; i < n; i++)
    for (int at = i; at >= 0; at = next[at]) visits[at]++;
}
// CHECK-LABEL: # counts
// CHECK: has_loop: true
// CHECK-NOT: side_by_side

// Loops in the loop are left.
void nested(int n, const unsigned *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned v = x[i];
    int k = 0;
    while (v > 1) {
      unsigned w = v;
      do { w = w * 5 + 1; k++; } while (w & v);
      v /= 2;
    }
    out[i] = k;
  }
}
// CHECK-LABEL: # nested
// CHECK: has_loop: true
// CHECK-NOT: side_by_side

// One operation of the processor counts bits, in vectors too.
void bits(int n, const unsigned *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned v = x[i];
    int k = 0;
    while (v) { v &= v - 1; k++; }
    out[i] = k;
  }
}
// CHECK-LABEL: # bits
// CHECK: has_loop: true
// CHECK-NOT: side_by_side

// A number that is known never fails as a divisor.
void digits(int n, const unsigned *restrict x, int *restrict out) {
  for (int i = 0; i < n; i++) {
    unsigned v = x[i];
    int s = 0;
    while (v) { s += v % 10; v /= 10; }
    out[i] = s;
  }
}
// CHECK-LABEL: # digits
// CHECK: side_by_side: true

// A call may do anything.
double norm(double);
void calls(int n, const double *restrict x, double *restrict out) {
  for (int i = 0; i < n; i++) {
    double v = x[i];
    while (v > 1) v = __builtin_cos(v) * 3;
    out[i] = v;
  }
}
// CHECK-LABEL: # calls
// CHECK-NOT: side_by_side
