// With threads more is looked at, and what is looked for in a nest may cost more than is allowed. That its own order gains nothing by threads is then no answer for the loops
// inside: they are looked at as they are without threads.
// RUN: clang-22 -O3 -march=x86-64-v3 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %loopwright -passes=loopwright -loopwright-budget=2000000 -pass-remarks=loopwright -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %loopwright -passes=loopwright -loopwright-budget=2000000 -loopwright-parallel -pass-remarks=loopwright -disable-output %t.ll 2>&1 | FileCheck %s

// CHECK: in vectors
#define STATES 48
#define STEPS 300

static double likelihood[STEPS][STATES], change[STATES][STATES], emit[STATES][26];
static int from[STEPS][STATES];

void viterbi(const unsigned char *seen) {
  for (int t = 1; t < STEPS; t++)
    for (int s = 0; s < STATES; s++) {
      double best = -__builtin_inf();
      int at = 0;
      for (int p = 0; p < STATES; p++) {
        double all = likelihood[t - 1][p] + change[p][s];
        if (all > best) {
          best = all;
          at = p;
        }
      }
      likelihood[t][s] = best + emit[s][seen[t]];
      from[t][s] = at;
    }
}
