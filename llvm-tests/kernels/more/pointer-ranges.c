/* Ranges between two pointers: forwards, backwards, by steps, empty and null ones, reversed ones that run not at all, and lengths that are
   differences of pointers. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif

struct range {
  double *begin, *end;
};
struct triple {
  double x, y, z;
};

__attribute__((noinline)) void until_equal(const double *b, const double *e, double *y) {
  for (const double *p = b; p != e; p++)
    *y++ = *p > 0.5 ? *p : 0;
}

__attribute__((noinline)) void while_below(const double *p, const double *end, double *y) {
  while (p < end)
    *y++ += *p++;
}

__attribute__((noinline)) void backwards(const double *b, const double *e, double *y) {
  while (e-- > b)
    *y++ = 2 * *e;
}

__attribute__((noinline)) void by_two(const double *b, const double *e, double *y) {
  for (; b < e; b += 2)
    *y++ = *b;
}

__attribute__((noinline)) void by_length(const double *b, const double *e, double *y) {
  size_t n = e - b;
  for (size_t i = 0; i < n; i++)
    y[i] += b[i];
}

__attribute__((noinline)) void by_int_length(const double *b, const double *e, double *y) {
  int n = (int)(e - b);
  for (int i = 0; i < n; i++)
    y[i] = b[i] - y[i];
}

__attribute__((noinline)) void up_to_sum(const double *b, long n, double *y) {
  const double *e = b + n;
  for (const double *p = b; p < e; p++, y++)
    *y = *p * 0.5;
}

__attribute__((noinline)) void of_struct(const struct range *x, struct range *y) {
  for (size_t i = 0; i < (size_t)(x->end - x->begin); i++)
    y->begin[i] = x->begin[i] * 3;
}

__attribute__((noinline)) void triples(const struct triple *b, const struct triple *e, double *y) {
  for (; b != e; b++)
    *y++ = b->x + b->z;
}

__attribute__((noinline)) void bytes(const unsigned char *b, const unsigned char *e, unsigned char *y) {
  while (b != e)
    *y++ = (unsigned char)(*b++ ^ 85);
}

__attribute__((noinline)) long count(const int *b, const int *e, int limit) {
  long found = 0;
  for (; b != e; ++b)
    found += *b > limit;
  return found;
}

__attribute__((noinline)) double largest(const double *b, const double *e) {
  double m = *b;
  for (; b != e; b++)
    if (*b > m)
      m = *b;
  return m;
}

/* Two ranges of one object: how far each goes is told by the other. */
__attribute__((noinline)) void both(double *b, double *middle, double *e) {
  for (double *p = b; p < middle; p++)
    *p = 1;
  for (double *p = middle; p < e; p++)
    *p += 2;
}

/* Rows: the length is the same for all. */
__attribute__((noinline)) void rows(const double *b, const double *e, long m, double *restrict y) {
  long n = e - b;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i * n + j] = b[j] + i;
}

int main(void) {
  size_t size = DIM(N);
  double *x = allocate(sizeof(double) * 3 * size), *y = allocate(sizeof(double) * 40 * size);
  unsigned char *from = allocate(size), *to = allocate(size);
  int *numbers = allocate(sizeof(int) * size);
  fill(x, 3 * size, 1);
  fill_int(numbers, size, 2, 100);
  for (size_t i = 0; i < size; i++)
    from[i] = (unsigned char)scatter(i, 3);
  long found = 0;
  double most = 0;
  double started = now();
  for (int call = 0; call < CALLS(20); call++) {
    until_equal(x, x + N, y);
    while_below(x, x + N, y);
    backwards(x, x + N, y + size);
    by_two(x, x + N, y + 2 * size);
    by_length(x, x + N, y + 3 * size);
    by_int_length(x, x + N, y + 4 * size);
    up_to_sum(x, N, y + 5 * size);
    struct range r = {x, x + N}, s = {y + 6 * size, y + 7 * size};
    of_struct(&r, &s);
    triples((struct triple *)x, (struct triple *)x + N, y + 7 * size);
    bytes(from, from + N, to);
    found += count(numbers, numbers + N, 50);
    most += largest(x, x + N);
    both(y + 8 * size, y + 8 * size + N / 3, y + 8 * size + N);
    rows(x, x + N, 20, y + 10 * size);
    /* Overlapping: the program's order shows. */
    while_below(y, y + N / 2, y + 1);
    until_equal(y + 31 * size, y + 31 * size + N / 2, y + 31 * size + 3);
    /* Nothing, nowhere, and the wrong way round. */
    until_equal(NULL, NULL, NULL);
    while_below(NULL, NULL, y);
    by_length(x + N, x + N, y);
    by_two(x + N, x, y);
    while_below(x + N, x, y);
    by_int_length(x + N, x, y);
    backwards(x + N, x, y);
    up_to_sum(x + N, -N, y);
    found += count(NULL, NULL, 3);
    both(y + N, y + N / 2, y);
    triples(NULL, NULL, y);
  }
  elapsed = now() - started;
  digest(y, sizeof(double) * 40 * size);
  digest(to, size);
  digest(&found, sizeof found);
  digest(&most, sizeof most);
  return finish();
}
