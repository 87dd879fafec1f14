// A choice between sums of products is one between what each product of parameters is multiplied by: LLVM multiplies before it chooses.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

// The row above, the first one standing for what is above it.
void above(int w, int h, double *restrict o, const double *restrict u) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      o[y * w + x] = u[(y - 1 < 0 ? 0 : y - 1) * w + x];
}

// CHECK-LABEL: # above
// CHECK: read: "{{.*}} -> { S0[0, i1] -> M0[0, i1] : {{.*}}; S0[i0, i1] -> M0[i0 - 1, i1] : {{.*}} }"

// The row at a distance, within the field.
void within(int w, int h, int k, double *restrict o, const double *restrict u) {
  for (int y = 0; y < h; y++) {
    int row = y + k < 0 ? 0 : y + k > h - 1 ? h - 1 : y + k;
    for (int x = 0; x < w; x++)
      o[y * w + x] = u[row * w + x];
  }
}

// CHECK-LABEL: # within
// CHECK: read: "{{.*}}M0[0, i1]{{.*}}M0[p0 - 1, i1]
