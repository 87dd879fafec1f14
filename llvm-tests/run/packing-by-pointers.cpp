// What a condition lets through goes where a pointer says, which only some iterations move on, as in the algorithms of the C++ library: such pointers become numbers, and
// the loops pack. Behind the loops the pointers are where the program has them.
//
// RUN: clang++-22 -std=c++17 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: clang++-22 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -std=c++17 -O3 -march=native %s -o %t.with
// RUN: %t.with | diff %t.expected -
// RUN: clang++-22 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -std=c++17 -O3 -march=native -mllvm -loopwright-min-work=0 %s -o %t.short
// RUN: %t.short | diff %t.expected -
// RUN: clang++-22 -fpass-plugin=%plugin -Xclang -load -Xclang %plugin -std=c++17 -O3 -march=icelake-server -c -o /dev/null -g -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <vector>

#define OWN __attribute__((noinline)) long
enum { MOST = 1100 };

// CHECK: packing-by-pointers.cpp:[[#@LINE+3]]:3: remark: loop {{.*}}in vectors, packed
OWN above(double *__restrict out, const double *__restrict x, int n, double t) {
  double *to = out;
  for (int i = 0; i < n; i++)
    if (x[i] > t)
      *to++ = x[i];
  return to - out;
}

// Two pointers, of which each iteration moves one.
// CHECK: packing-by-pointers.cpp:[[#@LINE+4]]:3: remark: loop {{.*}}in vectors, packed
OWN partition(float *__restrict small, short *__restrict rest, const float *__restrict x, int n) {
  float *first = small;
  short *second = rest;
  for (int i = 0; i < n; i++)
    if (x[i] < 3 || x[i] == 5)
      *first++ = x[i] * 2;
    else
      *second++ = i;
  return (first - small) * 10000 + (second - rest);
}

// The pointer is moved on before anything is stored, and what is read is found by one that goes on by itself.
// CHECK: packing-by-pointers.cpp:[[#@LINE+4]]:3: remark: loop {{.*}}in vectors, packed
OWN behind(int *__restrict out, const int *__restrict x, int n) {
  int *last = out;
  const int *end = x + n;
  for (; x != end; ++x)
    if (*x & 1)
      *++last = *x;
  return last - out;
}

// From one row to the next.
// CHECK: packing-by-pointers.cpp:[[#@LINE+3]]:3: remark: loop {{.*}}in vectors, packed
OWN rows(unsigned char *__restrict out, const unsigned char *__restrict x, int rows, int columns) {
  unsigned char *to = out;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      if (x[i * columns + j] != 4)
        *to++ = x[i * columns + j];
  return to - out;
}

// Of the library: in place, behind what need not be moved, and elsewhere.
// CHECK-COUNT-2: stl_algo{{.*}}: remark: loop {{.*}}in vectors, packed
OWN removed(std::vector<int> &x, int t) {
  x.erase(std::remove_if(x.begin(), x.end(), [=](int each) { return each <= t; }), x.end());
  return x.size();
}

OWN copied(long *out, const long *x, long n, long t) {
  return std::copy_if(x, x + n, out, [=](long each) { return each > t; }) - out;
}

static unsigned state = 7;
static unsigned next() { return (state = state * 1664525u + 1013904223u) >> 8; }

template <class T> static unsigned long sum(const T *x, int n) {
  unsigned long all = 0;
  for (int i = 0; i < n; i++)
    all = all * 31 + static_cast<unsigned long>(static_cast<long>(x[i]));
  return all;
}

template <class T> static std::vector<T> some(int n) {
  std::vector<T> x(n);
  for (T &each : x)
    each = next() % 8;
  return x;
}

static void try_all(int n) {
  std::vector<double> d(MOST, -1);
  long k = above(d.data(), some<double>(n).data(), n, 4);
  std::printf("%d: above %ld %lx\n", n, k, sum(d.data(), MOST));
  std::vector<float> f(MOST, -1);
  std::vector<short> s(MOST, -1);
  k = partition(f.data(), s.data(), some<float>(n).data(), n);
  std::printf("partition %ld %lx %lx\n", k, sum(f.data(), MOST), sum(s.data(), MOST));
  std::vector<int> i(MOST, -1);
  k = behind(i.data(), some<int>(n).data(), n);
  std::printf("behind %ld %lx\n", k, sum(i.data(), MOST));
  std::vector<unsigned char> c(MOST, 9);
  k = rows(c.data(), some<unsigned char>(n).data(), n > 40 ? 3 : 1, n > 40 ? n / 3 : n);
  std::printf("rows %ld %lx\n", k, sum(c.data(), MOST));
  std::vector<int> r = some<int>(n);
  k = removed(r, 3);
  std::printf("removed %ld %lx\n", k, sum(r.data(), k));
  std::vector<long> l(MOST, -1), from = some<long>(n);
  k = copied(l.data(), from.data(), n, 2);
  std::printf("copied %ld %lx\n", k, sum(l.data(), MOST));
  // What is written is what is read, a few elements on.
  for (int apart = 0; apart < 4 && n > 8; apart++) {
    std::vector<long> both = some<long>(n + 8);
    k = copied(both.data() + apart, both.data() + 4, n - 4, 2);
    std::printf("over itself %ld %lx\n", k, sum(both.data(), n + 8));
  }
}

int main() {
  for (int n = 0; n < MOST - 60; n += 1 + n / 7)
    try_all(n);
}
