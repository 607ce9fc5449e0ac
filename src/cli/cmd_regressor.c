/* roberval regressor: the regressor of a motion as a table. */
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <stdlib.h>

#include "motion_table.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  const char *output;
  bool base;
} options;

/* rows of all samples, the columns in this order */
static int write_rows(cli_table *table, const rbv_model *m, const cli_motion *motion,
                      const int *columns, int ncolumn) {
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  const size_t whole = (size_t)nrow * (size_t)rbv_model_column_count(m);
  rbv_dynamics *d;
  const rbv_status status = rbv_dynamics_new(&d, m);
  if (status != RBV_OK) return cli_fail(status);
  double *W = malloc(whole * sizeof *W), *chosen = malloc(whole * sizeof *chosen);
  double *s = malloc(3 * (size_t)n * sizeof *s);
  int code = W && chosen && s ? -1 : cli_out_of_memory();
  for (ptrdiff_t k = 0; k < motion->count && code < 0; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n; j++) s[i * n + j] = motion->values[i][k + j * motion->count];
    rbv_regressor_eval(W, d, s, s + n, s + 2 * n, rbv_model_has_payload(m));
    for (int c = 0; c < ncolumn; c++)
      for (int r = 0; r < nrow; r++) chosen[r + c * nrow] = W[r + columns[c] * nrow];
    code = cli_table_rows(table, chosen, nrow, nrow);
  }
  free(W);
  free(chosen);
  free(s);
  rbv_dynamics_free(d);
  return code;
}

static int run(const rbv_model *m, const options *o, const char *path) {
  static const rbv_channel channels[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY,
                                         RBV_CHANNEL_ACCELERATION, RBV_CHANNEL_OTHER};
  const int all = rbv_model_column_count(m);
  cli_motion motion;
  int code = cli_read_motion(&motion, m, path, channels);
  if (code >= 0) return code;
  rbv_base *base = NULL;
  if (o->base) {
    const rbv_status status = rbv_base_new(&base, m, NULL);
    if (status != RBV_OK) code = cli_fail(status);
  }
  const int ncolumn = base ? base->count : all;
  int *columns = malloc((size_t)ncolumn * sizeof *columns);
  const char **names = malloc((size_t)ncolumn * sizeof *names);
  cli_table *table = NULL;
  if (code < 0 && (!columns || !names)) code = cli_out_of_memory();
  for (int c = 0; c < ncolumn && code < 0; c++) {
    columns[c] = base ? base->kept[c] : c;
    names[c] = base ? base->name[c] : rbv_model_column(m, c)->name;
  }
  if (code < 0) code = cli_table_open(&table, o->output, o->common.json, names, ncolumn);
  if (code < 0) code = write_rows(table, m, &motion, columns, ncolumn);
  if (code < 0)
    code = cli_table_close(table);
  else
    cli_table_drop(table);
  free(columns);
  free(names);
  rbv_base_free(base);
  cli_free_motion(&motion);
  return code;
}

int cli_run_regressor(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .robot = {.model = rbv_model_defaults()}};
  const cli_opt table[] = {
      {"base", 'b', OPT_FLAG, &o.base, NULL, "only the columns of the base parameters"},
      {"output", 'o', OPT_OUTPUT, &o.output, "FILE", "write the table here (default: stdout)"},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "regressor", table);
  if (code >= 0) return code;
  rbv_model *m;
  code = cli_load_robot(&m, "regressor", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  code = run(m, &o, argv[2]);
  rbv_model_free(m);
  return code;
}
