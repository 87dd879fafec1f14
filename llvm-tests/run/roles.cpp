// Buffers change roles from step to step: vectors, pointers that own, structures and members that are swapped, rows of one array that a number chooses. All
// are tiled through time, contents and places are those of plain loops, for odd and even numbers of steps, short rows, buffers and structures that overlap.
//
// RUN: clang++-22 -std=c++20 -O3 %s -o %t.plain
// RUN: clang++-22 -fpass-plugin=%plugin -std=c++20 -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: clang++-22 -fpass-plugin=%plugin -std=c++20 -O3 -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: %t.threads | diff %t.expected -
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#define NOINLINE __attribute__((noinline))
using std::vector;

// The copy of the loop for vectors that overlap has no remark of its own.
// CHECK: roles.cpp:[[#@LINE+3]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
// CHECK-NOT: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}left as it was
NOINLINE void vectors(int n, int steps, vector<double> &a, vector<double> &b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    std::swap(a, b);
  }
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + j + 1{{.*}}tiled {{[0-9]}}
NOINLINE void planes(int n, int steps, vector<double> &a, vector<double> &b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j]);
    a.swap(b);
  }
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void owners(int n, int steps, std::unique_ptr<double[]> &a, std::unique_ptr<double[]> &b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    std::swap(a, b);
  }
}

struct simulation {
  int n;
  vector<double> u, v, w;
  void run(int steps);
};

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}3*i0 + i + 2{{.*}}tiled {{[0-9]}}
NOINLINE void simulation::run(int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      w[i] = 0.5 * (v[i - 1] + v[i + 1]) - 0.25 * u[i];
    std::swap(u, v);
    std::swap(v, w);
  }
}

struct grid {
  int nx, ny;
  double *data;
  double &operator()(int i, int j) { return data[i * ny + j]; }
};

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}tiled {{[0-9]}}
NOINLINE void grids(int steps, grid &a, grid &b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < a.nx - 1; i++)
      for (int j = 1; j < a.ny - 1; j++)
        b(i, j) = 0.25 * (a(i - 1, j) + a(i, j - 1) + a(i, j + 1) + a(i + 1, j));
    std::swap(a, b);
  }
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*t + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void two_vectors(int n, int steps, std::array<vector<double>, 2> &h) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      h[(t + 1) % 2][i] = 0.25 * h[t % 2][i - 1] + 0.5 * h[t % 2][i] + 0.25 * h[t % 2][i + 1];
}

// CHECK: roles.cpp:[[#@LINE+3]]:3: remark: {{.*}}2*t + i + 1{{.*}}tiled {{[0-9]}}
static double rows[2][1 << 20];
NOINLINE void remainder_(int n, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      rows[(t + 1) % 2][i] = 0.25 * rows[t % 2][i - 1] + 0.5 * rows[t % 2][i] + 0.25 * rows[t % 2][i + 1];
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*t + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void lowest_bit(int n, int steps, double *h) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      h[((t + 1) & 1) * n + i] =
          0.25 * h[(t & 1) * n + i - 1] + 0.5 * h[(t & 1) * n + i] + 0.25 * h[(t & 1) * n + i + 1];
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*t + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void chosen(int n, int steps, double *a, double *b) {
  for (int t = 0; t < steps; t++) {
    double *from = t & 1 ? b : a, *to = t & 1 ? a : b;
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
  }
}

// CHECK: roles.cpp:[[#@LINE+4]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE double *table(int n, int steps, double *a, double *b) {
  double *buffers[2] = {a, b};
  int now = 0;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      buffers[now ^ 1][i] = 0.25 * buffers[now][i - 1] + 0.5 * buffers[now][i] + 0.25 * buffers[now][i + 1];
    now ^= 1;
  }
  return buffers[now];
}

// CHECK: roles.cpp:[[#@LINE+3]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE int next_row(int n, int steps, double *h) {
  int now = 0;
  for (int t = 0; t < steps; t++) {
    int next = (now + 1) % 2;
    for (int i = 1; i < n - 1; i++)
      h[next * n + i] = 0.25 * h[now * n + i - 1] + 0.5 * h[now * n + i] + 0.25 * h[now * n + i + 1];
    now = next;
  }
  return now;
}

// CHECK: roles.cpp:[[#@LINE+4]]:3: remark: {{.*}}tiled {{[0-9]}}
static double three[3][1 << 19];
NOINLINE int three_rows(int n, int steps) {
  int first = 0, now = 1, next = 2;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      three[next][i] = 0.5 * (three[now][i - 1] + three[now][i + 1]) - 0.25 * three[first][i];
    int held = first;
    first = now;
    now = next;
    next = held;
  }
  return now;
}

// CHECK: roles.cpp:[[#@LINE+2]]:3: remark: {{.*}}2*i0 + i + 1{{.*}}tiled {{[0-9]}}
NOINLINE void tables(int n, int steps, double **a, double **b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[0][i] = 0.25 * a[0][i - 1] + 0.5 * a[0][i] + 0.25 * a[0][i + 1];
    std::swap(a[0], b[0]);
    std::swap(a[1], b[1]);
  }
}

