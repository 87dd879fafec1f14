// Remarks have words with names, for opt-viewer and others: done, missed with one reason and one cure, and the tests as a remark of their own. No loop
// inside of a nest that is done is missed.
//
// RUN: %loopwright-clang -O2 -g -fopenmp -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=loopwright -c %s -o /dev/null
// RUN: FileCheck %s --input-file=%t.yaml
// RUN: %loopwright-clang -O2 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK: --- !Passed
// CHECK-NEXT: Pass: loopwright
// CHECK-NEXT: Name: Optimized
// CHECK-NEXT: DebugLoc: {{.*}} Line: [[#@LINE+18]]
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
// CHECK: Cure: '-ffast-math would allow the sum of line [[#@LINE+5]] to be reordered'
// TEXT: fields.c:[[#@LINE+3]]:3: remark: loop nest left as it was: no transformation that pays was found: {{.*}}; -ffast-math would allow the sum of line [[#@LINE+4]] to be reordered [-Rpass-missed=loopwright]
double sum(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// TEXT-NOT: remark:
