/* fdtd-2d: electric and magnetic fields in the plane, finite differences in time; four nests per step.
   Arrays: constant shape, restrict. */
#include "kernel.h"
#ifndef TMAX
#define TMAX SIZE_OR(400)
#endif
#ifndef NX
#define NX SIZE_OR(900)
#endif
#ifndef NY
#define NY SIZE_OR(1000)
#endif

void kernel_fdtd_2d(int tmax, int nx, int ny, double ex[restrict DIM(NX)][DIM(NY)],
                    double ey[restrict DIM(NX)][DIM(NY)], double hz[restrict DIM(NX)][DIM(NY)],
                    double source[restrict DIM(TMAX)]) {
  for (int t = 0; t < tmax; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = source[t];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < nx; i++)
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < nx - 1; i++)
      for (int j = 0; j < ny - 1; j++)
        hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

int main(void) {
  double(*ex)[DIM(NY)] = allocate(sizeof(double) * DIM(NX) * DIM(NY));
  double(*ey)[DIM(NY)] = allocate(sizeof(double) * DIM(NX) * DIM(NY));
  double(*hz)[DIM(NY)] = allocate(sizeof(double) * DIM(NX) * DIM(NY));
  double *source = allocate(sizeof(double) * DIM(TMAX));
  fill(ex, (size_t)DIM(NX) * DIM(NY), 1);
  fill(ey, (size_t)DIM(NX) * DIM(NY), 2);
  fill(hz, (size_t)DIM(NX) * DIM(NY), 3);
  fill(source, DIM(TMAX), 4);
  TIMED(1, kernel_fdtd_2d(TMAX, NX, NY, ex, ey, hz, source));
  digest(ex, sizeof(double) * DIM(NX) * DIM(NY));
  digest(ey, sizeof(double) * DIM(NX) * DIM(NY));
  digest(hz, sizeof(double) * DIM(NX) * DIM(NY));
  return finish();
}
