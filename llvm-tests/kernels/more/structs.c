/* Arrays of structs and structs of arrays: bodies under gravity, complex products, a matrix type with its own size. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(500)
#endif

struct body {
  double x, y, z, mass;
  double force[3];
};

struct complex {
  double re, im;
};

struct matrix {
  int rows, columns;
  double *cells;
};

void forces(int n, struct body *bodies) {
  for (int i = 0; i < n; i++) {
    double fx = 0.0, fy = 0.0, fz = 0.0;
    for (int j = 0; j < n; j++) {
      double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
      double r2 = dx * dx + dy * dy + dz * dz + 0.01;
      double pull = bodies[j].mass / (r2 * sqrt(r2));
      fx += pull * dx;
      fy += pull * dy;
      fz += pull * dz;
    }
    bodies[i].force[0] = fx;
    bodies[i].force[1] = fy;
    bodies[i].force[2] = fz;
  }
}

void move(int n, struct body *bodies, double dt) {
  for (int i = 0; i < n; i++) {
    bodies[i].x += dt * bodies[i].force[0];
    bodies[i].y += dt * bodies[i].force[1];
    bodies[i].z += dt * bodies[i].force[2];
  }
}

void complex_product(int n, struct complex A[DIM(N)][DIM(N)], struct complex *x, struct complex *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      y[i].re += A[i][j].re * x[j].re - A[i][j].im * x[j].im;
      y[i].im += A[i][j].re * x[j].im + A[i][j].im * x[j].re;
    }
}

void multiply(const struct matrix *A, const struct matrix *B, struct matrix *C) {
  for (int i = 0; i < A->rows; i++)
    for (int j = 0; j < B->columns; j++) {
      double sum = 0.0;
      for (int k = 0; k < A->columns; k++)
        sum += A->cells[i * A->columns + k] * B->cells[k * B->columns + j];
      C->cells[i * C->columns + j] = sum;
    }
}

int main(void) {
  size_t cells = (size_t)DIM(N) * DIM(N);
  struct body *bodies = allocate(sizeof(struct body) * DIM(N));
  struct complex(*A)[DIM(N)] = allocate(sizeof(struct complex) * cells);
  struct complex *x = allocate(sizeof(struct complex) * DIM(N));
  struct complex *y = allocate(sizeof(struct complex) * DIM(N));
  struct matrix P = {N, N, allocate(sizeof(double) * cells)};
  struct matrix Q = {N, N, allocate(sizeof(double) * cells)};
  struct matrix R = {N, N, allocate(sizeof(double) * cells)};
  fill(bodies, sizeof(struct body) / sizeof(double) * DIM(N), 1);
  fill(A, 2 * cells, 2);
  fill(x, 2 * DIM(N), 3);
  fill(P.cells, cells, 4);
  fill(Q.cells, cells, 5);
  for (int t = 0; t < 3; t++) {
    TIMED(1, forces(N, bodies));
    TIMED(1, move(N, bodies, 1e-6));
  }
  TIMED(1, complex_product(N, A, x, y));
  TIMED(1, multiply(&P, &Q, &R));
  digest(bodies, sizeof(struct body) * DIM(N));
  digest(y, sizeof(struct complex) * DIM(N));
  digest(R.cells, sizeof(double) * cells);
  return finish();
}
