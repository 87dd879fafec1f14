// Read and write go to one element, of which a symbol says which.
// Tests: 001 indices
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void rows(int n, const int *restrict row, double (*restrict a)[8]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      a[row[i]][j] += 1;
}

// CHECK-LABEL: # rows
// CHECK: domain: "[p0] -> { S0[i0, i1] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M1[o0, i1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: read: "[p0] -> { S0[i0, i1] -> M0[i0] : p0 > 0 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"
// CHECK: may_write: "[p0] -> { S0[i0, i1] -> M1[o0, i1] : 0 < p0 <= 2147483647 and 0 <= i0 < p0 and 0 <= i1 <= 7 }"

// What multiplies counters is a symbol of those that it counts, which is known to grow: no two squares are one element.
void squares(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i * i] += 1;
}

// CHECK-LABEL: # squares
// CHECK: symbols:
// CHECK: lower: 0
// CHECK: injective: true
// CHECK: monotone: true
// CHECK: applies: [ "[p0] -> { S0[i0, i1] -> at0[i0] }" ]
// CHECK: write: "[p0] -> { S0[i0, i1] -> M0[i1] : p0 > 0 and 0 <= i0 < p0 and i1 >= 0 }"

// Of a difference that is not known.
void down_and_up(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i * (n - 1 - i)] = 0;
}

// CHECK-LABEL: # down_and_up
// CHECK: injective: false
// CHECK: monotone: false

// Steps that are no lengths of rows: one symbol for each counter. What is only read may be read anywhere.
void steps(int n, int s, int t, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * s + j * t] = b[i * s + j * t];
}

// CHECK-LABEL: # steps
// CHECK: applies: [ "[p0] -> { S0[i0, i1, i2, i3] -> at0[i0] }", "[p0] -> { S0[i0, i1, i2, i3] -> at1[i1] }" ]
// CHECK: read: "[p0] -> { S0[i0, i1, i2, i3] -> M0[o0] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"
// CHECK: write: "[p0] -> { S0[i0, i1, i2, i3] -> M1[i2 + i3] : p0 > 0 and 0 <= i1 < p0 and 0 <= i0 < p0 }"

// A product that may wrap around is one that does not, where its factors are small.
void small_squares(unsigned n, double *restrict a) {
  for (unsigned i = 0; i < n; i++)
    a[i * i] = 0;
}

// CHECK-LABEL: # small_squares
// CHECK: assumed: "[p0] -> { : 0 < p0 <= {{[0-9]+}} }"
// CHECK: injective: true
// CHECK: monotone: true

// Where they would have to be too small, it is what data gives.
void remainders(unsigned n, double *restrict a) {
  for (unsigned i = 0; i < n; i++)
    a[i * i * i * i] = 0;
}

// CHECK-LABEL: # remainders
// CHECK: injective: false
// CHECK: monotone: false
