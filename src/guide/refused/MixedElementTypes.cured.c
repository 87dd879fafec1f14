void both(int n, float *x, double *y) {
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    y[i] += 1;
  }
}
