/* Graphs by adjacency lists: ranks pulled from neighbours, distances level by level, triangles counted, degrees. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(3000)
#endif
#define MOST 10

void ranks(int n, const int *restrict first, const int *restrict edge, const double *restrict old, double *restrict rank) {
  for (int v = 0; v < n; v++) {
    double sum = 0.0;
    for (int e = first[v]; e < first[v + 1]; e++) {
      int u = edge[e], degree = first[u + 1] - first[u];
      if (degree > 0)
        sum += old[u] / degree;
    }
    rank[v] = 0.15 + 0.85 * sum;
  }
}

int level(int n, int now, const int *restrict first, const int *restrict edge, int *restrict distance) {
  int changed = 0;
  for (int v = 0; v < n; v++)
    if (distance[v] == now)
      for (int e = first[v]; e < first[v + 1]; e++)
        if (distance[edge[e]] < 0) {
          distance[edge[e]] = now + 1;
          changed++;
        }
  return changed;
}

long triangles(int n, const int *restrict first, const int *restrict edge) {
  long found = 0;
  for (int v = 0; v < n; v++)
    for (int a = first[v]; a < first[v + 1]; a++)
      for (int b = first[edge[a]]; b < first[edge[a] + 1]; b++)
        if (edge[b] == v)
          found++;
  return found;
}

void in_degrees(int edges, const int *restrict edge, int *restrict degree) {
  for (int e = 0; e < edges; e++)
    degree[edge[e]]++;
}

int main(void) {
  int *first = allocate(sizeof(int) * (DIM(N) + 1)), *edge = allocate(sizeof(int) * DIM(N) * MOST);
  int *distance = allocate(sizeof(int) * DIM(N)), *degree = allocate(sizeof(int) * DIM(N)), depth = 0;
  double *old = allocate(sizeof(double) * DIM(N)), *rank = allocate(sizeof(double) * DIM(N));
  long found = 0;
  for (int i = 0; i < N; i++)
    first[i + 1] = first[i] + (int)(scatter((size_t)i, 1) % (MOST + 1));
  fill_int(edge, (size_t)DIM(N) * MOST, 2, DIM(N));
  fill(old, DIM(N), 3);
  for (int i = 1; i < N; i++)
    distance[i] = -1;
  TIMED(4, ranks(N, first, edge, old, rank));
  while (level(N, depth, first, edge, distance) > 0)
    depth++;
  TIMED(4, found += triangles(N, first, edge));
  TIMED(4, in_degrees(first[DIM(N) - (N == 0)], edge, degree));
  digest(rank, sizeof(double) * DIM(N));
  digest(distance, sizeof(int) * DIM(N));
  digest(degree, sizeof(int) * DIM(N));
  digest(&found, sizeof found);
  return finish();
}
