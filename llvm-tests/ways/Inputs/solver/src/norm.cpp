#include "solver.h"
#include <cmath>
#include <vector>

double norm(int n, const double *x) {
  std::vector<double> sums(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sums[j] += x[i * n + j] * x[i * n + j];
  double sum = 0;
  for (double each : sums)
    sum += each;
  return std::sqrt(sum);
}
