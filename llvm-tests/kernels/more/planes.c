/* Planes: one array that holds several grids, which the program names by constants, with sizes in memory that calls of sqrt stand beside, and conditions that
   were found before the loops. */
#include "../kernel.h"
#include <math.h>
#ifndef N
#define N SIZE_OR(400)
#endif

static double u[3][DIM(N)][DIM(N)], flux[3][DIM(N)][DIM(N)], speed[DIM(N)][DIM(N)];
static int size[2] = {N, N};
static double *total;

void fluxes(void) {
  for (int i = 1; i < size[0] - 1; i++)
    for (int j = 1; j < size[1] - 1; j++) {
      double up = u[1][i + 1][j], down = u[1][i - 1][j];
      flux[0][i][j] = flux[0][i][j] + 0.25 * (u[0][i + 1][j] - 2 * u[0][i][j] + u[0][i - 1][j]) - 0.5 * (up - down);
      flux[1][i][j] = flux[1][i][j] + 0.25 * (up - 2 * u[1][i][j] + down) - u[2][i][j + 1] * u[2][i][j - 1];
      flux[2][i][j] = flux[2][i][j] + 0.25 * (u[2][i + 1][j] * up - u[2][i - 1][j] * down);
    }
}

void speeds(void) {
  for (int i = 0; i < size[0]; i++)
    for (int j = 0; j < size[1]; j++) {
      double inverse = 1 / (1 + u[0][i][j]);
      speed[i][j] = sqrt(inverse * u[2][i][j]);
    }
}

void damped(double limit) {
  int is_large = *total > limit;
  for (int m = 0; m < 3; m++)
    for (int i = 2; i < size[0] - 2; i++)
      for (int j = 1; j < size[1] - 1; j++)
        flux[m][i][j] -= 0.125 * (u[m][i - 2][j] - 4 * u[m][i - 1][j] + 6 * u[m][i][j] - 4 * u[m][i + 1][j] + u[m][i + 2][j]);
  for (int i = 0; i < size[0]; i++)
    if (is_large)
      for (int j = 0; j < size[1]; j++)
        speed[i][j] += flux[0][i][j] * flux[1][j][i];
}

/* The rows of one plane, which are named by a pointer to it and by the variable itself. */
void shifted(double (*rows)[DIM(N)], int from, int to) {
  for (int i = from; i < to; i++)
    for (int j = 0; j < size[1]; j++)
      rows[i][j] = rows[i + 1][j] * 0.75 + u[0][i / 2][j];
}

int main(void) {
  fill(u, (size_t)3 * DIM(N) * DIM(N), 1);
  fill(flux, (size_t)3 * DIM(N) * DIM(N), 2);
  double sum = 2;
  total = &sum;
  TIMED(1, fluxes());
  TIMED(1, speeds());
  TIMED(1, damped(1));
  TIMED(1, damped(3));
  TIMED(1, shifted(&u[0][0], 0, N - 1));
  TIMED(1, shifted(&u[1][0], 0, N - 1));
  digest(u, sizeof u);
  digest(flux, sizeof flux);
  digest(speed, sizeof speed);
  return finish();
}
