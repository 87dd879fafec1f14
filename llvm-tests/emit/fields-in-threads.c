// The loop of a thread's share ends below a number, and its counter never wraps: LLVM takes the bytes of several pixels at once, as it does in the program's own loop.
//
// RUN: clang-22 -O3 -march=x86-64-v3 -fopenmp -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define internal {{.*}}@blend.part(
// CHECK: load <{{[0-9]+}} x i8>
// CHECK-LABEL: define {{.*}}@blend.threads(
void blend(unsigned char *to, const unsigned char *from, int n) {
  while (n--) {
    int a = from[3];
    to[0] += ((from[0] - to[0]) * a) / 255;
    to[1] += ((from[1] - to[1]) * a) / 255;
    to[2] += ((from[2] - to[2]) * a) / 255;
    to += 4;
    from += 4;
  }
}
