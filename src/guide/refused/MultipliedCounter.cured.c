void halves(int n, int m, int steps, double *restrict a, const double *restrict b) {
  for (int s = 0; s < steps; s++) {
    int i = n >> s;
    for (int j = 0; j < m; j++)
      a[j] += b[i];
  }
}
