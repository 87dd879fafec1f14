// The runtime of OpenMP hands out shares of uneven loops through memory that it writes where nobody sees it. What is compiled to watch for memory that
// is read before it is written has nothing to say against that.
//
// RUN: %loopwright-clang -O3 -g -fsanitize=memory -fopenmp -mllvm -loopwright-min-work=0 -Rpass=loopwright %s -o %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive %t 2>&1 | FileCheck %s --check-prefix=RUNS
#include <stdio.h>

static double a[300][300];

__attribute__((noinline)) void triangle(int n) {
  // CHECK: memory-sanitizer.c:[[#@LINE+1]]:3: remark: {{.*}}loops (i, j), i parallel
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i][j] = a[i][j] * 2 + j;
}

int main(void) {
  triangle(300);
  // RUNS-NOT: WARNING
  // RUNS: {{^}}3{{$}}
  printf("%g\n", a[7][3]);
}
