/* Members of different sizes behind pointers of a table: they never meet in one item, but the items overlap. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

/* An item is 16 bytes: a number, then bytes, which may be looked at wherever they are. */
typedef unsigned char item;
#define WEIGHT(p) (*(long *)(p))
#define LOW(p) ((p)[8])
#define HIGH(p) ((p)[9])

/* What is written into one item is read as a part of another one, in a later or an earlier iteration. */
__attribute__((noinline)) void spread(int n, item **restrict tab, const long *restrict x, int (*restrict y)[DIM(N)]) {
  for (int i = 0; i < n; i++) {
    item *p = tab[i];
    WEIGHT(p) = x[i];
    for (int j = 0; j < n; j++)
      y[j][i] += LOW(p) + j;
  }
}

__attribute__((noinline)) void read_first(int n, item **restrict tab, int *restrict y, const long *restrict x) {
  for (int i = 0; i < n; i++) {
    y[i] = HIGH(tab[i]);
    WEIGHT(tab[i]) = x[i] + y[i];
  }
}

/* The number of turns is a part of another item, too. */
__attribute__((noinline)) void counted(int n, item **restrict tab, const int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    item *p = tab[i];
    int sum = 0;
    for (int k = 0; k < LOW(p) % 8; k++)
      sum += x[k];
    WEIGHT(p) += sum;
    y[i] = sum;
  }
}

/* Threads may have copies of the bins, but not of what many pointers lead to. */
__attribute__((noinline)) void updated(int n, item **restrict tab, int *restrict bins, const long *restrict x) {
  for (int i = 0; i < n; i++)
    if (x[i] & 1) {
      bins[x[i] >> 1 & 7]++;
      WEIGHT(tab[i])++;
    }
}

/* Nothing is written: all may be in parallel. */
__attribute__((noinline)) void only_read(int n, item **restrict tab, double *restrict y) {
  for (int i = 0; i < n; i++) {
    const item *p = tab[i];
    double sum = 0;
    for (int j = 0; j < 20; j++)
      sum += (double)WEIGHT(p) * (LOW(p) + j) / (HIGH(p) + 1);
    y[i] = sum;
  }
}

int main(void) {
  const int n = N;
  size_t words = 3 * (size_t)DIM(n) + 2;
  unsigned long *memory = allocate(8 * words);
  item **tab = allocate(sizeof *tab * (size_t)DIM(n));
  long *x = allocate(8 * (size_t)DIM(n));
  int *few = allocate(4 * 8), *last = allocate(4 * (size_t)DIM(n));
  int(*y)[DIM(N)] = allocate(4 * (size_t)DIM(n) * DIM(n));
  double *sums = allocate(8 * (size_t)DIM(n));
  fill_int(few, 8, 3, 1000);
  for (int i = 0; i < n; i++)
    x[i] = (long)scatter((size_t)i, 1) * 65537 + (long)scatter((size_t)i, 2);
  /* Items side by side, over one another in both directions, and anywhere. */
  for (int way = 0; way < 4; way++) {
    for (size_t k = 0; k < words; k++)
      memory[k] = (unsigned long)scatter(k, 4) * 4294967311u;
    for (int i = 0; i < n; i++) {
      int at = way == 0 ? 2 * i : way == 1 ? i : way == 2 ? n - 1 - i : (int)(scatter((size_t)i, 5) % (2 * DIM(n)));
      tab[i] = (item *)(memory + at);
    }
    TIMED(1, spread(n, tab, x, y));
    digest(y, 4 * (size_t)DIM(n) * DIM(n));
    TIMED(1, read_first(n, tab, last, x));
    digest(last, 4 * (size_t)DIM(n));
    TIMED(1, counted(n, tab, few, last));
    digest(last, 4 * (size_t)DIM(n));
    TIMED(1, updated(n, tab, few, x));
    digest(few, 4 * 8);
    TIMED(1, only_read(n, tab, sums));
    digest(sums, 8 * (size_t)DIM(n));
    digest(memory, 8 * words);
  }
  return finish();
}
