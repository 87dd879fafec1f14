// LLVM may write out short loops with constant bounds, and keeps long ones: it looks at one loop at a time, and tiles give it loops of 16 iterations
// around a loop that it has written out already, until a nest is one block.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='loopwright' -S %t.ll | FileCheck %s
// RUN: %loopwright -passes='loopwright<parallel;min-work=0>' -S %t.ll | FileCheck %s --check-prefix=PARALLEL
//
// In the whole file, with 40 nests more than a few lines for each:
// RUN: %loopwright-clang -O3 -mavx2 -DMANY -S -emit-llvm %s -o - | wc -l | FileCheck %s --check-prefix=LINES
// LINES: {{^ *[0-9]{1,4}$}}

double a[2000][2000], b[2000][2000];

// The innermost loop is LLVM's to vectorise and to write out.
// CHECK-LABEL: define {{.*}}@constant(
// CHECK: br i1 {{.*}}, !llvm.loop ![[OUTERMOST:[0-9]+]]
// CHECK: br i1 {{.*}}, !llvm.loop ![[INNER:[0-9]+]]
// CHECK: br i1 {{.*}}, !llvm.loop ![[OUTER:[0-9]+]]
// CHECK-LABEL: define
//
// The iterations of a thread are counted when it runs.
// PARALLEL-LABEL: define {{.*}}@constant(
// PARALLEL: define internal void @constant.part({{.*}} #[[PART:[0-9]+]]
// PARALLEL: br i1 {{.*}}, !llvm.loop ![[#]]
// PARALLEL-NOT: !llvm.loop
// PARALLEL: define
void constant(void) {
  for (int i = 0; i < 70; i++)
    for (int j = 0; j < 100; j++) b[j][i] = a[i][j];
}

// Bounds that are not constant keep LLVM from that by themselves.
// CHECK: @unknown(
// CHECK: {{^}}new:
// CHECK: br i1 {{.*}}, !llvm.loop ![[#]]
// CHECK-NOT: !llvm.loop
// CHECK: {{^}}}
void unknown(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[j][i] = a[i][j];
}
// CHECK: ![[OUTERMOST]] = distinct !{![[OUTERMOST]], ![[DISABLE:[0-9]+]]}
// CHECK: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
// CHECK: ![[INNER]] = distinct !{![[INNER]], ![[#]]}
// CHECK: ![[OUTER]] = distinct !{![[OUTER]], ![[DISABLE]]}
//
// Each thread's share and all iterations at once are one function, not a copy for each call.
// PARALLEL: attributes #[[PART]] = { {{.*}}noinline

#ifdef MANY
#define NEST(N) for (int i = 0; i < 20 + N; i++) for (int j = 0; j < 30 + N; j++) b[j][i] = a[i][j];
#define TEN(N) NEST(N) NEST(N + 1) NEST(N + 2) NEST(N + 3) NEST(N + 4) NEST(N + 5) NEST(N + 6) NEST(N + 7) NEST(N + 8) NEST(N + 9)
void many(void) { TEN(0) TEN(10) TEN(20) TEN(30) }
#endif
