void count(int n, const double *restrict y, double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i * n + j] += y[j * n + i];
}
