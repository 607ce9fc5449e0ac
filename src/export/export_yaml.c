/* A robot file with all parameters. Read back, it must have the same columns and torques. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/export_internal.h"

/* ---- text ---- */

/* a string in double quotes, with escapes */

static void put_pair(rbv_text *t, bool *first, const char *key, double x) {
  rbv_text_print(t, "%s%s: ", *first ? "" : ", ", key);
  rbv_put_numbers(t, &x, 1);
  *first = false;
}

/* ---- joints ---- */

static void put_geometry(rbv_text *t, const joint_geometry *g) {
  if (g->has_mdh) {
    const bool slides = g->type == RBV_JOINT_PRISMATIC;
    const double r = g->mdh_alpha_cos * g->origin[2] - g->mdh_alpha_sin * g->origin[1];
    bool first = true;
    rbv_text_put(t, "    mdh: {");
    put_pair(t, &first, "alpha", atan2(g->mdh_alpha_sin, g->mdh_alpha_cos));
    put_pair(t, &first, "d", g->mdh_d);
    put_pair(t, &first, "theta", slides ? atan2(-g->fixed[1], g->fixed[0]) : g->offset);
    put_pair(t, &first, "r", slides ? g->offset : r);
    rbv_text_put(t, "}\n");
    return;
  }
  const rbv_pose pose = rbv_joint_zero(g);
  double rpy[3];
  rbv_angles_of(rpy, pose.R);
  rbv_text_put(t, "    origin: {xyz: ");
  rbv_put_list(t, pose.p, 3, 1);
  rbv_text_put(t, ", rpy: ");
  rbv_put_list(t, rpy, 3, 1);
  rbv_text_put(t, "}\n    axis: ");
  rbv_put_list(t, g->axis, 3, 1);
  rbv_text_put(t, "\n");
}

static void put_limits(rbv_text *t, const rbv_limits *l) {
  const char *const key[] = {"lower", "upper", "velocity", "acceleration", "jerk", "effort"};
  const double value[] = {l->lower, l->upper, l->velocity, l->acceleration, l->jerk, l->effort};
  bool first = true;
  for (int k = 0; k < RBV_COUNT(key); k++) {
    if (!isfinite(value[k]) || (k < 2 && !(l->lower < l->upper))) continue;
    if (first) rbv_text_put(t, "    limits: {");
    put_pair(t, &first, key[k], value[k]);
  }
  if (!first) rbv_text_put(t, "}\n");
}

/* drive columns that the joint lists; columns of a coupling follow from the transmission */
static bool is_drive(const rbv_column *c, const char *number) {
  const size_t length = strlen(c->name), digits = strlen(number);
  return c->law && !rbv_is_coupling(c) && length > digits &&
         strcmp(c->name + length - digits, number) == 0 &&
         !isdigit((unsigned char)c->name[length - digits - 1]);
}

static void put_drive(rbv_text *t, const rbv_model *m, int body) {
  bool first = true;
  rbv_text_put(t, "    drive: [");
  char number[16];
  snprintf(number, sizeof number, "%d", body + 1);
  for (int c = 0; c < m->ncolumn; c++) {
    if (!is_drive(&m->column[c], number)) continue;
    const char *name = m->column[c].name;
    rbv_text_print(t, "%s%.*s", first ? "" : ", ", (int)(strlen(name) - strlen(number)), name);
    first = false;
  }
  rbv_text_put(t, "]\n");
}

/* does a law of the robot have this shape parameter? */
static bool has_shape(const rbv_model *m, const char *name) {
  for (int t = 0; t < m->nterm; t++)
    for (int k = 0; m->term[t].law && k < rbv_law_shape_count(m->term[t].law); k++)
      if (strcmp(m->term[t].law->shape[k].name, name) == 0) return true;
  return false;
}

/* shape parameters of the friction laws that are given, each as "key: value" */
static void put_friction(rbv_text *t, const rbv_model *m, int joint, const char *before) {
  const double *value = m->shape + (joint < 0 ? m->njoint : joint) * LAW_SHAPE_KINDS;
  bool first = true;
  for (int i = 0; i < rbv_shape_kind_count(); i++) {
    const rbv_law_shape *kind = rbv_shape_kind(i);
    const bool common = isnan(value[i]) && joint < 0 && has_shape(m, kind->name);
    const double x = common ? kind->fallback : value[i];
    if (isnan(x)) continue;
    if (first) rbv_text_print(t, "%sfriction: {", before);
    put_pair(t, &first, rbv_shape_kind(i)->name, x);
  }
  if (!first) rbv_text_put(t, "}\n");
}

