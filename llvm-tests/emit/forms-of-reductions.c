// What comes out parallel although it is written in another way than `s += a[i]`: bins that counters name, the last value under a condition on
// counters, updates on both sides of a condition, keys in tables, elements with operators of their own. And what does not.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK-DAG: forms-of-reductions.c:[[#@LINE+12]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of 'm'
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+17]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+24]]:3: remark: {{.*(i|dependences)}} on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+33]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+42]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+48]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+55]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+64]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+70]]:3: remark: {{.*}}i on all cores; {{.*}}each thread reduces into its own copy of 'm'
// CHECK-DAG: forms-of-reductions.c:[[#@LINE+80]]:3: remark: loop nest left as it was: the loop only reads, and ends where the data says so

void by_remainder(int n, const int *restrict x, int *restrict m) {
  for (int i = 0; i < n; i++)
    m[i % 7] += x[i];
}

int last(int n, const int *restrict x) {
  int v = -1;
  for (int i = 0; i < n; i++)
    if (i % 5 == 3)
      v = x[i];
  return v;
}

unsigned both_sides(int n, const unsigned *restrict x, const unsigned *restrict y) {
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    if (i % 5 == 3)
      s += x[i];
    else
      s -= y[i];
  return s;
}

unsigned always_and_sometimes(int n, const unsigned *restrict x, const unsigned *restrict y) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    if (y[i] < 9)
      s -= y[i + 1];
  }
  return s;
}

int signs(int n, const int *restrict x) {
  int s = 1;
  for (int i = 0; i < n; i++)
    s *= x[i] & 1 ? -1 : 1;
  return s;
}

int beside(int n, const int *restrict x) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (x[i + 1] > x[at + 1])
      at = i;
  return at;
}

_Bool any(int n, const int *restrict x) {
  _Bool some = 0;
  for (int i = 0; i < n; i++) {
    _Bool is = x[i] == 500;
    some = some || is;
  }
  return some;
}

struct entry { int key, weight; };
int heaviest(int n, const struct entry *restrict x) {
  int at = 0;
  for (int i = 1; i < n; i++)
    if (x[i].weight > x[at].weight)
      at = i;
  return at;
}

void least_and_most(int n, const int *restrict x, const int *restrict y, int *restrict m) {
  for (int i = 0; i < n; i++) {
    int k = y[i] & 15;
    if (x[i] < m[k])
      m[k] = x[i];
    if (x[i] > m[k + 16])
      m[k + 16] = x[i];
  }
}

int capped(int n, const int *restrict x) {
  int s = 0;
  for (int i = 0; i < n; i++)
    if (s < 1000)
      s += x[i];
  return s;
}
