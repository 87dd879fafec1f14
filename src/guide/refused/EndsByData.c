int place(int i, const int *next, const double *a, double x) {
  while (i >= 0 && a[i] != x)
    i = next[i];
  return i;
}
