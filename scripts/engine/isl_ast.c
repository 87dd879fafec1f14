// Loop generation by isl, for scripts/bench-ast.
//
//   isl_ast schedule FILE.pm PREFIX OPERATIONS   isl's schedule of a model (one `key: isl text` per line) to PREFIX.isl, tiled by 32 to PREFIX.tiled
//   isl_ast ast TREE CONTEXT REPETITIONS         best time of loop generation in nanoseconds, and the loops as C
//
// Needs isl (Debian: libisl-dev). A schedule that takes more than OPERATIONS is not written.
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/flow.h>
#include <isl/options.h>
#include <isl/printer.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TILE = 32, MOST = 1 << 24 };
// A generation that takes longer than this is not repeated.
static const double LONG = 5e8;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static char *text_of(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return fprintf(stderr, "isl_ast: cannot read %s\n", path), exit(2), NULL;
  char *text = calloc(MOST, 1);
  text[fread(text, 1, MOST - 1, file)] = 0;
  fclose(file);
  return text;
}

static char *line_of(const char *text, const char *key) {
  size_t n = strlen(key);
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (!strncmp(line, key, n) && line[n] == ':') return strndup(line + n + 1, strcspn(line + n + 1, "\n"));
  return strdup("{ }");
}

static isl_schedule_node *tiled(isl_schedule_node *node, void *user) {
  (void)user;
  if (isl_schedule_node_get_type(node) != isl_schedule_node_band) return node;
  int n = isl_schedule_node_band_n_member(node);
  if (n < 2 || !isl_schedule_node_band_get_permutable(node)) return node;
  isl_multi_val *sizes = isl_multi_val_zero(isl_schedule_node_band_get_space(node));
  for (int i = 0; i < n; i++) sizes = isl_multi_val_set_val(sizes, i, isl_val_int_from_si(isl_schedule_node_get_ctx(node), TILE));
  return isl_schedule_node_band_tile(node, sizes);
}

static void write_tree(isl_schedule *schedule, const char *prefix, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", prefix, suffix);
  FILE *file = fopen(path, "w");
  if (!file) return;
  isl_printer *printer = isl_printer_to_file(isl_schedule_get_ctx(schedule), file);
  printer = isl_printer_set_yaml_style(printer, ISL_YAML_STYLE_BLOCK);
  isl_printer_free(isl_printer_print_schedule(printer, schedule));
  fclose(file);
}

static isl_union_map *flow(isl_union_map *sink, isl_union_map *must, isl_union_map *may, isl_union_map *order) {
  isl_union_access_info *info = isl_union_access_info_from_sink(isl_union_map_copy(sink));
  if (must) info = isl_union_access_info_set_must_source(info, isl_union_map_copy(must));
  if (may) info = isl_union_access_info_set_may_source(info, isl_union_map_copy(may));
  info = isl_union_access_info_set_schedule_map(info, isl_union_map_copy(order));
  isl_union_flow *result = isl_union_access_info_compute_flow(info);
  isl_union_map *dependence = isl_union_flow_get_may_dependence(result);
  isl_union_flow_free(result);
  return dependence;
}

static int make_schedule(isl_ctx *ctx, const char *model, const char *prefix, unsigned long operations) {
  char *text = text_of(model);
#define MAP(key) isl_union_map_read_from_str(ctx, line_of(text, key))
  isl_set *context = isl_set_params(isl_set_read_from_str(ctx, line_of(text, "context")));
  isl_union_set *domain = isl_union_set_read_from_str(ctx, line_of(text, "domain"));
  isl_union_map *order = MAP("schedule"), *reads = MAP("reads"), *must = MAP("must_writes"), *may = MAP("may_writes");
  isl_union_map *writes = isl_union_map_union(isl_union_map_copy(must), isl_union_map_copy(may));
  isl_union_map *raw = flow(reads, must, may, order), *war = flow(writes, NULL, reads, order);
  isl_union_map *waw = flow(writes, NULL, writes, order);
  isl_union_map *all = isl_union_map_coalesce(isl_union_map_union(isl_union_map_union(isl_union_map_copy(raw), war), waw));
  isl_schedule_constraints *constraints = isl_schedule_constraints_on_domain(domain);
  constraints = isl_schedule_constraints_set_context(constraints, context);
  constraints = isl_schedule_constraints_set_validity(constraints, isl_union_map_copy(all));
  constraints = isl_schedule_constraints_set_coincidence(constraints, all);
  constraints = isl_schedule_constraints_set_proximity(constraints, raw);
  isl_ctx_set_max_operations(ctx, operations);
  isl_schedule *schedule = isl_schedule_constraints_compute_schedule(constraints);
  if (!schedule) return 1;
  isl_ctx_set_max_operations(ctx, 0);
  write_tree(schedule, prefix, "isl");
  schedule = isl_schedule_map_schedule_node_bottom_up(schedule, tiled, NULL);
  write_tree(schedule, prefix, "tiled");
  return 0;
}

static int make_ast(isl_ctx *ctx, const char *tree, const char *context, int repetitions) {
  isl_schedule *schedule = isl_schedule_read_from_str(ctx, text_of(tree));
  if (!schedule) return 2;
  double best = -1;
  isl_ast_node *node = NULL;
  for (int i = 0; i < repetitions; i++) {
    isl_ast_node_free(node);
    isl_ast_build *build = isl_ast_build_from_context(isl_set_read_from_str(ctx, context));
    double start = now();
    node = isl_ast_build_node_from_schedule(build, isl_schedule_copy(schedule));
    double time = now() - start;
    isl_ast_build_free(build);
    if (best < 0 || time < best) best = time;
    if (!node || best > LONG) break;
  }
  char *text = node ? isl_ast_node_to_C_str(node) : NULL;
  printf("%.0f\n%s", best, text ? text : "");
  return text ? 0 : 1;
}

int main(int argc, char **argv) {
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
  if (argc == 5 && !strcmp(argv[1], "schedule")) return make_schedule(ctx, argv[2], argv[3], strtoul(argv[4], NULL, 10));
  if (argc == 5 && !strcmp(argv[1], "ast")) return make_ast(ctx, argv[2], argv[3], atoi(argv[4]));
  fprintf(stderr, "usage: isl_ast schedule FILE.pm PREFIX OPERATIONS | isl_ast ast TREE CONTEXT REPETITIONS\n");
  return 2;
}
