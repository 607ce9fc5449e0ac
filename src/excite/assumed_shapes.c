/* What is assumed about a robot and its place where no file says it: capsules, mounting plane. */
#include <math.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "model/model_internal.h"

/* ---- capsules between joint origins ---- */

#define RADIUS_SHARE 0.05  // of the length of the robot
#define RADIUS_LEAST 0.05  // if the robot has no length [m]

static double length_of(const rbv_capsule *c) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (c->to[i] - c->from[i]) * (c->to[i] - c->from[i]);
  return sqrt(sum);
}

static double norm(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* twice the centre of mass: the end of a uniform rod. Zero if it is not known. */
static void rod_end(double end[3], const rbv_model *m) {
  const double *chi = rbv_model_parameters(m);
  const int first = m->link_column[m->njoint - 1];
  memset(end, 0, 3 * sizeof *end);
  if (!chi || !(chi[first + 9] > 0)) return;
  for (int i = 0; i < 3; i++) end[i] = 2 * chi[first + 6 + i] / chi[first + 9];
  if (!isfinite(norm(end))) memset(end, 0, 3 * sizeof *end);
}

/* farthest of the fixed frames and the tool; without them, the end of a rod */
static void last_end(double end[3], const rbv_model *m, const rbv_constraints *c) {
  memcpy(end, norm(c->tool) > norm(m->tip) ? c->tool : m->tip, 3 * sizeof *end);
  if (!(norm(end) > 0)) rod_end(end, m);
}

/* the point of the last link whose speed is limited, where none is given: its farthest one */
static void assume_tool(rbv_constraints *c, const rbv_model *m) {
  double end[3];
  if (norm(c->tool) > 0) return;
  last_end(end, m, c);
  for (int i = 0; i < c->ncapsule; i++) {
    const rbv_capsule *shape = &c->capsule[i];
    for (int k = 0; k < 2 && shape->link == m->njoint; k++) {
      const double *p = k ? shape->to : shape->from, size = norm(p);
      if (!(size > 0 && size + shape->radius > norm(end))) continue;
      for (int x = 0; x < 3; x++) end[x] = p[x] * (1 + shape->radius / size);
    }
  }
  memcpy(c->tool, end, sizeof end);
}

/* capsules of a link, without radius: one, or two behind a joint that slides. Returns how many. */
static int shape_link(rbv_capsule out[2], const rbv_model *m, const rbv_constraint_set *s,
                      int link) {
  out[0] = (rbv_capsule){.link = link, .assumed = true};
  if (link == 0) out[0].from[2] = m->floor;
  if (link == m->njoint) {
    last_end(out[0].to, m, &s->value);
  } else {
    rbv_least_origin(out[0].to, m, s->limits, link);
  }
  if (link == 0 || m->geometry[link - 1].type != RBV_JOINT_PRISMATIC) return 1;
  // a slide reaches back to where it comes from
  const rbv_limits *l = &s->limits[link - 1];
  if (!isfinite(l->upper - l->lower)) return 1;
  out[1] = (rbv_capsule){.link = link, .assumed = true};
  for (int i = 0; i < 3; i++) out[1].to[i] = -(l->upper - l->lower) * m->geometry[link - 1].axis[i];
  return 2;
}

static bool has_shape(const rbv_constraints *c, int link) {
  for (int i = 0; i < c->ncapsule; i++)
    if (c->capsule[i].link == link) return true;
  return false;
}

rbv_status rbv_constraint_set_assume(rbv_constraint_set *s, const rbv_model *m, double radius) {
  rbv_constraints *c = &s->value;
  if (!(radius >= 0) || !isfinite(radius))
    return rbv_fail(RBV_EARG, "the radius of a link cannot be %g m", radius);
  assume_tool(c, m);
  if (s->capsules_given && c->ncapsule == 0) return RBV_OK;
  const int most = c->ncapsule + 2 * (m->njoint + 1);
  rbv_capsule *list = rbv_alloc((size_t)most * sizeof *list);
  if (!list) return RBV_EMEM;
  if (c->ncapsule > 0) memcpy(list, c->capsule, (size_t)c->ncapsule * sizeof *list);
  int count = c->ncapsule;
  double length = 0;
  for (int link = 0; link <= m->njoint; link++) {
    rbv_capsule shape[2];
    const int n = shape_link(shape, m, s, link);
    length += length_of(&shape[0]);
    for (int i = 0; i < n && !has_shape(c, link); i++) list[count++] = shape[i];
  }
  if (radius == 0) radius = length > 0 ? RADIUS_SHARE * length : RADIUS_LEAST;
  for (int i = c->ncapsule; i < count; i++) list[i].radius = radius;
  s->radius = count > c->ncapsule ? radius : 0;
  rbv_free(s->list[0]);
  s->list[0] = list;
  c->capsule = list;
  c->ncapsule = count;
  return RBV_OK;
}

/* ---- the mounting plane ---- */

static const char *const mounts[] = {"floor", "wall", "ceiling"};

const char *rbv_mount_name(rbv_mount mount) {
  return (int)mount >= 0 && (int)mount < RBV_COUNT(mounts) ? mounts[mount] : "?";
}

bool rbv_mount_parse(rbv_mount *out, const char *name) {
  for (int i = 0; i < RBV_COUNT(mounts); i++)
    if (strcmp(name, mounts[i]) == 0) {
      *out = (rbv_mount)i;
      return true;
    }
  return false;
}

#define STEEP 0.7  // of gravity along z: the base plane is horizontal

/* *side: 1 if the robot is above the plane in its base frame, -1 if below */
static rbv_status find_side(double *side, rbv_mount *out, const double *g, const rbv_mount *mount) {
  const double size = norm(g);
  const bool level = !(size > 0) || fabs(g[2]) >= STEEP * size;
  const rbv_mount own = !level ? RBV_MOUNT_WALL : g[2] > 0 ? RBV_MOUNT_CEILING : RBV_MOUNT_FLOOR;
  *out = mount ? *mount : own;
  *side = 1;
  if (!mount || *mount == own) return RBV_OK;
  if (!(size > 0) && *mount == RBV_MOUNT_WALL) return RBV_OK;
  if (!level || *mount == RBV_MOUNT_WALL)
    return rbv_fail_option(RBV_EINPUT, "constraints",
                           "the gravity of the robot file is that of a robot on a %s: correct it, "
                           "or list the plane of "
                           "the %s in a constraints file",
                           rbv_mount_name(own), rbv_mount_name(*mount));
  // floor and ceiling of a base frame that points the other way
  *side = -1;
  return RBV_OK;
}

rbv_status rbv_constraint_set_mount(rbv_constraint_set *s, const rbv_model *m,
                                    const rbv_mount *mount, double height) {
  rbv_constraints *c = &s->value;
  double side;
  if (!isfinite(height)) return rbv_fail(RBV_EARG, "the mounting plane cannot be at %g m", height);
  RBV_TRY(find_side(&side, &s->mount, m->gravity, mount));
  rbv_plane *list = rbv_alloc((size_t)(c->nplane + 1) * sizeof *list);
  if (!list) return RBV_EMEM;
  if (c->nplane > 0) memcpy(list, c->plane, (size_t)c->nplane * sizeof *list);
  list[c->nplane] = (rbv_plane){.normal = {0, 0, -side}, .offset = -side * height, .base = true};
  rbv_free(s->list[1]);
  s->list[1] = list;
  c->plane = list;
  c->nplane++;
  s->mounted = true;
  return RBV_OK;
}
