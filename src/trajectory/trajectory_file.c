/* Coefficients as YAML: writing and reading. */
#include <math.h>
#include "document/document.h"

#include "trajectory/classes.h"

/* ---- writing ---- */

static void put_real(rbv_text *out, const char *key, double x) {
  char number[32];
  rbv_format_double(number, x);
  rbv_text_print(out, "%s: %s", key, number);
}

static void put_list(rbv_text *out, const char *key, const double *x, int n) {
  rbv_text_print(out, ", %s: [", key);
  for (int i = 0; i < n; i++) {
    char number[32];
    rbv_format_double(number, x[i]);
    rbv_text_print(out, "%s%s", i ? ", " : "", number);
  }
  rbv_text_put(out, "]");
}

static const char *yes(bool x) { return x ? "true" : "false"; }

static void put_head(rbv_text *out, const rbv_trajectory *t) {
  const rbv_trajectory_shape *s = &t->shape;
  const trajectory_class *c = rbv_class_of(s->kind);
  rbv_text_print(out, "trajectory: %s\n", rbv_trajectory_class_name(s->kind));
  put_real(out, "duration_s", s->duration_s);
  put_real(out, "\nspeed", t->speed);
  if (c->periodic) rbv_text_print(out, "\nperiods: %d", s->periods);
  if (c->blends) put_real(out, "\nblend_s", s->blend_s);
  if (c->planned) {
    rbv_text_print(out, "\nclosed: %s\nsynchronised: %s\nsmooth: %s", yes(s->closed),
                   yes(s->synchronised), yes(s->smooth));
    put_real(out, "\nfly_by", s->fly_by);
  }
  rbv_text_put(out, "\njoints:\n");
}

void rbv_put_name(rbv_text *out, const char *name) {
  rbv_text_put(out, "\"");
  for (const char *c = name; *c; c++) {
    const unsigned char byte = (unsigned char)*c;
    if (byte < ' ' || byte == 127) {
      rbv_text_print(out, "\\x%02X", byte);
      continue;
    }
    if (*c == '"' || *c == '\\') rbv_text_put(out, "\\");
    rbv_text_add(out, c, 1);
  }
  rbv_text_put(out, "\"");
}

static void put_joint(rbv_text *out, const rbv_trajectory *t, int j, const char *name) {
  const rbv_trajectory_shape *s = &t->shape;
  const trajectory_class *c = rbv_class_of(s->kind);
  const double *x = t->x + t->curve[j].first;
  const int n = t->counts[j];
  rbv_text_put(out, "  - {name: ");
  if (name)
    rbv_put_name(out, name);
  else
    rbv_text_print(out, "joint%d", j + 1);
  for (const coefficient_group *g = c->group; g->key; g++) {
    const int size = rbv_group_size(g, s, n);
    if (g->each && size > 0) {
      put_list(out, g->key, x, size);
    } else if (size > 0) {
      rbv_text_put(out, ", ");
      put_real(out, g->key, *x);
    }
    x += size;
  }
  if (c->planned) {
    put_real(out, ", velocity", s->velocity[j]);
    put_real(out, ", acceleration", s->acceleration[j]);
    if (s->jerk) put_real(out, ", jerk", s->jerk[j]);
  }
  rbv_text_put(out, "}\n");
}

rbv_status rbv_trajectory_write(char **text, size_t *size, const rbv_trajectory *t,
                                const char *const *joints) {
  *text = NULL;
  *size = 0;
  rbv_text out = {0};
  put_head(&out, t);
  for (int j = 0; j < t->shape.njoint; j++) put_joint(&out, t, j, joints ? joints[j] : NULL);
  if (out.failed) {
    rbv_text_free(&out);
    return RBV_EMEM;
  }
  *text = out.data;
  *size = out.size;
  return RBV_OK;
}

/* ---- reading ---- */

static rbv_status optional_real(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  return node ? rbv_node_real(out, node) : RBV_OK;
}

static rbv_status optional_bool(bool *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  return node ? rbv_node_bool(out, node) : RBV_OK;
}

