// A function whose labels have addresses stays what it is, tables of labels included: where LLVM's clean-up makes one block of two, nobody could tell
// afterwards which label was which. The user is told why.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %loopwright-clang -O3 -march=native -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 -Rpass-missed=loopwright -gline-tables-only %s -o %t.with 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -fopenmp -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: %t.plain > %t.expected
// RUN: %t.with | diff %t.expected -
// RUN: env OMP_NUM_THREADS=2 %t.threads | diff %t.expected -
//
// CHECK-DAG: labels.c:{{.*}} remark: function 'table' left as it was: its loops may be entered by jumps to the addresses of labels
// CHECK-DAG: labels.c:{{.*}} remark: function 'differences' left as it was:
// CHECK-DAG: labels.c:{{.*}} remark: function 'interpreter' left as it was:
// CHECK-NOT: 'main'
#include <stdio.h>

enum { N = 64 };
double a[N][N], b[N][N];

__attribute__((noinline)) int table(int n) {
  static void *to[] = {&&sum, &&product};
  int turns = 0;
  goto *to[n & 1];
sum:
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] += b[j][i];
  if (++turns < 3)
    goto *to[n & 1];
  return turns;
product:
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] *= b[j][i];
  if (++turns < 5)
    goto *to[turns & 1];
  return -turns;
}

__attribute__((noinline)) int differences(int n) {
  static const int to[] = {&&sum - &&sum, &&product - &&sum};
  int turns = 0;
  goto *(&&sum + to[n & 1]);
sum:
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] += b[j][i];
  if (++turns < 3)
    goto *(&&sum + to[n & 1]);
  return turns;
product:
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] *= b[j][i];
  if (++turns < 5)
    goto *(&&sum + to[turns & 1]);
  return -turns;
}

__attribute__((noinline)) int interpreter(int n, const unsigned char *code) {
  static const struct {
    void *at;
    int cost;
  } to[] = {{&&add, 1}, {&&multiply, 2}, {&&end, 3}};
  int cost = 0;
  goto *to[*code].at;
add:
  for (int i = 0; i < n; i++)
    a[0][i] += b[0][i];
  cost += to[*code].cost;
  goto *to[*++code].at;
multiply:
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] *= b[0][i];
  cost += to[*code].cost;
  goto *to[*++code].at;
end:
  return cost;
}

int main() {
  for (int i = 0; i < N * N; i++)
    a[i / N][i % N] = i % 7, b[i / N][i % N] = 1 + i % 3;
  const unsigned char code[] = {0, 1, 1, 0, 2};
  for (int n = 0; n < 5; n++)
    printf("%d %d %d\n", table(n), differences(n), interpreter(n, code));
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    sum += a[i / N][i % N];
  printf("%.17g\n", sum);
}
