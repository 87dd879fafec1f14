void add(int n, int (*restrict a)[4], const int (*restrict b)[4]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++)
      a[i][k] = b[i][k] + 1;
}
