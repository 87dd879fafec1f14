// Variables are called what the source calls them, also where only a linker's name is there: no debug information says it again for globals with -g1. What a call returns holds pointers.
// RUN: clang-22 -O3 -g1 -fpass-plugin=%plugin -Rpass-missed=loopwright -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=_ZN --implicit-check-not='what what'
#include <stdlib.h>

namespace sim {
static long state;
// CHECK: 'sim::state' written at line [[#@LINE+3]]:{{[0-9]+}} is read at line [[#@LINE+3]]:{{[0-9]+}} one iteration later
__attribute__((noinline)) void draw(double *x, int n) {
  for (int i = 0; i < n; i++) {
    state = state * 6364136223846793005L + 1;
    x[i] = (double)(state >> 33);
  }
}
} // namespace sim

// CHECK: 'a pointer in what malloc returns' written at line
struct Field {
  double *values;
};

double sums(int n, double s) {
  Field *field = (Field *)malloc(n * sizeof(Field));
  for (int i = 0; i < n; i++)
    field[i].values = (double *)malloc(8 * n);
  sim::draw(field[0].values, n);
  for (int i = 1; i < n; i++)
    field[0].values[i] = field[0].values[i - 1] * s;
  return field[0].values[n - 1];
}
