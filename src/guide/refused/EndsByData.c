int place(int n, const double *a, double most) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i];
    if (sum > most)
      return i;
  }
  return n;
}
