/* Prior for parameters that the estimate does not determine: the given values, or solids of the
 * size of the links. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "consistency/consistency_problem.h"

#define THICKNESS 0.25      // radius of a link relative to its length,
#define THICKNESS_MIN 0.15  // and to the longest link
#define ROTOR_SHARE 0.02    // share of a link's inertia, if no other rotor is known
#define MARGIN_MIN 1e-6     // a given body with a smaller margin is not used as prior
#define ASSUMED_WEIGHT 0.5  // weights of an assumed body relative to those of a given one
#define DENSITY \
  900.0                    // kg/m^3, of such solids: six arms (TX40, KR300, LWR4+, iiwa 14, Panda,
                           // UR10e) have 200 to 3400
#define DENSITY_RANGE 9.0  // factor below and above: half the lightest arm, and solid steel
#define DENSITY_PASSES 4
#define SHAPE_DOUBT 0.5  // error of a base value because of the shape, relative to their mean size

const char *rbv_prior_kind_name(rbv_prior_kind kind) {
  static const char *const names[] = {
      [RBV_PRIOR_GIVEN] = "given",
      [RBV_PRIOR_ASSUMED] = "assumed",
      [RBV_PRIOR_REPLACED] = "replaced",
  };
  return names[kind];
}

/* ---- solids ---- */

/* A homogeneous body: mass, centre, and second moments about the centre divided by the mass. */
typedef struct {
  double mass, centre[3], moment[9];
} solid;

