/* Lanes: memory, laws of the model, parameters. */
#include <math.h>
#include <string.h>

#include "dynamics/lanes_internal.h"

static void layout(rbv_lanes *l, const rbv_model *m, int w, rbv_arena *a) {
  const int n = m->njoint, t = m->nterm;
  l->chain.joint = RBV_TAKE(a, n, axis_joint);
  l->plain = RBV_TAKE(a, m->nbody * RBV_INERTIAL, double);
  l->direction = RBV_TAKE(a, t, direction);
  l->entry = RBV_TAKE(a, t, entry);
  l->expression = RBV_TAKE(a, t, int);
  l->pair = RBV_TAKE(a, n * n, place);
  l->link = RBV_TAKE(a, m->nbody * RBV_INERTIAL * w, double);
  RBV_TAKE_ALL(a, n * n * w, double, &l->rotor, &l->viscous, &l->drag);
  l->constant = RBV_TAKE(a, n * w, double);
  l->coefficient = RBV_TAKE(a, t * w, double);
  l->own = RBV_TAKE(a, t * w, double);
  l->scratch = RBV_TAKE(a, n * PLANT_SCRATCH * w, double);
  RBV_TAKE_ALL(a, n * n * w, double, &l->mass, &l->kept, &l->implicit, &l->damping);
  l->right = RBV_TAKE(a, n * w, double);
  RBV_TAKE_ALL(a, t * w, double, &l->speed, &l->position, &l->value, &l->slope);
  l->term = RBV_TAKE(a, 2 * w, double);
  l->moved = RBV_TAKE(a, n * w, double);
  l->registers = RBV_TAKE(a, m->nregister * EXPRESSION_CHUNK, double);
  l->state = RBV_TAKE(a, m->nstate * w, double);
  const int loads = m->uses_torque ? n * w : 0;
  RBV_TAKE_ALL(a, loads, double, &l->load, &l->ahead, &l->back, &l->bias, &l->drive, &l->share);
  l->link_mass = RBV_TAKE(a, n * loads, double);
  l->scaled = RBV_TAKE(a, n * loads, double);
  l->accelerated = RBV_TAKE(a, loads, double);
  l->response = RBV_TAKE(a, n * loads, double);
  l->small = RBV_TAKE(a, m->uses_torque ? n * (n + 1) : 0, double);
  l->rotor_place = RBV_TAKE(a, n * n, place);
  l->coupled = RBV_TAKE(a, n, int);
}

/* ---- laws of the model ---- */

/* a joint's own smoothing, or the simulation's, or the model's; there must be one */
static rbv_smoothing smoothing_of(const rbv_lanes *l, const drive_term *t) {
  if (l->gamma > 0 && !t->own_smoothing) return (rbv_smoothing){.gamma = l->gamma};
  if (t->smoothing.gamma > 0 || t->smoothing.speed > 0) return t->smoothing;
  return (rbv_smoothing){.gamma = RBV_LANES_GAMMA};
}

static bool same_direction(const rbv_lanes *l, const direction *d, const drive_term *t) {
  const rbv_model *m = l->model;
  if (d->count != t->count || d->passive != t->passive ||
      !same_smoothing(d->smoothing, smoothing_of(l, t)))
    return false;
  for (int i = 0; i < d->count; i++)
    if (m->direction_joint[d->first + i] != m->direction_joint[t->first + i] ||
        m->direction_weight[d->first + i] != m->direction_weight[t->first + i])
      return false;
  return true;
}

static int find_direction(rbv_lanes *l, const drive_term *t) {
  for (int d = 0; d < l->ndirection; d++)
    if (same_direction(l, &l->direction[d], t)) return d;
  l->direction[l->ndirection] = (direction){t->first, t->count, t->passive, smoothing_of(l, t)};
  return l->ndirection++;
}

/* is the term evaluated at every step? Linear laws and constants are summed up beforehand, unless
 * their factors change with the pose. */
static bool is_entry(const drive_term *t) {
  return t->law && (t->passive || (!t->law->linear && t->law->motion != RBV_LAW_CONSTANT));
}

/* a law that is part of another one is evaluated as that one, and a constant */
static bool is_part(const drive_term *t) { return t->law->part.of && !t->passive; }

static const rbv_law *evaluated(const drive_term *t) {
  return is_part(t) ? rbv_law_find(t->law->part.of) : t->law;
}

static bool same_law(const rbv_law *law, const double *a, const rbv_law *other, const double *b) {
  if (law != other) return false;
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    if (a[k] != b[k]) return false;
  return true;
}

/* the entry of a term: those of the same joint, direction, law and shape share one */
static int find_entry(rbv_lanes *l, const drive_term *t) {
  const int d = find_direction(l, t);
  const rbv_law *law = evaluated(t);
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (e->joint == t->joint && e->direction == d && same_law(e->law, e->shape, law, t->shape))
      return i;
  }
  l->entry[l->nentry] =
      (entry){.joint = t->joint, .direction = d, .law = law, .shape = t->shape, .state = t->state};
  return l->nentry++;
}

