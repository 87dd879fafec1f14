void log_step(int i);
void steps(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    log_step(i);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] += b[j * n + i];
}
