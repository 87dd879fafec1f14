int next(int *number);
void read_all(int x, double *a) {
  int i = 0;
  while (next(&x))
    a[i++] = x;
}
