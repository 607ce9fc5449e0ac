/* Prior for parameters that the estimate does not determine: the given values, or solids with the
 * lengths of the links. */
#include <math.h>
#include <string.h>

#include "consistency/consistency_problem.h"

#define THICKNESS 0.25      // radius of a link relative to its length,
#define THICKNESS_MIN 0.15  // and to the longest link
#define ROTOR_SHARE 0.02    // share of a link's inertia, if no other rotor is known
#define MARGIN_MIN 1e-6     // a given body with a smaller margin is not used as prior

const char *rbv_prior_kind_name(rbv_prior_kind kind) {
  static const char *const names[] = {
      [RBV_PRIOR_GIVEN] = "given",
      [RBV_PRIOR_GEOMETRIC] = "geometric",
      [RBV_PRIOR_REPLACED] = "replaced",
  };
  return names[kind];
}

/* ---- solids ---- */

typedef struct {
  double tip[3];  // position of the next joint
  double radius;
  double mass;
} solid;

/* solid rod from the origin to the tip: second moments tip tip'/12 + radius^2/4 about its middle */
static void solid_parameters(double phi[RBV_INERTIAL], const solid *s, const double centre[3]) {
  double P[16];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      P[i + 4 * j] = s->mass * (s->tip[i] * s->tip[j] / 12 + centre[i] * centre[j] +
                                (i == j ? s->radius * s->radius / 4 : 0));
    P[i + 12] = P[3 + 4 * i] = s->mass * centre[i];
  }
  P[15] = s->mass;
  rbv_body_parameters(phi, P);
}

static double norm3(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

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

/* set lengths, radii, and masses for a density of one; returns the longest length */
static double size_links(solid *link, const problem *p) {
  const rbv_model *m = p->model;
  double longest = 0;
  for (int j = 0; j + 1 < m->njoint; j++) {
    const joint_geometry *next = &m->geometry[j + 1];
    const rbv_limits *limits = &m->joint[j + 1].limits;
    const double middle = (limits->lower + limits->upper) / 2;
    for (int i = 0; i < 3; i++)
      link[j].tip[i] =
          next->origin[i] + next->slide[i] * (next->offset + (isfinite(middle) ? middle : 0));
    longest = fmax(longest, norm3(link[j].tip));
  }
  if (longest == 0) longest = length_of_estimate(p);
  for (int j = 0; j < p->cones.nbody; j++) {
    const double length = norm3(link[j].tip);
    link[j].radius = fmax(THICKNESS * length, THICKNESS_MIN * longest);
    link[j].mass = (length + 2 * link[j].radius) * link[j].radius * link[j].radius;
  }
  return longest;
}

static void put_solid(double *chi, const problem *p, int body, const solid *s) {
  const double middle[3] = {s->tip[0] / 2, s->tip[1] / 2, s->tip[2] / 2};
  solid_parameters(chi + p->model->link_column[body], s, middle);
}

/* common density, chosen so that the base values have the size of the estimated ones */
static double density(const problem *p, const solid *link, double *chi, double length) {
  double total = 0, estimated = 0, ours = 0;
  for (int j = 0; j < p->cones.nbody; j++) {
    put_solid(chi, p, j, &link[j]);
    if (j < p->model->njoint) total += link[j].mass;
  }
  if (p->options.total_mass > 0) return p->options.total_mass / total;
  for (int k = 0; k < p->nbase; k++) {
    const rbv_column *c = &p->model->column[p->kept[k]];
    if (c->basis != RBV_BASIS_INERTIAL) continue;
    const double unit = pow(length, length_power(c->component));
    double value = 0;
    for (int j = 0; j < p->cones.nbody; j++)
      for (int i = 0; i < RBV_INERTIAL; i++) {
        const ptrdiff_t column = p->model->link_column[j] + i;
        value += p->input->relation[p->used[k] + column * p->input->count] * chi[column];
      }
    const double x = p->input->value[p->used[k]] / unit;
    estimated += x * x;
    ours += value * value / (unit * unit);
  }
  return estimated > 0 && ours > 0 ? sqrt(estimated / ours) : 1 / total;
}

static rbv_status fill_bodies(problem *p, const double *given, solid *link, double *length) {
  *length = size_links(link, p);
  const double rho = density(p, link, p->prior, *length);
  for (int j = 0; j < p->cones.nbody; j++) {
    double *phi = p->prior + p->model->link_column[j];
    link[j].mass *= rho;
    put_solid(p->prior, p, j, &link[j]);
    p->prior_kind[j] = RBV_PRIOR_GEOMETRIC;
    if (!given) continue;
    rbv_body body;
    const double *theirs = given + p->model->link_column[j];
    RBV_TRY(rbv_body_check(&body, theirs));
    if (body.fault == RBV_BODY_CONSISTENT && body.margin > MARGIN_MIN) {
      memcpy(phi, theirs, RBV_INERTIAL * sizeof *phi);
      p->prior_kind[j] = RBV_PRIOR_GIVEN;
      continue;
    }
    p->prior_kind[j] = RBV_PRIOR_REPLACED;
    if (body.fault == RBV_BODY_NOT_FINITE || body.fault == RBV_BODY_MASS) continue;
    // use mass and centre of the given body, but not its inertia
    link[j].mass = body.mass;
    solid_parameters(phi, &link[j], body.centre);
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

static double drive_prior(const problem *p, int column, const solid *link, double length) {
  const rbv_column *c = &p->model->column[column];
  const int k = base_of(p, column);
  const double own = k < 0 ? 0 : fmax(fabs(p->input->value[p->used[k]]), p->sigma[k]);
  if (own > 0) return own;
  const double same = typical(p, c);
  if (same > 0) return same;
  if (!law_is_of(c->law, RBV_LAW_ACCELERATION)) return 1;
  const bool slides = p->model->joint[c->joint].type == RBV_JOINT_PRISMATIC;
  return ROTOR_SHARE * link[c->joint].mass * (slides ? 1 : length * length);
}

static void fill_drives(problem *p, const double *given, const solid *link, double length) {
  for (int c = 0; c < p->n; c++) {
    const rbv_column *column = &p->model->column[c];
    if (column->basis == RBV_BASIS_INERTIAL) continue;
    const double own = given ? given[c] : 0;
    if (rbv_drive_bounded(column)) {
      p->prior[c] = isfinite(own) && own > 0 ? own : drive_prior(p, c, link, length);
      continue;
    }
    p->prior[c] = isfinite(own) ? own : 0;
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

rbv_status rbv_problem_prior(problem *p, const double *given) {
  solid *link = rbv_alloc((size_t)p->cones.nbody * sizeof *link);
  if (!link) return RBV_EMEM;
  double length;
  rbv_status status = fill_bodies(p, given, link, &length);
  if (status == RBV_OK) fill_drives(p, given, link, length);
  rbv_free(link);
  for (int i = 0; i < p->cones.count && status == RBV_OK; i++)
    if (p->cones.cone[i].kind != CONE_BOUND) status = set_prior_matrix(p, &p->cones.cone[i]);
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
  for (int j = 0; j < m->njoint; j++) total += chi[m->link_column[j] + 9];
  for (int j = 0; j < m->njoint; j++)
    for (int k = 0; k < RBV_INERTIAL; k++)
      chi[m->link_column[j] + k] *= p->options.total_mass / total;
}