static double norm3(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* cylinder of density one between two points, with round ends; the moments are those of the
 * cylinder: extent^2/12 along it, radius^2/4 across */
static solid rod(const double from[3], const double to[3], double radius) {
  const double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const double length = norm3(along), extent = length + 4 * radius / 3, pi = acos(-1);
  solid s = {.mass = pi * radius * radius * extent};
  for (int i = 0; i < 3; i++) {
    s.centre[i] = (from[i] + to[i]) / 2;
    for (int j = 0; j < 3; j++)
      s.moment[i + 3 * j] = along[i] * along[j] / 12 + (i == j ? radius * radius / 4 : 0);
  }
  return s;
}

/* both bodies together */
static void add_solid(solid *s, const solid *more) {
  const double mass = s->mass + more->mass, part = more->mass / mass;
  double shift[3];
  for (int i = 0; i < 3; i++) shift[i] = more->centre[i] - s->centre[i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s->moment[i + 3 * j] = (1 - part) * s->moment[i + 3 * j] + part * more->moment[i + 3 * j] +
                             part * (1 - part) * shift[i] * shift[j];
  for (int i = 0; i < 3; i++) s->centre[i] += part * shift[i];
  s->mass = mass;
}

static void solid_parameters(double phi[RBV_INERTIAL], const solid *s) {
  double P[16];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      P[i + 4 * j] = s->mass * (s->moment[i + 3 * j] + s->centre[i] * s->centre[j]);
    P[i + 12] = P[3 + 4 * i] = s->mass * s->centre[i];
  }
  P[15] = s->mass;
  rbv_body_parameters(phi, P);
}

/* limit the gyration radii; true if one of them changed */
static rbv_status limit_radii(bool *changed, solid *s, double least, double most) {
  double value[3], axis[9];
  *changed = false;
  RBV_TRY(rbv_eigen_symmetric(value, axis, s->moment, 3, 3));
  for (int k = 0; k < 3; k++) {
    const double limited = fmin(fmax(value[k], least * least), most * most);
    *changed = *changed || limited != value[k];
    value[k] = limited;
  }
  for (int i = 0; i < 3 && *changed; i++)
    for (int j = 0; j < 3; j++) {
      s->moment[i + 3 * j] = 0;
      for (int k = 0; k < 3; k++)
        s->moment[i + 3 * j] += value[k] * axis[i + 3 * k] * axis[j + 3 * k];
    }
  return RBV_OK;
}

static rbv_status least_radius(double *out, const solid *s) {
  double value[3];
  RBV_TRY(rbv_eigen_symmetric(value, NULL, s->moment, 3, 3));
  *out = sqrt(fmax(value[0], 0));
  return RBV_OK;
}

/* ---- links ---- */

/* A length of the robot, in which base values of different powers are compared. */
typedef struct {
  double value;
  bool geometric;  // from the joints; otherwise from the estimate
} unit_length;

/* power of a length in an inertial parameter */
static int length_power(int component) { return component < 6 ? 2 : component < 9 ? 1 : 0; }

/* a length from the estimate: second moments divided by first moments */
static double length_of_estimate(const problem *p) {
  double second = 0, first = 0;
  for (int k = 0; k < p->nbase; k++) {
    const rbv_column *c = &p->model->column[p->kept[k]];
    const double x = p->input->value[p->used[k]];
    if (c->basis != RBV_BASIS_INERTIAL) continue;
    if (length_power(c->component) == 2) second += x * x;
    if (length_power(c->component) == 1) first += x * x;
  }
  return second > 0 && first > 0 ? sqrt(second / first) : 1;
}

/* position of the next joint in the frame of a body, of the farthest one where it carries several;
 * zero for a tip */
static void tip_of(double tip[3], const rbv_model *m, int body) {
  memset(tip, 0, 3 * sizeof *tip);
  for (int j = body + 1; j < m->nbody; j++) {
    if (m->parent[j] != body) continue;
    const joint_geometry *next = &m->geometry[j];
    const double middle = (m->body[j].limits.lower + m->body[j].limits.upper) / 2;
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = next->origin[i] + next->slide[i] * (next->offset + (isfinite(middle) ? middle : 0));
    if (norm3(at) > norm3(tip)) memcpy(tip, at, sizeof at);
  }
}

/* solids of density one: the capsules of a link, otherwise a rod to the next joint. Returns the
 * longest distance between joints */
static unit_length shape_links(solid *link, const problem *p) {
  static const double origin[3] = {0};
  const rbv_model *m = p->model;
  double tip[3], longest = 0;
  for (int j = 0; j < m->nbody; j++) {
    tip_of(tip, m, j);
    longest = fmax(longest, norm3(tip));
  }
  const bool geometric = longest > 0;
  if (!geometric) longest = length_of_estimate(p);
  for (int j = 0; j < p->cones.nbody; j++) {
    link[j] = (solid){0};
    for (int i = 0; i < m->ncapsule && j < m->nbody; i++) {
      const rbv_capsule *c = &m->capsule[i];
      if (c->link != j + 1 || !(c->radius > 0)) continue;
      const solid part = rod(c->from, c->to, c->radius);
      add_solid(&link[j], &part);
    }
    if (link[j].mass > 0) continue;
    tip_of(tip, m, j);
    link[j] = rod(origin, tip, fmax(THICKNESS * norm3(tip), THICKNESS_MIN * longest));
  }
  return (unit_length){longest, geometric};
}

/* ---- density ---- */

/* base value k of the bodies of a kind: assumed ones with density one, or the others */
static double value_of(const problem *p, const double *chi, int k, bool assumed) {
  double value = 0;
  for (int j = 0; j < p->cones.nbody; j++) {
    if (!has_parameters(p->model, j)) continue;
    if ((p->prior_kind[j] == RBV_PRIOR_ASSUMED) != assumed) continue;
    for (int i = 0; i < RBV_INERTIAL; i++) {
      const ptrdiff_t column = p->model->link_column[j] + i;
      value += p->input->relation[p->used[k] + column * p->input->count] * chi[column];
    }
  }
  return value;
}

/* value k of the estimate without the bodies that are known, and its sigma and that of the assumed
 * bodies with density one; false: gravity does not show it */
static bool weighs(double *x, double *sigma, double *y, const problem *p, const double *chi, int k,
                   double length, int power_most) {
  const rbv_column *c = &p->model->column[p->kept[k]];
  if (c->basis != RBV_BASIS_INERTIAL || length_power(c->component) > power_most) return false;
  const double unit = pow(length, length_power(c->component));
  *x = (p->input->value[p->used[k]] - value_of(p, chi, k, false)) / unit;
  *sigma = p->sigma[k] / unit;
  *y = value_of(p, chi, k, true) / unit;
  return true;
}

/* Weighted least squares of the base values; rho: the density so far, which tells by how much a
 * solid of the wrong shape may be wrong. NaN: there are no such values. */
static double fit_density(double rho, const problem *p, const double *chi, double length,
                          int power_most) {
  double x, sigma, y, size = 0, xy = 0, yy = 0;
  int count = 0;
  for (int k = 0; k < p->nbase; k++)
    if (weighs(&x, &sigma, &y, p, chi, k, length, power_most)) {
      size += y * y;
      count++;
    }
  const double doubt = SHAPE_DOUBT * SHAPE_DOUBT * rho * rho * size / count;
  for (int k = 0; k < p->nbase; k++)
    if (weighs(&x, &sigma, &y, p, chi, k, length, power_most)) {
      xy += x * y / (sigma * sigma + doubt);
      yy += y * y / (sigma * sigma + doubt);
    }
  return xy / yy;
}

/* the density at which the base values of the solids have the size of the estimated ones */
static double density_of_size(const problem *p, const double *chi, double length) {
  double x, sigma, y, xx = 0, yy = 0;
  for (int k = 0; k < p->nbase; k++)
    if (weighs(&x, &sigma, &y, p, chi, k, length, 2)) {
      xx += x * x;
      yy += y * y;
    }
  return xx > 0 && yy > 0 ? sqrt(xx / yy) : 1;
}

/*
 * Common density of the assumed bodies, whose parameters in chi are those of density one. It
 * follows from the total mass if that is known, otherwise from first moments and masses, which
 * gravity and slides show; from moments of inertia if there are no others. Values that the data
 * hardly know hardly count. It stays in the range of arms.
 */
static double density(const problem *p, const double *chi, unit_length length) {
  double assumed = 0, known = 0;
  for (int j = 0; j < p->model->nbody; j++)
    if (has_parameters(p->model, j))
      *(p->prior_kind[j] == RBV_PRIOR_ASSUMED ? &assumed : &known) +=
          chi[p->model->link_column[j] + RBV_INERTIAL - 1];
  if (p->options.total_mass > known && assumed > 0)
    return (p->options.total_mass - known) / assumed;
  const double middle = length.geometric ? DENSITY : density_of_size(p, chi, length.value);
  double rho = middle;
  for (int pass = 0; pass < DENSITY_PASSES; pass++) {
    double found = fit_density(rho, p, chi, length.value, 1);
    if (isnan(found)) found = fit_density(rho, p, chi, length.value, 2);
    if (isnan(found)) found = middle;
    rho = fmin(fmax(found, middle / DENSITY_RANGE), middle * DENSITY_RANGE);
  }
  return rho;
}

/* ---- bodies ---- */

/* a given body; false: it has no mass */
static rbv_status take_given(bool *taken, problem *p, int body, const double *theirs,
                             const solid *link, double longest) {
  rbv_body of;
  *taken = false;
  RBV_TRY(rbv_body_check(&of, theirs));
  if (of.fault == RBV_BODY_NOT_FINITE || of.fault == RBV_BODY_MASS) return RBV_OK;
  *taken = true;
  double P[16], least, *phi = p->prior + p->model->link_column[body];
  const bool sound = of.fault == RBV_BODY_CONSISTENT && of.margin > MARGIN_MIN;
  solid s = *link;  // if the given inertia is impossible, only mass and centre are used
  s.mass = of.mass;
  memcpy(s.centre, of.centre, sizeof s.centre);
  rbv_body_pseudo(P, theirs);
  for (int i = 0; i < 3 && sound; i++)
    for (int j = 0; j < 3; j++)
      s.moment[i + 3 * j] = P[i + 4 * j] / s.mass - s.centre[i] * s.centre[j];
  bool changed;
  RBV_TRY(least_radius(&least, link));
  RBV_TRY(limit_radii(&changed, &s, fmin(least, longest / 2), longest / 2));
  if (sound && !changed)
    memcpy(phi, theirs, RBV_INERTIAL * sizeof *phi);
  else
    solid_parameters(phi, &s);
  p->prior_kind[body] = sound ? RBV_PRIOR_GIVEN : RBV_PRIOR_REPLACED;
  return RBV_OK;
}

static rbv_status fill_bodies(problem *p, const double *given, solid *link, double *length) {
  const unit_length unit = shape_links(link, p);
  *length = unit.value;
  bool any = false;
  for (int j = 0; j < p->cones.nbody; j++) {
    if (!has_parameters(p->model, j)) continue;
    const int column = p->model->link_column[j];
    bool taken = false;
    if (given) RBV_TRY(take_given(&taken, p, j, given + column, &link[j], *length));
    if (taken) continue;
    any = true;
    p->prior_kind[j] = RBV_PRIOR_ASSUMED;
    solid_parameters(p->prior + column, &link[j]);
  }
  const double rho = any ? density(p, p->prior, unit) : 1;
  for (int j = 0; j < p->cones.nbody; j++) {
    if (!has_parameters(p->model, j)) continue;
    link[j].mass *= rho;
    if (p->prior_kind[j] == RBV_PRIOR_ASSUMED)
      solid_parameters(p->prior + p->model->link_column[j], &link[j]);
  }
  return RBV_OK;
}

/* ---- drives ---- */

/* base parameter that belongs to this column, -1: none */
static int base_of(const problem *p, int column) {
  for (int k = 0; k < p->nbase; k++)
    if (p->kept[k] == column) return k;
  return -1;
}

/* mean magnitude of the estimates in columns of the same kind; 0: there are none */
static double typical(const problem *p, const rbv_column *of) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < p->nbase; k++) {
    const rbv_column *c = &p->model->column[p->kept[k]];
    if (c->basis != of->basis || c->law != of->law) continue;
    sum += fabs(p->input->value[p->used[k]]);
    count++;
  }
  return count > 0 ? sum / count : 0;
}

