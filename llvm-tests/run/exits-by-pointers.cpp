// Loops over what pointers go through, as those over containers are, that data ends: where the first iterations came to is known, so that what runs up to the exit has
// subscripts like others; and what the exit asks is known in it. Vectors end where pages do.
//
// RUN: clang++-22 -O1 -std=c++20 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: clang++-22 -fpass-plugin=%plugin -O3 -std=c++20 -march=x86-64-v4 -g -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: clang++-22 -fpass-plugin=%plugin -O3 -std=c++20 -march=x86-64-v3 %s -o %t.with
// RUN: %t.with | diff %t.expected -
// RUN: clang++-22 -fpass-plugin=%plugin -O3 -std=c++20 -march=native -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.threads | diff %t.expected -
// RUN: clang++-22 -fpass-plugin=%plugin -O2 -std=c++20 -Xclang -load -Xclang %plugin -mllvm -loopwright-validate %s -o %t.validated
// RUN: %t.validated | diff %t.expected -
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <sys/mman.h>

#define OWN __attribute__((noinline))
static const int PAGE = 4096, PAGES = 8, BYTES = PAGE * PAGES, MOST = 3000;

// CHECK: exits-by-pointers.cpp:[[#@LINE+3]]:3: remark: loop i0; i0 in vectors, until the best so far is replaced; {{.*}} is found first
OWN double most(std::span<const double> all) {
  double most = 0;
  for (double x : all) {
    if (std::isnan(x))
      return NAN;
    most = std::max(most, x);
  }
  return most;
}

// CHECK: exits-by-pointers.cpp:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; {{.*}} is found first
OWN long sum(std::span<const int> all) {
  long sum = 0;
  for (int x : all) {
    if (x < 0)
      return -1;
    sum += x;
  }
  return sum;
}

// What is noted where the loop is left is not noted before.
// CHECK: exits-by-pointers.cpp:[[#@LINE+3]]:3: remark: the loop as it is, which LLVM puts into vectors; {{.*}} is found first
OWN long noted(const int *from, const int *to, int key) {
  long sum = 0, last = 7;
  for (; from != to; ++from) {
    bool is_key = *from == key;
    last = is_key ? -5 : last;
    sum += is_key ? 100 : *from;
    if (is_key)
      break;
  }
  return sum * 10 + last;
}

// CHECK: exits-by-pointers.cpp:[[#@LINE+2]]:3: remark: loop i0; i0 in vectors; {{.*}} is found first
OWN bool tripled(std::span<int> all) {
  for (int &x : all) {
    if (x < 0 && x != -3)
      return false;
    x = x * 3 + 1;
  }
  return true;
}

static unsigned state = 7;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

template <class T> static std::span<T> placed(char *pages, int n) {
  return {reinterpret_cast<T *>(pages + BYTES) - n, static_cast<size_t>(n)};
}

int main() {
  char *pages = static_cast<char *>(mmap(nullptr, BYTES + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + BYTES, PAGE, PROT_NONE);
  double best = 0;
  long sums[3] = {0};
  for (int round = 0; round < 900; round++) {
    int n = round < 300 ? round : int(next(MOST)), hit = n ? int(next(n)) : 0;
    bool is_there = next(3) != 0 && n;
    auto d = placed<double>(pages, n);
    for (double &x : d)
      x = next(1000) / 8.0 - 3;
    if (is_there)
      d[hit] = NAN;
    double found = most(d);
    best += (std::isnan(found) ? -1 : found) * (round + 1);
    auto all = placed<int>(pages, n);
    for (int &x : all)
      x = int(next(1000));
    if (is_there)
      all[hit] = -9;
    sums[0] += sum(all) * (round + 1);
    sums[1] += noted(all.data(), all.data() + n, -9) * (round + 1);
    sums[2] += tripled(all) * (round + 1);
    for (int x : all)
      sums[2] = sums[2] * 31 + x;
  }
  std::printf("%.17g %ld %ld %ld\n", best, sums[0], sums[1], sums[2]);
  return 0;
}
