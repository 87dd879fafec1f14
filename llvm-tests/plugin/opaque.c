// A function whose innermost loops all call what is elsewhere is left before anything is made of it, and whoever listens hears of it all the same; what is done
// does not depend on that. One loop without such a call is enough to look at all of them.
// RUN: %loopwright-clang -O3 -c %s -o %t.silent.o -mllvm -loopwright-time 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: %loopwright-clang -O3 -c %s -o %t.heard.o -Rpass-missed=loopwright -Rpass=loopwright 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: cmp %t.silent.o %t.heard.o
#include <stdio.h>
void seen(double *x, int n);

// TIME: 'all' took
// TIME-NOT: extract
// TIME: 'some' took
// TIME: extract
void all(FILE *file, const int *a, int n, void (*each)(int)) {
  // SAID: opaque.c:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest left as it was: the number of iterations is not known
  for (int c = getc(file); c != EOF; c = getc(file))
    for (int i = 0; i < n; i++) if (a[i] == c) printf("%d\n", i);
  // SAID: opaque.c:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest left as it was: the call through a function pointer
  for (int i = 0; i < n; i++) each(a[i]);
}

void some(int n, double a[restrict n][n], double b[restrict n][n]) {
  // SAID: opaque.c:[[@LINE+1]]:{{[0-9]+}}: remark: loop nest left as it was: the call to 'seen'
  for (int i = 0; i < n; i++) seen(a[i], n);
  // SAID: opaque.c:[[@LINE+1]]:{{[0-9]+}}: remark: loops i
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[j][i] = b[i][j];
}
