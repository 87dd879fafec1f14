/* Arrays that share exactly one element, the last of one and the first of the other, or none by a hair. The loops meet that element in one order
   column by column, as written, and in the other order row by row: a test that is off by one element lets the wrong one run. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(300)
#endif

void add_mirrored(int n, double *to, double *from) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      to[i * n + (n - 1 - j)] += 0.5 * from[i * n + (n - 1 - j)];
}

void kernel_overlapping_ends(int n, double *pool) {
  double *middle = pool + n * n + 1;
  for (int shift = -1; shift <= 2; shift++) {
    add_mirrored(n, middle, middle + (n * n - shift));
    add_mirrored(n, middle + (n * n - shift), middle);
  }
}

int main(void) {
  size_t cells = 3 * (size_t)DIM(N) * DIM(N) + 4;
  double *pool = allocate(sizeof(double) * cells);
  fill(pool, cells, 1);
  double started = now();
  kernel_overlapping_ends(N, pool);
  elapsed = now() - started;
  digest(pool, sizeof(double) * cells);
  return finish();
}
