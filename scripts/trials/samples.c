// Where a program spends its time, for scripts/try: preloaded, it looks a thousand times a second where the program's first thread stands.
//
// Of each look the innermost few addresses in the tree's own binaries are kept (the innermost one, and from where that was called), so
// that time in libraries, in OpenMP's too, counts for the loop that called them. At the end they are written to a file, one look per line:
//
//     object 0 /home/me/plain/build/solver
//     2 0:11a4 0:1290          two looks' worth of time at 0x11a4, in a function called from before 0x1290
//
// LOOPWRIGHT_SAMPLES is the folder for the files, LOOPWRIGHT_SAMPLES_BELOW the folder of the tree's binaries; other programs are left alone.

#define _GNU_SOURCE
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { DEPTH = 6, MOST = 1 << 16, MOST_PARTS = 64, MOST_FRAMES = 64, PERIOD_NANOSECONDS = 1000000 };

struct part {
  unsigned long low, high, base;
  char path[PATH_MAX];
};

static struct part parts[MOST_PARTS];
static int part_count;
static unsigned long looks[MOST][DEPTH];
static int look_count;
// Where there are too many looks, every second one is dropped, and the others count twice.
static int weight = 1, skipped;
static pid_t owner;
static timer_t timer;
static char below[PATH_MAX], folder[PATH_MAX], self[PATH_MAX];

static int is_ours(unsigned long address) {
  for (int p = 0; p < part_count; p++)
    if (address >= parts[p].low && address < parts[p].high) return 1;
  return 0;
}

struct walk {
  unsigned long *kept;
  int count, frames;
};

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *data) {
  struct walk *walk = data;
  int is_exact = 0;
  unsigned long address = _Unwind_GetIPInfo(context, &is_exact);
  // A return address is behind the call.
  if (!is_exact) address--;
  if (is_ours(address)) walk->kept[walk->count++] = address;
  return walk->count == DEPTH || ++walk->frames == MOST_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void look(int number, siginfo_t *info, void *context) {
  (void)number, (void)info, (void)context;
  if (++skipped < weight) return;
  skipped = 0;
  if (look_count == MOST) {
    for (int l = 0; l < MOST / 2; l++) memcpy(looks[l], looks[2 * l], sizeof looks[l]);
    look_count = MOST / 2;
    weight *= 2;
  }
  memset(looks[look_count], 0, sizeof looks[look_count]);
  struct walk walk = {looks[look_count], 0, 0};
  _Unwind_Backtrace(frame, &walk);
  look_count++;
}

static int object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  const char *path = info->dlpi_name[0] ? info->dlpi_name : self;
  if (strncmp(path, below, strlen(below)) != 0) return 0;
  for (int h = 0; h < info->dlpi_phnum && part_count < MOST_PARTS; h++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[h];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    struct part *part = &parts[part_count++];
    part->base = info->dlpi_addr;
    part->low = info->dlpi_addr + header->p_vaddr;
    part->high = part->low + header->p_memsz;
    snprintf(part->path, sizeof part->path, "%s", path);
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("LOOPWRIGHT_SAMPLES"), *place = getenv("LOOPWRIGHT_SAMPLES_BELOW");
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (!wanted || !place || length < 0) return;
  snprintf(folder, sizeof folder, "%s", wanted);
  snprintf(below, sizeof below, "%s/", place);
  dl_iterate_phdr(object, NULL);
  if (!part_count) return;
  owner = getpid();
  int signal_number = SIGRTMAX - 2;
  struct sigaction action = {.sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigaction(signal_number, &action, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number};
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return owner = 0, (void)0;
  struct itimerspec often = {{0, PERIOD_NANOSECONDS}, {0, PERIOD_NANOSECONDS}};
  timer_settime(timer, 0, &often, NULL);
}

__attribute__((destructor)) static void end(void) {
  if (!owner || owner != getpid()) return;
  timer_delete(timer);
  char name[PATH_MAX + 32];
  snprintf(name, sizeof name, "%s/%d.txt", folder, (int)owner);
  FILE *file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "period %d\n", PERIOD_NANOSECONDS);
  for (int p = 0; p < part_count; p++) fprintf(file, "object %d %s\n", p, parts[p].path);
  for (int l = 0; l < look_count; l++) {
    fprintf(file, "%d", weight);
    for (int d = 0; d < DEPTH && looks[l][d]; d++)
      for (int p = 0; p < part_count; p++)
        if (looks[l][d] >= parts[p].low && looks[l][d] < parts[p].high)
          fprintf(file, " %d:%lx", p, looks[l][d] - parts[p].base);
    fputc('\n', file);
  }
  fclose(file);
}
