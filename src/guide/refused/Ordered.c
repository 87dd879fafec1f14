void squares(int n, double *x) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      x[i * j] = x[(i - 1) * j] + 1;
}
