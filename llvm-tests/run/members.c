// What is reached by way of members is read before the loops, if these come to it: whether they do is asked outside of the loops that do nothing else.
// Where they do not, it is not read: the last matrix is no matrix at all.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>

struct matrix { int rows, columns; double *at; };

// CHECK: members.c:[[#@LINE+2]]:3: remark: {{.*}}loops i, j, k tiled
__attribute__((noinline)) void product(struct matrix *a, struct matrix *b, struct matrix *c) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++)
      for (int k = 0; k < a->columns; k++)
        c->at[i * c->columns + j] += a->at[i * a->columns + k] * b->at[k * b->columns + j];
}

struct table { int rows, columns; double **at; };

// CHECK: members.c:[[#@LINE+3]]:3: remark: {{.*}}loops i, j, k tiled
// CHECK: members.c:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap
__attribute__((noinline)) void product_of_tables(struct table *a, struct table *b, struct table *c) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++)
      for (int k = 0; k < a->columns; k++)
        c->at[i][j] += a->at[i][k] * b->at[k][j];
}

// What is done in any case is not skipped.
__attribute__((noinline)) int counted(struct matrix *a, struct matrix *b, int *runs) {
  for (int i = 0; i < a->rows; i++) {
    runs[0]++;
    for (int j = 0; j < b->columns; j++)
      b->at[j] += i;
  }
  return runs[0];
}

// Nor is what is handed on.
__attribute__((noinline)) int last(struct matrix *a, struct matrix *b) {
  int seen = 0;
  for (int i = 0; i < a->rows; i++) {
    seen = 3 * i + 1;
    for (int j = 0; j < b->columns; j++)
      b->at[j] += i;
  }
  return seen;
}

static struct matrix matrix(int rows, int columns) {
  struct matrix made = {rows, columns, malloc(sizeof(double) * rows * columns + 1)};
  for (int i = 0; i < rows * columns; i++)
    made.at[i] = i % 7 + 0.25;
  return made;
}

static struct table table(struct matrix *of) {
  struct table made = {of->rows, of->columns, malloc(sizeof(double *) * of->rows + 1)};
  for (int i = 0; i < of->rows; i++)
    made.at[i] = of->at + of->columns * i;
  return made;
}

int main(void) {
  int sizes[][3] = {{5, 6, 7}, {40, 33, 20}, {1, 1, 1}, {0, 4, 4}, {4, 0, 4}, {4, 4, 0}, {0, 0, 0}};
  for (int s = 0; s < 7; s++) {
    int n = sizes[s][0], m = sizes[s][1], k = sizes[s][2];
    struct matrix a = matrix(n, k), b = matrix(k, m), c = matrix(n, m);
    struct table ta = table(&a), tb = table(&b), tc = table(&c);
    // Where there is nothing to do, what would be read is not there.
    int is_idle = n == 0 || m == 0 || k == 0, runs = 0;
    product(&a, &b, is_idle ? NULL : &c);
    product_of_tables(&ta, n == 0 ? NULL : &tb, is_idle ? NULL : &tc);
    double *held = b.at;
    b.at = b.columns > 0 && k > 0 ? held : NULL;
    struct matrix none = {3, 0, NULL};
    int count = counted(&a, k > 0 ? &b : &none, &runs), seen = last(&a, k > 0 ? &b : &none);
    double sum = 0;
    for (int i = 0; i < n * m; i++)
      sum += c.at[i] * (i % 5 + 1);
    printf("%d %d %.17g\n", count, seen, sum);
  }
}
