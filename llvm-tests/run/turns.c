// Buffers that take turns are tiled through time, and the last one is where the program expects it, for odd and even numbers of steps.
//
// RUN: clang-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>

// CHECK: turns.c:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled
__attribute__((noinline)) double *pointers(int steps, int n, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    double *held = a;
    a = b;
    b = held;
  }
  return a;
}

// CHECK: turns.c:[[#@LINE+3]]:3: remark: {{.*}}2*i0 + j + 1{{.*}}tiled
__attribute__((noinline)) int number(int steps, int n, double (*h)[30][30]) {
  int now = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        h[1 - now][i][j] = 0.25 * h[now][i - 1][j] + 0.5 * h[now][i][j - 1] + 0.25 * h[now][i + 1][j + 1];
    now = 1 - now;
  }
  return now;
}

// CHECK: turns.c:[[#@LINE+2]]:3: remark: {{.*}}2*t + j + 1{{.*}}tiled
__attribute__((noinline)) void remainder_(int steps, int n, double (*h)[30][30]) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        h[(t + 1) % 2][i][j] = 0.25 * h[t % 2][i - 1][j] + 0.5 * h[t % 2][i][j - 1] + 0.25 * h[t % 2][i + 1][j + 1];
}

// CHECK: turns.c:[[#@LINE+2]]:3: remark: {{.*}}3*i0 + i + {{.*}}tiled
__attribute__((noinline)) void three(int steps, int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      c[i] = 0.5 * (b[i - 1] + b[i + 1]) - 0.25 * a[i];
    double *first = a;
    a = b;
    b = c;
    c = first;
  }
}

struct grid {
  int n;
  double *now, *next;
};

// CHECK: turns.c:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled
__attribute__((noinline)) void members(int steps, struct grid *g) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < g->n - 1; i++)
      g->next[i] = 0.25 * g->now[i - 1] + 0.5 * g->now[i] + 0.25 * g->now[i + 1];
    double *held = g->now;
    g->now = g->next;
    g->next = held;
  }
}

// As many rounds as a counter has values: their number, in the counter's bits, is 0.
__attribute__((noinline)) void all_bytes(unsigned char last, int n, double *a, double *b) {
  unsigned char t = 0;
  do {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    double *held = a;
    a = b;
    b = held;
    a[0] += 1;
  } while (t++ < last);
}

// The structure may be where the numbers go: the compiler cannot know.
__attribute__((noinline)) void in_bytes(int steps, int n, char **g) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      g[1][i] = (char)(g[0][i] + t);
    char *held = g[0];
    g[0] = g[1];
    g[1] = held;
  }
}

int main(void) {
  static double a[1000], b[1000], c[1000], h[2][30][30];
  for (int steps = 0; steps < 9; steps++) {
    for (int i = 0; i < 1000; i++)
      a[i] = b[i] = c[i] = i * 37 % 101;
    for (int i = 0; i < 1800; i++)
      (&h[0][0][0])[i] = i * 37 % 101;
    double *last = pointers(steps, 1000, a, b);
    int now = number(steps, 30, h);
    remainder_(steps, 30, h);
    three(steps, 1000, a, b, c);
    struct grid g = {1000, last, last == a ? b : a};
    members(steps, &g);
    all_bytes((unsigned char)(256 - steps), 1000, a, b);
    char *bytes[2] = {(char *)a, (char *)b};
    in_bytes(steps, 900, bytes);
    printf("%d %d %d %d\n", steps, last == a, now, g.now == a);
    for (int i = 0; i < 1000; i++)
      printf("%a %a %a\n", a[i], b[i], c[i]);
    for (int i = 0; i < 1800; i++)
      printf("%a\n", (&h[0][0][0])[i]);
  }
  // The byte that is written is one of the first pointer, which then points where it says.
  static struct {
    char *g[2], to[200];
  } own __attribute__((aligned(512)));
  own.g[0] = own.to;
  own.g[1] = (char *)own.g;
  own.to[0] = (char)(size_t)(own.to + 100);
  in_bytes(1, 1, own.g);
  printf("%d %d\n", own.g[0] == (char *)own.g, own.g[1] == own.to + 100);
}
