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
static void rod_end(double end[3], const rbv_model *m, int body) {
  const double *chi = rbv_model_parameters(m);
  const int first = m->link_column[body];
  memset(end, 0, 3 * sizeof *end);
  if (!chi || first < 0 || !(chi[first + 9] > 0)) return;
  for (int i = 0; i < 3; i++) end[i] = 2 * chi[first + 6 + i] / chi[first + 9];
  if (!isfinite(norm(end))) memset(end, 0, 3 * sizeof *end);
}

static void farther(double end[3], const double p[3]) {
  if (norm(p) > norm(end)) memcpy(end, p, 3 * sizeof *end);
}

/* farthest of the fixed frames and the tool; without them, the end of a rod */
static void tip_end(double end[3], const rbv_model *m, const rbv_constraints *c, int body) {
  memset(end, 0, 3 * sizeof *end);
  if (body == m->nbody - 1) {
    farther(end, m->tip);
    farther(end, c->tool);
  }
  for (int i = 0; i < m->nframe && body < m->nbody - 1; i++)
    if (m->frame[i].link == body + 1) farther(end, m->frame[i].p);
  if (!(norm(end) > 0)) rod_end(end, m, body);
}

static bool is_tip(const rbv_model *m, int body) {
  for (int i = 0; i < m->ntip; i++)
    if (m->tip_body[i] == body) return true;
  return false;
}

/* the farthest point of the fixed frames and shapes of a body */
static void farthest_point(double p[3], const rbv_model *m, const rbv_constraints *c, int body) {
  tip_end(p, m, c, body);
  for (int i = 0; i < c->ncapsule; i++) {
    const rbv_capsule *shape = &c->capsule[i];
    for (int k = 0; k < 2 && shape->link == body + 1; k++) {
      const double *end = k ? shape->to : shape->from, size = norm(end);
      if (!(size > 0 && size + shape->radius > norm(p))) continue;
      for (int x = 0; x < 3; x++) p[x] = end[x] * (1 + shape->radius / size);
    }
  }
}

void rbv_tool_point(double p[3], const rbv_model *m, const rbv_constraints *c, int body) {
  memset(p, 0, 3 * sizeof *p);
  if (!is_tip(m, body)) return;
  if (body == m->nbody - 1 && (!m->branched || norm(c->tool) > 0))
    memcpy(p, c->tool, 3 * sizeof *p);
  else
    farthest_point(p, m, c, body);
}

/* capsules of a link, without radius: to the joint of each link that it carries, and back along a
 * joint that slides. Returns how many. */
static int shape_link(rbv_capsule *out, const rbv_model *m, const rbv_constraint_set *s, int link) {
  int count = 0;
  for (int b = link; b < m->nbody; b++) {
    if (m->parent[b] != link - 1) continue;
    out[count] = (rbv_capsule){.link = link, .assumed = true};
    if (link == 0) out[count].from[2] = m->floor;
    rbv_least_origin(out[count++].to, m, s->limits, b);
  }
  if (count == 0) {
    out[0] = (rbv_capsule){.link = link, .assumed = true};
    tip_end(out[count++].to, m, &s->value, link - 1);
  }
  if (link == 0 || m->geometry[link - 1].type != RBV_JOINT_PRISMATIC) return count;
  // a slide reaches back to where it comes from
  const rbv_limits l = rbv_body_limits(m, s->limits, link - 1);
  if (!isfinite(l.upper - l.lower)) return count;
  out[count] = (rbv_capsule){.link = link, .assumed = true};
  for (int i = 0; i < 3; i++)
    out[count].to[i] = -(l.upper - l.lower) * m->geometry[link - 1].axis[i];
  return count + 1;
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
  if (!(norm(c->tool) > 0)) farthest_point(c->tool, m, c, m->nbody - 1);
  if (s->capsules_given && c->ncapsule == 0) return RBV_OK;
  // one for each link that another one carries, for each tip and each slide
  const int most = c->ncapsule + 3 * m->nbody + 1;
  rbv_capsule *list = rbv_alloc((size_t)most * sizeof *list);
  if (!list) return RBV_EMEM;
  if (c->ncapsule > 0) memcpy(list, c->capsule, (size_t)c->ncapsule * sizeof *list);
  int count = c->ncapsule;
  double longest = 0, reached[MOVING_MAX + 1] = {0};
  for (int link = 0; link <= m->nbody; link++) {
    rbv_capsule shape[MOVING_MAX + 2];
    const int n = shape_link(shape, m, s, link);
    // along the limb that the link belongs to
    if (link > 0) reached[link] = reached[m->parent[link - 1] + 1];
    reached[link] += length_of(&shape[0]);
    longest = fmax(longest, reached[link]);
    for (int i = 0; i < n && !has_shape(c, link); i++) list[count++] = shape[i];
  }
  if (radius == 0) radius = longest > 0 ? RADIUS_SHARE * longest : RADIUS_LEAST;
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
