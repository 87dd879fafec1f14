// Loops whose subscripts are checked run without the checks where none would fail, and fail where they did: what is thrown, and what was written by then,
// is what it is without the plugin.
//
// RUN: clang++-22 -O3 -march=x86-64-v3 -ffp-contract=off %s -o %t.plain
// RUN: clang++-22 -O3 -march=x86-64-v3 -ffp-contract=off -g -fpass-plugin=%plugin -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.with 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: clang++-22 -O3 -march=x86-64-v3 -ffp-contract=off -fopenmp -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain 45 > %t.expected
// RUN: %t.with 45 | diff %t.expected -
// RUN: env OMP_NUM_THREADS=3 %t.threads 45 | diff %t.expected -
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

using Vector = std::vector<double>;

// CHECK: left-early.cpp:[[#@LINE+2]]:3: remark: {{.*}}tested before the loops: {{.*}}no iteration leaves the loops
__attribute__((noinline)) void scaled(double a, const Vector &x, Vector &y) {
  for (std::size_t i = 0; i < y.size(); i++)
    y.at(i) += a * x.at(i);
}

// A subscript that is no affine function is compared with the length where it is largest.
// CHECK: left-early.cpp:[[#@LINE+2]]:3: remark: {{.*}}products of sizes fit 64 bits; no iteration leaves the loops
__attribute__((noinline)) void product(std::size_t n, const Vector &a, const Vector &b, Vector &c) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++)
      for (std::size_t k = 0; k < n; k++)
        c.at(i * n + j) += a.at(i * n + k) * b.at(k * n + j);
}

struct Matrix {
  std::size_t rows, columns;
  double *data;
  double &operator()(std::size_t i, std::size_t j) const {
    if (i >= rows || j >= columns)
      throw std::out_of_range("no such element");
    return data[i * columns + j];
  }
};

// CHECK: left-early.cpp:[[#@LINE+2]]:3: remark: {{.*}}no iteration leaves the loops
__attribute__((noinline)) void transposed(const Matrix &a, const Matrix &b) {
  for (std::size_t i = 0; i < a.rows; i++)
    for (std::size_t j = 0; j < a.columns; j++)
      b(j, i) = a(i, j);
}

static double sum(const Vector &v) {
  double all = 0;
  for (std::size_t i = 0; i < v.size(); i++)
    all += v[i] * (i % 13 + 1);
  return all;
}

template <class F> static void attempt(F f) {
  try {
    f();
    printf("done ");
  } catch (std::out_of_range &error) {
    printf("%s ", error.what());
  }
}

int main(int, char **arguments) {
  const std::size_t n = atol(arguments[1]);
  for (std::size_t less : {std::size_t(0), std::size_t(1), n, n * n / 2, n * n}) {
    for (int which = 0; which < 3; which++) {
      Vector x(n * n), y(n * n), z(n * n);
      for (std::size_t i = 0; i < n * n; i++)
        x[i] = i % 7 + 0.1, y[i] = i % 5 + 0.2, z[i] = i % 3;
      Vector &small = which == 0 ? x : which == 1 ? y : z;
      small.resize(n * n - less);
      attempt([&] { scaled(2, x, y); });
      attempt([&] { product(n, x, y, z); });
      printf("%.17g %.17g\n", sum(y), sum(z));
      const std::size_t rows = less > n ? 0 : n - less;
      Matrix a{which == 0 ? rows : n, n, x.data()}, b{n, which == 1 ? rows : n, y.data()};
      x.resize(n * n), y.resize(n * n);
      a.data = x.data(), b.data = y.data();
      attempt([&] { transposed(a, b); });
      printf("%.17g\n", sum(y));
    }
  }
}
