; The plugin loads into opt, its pass is known by name, and a function without loops is left as it is.
; RUN: %loopwright -passes=loopwright -S %s | FileCheck %s
; RUN: %loopwright -passes='default<O3>' -verify-each -S %s | FileCheck %s
; RUN: not %loopwright -passes='loopwright<nonsense>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ERROR
; RUN: not env LOOPWRIGHT_OPTIONS=nonsense %loopwright -passes=loopwright -disable-output %s 2>&1 | FileCheck %s --check-prefix=ERROR

; CHECK-LABEL: define i32 @successor(i32
; CHECK: add i32 %n, 1
; CHECK: ret i32

; ERROR: nonsense

define i32 @successor(i32 %n) {
  %next = add i32 %n, 1
  ret i32 %next
}
