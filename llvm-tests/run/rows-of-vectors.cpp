// Rows that are vectors, with their sizes read in the loops: what the loops come to in any case is read before them first, with the types that tell it from
// what they write.
//
// RUN: clang++-22 -O3 %s -o %t.plain
// RUN: %loopwright-clang -x c++ -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -g -Rpass=loopwright -Rpass-analysis=loopwright %s -lstdc++ -lm -o %t.with 2>&1 | FileCheck %s
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
#include <cstddef>
#include <cstdio>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

// CHECK: rows-of-vectors.cpp:[[#@LINE+3]]:3: remark: {{.*}}tiled
// CHECK: rows-of-vectors.cpp:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap
__attribute__((noinline)) void product(const Matrix &a, const Matrix &b, Matrix &c) {
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
}

// The clean-up has the loop over k end where the one over i would have nothing to do; it is turned so that it can be counted.
// CHECK: rows-of-vectors.cpp:[[#@LINE+3]]:3: remark: {{.*}}tiled
// CHECK: rows-of-vectors.cpp:[[#@LINE+2]]:3: remark: {{.*}}no rows overlap
__attribute__((noinline)) void factors(Matrix &a, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k] + 1;
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

int main() {
  for (std::size_t n : {0, 1, 5, 40}) {
    Matrix a(n, std::vector<double>(n)), b = a, c = a;
    for (std::size_t i = 0; i < n; i++)
      for (std::size_t j = 0; j < n; j++)
        a[i][j] = i + 0.5 * j, b[i][j] = i * 0.25 - j;
    product(a, b, c);
    product(a, c, c);
    factors(b, n);
    product(b, a, c);
    double sum = 0;
    for (const auto &row : c)
      for (double x : row)
        sum += x;
    std::printf("%.17g\n", sum);
  }
}
