/* Pointers at work: rows of pointers, pointers that advance, buffers that swap, sparse rows. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(400)
#endif

void rows_of_pointers(int n, double **C, double **A, double **B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

void advance(double *to, const double *from, const double *end) {
  while (from < end)
    *to++ = *from++ * 2.0;
}

void walk_rows(int n, double *cell) {
  for (int i = 0; i < n; i++) {
    double *p = cell + (size_t)i * n;
    for (int j = 0; j < n; j++, p++)
      *p = *p * 0.5 + i;
  }
}

double *swap_buffers(int steps, int n, double *now_, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.5 * now_[i] + 0.25 * (now_[i - 1] + now_[i + 1]);
    double *held = now_;
    now_ = next;
    next = held;
  }
  return now_;
}

void ping_pong(int steps, int n, double grid[2][DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        grid[(t + 1) % 2][i][j] = 0.25 * (grid[t % 2][i - 1][j] + grid[t % 2][i + 1][j] + grid[t % 2][i][j - 1] +
                                          grid[t % 2][i][j + 1]);
}

void sparse_product(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
  }
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  double *flat[3];
  double **rows[3];
  for (int m = 0; m < 3; m++) {
    flat[m] = allocate(sizeof(double) * cells);
    rows[m] = allocate(sizeof(double *) * DIM(N));
    fill(flat[m], cells, m);
    for (int i = 0; i < N; i++)
      rows[m][i] = flat[m] + (size_t)(m == 1 ? N - 1 - i : i) * DIM(N);
  }
  double *grid = allocate(sizeof(double) * 2 * cells);
  double *x = allocate(sizeof(double) * DIM(N));
  double *y = allocate(sizeof(double) * DIM(N));
  int *start = allocate(sizeof(int) * (DIM(N) + 1));
  int *column = allocate(sizeof(int) * (4 * DIM(N)));
  fill(grid, cells, 4);
  fill(x, DIM(N), 5);
  fill_int(column, 4 * DIM(N), 6, DIM(N));
  for (int i = 0; i < N; i++)
    start[i + 1] = start[i] + (int)(scatter(i, 7) % 4);
  TIMED(1, rows_of_pointers(N, rows[0], rows[1], rows[2]));
  TIMED(1, advance(flat[1], flat[2], flat[2] + (size_t)N * N));
  TIMED(1, walk_rows(N, flat[2]));
  TIMED(1, sparse_product(N, start, column, flat[0], x, y));
  TIMED(1, ping_pong(7, N, (void *)grid));
  digest(swap_buffers(9, N, x, y), sizeof(double) * DIM(N));
  for (int m = 0; m < 3; m++)
    digest(flat[m], sizeof(double) * cells);
  digest(grid, sizeof(double) * 2 * cells);
  digest(x, sizeof(double) * DIM(N));
  digest(y, sizeof(double) * DIM(N));
  return finish();
}
