/* Searches that stop: the first match of each row, a binary search per query, a word in a text, the longest common start. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(4000)
#endif
#define M 40

void first_match(int n, const int (*restrict A)[M], const int *restrict wanted, int *restrict place) {
  for (int i = 0; i < n; i++) {
    place[i] = -1;
    for (int j = 0; j < M; j++)
      if (A[i][j] == wanted[i]) {
        place[i] = j;
        break;
      }
  }
}

void lower_bounds(int n, int m, const int *restrict sorted, const int *restrict query, int *restrict place) {
  for (int i = 0; i < n; i++) {
    int low = 0, high = m;
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (sorted[middle] < query[i])
        low = middle + 1;
      else
        high = middle;
    }
    place[i] = low;
  }
}

void words(int n, int m, const unsigned char *restrict text, const unsigned char *restrict word, unsigned char *restrict found) {
  for (int i = 0; i + m <= n; i++) {
    int equal = 1;
    for (int j = 0; j < m; j++)
      if (text[i + j] != word[j]) {
        equal = 0;
        break;
      }
    found[i] = (unsigned char)equal;
  }
}

void common_start(int n, const unsigned char *restrict a, const unsigned char *restrict b, int *restrict length) {
  for (int i = 0; i < n; i++) {
    int k = 0;
    while (i + k < n && a[i + k] == b[k])
      k++;
    length[i] = k;
  }
}

int any_above(int n, const int *restrict a, int limit) {
  for (int i = 0; i < n; i++)
    if (a[i] > limit)
      return i;
  return -1;
}

int main(void) {
  int(*A)[M] = allocate(sizeof(int) * DIM(N) * M);
  int *wanted = allocate(sizeof(int) * DIM(N)), *place = allocate(sizeof(int) * DIM(N));
  int *sorted = allocate(sizeof(int) * DIM(N)), *low = allocate(sizeof(int) * DIM(N));
  int *length = allocate(sizeof(int) * DIM(N)), last = 0;
  unsigned char *text = allocate(DIM(N)), *found = allocate(DIM(N)), *word = allocate(DIM(N));
  fill_int(A, (size_t)DIM(N) * M, 1, 50);
  fill_int(wanted, DIM(N), 2, 50);
  for (int i = 0; i < N; i++) {
    sorted[i] = i / 3 * 2;
    text[i] = (unsigned char)(scatter((size_t)i, 3) % 3);
    word[i] = (unsigned char)(scatter((size_t)i, 4) % 2);
  }
  TIMED(8, first_match(N, (const int(*)[M])A, wanted, place));
  TIMED(8, lower_bounds(N, N, sorted, A[0], low));
  TIMED(8, words(N, 3, text, word, found));
  TIMED(8, common_start(N, text, word, length));
  TIMED(8, last += any_above(N, low, N - 2));
  digest(place, sizeof(int) * DIM(N));
  digest(low, sizeof(int) * DIM(N));
  digest(found, DIM(N));
  digest(length, sizeof(int) * DIM(N));
  digest(&last, sizeof last);
  return finish();
}
