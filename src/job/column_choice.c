/* The base parameters that an identification estimates: a list of names, or those of a result. */
#include <ctype.h>
#include <roberval/sys/baseparam.h>
#include <string.h>

#include "job/identification_internal.h"

/* names with commas between them as the text of a parameter file */
static rbv_status read_list(rbv_parameters **out, const char *list) {
  rbv_text text = {0};
  rbv_text_put(&text, "{");
  for (const char *at = list; *at; at++) {
    const bool letter = isalnum((unsigned char)*at) || strchr("_.-+", *at);
    if (!letter && *at != ',' && *at != ' ') {
      rbv_text_free(&text);
      return rbv_fail(RBV_EOPTION,
                      "only needs names with commas between them, or a result; not '%s'", list);
    }
    if (*at == ',')
      rbv_text_put(&text, ": 1, ");
    else
      rbv_text_print(&text, "%c", *at);
  }
  rbv_text_put(&text, ": 1}");
  RBV_FINISH(text.failed ? RBV_EMEM : rbv_parameters_parse(out, "only", text.data, text.size),
             rbv_text_free(&text));
}

bool rbv_only_is_list(const char *text) { return !strchr(text, '/') && !strstr(text, ".json"); }

/* flag the columns of a set: of a result, those that it has estimated */
static rbv_status mark_set(double *wanted, const rbv_parameters *set, const rbv_model *m) {
  RBV_TRY(rbv_parameters_apply(wanted, NULL, set, m));
  for (int c = 0; c < rbv_model_column_count(m); c++) wanted[c] = 0;
  for (int i = 0; i < set->count; i++) {
    const rbv_parameter *p = &set->item[i];
    if (p->status != RBV_STATUS_NOT_ESSENTIAL && p->status != RBV_STATUS_NOT_IDENTIFIABLE)
      wanted[rbv_model_find(m, p->name)] = 1;
  }
  return RBV_OK;
}

static rbv_status read_names(double *wanted, const char *only, const rbv_model *m) {
  rbv_parameters *set = NULL;
  rbv_result *result = NULL;
  rbv_status status;
  if (rbv_only_is_list(only))
    status = read_list(&set, only);
  else
    status = rbv_result_load(&result, only);
  if (status == RBV_OK) status = mark_set(wanted, set ? set : &result->estimate, m);
  rbv_parameters_free(set);
  rbv_result_free(result);
  return status;
}

/* only base parameters can be estimated */
static rbv_status choose(bool *columns, const double *wanted, const rbv_model *m) {
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  for (int k = 0; k < base->count; k++) columns[base->kept[k]] = wanted[base->kept[k]] != 0;
  rbv_base_free(base);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (wanted[c] != 0 && !columns[c])
      return rbv_fail(RBV_EOPTION,
                      "only: %s is no base parameter of '%s': it acts on the torque only together "
                      "with others, whose name has the letter R",
                      rbv_model_column(m, c)->name, rbv_model_name(m));
  return RBV_OK;
}

rbv_status rbv_identification_choose_columns(rbv_identification *job) {
  const char *only = job->options.only;
  if (!only) return RBV_OK;
  const size_t n = (size_t)rbv_model_column_count(job->model);
  double *wanted = rbv_alloc(n * sizeof *wanted);
  job->columns = rbv_alloc(n * sizeof *job->columns);
  rbv_status status = wanted && job->columns ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = read_names(wanted, only, job->model);
  if (status == RBV_OK) status = choose(job->columns, wanted, job->model);
  job->how.columns = job->columns;
  rbv_free(wanted);
  return status;
}
