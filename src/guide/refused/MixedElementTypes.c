void both(int n, void *p) {
  float *x = p;
  double *y = p;
  for (int i = 0; i < n; i++) {
    x[i] = 0;
    y[i] += 1;
  }
}
