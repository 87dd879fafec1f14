struct item {
  struct item *next;
  double value;
};
void values(int n, const struct item *p, double *a) {
  for (int i = 0; i < n; i++) {
    p = p->next;
    a[i] = p->value;
  }
}
