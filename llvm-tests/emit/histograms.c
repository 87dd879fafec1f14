// Places that data gives: updates of one table by one operator are done in copies of the elements that are touched, measured before the
// loops if nothing else says which; in indexed rows the elements of a row are independent; writes anywhere are kept in order.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

static unsigned table[256];

// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}i on all cores; each thread reduces into its own copy of 'table'
void bytes(int n, const unsigned char *a) {
  for (int i = 0; i < n; i++)
    table[a[i]]++;
}

// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}i on all cores; each thread reduces into its own copy of 'count'
void masked(int n, const int *restrict key, long *restrict count) {
  for (int i = 0; i < n; i++)
    count[key[i] & 63] += key[i];
}

// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}i on all cores; each thread reduces into its own copy of 'count'
void anywhere(int n, const int *restrict key, long *restrict count) {
  for (int i = 0; i < n; i++)
    count[key[i]]++;
}

// CHECK: histograms.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores; each thread reduces into its own copy of 'most'
// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}'most' does not overlap 'value', 'key' or errno [
void largest(int n, const int *key, const int *value, int *most) {
  for (int i = 0; i < n; i++)
    if (value[i] > most[key[i]])
      most[key[i]] = value[i];
}

// What is counted decides where the next one is counted.
// CHECK: histograms.c:[[#@LINE+2]]:3: remark: loop nest left as it was
void chained(int n, const int *restrict key, long *restrict count) {
  for (int i = 0; i < n; i++)
    count[count[key[i]]]++;
}

// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}i on all cores
void of_each_row(int n, const int *restrict key, int (*restrict count)[8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 64; j++)
      count[i][key[i * 64 + j] & 7]++;
}

// CHECK: histograms.c:[[#@LINE+3]]:3: remark: {{.*}}each thread reduces into its own copy of 's'
int where(int n, const int *a, int limit) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = a[i]; j < limit; j += 3)
      s += a[j] ^ i;
  return s;
}

// CHECK: histograms.c:[[#@LINE+2]]:3: remark: {{.*}}i on all cores
void switched(int n, const int *restrict kind, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    switch (kind[i]) {
    case 0:
      y[i] = x[i];
      break;
    case 7:
      y[i] = -x[i];
      break;
    case 8:
      y[i] += 1.0;
    }
}

// CHECK-DAG: define internal void @bytes.threads(
// CHECK-DAG: define internal void @masked.threads(
// CHECK-DAG: define internal void @where.threads(
// CHECK-NOT: @anywhere.threads
