// Loops that do nothing but search ask many elements at once, as far as the pages reach that are there for certain: arrays end, and begin, with these, and where
// something is found there may be no memory behind it. The counter and what else is handed on are those of the iteration that leaves.
//
// RUN: clang-22 -O1 %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native %s -o %t.native
// RUN: %t.native | diff %t.expected -
// RUN: %loopwright-clang -O2 %s -o %t.old
// RUN: %t.old | diff %t.expected -
// RUN: %loopwright-clang -O3 -mllvm -loopwright-no-read-ahead -g -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=EXACT %s
// EXACT-NOT: asks
// EXACT: the loop only reads, and ends where the data says so
// EXACT-NOT: asks
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWN __attribute__((noinline)) long
enum { PAGE = 4096, PAGES = 6, BYTES = PAGE * PAGES };

// What is noted where a way out has the same condition stays the same only where each iteration asks that.
OWN noted(const int *x, const int *y, int n, long *out) {
  long found = 0;
  int i = 0;
  for (; i < n; i++) {
    int a = x[i], b = y[i], c = a > 19;
    found = c ? 7 : found;
    if (b > 3) {
      if (c)
        break;
    } else if (b == -5)
      break;
  }
  *out = found;
  return i;
}

// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line [[#@LINE+2]] asks 16 elements at once
OWN where(const int *x, int n, int key) {
  for (int i = 0; i < n; i++)
    if (x[i] == key)
      return i;
  return -1;
}

// Two ways out, two arrays of different widths, and something that is counted beside.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line
OWN either(const float *x, const double *y, long n, float most) {
  long at = 0;
  for (long i = 0; i < n; i++) {
    if (x[i] > most)
      return at;
    if (fabs(y[i] - 1) > 1e100)
      break;
    at += 3;
  }
  return at + 1;
}

// One of several characters, told apart behind the loop.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line [[#@LINE+2]] asks 64 elements at once
OWN special(const char *x, long n) {
  for (long i = 0; i < n; i++)
    switch (x[i]) {
    case '\n':
      return i;
    case '"':
    case 0:
      return -i;
    case ';':
      goto out;
    }
out:
  return n;
}

// All but those.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line [[#@LINE+3]] asks
OWN spaces(const int *x, long n) {
  long i = 0;
  while (i < n && (x[i] == ' ' || x[i] == '\t' || x[i] == '\n' || x[i] == '\r'))
    i++;
  return i;
}

// One of several ranges, each asked for where the one before does not hold.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line [[#@LINE+2]] asks 64 elements at once
OWN name(const char *x, long n) {
  for (long i = 0; i < n; i++)
    if (!((x[i] >= 'a' && x[i] <= 'z') || (x[i] >= 'A' && x[i] <= 'Z') || x[i] == '_' || x[i] == 1))
      return i;
  return n;
}

// Where the second one ends is where the first one was left: backward from the end, then forward from the beginning.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line
OWN trimmed(const char *x, long n) {
  long first, last;
  for (last = n - 1; last >= 0; last--)
    if (x[last] != 1)
      break;
  // CHECK: searches.c:[[#@LINE+1]]:3: remark: the search at line
  for (first = 0; first < last; first++)
    if (x[first] != 1)
      break;
  return last * 10000 + first;
}

// From the end; what is compared with is the counter.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line
OWN from_the_end(const short *x, int n) {
  int i;
  for (i = n - 1; i >= 0; i--)
    if (x[i] == (short)(i * 3))
      break;
  return i;
}

// From both ends.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN is_palindrome(const char *x, long n) {
  for (long i = 0, j = n - 1; i < j; i++, j--)
    if (x[i] != x[j])
      return i;
  return -1;
}

// A pointer that comes to another one.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN by_pointers(const long *from, const long *to, long key) {
  while (from != to && *from != key)
    from++;
  return from == to ? -1 : to - from;
}

// No end but what is looked for.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line
OWN sentinel(const unsigned *x, unsigned key) {
  long i = 0;
  while ((x[i] & 0xffff) != key)
    i += 1;
  return i;
}

// What was read is handed on.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN texts(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a - *b;
}

// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN is_sorted(const double *x, int n) {
  for (int i = 1; i < n; i++)
    if (!(x[i - 1] <= x[i]))
      return i;
  return n;
}

// Addresses.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN first_without(void *const *x, int n) {
  for (int i = 0; i < n; i++)
    if (!x[i])
      return i;
  return n;
}

// Fields of structs, two of them; backward, too.
struct pair {
  int kind, key;
};
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN pairs(const struct pair *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i].key == -9)
      return i;
    if (x[i].kind < x[i].key)
      return -i;
  }
  return n;
}
// CHECK: searches.c:[[#@LINE+2]]:3: remark: the search at line
OWN last_pair(const struct pair *x, int n) {
  for (int i = n - 1; i >= 0; i--)
    if (x[i].key == -9)
      return i;
  return n;
}

// Found first, for a loop that does something else as well.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: {{.*}}i in vectors; the exit at line [[#@LINE+3]] is found first
OWN computed(const float *restrict x, float *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 2)
      return i;
    y[i] = (x[i] * x[i] * 3 + 1) / (x[i] + 2) + x[i] * (x[i] - 1) / 3;
  }
  return n;
}

