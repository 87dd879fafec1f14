// Why a loop runs in order, and why a nest is left alone: the lines of both accesses, and how many iterations lie between.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: in-order.c:[[#@LINE+3]]:3: remark: loop nest left as it was
// CHECK: in-order.c:[[#@LINE+2]]:3: remark: loop at line [[#@LINE+2]] runs in order: 'A' written at line [[#@LINE+3]]:10 is read at line [[#@LINE+3]]:12 one iteration later [
void forward(int n, double *A) {
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1] * 0.5 + 1.0;
}

// CHECK: in-order.c:[[#@LINE+3]]:3: remark: loop nest left as it was
// CHECK: in-order.c:[[#@LINE+2]]:3: remark: loop at line [[#@LINE+2]] runs in order: 'A' written at line [[#@LINE+3]]:10 is read at line [[#@LINE+3]]:12 7 iterations later [
void distant(int n, double *restrict A, const double *restrict B) {
  for (int i = 7; i < n; i++)
    A[i] = A[i - 7] * 0.5 + B[i];
}

// Two loops are made of this one, and both are shared: nothing runs in order.
//
// CHECK: in-order.c:[[#@LINE+3]]:3: remark: {{.*}}i on all cores{{.*}} | {{.*}}i on all cores
// CHECK-NOT: in-order.c:[[#@LINE+2]]:
void apart(int n, double *restrict A, double *restrict B) {
  for (int i = 7; i < n; i++) {
    A[i] = B[i] * 0.5;
    B[i] = A[i - 7];
  }
}

// The loop over t carries a dependence, the one over i does not.
//
// CHECK: in-order.c:[[#@LINE+3]]:3: remark: loop at line [[#@LINE+3]] runs in order: 'A' written at line [[#@LINE+5]]:12 is read at line [[#@LINE+5]]:14 one iteration later [
// CHECK-NOT: in-order.c:[[#@LINE+3]]
void steps(int n, int m, double *restrict A, const double *restrict B) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      A[i] = A[i] * 0.5 + B[i + t];
}

// CHECK: in-order.c:[[#@LINE+2]]:3: remark: loop at line [[#@LINE+2]] runs in order: 'y' written at line [[#@LINE+3]]:17 may be written again at line [[#@LINE+3]]:17 in a later iteration [
void scatter(int n, const int *restrict index, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[index[i]] = x[i];
}

// CHECK: in-order.c:[[#@LINE+3]]:3: remark: loop at line [[#@LINE+3]] runs in order: 's' computed at line [[#@LINE+4]]:7 is needed at line [[#@LINE+4]]:7 one iteration later; -ffast-math would allow the sum of line [[#@LINE+4]] to be reordered [
double strict(int n, const double *x) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

// CHECK: in-order.c:[[#@LINE+4]]:3: remark: loop nest left as it was: the call to 'tell' may read or write memory or not return (at line [[#@LINE+6]]:5; 'x' is written at line [[#@LINE+5]]:10); 
void tell(double);

void called(int n, double *x) {
  for (int i = 0; i < n; i++) {
    x[i] = i;
    tell(x[i]);
  }
}

// How far `x` is read depends on `x`, which may be what is written: that cannot be measured before the loops.
// CHECK: in-order.c:[[#@LINE+2]]:3: remark: loop nest left as it was: which elements of 'x' are touched depends on data, {{.*}} (at line [[#@LINE+4]]:12; 'y' is written at line [[#@LINE+6]]:10); 
void unknown(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    int k = i;
    while (x[k] < 0.5)
      k++;
    y[i] = k;
  }
}
