/* Inner loops that run on while neighbours are equal, counters that data moves, and text that is counted word by word. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(30000)
#endif

void run_lengths(int n, const unsigned char *restrict a, int *restrict length) {
  for (int i = 0; i < n; i++) {
    int j = i;
    while (j < n && a[j] == a[i])
      j++;
    length[i] = j - i;
  }
}

int encode(int n, const unsigned char *restrict a, int *restrict out) {
  int k = 0;
  for (int i = 0; i < n;) {
    int j = i;
    while (j < n && a[j] == a[i])
      j++;
    out[k++] = (j - i) * 256 + a[i];
    i = j;
  }
  return k;
}

int words(int n, const unsigned char *restrict text) {
  int inside = 0, count = 0;
  for (int i = 0; i < n; i++) {
    if (text[i] == 0)
      inside = 0;
    else if (!inside) {
      inside = 1;
      count++;
    }
  }
  return count;
}

void merge(int n, int m, const int *restrict a, const int *restrict b, int *restrict c) {
  int i = 0, j = 0;
  for (int k = 0; k < n + m; k++)
    if (j >= m || (i < n && a[i] <= b[j]))
      c[k] = a[i++];
    else
      c[k] = b[j++];
}

void bubble(int n, int *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}

int main(void) {
  unsigned char *text = allocate(DIM(N));
  int *length = allocate(sizeof(int) * DIM(N)), *out = allocate(sizeof(int) * DIM(N)), found[2] = {0};
  int *a = allocate(sizeof(int) * DIM(N)), *b = allocate(sizeof(int) * DIM(N)), *c = allocate(sizeof(int) * DIM(N) * 2);
  for (int i = 0; i < N; i++) {
    text[i] = (unsigned char)(scatter((size_t)i / 3, 1) % 3);
    a[i] = i / 2;
    b[i] = i / 5 * 3;
  }
  TIMED(4, run_lengths(N, text, length));
  TIMED(4, found[0] += encode(N, text, out));
  TIMED(4, found[1] += words(N, text));
  TIMED(4, merge(N, N, a, b, c));
  digest(c, sizeof(int) * DIM(N) * 2);
  fill_int(c, DIM(N), 2, 1000);
  TIMED(1, bubble(N < 1000 ? N : 1000, c));
  digest(c, sizeof(int) * DIM(N) * 2);
  digest(length, sizeof(int) * DIM(N));
  digest(out, sizeof(int) * DIM(N));
  digest(found, sizeof found);
  return finish();
}
