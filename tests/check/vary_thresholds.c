/*
 * The tool with thresholds that can be varied, for scripts/thresholds. It is never installed.
 *
 *   vary_thresholds                        the table, one row per line, separated by tabs:
 *                                          group.name, kind, value, unit, what set it, effect
 *   vary_thresholds GROUP.NAME=VALUE ...   run the tool with the arguments that follow and this
 *                                          threshold
 *   vary_thresholds as-is ...              run the tool with the arguments that follow
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threshold.h"
#include "cli.h"

/* a list of rows; the same list may be in several source files, each with its own variables */
typedef struct {
  const char *group;
  const rbv_threshold *rows;
  int count;
} list;

static list lists[256];
static int nlist;

void rbv_threshold_register(const char *group, const rbv_threshold *rows, int count) {
  if (nlist == (int)(sizeof lists / sizeof *lists)) abort();
  lists[nlist++] = (list){group, rows, count};
}

static int by_group(const void *a, const void *b) {
  return strcmp(((const list *)a)->group, ((const list *)b)->group);
}

static int print_table(void) {
  qsort(lists, (size_t)nlist, sizeof *lists, by_group);
  for (int i = 0; i < nlist; i++) {
    if (i > 0 && strcmp(lists[i].group, lists[i - 1].group) == 0) continue;
    for (int k = 0; k < lists[i].count; k++) {
      const rbv_threshold *t = &lists[i].rows[k];
      printf("%s.%s\t%s\t%.17g\t%s\t%s\t%s\n", lists[i].group, t->name, t->kind, t->value, t->unit,
             t->set_by, t->effect);
    }
  }
  return 0;
}

/* set GROUP.NAME=VALUE in every source file that has the list; returns how many have it */
static int set(const char *assignment) {
  const char *dot = strchr(assignment, '.'), *equal = strchr(assignment, '=');
  if (!dot || !equal || equal < dot) return 0;
  int found = 0;
  for (int i = 0; i < nlist; i++) {
    const size_t length = (size_t)(dot - assignment);
    if (strlen(lists[i].group) != length || strncmp(lists[i].group, assignment, length) != 0)
      continue;
    for (int k = 0; k < lists[i].count; k++) {
      const rbv_threshold *t = &lists[i].rows[k];
      if (strlen(t->name) != (size_t)(equal - dot - 1) ||
          strncmp(t->name, dot + 1, strlen(t->name)) != 0)
        continue;
      if (t->real) *t->real = strtod(equal + 1, NULL);
      if (t->count) *t->count = atoi(equal + 1);
      found += t->real || t->count;
    }
  }
  return found;
}

int main(int argc, char **argv) {
  if (argc < 2) return print_table();
  if (strcmp(argv[1], "as-is") != 0 && set(argv[1]) == 0) {
    fprintf(stderr, "there is no threshold for '%s', or it cannot be varied\n", argv[1]);
    return 2;
  }
  argv[1] = argv[0];
  return cli_main(argc - 1, argv + 1);
}
