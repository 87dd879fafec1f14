// Arrays and parameters have the names of the source where debug information has them.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm -g %s -o - | %loopwright -passes='print<loopwright-scops>' -disable-output - 2>&1 | FileCheck %s

void named(int size, double *restrict image) {
  for (int row = 0; row < size; row++)
    image[row] = 0;
}

// CHECK-LABEL: # named
// CHECK: name: "named"
// CHECK: params: [ "size" ]
// CHECK: assumed: "[size] -> { : size > 0 }"
// CHECK: - name: "image"
// CHECK: source_name: "image"
// CHECK: - name: "S0"
// CHECK: write: "[size] -> { S0[i0] -> image[i0] : size > 0 and 0 <= i0 < size }"
