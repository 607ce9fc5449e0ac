/* The table of trajectory classes. */
#include "trajectory/classes.h"

#include <stdio.h>

#define X(constant, name) extern const trajectory_class rbv_class_##name;
RBV_TRAJECTORY_CLASS_LIST(X)
#undef X

static const struct {
  const char *name;
  const trajectory_class *row;
} classes[] = {
#define X(constant, name) [RBV_TRAJECTORY_##constant] = {#name, &rbv_class_##name},
    RBV_TRAJECTORY_CLASS_LIST(X)
#undef X
};

int rbv_trajectory_class_count(void) { return RBV_COUNT(classes); }

const trajectory_class *rbv_class_of(rbv_trajectory_class kind) {
  return (int)kind >= 0 && (int)kind < RBV_COUNT(classes) ? classes[kind].row : NULL;
}

const char *rbv_trajectory_class_name(rbv_trajectory_class kind) {
  return rbv_class_of(kind) ? classes[kind].name : "?";
}

const char *rbv_trajectory_class_terms(rbv_trajectory_class kind, int *usual, int *least) {
  const trajectory_class *c = rbv_class_of(kind);
  if (usual) *usual = c ? c->usual : 0;
  if (least) *least = c ? c->least : 0;
  return c ? c->terms : "?";
}

bool rbv_trajectory_class_smooth(rbv_trajectory_class kind) {
  const trajectory_class *c = rbv_class_of(kind);
  return c && c->gradient;
}

bool rbv_trajectory_class_parse(rbv_trajectory_class *out, const char *name) {
  const int i = RBV_FIND(classes, RBV_COUNT(classes), name, name);
  if (i >= 0) *out = (rbv_trajectory_class)i;
  return i >= 0;
}

void rbv_trajectory_class_names(char *out, size_t size) {
  size_t used = 0;
  if (size > 0) *out = 0;
  for (int i = 0; i < RBV_COUNT(classes) && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s",
                             i == 0                       ? ""
                             : i + 1 < RBV_COUNT(classes) ? ", "
                                                          : " or ",
                             classes[i].name);
}

/* ---- coefficients ---- */

bool rbv_class_linear(const trajectory_class *row) {
  bool linear = row->gradient != NULL;
  for (const coefficient_group *g = row->group; g->key; g++)
    linear = linear && g->role != ROLE_FREQUENCY && g->role != ROLE_PHASE && g->role != ROLE_SPEED;
  return linear;
}

int rbv_group_size(const coefficient_group *g, const rbv_trajectory_shape *s, int count) {
  if (g->phases && !s->phases) return 0;
  return g->each ? count : 1;
}

int rbv_class_find(int *size, const rbv_trajectory_shape *s, int count, coefficient_role role) {
  int at = 0;
  for (const coefficient_group *g = rbv_class_of(s->kind)->group; g->key; g++) {
    const int n = rbv_group_size(g, s, count);
    if (g->role == role && n > 0) {
      if (size) *size = n;
      return at;
    }
    at += n;
  }
  return -1;
}
