void scale(int n, double *value, double by) {
  for (int i = 0; i < n; i++)
    value[i] *= by;
}
