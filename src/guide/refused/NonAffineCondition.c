void fill(int n, int m, const int *x, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < x[i] * x[i]; j++)
      a[i * m + j + 1] = a[i * m + j] * 0.5;
}
