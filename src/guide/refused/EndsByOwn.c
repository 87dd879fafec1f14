void grow(int n, double *a, double x) {
  for (int i = 0; i < n; i++) {
    if (a[i] > x)
      break;
    a[i + 1] = a[i] * 2;
  }
}
