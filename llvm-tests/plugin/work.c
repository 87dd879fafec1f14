// What a loop nest may cost is limited by its size, all attempts at it and at the loops inside together, however sets explode.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=remainders -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=remainders -mllvm -loopwright-parallel -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=chain -mllvm -loopwright-parallel -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=deep -mllvm -loopwright-parallel -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=bounds -mllvm -loopwright-parallel -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: {{: ([0-9]{1,7}|[12][0-9]{7})}} units of work
//
// Whoever wants to wait may say so, and whoever does not may, too.
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=remainders -mllvm -loopwright-budget=30000 -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LITTLE
// LITTLE: loop nest left as it was: the analysis did not end within its step budget
// LITTLE: {{: [0-9]{1,5} }}units of work
//
// What is over in some microseconds has what its size gives it, and nothing of what is there for all nests; with a limit that is not known it has.
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=sample -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: %loopwright-clang -O3 -mllvm -loopwright-stats -mllvm -loopwright-only=sample -c %s -DLIMIT=n -o %t.o 2>&1 | FileCheck %s --check-prefix=LONG
// SHORT: {{: [0-9]{1,6} }}units of work
// LONG: {{: [0-9]{7,8} }}units of work
//
// The printers end as well.
// RUN: %loopwright-clang -O3 -c -emit-llvm -Xclang -disable-O0-optnone -mllvm -loopwright-only=none %s -o %t.bc
// RUN: %loopwright -passes='print<loopwright-dependences>' -disable-output %t.bc > /dev/null 2>&1
#define MIN(a, b) ((a) < (b) ? (a) : (b))

double um[40][40], u[4000], a[18][18][18][18], b[18][18], c[18][18][18];
int t[2048];

void remainders(int n) {
  for (int i = 0; i < n; i += 3) um[i % 40][i / 20 % 40] += u[i];
}

void chain(int n) {
  for (int i = 0; i < n; i++) {
    int h = i;
    h = (h * 33) % 1009;
    h = (h * 17 + 3) % 997;
    h = h * 5 % 1013 + h / 7;
    h = (h * 3 + i) % 2039;
    t[h] += i;
    t[(i * 7 % 64) * 8 + (i / 8 % 8)] ^= h;
  }
}

void deep(int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n + m; j++) {
      if (i + j < n) b[i][j] = b[j][i] + 1;
      for (int k = i + j; k < n + m; k++) {
        if (k % 2 == 0) c[i][j % 18][k] = c[j % 18][i][k] + 1;
        for (int l = (i > j - k ? i : j - k); l < MIN(k, n); l++) {
          a[i][j % 18][k % 18][l] = a[i][j % 18][k % 18][l] + b[i][l] * c[k % 18][l][j % 18];
          b[k % 18][l] = b[i][l] - a[k % 18][j % 18][i][l];
        }
        c[i][j % 18][k % 18] += b[k % 18][j % 18];
      }
    }
}

void bounds(int n, int p, int q, int r, int s, int v, int w, int x, int y, int z) {
  for (int i = 0; i < n; i++) {
    int to = MIN(MIN(MIN(MIN(n, p + i), MIN(q + 2 * i, r)), MIN(s + 3 * i, v - i)), MIN(w + i, x - 2 * i));
    int from = -MIN(MIN(MIN(0, y - i), MIN(z - 2 * i, p - x)), MIN(q - 3 * i, r - 4 * i));
    for (int j = from; j < to; j++) um[i % 40][j % 40] += u[j];
  }
}

#ifndef LIMIT
#define LIMIT 1024
#endif
double cube[32][64][128];

double sample(int n, int low, int high) {
  double sum = 0;
  for (int j = 1; j <= LIMIT; j++) {
    int x = j % 128, y = 3 * j % 64, z = 5 * j % 32;
    if (x >= low && x <= high && y >= low && y <= high && z >= low && z <= high) sum += cube[z][y][x];
  }
  return sum;
}

// Hundreds of hard nests take no more together than a few of them: the rest says why it is left.
// RUN: %loopwright-clang -O3 -DMANY -mllvm -loopwright-stats -mllvm -loopwright-only=many -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: {{: ([2-4][0-9]{7})}} units of work
#ifdef MANY
#define HARD(K) for (int i = 0; i < n; i += 3) um[i % 40][(i + K) / 20 % 40] += u[i + K]; side();
#define FIVE(K) HARD(K) HARD(K + 1) HARD(K + 2) HARD(K + 3) HARD(K + 4)
void side(void);
void many(int n) { FIVE(0) FIVE(5) FIVE(10) FIVE(15) FIVE(20) FIVE(25) FIVE(30) FIVE(35) }
#endif
