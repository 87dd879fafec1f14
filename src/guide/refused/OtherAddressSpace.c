void down(int n, double __seg_gs (*x)[64], const double (*y)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[j][i] = y[j][i] + 1;
}
