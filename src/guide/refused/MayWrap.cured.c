void spread(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i * n * n * n] = b[i];
}
