// Compile with: cc -O2 -pthread FILE.c -lm
// Run with parameters as arguments (n=3) and elements on standard input (x[1] = 5), one in a line.
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Not every program needs all of what follows.
#define UNUSED __attribute__((unused))

union value {
  int64_t whole;
  double real;
};

struct entry {
  struct entry *next;
  union value value;
  int64_t key[];
};

// Values by their subscripts.
struct table {
  const char *name;
  size_t n, n_lists;
  struct entry **lists;
};

struct array {
  const char *name;
  struct table *table;
  int n_dims, is_real;
};

static void stop(const char *why) {
  fflush(stdout);
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static size_t list_of(const struct table *table, int n, const int64_t *key) {
  uint64_t hash = 0x9E3779B97F4A7C15u;
  for (int d = 0; d < n; d++) {
    hash = (hash ^ (uint64_t)key[d]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash % table->n_lists;
}

static union value *find(struct table *table, int n, const int64_t *key) {
  if (table->n_lists == 0) return NULL;
  for (struct entry *entry = table->lists[list_of(table, n, key)]; entry; entry = entry->next)
    if (!memcmp(entry->key, key, (size_t)n * sizeof *key)) return &entry->value;
  return NULL;
}

static union value *set(struct table *table, int n, const int64_t *key) {
  if (table->n >= table->n_lists) {
    struct table larger = {table->name, table->n, table->n_lists * 2 + 16, NULL};
    larger.lists = calloc(larger.n_lists, sizeof *larger.lists);
    if (!larger.lists) stop("no memory is left");
    for (size_t l = 0; l < table->n_lists; l++)
      for (struct entry *entry = table->lists[l], *next; entry; entry = next) {
        next = entry->next;
        size_t list = list_of(&larger, n, entry->key);
        entry->next = larger.lists[list];
        larger.lists[list] = entry;
      }
    free(table->lists);
    *table = larger;
  }
  struct entry *entry = malloc(sizeof *entry + (size_t)(n ? n : 1) * sizeof *key);
  if (!entry) stop("no memory is left");
  size_t list = list_of(table, n, key);
  memcpy(entry->key, key, (size_t)n * sizeof *key);
  entry->next = table->lists[list];
  table->lists[list] = entry;
  table->n++;
  return &entry->value;
}

UNUSED static inline union value *given(struct table *table, int n, const int64_t *key) {
  union value *value = find(table, n, key);
  if (value) return value;
  fprintf(stderr, "%s[", table->name);
  for (int d = 0; d < n; d++) fprintf(stderr, "%s%" PRId64, d ? ", " : "", key[d]);
  fprintf(stderr, "] is read, and not given\n");
  exit(1);
}

UNUSED static inline int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }

UNUSED static inline int64_t divide(int64_t a, int64_t b) {
  if (b == 0) stop("division by zero");
  return b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

UNUSED static inline int64_t rest(int64_t a, int64_t b) {
  if (b == 0) stop("division by zero");
  return b == -1 ? 0 : a % b;
}

UNUSED static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
UNUSED static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
UNUSED static inline int64_t magnitude(int64_t a) { return a < 0 ? (int64_t)(0 - (uint64_t)a) : a; }

UNUSED static inline int64_t whole(double a) {
  if (a != a) return 0;
  return a >= 0x1p63 ? INT64_MAX : a < -0x1p63 ? INT64_MIN : (int64_t)a;
}

UNUSED static inline void show_whole(int64_t value) { printf("%" PRId64 "\n", value); }
UNUSED static inline void show_real(double value) { printf("%.17g\n", value); }
