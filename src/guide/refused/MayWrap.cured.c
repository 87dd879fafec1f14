void column(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[(i - 1) * n] = b[i];
}