static void put_mimic(rbv_text *t, const rbv_model *m, int body) {
  const int leader = rbv_model_leader(m, body);
  bool first = false;
  rbv_text_put(t, "    mimic: {joint: ");
  rbv_put_quoted(t, m->joint[leader].name);
  put_pair(t, &first, "multiplier", m->map[body + leader * m->nbody]);
  put_pair(t, &first, "offset", m->map_offset[body]);
  rbv_text_put(t, "}\n");
}

static void put_joint(rbv_text *t, const rbv_model *m, int body) {
  const int parent = m->parent[body];
  rbv_text_put(t, "  - name: ");
  rbv_put_quoted(t, m->body[body].name);
  if (parent != body - 1) {
    rbv_text_put(t, "\n    parent: ");
    rbv_put_quoted(t, parent < 0 ? "base" : m->body[parent].name);
  }
  rbv_text_print(t, "\n    type: %s\n",
                 m->geometry[body].type == RBV_JOINT_PRISMATIC ? "prismatic" : "revolute");
  put_geometry(t, &m->geometry[body]);
  put_limits(t, &m->body[body].limits);
  const bool passive = rbv_model_is_passive(m, body);
  if (m->coordinate[body] < 0 && !passive) {
    put_mimic(t, m, body);
    return;
  }
  if (passive && !has_parameters(m, body)) rbv_text_put(t, "    massless: true\n");
  put_drive(t, m, body);
  if (passive) return;
  put_friction(t, m, m->coordinate[body], "    ");
}

/* ---- transmission ---- */

/* 1 if the motor's column of this name leaves out each row's own joint, 0 if not; -1: no such
 * column */
static int leaves_out(const rbv_model *m, const char *prefix) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!term->law || strncmp(m->column[term->column].name, prefix, strlen(prefix)) != 0) continue;
    for (int k = term->first; k < term->first + term->count; k++)
      if (m->direction_joint[k] == term->joint) return 0;
    return 1;
  }
  return -1;
}

static void put_transmission(rbv_text *t, const rbv_model *m) {
  const int n = m->njoint;
  bool plain = true, moved = false;
  for (int i = 0; i < n * n; i++) plain = plain && m->transmission[i] == (i % n == i / n);
  for (int j = 0; j < n; j++) moved = moved || m->transmission_offset[j] != 0;
  if (plain && !moved) return;
  rbv_text_put(t, "transmission:\n  matrix:\n");
  for (int i = 0; i < n; i++) {
    rbv_text_put(t, "    - ");
    rbv_put_list(t, m->transmission + i, n, n);
    rbv_text_put(t, "\n");
  }
  if (moved) {
    rbv_text_put(t, "  offset: ");
    rbv_put_list(t, m->transmission_offset, n, 1);
    rbv_text_put(t, "\n");
  }
  if (leaves_out(m, "fvm") == 0) rbv_text_put(t, "  parametrisation: motor\n");
  if (leaves_out(m, "fcm") == 1) rbv_text_put(t, "  coulomb: printed\n");
}

/* ---- columns of the robot file: formulas from their programs ---- */

/* text of one instruction from those of its operands */
static void put_instruction(rbv_text *to, const rbv_model *m, const instruction *s,
                            const rbv_text *slot) {
  int arity;
  const char *name = rbv_instruction_name(&arity, s);
  if (arity == 0) {
    if (strcmp(name, "constant") != 0) {
      rbv_text_print(to, "%s%d", name, m->leader[s->a] + 1);
      return;
    }
    rbv_text_put(to, "(");
    rbv_put_numbers(to, &s->value, 1);
    rbv_text_put(to, ")");
    return;
  }
  const char *a = rbv_text_string(&slot[s->a]), *b = arity > 1 ? rbv_text_string(&slot[s->b]) : "";
  if (!a || !b) {
    to->failed = true;
    return;
  }
  if (strcmp(name, "neg") == 0)
    rbv_text_print(to, "(-%s)", a);
  else if (strlen(name) == 1)
    rbv_text_print(to, "(%s %s %s)", a, name, b);
  else
    rbv_text_print(to, "%s(%s%s%s)", name, a, arity > 1 ? ", " : "", b);
}

