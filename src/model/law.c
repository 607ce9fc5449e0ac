/* Drive laws: walking their table, evaluating them, and their formulas as programs. */
#include "model/law.h"
#include "document/document.h"

#include <math.h>
#include <string.h>

#include "model/model_internal.h"

/* ---- walking the table ---- */

const rbv_law *rbv_law_find(const char *name) {
  for (int i = 0; i < rbv_law_count(); i++)
    if (strcmp(rbv_law_at(i)->name, name) == 0) return rbv_law_at(i);
  return NULL;
}

const char *rbv_law_name(const rbv_law *law) { return law->name; }
const char *rbv_law_text(const rbv_law *law) { return law->text; }
bool rbv_law_near_standstill(const rbv_law *law) { return law->near_standstill; }
bool rbv_law_uses_torque(const rbv_law *law) { return law->uses_torque; }
bool rbv_law_uses_temperature(const rbv_law *law) { return law->state_recorded != NULL; }

const char *rbv_law_column(const rbv_law *law, int i) {
  int seen = 0;
  for (int k = 0; k <= LAW_COLUMNS; k++) {
    const char *prefix = k < LAW_COLUMNS ? law->column[k].prefix : law->coupling.prefix;
    if (prefix && seen++ == i) return prefix;
  }
  return NULL;
}

int rbv_law_shape_count(const rbv_law *law) {
  int count = 0;
  while (law->shape[count].name) count++;
  return count;
}

int rbv_law_own_shape(const rbv_law *law) {
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    if (strcmp(law->shape[k].name, "gamma") != 0 && strcmp(law->shape[k].name, "smooth") != 0)
      return k;
  return -1;
}

const rbv_law_shape *rbv_law_free_shape(const rbv_law *law) {
  const int own = rbv_law_own_shape(law);
  return own >= 0 && law->state_count == 0 ? &law->shape[own] : NULL;
}

/* every shape parameter of every law in turn; NULL past the last */
static const rbv_law_shape *next_shape(int *law, int *k) {
  for (; *law < rbv_law_count(); ++*law, *k = 0)
    if (*k < rbv_law_shape_count(rbv_law_at(*law))) return &rbv_law_at(*law)->shape[(*k)++];
  return NULL;
}

/* the shape parameters with different names, in the order of the table; returns their number */
static int list_kinds(const rbv_law_shape *kind[LAW_SHAPE_KINDS]) {
  const rbv_law_shape *s;
  int count = 0, law = 0, k = 0;
  while ((s = next_shape(&law, &k)) && count < LAW_SHAPE_KINDS) {
    int same = 0;
    while (same < count && strcmp(kind[same]->name, s->name) != 0) same++;
    if (same == count) kind[count++] = s;
  }
  return count;
}

const rbv_law_shape *rbv_shape_kind(int i) {
  const rbv_law_shape *kind[LAW_SHAPE_KINDS];
  return i >= 0 && i < list_kinds(kind) ? kind[i] : NULL;
}

int rbv_shape_kind_count(void) {
  const rbv_law_shape *kind[LAW_SHAPE_KINDS];
  return list_kinds(kind);
}

int rbv_shape_kind_find(const char *name) {
  const rbv_law_shape *kind[LAW_SHAPE_KINDS];
  const int count = list_kinds(kind);
  for (int i = 0; i < count; i++)
    if (strcmp(kind[i]->name, name) == 0) return i;
  return -1;
}

/* ---- columns ---- */

bool rbv_column_has_law(const rbv_column *column, const char *law) {
  return column->law && strcmp(column->law->name, law) == 0;
}

bool rbv_is_coupling(const rbv_column *column) {
  const char *prefix = column->law ? column->law->coupling.prefix : NULL;
  return prefix && strncmp(column->name, prefix, strlen(prefix)) == 0;
}

bool rbv_is_friction(const rbv_column *column) {
  return column->law && column->law->motion != RBV_LAW_ACCELERATION && !column->law->spring;
}

/* ---- consumers ---- */

/* One bit of LAW_IN_... each, in their order. */
static const struct {
  const char *where;
  bool device;
} consumers[LAW_CONSUMERS] = {{"in dynamics", false},
                              {"in simulations", false},
                              {"in generated C code", false},
                              {"in designs of motions on a device", true},
                              {"in simulations on a device", true}};

const char *rbv_law_consumer(int i) {
  return i >= 0 && i < LAW_CONSUMERS ? consumers[i].where : NULL;
}

/* why a device cannot have the law */
static const char *reason_of(const rbv_law *law) {
  if (law->spring) return "it needs the deflection of an elastic joint";
  if (law->uses_torque) return "it depends on the torque that the gear transmits";
  if (law->state_count > 0) return "it depends on a state";
  if (law->motion == RBV_LAW_POSITION) return "it depends on the position";
  return "its formulas are not listed for it";
}

