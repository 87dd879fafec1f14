// Where the compiler's time goes, and what it decides, for whoever asks; nothing is said otherwise.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-time -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: loopwright: {{.*}}time.c: 'transposed' took {{[0-9.]+}} ms
// TIME-NEXT: ms share runs work units stage
// TIME-DAG: 1 {{[0-9]+}} dependences
// TIME-DAG: 1 {{[0-9]+}} schedule
// TIME-DAG: 1 {{[0-9]+}} loops
// TIME-DAG: 1 {{[0-9]+}} emit
// TIME-DAG: 1 {{[0-9]+}} rest
// TIME-NOT: 'nothing'
//
// RUN: env LOOPWRIGHT_LOG=debug %loopwright-clang -O3 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LOG
// LOG: DEBUG rest{function="transposed"}:choose{region=1}: loopwright::pipeline: plain model
// LOG-NEXT: the program as it is: 1 statement in sequential loops
// LOG-NOT: dependences
//
// RUN: env LOOPWRIGHT_LOG=all,of,it=9 not %loopwright-clang -O3 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: LOOPWRIGHT_LOG=all,of,it=9: {{.*}}; it is a list like 'debug' or 'loopwright::candidate=trace'
//
// RUN: %loopwright-clang -O3 -c %s -o %t.o 2>&1 | count 0

void transposed(int n, double a[restrict n][n], double b[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] = b[j][i];
}

int nothing(int a) { return a + 1; }
