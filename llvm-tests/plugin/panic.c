// A broken law leaves the function as it was, says so in a remark, and the compilation goes on.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-provoke-panic=extract -Rpass-missed=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: %t
//
// CHECK-NOT: panicked
// CHECK: panic.c:[[#@LINE+4]]:{{.*}} remark: function 'sum' left as it was: a law of the optimizer was broken: {{.*}} [-Rpass-missed=loopwright]
// CHECK-NOT: panicked
__attribute__((noinline)) int sum(int n, const int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

int main(void) {
  int a[] = {1, 2, 3};
  return sum(3, a) - 6;
}
