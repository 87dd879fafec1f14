// A block with more stores than the model has statements for is one statement, whose writes to an array are one access. Stores to
// a variable at its beginning are statements of their own, and only what is left of them in the end is written.
//
// RUN: clang-22 -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s
// RUN: clang-22 -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='loopwright<parallel;min-work=0;check>' -pass-remarks=loopwright -disable-output - 2>&1 | FileCheck --check-prefix=DONE %s

double t, d[100][7][7], u[100];

#define ROW(r, v) \
  d[i][r][0] = v; d[i][r][1] = v + 1; d[i][r][2] = v + 2; d[i][r][3] = v * 2; d[i][r][4] = v * 3; d[i][r][5] = v * v; d[i][r][6] = 0;

void page(void) {
  for (int i = 0; i < 100; i++) {
    t = 1 / u[i];
    ROW(0, t) ROW(1, t * t) ROW(2, u[i]) ROW(3, u[i] * t) ROW(4, u[i] - t) ROW(5, t - 1) ROW(6, t + u[i])
  }
}

// CHECK: name: "S1"
// CHECK-NEXT: domain: "{ S1[99] }"
// CHECK: write: "{ S1[99] -> t[0] }"
// CHECK: name: "S2"
// CHECK-NEXT: domain: "{ S2[i0] : 0 <= i0 <= 99 }"
// CHECK: write: "{ S2[i0] -> d[i0, o1, o2] : 0 <= i0 <= 99 and 0 <= o1 <= 6 and 0 <= o2 <= 6 }"
// CHECK-NOT: -> d
// CHECK: schedule:

// DONE: remark: {{.*}}i0 on all cores
