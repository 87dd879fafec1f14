// Whether an instance replaces the best so far is one question, with the best so far in it. Of the last value that a condition lets through, it is none: each may
// replace it. Nor is it if only what is read elsewhere tells.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// CHECK-LABEL: # largest
// CHECK: seldom_replaces: true
float largest(int n, const float *x) {
  float m = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > m)
      m = x[i];
  return m;
}

// What comes with it is read where it is taken.
// CHECK-LABEL: # with_another
// CHECK: seldom_replaces: true
double with_another(int n, const double *restrict x, const double *restrict y) {
  double m = 0, other = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > m) {
      m = x[i];
      other = y[i];
    }
  return other;
}

// CHECK-LABEL: # last
// CHECK-NOT: seldom_replaces
int last(int n, const float *x) {
  int at = -1;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      at = i;
  return at;
}

// CHECK-LABEL: # of_the_valid
// CHECK-NOT: seldom_replaces
float of_the_valid(int n, const float *x, const char *valid) {
  float m = 0;
  for (int i = 0; i < n; i++)
    if (valid[i])
      if (x[i] > m)
        m = x[i];
  return m;
}

// CHECK-LABEL: # behind
// CHECK-NOT: seldom_replaces
float behind(int n, const float *x, const int *place) {
  float m = 0;
  for (int i = 0; i < n; i++)
    if (x[place[i]] > m)
      m = x[place[i]];
  return m;
}

// CHECK-LABEL: # end
void end(int n, float *x) {
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
