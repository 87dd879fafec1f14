// A counter that is doubled is one shifted by the steps, which are counted: so many as the limit less one has bits.
// Tests: 002 5.2.2
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void doubled(int n, double *restrict a, double (*restrict b)[64]) {
  for (int i = 1; i < n; i *= 2)
    for (int j = 0; j < 64; j++)
      b[j][0] += a[i];
}

// CHECK-LABEL: # doubled
// CHECK: context: "[p0] -> { : 0 <= p0 <= 31 }"
// CHECK: domain: "[p0] -> { S0[i0, i1] : 0 <= i0 <= -p0 + 31 and 0 <= i1 <= 63 }"
// CHECK: read: {{.*}} S0[i0, i1] -> M0[o0]
// CHECK: write: {{.*}} S0[i0, i1] -> M1[i1, 0]

void constant(double *restrict a, double *restrict b) {
  for (int i = 1; i < 1000; i += i)
    b[0] += a[i];
}

// CHECK-LABEL: # constant
// CHECK: domain: "{ S0[i0] : 0 <= i0 <= 9 }"

// A counter without a sign may wrap around, and then the loop has no end. What is halved is not counted.
void unsigned_counter(unsigned n, double *restrict a, double *restrict b) {
  for (unsigned i = 1; i < n; i *= 2)
    b[0] += a[i];
}

// CHECK: # unsigned_counter{{.*}}: the loop's counter is multiplied or divided in each iteration

void halved(int n, double *restrict a, double *restrict b) {
  for (int i = n; i > 0; i /= 2)
    b[0] += a[i];
}

// CHECK: # halved{{.*}}: the loop's counter is multiplied or divided in each iteration