// What decides is read only where something else says so: its pages may not be there.
// CHECK: searches.c:[[#@LINE+2]]:3: remark: loop nest left as it was: {{.*}}
OWN sometimes(const int *x, const int *y, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] && y[i] == 5)
      return i;
  return n;
}

// The end of a text has a function of its own.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: loop nest left as it was: {{.*}}
OWN length(const char *x) {
  long i = 0;
  while (x[i])
    i++;
  return i;
}

// A bound that the program does not ask for is not asked for.
// CHECK: searches.c:[[#@LINE+3]]:3: remark: the search at line
static long poisoned(const int *x, int key, int s) {
  int i = 0;
  for (;;) {
    if (x[i] == key)
      break;
    if (++i >= 1 << s)
      break;
  }
  return i;
}
OWN first_is_it(const int *x, int key) {
  return poisoned(x, key, 40);
}

// To be small.
// CHECK-NOT: searches.c:[[#@LINE+3]]:{{.*}}asks
__attribute__((minsize))
OWN small(const int *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] == 3)
      return i;
  return n;
}

static char *region(void) {
  char *all = mmap(0, BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(all + PAGE, BYTES, PROT_READ | PROT_WRITE);
  return all + PAGE;
}

static unsigned long state = 7;
static long next(long below) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (state >> 33) % below;
}

// So many elements of this size, at the end of the region or at its beginning.
static void *placed(char *region, long n, long size, int at_end) {
  memset(region, 1, BYTES);
  return at_end ? region + BYTES - n * size : region;
}

int main(void) {
  char *a = region(), *b = region();
  static float out[3000];
  long sums[16] = {0};
  for (int round = 0; round < 600; round++) {
    int n = round < 60 ? round : next(2900) + 1, at_end = next(4) != 0;
    // What is found is the last element that there is, if nothing is behind it.
    int at = at_end && n ? n - 1 - next(3) % n : next(n + 1), is_there = next(4) != 0 && at < n;
    int *x = placed(a, n, sizeof *x, at_end);
    if (is_there)
      x[at] = -9;
    sums[0] += where(x, is_there && at_end && at == n - 1 ? 100000 : n, -9) * round;
    if (is_there)
      sums[5] += sentinel((unsigned *)x, -9 & 0xffff) * round;
    float *f = placed(a, n, sizeof *f, at_end);
    double *d = placed(b, n, sizeof *d, 1);
    if (is_there)
      f[at] = 3;
    if (n)
      d[next(n)] = 1e200;
    sums[1] += either(f, d, n, 2) * round;
    sums[9] += computed(f, out, n) * round + (n ? (long)(out[n / 2] * 100) : 0);
    for (int i = 0; i < n; i++)
      d[i] = i < at ? i : i - 1.5 * (i == at);
    sums[7] += is_sorted(d, n) * round;
    short *s = placed(a, n, sizeof *s, 0);
    if (is_there)
      s[at] = at * 3;
    sums[2] += from_the_end(s, n) * round;
    char *c = placed(a, n, 1, at_end);
    if (is_there)
      c[at] = 7;
    sums[3] += is_palindrome(c, n) * round;
    c = placed(a, n, 1, at_end);
    if (is_there)
      c[at] = "\n\";"[next(4)];
    sums[14] += trimmed(c, n) * round + name(c, is_there && at_end && at == n - 1 ? 100000 : n) * 3;
    sums[13] += special(c, is_there && at_end && at == n - 1 ? 100000 : n) * round;
    x = placed(a, n, sizeof *x, at_end);
    for (int i = 0; i < n; i++)
      x[i] = " \t\n\r"[next(4)];
    if (is_there)
      x[at] = '\f';
    sums[14] += spaces(x, n) * round;
    long *l = placed(a, n, sizeof *l, at_end);
    if (is_there)
      l[at] = -9;
    sums[4] += by_pointers(l, l + n, -9) * round;
    sums[8] += (is_there ? 1 : 0) + first_without((void *const *)l, n) * round;
    if (n) {
      char *t = placed(a, n, 1, 1), *u = placed(b, n, 1, 1);
      t[n - 1] = u[n - 1] = 0;
      if (is_there)
        t[at] = 5;
      sums[6] += texts(t, u) * round + length(u);
    }
    int *noting = placed(a, n, sizeof *noting, 1), *leaving = placed(b, n, sizeof *leaving, 1);
    for (int i = 0; i < n; i++) {
      noting[i] = next(300) ? next(20) : 20;
      leaving[i] = next(40) ? next(8) : -5;
    }
    long note = 0;
    sums[15] += noted(noting, leaving, n, &note) * round;
    sums[15] += note;
    int *some = placed(a, n, sizeof *some, 1), *other = placed(b, n / 2, sizeof *other, 1);
    for (int i = n / 2; i < n; i++)
      some[i] = 0;
    sums[10] += sometimes(some, other, n) * round;
    sums[11] += small(some, n) * round;
    struct pair *p = placed(a, n, sizeof *p, at_end);
    if (is_there)
      p[at].key = -9;
    sums[12] += pairs(p, n) * round;
    p = placed(a, n, sizeof *p, 0);
    if (is_there)
      p[at].key = -9;
    sums[12] += last_pair(p, n) * round;
  }
  printf("%ld\n", first_is_it((int *)a, *(int *)a));
  for (int i = 0; i < 16; i++)
    printf("%d: %ld\n", i, sums[i]);
  return 0;
}
