/* Trajectory objects: shapes, coefficients, derivatives with respect to the coefficients. */
#include <math.h>
#include <string.h>

#include "trajectory/classes.h"

rbv_trajectory_shape rbv_trajectory_defaults(void) {
  return (rbv_trajectory_shape){
      .count = 5, .duration_s = 10, .periods = 1, .closed = true, .synchronised = true};
}

static int count_of(const rbv_trajectory_shape *s, int j) {
  return s->counts ? s->counts[j] : s->count;
}

static int coefficients_of(const rbv_trajectory_shape *s, int j) {
  int total = 0;
  for (const coefficient_group *g = rbv_class_of(s->kind)->group; g->key; g++)
    total += rbv_group_size(g, s, count_of(s, j));
  return total;
}

static bool positive(const double *x, int n) {
  for (int j = 0; j < n; j++)
    if (!(x[j] > 0 && isfinite(x[j]))) return false;
  return true;
}

static rbv_status check_planner(const rbv_trajectory_shape *s) {
  if (s->counts) return rbv_fail(RBV_EARG, "all joints must have the same number of via points");
  if (!s->velocity || !s->acceleration || (s->smooth && !s->jerk))
    return rbv_fail(RBV_EARG, "the planner needs maxima of velocity and acceleration%s",
                    s->smooth ? ", and of jerk" : "");
  if (!positive(s->velocity, s->njoint) || !positive(s->acceleration, s->njoint) ||
      (s->smooth && !positive(s->jerk, s->njoint)))
    return rbv_fail(RBV_EARG, "the maxima of the planner must be positive numbers");
  if (!(s->fly_by >= 0 && s->fly_by <= 1))
    return rbv_fail(RBV_EARG, "fly-by must be between 0 and 1, not %g", s->fly_by);
  return RBV_OK;
}

static rbv_status check(const rbv_trajectory_shape *s) {
  const trajectory_class *c = rbv_class_of(s->kind);
  if (!c) return rbv_fail(RBV_EARG, "there is no trajectory class %d", (int)s->kind);
  if (s->njoint < 1) return rbv_fail(RBV_EARG, "a trajectory needs at least one joint");
  if (!(s->duration_s > 0 || (c->planned && s->duration_s == 0)) || !isfinite(s->duration_s))
    return rbv_fail(RBV_EARG, "a trajectory cannot last %g s", s->duration_s);
  if (!(s->blend_s >= 0) || !isfinite(s->blend_s))
    return rbv_fail(RBV_EARG, "a blend cannot last %g s", s->blend_s);
  if (c->periodic && s->periods < 1)
    return rbv_fail(RBV_EARG, "a trajectory cannot have %d periods", s->periods);
  for (int j = 0; j < s->njoint; j++)
    if (count_of(s, j) < c->least || coefficients_of(s, j) > CURVE_COEFFICIENTS)
      return rbv_fail(RBV_EARG, "joint %d cannot have %d %s", j + 1, count_of(s, j), c->terms);
  return c->planned ? check_planner(s) : RBV_OK;
}

/* arrays of a trajectory; measures without a base */
static void layout(rbv_trajectory *t, const rbv_trajectory_shape *s, rbv_arena *a) {
  const int n = s->njoint;
  const trajectory_class *row = rbv_class_of(s->kind);
  t->ncoefficient = 0;
  t->nmove = row->planned ? s->count - !s->closed : 0;
  // at most eight steps per move, then the start times of the moves
  t->nevent = 9 * t->nmove;
  t->counts = RBV_TAKE(a, n, int);
  t->maxima = RBV_TAKE(a, 3 * n, double);
  t->curve = RBV_TAKE(a, n, curve);
  t->move = RBV_TAKE(a, t->nmove * n, move);
  t->event = RBV_TAKE(a, t->nevent, event);
  for (int j = 0; j < n; j++) {
    const int count = count_of(s, j);
    const int room = row->pieces(s, count);
    curve c = {.first = t->ncoefficient, .count = coefficients_of(s, j), .room = room};
    c.piece = RBV_TAKE(a, room, piece);
    RBV_TAKE_ALL(a, count, double, &c.frequency, &c.sine, &c.cosine);
    t->ncoefficient += c.count;
    if (!a->base) continue;
    t->curve[j] = c;
    t->counts[j] = count;
  }
  t->x = RBV_TAKE(a, t->ncoefficient, double);
}

