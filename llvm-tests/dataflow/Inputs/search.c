int search(int n, int m, const int a[const restrict static n][m], int key) {
  int found = -1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      if (a[i][j] < 0)
        continue;
      if (a[i][j] == key) {
        found = i;
        goto out;
      }
    }
  }
out:
  return found;
}