static double drive_prior(const problem *p, int column, double length) {
  const rbv_column *c = &p->model->column[column];
  const int k = base_of(p, column);
  const double own = k < 0 ? 0 : fmax(fabs(p->input->value[p->used[k]]), p->sigma[k]);
  if (own > 0) return own;
  const double same = typical(p, c);
  if (same > 0) return same;
  if (!law_is_of(c->law, RBV_LAW_ACCELERATION)) return 1;
  const bool slides = p->model->joint[c->joint].type == RBV_JOINT_PRISMATIC;
  const int body = p->model->leader[c->joint];
  if (!has_parameters(p->model, body)) return 1;
  const double mass = p->prior[p->model->link_column[body] + RBV_INERTIAL - 1];
  return ROTOR_SHARE * mass * (slides ? 1 : length * length);
}

static bool in_cone(const problem *p, int column) {
  for (int i = 0; i < p->cones.count; i++)
    for (int k = 0; k < p->cones.cone[i].count; k++)
      if (p->cones.cone[i].column[k] == column) return true;
  return false;
}

static void fill_drives(problem *p, const double *given, double length) {
  for (int c = 0; c < p->n; c++) {
    const rbv_column *column = &p->model->column[c];
    if (column->basis == RBV_BASIS_INERTIAL) continue;
    const double own = given && isfinite(given[c]) ? given[c] : 0;
    if (in_cone(p, c)) {
      p->prior[c] = own > 0 ? own : drive_prior(p, c, length);
      continue;
    }
    // a column without effect keeps the given value
    p->prior[c] = rbv_drive_bounded(column) ? fmax(own, 0) : own;
    if (base_of(p, c) >= 0) continue;
    const double size = fmax(fabs(p->prior[c]), typical(p, column));
    p->scale[c] = size > 0 ? size : 1;
  }
}

