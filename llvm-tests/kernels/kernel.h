/* What every program in this folder shares: its sizes, its memory, its input, its clock and its digest.

   A program calls its kernel once (or a few times, if one call is too short to time), then prints
   `digest <16 hex digits>` on stdout, a fingerprint of the bits of every output array, and `seconds <f>` on
   stderr, the time spent in the kernel. Two builds of one program agree exactly when their digests do.

   Sizes are macros with defaults that take about half a second: `-DNI=500` sets one of them, `-DSIZE=7` sets all
   of them (time steps too), `-DREPEAT=1` the number of calls. Every size from 0 up is defined behaviour: arrays
   have DIM(n) = max(n, 1) elements per dimension and start as zeroes.

   Inputs use all the bits of a mantissa, so that a sum taken in another order shows in the digest. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DIM(n) ((n) > 0 ? (n) : 1)

#ifdef SIZE
#define SIZE_OR(standard) SIZE
#define CALLS(standard) 1
#else
#define SIZE_OR(standard) standard
#define CALLS(standard) standard
#endif
#ifdef REPEAT
#undef CALLS
#define CALLS(standard) REPEAT
#endif

static uint64_t fingerprint = 0xcbf29ce484222325u;
static double elapsed;

/* Zeroed memory of at least `bytes` bytes, aligned to a cache line, its pages already mapped. */
static inline void *allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 64, bytes + 64) != 0) {
    fprintf(stderr, "out of memory\n");
    exit(3);
  }
  memset(memory, 0, bytes + 64);
  return memory;
}

/* The k-th number of the sequence `seed`: scattered over 32 bits. */
static inline uint32_t scatter(size_t k, uint32_t seed) {
  uint32_t x = (uint32_t)(k + 1) * 2654435761u + seed * 40503u;
  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ (x >> 13);
}

/* Fractions in (0, 1], none of them short in binary. */
static inline double fraction(size_t k, uint32_t seed) {
  return (double)(scatter(k, seed) % 1000003u + 1) / 1000003.0;
}

static inline void fill(void *array, size_t count, uint32_t seed) {
  double *a = (double *)array;
  for (size_t k = 0; k < count; k++)
    a[k] = fraction(k, seed);
}

static inline void fill_float(void *array, size_t count, uint32_t seed) {
  float *a = (float *)array;
  for (size_t k = 0; k < count; k++)
    a[k] = (float)fraction(k, seed);
}

/* Integers in 0 .. range - 1. */
static inline void fill_int(void *array, size_t count, uint32_t seed, uint32_t range) {
  int *a = (int *)array;
  for (size_t k = 0; k < count; k++)
    a[k] = (int)(scatter(k, seed) % range);
}

/* Folds the raw bytes of an output array into the fingerprint. */
static inline void digest(const void *array, size_t bytes) {
  const unsigned char *byte = (const unsigned char *)array;
  uint64_t h = fingerprint;
  while (bytes >= 8) {
    uint64_t word;
    memcpy(&word, byte, 8);
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    byte += 8;
    bytes -= 8;
  }
  while (bytes-- > 0)
    h = (h ^ *byte++) * 0x100000001b3u;
  fingerprint = h;
}

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Runs `call` as often as the default or -DREPEAT says; no call can be merged with the next one. */
#define TIMED(calls, call)                                                                                             \
  do {                                                                                                                 \
    double started = now();                                                                                            \
    for (int repetition = 0; repetition < CALLS(calls); repetition++) {                                                \
      call;                                                                                                            \
      __asm__ volatile("" ::: "memory");                                                                               \
    }                                                                                                                  \
    elapsed += now() - started;                                                                                        \
  } while (0)

/* The last line of every main. */
static inline int finish(void) {
  printf("digest %016llx\n", (unsigned long long)fingerprint);
  fprintf(stderr, "seconds %.6f\n", elapsed);
  return 0;
}

#endif
