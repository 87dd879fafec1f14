/* What looks like a reduction and is none, or one of numbers too wide for a cell: squares, comparisons that somebody else asks, narrow indices. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300000)
#endif

unsigned squares(int n, unsigned s, const unsigned *restrict a) {
  for (int i = 0; i < n; i++)
    s = s * s * (a[i] | 1);
  return s;
}

void squared_bins(int n, const unsigned *restrict a, unsigned *restrict bin) {
  for (int i = 0; i < n; i++)
    bin[a[i] & 7] *= bin[a[i] & 7];
}

long best_of_bins(int n, const unsigned *restrict a, unsigned *restrict best, unsigned char *restrict is_best) {
  long count = 0;
  for (int i = 0; i < n; i++)
    if (a[i] & 64) {
      int is = a[i] > best[a[i] & 7];
      if (is)
        best[a[i] & 7] = a[i];
      is_best[i] = is;
      count += is;
    }
  return count;
}

int narrow_place(int n, const unsigned *a) {
  unsigned char at = 0;
  for (int i = 1; i < n; i++)
    if (a[i] > a[at])
      at = i;
  return at;
}

typedef unsigned _BitInt(256) Wide;
void wide_sums(int n, const unsigned *a, Wide *out) {
  Wide sum = 1, mixed = 7;
  for (int i = 0; i < n; i++) {
    sum += (Wide)a[i] << (i & 127);
    mixed ^= (Wide)a[i] << 150;
  }
  out[0] = sum;
  out[1] = mixed;
}

/* Where the next number is says the sum so far. */
unsigned sum_names_places(int n, const unsigned *a) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[sum % (unsigned)n];
  return sum;
}

_Bool any_names_places(int n, const unsigned *a) {
  _Bool some = 0;
  for (int i = 0; i < n; i++) {
    _Bool is = a[i / 2 + (some && n > 1)] % 9 == 4;
    some = some != is;
  }
  return some;
}

int main(void) {
  unsigned *a = allocate(sizeof(unsigned) * DIM(N));
  unsigned char *is_best = allocate(DIM(N));
  unsigned bin[8], best[8] = {0};
  Wide wide[2];
  long counts[5] = {0};
  for (int i = 0; i < N; i++)
    a[i] = i * 2654435761u;
  for (int i = 0; i < 8; i++)
    bin[i] = 2 * i + 3;
  TIMED(1, counts[0] = squares(N, 3, a));
  TIMED(1, squared_bins(N, a, bin));
  TIMED(1, counts[1] = best_of_bins(N, a, best, is_best));
  TIMED(1, counts[2] = narrow_place(N, a));
  TIMED(1, wide_sums(N, a, wide));
  TIMED(1, counts[3] = sum_names_places(N, a));
  TIMED(1, counts[4] = any_names_places(N, a));
  digest(counts, sizeof counts);
  digest(bin, sizeof bin);
  digest(best, sizeof best);
  digest(is_best, DIM(N));
  digest(wide, sizeof wide);
  return finish();
}
