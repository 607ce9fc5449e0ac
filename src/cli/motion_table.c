#include "motion_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void cli_free_motion(cli_motion *motion) {
  rbv_log_free(motion->log);
  for (int i = 0; i < 4; i++) rbv_log_block_free(motion->values[i]);
  *motion = (cli_motion){0};
}

int cli_read_motion(cli_motion *out, const rbv_model *model, const char *path,
                    const rbv_channel *channels) {
  *out = (cli_motion){0};
  rbv_status status = rbv_log_load(&out->log, path, NULL);
  if (status != RBV_OK) return cli_fail(status);
  out->count = rbv_log_samples(out->log);
  for (int i = 0; channels[i] != RBV_CHANNEL_OTHER && status == RBV_OK; i++)
    status = rbv_log_block(&out->values[i], out->log, channels[i], rbv_model_joint_count(model));
  if (status == RBV_OK) return -1;
  cli_free_motion(out);
  return cli_fail(status);
}

/* ---- writing ---- */

struct cli_table {
  const char *path;
  const char *const *names;
  int ncolumn;
  ptrdiff_t nrow;       // written so far
  rbv_csv_writer *csv;  // or
  rbv_json *json;
};

int cli_table_open(cli_table **out, const char *path, bool json, const char *const *names,
                   int ncolumn) {
  cli_table *t = calloc(1, sizeof *t);
  *out = t;
  if (!t) return cli_out_of_memory();
  t->path = path;
  t->names = names;
  t->ncolumn = ncolumn;
  rbv_status status;
  if (json)
    status = rbv_json_new(&t->json);
  else
    status = path ? rbv_csv_create(&t->csv, path, names, ncolumn)
                  : rbv_csv_stream(&t->csv, stdout, names, ncolumn);
  if (status != RBV_OK) {
    cli_table_drop(t);
    *out = NULL;
    return cli_fail(status);
  }
  if (!json) return -1;
  rbv_json_map(t->json);
  rbv_json_put_string(t->json, "schema", "roberval.table/1");
  rbv_json_put_string(t->json, "version", rbv_version());
  rbv_json_key(t->json, "columns");
  rbv_json_flat_list(t->json);
  for (int c = 0; c < ncolumn; c++) rbv_json_string(t->json, names[c]);
  rbv_json_end(t->json);
  rbv_json_key(t->json, "rows");
  rbv_json_list(t->json);
  return -1;
}

/* A table without a number is useless to the program that reads it. */
static int check_rows(cli_table *t, const double *A, ptrdiff_t rows, ptrdiff_t ld) {
  for (ptrdiff_t r = 0; r < rows; r++, t->nrow++)
    for (int c = 0; c < t->ncolumn; c++)
      if (!isfinite(A[r + c * ld])) {
        cli_error(
            "'%s' has no finite value in row %td of the table (%g): check the motion, the "
            "parameters and the formulas of the robot",
            t->names[c], t->nrow + 1, A[r + c * ld]);
        return EXIT_INPUT;
      }
  return -1;
}

int cli_table_rows(cli_table *t, const double *A, ptrdiff_t rows, ptrdiff_t ld) {
  const int code = check_rows(t, A, rows, ld);
  if (code >= 0) return code;
  if (t->csv) {
    const rbv_status status = rbv_csv_rows(t->csv, A, rows, ld);
    return status == RBV_OK ? -1 : cli_fail(status);
  }
  for (ptrdiff_t r = 0; r < rows; r++) {
    rbv_json_flat_list(t->json);
    for (int c = 0; c < t->ncolumn; c++) rbv_json_real(t->json, A[r + c * ld]);
    rbv_json_end(t->json);
  }
  return -1;
}

void cli_table_drop(cli_table *t) {
  if (!t) return;
  rbv_csv_free(t->csv);
  rbv_json_free(t->json);
  free(t);
}

int cli_table_close(cli_table *t) {
  int code = EXIT_DONE;
  if (t->csv) {
    const rbv_status status = rbv_csv_finish(t->csv);
    if (status != RBV_OK) code = cli_fail(status);
  } else {
    rbv_json_end(t->json);
    rbv_json_end(t->json);
    code = cli_write_json(t->path, t->json);
    t->json = NULL;
  }
  cli_table_drop(t);
  return code;
}
