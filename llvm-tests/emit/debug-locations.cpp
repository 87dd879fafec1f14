// Functions for threads are in the debug information, also those of member functions where types are merged by name, and calls of them have a
// place even where nothing else has one; assignments of variables that a debugger follows stay where they are.
//
// RUN: clang-22 -g -O2 -fopenmp -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes='loopwright<parallel;min-work=0>,verify' -S %t.ll | FileCheck %s
// RUN: %loopwright -passes='default<O3>' -verify-each -disable-output %t.ll

struct matrix {
  double x[500];
  int n;
  void scale(double k);
};

void matrix::scale(double k) {
  for (int i = 0; i < n; i++)
    x[i] *= k;
}

void use(int *);
int places(int n, double *__restrict a) {
  int last = 7;
  use(&last);
  for (int i = 0; i < n; i++) {
    struct {
      int a, b;
    } pair = {i, 2 * i};
    a[i] = pair.a + pair.b;
  }
  return last;
}

// CHECK: define {{.*}}@_ZN6matrix5scaleEd(
// CHECK: define internal void @_ZN6matrix5scaleEd.part({{.*}} !dbg ![[#SCALE:]]
// CHECK: ![[#SCALE]] = distinct !DISubprogram(name: "_ZN6matrix5scaleEd.part", {{.*}}scope: ![[FILE:[0-9]+]], file: ![[FILE]],
