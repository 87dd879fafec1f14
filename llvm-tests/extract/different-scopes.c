// Accesses of one array in scopes with and without numbers that data gives: what is known of one is compared to the other only where the
// dimensions mean the same. No remark may speak of a broken law.
//
// RUN: %loopwright-clang -O3 -g -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=broken
// RUN: %loopwright-clang -O3 -g -fopenmp -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=broken

void columns(int n, int m, double X[restrict][16], double Y[restrict][16]) {
  // CHECK: :[[@LINE+1]]:3: remark:
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - 1; j++) {
      if (X[i][i] > 0.5)
        for (int k = 0; k < m; k++)
          Y[k][i] = Y[j][j] + X[i][k];
      Y[i][j] = X[i][i] * 0.5 + Y[i][i];
    }
}

void boxes(int m, const int *restrict low, const int *restrict high, double (*restrict Y)[64], double *restrict x, const int *kind) {
  // CHECK: :[[@LINE+1]]:3: remark:
  for (int b = 0; b < m; b++)
    for (int k = low[b]; k < high[b]; k++) {
      for (int j = low[b]; j < high[b]; j++)
        if (kind[k] == 0)
          Y[k][j] = x[j] * 2;
        else
          Y[k][k] += Y[j][k];
      Y[k][b] = Y[k][k] * x[b];
    }
}

void unpack(int entries, int dim, int quantvals, const unsigned short *mult, const unsigned char *len, const int *map, float *out) {
  int count = 0;
  // CHECK: :[[@LINE+1]]:3: remark:
  for (int j = 0; j < entries; j++) {
    if ((map && len[j]) || !map) {
      int divisor = 1;
      for (int k = 0; k < dim; k++) {
        float value = mult[j / divisor % quantvals];
        if (map)
          out[map[count] * dim + k] = value;
        else
          out[count * dim + k] = value;
        divisor *= quantvals;
      }
      count++;
    }
  }
}