/* ---- matrices of the cones ---- */

/* halve the off-diagonal columns of a coupled matrix, so that it becomes positive definite */
static void shrink_coupling(problem *p, const cone *c) {
  for (int k = 0; k < c->count; k++) {
    const double *A = c->map + (ptrdiff_t)k * c->size * c->size;
    bool mixed = false;
    for (int i = 0; i < c->size; i++)
      for (int j = 0; j < i; j++) mixed = mixed || A[i + j * c->size] != 0;
    if (mixed) p->prior[c->column[k]] /= 2;
  }
}

static rbv_status set_prior_matrix(problem *p, cone *c) {
  const int s = c->size;
  for (int tries = 0; tries < 60; tries++) {
    rbv_cone_matrix(c->prior, c, p->prior);
    memcpy(p->L, c->prior, (size_t)(s * s) * sizeof *p->L);
    if (!rbv_cone_factor(p->L, p->Linv, &c->prior_log_det, s)) {
      shrink_coupling(p, c);
      continue;
    }
    for (int i = 0; i < s; i++)
      for (int j = 0; j < s; j++) {
        double sum = 0;
        for (int k = 0; k < s; k++) sum += p->Linv[k + i * s] * p->Linv[k + j * s];
        c->prior_inverse[i + j * s] = sum;
      }
    return RBV_OK;
  }
  return rbv_fail(RBV_ENUM, "no consistent prior was found for '%s'",
                  p->model->column[c->column[0]].name);
}

