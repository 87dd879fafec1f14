/* Switch statements: on data, on the loop counter, on a parameter, with fall-through, and a small machine's instructions. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(100000)
#endif

void on_data(int n, const int *restrict kind, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    switch (kind[i]) {
    case 0:
      y[i] = x[i] + 1.0;
      break;
    case 1:
    case 2:
      y[i] = x[i] * 2.0;
      break;
    case 3:
      y[i] = -x[i];
      /* fall through */
    case 4:
      y[i] += 0.5;
      break;
    default:
      break;
    }
}

void on_counter(int n, int *restrict a) {
  for (int i = 0; i < n; i++)
    switch (i % 4) {
    case 0:
      a[i] += 3;
      break;
    case 1:
      a[i] ^= 5;
      break;
    case 3:
      a[i] *= 7;
      break;
    }
}

void on_parameter(int n, int mode, const int *restrict a, int *restrict b) {
  for (int i = 0; i < n; i++)
    switch (mode) {
    case 0:
      b[i] = a[i];
      break;
    case 1:
      b[i] = a[n - 1 - i];
      break;
    case 7:
      b[i] += a[i] / 3;
      break;
    default:
      b[i] = i;
    }
}

void machine(int n, int steps, const unsigned char *restrict code, int *restrict result) {
  for (int i = 0; i < n; i++) {
    unsigned x = (unsigned)i, y = 1u;
    for (int s = 0; s < steps; s++)
      switch (code[s] & 7) {
      case 0:
        x += y;
        break;
      case 1:
        y ^= x >> 1;
        break;
      case 2:
        x = x * 5 + 1;
        break;
      case 3:
        if (x > y)
          x -= y;
        break;
      case 4:
        y = -y;
        break;
      default:
        x ^= (unsigned)s;
      }
    result[i] = (int)(x + y);
  }
}

int main(void) {
  int *kind = allocate(sizeof(int) * DIM(N)), *a = allocate(sizeof(int) * DIM(N)), *b = allocate(sizeof(int) * DIM(N));
  int *result = allocate(sizeof(int) * DIM(N));
  unsigned char code[24];
  double *x = allocate(sizeof(double) * DIM(N)), *y = allocate(sizeof(double) * DIM(N));
  fill_int(kind, DIM(N), 1, 7);
  fill_int(a, DIM(N), 2, 1000);
  fill(x, DIM(N), 3);
  for (int i = 0; i < 24; i++)
    code[i] = (unsigned char)scatter((size_t)i, 4);
  TIMED(4, on_data(N, kind, x, y));
  TIMED(4, on_counter(N, a));
  for (int mode = 0; mode < 9; mode++) {
    TIMED(1, on_parameter(N, mode, a, b));
    digest(b, sizeof(int) * DIM(N));
  }
  TIMED(1, machine(N, 24, code, result));
  digest(y, sizeof(double) * DIM(N));
  digest(a, sizeof(int) * DIM(N));
  digest(result, sizeof(int) * DIM(N));
  return finish();
}
