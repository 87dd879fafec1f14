// What data decides stays as it is, in one statement; the loop around it is parallel all the same, without `restrict` as well, where the
// places are measured first. A scatter is not: two iterations may write one element.
//
// RUN: %loopwright-clang -O3 -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s

// CHECK: data-dependent.c:[[#@LINE+8]]:3: remark: {{.*}}i0 on all cores
// CHECK: data-dependent.c:[[#@LINE+16]]:3: remark: {{.*}}i0 on all cores
// CHECK: data-dependent.c:[[#@LINE+21]]:3: remark: {{.*}}i0 on all cores
// CHECK: data-dependent.c:[[#@LINE+30]]:3: remark: loop nest left as it was
// CHECK: data-dependent.c:[[#@LINE+34]]:3: remark: {{.*}}i0 on all cores
// CHECK: data-dependent.c:[[#@LINE+33]]:3: remark: {{.*}}'argument 6' does not overlap 'argument 2', 'argument 4', 'argument 3' or 'argument 5' [

void rows(int n, const int *restrict ptr, const int *restrict col, const double *restrict val, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      sum += val[j] * x[col[j]];
    y[i] = sum;
  }
}

void some(int n, double t, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    if (x[i] > t)
      y[i] = x[i] / t;
}

void search(int n, int m, int wanted, const int *restrict a, int *restrict place) {
  for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < m; j++)
      if (a[i + j] == wanted)
        break;
    place[i] = j;
  }
}

void scatter(int n, const int *restrict index, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[index[i]] = x[i];
}

void promised_nothing(int n, const int *ptr, const int *col, const double *val, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = ptr[i]; j < ptr[i + 1]; j++)
      sum += val[j] * x[col[j]];
    y[i] = sum;
  }
}

struct matrix {
  int n, *first, *column;
  double *value;
};

// CHECK: data-dependent.c:[[#@LINE+3]]:3: remark: {{.*}}i0 on all cores
// CHECK: data-dependent.c:[[#@LINE+2]]:3: remark: {{.*}}'argument 3' does not overlap 'what argument 1 points to', 'argument 1' or 'argument 2' [
void of_struct(const struct matrix *m, const double *x, double *y) {
  for (int i = 0; i < m->n; i++) {
    double sum = 0;
    for (int k = m->first[i]; k < m->first[i + 1]; k++)
      sum += m->value[k] * x[m->column[k]];
    y[i] = sum;
  }
}

// CHECK-DAG: define internal void @rows.threads(
// CHECK-DAG: define internal void @some.threads(
// CHECK-DAG: define internal void @search.threads(
// CHECK-NOT: @scatter.threads
// CHECK-DAG: define internal void @promised_nothing.threads(
