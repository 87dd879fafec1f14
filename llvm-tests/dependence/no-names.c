// Without debug information: arrays are arguments by number, or what they point to.
//
// RUN: %loopwright-clang -O3 -fopenmp -g1 -fdiscard-value-names -S -emit-llvm -Rpass-missed=loopwright -Rpass-analysis=loopwright %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: no-names.c:[[#@LINE+2]]:3: remark: loop at line [[#@LINE+2]] runs in order: 'argument 2' written at line [[#@LINE+3]]:10 is read at line [[#@LINE+3]]:12 one iteration later [
void forward(int n, double *A) {
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1] * 0.5 + 1.0;
}

struct vector {
  double *begin;
};

// CHECK: no-names.c:[[#@LINE+2]]:3: remark: loop at line [[#@LINE+2]] runs in order: 'what argument 2 points to' written at line [[#@LINE+3]]:17 is read at line [[#@LINE+3]]:19 one iteration later [
void backward(int n, struct vector *A) {
  for (int i = n - 2; i >= 0; i--)
    A->begin[i] = A->begin[i + 1] * 0.5;
}
