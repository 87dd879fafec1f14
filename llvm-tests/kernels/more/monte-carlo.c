/* Inner loops that compute each value from the one before, as random numbers are, inside of outer loops that count, add up or look for the
   largest of what they see. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(2000)
#endif
#define TURNS 50

static inline uint64_t next(uint64_t s) { return s * 6364136223846793005u + 1442695040888963407u; }

long in_circle(int n, uint64_t seed) {
  long hits = 0;
  for (int i = 0; i < n; i++) {
    uint64_t s = seed + (uint64_t)i * 2654435761u;
    for (int k = 0; k < TURNS; k++) {
      s = next(s);
      double x = (double)(s >> 33) / 2147483648.0;
      s = next(s);
      double y = (double)(s >> 33) / 2147483648.0;
      if (x * x + y * y < 1.0)
        hits++;
    }
  }
  return hits;
}

long per_row(int n, int turns, uint64_t seed, int *counts) {
  long hits = 0;
  for (int i = 0; i < n; i++) {
    uint64_t s = seed + (uint64_t)i;
    int own = 0;
    for (int k = 0; k < turns; k++) {
      s = next(s);
      if ((s >> 33) % 3 == 0)
        own++;
    }
    counts[i] = own;
    hits += own;
  }
  return hits;
}

long added(int n, int turns, const int *a) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    long s = a[i];
    for (int k = 0; k < turns; k++) {
      s = (s * 3 + k) & 0xffff;
      sum += s;
    }
  }
  return sum;
}

/* The value before it goes on. */
long added_before(int n, int turns, const int *a) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    long s = a[i];
    for (int k = 0; k < turns; k++) {
      sum += s;
      s = (s * 5 + k) & 0xffff;
    }
  }
  return sum;
}

uint64_t mixed(int n, int turns, uint64_t seed) {
  uint64_t all = 0, most = 0;
  for (int i = 0; i < n; i++) {
    uint64_t s = seed ^ (uint64_t)i;
    for (int k = 0; k < turns; k++) {
      s = next(s);
      all ^= s;
      most = s > most ? s : most;
    }
  }
  return all + most;
}

/* Two values that depend on each other. */
unsigned pairs(int n, int turns) {
  unsigned sum = 0;
  for (int i = 0; i < n; i++) {
    unsigned a = (unsigned)i, b = 1;
    for (int k = 0; k < turns; k++) {
      unsigned c = a + b;
      a = b;
      b = c;
      sum += c % 7;
    }
    sum += a;
  }
  return sum;
}

long floats(int n, int turns, const double *x) {
  long high = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int k = 0; k < turns; k++) {
      v = 3.9 * v * (1 - v);
      high += v > 0.5;
    }
  }
  return high;
}

long roots(int n, int turns, const double *x) {
  long high = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int k = 0; k < turns; k++) {
      v = sqrt(v + k) - 0.5 * v;
      if (v > 1)
        high += 2;
    }
  }
  return high;
}

void histogram(int n, int turns, uint64_t seed, long *bins) {
  for (int i = 0; i < n; i++) {
    uint64_t s = seed + (uint64_t)i;
    for (int k = 0; k < turns; k++) {
      s = next(s);
      bins[s >> 58]++;
    }
  }
}

/* The sum of floating-point numbers keeps its order. */
double strict(int n, int turns, const double *x) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int k = 0; k < turns; k++) {
      v = 3.7 * v * (1 - v);
      sum += v;
    }
  }
  return sum;
}

long until(int n, long *longest) {
  long steps = 0, most = 0;
  for (int i = 1; i < n; i++) {
    long v = i, own = 0;
    while (v != 1) {
      v = v % 2 ? 3 * v + 1 : v / 2;
      own++;
    }
    steps += own;
    most = own > most ? own : most;
  }
  *longest = most;
  return steps;
}

/* One sequence from beginning to end. */
long one_sequence(int n, unsigned s) {
  long hits = 0;
  for (int i = 0; i < n; i++) {
    s = s * 1664525u + 1013904223u;
    if ((s >> 16) % 3 == 0)
      hits++;
  }
  return hits;
}

long three_deep(int n, int turns, const int *a) {
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++) {
      int s = a[i] + j;
      for (int k = 0; k < turns; k++) {
        s = (s * 7 + k) & 1023;
        sum += s == 5 ? k : 1;
      }
    }
  return sum;
}

int main(void) {
  int *a = allocate(sizeof(int) * DIM(N)), *counts = allocate(sizeof(int) * DIM(N));
  double *x = allocate(sizeof(double) * DIM(N));
  long bins[64] = {0}, results[16] = {0};
  double sums[2] = {0};
  fill_int(a, DIM(N), 1, 1000);
  fill(x, DIM(N), 2);
  for (int turns = 0; turns <= TURNS; turns += TURNS / 2) {
    TIMED(1, results[0] += in_circle(N, 1 + (uint64_t)turns));
    TIMED(1, results[1] += per_row(N, turns, 3, counts));
    TIMED(1, results[2] += added(N, turns, a));
    TIMED(1, results[3] += added_before(N, turns, a));
    TIMED(1, results[4] += (long)(mixed(N, turns, 9) >> 1));
    TIMED(1, results[5] += pairs(N, turns));
    TIMED(1, results[6] += floats(N, turns, x));
    TIMED(1, results[7] += roots(N, turns, x));
    TIMED(1, histogram(N, turns, 7, bins));
    TIMED(1, sums[0] += strict(N, turns, x));
    TIMED(1, results[8] += until(N, &results[9]));
    TIMED(1, results[10] += one_sequence(N, 5));
    TIMED(1, results[11] += three_deep(N, turns, a));
    digest(counts, sizeof(int) * DIM(N));
  }
  digest(bins, sizeof bins);
  digest(results, sizeof results);
  digest(sums, sizeof sums);
  return finish();
}
