/* Elements in memory that are updated if data says so: counters, histograms behind masks, extremes of groups, fields of one total;
   elements of one array by different operators, apart from each other and not. */
#include "../kernel.h"
#ifndef N
#define N SIZE_OR(1500000)
#endif

static long above, peak;

void counters(int n, const int *restrict x) {
  for (int i = 0; i < n; i++) {
    if (x[i] > 500)
      above++;
    if (x[i] > peak)
      peak = x[i];
  }
}

void by_size(int n, const int *restrict x, long *restrict total) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 100)
      total[0] += x[i];
    else if (x[i] < 600)
      total[1] += x[i];
    else
      total[2] ^= x[i];
  }
}

void masked_histogram(int n, const int *restrict x, const int *restrict mask, int *restrict count) {
  for (int i = 0; i < n; i++)
    if (mask[i] % 3 == 0)
      count[x[i] & 63] += mask[i];
}

void extremes_of_groups(int n, const int *restrict group, const int *restrict x, int *restrict low, unsigned *restrict high) {
  for (int i = 0; i < n; i++) {
    int g = group[i] & 15;
    if (x[i] < low[g])
      low[g] = x[i];
    if ((unsigned)x[i] * 40503u > high[g])
      high[g] = (unsigned)x[i] * 40503u;
  }
}

/* Two elements that may be one: each step sees the one before. */
void moved(int n, const int *restrict from, const int *restrict to, int *restrict box) {
  for (int i = 0; i < n; i++)
    if (from[i] & 1) {
      int a = box[from[i] & 31], b = box[to[i] & 31];
      box[from[i] & 31] = a - 1;
      box[to[i] & 31] = b + 1;
    }
}

struct account {
  int sum, most;
  long bits;
};

void fields(int n, const int *restrict group, const int *restrict x, struct account *restrict all) {
  for (int i = 0; i < n; i++) {
    struct account *one = &all[group[i] & 3];
    one->sum += x[i];
    one->bits ^= x[i];
    if (one->most < x[i])
      one->most = x[i];
  }
}

void least_and_most(int n, const int *restrict group, const int *restrict x, int *restrict box) {
  for (int i = 0; i < n; i++) {
    int g = group[i] & 15;
    if (x[i] < box[g])
      box[g] = x[i];
    if (x[i] > box[g + 16])
      box[g + 16] = x[i];
  }
}

void even_and_odd(int n, const int *restrict group, const int *restrict x, unsigned *restrict box) {
  for (int i = 0; i < n; i++) {
    box[2 * (group[i] & 15)] += (unsigned)x[i];
    box[2 * (i % 16) + 1] ^= (unsigned)x[i];
  }
}

/* Both operators may come to the same element. */
void crossed(int n, const int *restrict group, const int *restrict x, int *restrict box) {
  for (int i = 0; i < n; i++) {
    int g = group[i] & 15;
    if (x[i] < box[g])
      box[g] = x[i];
    if (x[i] > box[(g + 8) & 31])
      box[(g + 8) & 31] = x[i];
  }
}

int main(void) {
  int *x = allocate(sizeof(int) * DIM(N)), *y = allocate(sizeof(int) * DIM(N));
  int count[64] = {0}, low[16], box[32] = {0};
  unsigned high[16] = {0};
  long total[3] = {0}, seen[2];
  struct account accounts[4] = {{0, 0, 0}};
  int apart[32] = {0}, together[32] = {0};
  unsigned mixed[32] = {0};
  fill_int(x, N, 1, 1000);
  fill_int(y, N, 2, 1000);
  for (int k = 0; k < 16; k++)
    low[k] = 1 << 20;
  TIMED(3, counters(N, x));
  TIMED(3, by_size(N, x, total));
  TIMED(3, masked_histogram(N, x, y, count));
  TIMED(3, extremes_of_groups(N, y, x, low, high));
  TIMED(3, moved(N, x, y, box));
  TIMED(3, fields(N, y, x, accounts));
  TIMED(3, least_and_most(N, y, x, apart));
  TIMED(3, even_and_odd(N, y, x, mixed));
  TIMED(3, crossed(N, y, x, together));
  digest(accounts, sizeof accounts);
  digest(apart, sizeof apart);
  digest(mixed, sizeof mixed);
  digest(together, sizeof together);
  seen[0] = above;
  seen[1] = peak;
  digest(seen, sizeof seen);
  digest(total, sizeof total);
  digest(count, sizeof count);
  digest(low, sizeof low);
  digest(high, sizeof high);
  digest(box, sizeof box);
  return finish();
}
