#include <math.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <string.h>
#include "document/document.h"

#include "base/support.h"

static const char *const status_name[] = {"identified",       "combined", "prior",
                                          "not identifiable", "given",    "not essential",
                                          "mean residual"};

const char *rbv_parameter_status_name(rbv_parameter_status status) { return status_name[status]; }

void rbv_parameters_free(rbv_parameters *set) { rbv_free(set); }

/* ---- reading ---- */

/* the map or list with the parameters: the document itself, `parameters`, or those of a result */
static const rbv_node *holder(const rbv_node *root) {
  const rbv_node *estimate = rbv_node_find(root, "estimate");
  const rbv_node *inside = rbv_node_find(estimate ? estimate : root, "parameters");
  return inside ? inside : root;
}

/* an entry: a number, or a map with value and sigma */
static rbv_status read_entry(rbv_parameter *p, const rbv_node *node, bool in_list) {
  p->sigma = NAN;
  p->status = RBV_STATUS_GIVEN;
  if (rbv_node_get_kind(node) == RBV_NODE_SCALAR && !in_list) return rbv_node_real(&p->value, node);
  if (rbv_node_get_kind(node) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node,
                         "a parameter must be a number or a map with the key value");
  const rbv_node *value = rbv_node_find(node, "value"), *sigma = rbv_node_find(node, "sigma");
  if (!value) return rbv_node_fail(RBV_EINPUT, node, "the parameter has no value");
  RBV_TRY(rbv_node_real(&p->value, value));
  if (sigma && !rbv_node_is_null(sigma)) {
    RBV_TRY(rbv_node_real(&p->sigma, sigma));
    if (p->sigma < 0) return rbv_node_fail(RBV_EINPUT, sigma, "sigma must not be negative");
  }
  if (!in_list) return RBV_OK;
  const rbv_node *name = rbv_node_find(node, "name");
  if (!name) return rbv_node_fail(RBV_EINPUT, node, "the parameter has no name");
  return rbv_node_string(&p->name, name);
}

static void layout(rbv_parameters *set, int count, size_t text, char **names, rbv_arena *a) {
  set->item = RBV_TAKE(a, count, rbv_parameter);
  *names = RBV_TAKE(a, text, char);
}

static rbv_status read_set(rbv_parameters **out, const rbv_node *list) {
  const bool in_list = rbv_node_get_kind(list) == RBV_NODE_LIST;
  if (rbv_node_get_kind(list) == RBV_NODE_SCALAR)
    return rbv_node_fail(RBV_EINPUT, list, "parameters must be a map from names to numbers");
  const int count = rbv_node_count(list);
  if (count == 0) return rbv_node_fail(RBV_EINPUT, list, "there are no parameters");
  size_t text = 0;
  for (int i = 0; i < count; i++) {
    const rbv_node *name = rbv_node_find(rbv_node_at(list, i), "name");
    const char *s = in_list ? rbv_node_text(name) : rbv_node_key(list, i);
    text += s ? strlen(s) + 1 : 0;
  }

  rbv_parameters sizes = {.count = count}, *set;
  char *names;
  RBV_CARVE_OBJECT(set, a, layout(&sizes, count, text, &names, a));
  if (!set) return RBV_EMEM;
  *set = sizes;
  for (int i = 0; i < count; i++) {
    rbv_parameter *p = &set->item[i];
    RBV_TRY_OR(read_entry(p, rbv_node_at(list, i), in_list), rbv_parameters_free(set));
    const char *name = in_list ? p->name : rbv_node_key(list, i);
    p->name = names;
    names += sprintf(names, "%s", name) + 1;
    rbv_clean((char *)(uintptr_t)p->name);
  }
  *out = set;
  return RBV_OK;
}

rbv_status rbv_parameters_parse(rbv_parameters **out, const char *name, const char *text,
                                size_t size) {
  *out = NULL;
  rbv_document *doc;
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  RBV_FINISH(read_set(out, holder(rbv_document_root(doc))), rbv_document_free(doc));
}

rbv_status rbv_parameters_load(rbv_parameters **out, const char *path) {
  *out = NULL;
  char *text;
  size_t size;
  RBV_TRY(rbv_file_read(&text, &size, path));
  RBV_FINISH(rbv_parameters_parse(out, path, text, size), rbv_file_free(text));
}

/* ---- use ---- */

rbv_status rbv_parameters_apply(double *chi, double *sigma, const rbv_parameters *set,
                                const rbv_model *model) {
  const int n = rbv_model_column_count(model);
  for (int c = 0; c < n; c++) {
    chi[c] = NAN;  // no value yet
    if (sigma) sigma[c] = NAN;
  }
  for (int i = 0; i < set->count; i++) {
    const char *name = set->item[i].name;
    const int c = rbv_model_find(model, name);
    if (c < 0)
      return rbv_fail(RBV_EINPUT, "the robot '%s' has no parameter '%s'", rbv_model_name(model),
                      name);
    // the same name twice, or a combination ("ZZ1R") and its first term ("ZZ1")
    if (!isnan(chi[c]))
      return rbv_fail(RBV_EINPUT, "'%s' is a second value for the parameter %s", name,
                      rbv_model_column(model, c)->name);
    chi[c] = set->item[i].value;
    if (sigma) sigma[c] = set->item[i].sigma;
  }
  // springs that a set does not name are those of the robot: torques of rigid joints hide them
  const double *robot = rbv_model_parameters(model);
  for (int c = 0; c < n; c++)
    if (isnan(chi[c]))
      chi[c] = robot && rbv_column_is_spring(rbv_model_column(model, c)) ? robot[c] : 0;
  return RBV_OK;
}
