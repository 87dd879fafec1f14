// Where the scheduler does not come to an end, what remains is enough for the program's own order: as much as reading the model took. (The scheduler needs
// more than it is allowed here; an eighth of what was left was not enough for the other order.)
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-parallel -mllvm -loopwright-budget=3000000 -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: remark: in the program's order, outermost loops without dependences on all cores
enum { N = 34 };
static double u[N][N][N][5], f[N][N][N][5], r[N][N][N][5];

void sweep(int n, double a, double b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      for (int k = 0; k < n; k++) {
        double w = u[i][j][k][3] / u[i][j][k][0];
        double q = (u[i][j][k][1] * u[i][j][k][1] + u[i][j][k][2] * u[i][j][k][2]) / u[i][j][k][0];
        f[i][j][k][0] = u[i][j][k][3];
        f[i][j][k][1] = u[i][j][k][1] * w;
        f[i][j][k][2] = u[i][j][k][2] * w;
        f[i][j][k][3] = u[i][j][k][3] * w + a * (u[i][j][k][4] - q);
        f[i][j][k][4] = (b * u[i][j][k][4] - a * q) * w;
      }
      for (int k = 1; k < n - 1; k++)
        for (int m = 0; m < 5; m++) r[i][j][k][m] -= b * (f[i][j][k + 1][m] - f[i][j][k - 1][m]);
      for (int k = 1; k < n; k++) {
        double now = 1.0 / u[i][j][k][0], before = 1.0 / u[i][j][k - 1][0];
        double x = now * u[i][j][k][1] - before * u[i][j][k - 1][1];
        double y = now * u[i][j][k][2] - before * u[i][j][k - 1][2];
        double z = now * u[i][j][k][3] - before * u[i][j][k - 1][3];
        f[i][j][k][1] = a * x;
        f[i][j][k][2] = a * y;
        f[i][j][k][3] = 4.0 / 3.0 * a * z;
        f[i][j][k][4] = b * (x * x + y * y + z * z) + a * (now * u[i][j][k][4] - before * u[i][j][k - 1][4]);
      }
      for (int k = 1; k < n - 1; k++) {
        r[i][j][k][0] += b * (u[i][j][k - 1][0] - 2.0 * u[i][j][k][0] + u[i][j][k + 1][0]);
        r[i][j][k][1] += a * (f[i][j][k + 1][1] - f[i][j][k][1]) + b * (u[i][j][k - 1][1] - 2.0 * u[i][j][k][1] + u[i][j][k + 1][1]);
        r[i][j][k][2] += a * (f[i][j][k + 1][2] - f[i][j][k][2]) + b * (u[i][j][k - 1][2] - 2.0 * u[i][j][k][2] + u[i][j][k + 1][2]);
        r[i][j][k][3] += a * (f[i][j][k + 1][3] - f[i][j][k][3]) + b * (u[i][j][k - 1][3] - 2.0 * u[i][j][k][3] + u[i][j][k + 1][3]);
        r[i][j][k][4] += a * (f[i][j][k + 1][4] - f[i][j][k][4]) + b * (u[i][j][k - 1][4] - 2.0 * u[i][j][k][4] + u[i][j][k + 1][4]);
      }
      for (int m = 0; m < 5; m++) {
        r[i][j][1][m] -= b * (5.0 * u[i][j][1][m] - 4.0 * u[i][j][2][m] + u[i][j][3][m]);
        r[i][j][2][m] -= b * (6.0 * u[i][j][2][m] - 4.0 * u[i][j][1][m] - 4.0 * u[i][j][3][m] + u[i][j][4][m]);
      }
    }
}
