/* What differs between threads: thread-local variables, who runs a loop, where its stack is, what `errno` is; and how the thread that the
   loops belong to rounds. The program has one thread, and loops that are shared among several do what it does. */
#include "../kernel.h"
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#ifndef N
#define N SIZE_OR(20000)
#endif
#define W 12

static _Thread_local double own[DIM(N)], table[DIM(N)][W];
static __thread int marks[DIM(N)];
static _Thread_local struct {
  int n;
  double *x;
} view;

void scaled(int n, const double *restrict x) {
  for (int i = 0; i < n; i++)
    own[i] = 2 * own[i] + x[i];
}

void nested(int n, const double *restrict x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < W; j++)
      table[i][j] += x[i] * own[j % (n > 0 ? n : 1)];
}

void one_then_the_other(int n, const int *restrict key) {
  for (int i = 0; i < n; i++)
    marks[i] += key[i];
  for (int i = 0; i < n; i++)
    own[i] += marks[i] * 0.5;
}

void under_a_condition(int n, const int *restrict key) {
  for (int i = 0; i < n; i++)
    if (key[i] > 2)
      own[i] -= key[i];
}

void counted_in(int n, const int *restrict key) {
  for (int i = 0; i < n; i++)
    marks[key[i] % n]++;
}

void by_a_view(void) {
  for (int i = 0; i < view.n; i++)
    view.x[i] += 1 / (own[i] * own[i] + 1);
}

void addresses(int n, long *restrict at) {
  for (int i = 0; i < n; i++)
    at[i] = (long)&own[i] - i;
}

void callers(int n, unsigned long *restrict who) {
  for (int i = 0; i < n; i++)
    who[i] = (unsigned long)pthread_self() + i;
}

void frames(int n, void **restrict frame, void **restrict to) {
  for (int i = 0; i < n; i++) {
    frame[i] = __builtin_frame_address(0);
    to[i] = __builtin_return_address(0);
  }
}

void errors(int n, int *restrict seen) {
  for (int i = 0; i < n; i++)
    seen[i] += errno + i;
}

__attribute__((const, noinline)) double of_this_thread(int i) { return (double)((size_t)&own[i] - (size_t)own); }
__attribute__((const, noinline)) double plain(int i) { return i * 0.37 + 1; }
__attribute__((const, noinline)) double through_another(int i) { return of_this_thread(i / 2) + plain(i); }
__attribute__((const, noinline)) size_t place_of(int i) { return (size_t)&marks[i]; }

void by_functions(int n, double *restrict y, size_t *restrict at) {
  for (int i = 0; i < n; i++)
    y[i] += plain(i);
  for (int i = 0; i < n; i++)
    y[i] += through_another(i);
  for (int i = 0; i < n; i++)
    at[i] = place_of(i);
}

void rounded(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] / 3 + 0.1;
}

static long differences(int n, const long *at, const unsigned long *who, void **frame, void **to, const size_t *marked) {
  long count = 0;
  for (int i = 0; i < n; i++)
    count += (at[i] != (long)own + 7 * (long)i) + (who[i] != (unsigned long)pthread_self() + i) + (frame[i] != frame[0]) + (to[i] != to[0]) +
             (marked[i] != (size_t)&marks[i]);
  return count;
}

int main(void) {
  static const int modes[4] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N));
  int *key = allocate(sizeof(int) * DIM(N)), *seen = allocate(sizeof(int) * DIM(N));
  long *at = allocate(sizeof(long) * DIM(N));
  size_t *marked = allocate(sizeof(size_t) * DIM(N));
  unsigned long *who = allocate(sizeof(long) * DIM(N));
  void **frame = allocate(sizeof(void *) * DIM(N)), **to = allocate(sizeof(void *) * DIM(N));
  fill(x, DIM(N), 1);
  fill_int(key, DIM(N), 2, 1000);
  view.n = N, view.x = y;
  TIMED(3, scaled(N, x));
  TIMED(3, nested(N, x));
  TIMED(3, one_then_the_other(N, key));
  TIMED(3, under_a_condition(N, key));
  TIMED(3, counted_in(N, key));
  TIMED(3, by_a_view());
  TIMED(3, addresses(N, at));
  TIMED(3, callers(N, who));
  TIMED(3, frames(N, frame, to));
  errno = 5;
  TIMED(3, errors(N, seen));
  TIMED(3, by_functions(N, y, marked));
  long different = differences(N, at, who, frame, to, marked);
  digest(&different, sizeof different);
  digest(own, sizeof own);
  digest(table, sizeof table);
  digest(marks, sizeof marks);
  digest(y, sizeof(double) * DIM(N));
  digest(seen, sizeof(int) * DIM(N));
  for (int mode = 0; mode < 4; mode++) {
    fesetround(modes[mode]);
    TIMED(3, rounded(N, x, y));
    fesetround(FE_TONEAREST);
    digest(y, sizeof(double) * DIM(N));
  }
  return finish();
}