static rbv_status put_formula(rbv_text *t, const rbv_model *m, const expression *e,
                              const char *column) {
  rbv_text slot[EXPRESSION_REGISTERS] = {{0}};
  bool failed = false;
  bool too_long = false;
  for (int i = 0; i < e->count && !failed && !too_long; i++) {
    rbv_text fresh = {0};
    put_instruction(&fresh, m, &e->code[i], slot);
    failed = fresh.failed;
    too_long = fresh.size > EXPRESSION_LENGTH;
    rbv_text_free(&slot[e->code[i].to]);
    slot[e->code[i].to] = fresh;
  }
  if (!failed && !too_long) rbv_text_put(t, slot[e->result].data);
  for (int i = 0; i < EXPRESSION_REGISTERS; i++) rbv_text_free(&slot[i]);
  if (too_long)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "the formula of column '%s' without its lets is longer than %d characters: "
                    "keep its robot file and export a parameter set instead",
                    column, EXPRESSION_LENGTH);
  return failed ? RBV_EMEM : RBV_OK;
}

static rbv_status put_columns(rbv_text *t, const rbv_model *m) {
  bool first = true;
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_column *column = &m->column[c];
    if (column->basis != RBV_BASIS_EXPRESSION) continue;
    rbv_text_print(t, "%s  - name: %s\n    unit: ", first ? "columns:\n" : "", column->name);
    rbv_put_quoted(t, column->unit);
    rbv_text_print(t, "\n    side: %s\n    terms:\n",
                   column->side == RBV_SIDE_MOTOR ? "motor" : "link");
    first = false;
    for (int k = 0; k < m->nterm; k++) {
      if (m->term[k].column != c) continue;
      rbv_text_print(t, "      - {joint: %d, expression: \"", m->leader[m->term[k].joint] + 1);
      RBV_TRY(put_formula(t, m, &m->expression[m->term[k].expression], column->name));
      rbv_text_put(t, "\"}\n");
    }
  }
  return RBV_OK;
}

/* ---- the document ---- */

static void put_parameters(rbv_text *t, const export_job *e) {
  const rbv_model *m = e->model;
  const double *chi = e->chi;
  bool first = true;
  for (int c = 0; c < m->ncolumn; c++) {
    if (chi[c] == 0) continue;
    rbv_text_print(t, "%s  %s: ", first ? "parameters:\n" : "", m->column[c].name);
    rbv_put_numbers(t, &chi[c], 1);
    char remark[64];
    if (rbv_export_column_remark(remark, sizeof remark, e, c)) rbv_text_print(t, "  # %s", remark);
    rbv_text_put(t, "\n");
    first = false;
  }
}

static rbv_status put_document(export_job *e) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  rbv_text_print(t, "# written by roberval %s\nname: ", rbv_version());
  rbv_put_quoted(t, rbv_model_name(m));
  rbv_text_put(t, "\ngravity: ");
  rbv_put_list(t, m->gravity, 3, 1);
  rbv_text_put(t, "\njoints:\n");
  for (int i = 0; i < m->nbody; i++) put_joint(t, m, i);
  rbv_export_loops(e);
  put_transmission(t, m);
  rbv_text_print(t, "sensing: %s\n", rbv_sensing_name(m->sensing));
  if (m->payload) rbv_text_put(t, "payload: true\n");
  put_friction(t, m, -1, "");
  RBV_TRY(put_columns(t, m));
  if (e->options->standard) rbv_text_print(t, "# %s\n", rbv_export_remark);
  put_parameters(t, e);
  return t->failed ? RBV_EMEM : RBV_OK;
}

static rbv_status same_columns(const rbv_model *a, const rbv_model *b) {
  bool same = a->ncolumn == b->ncolumn && a->nrow == b->nrow;
  for (int c = 0; same && c < a->ncolumn; c++)
    same = strcmp(a->column[c].name, b->column[c].name) == 0;
  return same ? RBV_OK : rbv_fail(RBV_ENUM, "the YAML: read back, the columns differ");
}

static rbv_status read_back(export_job *e) {
  const rbv_model *m = e->model;
  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  rbv_model *back = NULL;
  rbv_dynamics *want = NULL, *got = NULL;
  rbv_status status = rbv_model_parse(&back, "the YAML", e->text.data, e->text.size, &options);
  if (status == RBV_OK) status = same_columns(m, back);
  if (status == RBV_OK) status = rbv_dynamics_new(&want, m);
  if (status == RBV_OK) status = rbv_dynamics_new(&got, back);
  if (status == RBV_OK) status = rbv_dynamics_set(want, e->chi, m->payload);
  if (status == RBV_OK) status = rbv_dynamics_set(got, back->parameters, back->payload);
  if (status == RBV_OK)
    status = rbv_export_compare(e, m->nrow, rbv_eval_rows, want, rbv_eval_rows, got, "the YAML");
  rbv_dynamics_free(want);
  rbv_dynamics_free(got);
  rbv_model_free(back);
  return status;
}

rbv_status rbv_export_yaml(export_job *e) {
  RBV_TRY(put_document(e));
  return read_back(e);
}
