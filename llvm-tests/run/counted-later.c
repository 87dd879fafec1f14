// Ends that scalar evolution counts only once it has looked at the loop: how many elements may be asked ahead is what was counted when that was computed. Arrays
// begin and end where memory does.
//
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -Xclang -load -Xclang %plugin %s -o %t
// RUN: %loopwright-clang -O3 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.short
// RUN: clang-22 -O1 -fno-vectorize %s -o %t.plain
// RUN: %t.plain > %t.expected && %t | diff - %t.expected && %t.short | diff - %t.expected
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef unsigned char byte;
typedef unsigned long word;

static long end;

// A search with stores, and one without, with an end of its own.
#define LOOPS(NAME, COUNTER, FROM, ENDS)                                                                               \
  __attribute__((noinline)) static long NAME##_stores(const byte *restrict x, const byte *restrict z,                 \
                                                      byte *restrict q, long n, byte key) {                           \
    long found = -1;                                                                                                   \
    for (COUNTER i = FROM; ENDS; i++) {                                                                                \
      q[i] = z[i] + 1;                                                                                                 \
      if (x[i] == key) {                                                                                               \
        found = i;                                                                                                     \
        break;                                                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
    return found;                                                                                                      \
  }                                                                                                                    \
  __attribute__((noinline)) static long NAME##_only(const byte *x, const byte *z, byte *q, long n, byte key) {         \
    for (COUNTER i = FROM; ENDS; i++)                                                                                  \
      if (x[i] == key || z[i] == 255)                                                                                  \
        return i;                                                                                                      \
    return -1;                                                                                                         \
  }

LOOPS(next_in, word, 0, i + 1 <= (word)n)
LOOPS(next_before, word, 0, i + 1 < (word)n + 1)
LOOPS(more_behind, word, 0, (word)n >= i + 1)
LOOPS(three_behind, word, 0, i + 3 < (word)n + 3)
LOOPS(narrow, unsigned, 0, i + 1 <= (unsigned)n)
LOOPS(narrow_number, unsigned, 0, i + 1u < (unsigned)n + 1u)
LOOPS(twice, word, 0, 2 * i + 1 < 2 * (word)n)
LOOPS(signed_next, long, 0, i + 1 <= n)
LOOPS(other_end, word, 0, i + 1 <= (word)n && i < 150)
LOOPS(not_equal, word, 0, i + 5 != (word)n + 5)
LOOPS(left_over, word, 0, (word)n - i > 0)

typedef long search(const byte *, const byte *, byte *, long, byte);

int main() {
  search *all[] = {next_in_stores, next_in_only, next_before_stores, next_before_only, more_behind_stores, more_behind_only,
                   three_behind_stores, three_behind_only, narrow_stores, narrow_only, narrow_number_stores,
                   narrow_number_only, twice_stores, twice_only, signed_next_stores, signed_next_only, other_end_stores,
                   other_end_only, not_equal_stores, not_equal_only, left_over_stores, left_over_only};
  char *rooms[3];
  for (int i = 0; i < 3; i++) {
    char *room = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(room, 4096, PROT_NONE);
    mprotect(room + 8192, 4096, PROT_NONE);
    rooms[i] = room + 4096;
  }
  for (unsigned at = 0; at < sizeof all / sizeof *all; at++) {
    word hash = 0;
    for (int mode = 0; mode < 8; mode++)
      for (int n = 0; n < 200; n += n < 70 ? 1 : 9)
        for (int place = -1; place < n; place += place < 40 ? 1 : 7) {
          byte *v[3];
          memset(rooms[2], 7, 4096);
          for (int i = 0; i < 3; i++)
            v[i] = (byte *)rooms[i] + (mode >> i & 1 ? 4096 - n : 0);
          memset(v[0], 0, n);
          for (int i = 0; i < n; i++)
            v[1][i] = i;
          if (place >= 0)
            v[0][place] = 9;
          hash = hash * 31 + all[at](v[0], v[1], v[2], n, 9);
          for (int i = 0; i < 4096; i++)
            hash = hash * 31 + (byte)rooms[2][i];
        }
    printf("%u %lx\n", at, hash);
  }
}
