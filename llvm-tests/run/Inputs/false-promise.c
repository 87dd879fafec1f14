/* A loop that becomes parallel because `restrict` says so. With an argument the promise is false, and the threads race. */
#include <stdio.h>

__attribute__((noinline)) void shifted(int n, double *restrict to, const double *restrict from) {
  for (int i = 0; i < n; i++)
    to[i] = from[i + 1] + 1;
}

int main(int argc, char **argv) {
  static double a[8002];
  shifted(4000, a, argc > 1 ? a : a + 4000);
  double sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += a[i];
  return sum < 0;
}