static double cone_weight(const problem *p, const cone *c) {
  const rbv_consistency_options *o = &p->options;
  const bool assumed = c->body >= 0 && p->prior_kind[c->body] == RBV_PRIOR_ASSUMED;
  switch (c->kind) {
    case CONE_BODY: return (assumed ? ASSUMED_WEIGHT : 1) * o->weight;
    case CONE_MASS: return (assumed ? ASSUMED_WEIGHT : 1) * o->mass_weight;
    case CONE_DRIVE: return o->drive_weight;
    case CONE_BOUND: return 0;
  }
  return 0;
}

rbv_status rbv_problem_prior(problem *p, const double *given) {
  RBV_NEW(solid, link, p->cones.nbody);
  double length;
  rbv_status status = fill_bodies(p, given, link, &length);
  if (status == RBV_OK) fill_drives(p, given, length);
  rbv_free(link);
  for (int i = 0; i < p->cones.count && status == RBV_OK; i++)
    if (p->cones.cone[i].kind != CONE_BOUND) status = set_prior_matrix(p, &p->cones.cone[i]);
  for (int i = 0; i < p->cones.count; i++)
    p->cones.cone[i].weight = cone_weight(p, &p->cones.cone[i]);
  return status;
}

/* ---- start values ---- */

void rbv_problem_start(double *chi, const problem *p) {
  const rbv_model *m = p->model;
  memcpy(chi, p->prior, (size_t)p->n * sizeof *chi);
  // a body outside its ellipsoid is replaced by a filled ellipsoid of half the size with the same
  // mass
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    if (c->kind != CONE_BOUND) continue;
    double inside, P[16];
    double *phi = chi + m->link_column[c->body];
    rbv_cone_matrix(&inside, c, chi);
    if (inside > 0.1 * phi[9]) continue;
    const rbv_ellipsoid *e = &p->options.bound[c->body];
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        P[a + 4 * b] = e->centre[a] * e->centre[b];
        for (int k = 0; k < 3; k++) P[a + 4 * b] += e->axes[a + 3 * k] * e->axes[b + 3 * k] / 20;
        P[a + 4 * b] *= phi[9];
      }
      P[a + 12] = P[3 + 4 * a] = phi[9] * e->centre[a];
    }
    P[15] = phi[9];
    rbv_body_parameters(phi, P);
  }
  if (!(p->options.total_mass > 0)) return;
  double total = 0;
  for (int j = 0; j < m->nbody; j++)
    if (has_parameters(m, j)) total += chi[m->link_column[j] + 9];
  for (int j = 0; j < m->nbody; j++)
    for (int k = 0; k < RBV_INERTIAL && has_parameters(m, j); k++)
      chi[m->link_column[j] + k] *= p->options.total_mass / total;
}
