__attribute__((noinline)) static void move(double *to, const double *from, int n) {
  for (int k = 0; k < n; k++)
    to[k] = from[k] * 2;
  if (to[0] < 0)
    throw 5;
}
int all(int n, double (*to)[8], double (*from)[8]) {
  int caught = 0;
  for (int i = 0; i < n; i++)
    try {
      move(to[i], from[i], 5);
    } catch (int) {
      caught++;
    }
  return caught;
}
