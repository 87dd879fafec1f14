#include "solver.h"

void relax(int n, int steps, double *now, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 0.2 * (now[i * n + j] + now[i * n + j - 1] + now[i * n + j + 1] + now[(i - 1) * n + j] + now[(i + 1) * n + j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        now[i * n + j] = next[i * n + j];
  }
}
