// Neighbours on a ring or torus, and at borders that are repeated: the iterations with another neighbour run by themselves, the rest in vectors.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>

#define OWN __attribute__((noinline)) void
enum { N = 4003, SIDE = 100 };

// CHECK: periodic.c:[[#@LINE+2]]:3: remark: {{.*}}i in vectors | borders apart
OWN remainders(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i] - 0.5 * (u[(i + 1) % n] - u[(i + n - 1) % n]);
}

// Three times the divisor.
OWN further(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[(i + n + 1) % n] * u[(i + 2) % n];
}

// With a sign: what is taken away may be more.
OWN negative(int n, double *restrict o, const double *restrict u) {
  for (int i = 1 - n; i < n; i++)
    o[i < 0 ? -i : i] = u[(i % n + n) % n] + 1;
}

// Without one.
OWN without_sign(int n, double *restrict o, const double *restrict u) {
  unsigned m = n;
  for (unsigned i = 0; i < m; i++)
    o[i] = u[(i + 1) % m] + u[(i + m - 1) % m];
}

// Nobody knows how often it goes round.
OWN round_and_round(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i % (n / 7 + 1)];
}

// CHECK: periodic.c:[[#@LINE+2]]:3: remark: {{.*}}i in vectors | borders apart
OWN selected(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i + 1 < n ? i + 1 : 0] + u[i > 0 ? i - 1 : n - 1];
}

// CHECK: periodic.c:[[#@LINE+2]]:3: remark: {{.*}}i in vectors
OWN torus(int n, double *restrict o, const double *restrict u) {
  for (int j = 0; j < n / SIDE; j++) {
    int m = n / SIDE, up = j == 0 ? m - 1 : j - 1, down = j == m - 1 ? 0 : j + 1;
    for (int i = 0; i < SIDE; i++) {
      int l = i == 0 ? SIDE - 1 : i - 1, r = i == SIDE - 1 ? 0 : i + 1;
      o[j * SIDE + i] = u[j * SIDE + l] + u[j * SIDE + r] - 0.5 * (u[up * SIDE + i] + u[down * SIDE + i]);
    }
  }
}

OWN repeated(int n, double *restrict o, const double *restrict u) {
  int h = n / SIDE;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < SIDE; x++) {
      int l = x > 0 ? x - 1 : 0, r = x < SIDE - 1 ? x + 1 : SIDE - 1, t = y > 0 ? y - 1 : 0, b = y < h - 1 ? y + 1 : h - 1;
      o[y * SIDE + x] = u[y * SIDE + l] + u[y * SIDE + r] + u[t * SIDE + x] * u[b * SIDE + x];
    }
}

// In place: what is a step behind has been written already.
OWN in_place(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i] + 0.25 * (o[(i + 1) % n] + o[(i + n - 1) % n]);
}

// Another element in the middle.
OWN in_the_middle(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[i] = u[i == n / 2 ? 0 : i] * 2;
}

// Written where it comes round.
OWN written(int n, double *restrict o, const double *restrict u) {
  for (int i = 0; i < n; i++)
    o[(i + 1) % n] = u[i] + 1;
}

// Where another element is touched is a parameter of that alone.
OWN chosen(int n, double *restrict o, const double *restrict u) {
  int rows = n / 40, columns = n < 10 ? n : 10, which = n % 5;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      for (int l = 0; l < 4; l++)
        o[(i * columns + j) * 4 + l] = u[(i * columns + j) * 4 + (l == which ? 0 : l)] + u[((i == rows - 1 ? 0 : i + 1) * columns + j) * 4 + l];
}

int main(void) {
  static double u[N + 9], o[N + 9];
  void (*all[])(int, double *restrict, const double *restrict) = {remainders, further, negative, without_sign,  round_and_round, selected,
                                                                  torus,      repeated, in_place, in_the_middle, written, chosen};
  for (int which = 0; which < 12; which++)
    for (int n = 1; n <= N; n += n < 40 ? 1 : n < 400 ? 61 : 797) {
      for (int i = 0; i < N + 9; i++) {
        u[i] = i * 7 % 13 - 5.5;
        o[i] = i * 5 % 17 * 0.5;
      }
      all[which](n, o, u);
      double sum = 0;
      for (int i = 0; i < N + 9; i++)
        sum = sum * 0.75 + o[i];
      printf("%d %d %a\n", which, n, sum);
    }
}
