// A part that accesses one place in several blocks has one value for its address: LLVM makes one store of two in vectors. (A load that waits for a store with
// another mask takes as long as eight of the program's own iterations.)
//
// RUN: clang-22 -O3 -march=x86-64-v3 -fopenmp -Xclang -load -Xclang %plugin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@blend.part(
// CHECK: call void @llvm.masked.store
// CHECK-NOT: call void @llvm.masked.store
// CHECK: ret void
void blend(unsigned *dst, const unsigned *src, int n) {
  for (int i = 0; i < n; i++) {
    unsigned s = src[i], d = dst[i], a = s >> 24;
    if (a == 255) { dst[i] = s; continue; }
    if (a == 0) continue;
    unsigned rb = ((s & 0xff00ff) * a + (d & 0xff00ff) * (255 - a)) >> 8 & 0xff00ff;
    unsigned g = ((s & 0xff00) * a + (d & 0xff00) * (255 - a)) >> 8 & 0xff00;
    dst[i] = 0xff000000u | rb | g;
  }
}
