/* Loops that a person made parallel: what a tool that looks for races must say nothing of, and with an argument what it must find. */
#include <stdio.h>

int main(int argc, char **argv) {
  static double a[4001];
  if (argc > 1) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 4000; i++)
      a[i] = a[i + 1] + 1;
  } else {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 4000; i++)
      a[i] = a[i] + 1;
  }
  double sum = 0;
  for (int i = 0; i < 4000; i++)
    sum += a[i];
  return sum < 0;
}
