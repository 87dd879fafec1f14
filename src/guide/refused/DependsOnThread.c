__attribute__((const)) double whose(double x);
void all(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = whose(b[i]);
}
