// Values that take each other's places are one statement, which seldom replaces them.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void selects(int n, const int *a, int *out) {
  int x = 100, y = 100;
  for (int i = 0; i < n; i++) {
    y = a[i] < x ? x : a[i] < y ? a[i] : y;
    x = a[i] < x ? a[i] : x;
  }
  out[0] = x;
  out[1] = y;
}
// CHECK-LABEL: # selects
// CHECK: seldom_replaces: true
// CHECK: # S4: [[Y:.*]], [[X:.*]] = f(M0[i0], [[Y]], [[X]])

void branches(int n, const float *a, float *out) {
  float x = 100, y = 100;
  int at = 0, second = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] < x) {
      y = x;
      second = at;
      x = a[i];
      at = i;
    } else if (a[i] < y) {
      y = a[i];
      second = i;
    }
  }
  out[0] = at;
  out[1] = second;
}
// CHECK-LABEL: # branches
// CHECK: seldom_replaces: true

// How often two numbers differ is not known.
void differs(int n, const int *a, int *out) {
  int x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    y = a[i] != x ? x : y;
    x = a[i] != x ? a[i] : x;
  }
  out[0] = x;
  out[1] = y;
}
// CHECK-LABEL: # differs
// CHECK-NOT: seldom_replaces
// CHECK-LABEL: # summed

// Each iteration adds what the best is.
void summed(int n, const int *a, int *out) {
  int x = 100, y = 100;
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    sum = sum * 5 + y;
    y = a[i] < x ? x : a[i] < y ? a[i] : y;
    x = a[i] < x ? a[i] : x;
  }
  out[0] = x;
  out[1] = y + sum;
}
// CHECK-NOT: seldom_replaces: true
// CHECK-LABEL: # divides

// A value that an iteration sees in none but this loop decides by what is divided.
void divides(int n, const int *a, int *out) {
  int x = 100, y = 100;
  for (int i = 0; i < n; i++) {
    if (a[i] < x) {
      y = x;
      x = a[i];
    } else if (x > 5 && a[i] / (x - 4) < y) {
      y = a[i];
    }
  }
  out[0] = x;
  out[1] = y;
}
// CHECK-NOT: seldom_replaces: true

// So is where an element is.
void reads(int n, const int *a, const int *b, int *out) {
  int x = 100, y = 100;
  for (int i = 0; i < n; i++) {
    if (a[i] < x) {
      y = x;
      x = a[i];
    } else if (x > 5 && b[i] < y) {
      y = b[i];
    }
  }
  out[0] = x;
  out[1] = y;
}
// CHECK-LABEL: # reads
// CHECK-NOT: seldom_replaces: true