rbv_status rbv_law_require(const rbv_model *m, const drive_term *t, int consumer) {
  const rbv_law *law = t->law;
  int i = 0;
  while (!(consumer >> i & 1)) i++;
  const bool device = consumers[i].device;
  if (law ? (law->consumers & consumer) == consumer : !device) return RBV_OK;
  if (!law)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "column %s is a formula of the robot file: formulas are not available %s; "
                    "compute on the CPU",
                    m->column[t->column].name, consumers[i].where);
  return rbv_fail(RBV_EUNSUPPORTED, "joint %d: %s law %s is not available %s: %s%s", t->joint + 1,
                  law->motion == RBV_LAW_ACCELERATION ? "drive" : "friction", law->name,
                  consumers[i].where, device ? reason_of(law) : "its row does not list this use",
                  device ? "; compute on the CPU" : "");
}

rbv_status rbv_laws_require(const rbv_model *m, int consumer) {
  for (int t = 0; t < m->nterm; t++) RBV_TRY(rbv_law_require(m, &m->term[t], consumer));
  return RBV_OK;
}

/* ---- evaluation ---- */

double rbv_law_by_shape(const rbv_law *law, const rbv_law_input *at) { return law->by_shape(at); }

double rbv_law_torque_slope(const rbv_law *law, const rbv_law_input *at) {
  if (!law->uses_torque) return 0;
  rbv_law_input one = *at;
  one.torque = (at->torque > 0) - (at->torque < 0);
  return one.torque * law->value(1, &one);
}

double rbv_law_steady_slope(const rbv_law *law, const rbv_law_input *at) {
  if (law->state_count == 0) return law->slope(at);
  double z, slope;
  static const double zero = 0, one = 1;
  law->state_steady(&z, &slope, at);
  rbv_law_input x = *at, without = *at, with = *at;
  x.state = &z;
  without.state = &zero;
  with.state = &one;
  return law->slope(&x) + (law->value(1, &with) - law->value(1, &without)) * slope;
}

double rbv_law_state_start(const rbv_law *law, double uptime, const double *shape) {
  double z = 0;
  if (law->ages) law->state_step(&z, &(rbv_law_input){.shape = shape}, uptime);
  return z;
}

double rbv_law_sign(double *slope, double speed, rbv_smoothing how) {
  if (how.gamma > 0) {
    const double x = how.gamma * speed;
    *slope = 2 / RBV_PI * how.gamma / (1 + x * x);
    return 2 / RBV_PI * atan(x);
  }
  if (how.speed > 0) {
    const double x = speed / how.speed, root = sqrt(1 + x * x);
    *slope = 1 / (how.speed * root * root * root);
    return x / root;
  }
  *slope = 0;
  return (speed > 0) - (speed < 0);
}

/* ---- formulas as programs ---- */

#define FORMULA_JOINTS 4  // dq1 to dq4 carry v, s, t and z; q1 carries dt, q2 carries p

static const char *const variable[] = {"v", "s", "t", "z", "a", "dt", "p"};
static const char *const part[LAW_PARTS] = {"u", "w"};

static int no_joint(const void *robot, const char *name) {
  (void)robot;
  (void)name;
  return -1;
}

/* doc: the formula, what the variables are, the shape parameters, the parts */
static rbv_status compile(expression *out, const rbv_law *law, const rbv_document *doc) {
  const rbv_node *root = rbv_document_root(doc);
  compiler c = {.joint = no_joint, .njoint = FORMULA_JOINTS};
  int next = 1;
  for (int i = 0; i < RBV_COUNT(variable); i++)
    RBV_TRY(rbv_compile_let(&c, variable[i], rbv_node_at(root, next++)));
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    RBV_TRY(rbv_compile_constant(&c, law->shape[k].name, rbv_node_at(root, next++)));
  for (int k = 0; k < LAW_PARTS && law->texts->part[k]; k++)
    RBV_TRY(rbv_compile_let(&c, part[k], rbv_node_at(root, next++)));
  return rbv_compile_result(out, &c, rbv_node_at(root, 0));
}

static rbv_status compile_formula(expression *out, const rbv_law *law, const char *formula,
                                  const double *shape) {
  rbv_text text = {0};
  rbv_text_print(&text, "[\"%s\", dq1, dq2, dq3, dq4, ddq1, q1, q2", formula);
  for (int k = 0; k < rbv_law_shape_count(law); k++) rbv_text_print(&text, ", %.17g", shape[k]);
  for (int k = 0; k < LAW_PARTS && law->texts->part[k]; k++)
    rbv_text_print(&text, ", \"%s\"", law->texts->part[k]);
  rbv_text_put(&text, "]");
  rbv_document *doc = NULL;
  rbv_status status =
      text.failed ? RBV_EMEM : rbv_document_parse(&doc, law->name, text.data, text.size);
  if (status == RBV_OK) status = compile(out, law, doc);
  rbv_document_free(doc);
  rbv_text_free(&text);
  return status;
}

rbv_status rbv_law_compile(expression *out, const rbv_law *law, const double *shape) {
  return compile_formula(out, law, law->texts->value, shape);
}

rbv_status rbv_law_compile_step(expression *out, const rbv_law *law, const double *shape) {
  return compile_formula(out, law, law->texts->step, shape);
}
