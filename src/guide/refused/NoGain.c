void chain(int n, double *x, const double *a) {
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * a[i];
}
