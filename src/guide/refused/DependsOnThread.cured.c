static double whose(double x) { return x * x + 1; }
void all(int n, double *restrict a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = whose(b[i]);
}