static rbv_status read_head(rbv_trajectory_shape *s, double *speed, const rbv_node *root) {
  static const char *const known[] = {"trajectory", "duration_s", "speed",        "periods",
                                      "blend_s",    "closed",     "synchronised", "smooth",
                                      "fly_by",     "joints",     "provenance",   NULL};
  RBV_TRY(rbv_node_only_keys(root, known));
  const rbv_node *kind = rbv_node_find(root, "trajectory");
  const char *name;
  if (!kind) return rbv_node_fail(RBV_EINPUT, root, "there is no key 'trajectory'");
  RBV_TRY(rbv_node_string(&name, kind));
  if (!rbv_trajectory_class_parse(&s->kind, name)) {
    char names[256];
    rbv_trajectory_class_names(names, sizeof names);
    return rbv_node_fail(RBV_EINPUT, kind, "a trajectory can be %s, not '%s'", names, name);
  }
  RBV_TRY(optional_real(&s->duration_s, root, "duration_s"));
  RBV_TRY(optional_real(speed, root, "speed"));
  RBV_TRY(optional_real(&s->blend_s, root, "blend_s"));
  RBV_TRY(optional_real(&s->fly_by, root, "fly_by"));
  RBV_TRY(optional_bool(&s->closed, root, "closed"));
  RBV_TRY(optional_bool(&s->synchronised, root, "synchronised"));
  RBV_TRY(optional_bool(&s->smooth, root, "smooth"));
  const rbv_node *periods = rbv_node_find(root, "periods");
  return periods ? rbv_node_int(&s->periods, periods) : RBV_OK;
}

typedef struct {
  double *x, *maxima;
  int *counts;
} space;

#define JOINT_KEYS 64

/* keys that a joint of any class may have */
static void joint_keys(const char *known[JOINT_KEYS]) {
  static const char *const common[] = {"name", "velocity", "acceleration", "jerk"};
  int count = 0;
  for (; count < RBV_COUNT(common); count++) known[count] = common[count];
  for (int i = 0; i < rbv_trajectory_class_count(); i++)
    for (const coefficient_group *g = rbv_class_of((rbv_trajectory_class)i)->group;
         g->key && count < JOINT_KEYS - 1; g++)
      known[count++] = g->key;
  known[count] = NULL;
}

/* coefficients of one joint, appended at *used */
static rbv_status read_joint(space *s, int *used, const rbv_trajectory_shape *shape, int j,
                             const rbv_node *node) {
  const char *known[JOINT_KEYS];
  joint_keys(known);
  RBV_TRY(rbv_node_only_keys(node, known));
  for (const coefficient_group *g = rbv_class_of(shape->kind)->group; g->key; g++) {
    const int n = rbv_group_size(g, shape, s->counts[j]);
    if (n == 0) continue;
    const rbv_node *value = rbv_node_find(node, g->key);
    if (!value) return rbv_node_fail(RBV_EINPUT, node, "joint %d has no '%s'", j + 1, g->key);
    if (g->each && rbv_node_count(value) != n)
      return rbv_node_fail(RBV_EINPUT, value, "'%s' has %d numbers, not %d", g->key,
                           rbv_node_count(value), n);
    if (g->each)
      RBV_TRY(rbv_node_reals(s->x + *used, n, value));
    else
      RBV_TRY(rbv_node_real(s->x + *used, value));
    *used += n;
  }
  static const char *const maxima[] = {"velocity", "acceleration", "jerk"};
  for (int i = 0; i < 3; i++)
    RBV_TRY(optional_real(&s->maxima[i * shape->njoint + j], node, maxima[i]));
  return RBV_OK;
}

/* whether the joint has its phases, which all joints have or none */
static rbv_status read_phases(rbv_trajectory_shape *s, int j, const rbv_node *node) {
  for (const coefficient_group *g = rbv_class_of(s->kind)->group; g->key; g++) {
    if (!g->phases) continue;
    const bool phases = rbv_node_find(node, g->key) != NULL;
    if (j > 0 && phases != s->phases)
      return rbv_node_fail(RBV_EINPUT, node, "either all joints have '%s' or none", g->key);
    s->phases = phases;
  }
  return RBV_OK;
}

