// What is left alone is left alone: a function in which nothing is rewritten is what it was before the plugin looked at it, whatever it took to read its
// loops (here: a call inlined, loops rotated, reads moved out of them); also beside a function that is rewritten.
//
// RUN: clang-22 -O3 -Xclang -disable-llvm-passes -emit-llvm -c %s -o %t.bc
// RUN: opt-22 -passes='function(sroa,early-cse<memssa>,simplifycfg)' %t.bc -o %t.before.bc
// RUN: %loopwright -passes='loopwright<parallel;min-work=0>' %t.before.bc -o %t.after.bc
// RUN: llvm-extract --func=searched %t.before.bc -S | grep -v -e '^attributes' -e 'ModuleID' | sed 's/ #[0-9]*//' > %t.before
// RUN: llvm-extract --func=searched %t.after.bc -S | grep -v -e '^attributes' -e 'ModuleID' | sed 's/ #[0-9]*//' > %t.after
// RUN: diff %t.before %t.after
// RUN: llvm-extract --func=scaled %t.after.bc -S | FileCheck %s
// CHECK-LABEL: define dso_local void @scaled
// CHECK: call void @scaled.loop

struct box {
  int n;
  double *at;
};

static double chosen(struct box *box, int i) { return box->at[i] > 0 ? box->at[i] : -box->at[i]; }

int searched(struct box *box, double key) {
  int i = 0;
  while (i < box->n) {
    if (chosen(box, i) == key)
      break;
    i++;
  }
  for (int j = i; j < box->n; j = j * 2 + 1)
    if (box->at[j] < key)
      return j;
  return i;
}

void scaled(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * 1000 + j] = b[j * 1000 + i];
}
