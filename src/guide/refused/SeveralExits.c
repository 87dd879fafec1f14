void until(int n, double x, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    if (a[i] == x)
      break;
    b[i] = a[i];
  }
}
