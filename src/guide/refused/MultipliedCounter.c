void halves(int n, int m, double *restrict a, const double *restrict b) {
  for (int i = n; i > 0; i /= 2)
    for (int j = 0; j < m; j++)
      a[j] += b[i];
}
