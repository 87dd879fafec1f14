/* Atomics and fences: loops that talk to other threads keep their order, whatever they look like. */
#include "../kernel.h"
#include <stdatomic.h>
#ifndef N
#define N SIZE_OR(300)
#endif

static atomic_int tickets;

void take_tickets(int n, int *a) {
  for (int i = 0; i < n; i++)
    a[i] = atomic_fetch_add(&tickets, 1) + a[i];
}

void publish(int n, const double *values, double *box, atomic_int *ready) {
  for (int i = 0; i < n; i++) {
    box[i] = values[i] * 2.0;
    atomic_store_explicit(&ready[i], i + 1, memory_order_release);
  }
}

void consume(int n, double A[DIM(N)][DIM(N)], double *box, atomic_int *ready) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (atomic_load_explicit(&ready[j], memory_order_acquire) > i)
        A[i][j] = box[j];
}

void fenced(int n, double *a, double *b) {
  for (int i = 0; i < n; i++) {
    a[i] += 1.0;
    atomic_thread_fence(memory_order_seq_cst);
    b[i] = a[n - 1 - i];
  }
}

void exchange_all(int n, atomic_int *a, int *old) {
  for (int i = 1; i < n; i++)
    old[i] = atomic_exchange(&a[i / 2], i);
}

int main(void) {
  double(*A)[DIM(N)] = allocate(sizeof(double) * DIM(N) * DIM(N));
  double *values = allocate(sizeof(double) * DIM(N));
  double *box = allocate(sizeof(double) * DIM(N));
  int *numbers = allocate(sizeof(int) * DIM(N));
  atomic_int *ready = allocate(sizeof(atomic_int) * DIM(N));
  fill(values, DIM(N), 1);
  fill_int(numbers, DIM(N), 2, 1000);
  TIMED(1, take_tickets(N, numbers));
  TIMED(1, publish(N, values, box, ready));
  TIMED(1, consume(N, A, box, ready));
  TIMED(1, fenced(N, values, box));
  digest(numbers, sizeof(int) * DIM(N));
  TIMED(1, exchange_all(N, ready, numbers));
  digest(A, sizeof(double) * DIM(N) * DIM(N));
  digest(values, sizeof(double) * DIM(N));
  digest(box, sizeof(double) * DIM(N));
  digest(numbers, sizeof(int) * DIM(N));
  digest(ready, sizeof(atomic_int) * DIM(N));
  return finish();
}
