// Remarks have words with names, for opt-viewer and others: done, missed with one reason and one cure, and the tests as a remark of their own. No loop
// inside of a nest that is done is missed. LLVM's own viewers read them: opt-viewer shows at the line of a loop what became of it, llvm-remarkutil counts
// and converts them.
//
// RUN: rm -rf %t && mkdir %t && cd %S
// RUN: %loopwright-clang -O2 -g -fopenmp -fsave-optimization-record -foptimization-record-file=%t/all.yaml -foptimization-record-passes=loopwright -c fields.c -o /dev/null
// RUN: FileCheck %s --input-file=%t/all.yaml
// RUN: %loopwright-clang -O2 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: /usr/bin/python3 /usr/lib/llvm-22/share/opt-viewer/opt-viewer.py --no-highlight -j1 %t/all.yaml -o %t/pages
// RUN: FileCheck %s --input-file=%t/pages/index.html --check-prefix=INDEX
// RUN: FileCheck %s --input-file=%t/pages/fields.c.html --check-prefix=PAGE
// RUN: llvm-remarkutil count --parser=yaml --group-by=function %t/all.yaml | FileCheck %s --check-prefix=COUNT
// RUN: llvm-remarkutil yaml2bitstream %t/all.yaml -o %t/all.bitstream
// RUN: llvm-remarkutil bitstream2yaml %t/all.bitstream -o - | FileCheck %s --check-prefix=BACK

// PAGE: column-entry-{{[a-z]+}}"> loops i, j, k tiled {{[0-9x]+}}; i on all cores
// PAGE: column-entry-{{[a-z]+}}"> tested before the loops: {{.*}}does not overlap
// PAGE: column-entry-{{[a-z]+}}"> loop nest left as it was: {{.*}}; {{.*}}-ffast-math would allow the sum
// COUNT-DAG: product,
// COUNT-DAG: sum,
// BACK: Tiles: {{.*}}x
// BACK: Cure: {{.*}}-ffast-math

// CHECK: --- !Passed
// CHECK-NEXT: Pass: loopwright
// CHECK-NEXT: Name: Optimized
// CHECK-NEXT: DebugLoc: {{.*}} Line: [[#@LINE+19]]
// CHECK: Function: product
// CHECK-NEXT: Args:
// CHECK: Loops: i, j, k
// CHECK: Tiles: 32x256x64
// CHECK: Parallel: i
// CHECK: Vector: j
// CHECK: Registers: 4x4
// CHECK: Transformations: tile, parallelize, vectorize, block for registers
// CHECK: Tests: {{.*}}the subscripts of ''A'', ''B'' and ''C'' stay within their rows; ''C'' does not overlap ''A'' or ''B''
// CHECK: Arrays: A, B, C
// CHECK: PredictedGain: {{'?}}[[#]].{{[0-9]}}
// CHECK: --- !Analysis
// CHECK: Name: Tested
// CHECK: String: {{.*}}tested before the loops
// CHECK-NEXT: Tests: {{.*}}''C'' does not overlap ''A'' or ''B''
// INDEX-DAG: fields.c:[[#@LINE+3]]:3
// TEXT: fields.c:[[#@LINE+2]]:3: remark: loops i, j, k tiled 32x256x64; i on all cores; j in vectors; 4x4 in registers [-Rpass=loopwright]
void product(int n, double C[][1000], double A[][1000], double B[][1000]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][k] * B[k][j];
}

// CHECK: --- !Missed
// CHECK: Function: sum
// CHECK: Reason: 'no transformation that pays was found: no loop becomes parallel, tiled or vectorised'
// CHECK: Cure: '-ffast-math would allow the sum of line [[#@LINE+6]] to be reordered'
// TEXT: fields.c:[[#@LINE+4]]:3: remark: loop nest left as it was: no transformation that pays was found: {{.*}}; -ffast-math would allow the sum of line [[#@LINE+5]] to be reordered [-Rpass-missed=loopwright]
// INDEX-DAG: fields.c:[[#@LINE+3]]:3
double sum(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// TEXT-NOT: remark:
