// What tests share that read and write up to the last byte there is: numbers that are always the same, and memory behind which there is nothing.
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

static uint32_t seed = 7;
static uint32_t number(void) { return seed = seed * 1664525 + 1013904223, seed >> 8; }

// Behind what is read and written there is nothing.
static void *room(size_t bytes, int which) {
  static char *end[12];
  if (!end[which]) {
    char *all = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + (1 << 16) - 4096, 4096, PROT_NONE);
    end[which] = all + (1 << 16) - 4096;
  }
  return end[which] - bytes;
}
