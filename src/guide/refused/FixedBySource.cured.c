void copy(int n, double *a, const double *b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] * 2;
}
