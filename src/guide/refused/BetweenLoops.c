struct rows {
  double *row;
};
void something(void);
void base(int n, struct rows *restrict p, double *restrict a, double *restrict c) {
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 2 + i;
  double *q = p->row;
  double *r = q + 2;
  for (int i = 0; i < n; i++)
    c[i] = a[i] * (r == a) + i;
  something();
  for (int j = 0; j < n; j++)
    r[j] = r[j] * 3 + j;
}
