void column(unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < n; i++)
    a[(i - 1) * n] = b[i];
}
