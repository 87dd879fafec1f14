// Vectors of vectors whose subscripts are checked: the checks run before, for the first and the last number of a row, and what is thrown, and written by then, is what it is without the plugin.
//
// RUN: clang++-22 -O2 -ffp-contract=off %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: clang++-22 -O3 -ffp-contract=off -fpass-plugin=%plugin -Rpass=loopwright %s -o %t.one 2>&1 | FileCheck %s
// RUN: %t.one | diff %t.expected -
// RUN: clang++-22 -O3 -ffp-contract=off -fopenmp -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <cstdio>
#include <stdexcept>
#include <vector>

using Rows = std::vector<std::vector<double>>;

// CHECK-DAG: checked-rows.cpp:[[#@LINE+2]]:3: remark: {{.*}}tiled{{.*}}in registers{{.*}}is found first
__attribute__((noinline)) static void product(std::size_t n, const Rows &a, const Rows &b, Rows &c) {
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++) {
      double s = 0;
      for (std::size_t k = 0; k < n; k++)
        s += a.at(i).at(k) * b.at(k).at(j);
      c.at(i).at(j) = s;
    }
}

// CHECK-DAG: checked-rows.cpp:[[#@LINE+2]]:3: remark: {{.*}}in vectors{{.*}}is found first
__attribute__((noinline)) static void step(const Rows &a, Rows &b) {
  for (std::size_t i = 1; i + 1 < a.size(); i++)
    for (std::size_t j = 1; j + 1 < a[0].size(); j++)
      b.at(i).at(j) = 0.25 * (a.at(i - 1).at(j) + a.at(i + 1).at(j) + a.at(i).at(j - 1) + a.at(i).at(j + 1));
}

// As far as another row says, and from further on.
__attribute__((noinline)) static void parts(std::size_t from, Rows &a, const Rows &b) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = from; j <= b.at(i).size() / 2; j++)
      a.at(i).at(j + 3) += b.at(i).at(j - from) * 3;
}

static Rows made(std::size_t rows, std::size_t columns, int seed) {
  Rows all(rows);
  for (std::size_t i = 0; i < rows; i++)
    for (std::size_t j = 0; j < columns; j++)
      all[i].push_back((i * 37 + j * 11 + seed) % 101 * 0.5);
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

static double sum(const Rows &all) {
  double sum = 0;
  for (const auto &row : all)
    for (double x : row)
      sum = sum * 0.75 + x;
  return sum;
}

int main() {
  for (std::size_t n : {0, 1, 2, 3, 5, 8, 17, 40, 67})
    for (int short_one = 0; short_one < 4; short_one++)
      for (std::size_t less : {std::size_t(1), n / 2, n}) {
        Rows rows[3] = {made(n, n, 1), made(n, n, 2), made(n, n, 3)};
        if (short_one < 3 && n > 0)
          rows[short_one][n / 2].resize(n - less);
        attempt([&] { product(n, rows[0], rows[1], rows[2]); });
        attempt([&] { step(rows[0], rows[1]); });
        attempt([&] { parts(less / 2, rows[2], rows[1]); });
        printf("%a %a\n", sum(rows[1]), sum(rows[2]));
      }
}
