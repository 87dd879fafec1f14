void until(int n, double x, double *a, double *b) {
  int m = 0;
  while (m < n && a[m] != x)
    m++;
  for (int i = 0; i < m; i++)
    b[i] = a[i];
}
