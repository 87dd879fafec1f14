// An extreme and where it is: shares of the loop have a pair each, and the pairs are compared in the order of the shares, as the program
// compares keys. With `<=` a share has to say whether it found anything at all.
//
// RUN: %loopwright-clang -O3 -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: extremes.c:[[#@LINE+8]]:3: remark: {{.*}}i0 on all cores; {{.*}}each thread reduces into its own copy of
// CHECK: extremes.c:[[#@LINE+18]]:3: remark: {{.*}}i0 on all cores; {{.*}}each thread reduces into its own copy of
// CHECK: extremes.c:[[#@LINE+26]]:3: remark: {{.*}}i0 on all cores; {{.*}}each thread reduces into its own copy of
// CHECK: extremes.c:[[#@LINE+33]]:3: remark: loop nest left as it was

int first(int n, const double *x) {
  double best = 1e300;
  int at = -1;
  for (int i = 0; i < n; i++)
    if (x[i] < best) {
      best = x[i];
      at = i;
    }
  return at;
}

int last(int n, const double *x) {
  double best = 1e300;
  int at = -1;
  for (int i = 0; i < n; i++)
    if (x[i] <= best) {
      best = x[i];
      at = i;
    }
  return at;
}

void masked(int n, const int *restrict mask, const int *restrict key, int *restrict count) {
  for (int i = 0; i < n; i++)
    if (mask[i])
      count[key[i] & 15]++;
}

// A comparison that is true for a NaN: what comes after one depends on it.
double not_a_number(int n, const double *x) {
  double best = 1e300;
  for (int i = 0; i < n; i++)
    if (!(x[i] >= best))
      best = x[i];
  return best;
}

// CHECK-LABEL: define {{.*}} @first.loop(
// CHECK: fcmp olt double
// CHECK-LABEL: define {{.*}} @last.loop(
// CHECK: fcmp ole double
// CHECK: and i1
// CHECK: call void {{.*}}@__kmpc_fork_call
