// What an accumulator becomes on a way past a part that data decides about is written as well: the best so far, two best ones, a sum, each replaced under a condition of the counter.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.one
// RUN: %t.one | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-min-work=0 -fopenmp %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -mllvm -loopwright-cores=16 %s -o %t.many
// RUN: env OMP_NUM_THREADS=2 %t.many | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>

#define OWN __attribute__((noinline))

OWN double best(int n, int m, const double *x) {
  double b = 100, at = 0;
  for (int j = 0; j < n; j++) {
    double q = x[j];
    if (j < m)
      b = q;
    else if (q < b) {
      at = j;
      b = q;
    }
  }
  return b * 3 + at;
}

OWN double two_best(int n, int m, const double *x) {
  double b = 1000, c = 2000;
  for (int j = 0; j < n; j++) {
    if (j == m)
      b = 500;
    else if (x[j] < b) {
      c = b;
      b = x[j];
    } else if (x[j] < c)
      c = x[j];
  }
  return b * 2 + c;
}

OWN void sums(int w, int h, int m, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict c, unsigned *restrict o) {
  for (int i = 0; i < w; i++) {
    unsigned s = 0;
    for (int j = 0; j < h; j++) {
      if (j < m)
        s = 15 + b[j * w + i];
      else {
        s += c[j * w + i];
        if (c[j * w + i] > a[j * w + i])
          c[j * w + i] = 0;
      }
    }
    o[i] = s;
  }
}

// The place that it is replaced at is in the middle, and what replaces it is computed from it.
OWN void halved(int w, int h, int m, const unsigned *restrict a, unsigned *restrict c, unsigned *restrict o) {
  for (int i = 0; i < w; i++) {
    unsigned s = 1;
    for (int j = 0; j < h; j++) {
      if (j == m)
        s = s / 2 + a[i];
      else if (a[j * w + i] & 1) {
        s += a[j * w + i];
        c[j * w + i]++;
      }
    }
    o[i] = s;
  }
}

OWN long counted(int n, int m, const int *restrict x, int *restrict o) {
  long k = 0;
  for (int j = 0; j < n; j++) {
    if (j == m)
      k = 2;
    else if (x[j] > 3)
      o[k++] = x[j];
  }
  return k;
}

// Data decides what is computed, and not where the loop is left.
OWN double last(int n, const double *restrict a, const double *restrict b, const double *restrict c) {
  double s = 0;
  for (int j = 0; j < n; j++) {
    s = a[j];
    if (b[j] < c[j]) {
      if (c[j] == a[j])
        s += 1;
      else
        s = c[j] + 2;
    }
  }
  return s;
}

int main(void) {
  for (int n = 0; n < 200; n += 1 + n / 3)
    for (int m = 0; m < 12; m += 5) {
      size_t all = (size_t)n * n + 1;
      double *x = malloc(sizeof(double) * all);
      int *v = malloc(sizeof(int) * all), *p = calloc(all + 3, sizeof(int));
      unsigned *a = malloc(sizeof(int) * all), *b = malloc(sizeof(int) * all), *c = malloc(sizeof(int) * all), *o = calloc(all, sizeof(int));
      for (size_t i = 0; i < all; i++) {
        x[i] = i < 5 ? 1000 + i : 500 + i * 7919 % 10007;
        v[i] = i * 37 % 11, a[i] = i * 7 % 13, b[i] = i * 3 + 1, c[i] = i * 5 % 11;
      }
      printf("%d %d %g %g %g %ld", n, m, best(n, m, x), two_best(n, m, x), last(n, x, x + n / 2, x + n / 3), counted(n, m, v, p));
      sums(n, n, m, a, b, c, o);
      unsigned long sum = 0;
      for (size_t i = 0; i < all; i++)
        sum = sum * 31 + o[i] + c[i] + p[i];
      halved(n, n, m, a, c, o);
      for (size_t i = 0; i < all; i++)
        sum = sum * 31 + o[i] + c[i];
      printf(" %lx\n", sum);
      free(x), free(v), free(p), free(a), free(b), free(c), free(o);
    }
}
