// An internal error leaves a file behind with which it happens again: the module as it was, and the command.
//
// RUN: rm -rf %t.once %t.again
// RUN: %loopwright-clang -O3 -mllvm -loopwright-provoke-panic=schedule -mllvm -loopwright-tile=8 -mllvm -loopwright-reproducers=%t.once -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: function 'sum' left as it was: a law of the optimizer was broken: provoked; {{.*}}.once/loopwright-sum-{{[0-9a-f]+}}.ll reproduces it [-Rpass-missed=loopwright]
//
// RUN: FileCheck %s --check-prefix=FILE --input-file %t.once/loopwright-sum-*.ll
// FILE: ran into an internal error in function 'sum':
// FILE-NEXT: ;   provoked
// FILE-NEXT: ; opt-22 -load-pass-plugin=libloopwright.so -passes='loopwright<provoke-panic=schedule;tile=8;only=sum>' -disable-output THIS-FILE
// FILE: define {{.*}} @sum
//
// RUN: %loopwright -passes='loopwright<provoke-panic=schedule;tile=8;only=sum;reproducers=%t.again>' -pass-remarks-missed=loopwright -disable-output %t.once/loopwright-sum-*.ll 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: function 'sum' left as it was: a law of the optimizer was broken: provoked; {{.*}}.again/loopwright-sum-
//
// A folder that cannot be written is said to be one; the program compiles all the same.
// RUN: %loopwright-clang -O3 -mllvm -loopwright-provoke-panic=schedule -mllvm -loopwright-reproducers=%s -Rpass-missed=loopwright %s -o %t.exe 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: provoked; what reproduces it cannot be written to '
// RUN: %t.exe
__attribute__((noinline)) int sum(int n, const int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

int main(void) {
  int a[] = {1, 2, 3};
  return sum(3, a) - 6;
}
