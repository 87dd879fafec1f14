/* Stencils that keep their steps in buffers that take turns: by pointers, by numbers, by remainders, in structures. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(700)
#endif
#ifndef STEPS
#define STEPS SIZE_OR(41)
#endif

void swapped(int steps, int n, double (*restrict a)[DIM(N)], double (*restrict b)[DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    double(*held)[DIM(N)] = a;
    a = b;
    b = held;
  }
}

double *handed_back(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    double *held = a;
    a = b;
    b = held;
  }
  return a;
}

void by_number(int steps, int n, double (*h)[DIM(N)][DIM(N)]) {
  int now = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        h[1 - now][i][j] =
            0.2 * (h[now][i][j] + h[now][i - 1][j] + h[now][i + 1][j] + h[now][i][j - 1] + h[now][i][j + 1]);
    now = 1 - now;
  }
}

void by_remainder(int steps, int n, double (*h)[DIM(N)][DIM(N)]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        h[(t + 1) % 2][i][j] = 0.2 * (h[t % 2][i][j] + h[t % 2][i - 1][j] + h[t % 2][i + 1][j] + h[t % 2][i][j - 1] +
                                      h[t % 2][i][j + 1]);
}

void wave(int steps, int n, double (*restrict a)[DIM(N)], double (*restrict b)[DIM(N)], double (*restrict c)[DIM(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        c[i][j] = 2 * b[i][j] - a[i][j] +
                  0.1 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1] - 4 * b[i][j]);
    double(*first)[DIM(N)] = a;
    a = b;
    b = c;
    c = first;
  }
}

void three_in_turn(int steps, int n, double (*h)[DIM(N)]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      h[(t + 2) % 3][i] = 0.5 * (h[(t + 1) % 3][i - 1] + h[(t + 1) % 3][i + 1]) - 0.1 * h[t % 3][i];
}

typedef struct {
  int n;
  double *now, *next;
} grid;

void members(int steps, grid *g) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < g->n - 1; i++)
      for (int j = 1; j < g->n - 1; j++)
        g->next[i * g->n + j] = 0.2 * (g->now[i * g->n + j] + g->now[(i - 1) * g->n + j] + g->now[(i + 1) * g->n + j] +
                                       g->now[i * g->n + j - 1] + g->now[i * g->n + j + 1]);
    double *held = g->now;
    g->now = g->next;
    g->next = held;
  }
}

/* Not in each step: no ring. */
void sometimes(int steps, int n, const int *restrict when, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    if (when[t]) {
      double *held = a;
      a = b;
      b = held;
    }
  }
}

/* Two turns of different lengths in one loop. */
void two_and_three(int steps, int n, double (*h)[DIM(N)], double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * a[i - 1] + 0.25 * h[t % 3][i];
    for (int i = 1; i < n - 1; i++)
      h[(t + 1) % 3][i] = 0.5 * b[i + 1] + a[i];
    double *held = a;
    a = b;
    b = held;
  }
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  double *m[3];
  for (int k = 0; k < 3; k++) {
    m[k] = allocate(sizeof(double) * cells);
    fill(m[k], cells, k + 1);
  }
  double(*h)[DIM(N)][DIM(N)] = allocate(2 * sizeof(double) * cells);
  fill(&h[0][0][0], 2 * cells, 5);
  double(*rows)[DIM(N)] = allocate(3 * sizeof(double) * DIM(N));
  fill(&rows[0][0], 3 * DIM(N), 6);
  int *when = allocate(sizeof(int) * DIM(STEPS));
  for (int t = 0; t < STEPS; t++)
    when[t] = t % 3 != 1;
  TIMED(1, swapped(STEPS, N, (double(*)[DIM(N)])m[0], (double(*)[DIM(N)])m[1]));
  TIMED(1, by_number(STEPS, N, h));
  TIMED(1, by_remainder(STEPS, N, h));
  TIMED(1, wave(STEPS, N, (double(*)[DIM(N)])m[0], (double(*)[DIM(N)])m[1], (double(*)[DIM(N)])m[2]));
  TIMED(1, three_in_turn(STEPS, N, rows));
  grid g = {N, m[0], m[1]};
  TIMED(1, members(STEPS, &g));
  digest(&g.now[0], sizeof(double));
  double *last = m[0];
  TIMED(1, last = handed_back(STEPS, N, m[1], m[2]));
  digest(last, sizeof(double) * DIM(N));
  TIMED(1, sometimes(STEPS, N, when, m[0], m[2]));
  TIMED(1, two_and_three(STEPS, N, rows, m[0], m[1]));
  for (int k = 0; k < 3; k++)
    digest(m[k], sizeof(double) * cells);
  digest(h, 2 * sizeof(double) * cells);
  digest(rows, 3 * sizeof(double) * DIM(N));
  return finish();
}
