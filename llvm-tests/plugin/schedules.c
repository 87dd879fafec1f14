// What a file says of a loop nest is proved and written, or a remark says why not: scripts, trees as they are printed, JSCOP files.
// Tests: 002 5.6.2, 5.9
//
// RUN: split-file %s %t
// RUN: clang-22 -O3 -g -Xclang -disable-llvm-passes -S -emit-llvm %t/nests.c -o %t/nests.ll
//
// A script, in the names that texts have; the other function is not in the file and goes as ever.
// RUN: %loopwright -passes='print<loopwright-ast>' -loopwright-schedules=%t/good.script -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=SCRIPT
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/good.script -pass-remarks=loopwright -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/wrong.script -pass-remarks-missed=loopwright -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/illegal.script -pass-remarks-missed=loopwright -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=ILLEGAL
//
// The plugin's model, read by the command, scheduled there, and given back: the same order.
// RUN: %loopwright -passes='print<loopwright-scops>' -disable-output %t/nests.ll 2> %t/scops
// RUN: %loopwright-binary schedule %t/scops --tile-size 16 > %t/trees
// RUN: %loopwright -passes='print<loopwright-schedule>' -loopwright-schedules=%t/trees -disable-output %t/nests.ll > %t/again 2>&1
// RUN: diff %t/trees %t/again
// RUN: %loopwright-binary schedule %t/scops --region scaled --script %t/good.script --jscop > %t/scaled.json
// RUN: %loopwright -passes='print<loopwright-ast>' -loopwright-schedules=%t/scaled.json -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=JSCOP
//
// What was ordered and is not done is a warning, whoever listens; without -g the statements have no lines for names.
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/illegal.script -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=WARNED
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/good.script -disable-output %t/nests.ll 2>&1 | count 0
// RUN: clang-22 -O3 -fpass-plugin=%plugin -mllvm -loopwright-schedules=%t/good.script -c %t/nests.c -o %t/nests.o 2>&1 | FileCheck %s --check-prefix=NO-LINES
//
// Trees of a model without lines are read where it has some, though the lines of other statements make the same names.
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -S -emit-llvm %t/lines.c -o %t/without.ll
// RUN: clang-22 -O3 -g1 -Xclang -disable-llvm-passes -S -emit-llvm %t/lines.c -o %t/with.ll
// RUN: %loopwright -passes='print<loopwright-schedule>' -disable-output %t/without.ll > %t/named 2>&1
// RUN: %loopwright -passes=loopwright -loopwright-schedules=%t/named -pass-remarks=loopwright -disable-output %t/with.ll 2>&1 | FileCheck %s --check-prefix=NAMED
//
// RUN: not %loopwright -passes=loopwright -loopwright-schedules=%t/none -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %loopwright -passes=loopwright -loopwright-schedules=%t/nests.c -disable-output %t/nests.ll 2>&1 | FileCheck %s --check-prefix=NO-SCRIPT

// SCRIPT-LABEL: # scaled
// SCRIPT: for (c0 = 0; c0 <= m - 1; c0 += 1)
// SCRIPT-NEXT: for (c1 = 0; c1 <= n - 1; c1 += 1)
// SCRIPT-NEXT: S4(c1, c0);
// SCRIPT: # running

// DONE: nests.c:2:3: as {{.*}}good.script:2 says
// WRONG: nests.c:2:3: loop nest left as it was: the schedule that is given for it cannot be used: {{.*}}wrong.script:2: `S4` has only the loops 0 to 1
// ILLEGAL: nests.c:8:3: loop nest left as it was: the schedule that is given for it cannot be used: {{.*}}illegal.script:2: since line 2 (`reverse S9.0`), the schedule does not run the source of a dependence before its sink

// WARNED: warning: loopwright: the loop nest at {{.*}}nests.c:8:3 of running is left as it was: the schedule that is given for it cannot be used: {{.*}}illegal.script:2: since line 2
// NO-LINES: warning: loopwright: a loop nest of scaled is left as it was: no schedule in '{{.*}}good.script' has the statements of this loop nest, and it has some for this function; print<loopwright-scops> names its statements: those of lines need -g

// NAMED: lines.c:1:3: as {{.*}}named:4 says

// JSCOP-LABEL: # scaled
// JSCOP: for (c0 = 0; c0 <= m - 1; c0 += 1)
// JSCOP-NEXT: for (c1 = 0; c1 <= n - 1; c1 += 1)
// JSCOP-NEXT: S4(c1, c0);

// NONE: the schedules '{{.*}}none' cannot be read
// NO-SCRIPT: nests.c: unknown transformation `void`

//--- lines.c
void both(int n, int m, double *restrict a, double (*restrict b)[512]) {
#line 1
  for (int i = 0; i < n; i++) { a[i] = i;
    for (int j = 0; j < m; j++) b[j][i] = b[j][i] * a[i] + 1; }
}

//--- nests.c
void scaled(int n, int m, double (*restrict a)[512]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] *= 2;
}

void running(int n, double *a) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}
//--- good.script
function scaled
interchange S4.0 S4.1
//--- wrong.script
function scaled
interchange S4.0 S4.3
//--- illegal.script
function running
reverse S9.0
