#include "solver.h"
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  int n = count > 1 ? atoi(words[1]) : 100;
  double *x = calloc(3 * n * n, sizeof *x);
  if (!x)
    return 1;
  double *a = x, *b = x + n * n, *c = x + 2 * n * n;
  for (int i = 0; i < 2 * n * n; i++)
    x[i] = (i * 7919 % 1009) / 1009.0;
  relax(n, 10, a, b);
  product(n, a, b, c);
  printf("%.17g %.17g\n", norm(n, c), c[n + 1]);
  free(x);
}
