// The labels that change are counted in a scalar. With a copy of it for each thread all points are labelled side by side; without, the best so far of a point would go through
// tiles in waves, and one thread takes twice the time. (Measured: two threads ran at .55 of one, and are 1.7 times as fast now.)
//
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -c %s -o /dev/null -Rpass=loopwright 2>&1 | FileCheck %s --implicit-check-not=diagonal

// CHECK: each thread reduces into its own copy of
int assign(int n, const float x[][8], const float centres[16][8], int *label) {
  int changed = 0;
  for (int i = 0; i < n; i++) {
    int best = 0;
    float least = 1e30f;
    for (int k = 0; k < 16; k++) {
      float distance = 0;
      for (int j = 0; j < 8; j++) {
        float apart = x[i][j] - centres[k][j];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    if (label[i] != best) {
      label[i] = best;
      changed++;
    }
  }
  return changed;
}

// An array that is reduced into gets no copies for that: the waves of a table of prefixes stay.
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -DTABLE -c %s -o /dev/null -Rpass=loopwright 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE-NOT: own copy of 'argument 2'
#ifdef TABLE
void paths(int n, long (*restrict a)[1000]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i][j] += a[i - 1][j] + a[i][j - 1];
}
#endif
