/* Reads constraints from a YAML file. */
#include "document/document.h"

#include "excite/excite_internal.h"

static rbv_status read_optional(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node = rbv_node_find(map, key);
  return node ? rbv_node_real(out, node) : RBV_OK;
}

static rbv_status find_required(const rbv_node **out, const rbv_node *map, const char *key) {
  *out = rbv_node_find(map, key);
  return *out ? RBV_OK : rbv_node_fail(RBV_EINPUT, map, "'%s' is missing", key);
}

static rbv_status read_vector(double out[3], const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(find_required(&node, map, key));
  return rbv_node_reals(out, 3, node);
}

static rbv_status read_number(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(find_required(&node, map, key));
  return rbv_node_real(out, node);
}

static rbv_status read_limits(rbv_limits *limits, int n, const rbv_node *list) {
  static const char *const known[] = {"lower", "upper",  "velocity", "acceleration",
                                      "jerk",  "effort", NULL};
  if (rbv_node_count(list) != n)
    return rbv_node_fail(RBV_EINPUT, list, "'limits' has %d entries, the robot %d joints",
                         rbv_node_count(list), n);
  for (int j = 0; j < n; j++) {
    const rbv_node *map = rbv_node_at(list, j);
    rbv_limits *l = &limits[j];
    double *const to[] = {&l->lower,        &l->upper, &l->velocity,
                          &l->acceleration, &l->jerk,  &l->effort};
    RBV_TRY(rbv_node_only_keys(map, known));
    for (int i = 0; i < RBV_COUNT(to); i++) RBV_TRY(read_optional(to[i], map, known[i]));
  }
  return RBV_OK;
}

static rbv_status read_capsule(void *item, const rbv_node *map) {
  static const char *const known[] = {"link", "from", "to", "radius", NULL};
  rbv_capsule *c = item;
  const rbv_node *link;
  RBV_TRY(rbv_node_only_keys(map, known));
  RBV_TRY(find_required(&link, map, "link"));
  RBV_TRY(rbv_node_int(&c->link, link));
  RBV_TRY(read_vector(c->from, map, "from"));
  RBV_TRY(read_vector(c->to, map, "to"));
  return read_number(&c->radius, map, "radius");
}

static rbv_status read_plane(void *item, const rbv_node *map) {
  static const char *const known[] = {"normal", "offset", NULL};
  rbv_plane *p = item;
  RBV_TRY(rbv_node_only_keys(map, known));
  RBV_TRY(read_vector(p->normal, map, "normal"));
  return read_number(&p->offset, map, "offset");
}

static rbv_status read_box(void *item, const rbv_node *map) {
  static const char *const known[] = {"min", "max", NULL};
  rbv_box *b = item;
  RBV_TRY(rbv_node_only_keys(map, known));
  RBV_TRY(read_vector(b->min, map, "min"));
  return read_vector(b->max, map, "max");
}

/* a list of items of one kind; *out stays NULL when the key is missing or the list is empty */
static rbv_status read_list(void **out, int *count, size_t size, const rbv_node *root,
                            const char *key, rbv_status (*read)(void *, const rbv_node *)) {
  const rbv_node *list = rbv_node_find(root, key);
  *count = list ? rbv_node_count(list) : 0;
  if (*count == 0) return RBV_OK;
  *out = rbv_alloc((size_t)*count * size);
  if (!*out) return RBV_EMEM;
  for (int i = 0; i < *count; i++)
    RBV_TRY(read((char *)*out + (size_t)i * size, rbv_node_at(list, i)));
  return RBV_OK;
}

static rbv_status read_root(rbv_constraint_set *s, const rbv_node *root, int n) {
  static const char *const known[] = {"limits",    "center", "tool",  "tool_speed", "clearance",
                                      "collision", "planes", "boxes", NULL};
  rbv_constraints *c = &s->value;
  RBV_TRY(rbv_node_only_keys(root, known));
  const rbv_node *limits = rbv_node_find(root, "limits"), *center = rbv_node_find(root, "center"),
                 *tool = rbv_node_find(root, "tool");
  if (limits) RBV_TRY(read_limits(s->limits, n, limits));
  if (center) {
    RBV_TRY(rbv_node_reals(s->center, n, center));
    c->center = s->center;
  }
  if (tool) RBV_TRY(rbv_node_reals(c->tool, 3, tool));
  RBV_TRY(read_optional(&c->tool_speed, root, "tool_speed"));
  RBV_TRY(read_optional(&c->clearance, root, "clearance"));
  s->capsules_given = rbv_node_find(root, "collision") != NULL;
  RBV_TRY(
      read_list(&s->list[0], &c->ncapsule, sizeof *c->capsule, root, "collision", read_capsule));
  RBV_TRY(read_list(&s->list[1], &c->nplane, sizeof *c->plane, root, "planes", read_plane));
  return read_list(&s->list[2], &c->nbox, sizeof *c->box, root, "boxes", read_box);
}

static rbv_status fill(rbv_constraint_set *s, const rbv_model *m, const rbv_document *doc) {
  const int n = rbv_model_joint_count(m);
  s->limits = rbv_alloc((size_t)n * sizeof *s->limits);
  s->center = rbv_alloc((size_t)n * sizeof *s->center);
  if (!s->limits || !s->center) return RBV_EMEM;
  for (int j = 0; j < n; j++) s->limits[j] = rbv_model_joint(m, j)->limits;
  s->value.limits = s->limits;
  if (doc && rbv_document_root(doc)) RBV_TRY(read_root(s, rbv_document_root(doc), n));
  s->value.capsule = s->list[0];
  s->value.plane = s->list[1];
  s->value.box = s->list[2];
  if (!s->capsules_given) {
    s->value.ncapsule = rbv_model_capsule_count(m);
    s->value.capsule = rbv_model_capsule(m, 0);
  }
  return RBV_OK;
}

static rbv_status make(rbv_constraint_set **out, const rbv_model *m, rbv_document *doc) {
  rbv_constraint_set *s = rbv_alloc(sizeof *s);
  const rbv_status status = s ? fill(s, m, doc) : RBV_EMEM;
  rbv_document_free(doc);
  if (status == RBV_OK)
    *out = s;
  else
    rbv_constraint_set_free(s);
  return status;
}

rbv_status rbv_constraint_set_load(rbv_constraint_set **out, const rbv_model *m, const char *path) {
  *out = NULL;
  rbv_document *doc = NULL;
  if (path) RBV_TRY(rbv_document_load(&doc, path));
  return make(out, m, doc);
}

rbv_status rbv_constraint_set_parse(rbv_constraint_set **out, const rbv_model *m, const char *name,
                                    const char *text, size_t size) {
  *out = NULL;
  rbv_document *doc;
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  return make(out, m, doc);
}

void rbv_constraint_set_free(rbv_constraint_set *s) {
  if (!s) return;
  for (int i = 0; i < RBV_COUNT(s->list); i++) rbv_free(s->list[i]);
  rbv_free(s->limits);
  rbv_free(s->center);
  rbv_free(s);
}
