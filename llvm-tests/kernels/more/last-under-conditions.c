/* The last of many values: under conditions on counters, on invariant values, under none, of several conditions in turn, never, and used on the way. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500000)
#endif

int of_a_class(int n, const int *restrict b) {
  int v = -1;
  for (int i = 0; i < n; i++)
    if (i % 5 == 3)
      v = b[i];
  return v;
}

int of_the_first_half(int n, const int *restrict b) {
  int v = -1;
  for (int i = 0; i < n; i++)
    if (i < n / 2)
      v = b[i];
  return v;
}

int of_none(int n, const int *restrict b) {
  int v = -7;
  for (int i = 0; i < n; i++)
    if (i > n)
      v = b[i];
  return v;
}

int if_asked(int n, const int *restrict b, int asked) {
  int v = -1;
  for (int i = 0; i < n; i++)
    if (asked > 3)
      v = b[i] + i;
  return v;
}

/* The second condition wins where both hold; the third one looks at what the first two left. */
int in_turn(int n, const int *restrict b, const int *restrict c) {
  int v = -1;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 1)
      v = b[i];
    if (i % 4 == 2)
      v = c[i];
  }
  return v;
}

int on_either_side(int n, const int *restrict b, const int *restrict c) {
  int v = -1;
  for (int i = 0; i < n; i++)
    if (i % 3 == 1)
      v = b[i];
    else if (i % 3 == 2)
      v = c[i];
  return v;
}

double of_the_triangle(int n, const double *restrict x) {
  double v = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (j < i)
        v = x[i + j] * j;
  return v;
}

/* Each iteration sees what the one before left. */
void seen(int n, const int *restrict b, int *restrict after, int *restrict before) {
  int v = -1;
  for (int i = 0; i < n; i++) {
    before[i] = v;
    if (i % 5 == 3)
      v = b[i];
    after[i] = v;
  }
}

/* What is replaced goes into what replaces. */
int of_itself(int n, const int *restrict b) {
  int v = 1;
  for (int i = 0; i < n; i++)
    if (i % 5 == 3)
      v = b[i] - v;
  return v;
}

/* Updates and replacements of one sum. */
unsigned again(int n, const unsigned *restrict b) {
  unsigned v = 1;
  for (int i = 0; i < n; i++) {
    v += b[i];
    if (i % 1000 == 999)
      v = 5;
  }
  return v;
}

/* The last one takes another's last one but one. */
int one_behind(int n, const int *restrict b) {
  int v = 1, w = 2;
  for (int i = 0; i < n; i++) {
    if (i % 5 == 3)
      v = w;
    w = b[i];
  }
  return v * 3 + w;
}

int main(void) {
  int *b = allocate(sizeof(int) * DIM(N)), *c = allocate(sizeof(int) * DIM(N));
  int *after = allocate(sizeof(int) * DIM(N)), *before = allocate(sizeof(int) * DIM(N));
  double *x = allocate(sizeof(double) * 2 * DIM(N));
  int side = N < 1000 ? N : 1000;
  double real = 0;
  int found[12] = {0};
  fill_int(b, DIM(N), 1, 1000);
  fill_int(c, DIM(N), 2, 1000);
  fill(x, 2 * (size_t)DIM(N), 3);
  TIMED(3, found[0] += of_a_class(N, b));
  TIMED(3, found[1] += of_the_first_half(N, b));
  TIMED(3, found[2] += of_none(N, b));
  TIMED(3, found[3] += if_asked(N, b, b[0] % 8));
  TIMED(3, found[4] += if_asked(N, b, 4));
  TIMED(3, found[5] += in_turn(N, b, c));
  TIMED(3, found[6] += on_either_side(N, b, c));
  TIMED(3, real += of_the_triangle(side, x));
  TIMED(3, seen(N, b, after, before));
  TIMED(3, found[7] += of_itself(N, b));
  TIMED(3, found[8] += (int)again(N, (unsigned *)b));
  TIMED(3, found[9] += one_behind(N, b));
  digest(found, sizeof found);
  digest(&real, sizeof real);
  digest(after, sizeof(int) * DIM(N));
  digest(before, sizeof(int) * DIM(N));
  return finish();
}
