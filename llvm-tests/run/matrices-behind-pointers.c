// Matrices behind pointers to structures, and in structures that are passed by value, several numbers in one register. What is read in an inner loop is read
// where that runs at all: else it may not even be there.
//
// RUN: clang-22 -O1 -ffp-contract=off -fno-vectorize %s -o %t.plain
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=off -g -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.with 2>&1 | FileCheck %s
// RUN: %t.with | diff %t.expected -
// RUN: %loopwright-clang -O2 -ffp-contract=off -fno-strict-aliasing -Xclang -load -Xclang %plugin -mllvm -loopwright-min-work=0 %s -o %t.short
// RUN: %t.short | diff %t.expected -
// RUN: %loopwright-clang -O3 -ffp-contract=off -fopenmp -mllvm -loopwright-min-work=0 %s -o %t.threads
// RUN: env OMP_NUM_THREADS=3 %t.threads | diff %t.expected -
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define KEPT __attribute__((noinline))

typedef struct {
  int rows, columns;
  double *first;
} matrix;

// CHECK: matrices-behind-pointers.c:[[#@LINE+2]]:3: remark: {{.*}}tiled {{.*}} in vectors
KEPT void product(const matrix *a, const matrix *b, matrix *o) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < b->columns; j++) {
      double s = 0;
      for (int k = 0; k < a->columns; k++)
        s += a->first[i * a->columns + k] * b->first[k * b->columns + j];
      o->first[i * o->columns + j] = s;
    }
}

// CHECK: matrices-behind-pointers.c:[[#@LINE+2]]:3: remark: {{.*}}tiled {{.*}} in vectors
KEPT void product_of_values(matrix a, matrix b, matrix o) {
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < b.columns; j++) {
      double s = 0;
      for (int k = 0; k < a.columns; k++)
        s += a.first[i * a.columns + k] * b.first[k * b.columns + j];
      o.first[i * o.columns + j] = s;
    }
}

// Sizes of 16 bits, and one that may be negative.
typedef struct {
  unsigned short w, h;
  short from, by;
  double *first;
} small;

// CHECK: matrices-behind-pointers.c:[[#@LINE+2]]:3: remark: loop nest left as it was: no transformation that pays was found: no other order
KEPT void added(small a, small b) {
  for (int i = 0; i < a.h; i++)
    for (int j = 0; j < a.w; j++)
      a.first[i * a.w + j] += b.first[i * b.w + j + b.from] * a.by;
}

// Whole and parts.
KEPT void mixed(unsigned long n, double *a) {
  int low = (int)n;
  unsigned high = n >> 32;
  for (unsigned i = 0; i < high; i++)
    for (int j = 0; j < low; j++)
      a[i * (unsigned)low + j] += (double)(n & 7) + i;
}

// Each row is scaled by what is behind another pointer, which is read for each row that there is.
KEPT void scaled(matrix *a, const matrix *by) {
  for (int i = 0; i < a->rows; i++)
    for (int j = 0; j < by->columns; j++)
      a->first[i * a->columns + j] *= by->first[j];
}

enum { ROOM = 1 << 14 };
static double x[ROOM], y[ROOM], z[ROOM];

static void fill(void) {
  for (int i = 0; i < ROOM; i++)
    x[i] = i % 31 - 3.5, y[i] = i % 17 * .25, z[i] = i;
}

static double sum(const double *a) {
  double s = 0;
  for (int i = 0; i < ROOM; i++)
    s = s * .96875 + a[i];
  return s;
}

int main(void) {
  // The pointer of a matrix without columns lies where no memory is.
  char *room = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(room + 4096, 4096, PROT_NONE);
  matrix *cut = (matrix *)(room + 4096 - offsetof(matrix, first));
  int sizes[] = {0, 1, 2, 3, 7, 16, 33, 70};
  for (int n = 0; n < 8; n++)
    for (int m = 0; m < 8; m++) {
      fill();
      int rows = sizes[n], columns = sizes[m];
      matrix a = {rows, columns, x}, b = {columns, rows + 1, y}, o = {rows, rows + 1, z};
      product(&a, &b, &o);
      printf("%d %d %a", rows, columns, sum(z));
      o.first = z + 5, b.columns = rows;
      product_of_values(a, b, o);
      // Onto one of the factors, by rows further.
      b.first = x + columns;
      o.first = x + 3;
      product(&b, &a, &o);
      product_of_values(b, a, o);
      small c = {(unsigned short)columns, (unsigned short)rows, -2, 3, z + 100}, d = {20, 9, -7, -1, y + 50};
      added(c, d);
      mixed((unsigned long)rows << 32 | (unsigned)columns, y);
      mixed((unsigned long)rows << 32 | (unsigned)-columns, y);
      scaled(&a, &o);
      printf(" %a %a %a\n", sum(x), sum(y), sum(z));
      cut->rows = rows, cut->columns = 0;
      a.columns = 0;
      scaled(&(matrix){rows, columns, z}, cut);
      product(cut, &b, &(matrix){rows, rows, z});
      cut->rows = 0, cut->columns = columns;
      scaled(cut, &a);
      product(cut, cut, cut);
    }
}