static double filler(int i) { return i * 37 % 101; }
static vector<double> filled(size_t n) {
  vector<double> v(n);
  for (size_t i = 0; i < n; i++)
    v[i] = filler((int)i);
  return v;
}
static void show(const char *what, int n, int steps, const double *v, size_t size) {
  unsigned long long sum = 0;
  for (size_t i = 0; i < size; i++) {
    unsigned long long bits;
    memcpy(&bits, v + i, 8);
    sum = sum * 6364136223846793005ull + bits;
  }
  printf("%s %d %d %llx\n", what, n, steps, sum);
}

static void all(int n, int steps) {
  size_t size = n + 8;
  {
    auto a = filled(size), b = filled(size);
    const double *first = a.data();
    vectors(n, steps, a, b);
    printf("%d\n", a.data() == first);
    show("vectors", n, steps, a.data(), size), show("", n, steps, b.data(), size);
    vectors(n, steps, a, a);
    show("one vector", n, steps, a.data(), size);
  }
  {
    int m = n < 60 ? n : 60;
    auto a = filled(m * m + 1), b = filled(m * m + 1);
    planes(m, steps, a, b);
    show("planes", m, steps, a.data(), a.size()), show("", m, steps, b.data(), b.size());
    grid g = {m, m, a.data()}, h = {m - (m > 4), m, b.data()};
    grids(steps, g, h);
    printf("%d %d %d\n", g.data == a.data(), g.nx, h.nx);
    grids(steps, g, g);
    show("grids", m, steps, a.data(), a.size()), show("", m, steps, b.data(), b.size());
    grid shifted = {m, m > 6 ? 6 : m, a.data() + 3}, other = {m, m > 6 ? 6 : m, a.data()};
    if (m > 10)
      grids(steps, shifted, other);
    show("grids that overlap", m, steps, a.data(), a.size());
  }
  {
    std::unique_ptr<double[]> a(new double[size]), b(new double[size]);
    for (size_t i = 0; i < size; i++)
      a[i] = b[i] = filler((int)i);
    const double *first = a.get();
    owners(n, steps, a, b);
    printf("%d\n", a.get() == first);
    show("owners", n, steps, a.get(), size), show("", n, steps, b.get(), size);
    owners(n, steps, b, b);
    show("one owner", n, steps, b.get(), size);
  }
  {
    simulation s = {n, filled(size), filled(size), filled(size)};
    const double *first = s.u.data(), *second = s.v.data();
    s.run(steps);
    printf("%d %d\n", s.u.data() == first, s.u.data() == second);
    show("members", n, steps, s.u.data(), size), show("", n, steps, s.v.data(), size);
    show("", n, steps, s.w.data(), size);
  }
  {
    std::array<vector<double>, 2> h = {filled(size), filled(size)};
    two_vectors(n, steps, h);
    show("two vectors", n, steps, h[0].data(), size), show("", n, steps, h[1].data(), size);
    for (int i = 0; i < (int)size; i++)
      rows[0][i] = rows[1][i] = filler(i);
    remainder_(n, steps);
    show("remainder", n, steps, rows[0], size), show("", n, steps, rows[1], size);
  }
  {
    auto h = filled(3 * n + 8);
    lowest_bit(n, steps, h.data());
    int row = next_row(n, steps, h.data());
    show("rows", n, steps, h.data(), h.size());
    for (int i = 0; i < 3 * (int)size; i++)
      three[i / size][i % size] = filler(i);
    int last = three_rows(n, steps);
    for (const double *each : three)
      show("three rows", n, steps, each, size);
    printf("%d %d\n", row, last);
  }
  {
    auto a = filled(size), b = filled(size);
    chosen(n, steps, a.data(), b.data());
    const double *last = table(n, steps, a.data(), b.data());
    printf("%d\n", last == a.data());
    show("pointers", n, steps, a.data(), size), show("", n, steps, b.data(), size);
    // The same row, and rows that overlap.
    chosen(n, steps, a.data(), a.data());
    chosen(n, steps, a.data(), a.data() + 3);
    table(n, steps, a.data() + 2, a.data());
    show("pointers that overlap", n, steps, a.data(), size);
  }
}

int main() {
  for (int n : {0, 1, 2, 3, 4, 5, 17, 1100, 5003})
    for (int steps : {0, 1, 2, 3, 4, 7, 34})
      all(n, steps);
  // More than a row.
  for (int i = 0; i < 1 << 20; i++)
    rows[0][i] = rows[1][i] = filler(i);
  remainder_(1 << 20, 3);
  show("whole rows", 1 << 20, 3, rows[0], 1 << 20), show("", 1 << 20, 3, rows[1], 1 << 20);
  // One table of pointers that begins inside of the other, apart from it, and the same.
  for (int steps = 0; steps < 7; steps++)
    for (int from : {0, 1, 2}) {
      static double places[4][1100];
      for (int i = 0; i < 4 * 1100; i++)
        places[i / 1100][i % 1100] = filler(i);
      double *pointers[4] = {places[0], places[1], places[2], places[3]};
      tables(1100, steps, pointers, pointers + from);
      for (double *pointer : pointers)
        printf("%d ", (int)((pointer - places[0]) / 1100));
      show("tables", from, steps, places[0], 4400);
    }
}
