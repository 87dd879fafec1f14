// Which elements are touched only data says: that is measured before the loops, to the byte, of numbers with a sign and without. Where what is
// written ends before all of them or begins behind, threads share the loops; where one element is both, the program's own loops run.
//
// RUN: %loopwright-clang -O3 -fopenmp -mllvm -loopwright-min-work=0 -Wl,--wrap=__kmpc_fork_call %s -o %t
// RUN: env OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive %t | FileCheck %s
//
// Where there is one thread nothing is measured.
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s --check-prefix=ONE
#include <stdio.h>
#include <string.h>

// How often threads are forked: the linker puts this before the runtime's function.
long forks;
__asm__(".globl __wrap___kmpc_fork_call\n__wrap___kmpc_fork_call:\n  incq forks(%rip)\n  jmp __real___kmpc_fork_call@PLT\n");

enum { N = 24, MIDDLE = 300, SIZE = 2 * MIDDLE };

struct three { double a, b, c; };

typedef void loop(int n, const void *numbers, const double *x, const double *z, double *y);

// Each loop twice: with new loops, and as it stands.
#define BOTH(name, ty, ...)                                                                                                            \
  __attribute__((noinline)) static void name(int n, const void *numbers, const double *x, const double *z, double *y) {                 \
    const ty *at = numbers;                                                                                                            \
    for (int i = 0; i < n; i++) __VA_ARGS__                                                                                            \
  }                                                                                                                                    \
  __attribute__((noinline, optnone)) static void name##_plain(int n, const void *numbers, const double *x, const double *z, double *y) { \
    const ty *at = numbers;                                                                                                            \
    for (int i = 0; i < n; i++) __VA_ARGS__                                                                                            \
  }

BOTH(ints, int, { y[i] = x[at[i]] * 2; })
BOTH(unsigned_ints, unsigned, { y[i] = x[at[i]] * 2; })
BOTH(longs, long, { y[i] = x[at[i]] * 2; })
BOTH(unsigned_longs, unsigned long, { y[i] = x[at[i]] * 2; })
// Two accesses that are apart by a constant, the same number of two widths, two arrays.
BOTH(two_places, int, { y[i] = x[at[i] + 3l] - x[at[i] - 2l]; })
BOTH(two_widths, int, { y[i] = x[at[i]] - x[(signed char)(at[n - 1 - i] / 2)]; })
BOTH(one_of_two, int, { y[i] = x[at[i]] - (at[i] > 1000 ? x[(signed char)(at[i] / 2)] : 0); })
BOTH(two_arrays, int, { y[i] = x[at[i]] - z[at[n - 1 - i]]; })
// Members, of which only one is read.
BOTH(members, int, { y[i] = ((const struct three *)x)[at[i] / 3].b; })
// An address that takes two numbers.
BOTH(sums, long, { y[i] = (x + at[i])[at[n - 1 - i] / 2]; })
// Only in some iterations, or in none.
BOTH(some, int, { if ((at[i] & 3) == 1) y[i] = x[at[i]]; })
BOTH(none, int, { if (at[i] > 1000) y[i] = x[at[i]]; })
BOTH(inner, int, {
  double s = 0;
  for (int k = i; k < n && k < i + 3; k++) s += x[at[k]];
  y[i] = s;
})

// What is around the element changes nothing about which it is.
BOTH(repeated, int, {
  double s = x[at[i]];
  for (int k = 0; k < n; k++) s = s * 0.5 + k;
  y[i] = s;
})

// Each thread has its own copy of what is counted, as far as that is touched.
typedef void counting(int n, const int *restrict at, const int *restrict key, const double *x, long *count);

#define COUNTED(name, restricted, ...)                                                                                                          \
  __attribute__((noinline)) static void name(int n, const int *restrict at, const int *restrict key, const double *x, long *restricted count) { \
    for (int i = 0; i < n; i++) __VA_ARGS__                                                                                                     \
  }                                                                                                                                             \
  __attribute__((noinline, optnone)) static void name##_plain(int n, const int *at, const int *key, const double *x, long *count) {             \
    for (int i = 0; i < n; i++) __VA_ARGS__                                                                                                     \
  }

COUNTED(counted, , { count[key[i]] += i; })
COUNTED(counted_alone, restrict, { count[key[i]] += i; })
// What is read is measured as well, for another reason.
double written[N];
COUNTED(counted_beside, restrict, { count[key[i]] += (long)(written[i] = x[at[i]]); })
COUNTED(counted_data, , { count[key[i]] += (long)x[at[i]]; })

// What tries them stays as it is.
#pragma clang optimize off

static const struct {
  const char *name;
  loop *ours, *plain;
  int size, is_signed;
} all[] = {
#define LOOP(name, ty) {#name, name, name##_plain, sizeof(ty), (ty)-1 < 0}
    LOOP(ints, int), LOOP(unsigned_ints, unsigned), LOOP(longs, long), LOOP(unsigned_longs, unsigned long), LOOP(two_places, int),
    LOOP(two_widths, int), LOOP(one_of_two, int), LOOP(two_arrays, int), LOOP(members, int), LOOP(sums, long), LOOP(some, int), LOOP(none, int), LOOP(inner, int), LOOP(repeated, int),
};

static int n_wrong, n_shared, n_alone;

