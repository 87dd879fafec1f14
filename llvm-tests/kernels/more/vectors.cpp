// std::vector: size(), iterators, ranges, algorithms with lambdas, rows of rows; and stores that could be those of a vector's own fields.
#include <algorithm>
#include <numeric>
#include <vector>

#include "../kernel.h"
#ifndef N
#define N SIZE_OR(20000)
#endif
#define APART __attribute__((noinline))

using Reals = std::vector<double>;
using Integers = std::vector<int>;
using Sizes = std::vector<size_t>;

APART void positive(const Reals &x, Reals &y) {
  for (size_t i = 0; i < x.size(); i++)
    y[i] = std::max(x[i], 0.5);
}

APART void neighbours(const Reals &x, Reals &y) {
  for (size_t i = 0; i + 1 < x.size(); i++)
    y[i] += x[i + 1] > x[i] ? x[i] : 0;
}

APART void in_place(Reals &x) {
  for (double &v : x)
    v = v * 0.5 + 1;
}

APART void transformed(const Reals &x, Reals &y) {
  std::transform(x.begin(), x.end(), y.begin(), [](double v) { return v * v; });
}

APART void summed(const Reals &x, const Reals &y, Reals &z) {
  std::transform(x.begin(), x.end(), y.begin(), z.begin(), [](double a, double b) { return a + b; });
}

APART long counted(const Integers &x, int limit) {
  return std::count_if(x.begin(), x.end(), [=](int v) { return v < limit; });
}

APART int greatest(const Integers &x) {
  return x.empty() ? -1 : *std::max_element(x.begin(), x.end());
}

APART long place_of_least(const Reals &x) {
  return std::min_element(x.begin(), x.end()) - x.begin();
}

APART int total(const Integers &x) {
  return std::accumulate(x.begin(), x.end(), 0);
}

APART long count_and_maximum(const Integers &x, int limit, int &most) {
  long count = 0;
  int m = -1;
  for (int v : x) {
    count += v < limit;
    m = std::max(m, v);
  }
  most = m;
  return count;
}

APART void histogram(const Integers &keys, Integers &counts) {
  for (int key : keys)
    counts[key]++;
}

APART void sparse(const Integers &start, const Integers &column, const Reals &value, const Reals &x, Reals &y) {
  for (size_t i = 0; i + 1 < start.size(); i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

APART void rows_of_rows(const std::vector<Reals> &A, const Reals &x, Reals &y) {
  for (size_t i = 0; i < A.size(); i++) {
    double sum = 0;
    for (size_t j = 0; j < A[i].size(); j++)
      sum += A[i][j] * x[j];
    y[i] = sum;
  }
}

APART void scaled_rows(std::vector<Reals> &A, double by) {
  for (Reals &row : A)
    for (double &v : row)
      v *= by;
}

// A `size_t` that is stored may be a part of another vector, as far as types tell.
APART void sizes(const Sizes &x, Sizes &y) {
  for (size_t i = 0; i < x.size(); i++)
    y[i] = 2 * x[i];
}

APART void pointers(const Reals &x, std::vector<const double *> &y) {
  for (size_t i = 0; i < x.size(); i++)
    y[i] = &x[i];
}

APART void filled(Reals &x) {
  std::iota(x.begin(), x.end(), 1.0);
}

APART void copied(const Reals &x, Reals &y) {
  std::copy(x.begin(), x.end(), y.begin());
  std::reverse(y.begin(), y.end());
  std::fill(y.begin(), y.begin() + y.size() / 3, 0.25);
}

int main() {
  size_t n = N;
  Reals x(n), y(n), z(n), w(n);
  Integers keys(n), counts(10), start(n + 1), column;
  Reals value;
  Sizes s(n), t(n);
  std::vector<const double *> p(n);
  std::vector<Reals> A(n < 200 ? n : 200);
  for (size_t i = 0; i < n; i++) {
    x[i] = fraction(i, 1), y[i] = fraction(i, 2), keys[i] = (int)(scatter(i, 3) % 10), s[i] = scatter(i, 4);
    start[i + 1] = start[i] + (int)(scatter(i, 5) % 9);
    for (int k = start[i]; k < start[i + 1]; k++)
      column.push_back((int)(scatter(k, 6) % n)), value.push_back(fraction(k, 7));
  }
  for (size_t i = 0; i < A.size(); i++) {
    A[i].resize(scatter(i, 8) % (n + 1));
    for (size_t j = 0; j < A[i].size(); j++)
      A[i][j] = fraction(i * n + j, 9);
  }
  long numbers[8] = {};
  Reals none;
  Integers no_keys;
  double started = now();
  for (int call = 0; call < CALLS(10); call++) {
    positive(x, y);
    neighbours(x, y);
    in_place(y);
    transformed(y, z);
    summed(x, y, z);
    int most = 0;
    numbers[0] += counted(keys, 5);
    numbers[1] += greatest(keys);
    numbers[2] += place_of_least(x);
    numbers[3] += total(keys);
    numbers[4] += count_and_maximum(keys, 4, most);
    numbers[5] += most;
    histogram(keys, counts);
    sparse(start, column, value, x, w);
    rows_of_rows(A, x, w);
    scaled_rows(A, 0.75);
    sizes(s, t);
    pointers(x, p);
    copied(x, y);
    positive(none, none);
    in_place(none);
    summed(none, x, y);
    neighbours(none, y);
    numbers[6] += counted(no_keys, 3) + greatest(no_keys) + place_of_least(none);
  }
  filled(x);
  elapsed = now() - started;
  digest(x.data(), n * sizeof(double));
  digest(y.data(), n * sizeof(double));
  digest(z.data(), n * sizeof(double));
  digest(w.data(), n * sizeof(double));
  digest(t.data(), n * sizeof(size_t));
  digest(counts.data(), counts.size() * sizeof(int));
  digest(numbers, sizeof numbers);
  for (Reals &row : A)
    digest(row.data(), row.size() * sizeof(double));
  for (size_t i = 0; i < n; i++)
    numbers[7] += p[i] - x.data();
  digest(numbers, sizeof numbers);
  return finish();
}
