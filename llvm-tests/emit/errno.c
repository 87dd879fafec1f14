// Calls that may set errno are computations: where they are parallel, what threads set is handed to the caller, once for each share. The
// program's own look at errno in the loop is not moved, pointers to int are tested not to be its address.
//
// RUN: %loopwright-clang -O3 -g -fopenmp -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -g -fopenmp -fno-math-errno -S -emit-llvm %s -o - | FileCheck %s --check-prefix=UNSET
// RUN: %loopwright-clang -O3 -g -fopenmp -ffp-exception-behavior=strict -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: %loopwright-clang -O3 -g -fopenmp --target=x86_64-unknown-freebsd -fmath-errno -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o - 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

// CHECK: errno.c:[[#@LINE+18]]:3: remark: {{.*}}i on all cores
// CHECK: errno.c:[[#@LINE+24]]:3: remark: {{.*(i|dependences)}} on all cores; each thread reduces into its own copy of
// CHECK: errno.c:[[#@LINE+31]]:3: remark: {{.*}}'told' and errno
// CHECK: errno.c:[[#@LINE+36]]:3: remark: loop nest left as it was: the call to 'sqrt' may read or write memory
// CHECK: @loopwright.errno.lock = internal global
// UNSET-NOT: errno.lock
// UNSET: call {{.*}}@__kmpc_fork_call
// STRICT-NOT: parallel
// STRICT: errno.c:[[#@LINE+10]]:3: remark: loop nest left as it was
// ELSEWHERE: errno.c:[[#@LINE+9]]:3: remark: loop nest left as it was: the call to 'sqrt' may read or write memory

double sqrt(double);
double exp(double);
int *__errno_location(void) __attribute__((const, nothrow));

// CHECK-LABEL: define {{.*}}@roots(
// CHECK: call {{.*}}void @roots.loop(
void roots(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] = sqrt(x[i]);
}

// CHECK-LABEL: define {{.*}}@above(
long above(long n, const double *x) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += exp(x[i]) > 2;
  return sum;
}

// CHECK-LABEL: define {{.*}}@watched(
// CHECK: call {{.*}}@__errno_location
void watched(long n, const double *restrict x, double *restrict y, const int *told) {
  for (long i = 0; i < n; i++)
    y[i] = sqrt(x[i]) + told[0];
}

void looked_at(long n, const double *restrict x, double *restrict y) {
  int *own = __errno_location();
  for (long i = 0; i < n; i++)
    y[i] = sqrt(x[i]) + *own;
}

// CHECK: define internal {{.*}}void @roots.part(
// CHECK: call double @sqrt
// CHECK: define internal void @roots.threads(
// CHECK: %[[PLACE:.*]] = {{.*}}call ptr @__errno_location()
// CHECK: load i32, ptr %[[PLACE]]
// CHECK-NEXT: store i32 0, ptr %[[PLACE]]
// CHECK: call {{.*}}void @roots.part(
// CHECK: load i32, ptr %[[PLACE]]
// CHECK: call void @__kmpc_critical(
// CHECK: call void @__kmpc_end_critical(
// CHECK: store i32 %{{.*}}, ptr %[[PLACE]]
// CHECK: define internal {{.*}}void @roots.loop(
// CHECK: load i32
