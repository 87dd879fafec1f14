// What would help depends on what is called, on who runs the loops, and on the flags at hand. Each cure is followed by the loop that took it.
//
// RUN: %loopwright-clang -O3 -g -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: %loopwright-clang -O3 -g -ffast-math -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: %loopwright-clang -O3 -g -ffast-math -fopenmp -Rpass=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double elsewhere(double);
__attribute__((const)) double constant(double);

// CHECK: cures.c:[[#@LINE+3]]:3: remark: {{.*}} the call to 'elsewhere' {{.*}}; if it only computes, declare it __attribute__((const)) or define it in this file
// THREADS: cures.c:[[#@LINE+2]]:3: remark: {{.*}} the call to 'elsewhere' {{.*}}; if it only computes, define it in this file
void external(int n, double (*restrict a)[512]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = elsewhere(a[j][i]);
}
// CHECK-NOT: cures.c:[[#@LINE+3]]:3: {{.*}}the call to
// THREADS: cures.c:[[#@LINE+2]]:3: remark: {{.*}}what 'constant' gives is not known to be the same on every thread {{.*}}; define the function in this file
void followed(int n, double (*restrict a)[512]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = constant(a[j][i]);
}

// CHECK: cures.c:[[#@LINE+2]]:3: remark: {{.*}} the call to 'printf' {{.*}}; let it have a loop of its own
void prints(int n, double (*restrict a)[512], double (*restrict b)[512]) {
  for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) a[i][j] = b[j][i]; printf("%d\n", i); }
}
// THREADS: cures.c:[[#@LINE+2]]:3: remark: loops i, j {{.*}}i on all cores
void prints_apart(int n, double (*restrict a)[512], double (*restrict b)[512]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = b[j][i];
  for (int i = 0; i < n; i++) printf("%d\n", i);
}
// CHECK: cures.c:[[#@LINE-2]]:3: remark: {{.*}} the call to 'printf' {{.*}}not return (at line [[#@LINE-2]]:{{[0-9]+}}) [
// CHECK: cures.c:[[#@LINE+2]]:3: remark: {{.*}} the call to 'malloc' {{.*}}; reserve the memory before the loops
void reserves(int n, double **rows) {
  for (int i = 0; i < n; i++) { rows[i] = malloc(n * sizeof(double)); for (int j = 0; j < n; j++) rows[i][j] = j; }
}

// CHECK: cures.c:[[#@LINE+2]]:3: remark: {{.*}} the call through a function pointer {{.*}}; call a function by its name
void pointer(int n, double *restrict x, double (*f)(double)) {
  for (int i = 0; i < n; i++) x[i] = f(x[i]);
}

// A sum: which flags are missing is said, and no flag that is there.
// CHECK: cures.c:[[#@LINE+6]]:3: remark: {{.*}}; -ffast-math -fopenmp would let threads share the sum of line [[#@LINE+7]]
// THREADS: cures.c:[[#@LINE+5]]:3: remark: {{.*}}; -ffast-math would allow the sum of line [[#@LINE+6]] to be reordered
// FAST: cures.c:[[#@LINE+4]]:3: remark: {{.*}}; -fopenmp would run it on all cores
// BOTH: cures.c:[[#@LINE+3]]:3: remark: loop i; i on all cores
double sum(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
// THREADS: cures.c:[[#@LINE+3]]:3: remark: {{.*}}; -ffast-math would allow the sum of line [[#@LINE+4]] to be reordered
// BOTH: cures.c:[[#@LINE+2]]:3: remark: loop i; i on all cores
void histogram(int n, const int *key, const double *w, double *out) {
  for (int i = 0; i < n; i++)
    out[key[i]] += w[i];
}

// A condition on data is in the way of nothing where there is only one loop; threads share it.
// CHECK: cures.c:[[#@LINE+3]]:3: remark: {{.*}} no transformation that pays was found: {{.*}}; -fopenmp would run it on all cores
// THREADS: cures.c:[[#@LINE+2]]:3: remark: loop i; i on all cores
void chosen(int n, double *restrict y, const double *restrict x) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] > 0 ? sqrt(x[i]) : y[i];
}

// A search is told to be one, and nothing else.
// CHECK: cures.c:[[#@LINE+3]]:3: remark: loop nest left as it was: the loop only reads, and ends where the data says so (at line [[#@LINE+3]]:3; 'x' is read at line [[#@LINE+4]]:12) [
int found(int n, const double *x, double most) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    if (sum > most)
      return i;
  }
  return n;
}

// So is a loop that goes along links, whatever else it does: of pointers, of numbers, or of lengths.
// CHECK: cures.c:[[#@LINE+2]]:3: remark: loop nest left as it was: each iteration reads where the next one goes on (a list, a tree or a table of links) (at line [[#@LINE+2]]:3; 'x' is read at line [[#@LINE+2]]:20); keep the elements in an array, one behind the other [
int linked(int i, const int *next, const int *x, int v) {
  while (i >= 0 && x[i] != v)
    i = next[i];
  return i;
}

struct element {
  int value;
  struct element *next;
};

// CHECK: cures.c:[[#@LINE+2]]:3: remark: loop nest left as it was: each iteration reads where the next one goes on
void listed(struct element *list) {
  for (struct element *e = list; e; e = e->next)
    e->value = elsewhere(e->value);
}

// CHECK: cures.c:[[#@LINE+2]]:3: remark: loop nest left as it was: each iteration reads where the next one goes on
void recorded(const unsigned char *from, const unsigned char *to, int *counts) {
  for (; from < to; from += 1 + *from)
    counts[*from]++;
}
