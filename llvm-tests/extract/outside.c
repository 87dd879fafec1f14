// What is computed between two loops of one region stays with the original loops. A later region that needs such a value, which the code in
// between does not use, is left alone; one whose bound is a sum that is also computed there has it computed anew.
// RUN: %loopwright-clang -O3 -g -fopenmp -mllvm -loopwright-check -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | FileCheck %s

struct rows {
  double *row;
};
void somewhere_else(void);

// CHECK: outside.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores
// CHECK: outside.c:[[#@LINE+9]]:3: remark: loop nest left as it was: 'q', which they use, is computed between earlier loops that are rewritten
void base(int n, struct rows *restrict p, double *restrict a, double *restrict c) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2 + i;
  double *q = p->row;
  double *r = q + 2;
  for (int i = 0; i < n; i++)
    c[i] = a[i] * (r == a) + i;
  somewhere_else();
  for (int j = 0; j < n; j++)
    r[j] = r[j] * 3 + j;
}

// CHECK: outside.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores
// CHECK: outside.c:[[#@LINE+8]]:3: remark: {{.*}}j on all cores
void sum(int n, long m, double *restrict b, double *restrict c, long *restrict d) {
  for (int i = 0; i < n; i++)
    c[i] = c[i] * 2 + i;
  long z = m * 8 + n;
  for (int i = 0; i < n; i++)
    d[i] = d[i] * z + i;
  somewhere_else();
  for (long j = 0; j < m * 8 + n; j++)
    b[j] = b[j] * 3 + j;
}
