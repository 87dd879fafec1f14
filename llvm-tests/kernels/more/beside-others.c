/* Several regions in one function: what a later one takes from between the loops of an earlier one, blocks that turn out to be unreachable, and
   loops behind others that never end or end the program. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

struct node {
  struct node *next;
  int v;
};
struct rows {
  double *row;
};

__attribute__((noinline)) void somewhere_else(void) { __asm__ volatile("" ::: "memory"); }

/* A bound is read between two loops. */
__attribute__((noinline)) void bound(int n, int *restrict p, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2 + i;
  int x = p[0];
  int y = x + 1;
  for (int i = 0; i < n; i++)
    c[i] = a[i] * y + i;
  somewhere_else();
  for (int j = 0; j < y; j++)
    b[j] = b[j] * 3 + j;
}

/* The address of an array is computed from a pointer that is read between two loops. */
__attribute__((noinline)) void base(int n, struct rows *restrict p, double *restrict a, double *restrict c) {
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

/* A bound is a sum that is computed between two loops, too. */
__attribute__((noinline)) void sum(int n, long m, double *restrict b, double *restrict c, unsigned long *restrict d) {
  for (int i = 0; i < n; i++)
    c[i] = c[i] * 2 + i;
  long z = m * 8 + n;
  for (int i = 0; i < n; i++)
    d[i] = d[i] * z + i;
  somewhere_else();
  for (long j = 0; j < m * 8 + n; j++)
    b[j] = b[j] * 3 + j;
  for (long j = 0; j < n; j++)
    c[j + m * 8 + n] = b[j] * 3 + j;
}

/* A part of the first loop never runs, as is found out on the way. */
__attribute__((noinline)) int never(int n, struct node *p, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 0.5) {
      if (i % n != i) {
        b[i] = a[i] + 7;
        c[i] = 2;
      } else
        a[i] = 5;
    }
    a[i] = a[i] * 2 + i;
  }
  int s = 0;
  while (p) {
    s += p->v;
    p = p->next;
  }
  for (int j = 0; j < n; j++)
    c[j] = b[j] + 3;
  return s;
}

/* Loops that are left by the end of the program alone, or not at all; code that is not reached. */
__attribute__((noinline)) void endless(int n, int mode, double *restrict a, double *restrict b) {
  switch (mode & 3) {
  case 0:
    for (int i = 0; i < n; i++)
      a[i] = a[i] * 0.5;
    break;
  case 1:
    for (int i = 0; i < n; i++)
      b[i] = a[i] * 0.5;
    break;
  case 2:
    if (mode > 100)
      __builtin_unreachable();
    for (int i = 0; i < n; i++)
      b[i] = b[i] * 0.5 + a[i];
    break;
  }
  if (mode == 77777)
    for (;;) {
      if (n < mode)
        for (int i = 0; i < n; i++)
          a[i] = i;
      else
        abort();
    }
  if (mode == 88888)
    for (;;)
      ;
  for (int i = 0; i < n; i++)
    a[i] += b[i];
  somewhere_else();
  if (n < 0)
    __builtin_unreachable();
  for (int i = 0; i < n; i++)
    b[i] += a[i];
}

int main(void) {
  size_t size = DIM(N);
  double *a = allocate(sizeof(double) * size), *b = allocate(sizeof(double) * (9 * size + 4));
  double *c = allocate(sizeof(double) * (10 * size + 4));
  unsigned long *d = allocate(sizeof(long) * size);
  struct node last = {NULL, 3}, first = {&last, 4};
  fill(b, 9 * size, 1);
  fill(c, 10 * size, 2);
  long visited = 0;
  double started = now();
  for (int call = 0; call < CALLS(20); call++) {
    int bounds[] = {N - 1};
    struct rows rows = {b};
    fill(a, size, 3);
    bound(N, bounds, a, b, c);
    base(N, &rows, a, c);
    sum(N, N, b, c, d);
    visited += never(N, &first, a, b, c);
    for (int mode = 0; mode < 4; mode++)
      endless(N, mode, a, b);
    digest(a, sizeof(double) * size);
    digest(b, sizeof(double) * (9 * size + 4));
    digest(c, sizeof(double) * (10 * size + 4));
    digest(d, sizeof(long) * size);
  }
  elapsed += now() - started;
  digest(&visited, sizeof visited);
  return finish();
}
