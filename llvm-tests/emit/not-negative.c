// What is known not to be negative is said to LLVM, of sums and of addresses: it takes `4 * i + 1` apart, and what is left of the address is known to be inside of its array only
// then. Without that it sorts no elements of which the last one of each group is not read. (Measured: pixels are blended in half the time.)
//
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='function(sroa,instcombine),loopwright' -loopwright-parallel -S %t.ll -o - | FileCheck %s
// CHECK-LABEL: define {{.*}}@blend.part(
// CHECK: mul nuw nsw i64 4, %c0
// CHECK: getelementptr inbounds nuw i8, ptr %
void blend(unsigned char *restrict d, const unsigned char *restrict s, int n) {
  for (int i = 0; i < n; i++) {
    int a = s[4 * i + 3];
    for (int k = 0; k < 3; k++)
      d[4 * i + k] = (d[4 * i + k] * (255 - a) + s[4 * i + k] * a) / 255;
    d[4 * i + 3] = 255;
  }
}

// Backwards, from a base in the middle: nothing is said that is not so.
// CHECK-LABEL: define {{.*}}@from_the_middle.part(
// CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 %
void from_the_middle(double *restrict a, const double *restrict b, long n) {
  for (long i = -n; i < n; i++)
    a[i] = b[i] * 2;
}