/* how many terms each joint has, and how many numbers there are in total */
static rbv_status count_terms(int *counts, size_t *total, rbv_trajectory_shape *s,
                              const rbv_node *joints) {
  const trajectory_class *c = rbv_class_of(s->kind);
  const coefficient_group *terms = c->group;
  while (terms->key && !terms->each) terms++;
  *total = 0;
  for (int j = 0; j < s->njoint; j++) {
    const rbv_node *node = rbv_node_at(joints, j);
    const rbv_node *list = terms->key ? rbv_node_find(node, terms->key) : NULL;
    if (terms->key && !list)
      return rbv_node_fail(RBV_EINPUT, node, "joint %d has no coefficients", j + 1);
    counts[j] = list ? rbv_node_count(list) : 1;
    RBV_TRY(read_phases(s, j, node));
    for (const coefficient_group *g = c->group; g->key; g++)
      *total += (size_t)rbv_group_size(g, s, counts[j]);
    if (c->planned && counts[j] != counts[0])
      return rbv_node_fail(RBV_EINPUT, list, "all joints need the same number of %s", c->terms);
  }
  return RBV_OK;
}

static rbv_status read(rbv_trajectory **out, space *s, const rbv_document *doc) {
  const rbv_node *root = rbv_document_root(doc);
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  double speed = 1;
  if (!root) return rbv_fail(RBV_EINPUT, "%s: the file is empty", rbv_document_name(doc));
  RBV_TRY(read_head(&shape, &speed, root));
  const rbv_node *joints = rbv_node_find(root, "joints");
  if (!joints || rbv_node_get_kind(joints) != RBV_NODE_LIST || rbv_node_count(joints) < 1)
    return rbv_node_fail(RBV_EINPUT, root, "'joints' must be a list with a joint in it");
  shape.njoint = rbv_node_count(joints);
  s->counts = rbv_alloc((size_t)shape.njoint * sizeof *s->counts);
  s->maxima = rbv_alloc(3 * (size_t)shape.njoint * sizeof *s->maxima);
  if (!s->counts || !s->maxima) return RBV_EMEM;
  size_t total;
  RBV_TRY(count_terms(s->counts, &total, &shape, joints));
  s->x = rbv_alloc(total * sizeof *s->x);
  if (!s->x) return RBV_EMEM;
  int used = 0;
  for (int j = 0; j < shape.njoint; j++)
    RBV_TRY(read_joint(s, &used, &shape, j, rbv_node_at(joints, j)));
  if (rbv_class_of(shape.kind)->planned) {
    shape.count = s->counts[0];
    shape.velocity = s->maxima;
    shape.acceleration = s->maxima + shape.njoint;
    shape.jerk = s->maxima[2 * shape.njoint] > 0 ? s->maxima + 2 * shape.njoint : NULL;
  } else {
    shape.counts = s->counts;
  }
  rbv_trajectory *t;
  const rbv_status status = rbv_trajectory_new(&t, &shape, s->x);
  if (status == RBV_EARG || status == RBV_ENUM)
    return rbv_node_fail(RBV_EINPUT, root, "%s", rbv_message());
  if (status != RBV_OK) return status;
  if (!(speed > 0) || !isfinite(speed)) {
    rbv_trajectory_free(t);
    return rbv_node_fail(RBV_EINPUT, root, "the speed must be positive");
  }
  t->speed = speed;
  for (int j = 0; j < shape.njoint; j++)
    for (int order = 0; order < ORDERS; order++) {
      const rbv_extreme e = rbv_trajectory_extreme(t, j, order);
      if (isfinite(e.min) && isfinite(e.max)) continue;
      rbv_trajectory_free(t);
      return rbv_node_fail(RBV_EINPUT, rbv_node_at(joints, j),
                           "the coefficients of joint %d are too large: the motion is not finite",
                           j + 1);
    }
  *out = t;
  return RBV_OK;
}

static rbv_status read_and_free(rbv_trajectory **out, rbv_document *doc) {
  space s = {0};
  const rbv_status status = read(out, &s, doc);
  RBV_FREE_ALL(s.x, s.maxima, s.counts);
  rbv_document_free(doc);
  return status;
}

rbv_status rbv_trajectory_load(rbv_trajectory **out, const char *path) {
  rbv_document *doc;
  *out = NULL;
  RBV_TRY(rbv_document_load(&doc, path));
  return read_and_free(out, doc);
}

rbv_status rbv_trajectory_parse(rbv_trajectory **out, const char *name, const char *text,
                                size_t size) {
  rbv_document *doc;
  *out = NULL;
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  return read_and_free(out, doc);
}
