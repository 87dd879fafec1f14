void gather(int n, const int *k, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[j * n + i] += x[k[k[j]]];
}
