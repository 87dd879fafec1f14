// Regions keep their numbers where a function is planned again, as for turns of buffers that come to nothing, and where what was done before one of them is of no use to
// others: each can be taken by itself.
//
// RUN: rm -f %t.list
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-list-regions=%t.list -c %s -o %t.o
// RUN: FileCheck --check-prefix=LIST --input-file=%t.list %s
// LIST: f 1{{$}}
// LIST-NEXT: f 2{{$}}
// LIST-NOT: f 2{{$}}
// LIST: g {{[0-9]+$}}
// RUN: grep ' f 2$' %t.list > %t.second
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-regions=%t.second -g -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SECOND %s
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -Xclang -load -Xclang %plugin -mllvm -loopwright-first=2 -g -Rpass=loopwright -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=FIRST,SECOND %s
int f(const int *restrict x, int *restrict y, int n, float *restrict q, const float *restrict w) {
  int s = 0;
  // FIRST: regions-planned-again.c:[[#@LINE+1]]:3: remark:
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      return -1;
    s += x[i];
  }
  // SECOND: regions-planned-again.c:[[#@LINE+1]]:3: remark: {{.*}}tiled
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      q[j * 1000 + i] = q[j * 1000 + i] * w[i * 1000 + j] + 1;
  return s;
}

// SECOND-NOT: remark:
void g(int n, float *restrict q, const float *restrict w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      q[j * 1000 + i] = q[j * 1000 + i] * w[i * 1000 + j] + 1;
}
