// A loop in steps of 3 that ends where its counter is a number: LLVM's count has factors of 2^32 / 3, and is a third of that number where the counter comes to it.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void thirds(unsigned n, double *restrict a) {
  for (unsigned i = 0; i != n; i += 3)
    a[i] = 0;
}

// CHECK-LABEL: # thirds
// CHECK: assumed: "[p0] -> { : (p0) mod 3 = 0 and p0 >= 3 }"
// CHECK: domain: "[p0] -> { S0[i0] : p0 > 0 and 3i0 <= p0 - 3 and i0 >= 0 }"
// CHECK: # tested: counters come to the number that ends their loop

// What is a large multiple in the program.
void collapsed(unsigned n, double *restrict a) {
  for (unsigned i = 0; i != 100000 * n; i++)
    a[i] = 0;
}

// CHECK-LABEL: # collapsed
// CHECK-NOT: counters come