static void said(const char *what) {
  printf("%s: %d wrong, shared %d, alone %d\n", what, n_wrong, n_shared, n_alone);
  n_wrong = n_shared = n_alone = 0;
}

static double memory[SIZE], before[SIZE], expected[SIZE], other[SIZE];
static long numbers[N];

static void put(int size, int at, long value) {
  int narrow = value;
  memcpy((char *)numbers + at * size, size == 4 ? (void *)&narrow : (void *)&value, size);
}

static void run(loop *what, double *y) { what(N, numbers, memory + MIDDLE, memory + MIDDLE + 40, y); }

// With numbers from `low` to `high`: each place of what is written around what is read.
static void compared(int which, int low, int high) {
  int size = all[which].size, first = SIZE, last = -1;
  for (int i = 0; i < N; i++) put(size, i, i == N / 2 ? high : i == N / 3 ? low : low + i * 7 % (high - low + 1));
  // What is read is what changes something.
  for (int at = -1; at < SIZE; at++) {
    memset(other, 0, sizeof other), memcpy(memory, before, sizeof before);
    if (at >= 0) memory[at] = at * 1e3;
    run(all[which].plain, other);
    if (at >= 0 && memcmp(other, expected, sizeof other)) first = at < first ? at : first, last = at;
    if (at < 0) memcpy(expected, other, sizeof other);
  }
  for (int at = last < 0 ? MIDDLE : first - N - 2; at <= (last < 0 ? MIDDLE + 50 : last + 3); at++) {
    if (at < 0 || at + N > SIZE) continue;
    memcpy(memory, before, sizeof before), run(all[which].plain, memory + at), memcpy(expected, memory, sizeof expected);
    long forked = forks;
    memcpy(memory, before, sizeof before), run(all[which].ours, memory + at);
    int is_shared = forks > forked, is_apart = at + N <= first || at > last;
    n_wrong += memcmp(memory, expected, sizeof expected) || is_shared != is_apart;
    *(is_shared ? &n_shared : &n_alone) += 1;
  }
}

// Of what is counted and what is read, at each distance from each other.
static void counts(void) {
  static const struct {
    const char *name;
    counting *ours, *plain;
  } all[] = {{"counted", counted, counted_plain}, {"counted alone", counted_alone, counted_alone_plain}, {"counted beside", counted_beside, counted_beside_plain}, {"counted data", counted_data, counted_data_plain}};
  static int at[N], key[N];
  for (int which = 0; which < 4; which++) {
    for (int distance = -80; distance <= 80; distance++) {
      // What promises not to overlap does not.
      if (which == 2 && distance > -38 && distance < 48) continue;
      for (int i = 0; i < N; i++) at[i] = 5 + i * 7 % 30, key[i] = distance % 3 ? 20 + i * 5 % 23 : -9 - i % 4;
      memcpy(memory, before, sizeof before), all[which].plain(N, at, key, memory + MIDDLE, (long *)memory + MIDDLE + distance);
      memcpy(expected, memory, sizeof expected);
      long forked = forks;
      memcpy(memory, before, sizeof before), all[which].ours(N, at, key, memory + MIDDLE, (long *)memory + MIDDLE + distance);
      n_wrong += memcmp(memory, expected, sizeof expected) != 0;
      *(forks > forked ? &n_shared : &n_alone) += 1;
    }
    said(all[which].name);
  }
}

int main(void) {
  for (int i = 0; i < SIZE; i++) before[i] = 1 + i * 37 % 101;
  for (int which = 0; which < (int)(sizeof all / sizeof *all); which++) {
    compared(which, 10, 60);
    compared(which, 65, 120);
    // One element; of two arrays they would be apart.
    if (all[which].ours != two_arrays) compared(which, 33, 33);
    if (all[which].is_signed) compared(which, -100, -30), compared(which, -40, 25);
    said(all[which].name);
  }
  counts();
  // CHECK: ints: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: unsigned_ints: 0 wrong, shared 18, alone 177{{$}}
  // CHECK-NEXT: longs: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: unsigned_longs: 0 wrong, shared 18, alone 177{{$}}
  // CHECK-NEXT: two_places: 0 wrong, shared 30, alone 385{{$}}
  // CHECK-NEXT: two_widths: 0 wrong, shared 30, alone 430{{$}}
  // CHECK-NEXT: one_of_two: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: two_arrays: 0 wrong, shared 24, alone 496{{$}}
  // CHECK-NEXT: members: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: sums: 0 wrong, shared 30, alone 357{{$}}
  // CHECK-NEXT: some: 0 wrong, shared 30, alone 320{{$}}
  // CHECK-NEXT: none: 0 wrong, shared 255, alone 0{{$}}
  // CHECK-NEXT: inner: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: repeated: 0 wrong, shared 30, alone 360{{$}}
  // CHECK-NEXT: counted: 0 wrong, shared 53, alone 108{{$}}
  // CHECK-NEXT: counted alone: 0 wrong, shared 53, alone 108{{$}}
  // CHECK-NEXT: counted beside: 0 wrong, shared 25, alone 51{{$}}
  // CHECK-NEXT: counted data: 0 wrong, shared 42, alone 119{{$}}
  // ONE: ints: {{[0-9]+}} wrong, shared 0, alone 390{{$}}
}
