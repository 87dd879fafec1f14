void log_step(int i);
void steps(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++) {
    log_step(i);
    for (int j = 0; j < 8; j++)
      a[i * n + j] += b[j * n + i];
  }
}