static void find_laws(rbv_lanes *l) {
  const rbv_model *m = l->model;
  for (int t = 0; t < m->nterm; t++) {
    if (!m->term[t].law)
      l->expression[l->nexpression++] = t;
    else if (is_entry(&m->term[t]))
      (void)find_entry(l, &m->term[t]);
  }
}

/* the narrowest kernel with count lanes, or the widest that exists */
static const rbv_kernel *choose(int count) {
  for (int max = 1; max < LANES_WIDTH; max *= 2) {
    const rbv_kernel *k = rbv_kernel_choose(max);
    if (k->width >= count) return k;
  }
  return rbv_kernel_choose(LANES_WIDTH);
}

rbv_status rbv_lanes_new(rbv_lanes **out, const rbv_model *m, int count, double gamma) {
  *out = NULL;
  if (!m || count < 1 || !(gamma >= 0))
    return rbv_fail(RBV_EARG, "lanes need a model, a count and gamma >= 0");
  RBV_TRY(rbv_laws_require(m, LAW_IN_LANES));
  const rbv_kernel *kernel = choose(count);
  rbv_lanes sizes = {0};
  rbv_lanes *l;
  RBV_CARVE_OBJECT(l, a, layout(&sizes, m, kernel->width, a));
  if (!l) return RBV_EMEM;
  *l = sizes;
  l->model = m;
  l->kernel = kernel;
  l->width = kernel->width;
  l->plant = rbv_plant_kernel(kernel->width);
  l->chain.njoint = m->njoint;
  if (is_chain(m)) rbv_axis_chain(&l->chain, m);
  l->gamma = gamma;
  l->friction = 1;
  find_laws(l);
  const rbv_status status = is_chain(m) ? RBV_OK : rbv_dynamics_new(&l->rigid, m);
  if (status != RBV_OK) {
    rbv_lanes_free(l);
    return status;
  }
  *out = l;
  return RBV_OK;
}

void rbv_lanes_free(rbv_lanes *l) {
  if (l) rbv_dynamics_free(l->rigid);
  rbv_free(l);
}

rbv_smoothing rbv_lanes_smoothing(const rbv_lanes *l, int joint) {
  const rbv_model *m = l->model;
  for (int t = 0; t < m->nterm; t++)
    if (m->term[t].law && m->term[t].law->steps && m->column[m->term[t].column].joint == joint)
      return smoothing_of(l, &m->term[t]);
  return (rbv_smoothing){0};
}

int rbv_lanes_width(const rbv_lanes *l) { return l->width; }

void rbv_lanes_set_friction(rbv_lanes *l, double factor) { l->friction = factor; }

/* ---- parameters ---- */

static void clear_lane(double *x, int count, int width, int lane) {
  for (int i = 0; i < count; i++) x[i * width + lane] = 0;
}

/* base parameters of the links, with the payload's in the one that carries it */
static void set_links(rbv_lanes *l, int lane, const double *chi, bool loaded) {
  const rbv_model *m = l->model;
  const int n = m->nbody, w = l->width;
  for (int j = 0; j < n; j++) {
    double link[RBV_INERTIAL], *plain = l->plain + j * RBV_INERTIAL;
    for (int c = 0; c < RBV_INERTIAL; c++) {
      link[c] = m->link_column[j] < 0 ? 0 : chi[m->link_column[j] + c];
      if (j == m->carrier && loaded && m->payload) link[c] += chi[m->link_column[n] + c];
    }
    if (l->rigid)
      memcpy(plain, link, sizeof link);
    else
      rbv_axis_link(plain, &l->chain, j, link);
  }
  if (!l->rigid) rbv_axis_regroup(l->plain, &l->chain);
  for (int i = 0; i < n * RBV_INERTIAL; i++) l->link[i * w + lane] = l->plain[i];
}

static void set_terms(rbv_lanes *l, int lane, const double *chi) {
  const rbv_model *m = l->model;
  const int n = m->njoint, w = l->width;
  clear_lane(l->rotor, n * n, w, lane);
  clear_lane(l->viscous, n * n, w, lane);
  clear_lane(l->constant, n, w, lane);
  clear_lane(l->coefficient, l->nentry, w, lane);
  int own = 0;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const double x = chi[term->column] * term->gain;
    double *constant = &l->constant[term->joint * w + lane];
    if (!term->law) {
      l->own[own++ * w + lane] = chi[term->column];
    } else if (term->law->linear && !is_entry(term)) {
      double *matrix = term->law->motion == RBV_LAW_ACCELERATION ? l->rotor : l->viscous;
      for (int k = term->first; k < term->first + term->count; k++)
        matrix[(term->joint + m->direction_joint[k] * n) * w + lane] += x * m->direction_weight[k];
    } else if (is_entry(term)) {
      const bool part = is_part(term);
      l->coefficient[find_entry(l, term) * w + lane] += part ? x * term->law->part.factor : x;
      if (part) *constant += x * term->law->part.constant;
    } else {
      *constant += x;
    }
  }
}

