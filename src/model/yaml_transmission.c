/* The robot YAML: how motors and joints are coupled. */
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

static rbv_status read_choice(int *out, const rbv_node *node, const char *const *choices,
                              const char *what) {
  const char *text;
  RBV_TRY(rbv_node_string(&text, node));
  for (int i = 0; choices[i]; i++)
    if (strcmp(choices[i], text) == 0) {
      *out = i;
      return RBV_OK;
    }
  char known[128] = "";
  for (int i = 0; choices[i]; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
             choices[i]);
  return rbv_node_fail(RBV_EINPUT, node, "%s '%s' is not known: it can be %s", what, text, known);
}

/* number of a motor or joint, from 1 in the file */
static rbv_status read_number(int *out, const rbv_draft *draft, const rbv_node *coupling,
                              const char *key) {
  const rbv_node *node = rbv_node_find(coupling, key);
  if (!node) return rbv_node_fail(RBV_EINPUT, coupling, "a coupling needs motor, joint and ratio");
  RBV_TRY(rbv_node_int(out, node));
  if (*out < 1 || *out > draft->njoint)
    return rbv_node_fail(RBV_EINPUT, node, "%s %d is not among the %d joints", key, *out,
                         draft->njoint);
  --*out;
  return RBV_OK;
}

static rbv_status read_couplings(rbv_draft *draft, const rbv_node *list) {
  static const char *const keys[] = {"motor", "joint", "ratio", NULL};
  if (rbv_node_get_kind(list) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, list, "couplings must be a list of motor, joint and ratio");
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *node = rbv_node_at(list, i);
    int motor, joint;
    double ratio;
    RBV_TRY(rbv_node_only_keys(node, keys));
    RBV_TRY(read_number(&motor, draft, node, "motor"));
    RBV_TRY(read_number(&joint, draft, node, "joint"));
    if (!rbv_node_find(node, "ratio"))
      return rbv_node_fail(RBV_EINPUT, node, "a coupling needs motor, joint and ratio");
    RBV_TRY(rbv_node_real(&ratio, rbv_node_find(node, "ratio")));
    if (motor == joint)
      return rbv_node_fail(RBV_EINPUT, node,
                           "a coupling connects a motor with the joint of another motor");
    draft->transmission[motor + joint * draft->njoint] = ratio;
  }
  return RBV_OK;
}

static rbv_status read_matrix(rbv_draft *draft, const rbv_node *node) {
  const int n = draft->njoint;
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) != n)
    return rbv_node_fail(RBV_EINPUT, node, "the matrix must have %d rows", n);
  for (int i = 0; i < n; i++) {
    const rbv_node *row = rbv_node_at(node, i);
    if (rbv_node_get_kind(row) != RBV_NODE_LIST || rbv_node_count(row) != n)
      return rbv_node_fail(RBV_EINPUT, row, "a row of the matrix must have %d numbers", n);
    for (int k = 0; k < n; k++)
      RBV_TRY(rbv_node_real(&draft->transmission[i + k * n], rbv_node_at(row, k)));
  }
  return RBV_OK;
}

static rbv_status read_offset(rbv_draft *draft, const rbv_node *node) {
  const int n = draft->njoint;
  if (rbv_node_get_kind(node) != RBV_NODE_LIST || rbv_node_count(node) != n)
    return rbv_node_fail(RBV_EINPUT, node, "offset must be a list of %d joint positions", n);
  draft->transmission_offset = rbv_alloc((size_t)n * sizeof *draft->transmission_offset);
  if (!draft->transmission_offset) return RBV_EMEM;
  return rbv_node_reals(draft->transmission_offset, n, node);
}

rbv_status rbv_draft_read_transmission(rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"matrix",          "ratios",  "couplings", "offset",
                                     "parametrisation", "coulomb", NULL};
  static const char *const laws[] = {"joint", "motor", NULL};
  static const char *const coulombs[] = {"motor", "printed", NULL};
  RBV_TRY(rbv_node_only_keys(node, keys));
  const int n = draft->njoint;
  draft->transmission = rbv_alloc((size_t)n * (size_t)n * sizeof *draft->transmission);
  if (!draft->transmission) return RBV_EMEM;
  for (int j = 0; j < n; j++) draft->transmission[j + j * n] = 1;

  const rbv_node *matrix = rbv_node_find(node, "matrix"), *ratios = rbv_node_find(node, "ratios");
  const rbv_node *couplings = rbv_node_find(node, "couplings");
  if (matrix && (ratios || couplings))
    return rbv_node_fail(RBV_EINPUT, node, "give either matrix or ratios and couplings");
  if (matrix) RBV_TRY(read_matrix(draft, matrix));
  if (ratios) {
    if (rbv_node_get_kind(ratios) != RBV_NODE_LIST || rbv_node_count(ratios) != n)
      return rbv_node_fail(RBV_EINPUT, ratios, "ratios must be a list of %d numbers", n);
    for (int j = 0; j < n; j++)
      RBV_TRY(rbv_node_real(&draft->transmission[j + j * n], rbv_node_at(ratios, j)));
  }
  if (couplings) RBV_TRY(read_couplings(draft, couplings));
  if (rbv_node_find(node, "offset")) RBV_TRY(read_offset(draft, rbv_node_find(node, "offset")));
  for (int j = 0; j < n; j++)
    if (draft->transmission[j + j * n] == 0)
      return rbv_node_fail(RBV_EINPUT, node,
                           "the transmission does not connect motor %d with joint %d", j + 1,
                           j + 1);

  int choice = 0;
  if (rbv_node_find(node, "parametrisation"))
    RBV_TRY(read_choice(&choice, rbv_node_find(node, "parametrisation"), laws, "parametrisation"));
  draft->law = (coupling_law)choice;
  choice = 0;
  if (rbv_node_find(node, "coulomb"))
    RBV_TRY(read_choice(&choice, rbv_node_find(node, "coulomb"), coulombs, "coulomb"));
  draft->printed_coulomb = choice == 1;
  return RBV_OK;
}
