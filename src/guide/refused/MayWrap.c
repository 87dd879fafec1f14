void turned(unsigned n, double *restrict a, const double *restrict b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      a[i * n + j] = b[j * n + i];
}
