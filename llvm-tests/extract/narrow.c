// Numbers of few bits are what is left of them when they wrap around; nothing is assumed. What is left of a large parameter is a parameter itself: no loop
// runs through the 65,536 values that it might have.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # other
// CHECK: assumed: "[p0] -> { : p0 > 0 }"
// CHECK: write: "[p0] -> { S0[i0] -> M1[(i0 + 1) mod 2] :
void other(int n, double *restrict h, const double *restrict x) {
  for (int t = 0; t < n; t++)
    h[(t + 1) % 2] += x[t];
}

// CHECK-LABEL: # downwards
// CHECK: domain: "[{{.*}}] -> { S0[i0, i1] : p1 > 0 and 0 <= i0 <= p2 - 4 and 0 <= i1 <= p2 - i0 - 4 }"
// CHECK: # tested: a number of 16 bits does not wrap around
void downwards(long n, double *restrict a, const double *restrict x) {
  for (short i = (short)(n - 2); i >= 1; i--)
    for (int j = 2; j < i + 1; j++)
      a[j] += x[i];
}

// CHECK-LABEL: # steps
// CHECK: domain: "[p0] -> { S0[i0] : p0 >= 8 and 8i0 <= p0 - 8 and i0 >= 0 }"
void steps(int n, double *restrict a) {
  for (int i = 0; i < n - (n & 7); i += 8)
    a[i] += 1;
}

// What is left of a quotient, halved again as two iterations are one.
// CHECK-LABEL: # halves
// CHECK-NOT: mod 65536
// CHECK: domain: "[p2] -> { S0[i0] : p2 > 0 and 0 <= i0 < p2 }"
void halves(int n, unsigned char *restrict p, unsigned char *restrict q) {
  for (unsigned short i = 0; i < (unsigned short)((n + 1) / 2) / 2; i++)
    q[i] = p[2 * i];
}
