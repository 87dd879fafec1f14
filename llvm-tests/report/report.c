// The report: one file for each module, of which the command makes a page; with an older one beside it, what got better and worse. What cannot be read
// is said in one line, and a folder that cannot be written leaves the program as it should be.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %loopwright-clang -O2 -g -fopenmp -mllvm -loopwright-report=%t/new -c %s -o %t/with.o 2>&1 | count 0
// RUN: %loopwright-clang -O2 -g -fopenmp -c %s -o %t/without.o
// RUN: cmp %t/with.o %t/without.o
// RUN: cat %t/new/report.c-*.json | FileCheck %s --check-prefix=JSON
// RUN: %loopwright-binary report %t/new -o %t/page.html | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t/page.html
//
// RUN: %loopwright-clang -O2 -g -mllvm -loopwright-no-parallel -mllvm -loopwright-no-tile -mllvm -loopwright-report=%t/old -c %s -o %t/old.o
// RUN: %loopwright-binary report %t/new --against %t/old -o %t/compared.html
// RUN: FileCheck %s --check-prefix=COMPARED --input-file=%t/compared.html
//
// RUN: echo '{ "version": 1, "nests": [' > %t/new/broken.json
// RUN: %loopwright-binary report %t/new -o %t/page.html 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not %loopwright-binary report %t/new/broken.json -o %t/page.html 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %loopwright-binary report %t -o - 2>/dev/null | FileCheck %s --check-prefix=BELOW
// RUN: echo '[]' > %t/array.json && not %loopwright-binary report %t/array.json -o %t/page.html 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: rm %t/array.json && mkdir %t/empty && not %loopwright-binary report %t/empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not %loopwright-binary report %t/nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not %loopwright-binary report %t/old -o %t/nowhere/page.html 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not %loopwright-clang -O2 -mllvm -loopwright-report -c %s -o %t/x.o 2>&1 | FileCheck %s --check-prefix=VALUE
//
// RUN: %loopwright-clang -O2 -g -fopenmp -mllvm -loopwright-report=%t/with.o -c %s -o %t/again.o 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: cmp %t/again.o %t/without.o
//
// RUN: sed 's/report\.c/gone.c/g' %t/new/report.c-*.json > %t/gone.json
// RUN: %loopwright-binary report %t/gone.json -o %t/gone.html 2>&1 | FileCheck %s --check-prefix=GONE

// JSON: "version": 1,
// JSON: "file": "{{.*}}report.c",
// JSON-NEXT: "sha256": "{{[0-9a-f]+}}"
// JSON: "function": "scaled",
// JSON: "line": [[#@LINE+6]],
// JSON: "outcome": "done",
// JSON: "summary": "loops i, j
// JSON: "schedule": "domain:
// JSON: "name": "schedule",
void scaled(int n, double A[n][n], double B[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = 2 * B[j][i];
}

void report(int n, double *x);

void told(int n, double *x) {
  for (int i = 0; i < n; i++)
    report(i, x + i);
}

// SAID: page.html: 2 loop nests of 1 file{{$}}
// PAGE-DAG: report.c:[[#@LINE-13]]
// PAGE-DAG: if it only computes, define it in this file
// PAGE-NOT: src=
// COMPARED: 1 better
// BROKEN: loopwright: {{.*}}broken.json: no report of Loopwright: {{.*}}; left out
// BROKEN-NEXT: page.html: 2 loop nests
// ALONE: loopwright: {{.*}}broken.json: no report of Loopwright: EOF while parsing
// EMPTY: loopwright: {{.*}}empty: no report in this folder or below it; compile with the option report=DIR first
// BELOW: <!DOCTYPE html>
// BELOW: report.c:[[#@LINE-22]]
// ARRAY: loopwright: {{.*}}array.json: no report of Loopwright: it has no version
// NOWHERE: loopwright: {{.*}}nowhere: No such file or directory
// OUTPUT: loopwright: {{.*}}page.html: No such file or directory
// VALUE: option 'report' needs a value: report=DIR
// FOLDER: loopwright: the report cannot be written to '{{.*}}with.o': File exists
// GONE: loopwright: {{.*}}gone.c: No such file or directory (os error 2); its lines are not shown
// GONE-NEXT: gone.html: 2 loop nests of 1 file{{$}}