static void copy_maxima(rbv_trajectory *t, const rbv_trajectory_shape *s) {
  const double *from[3] = {s->velocity, s->acceleration, s->jerk};
  const double **to[3] = {&t->shape.velocity, &t->shape.acceleration, &t->shape.jerk};
  for (int i = 0; i < 3; i++) {
    double *room = t->maxima + i * s->njoint;
    if (from[i]) memcpy(room, from[i], (size_t)s->njoint * sizeof *room);
    *to[i] = from[i] ? room : NULL;
  }
}

rbv_status rbv_trajectory_new(rbv_trajectory **out, const rbv_trajectory_shape *s,
                              const double *x) {
  *out = NULL;
  RBV_TRY(check(s));
  rbv_trajectory sizes = {0}, *t;
  RBV_CARVE_OBJECT(t, a, layout(&sizes, s, a));
  if (!t) return RBV_EMEM;
  *t = sizes;
  t->shape = *s;
  t->shape.counts = t->counts;
  copy_maxima(t, s);
  t->speed = 1;
  for (int j = 0; !x && j < s->njoint; j++) {
    const int speed = rbv_class_find(NULL, s, t->counts[j], ROLE_SPEED);
    if (speed >= 0) t->x[t->curve[j].first + speed] = 1;
  }
  RBV_TRY_OR(rbv_trajectory_set(t, x ? x : t->x), rbv_free(t));
  *out = t;
  return RBV_OK;
}

rbv_status rbv_trajectory_clone(rbv_trajectory **out, const rbv_trajectory *t) {
  rbv_trajectory_shape shape = t->shape;
  if (rbv_class_of(shape.kind)->planned) shape.counts = NULL;
  RBV_TRY(rbv_trajectory_new(out, &shape, t->x));
  (*out)->speed = t->speed;
  return RBV_OK;
}

void rbv_trajectory_free(rbv_trajectory *t) { rbv_free(t); }

const rbv_trajectory_shape *rbv_trajectory_get_shape(const rbv_trajectory *t) { return &t->shape; }
int rbv_trajectory_coefficient_count(const rbv_trajectory *t) { return t->ncoefficient; }
const double *rbv_trajectory_get(const rbv_trajectory *t) { return t->x; }
double rbv_trajectory_speed(const rbv_trajectory *t) { return t->speed; }

int rbv_trajectory_first(const rbv_trajectory *t, int joint, int *count) {
  if (count) *count = t->curve[joint].count;
  return t->curve[joint].first;
}

rbv_status rbv_trajectory_set_speed(rbv_trajectory *t, double fraction) {
  if (!(fraction > 0) || !isfinite(fraction))
    return rbv_fail(RBV_EARG, "a trajectory cannot run at %g of its speed", fraction);
  t->speed = fraction;
  return RBV_OK;
}

rbv_status rbv_trajectory_set(rbv_trajectory *t, const double *x) {
  for (int i = 0; i < t->ncoefficient; i++)
    if (!isfinite(x[i])) return rbv_fail(RBV_ENUM, "coefficient %d is not a finite number", i);
  for (int j = 0; j < t->shape.njoint; j++) {
    const int at = rbv_class_find(NULL, &t->shape, t->counts[j], ROLE_SPEED);
    const double speed = at >= 0 ? x[t->curve[j].first + at] : 1;
    if (!(speed > 0 && speed <= 1))
      return rbv_fail(RBV_EARG, "joint %d has speed %g: it must be above 0 and at most 1", j + 1,
                      speed);
  }
  if (x != t->x) memcpy(t->x, x, (size_t)t->ncoefficient * sizeof *x);
  rbv_class_of(t->shape.kind)->build(t);
  return RBV_OK;
}

rbv_status rbv_trajectory_gradient(double *g, const rbv_trajectory *t, int joint, int order,
                                   double time_s) {
  if (joint < 0 || joint >= t->shape.njoint || order < 0 || order >= ORDERS)
    return rbv_fail(RBV_EARG, "there is no joint %d or no derivative of order %d", joint + 1,
                    order);
  const trajectory_class *row = rbv_class_of(t->shape.kind);
  if (!row->gradient)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "trajectories of class '%s' have no gradient: their motion planner is not a "
                    "smooth function of the points",
                    rbv_trajectory_class_name(t->shape.kind));
  const int count = t->curve[joint].count;
  const double time = rbv_clamp(time_s * t->speed, 0, t->end), factor = pow(t->speed, order);
  double room[2 * CURVE_COEFFICIENTS];
  row->gradient(room, t, joint, order, time);
  for (int p = 0; p < count; p++) g[p] = factor * room[p];
  return RBV_OK;
}
