// Ranges between two pointers are counted loops; which loop is parallel is told where it is not the one of the remark.
//
// RUN: %loopwright-clang -O3 -fopenmp -g -S -emit-llvm -Rpass=loopwright -Rpass-analysis=loopwright -Rpass-missed=loopwright %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: pointer-ranges.c:[[#@LINE+3]]:3: remark: loop i0; i0 on all cores
// CHECK: pointer-ranges.c:[[#@LINE+2]]:3: remark: {{.*}}tested before the loops: ranges do not end before they begin
void until_equal(const double *b, const double *e, double *restrict y) {
  for (const double *p = b; p != e; p++)
    *y++ = *p;
}

// CHECK: pointer-ranges.c:[[#@LINE+3]]:3: remark: loop i0; i0 on all cores
// CHECK: pointer-ranges.c:[[#@LINE+2]]:3: remark: {{.*}}'p' and 'y' do not overlap [
void while_below(const double *p, const double *end, double *y) {
  while (p < end)
    *y++ += *p++;
}

struct range {
  double *begin, *end;
};

// The length is computed from what is read in front of the loop.
//
// CHECK: pointer-ranges.c:[[#@LINE+3]]:3: remark: loop i; i on all cores
// CHECK: pointer-ranges.c:[[#@LINE+2]]:3: remark: {{.*}}'x->begin' and 'y->begin' do not overlap [
void of_struct(const struct range *x, struct range *y) {
  for (unsigned long i = 0; i < (unsigned long)(x->end - x->begin); i++)
    y->begin[i] = x->begin[i] * 3;
}

// CHECK: pointer-ranges.c:[[#@LINE+2]]:3: remark: loops i, t {{.*}}i on all cores{{.*}}; the loop at line [[#@LINE+3]] is parallel [
void steps(int n, int m, double *restrict A, const double *restrict B) {
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      A[i] = A[i] * 0.5 + B[i + t];
}
