/* Reductions of whole numbers by every operator that may be reordered, in registers and in memory, of every width. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(100000)
#endif

void in_registers(int n, const unsigned *restrict a, unsigned *restrict out) {
  unsigned s = 1u, p = 1u, x = 0u, o = 0u, d = ~0u, least = ~0u, most = 0u;
  for (int i = 0; i < n; i++) {
    s += a[i];
    p *= a[i] | 1u;
    x ^= a[i];
    o |= a[i] << 3;
    d &= a[i] | 12u;
    least = a[i] < least ? a[i] : least;
    most = a[i] > most ? a[i] : most;
  }
  out[0] = s, out[1] = p, out[2] = x, out[3] = o, out[4] = d, out[5] = least, out[6] = most;
}

void in_memory(int n, const short *restrict a, short *restrict sum, long *restrict wide, signed char *restrict least) {
  for (int i = 0; i < n; i++) {
    *sum = (short)(*sum + a[i]);
    *wide -= (long)a[i] * a[i];
    if ((signed char)a[i] < *least)
      *least = (signed char)a[i];
  }
}

int count(int n, const unsigned *restrict a) {
  int c = 0;
  for (int i = 0; i < n; i++)
    c += a[i] % 3 == 0;
  return c;
}

int parity(int n, int m, const unsigned *restrict a) {
  int odd = 0;
  for (int i = 0; i + m <= n; i += m)
    for (int j = 0; j < m; j++)
      odd ^= (int)(a[i + j] >> j) & 1;
  return odd;
}

/* What is stored on the way is looked at: no reduction. */
void looked_at(int n, const unsigned *restrict a, unsigned *restrict sum, unsigned *restrict so_far) {
  for (int i = 0; i < n; i++) {
    *sum += a[i];
    so_far[i] = *sum;
  }
}

int main(void) {
  unsigned *a = allocate(sizeof(unsigned) * DIM(N)), out[7] = {0};
  unsigned *so_far = allocate(sizeof(int) * DIM(N)), total = 0;
  int found[2] = {0};
  short s = 3;
  long wide = 5;
  signed char least = 100;
  for (int i = 0; i < N; i++)
    a[i] = scatter((size_t)i, 1);
  TIMED(4, in_registers(N, a, out));
  TIMED(4, in_memory(N, (const short *)a, &s, &wide, &least));
  TIMED(4, found[0] += count(N, a));
  TIMED(4, found[1] += parity(N, 8, a));
  TIMED(4, looked_at(N, a, &total, so_far));
  digest(out, sizeof out);
  digest(&s, sizeof s);
  digest(&wide, sizeof wide);
  digest(&least, sizeof least);
  digest(found, sizeof found);
  digest(so_far, sizeof(int) * DIM(N));
  return finish();
}
