// Bytes may be those of what says where they are and how many there are: `a.size()` of a vector of bytes is read again in each iteration, for its end and for its elements, and
// each iteration hands the beginning that it read on to the next. It is read once where the bytes are elsewhere.
//
// RUN: %loopwright-clang -O3 -c %s -o /dev/null -Rpass=loopwright 2>&1 | FileCheck %s
// RUN: clang-22 -O2 -DRUN %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -DRUN -mllvm -loopwright-min-work=0 %s -o %t.changed && %t.changed > %t.found && diff %t.expected %t.found
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct bytes {
  uint8_t *begin, *end;
};

// CHECK: bytes-of-vectors.c:[[#@LINE+2]]:3: remark: loop i0; i0 in vectors
__attribute__((noinline)) void invert(struct bytes *v) {
  for (size_t i = 0; i < (size_t)(v->end - v->begin); i++)
    v->begin[i] = 255 - v->begin[i];
}

// CHECK: bytes-of-vectors.c:[[#@LINE+2]]:3: remark: loop i0; i0 in vectors
__attribute__((noinline)) void copied(struct bytes *v, const struct bytes *from) {
  for (ptrdiff_t i = 0; i < v->end - v->begin; i++)
    v->begin[i] = from->begin[i] ^ 1;
}

// Each iteration writes where the next one begins: nothing stays the same.
__attribute__((noinline)) void moved(struct bytes *v, uint8_t *first) {
  v->begin = first;
  for (size_t i = 0; i < (size_t)(v->end - v->begin); i++) {
    v->begin[i] += 3;
    if (i % 16 == 5)
      v->begin++;
  }
}

#ifdef RUN
static uint8_t memory[4096];

// The bytes, with what says where they are at `at` among them, and the first `n` of which are the vector's.
static void among(size_t at, size_t n, int what) {
  for (size_t i = 0; i < sizeof memory; i++)
    memory[i] = i * 7;
  struct bytes *v = (struct bytes *)(memory + at), source = {memory + 2048, memory + 4096}, elsewhere = {memory, memory + n};
  *v = elsewhere;
  if (what == 0)
    invert(&elsewhere);
  else if (what == 1)
    copied(&elsewhere, &source);
  else if (what == 2)
    moved(&elsewhere, memory);
  else if (what == 3)
    copied(v, &source);
  else
    invert(v);
  unsigned sum = 0;
  for (size_t i = 0; i < sizeof memory; i++)
    if (i < at || i >= at + sizeof *v)
      sum = sum * 31 + memory[i];
  printf("%zu %zu %d %u\n", at, n, what, sum);
}

// The first byte that is written is the lowest one of where the bytes end.
__attribute__((noinline)) static void ends_itself(uint8_t *from, size_t n) {
  struct bytes *v = (struct bytes *)from;
  v->begin = from + 8;
  v->end = from + 8 + n;
  for (size_t i = 0; i < (size_t)(v->end - v->begin); i++)
    v->begin[i] = i ? v->begin[i] : 20;
}

int main(void) {
  for (size_t n = 0; n < 200; n += 13)
    for (int what = 0; what < 5; what++)
      among(1024, n, what);
  static _Alignas(256) uint8_t own[512];
  for (size_t n = 0; n < 60; n++) {
    memset(own, 255, sizeof own);
    ends_itself(own, n);
    unsigned sum = 0;
    for (size_t i = 16; i < sizeof own; i++)
      sum = sum * 31 + own[i];
    printf("%zu %td %u\n", n, ((struct bytes *)own)->end - ((struct bytes *)own)->begin, sum);
  }
}
#endif
