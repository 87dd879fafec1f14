// Times isl on the lines and models that `loopwright calc` is timed on; operands are read outside the clock.
//
//   isl_times ops FILE REPETITIONS     per line of FILE, `op<TAB>[type,first,n<TAB>]argument<TAB>..`: best time in nanoseconds, or `-`
//   isl_times flow FILE REPETITIONS    dataflow of a model, one `key: isl text` per line: best time in nanoseconds, or `-`
//
// Built by scripts/bench-engine against an isl library (Debian: libisl-dev).
#include <isl/ctx.h>
#include <isl/flow.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FIELDS = 8 };
// An operation that takes longer than this is not repeated.
static const double LONG = 5e8;

static isl_ctx *ctx;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// What an operation takes and gives; the rest is NULL.
typedef struct {
  isl_map *map, *other;
  isl_set *set, *others;
  isl_map *map_result;
  isl_set *set_result, *second_result;
  isl_basic_map *basic_map_result;
  isl_basic_set *basic_set_result;
} Operands;

static int on_sets(Operands *o, const char *op, enum isl_dim_type type, unsigned first, unsigned n) {
#define GIVES_SET(name, call) \
  if (!strcmp(op, name)) return o->set_result = (call), o->set = NULL, o->others = NULL, 1;
#define GIVES_BASIC(name, call) \
  if (!strcmp(op, name)) return o->basic_set_result = (call), o->set = NULL, 1;
#define ASKS_SET(name, call) \
  if (!strcmp(op, name)) return (void)(call), 1;
  GIVES_SET("intersect", isl_set_intersect(o->set, o->others))
  GIVES_SET("subtract", isl_set_subtract(o->set, o->others))
  GIVES_SET("gist", isl_set_gist(o->set, o->others))
  GIVES_SET("coalesce", isl_set_coalesce(o->set))
  GIVES_SET("compute_divs", isl_set_compute_divs(o->set))
  GIVES_SET("make_disjoint", isl_set_make_disjoint(o->set))
  GIVES_SET("params", isl_set_params(o->set))
  GIVES_SET("project_out", isl_set_project_out(o->set, type, first, n))
  GIVES_SET("eliminate", isl_set_eliminate(o->set, type, first, n))
  GIVES_BASIC("simple_hull", isl_set_simple_hull(o->set))
  GIVES_BASIC("unshifted_simple_hull", isl_set_unshifted_simple_hull(o->set))
  GIVES_BASIC("affine_hull", isl_set_affine_hull(o->set))
  GIVES_BASIC("coefficients", isl_set_coefficients(o->set))
  ASKS_SET("is_empty", isl_set_is_empty(o->set))
  ASKS_SET("is_equal", isl_set_is_equal(o->set, o->others))
  ASKS_SET("is_subset", isl_set_is_subset(o->set, o->others))
  ASKS_SET("is_disjoint", isl_set_is_disjoint(o->set, o->others))
  return 0;
}

static int on_maps(Operands *o, const char *op, enum isl_dim_type type, unsigned first, unsigned n) {
#define GIVES_MAP(name, call) \
  if (!strcmp(op, name)) return o->map_result = (call), o->map = NULL, o->other = NULL, o->others = NULL, 1;
#define MAP_GIVES_SET(name, call) \
  if (!strcmp(op, name)) return o->set_result = (call), o->map = NULL, 1;
#define MAP_GIVES_BASIC(name, call) \
  if (!strcmp(op, name)) return o->basic_map_result = (call), o->map = NULL, 1;
  GIVES_MAP("intersect", isl_map_intersect(o->map, o->other))
  GIVES_MAP("intersect_domain", isl_map_intersect_domain(o->map, o->others))
  GIVES_MAP("intersect_range", isl_map_intersect_range(o->map, o->others))
  GIVES_MAP("subtract", isl_map_subtract(o->map, o->other))
  GIVES_MAP("apply_range", isl_map_apply_range(o->map, o->other))
  GIVES_MAP("apply_domain", isl_map_apply_domain(o->map, o->other))
  GIVES_MAP("coalesce", isl_map_coalesce(o->map))
  GIVES_MAP("compute_divs", isl_map_compute_divs(o->map))
  GIVES_MAP("make_disjoint", isl_map_make_disjoint(o->map))
  GIVES_MAP("partial_lexmax", isl_map_partial_lexmax(o->map, o->others, &o->second_result))
  GIVES_MAP("project_out", isl_map_project_out(o->map, type, first, n))
  GIVES_MAP("eliminate", isl_map_eliminate(o->map, type, first, n))
  MAP_GIVES_SET("domain", isl_map_domain(o->map))
  MAP_GIVES_SET("range", isl_map_range(o->map))
  MAP_GIVES_SET("params", isl_map_params(o->map))
  MAP_GIVES_SET("deltas", isl_map_deltas(o->map))
  MAP_GIVES_BASIC("simple_hull", isl_map_simple_hull(o->map))
  MAP_GIVES_BASIC("affine_hull", isl_map_affine_hull(o->map))
  ASKS_SET("is_empty", isl_map_is_empty(o->map))
  ASKS_SET("is_equal", isl_map_is_equal(o->map, o->other))
  ASKS_SET("is_subset", isl_map_is_subset(o->map, o->other))
  ASKS_SET("is_disjoint", isl_map_is_disjoint(o->map, o->other))
  ASKS_SET("is_single_valued", isl_map_is_single_valued(o->map))
  return 0;
}

