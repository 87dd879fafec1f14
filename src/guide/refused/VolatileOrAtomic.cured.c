extern volatile int factor;
void scale(int n, double *a) {
  int once = factor;
  for (int i = 0; i < n; i++)
    a[i] *= once;
}
