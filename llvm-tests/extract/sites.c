// A call of a function that is looked into is a statement with an access for all that it touches in an array: elements at constant
// distances from its arguments, in loops of constant length too. What is written in each case is written for certain, the rest perhaps.
//
// RUN: clang-22 -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='function(sroa,simplifycfg),print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

double a[50][5][5], x[50][5];

static __attribute__((noinline)) void subtract(double m[5][5], double u[5], double *v) {
  for (int i = 0; i < 5; i++) v[i] -= m[i][0] * u[0] + m[i][3] * u[4];
  if (v[0] > 1)
    v[7] = 0;
}

void solve(void) {
  for (int i = 1; i < 48; i++) subtract(a[i], x[i - 1], x[i]);
}

// CHECK: # solve
// CHECK: read: "{ S0[i0] -> a[i0 + 1, o1, 0] : 0 <= i0 <= 46 and 0 <= o1 <= 4; S0[i0] -> a[i0 + 1, o1, 3] : 0 <= i0 <= 46 and 0 <= o1 <= 4 }"
// CHECK: read: "{ S0[i0] -> x[{{.*}}
// CHECK: write: "{ S0[i0] -> x[i0 + 1, o1] : 0 <= i0 <= 46 and 0 <= o1 <= 4 }"
// CHECK: may_write: "{ S0[i0] -> x[i0 + 2, 2] : 0 <= i0 <= 46 }"
// CHECK: schedule:

static int runs;
static __attribute__((noinline)) void counts(double *v) { v[0] = runs++; }
static __attribute__((noinline)) void endless(double *v) { while (v[0] > 0) v[1] = 1; }
static __attribute__((noinline)) void open(double *v, int n) { for (int i = 0; i < n; i++) v[i] = 1; }

void others(void) {
  for (int i = 1; i < 48; i++) counts(x[i]);
  for (int i = 1; i < 48; i++) endless(x[i]);
  for (int i = 1; i < 48; i++) open(x[i], i & 3);
}

// CHECK: # others: {{.*}}the call to 'counts' may read or write memory or not return
// CHECK: # others: {{.*}}the call to 'endless' may read or write memory or not return
// CHECK: # others: {{.*}}the call to 'open' may read or write memory or not return
