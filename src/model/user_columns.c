/* Columns that the robot file defines: name, unit, and the expressions with their rows. */
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

#define COLUMNS_MAX 100  // a longer list is treated as an error

/* the coordinate of a joint by its name, or its number from 1; -1 when there is none */
static int find_joint(const void *robot, const char *name) {
  const rbv_draft *draft = robot;
  for (int j = 0; j < draft->njoint; j++)
    if (strcmp(draft->joint[j].name, name) == 0) return rbv_draft_coordinate(draft, j);
  for (int j = 0; j < draft->njoint; j++) {
    char number[16];
    snprintf(number, sizeof number, "%d", j + 1);
    if (strcmp(number, name) == 0) return rbv_draft_coordinate(draft, j);
  }
  return -1;
}

static rbv_status read_row(int *out, const rbv_draft *draft, const rbv_node *node) {
  const char *name;
  RBV_TRY(rbv_node_string(&name, node));
  *out = find_joint(draft, name);
  if (*out < 0)
    return rbv_node_fail(RBV_EINPUT, node, "there is no joint '%s'; the robot has %d moving joints",
                         name, draft->njoint);
  return RBV_OK;
}

/* the names first, in order, then the formula */
static rbv_status compile(expression *out, compiler *c, const rbv_node *column,
                          const rbv_node *formula) {
  const rbv_node *constants = rbv_node_find(column, "constants");
  const rbv_node *let = rbv_node_find(column, "let");
  for (int i = 0; i < rbv_node_count(constants); i++)
    RBV_TRY(rbv_compile_constant(c, rbv_node_key(constants, i), rbv_node_at(constants, i)));
  for (int i = 0; i < rbv_node_count(let); i++)
    RBV_TRY(rbv_compile_let(c, rbv_node_key(let, i), rbv_node_at(let, i)));
  return rbv_compile_result(out, c, formula);
}

/* where: the map that has joint and expression, the column itself or an entry of its terms */
static rbv_status read_term(rbv_draft *draft, const rbv_node *column, const rbv_node *where) {
  const rbv_node *joint = rbv_node_find(where, "joint");
  const rbv_node *formula = rbv_node_find(where, "expression");
  if (!joint || !formula)
    return rbv_node_fail(RBV_EINPUT, where, "a column needs joint and expression, or terms");
  int row;
  RBV_TRY(read_row(&row, draft, joint));
  const draft_column *last = &draft->column[draft->ncolumn - 1];
  for (int t = last->first; t < last->first + last->count; t++)
    if (draft->term[t].joint == row)
      return rbv_node_fail(RBV_EINPUT, joint, "column '%s' has two terms for joint %d: add them up",
                           last->name, row + 1);
  compiler c = {.joint = find_joint, .robot = draft, .njoint = draft->njoint};
  expression e;
  RBV_TRY(compile(&e, &c, column, formula));
  return rbv_draft_add_term(draft, row, &e);
}

static rbv_status read_terms(rbv_draft *draft, const rbv_node *column, const rbv_node *list) {
  static const char *const keys[] = {"joint", "expression", NULL};
  if (rbv_node_find(column, "joint") || rbv_node_find(column, "expression"))
    return rbv_node_fail(RBV_EINPUT, column, "give either joint and expression, or terms");
  if (rbv_node_get_kind(list) != RBV_NODE_LIST || rbv_node_count(list) == 0)
    return rbv_node_fail(RBV_EINPUT, list, "terms must be a list of joint and expression");
  for (int i = 0; i < rbv_node_count(list); i++) {
    RBV_TRY(rbv_node_only_keys(rbv_node_at(list, i), keys));
    RBV_TRY(read_term(draft, column, rbv_node_at(list, i)));
  }
  return RBV_OK;
}

