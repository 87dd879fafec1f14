// Arrays, parameters, iterators and statements have the names and the lines of the source where debug information has them.
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
// CHECK: - name: "S7"
// CHECK: write: "[size] -> { S7[row] -> image[row] : size > 0 and 0 <= row < size }"
// CHECK: # S7: image[row] = f()

// Two statements of one line, a counter that is called as a statement would be, and one that is called as a parameter.
void alike(int n, double *restrict a, double *restrict b, double *restrict S1) {
  for (int S2 = 0; S2 < n; S2++)
    for (int n = 0; n < 8; n++) { a[S2] += S1[S2 + n]; b[S2] -= 1; }
}

// CHECK-LABEL: # alike
// CHECK: params: [ "n" ]
// CHECK: domain: "[n] -> { S23[vS2, i1] : {{.*}} }"
// CHECK: domain: "[n] -> { S23b[vS2, i1] : {{.*}} }"
// CHECK: # S23: a[vS2] = f(a[vS2], vS1[vS2 + i1])
// CHECK: # S23b: b[vS2] = f(b[vS2])
