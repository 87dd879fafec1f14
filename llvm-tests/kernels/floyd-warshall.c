/* floyd-warshall: all shortest paths of a graph, in place.
   Arrays: constant shape, no restrict, int. The update is a minimum, written as a ternary. */
#include "kernel.h"
#ifndef N
#define N SIZE_OR(1000)
#endif

void kernel_floyd_warshall(int n, int path[DIM(N)][DIM(N)]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

int main(void) {
  int(*path)[DIM(N)] = allocate(sizeof(int) * DIM(N) * DIM(N));
  fill_int(path, (size_t)DIM(N) * DIM(N), 1, 10000);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if ((i + j) % 13 == 0 || (i + j) % 7 == 0)
        path[i][j] += 100000;
  TIMED(1, kernel_floyd_warshall(N, path));
  digest(path, sizeof(int) * DIM(N) * DIM(N));
  return finish();
}
