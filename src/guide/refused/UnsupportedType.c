typedef int four __attribute__((vector_size(16)));
void add(int n, four *restrict a, const four *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
}
