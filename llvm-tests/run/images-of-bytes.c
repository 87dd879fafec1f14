// Images of bytes, whose rows are as long as a number says, behind pointers that the loops read again, as bytes may be anything: also the pointers themselves, which
// then lead elsewhere in the middle of the loops. Numbers of fewer bits may wrap around on the way to an element.
//
// RUN: clang-22 -O1 -fno-vectorize %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O2 -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.short
// RUN: %t.short | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT __attribute__((noinline))
typedef unsigned char byte;
typedef struct {
  byte *first;
  int w, h;
} image;

// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: loops i, j; j in vectors
KEPT void blur(int n, int m, const image *a, image *o) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      o->first[i * m + j] =
          (a->first[(i - 1) * m + j] + a->first[(i + 1) * m + j] + a->first[i * m + j - 1] + a->first[i * m + j + 1]) >> 2;
}

// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: loops i, j; j in vectors
KEPT void life(int n, int m, const image *a, image *o) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int s = 0;
      for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
          s += a->first[(i + y) * m + j + x];
      o->first[i * m + j] = s == 3 || (s == 4 && a->first[i * m + j]);
    }
}

// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: {{.*}} in vectors
KEPT void copy(int n, int m, int w, const image *a, image *o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      o->first[i * m + j] = a->first[i * m + j];
}

// Colours, of which there are three for each place.
// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: loops i, j, c; c in vectors
KEPT void turned(const image *a, image *o) {
  for (int i = 0; i < a->h; i++)
    for (int j = 0; j < a->w; j++)
      for (int c = 0; c < 3; c++)
        o->first[3 * (i * o->w + j) + c] = a->first[3 * (i * a->w + j) + 2 - c];
}

// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: the loop as it is, which LLVM puts into vectors
KEPT void gray(const image *a, image *o) {
  for (int i = 0; i < a->h; i++)
    for (int j = 0; j < a->w; j++)
      o->first[i * a->w + j] =
          (a->first[3 * (i * a->w + j)] * 77 + a->first[3 * (i * a->w + j) + 1] * 150 + a->first[3 * (i * a->w + j) + 2] * 29) >> 8;
}

// The number of an element has 16 bits, and may begin again at 0.
KEPT void wraps(unsigned n, unsigned m, unsigned w, const image *a, image *o) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < w; j++)
      o->first[(unsigned short)(i * m + j)] = a->first[(unsigned short)(i * m + j + 3)] + 1;
}

KEPT void wraps_signed(int n, short m, int w, const image *a, image *o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < w; j++)
      o->first[(short)(i * m + j)] = a->first[(short)(i * m - j)] + 1;
}

// The sizes are behind the pointers as well.
// CHECK: images-of-bytes.c:[[#@LINE+2]]:3: remark: loops i, j; j in vectors
KEPT void inverted(image *a) {
  for (int i = 0; i < a->h; i++)
    for (int j = 0; j < a->w; j++)
      a->first[i * a->w + j] = 255 - a->first[i * a->w + j];
}

// Rows backwards.
KEPT void mirrored(int n, int m, const image *a, image *o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      o->first[(n - 1 - i) * m + m - 1 - j] = a->first[i * m + j];
}

enum { ROOM = 1 << 17, MIDDLE = ROOM / 2 };
static byte *from, *to, *other;

static unsigned long hash(const byte *all, unsigned long seed) {
  for (int i = 0; i < ROOM; i++)
    seed = seed * 31 + all[i];
  return seed;
}

static void fill(void) {
  for (int i = 0; i < ROOM; i++)
    from[i] = i % 911 * (i % 911) % 251, to[i] = i % 7, other[i] = i * 13 % 255;
}

int main(void) {
  // One byte tells their addresses apart: it can be written alone.
  from = aligned_alloc(8 * ROOM, 8 * ROOM), other = from + ROOM, to = from + 2 * ROOM;
  int sizes[] = {0, 1, 2, 3, 5, 8, 17, 64, 100};
  for (int n = 0; n < 9; n++)
    for (int m = 0; m < 9; m++) {
      int rows = sizes[n], columns = sizes[m];
      fill();
      image a = {from, 0, 0}, o = {to, 0, 0};
      blur(rows, columns, &a, &o);
      copy(rows, columns, columns / 2, &a, &o);
      copy(rows / 2, columns / 3, columns, &a, &o);
      a.first += ROOM / 2;
      copy(rows, -columns, columns, &a, (o.first = to + MIDDLE, &o));
      o.first = to + 1000;
      mirrored(rows, columns, &a, &o);
      for (int i = 0; i < ROOM; i++)
        from[i] &= 1;
      life(rows, columns, &a, &o);
      image coloured = {from, columns, rows}, other_way = {to + 77, columns, rows}, mixed = {to + 301, columns, rows};
      turned(&coloured, &other_way);
      gray(&coloured, &mixed);
      // Into the same rows, and into the image's own number of rows, which is 0 or 1 then.
      other_way.first = from + 3 * columns + 1;
      turned(&coloured, &other_way);
      image *inside = (image *)(to + MIDDLE);
      *inside = (image){from, columns, rows};
      mixed.first = (byte *)&inside->h;
      gray(inside, &mixed);
      memset(inside, 0, sizeof *inside);
      image own = {from + 17, columns, rows};
      inverted(&own);
      // Sizes in the rows themselves: their highest byte is inverted, and there are no more rows.
      image *within = (image *)(from + MIDDLE);
      *within = (image){from + MIDDLE - columns, columns, rows};
      inverted(within);
      memset(within, 0, sizeof *within);
      // Onto itself, a row further.
      image same = {from + MIDDLE, 0, 0}, shifted = {from + MIDDLE + columns, 0, 0};
      blur(rows, columns, &same, &shifted);
      printf("%d %d %lx\n", rows, columns, hash(from, hash(to, 1)));
    }
  unsigned strides[] = {0, 1, 7, 255, 256, 4096, 16384, 32768, 32769, 65535, 65536, 70000};
  for (int at = 0; at < 12; at++)
    for (int n = 0; n < 40; n += 3) {
      fill();
      image a = {from, 0, 0}, o = {to, 0, 0};
      wraps(n, strides[at], 90, &a, &o);
      a.first += MIDDLE, o.first += MIDDLE;
      wraps_signed(n, (short)strides[at], 90, &a, &o);
      printf("%d %d %lx\n", at, n, hash(to, 1));
    }
  // What is written are the pointers: those that `from` has in the same places.
  for (int place = 0; place < 3000; place += 61)
    for (int which = 0; which < 2; which++) {
      fill();
      image *a = (image *)(to + 4096 + place / 8 * 8), *o = a + 1;
      *a = (image){from, 0, 0}, *o = (image){to, 0, 0};
      image changed = {other, 0, 0}, stays = {to, 0, 0};
      memcpy(from + ((byte *)a - to), which ? &changed : &(image){from, 0, 0}, sizeof changed);
      memcpy(from + ((byte *)o - to), which ? &stays : &(image){other, 0, 0}, sizeof stays);
      memcpy(other + ((byte *)a - to), &changed, sizeof changed);
      memcpy(other + ((byte *)o - to), &(image){other, 0, 0}, sizeof stays);
      copy(90, 97, 97, a, o);
      long at = (byte *)a - to;
      memset(from + at, 0, 2 * sizeof *a), memset(to + at, 0, 2 * sizeof *a), memset(other + at, 0, 2 * sizeof *a);
      printf("%d %d %lx\n", place, which, hash(from, hash(to, hash(other, 1))));
    }
}