static void release(Operands *o) {
  isl_map_free(o->map), isl_map_free(o->other), isl_map_free(o->map_result);
  isl_set_free(o->set), isl_set_free(o->others), isl_set_free(o->set_result), isl_set_free(o->second_result);
  isl_basic_map_free(o->basic_map_result), isl_basic_set_free(o->basic_set_result);
}

// The time of one line once, or a negative number.
static double once(char **field, int fields) {
  const char *op = field[0];
  if (!strncmp(op, "basic_", 6)) op += 6;
  int relation = !strncmp(op, "map_", 4);
  op += 4;
  int type = 0, at = 1;
  unsigned first = 0, n = 0;
  if (fields > 1 && !strchr(field[1], '{') && sscanf(field[1], "%d,%u,%u", &type, &first, &n) == 3) at = 2;
  int set_second = !relation || !strcmp(op, "intersect_domain") || !strcmp(op, "intersect_range") || !strcmp(op, "partial_lexmax");
  Operands o = {0};
  if (relation) o.map = isl_map_read_from_str(ctx, field[at]);
  else o.set = isl_set_read_from_str(ctx, field[at]);
  if (fields > at + 1 && set_second) o.others = isl_set_read_from_str(ctx, field[at + 1]);
  if (fields > at + 1 && !set_second) o.other = isl_map_read_from_str(ctx, field[at + 1]);
  double time = -1;
  if ((o.map || o.set) && (fields <= at + 1 || o.other || o.others)) {
    double start = now();
    int known = relation ? on_maps(&o, op, type, first, n) : on_sets(&o, op, type, first, n);
    time = known ? now() - start : -1;
  }
  release(&o);
  return time;
}

static void operations(FILE *file, int repetitions) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, file)) > 0) {
    if (line[length - 1] == '\n') line[length - 1] = 0;
    char *field[MOST_FIELDS], *rest = line;
    int fields = 0;
    while (rest && fields < MOST_FIELDS) field[fields++] = strsep(&rest, "\t");
    double best = -1;
    for (int r = 0; r < repetitions; r++) {
      double time = once(field, fields);
      if (time < 0) break;
      if (best < 0 || time < best) best = time;
      if (time > LONG) break;
    }
    if (best < 0) puts("-");
    else printf("%.0f\n", best);
    fflush(stdout);
  }
  free(line);
}

static void flow(FILE *file, int repetitions) {
  isl_union_map *reads = NULL, *must = NULL, *may = NULL, *schedule = NULL;
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, file) > 0) {
    char *text = strstr(line, ": ");
    if (!text) continue;
    *text = 0, text += 2;
    if (!strcmp(line, "reads")) reads = isl_union_map_read_from_str(ctx, text);
    if (!strcmp(line, "must_writes")) must = isl_union_map_read_from_str(ctx, text);
    if (!strcmp(line, "may_writes")) may = isl_union_map_read_from_str(ctx, text);
    if (!strcmp(line, "schedule")) schedule = isl_union_map_read_from_str(ctx, text);
  }
  free(line);
  double best = -1;
  for (int r = 0; reads && must && may && schedule && r < repetitions; r++) {
    isl_union_access_info *access = isl_union_access_info_from_sink(isl_union_map_copy(reads));
    access = isl_union_access_info_set_must_source(access, isl_union_map_copy(must));
    access = isl_union_access_info_set_may_source(access, isl_union_map_copy(may));
    access = isl_union_access_info_set_schedule_map(access, isl_union_map_copy(schedule));
    double start = now();
    isl_union_flow *found = isl_union_access_info_compute_flow(access);
    double time = now() - start;
    isl_union_flow_free(found);
    if (best < 0 || time < best) best = time;
    if (time > LONG) break;
  }
  if (best < 0) puts("-");
  else printf("%.0f\n", best);
  isl_union_map_free(reads), isl_union_map_free(must), isl_union_map_free(may), isl_union_map_free(schedule);
}

int main(int count, char **arguments) {
  if (count != 4) return fprintf(stderr, "isl_times ops|flow FILE REPETITIONS\n"), 2;
  FILE *file = fopen(arguments[2], "r");
  if (!file) return perror(arguments[2]), 2;
  ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  if (!strcmp(arguments[1], "ops")) operations(file, atoi(arguments[3]));
  else flow(file, atoi(arguments[3]));
  fclose(file);
  isl_ctx_free(ctx);
  return 0;
}