static rbv_status read_head(draft_column *out, const rbv_node *node) {
  const rbv_node *name = rbv_node_find(node, "name"), *unit = rbv_node_find(node, "unit");
  const rbv_node *side = rbv_node_find(node, "side");
  if (!name || !unit)
    return rbv_node_fail(RBV_EINPUT, node, "a column needs a name and a unit (of its parameter)");
  *out = (draft_column){.node = name, .side = RBV_SIDE_LINK};
  RBV_TRY(rbv_node_string(&out->name, name));
  RBV_TRY(rbv_node_string(&out->unit, unit));
  if (!rbv_is_identifier(out->name))
    return rbv_node_fail(
        RBV_EINPUT, name,
        "'%s' cannot be a name: letters, digits and _, at most %d, not a digit first", out->name,
        EXPRESSION_NAME_SIZE - 1);
  if (!side) return RBV_OK;
  const char *text;
  RBV_TRY(rbv_node_string(&text, side));
  if (strcmp(text, "motor") == 0)
    out->side = RBV_SIDE_MOTOR;
  else if (strcmp(text, "link") != 0)
    return rbv_node_fail(RBV_EINPUT, side, "side '%s' is not known: it can be link or motor", text);
  return RBV_OK;
}

static rbv_status read_column(rbv_draft *draft, const rbv_node *node) {
  static const char *const keys[] = {"name",  "unit",      "joint", "side", "expression",
                                     "terms", "constants", "let",   NULL};
  RBV_TRY(rbv_node_only_keys(node, keys));
  static const char *const maps[] = {"constants", "let"};
  for (int i = 0; i < RBV_COUNT(maps); i++) {
    const rbv_node *map = rbv_node_find(node, maps[i]);
    if (map && rbv_node_get_kind(map) != RBV_NODE_MAP)
      return rbv_node_fail(RBV_EINPUT, map, "%s must be a map from names to formulas", maps[i]);
  }
  draft_column column;
  RBV_TRY(read_head(&column, node));
  RBV_TRY(rbv_draft_add_column(draft, &column));
  const rbv_node *terms = rbv_node_find(node, "terms");
  return terms ? read_terms(draft, node, terms) : read_term(draft, node, node);
}

rbv_status rbv_draft_read_columns(rbv_draft *draft, const rbv_node *list) {
  if (rbv_node_get_kind(list) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, list, "columns must be a list");
  if (rbv_node_count(list) > COLUMNS_MAX)
    return rbv_node_fail(RBV_EINPUT, list, "%d columns; the limit is %d", rbv_node_count(list),
                         COLUMNS_MAX);
  for (int i = 0; i < rbv_node_count(list); i++) RBV_TRY(read_column(draft, rbv_node_at(list, i)));
  return RBV_OK;
}

rbv_status rbv_draft_add_springs(rbv_draft *draft) {
  rbv_text yaml = {0};
  for (int j = 0; j < draft->njoint; j++) {
    const draft_joint *joint = &draft->joint[j];
    if (joint->stiffness == 0 || joint->leader >= 0 || joint->passive) continue;
    char rest[32];
    rbv_format_double(rest, joint->rest);
    rbv_text_print(&yaml, "- {name: Ks%d, unit: %s, joint: %d, expression: \"q%d - (%s)\"}\n",
                   j + 1, joint->geometry.type == RBV_JOINT_PRISMATIC ? "N/m" : "N m/rad", j + 1,
                   j + 1, rest);
  }
  rbv_status status = yaml.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK && yaml.size)
    status = rbv_document_parse(&draft->springs, draft->file, yaml.data, yaml.size);
  rbv_text_free(&yaml);
  if (status != RBV_OK || !draft->springs) return status;
  const rbv_node *root = rbv_document_root(draft->springs);
  RBV_TRY(rbv_draft_read_columns(draft, root));
  for (int j = 0; j < draft->njoint; j++) {
    char name[16];
    snprintf(name, sizeof name, "Ks%d", j + 1);
    if (draft->joint[j].stiffness == 0 || draft->joint[j].leader >= 0 || draft->joint[j].passive)
      continue;
    RBV_TRY(rbv_draft_add_value(draft, name, draft->joint[j].stiffness, false, root));
    RBV_TRY(rbv_draft_add_note(draft, "joint '%s' has a spring: its stiffness is parameter %s",
                               draft->joint[j].name, name));
  }
  return RBV_OK;
}
