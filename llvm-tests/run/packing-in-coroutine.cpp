// A coroutine has no stack of its own: what vectors would be kept in for packing would be on the heap, aligned as it happens to be. Nothing is packed there.
//
// RUN: clang++-22 -fpass-plugin=%plugin -std=c++20 -O3 -march=native %s -o %t.with
// RUN: %t.with | FileCheck %s
// CHECK: 300 1
// CHECK-NEXT: 200 3
// CHECK-NEXT: 100 3
#include <coroutine>
#include <cstdio>

struct Counts {
  struct promise_type {
    long count;
    Counts get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
    std::suspend_always yield_value(long found) {
      count = found;
      return {};
    }
  };
  std::coroutine_handle<promise_type> handle;
};

Counts above(int *__restrict y, const int *__restrict x, long n) {
  for (int t = 0; t < 3; t++) {
    long k = 0;
    for (long i = 0; i < n; i++)
      if (x[i] > t)
        y[k++] = x[i];
    co_yield k;
  }
}

int x[500], y[500];

int main() {
  for (int i = 0; i < 500; i++)
    x[i] = i % 5 - 1;
  Counts counts = above(y, x, 500);
  for (int i = 0; i < 3; i++) {
    counts.handle.resume();
    printf("%ld %d\n", counts.handle.promise().count, y[9]);
  }
}
