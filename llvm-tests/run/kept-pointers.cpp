// The place of the largest element of a vector, of the smallest, and of the largest of members, as the library looks for them.
//
// RUN: %loopwright-clang --driver-mode=g++ -std=c++20 -O3 -g -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
// CHECK: 46 15 46
#include <algorithm>
#include <cstdio>
#include <vector>

struct item {
  double key;
  int weight;
};

// SAID-COUNT-3: on all cores; {{.*}}each thread reduces into its own copy of '__result'
__attribute__((noinline)) static long largest(const std::vector<int> &v) {
  return std::max_element(v.begin(), v.end()) - v.begin();
}
__attribute__((noinline)) static long smallest(const std::vector<double> &v) {
  return std::min_element(v.begin(), v.end()) - v.begin();
}
__attribute__((noinline)) static long heaviest(const std::vector<item> &v) {
  return std::max_element(v.begin(), v.end(), [](const item &a, const item &b) { return a.weight < b.weight; }) -
         v.begin();
}

int main() {
  std::vector<int> v;
  std::vector<double> d;
  std::vector<item> items;
  for (int i = 0; i < 1000; i++) {
    int x = i * 23 % 48;
    x = x == 47 && i < 40 ? 0 : x;
    v.push_back(i == 46 ? 90 : x), d.push_back(i == 15 ? -3.5 : x), items.push_back({0.5 * x, v.back()});
  }
  std::printf("%ld %ld %ld\n", largest(v), smallest(d), heaviest(items));
}
