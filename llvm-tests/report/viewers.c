// LLVM's own viewers read the remarks: opt-viewer shows at the line of a loop what became of it, llvm-remarkutil counts and converts them.
//
// RUN: rm -rf %t && mkdir %t && cd %S
// RUN: %loopwright-clang -O2 -g -fopenmp -fsave-optimization-record -foptimization-record-file=%t/all.yaml -foptimization-record-passes=loopwright -c viewers.c -o %t/all.o
// RUN: /usr/bin/python3 /usr/lib/llvm-22/share/opt-viewer/opt-viewer.py --no-highlight -j1 %t/all.yaml -o %t/pages
// RUN: FileCheck %s --input-file=%t/pages/index.html --check-prefix=INDEX
// RUN: FileCheck %s --input-file=%t/pages/viewers.c.html --check-prefix=PAGE
// RUN: llvm-remarkutil count --parser=yaml --group-by=function %t/all.yaml | FileCheck %s --check-prefix=COUNT
// RUN: llvm-remarkutil yaml2bitstream %t/all.yaml -o %t/all.bitstream
// RUN: llvm-remarkutil bitstream2yaml %t/all.bitstream -o - | FileCheck %s --check-prefix=BACK

// INDEX-DAG: viewers.c:[[#@LINE+11]]:3
// INDEX-DAG: viewers.c:[[#@LINE+18]]:3
// PAGE: column-entry-{{[a-z]+}}"> loops i, j, k tiled {{[0-9x]+}}; i on all cores
// PAGE: column-entry-{{[a-z]+}}"> tested before the loops: {{.*}}does not overlap
// PAGE: column-entry-{{[a-z]+}}"> loop nest left as it was: {{.*}}; {{.*}}-ffast-math would allow the sum
// COUNT-DAG: product,
// COUNT-DAG: sum,
// BACK: Tiles: {{.*}}x
// BACK: Cure: {{.*}}-ffast-math

void product(int n, double C[][1000], double A[][1000], double B[][1000]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++)
        C[i][j] += A[i][k] * B[k][j];
}

double sum(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