static double weight_of(const rbv_lanes *l, const direction *d, int joint) {
  for (int i = d->first; i < d->first + d->count; i++)
    if (l->model->direction_joint[i] == joint) return l->model->direction_weight[i];
  return 0;
}

/* the coefficient that joint j has for the direction and law of e, 0 when it has none */
static double partner(const rbv_lanes *l, const entry *e, int j, int lane) {
  for (int k = 0; k < l->nentry; k++)
    if (l->entry[k].joint == j && l->entry[k].direction == e->direction &&
        same_law(l->entry[k].law, l->entry[k].shape, e->law, e->shape))
      return l->coefficient[k * l->width + lane];
  return 0;
}

/* true if the coefficients are a w w' with a >= 0 for the direction w, as in every passive law */
static bool is_passive(const rbv_lanes *l, const entry *e, double coefficient, int lane) {
  const direction *d = &l->direction[e->direction];
  if (d->passive) return coefficient >= 0;
  const double mine = weight_of(l, d, e->joint);
  if (!(coefficient * mine >= 0) || mine == 0) return coefficient == 0;
  for (int j = 0; j < l->chain.njoint; j++) {
    const double error = partner(l, e, j, lane) * mine - weight_of(l, d, j) * coefficient;
    if (!(fabs(error) <= 1e-12 * fabs(coefficient * mine))) return false;
  }
  return true;
}

static void find_pairs(rbv_lanes *l) {
  const int n = l->chain.njoint;
  l->npair = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      bool there = false;
      for (int k = 0; k < l->width; k++)
        there = there || l->viscous[(i + j * n) * l->width + k] != 0;
      if (there) l->pair[l->npair++] = (place){i, j};
    }
}

static void find_rotors(rbv_lanes *l) {
  const int n = l->chain.njoint;
  l->nrotor = l->ncoupled = 0;
  for (int i = 0; i < n; i++) {
    bool turns = false;
    for (int j = 0; j < n; j++) {
      bool there = false;
      for (int k = 0; k < l->width; k++) there = there || l->rotor[(i + j * n) * l->width + k] != 0;
      if (there) l->rotor_place[l->nrotor++] = (place){i, j};
      turns = turns || (there && i != j);
    }
    if (turns) l->coupled[l->ncoupled++] = i;
  }
}

static void classify_entries(rbv_lanes *l) {
  l->has_sign = l->has_load = l->has_position = false;
  for (int i = 0; i < l->nentry; i++) {
    entry *e = &l->entry[i];
    e->active = false;
    e->whole = true;
    for (int lane = 0; lane < l->width; lane++) {
      const double c = l->coefficient[i * l->width + lane];
      e->active = e->active || c != 0;
      e->whole = e->whole && is_passive(l, e, c, lane);
    }
    l->has_sign = l->has_sign || (e->active && e->law->steps);
    l->has_load = l->has_load || (e->active && e->law->uses_torque);
    l->has_position = l->has_position || (e->active && e->law->motion == RBV_LAW_POSITION);
  }
}

/* the symmetric part of the viscous matrix if it is positive, otherwise the positive part of its
 * diagonal */
static void set_drag(rbv_lanes *l, int lane) {
  const int n = l->chain.njoint, w = l->width;
  double *work = l->mass;  // plain, n x n
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      const double s =
          (l->viscous[(i + j * n) * w + lane] + l->viscous[(j + i * n) * w + lane]) / 2;
      work[i + j * n] = work[j + i * n] = s;
      l->drag[(i + j * n) * w + lane] = s;
    }
  double size = 0;
  for (int j = 0; j < n; j++) size = fmax(size, fabs(work[j + j * n]));
  for (int j = 0; j < n; j++) work[j + j * n] += 1e-12 * size + 1e-300;
  bool positive;
  rbv_kernel_w1.factor(work, &positive, n);
  if (positive) return;
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double *at = &l->drag[(i + j * n) * w + lane];
      *at = i == j && *at > 0 ? *at : 0;
    }
}

rbv_status rbv_lanes_set(rbv_lanes *l, int lane, const double *chi, bool loaded) {
  const rbv_model *m = l->model;
  for (int c = 0; c < m->ncolumn; c++)
    if (!isfinite(chi[c]))
      return rbv_fail(RBV_EARG, "parameter %s is not a finite number", m->column[c].name);
  for (int i = 0; i < l->nexpression; i++) {
    const drive_term *t = &m->term[l->expression[i]];
    if (chi[t->column] != 0 && m->expression[t->expression].uses_ddq)
      return rbv_fail(RBV_EUNSUPPORTED,
                      "column '%s' has ddq in its expression: the mass matrix is then not defined "
                      "and the robot cannot be simulated; set its parameter to zero",
                      m->column[t->column].name);
  }
  set_links(l, lane, chi, loaded);
  set_terms(l, lane, chi);
  set_drag(l, lane);
  classify_entries(l);
  find_pairs(l);
  find_rotors(l);
  return RBV_OK;
}
