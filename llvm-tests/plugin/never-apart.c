// What is said of loops that could never run in a new form: the reason, and that nothing was done.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -mllvm -loopwright-min-work=0 -c -Rpass=loopwright -Rpass-missed=loopwright %s -o /dev/null 2>&1 | FileCheck %s
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-candidates;only=far_away>' -disable-output - 2>&1 | FileCheck %s --check-prefix=LIMIT

typedef double row[100];

// Rows that are at most three apart, of which a hundred are written.
// CHECK: never-apart.c:[[#@LINE+4]]:{{.*}} remark: loop nest left as it was: {{.*}} are parts of one object that always overlap
// CHECK-NOT: remark
void near(row *a, long k) {
  row *b = a + (k & 3);
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++) a[j][i] = b[j][i] * 0.5 + 1;
}

// One of two rows of one object, beside all of it.
// CHECK: never-apart.c:[[#@LINE+4]]:{{.*}} remark: loop nest left as it was: {{.*}} are parts of one object that always overlap
// CHECK-NOT: remark
void chosen(row *a, int c) {
  row *p = c ? a : a + 1;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++) p[j][i] += a[j][i] * 0.5;
}

// An element of a local array that is the same in all iterations: each iteration has an array of its own.
// CHECK: never-apart.c:[[#@LINE+3]]:{{.*}} remark: {{.*}} parallel
// CHECK-NOT: remark
void element(int n, unsigned q, double *restrict a, const double *restrict x) {
  for (int i = 0; i < n; i++) {
    double t[128];
    for (int z = 0; z < 128; z++) t[z] = x[i] + z;
    a[i] = t[q & 127];
  }
}

// The limit of all parameters has words, too; the inner loop alone has no such limit.
// LIMIT: left as it was: it could only be modelled if all numbers {{.*}} were below 2^40 in magnitude, which is never so
// CHECK: never-apart.c:[[#@LINE+4]]:{{.*}} remark: {{.*}} parallel
// CHECK-NOT: remark
void far_away(row *a, row *b, long s) {
  if (s > -(1l << 41)) return;
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 100; j++) a[j][i] += b[j - s][i];
}

// Loops that never run under what is assumed are not said to be empty.
// CHECK: never-apart.c:[[#@LINE+4]]:{{.*}} remark: loop nest left as it was: it could only be modelled if {{.*}}, which is never so
// CHECK-NOT: remark
void upper_half(row *a, row *b, unsigned s) {
  s |= 0x80000000u;
  for (int i = 0; i < 100; i++)
    for (unsigned j = s; j < s + 100; j++) a[j - s][i] += b[j - s][i];
}
