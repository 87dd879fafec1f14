// Where it is in doubt whose turn it is: swaps under a condition, swaps twice in a step, ends by convergence, other names for a buffer, stores that may
// change who has which buffer, loops around that call, places of pointers that overlap in part, buffers that are one shifted. What can be told before the loop is
// tested there; what cannot is refused. Contents, places and what is counted are those of plain loops, wherever the loop ends.
//
// RUN: clang++-22 -std=c++20 -O3 %s -o %t.plain
// RUN: clang++-22 -fpass-plugin=%plugin -std=c++20 -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: clang++-22 -fpass-plugin=%plugin -std=c++20 -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <cmath>
#include <cstdio>
#include <utility>

#define NOINLINE __attribute__((noinline))

struct owner {
  double *u, *v;
  long n;
};
static int n_calls;
NOINLINE static void called() {
  n_calls++;
  asm volatile("" ::: "memory");
}

// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}left as it was: the pointer of an access is computed or read inside the loops
NOINLINE void now_and_then(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    if (t % 3)
      std::swap(a, b);
  }
}

// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}left as it was: the pointer of an access is computed or read inside the loops
NOINLINE void by_data(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    if (b[1] > 0.5)
      std::swap(a, b);
  }
}

// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}tiled {{[0-9]}}
NOINLINE void twice(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    std::swap(a, b);
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * (a[i - 1] + a[i + 1]);
    std::swap(a, b);
  }
}

// CHECK: roles-in-doubt.cpp:[[#@LINE+3]]:3: remark: {{.*}}left as it was: the loop can be left in the middle
NOINLINE int converges(int n, int steps, owner &o, double enough) {
  int t = 0;
  for (; t < steps; t++) {
    double change = 0;
    for (int i = 1; i < n - 1; i++) {
      o.v[i] = 0.5 * (o.u[i - 1] + o.u[i + 1]);
      change = std::fmax(change, std::fabs(o.v[i] - o.u[i]));
    }
    std::swap(o.u, o.v);
    if (change < enough)
      break;
  }
  return t;
}

// The size is read before the loop: a number that is stored may not be one of its pointers, and none of what the loop writes may be the size.
// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void own_size(int steps, owner *o) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < o->n - 1; i++)
      o->v[i] = 0.5 * (o->u[i - 1] + o->u[i + 1]);
    std::swap(o->u, o->v);
  }
}

// What is stored may be the size itself.
// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}left as it was
NOINLINE void size_changes(int steps, owner *o, long *third) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < o->n - 1; i++)
      o->v[i] = 0.5 * (o->u[i - 1] + o->u[i + 1]);
    std::swap(o->u, o->v);
    *third -= 1;
  }
}

// The pointer that is stored behind the swap may be one of those that are swapped.
// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}left as it was
NOINLINE void other_place(int n, int steps, owner *o, double **third, double *other) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      o->v[i] = 0.5 * (o->u[i - 1] + o->u[i + 1]);
    std::swap(o->u, o->v);
    *third = other;
  }
}

// Whether it is a third one is tested before the loop.
// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void other_name(int n, int steps, double *a, double *b, double *third) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    third[2] += 1;
    std::swap(a, b);
  }
  a[0] = b[1];
}

// CHECK: roles-in-doubt.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void around(int n, int steps, owner *a, owner *b) {
  for (int k = 0; k < 3; k++) {
    called();
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < n - 1; i++)
        b->u[i] = 0.5 * (a->u[i - 1] + a->u[i + 1]);
      std::swap(a->u, b->u);
    }
  }
}

static double pool[4][1400];
static void fill() {
  for (int i = 0; i < 4 * 1400; i++)
    pool[i / 1400][i % 1400] = i * 37 % 101 * 0.125;
}
static void show(const char *what, long number) {
  unsigned long long sum = 0;
  for (const double &each : reinterpret_cast<double(&)[4 * 1400]>(pool))
    sum = sum * 6364136223846793005ull + __builtin_bit_cast(unsigned long long, each);
  printf("%s %ld %llx\n", what, number, sum);
  fill();
}

static void all(int n, int steps, double *a, double *b) {
  auto place = [](double *p) { return p - pool[0]; };
  now_and_then(n, steps, a, b);
  show("now and then", n);
  by_data(n, steps, a, b);
  show("by data", n);
  twice(n, steps, a, b);
  show("twice", n);
  for (double enough : {0.0, 0.6, 100.0}) {
    owner o = {a, b, n};
    int t = converges(n, steps, o, enough);
    show("converges", t);
    printf("%td %td\n", place(o.u), place(o.v));
  }
  owner o = {a, b, n};
  own_size(steps, &o);
  show("own size", place(o.u));
  long other = 0;
  for (long *third : {&o.n, &other}) {
    o = {a, b, n};
    size_changes(steps, &o, third);
    show("size changes", place(o.u));
    printf("%ld %ld\n", o.n, other);
  }
  double *elsewhere = nullptr;
  for (double **third : {&o.u, &o.v, &elsewhere}) {
    o = {a, b, n};
    other_place(n, steps, &o, third, pool[3]);
    show("other place", place(o.u));
    printf("%td\n", place(o.v));
  }
  for (double *third : {pool[3], a, b, a + 1}) {
    other_name(n, steps, a, b, third);
    show("other name", n);
  }
  // The second begins with what is the second pointer of the first, or is the first.
  double *places[4] = {a, b, pool[2], pool[3]};
  for (int shift : {0, 1, 2}) {
    double *moved[5] = {places[0], places[1], places[2], places[3], nullptr};
    around(n, steps, reinterpret_cast<owner *>(moved), reinterpret_cast<owner *>(moved + shift));
    show("around", shift);
    for (double *each : {moved[0], moved[1], moved[2]})
      printf("%td ", place(each));
  }
  printf("%d\n", n_calls);
}

int main() {
  fill();
  for (int n : {0, 1, 2, 3, 4, 17, 1300})
    for (int steps : {0, 1, 2, 3, 7, 34}) {
      all(n, steps, pool[0], pool[1]);
      all(n, steps, pool[0], pool[0] + 3);
      all(n, steps, pool[0] + 5, pool[0]);
      all(n, steps, pool[1], pool[1]);
    }
}
