void sort(int n, int a[const restrict static n]) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}
