// A call that may set errno is computed where it stands; a pointer to int that is written beside it is tested not to be errno.
//
// RUN: %loopwright-clang -O3 -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -fopenmp %s -o - 2>&1 | FileCheck %s

double sqrt(double);
int *__errno_location(void) __attribute__((const, nothrow));

void roots(int n, const double *restrict x, double *restrict y, int *told) {
  // CHECK: errno.c:[[#@LINE+1]]:3: remark: {{.*}}'told' and errno
  for (int i = 0; i < n; i++) {
    y[i] = sqrt(x[i]);
    told[i] = i;
  }
}

static int size[2];
static double from[100][100], to[100][100];
void set_size(int i, int to) { size[i] = to; }
double at(int i, int j) { return to[i][j]; }
void put(int i, int j, double x) { from[i][j] = x; }

// How far the inner loop goes is read once, though it is an int: the program's own variables are not errno.
void own_variables(void) {
  // CHECK: errno.c:[[#@LINE+1]]:3: remark: {{.*}}on all cores
  for (int i = 0; i < size[0]; i++)
    for (int j = 0; j < size[1]; j++)
      to[i][j] = sqrt(from[i][j]);
}
