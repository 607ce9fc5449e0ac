#include "dynamics/lanes.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"
#include "dynamics/plant_kernel.h"

/* torque of a joint += coefficient * law(speed along a direction), for laws that are not linear */
typedef struct {
  int joint, direction;
  const rbv_law *law;
  const double *shape;  // of the law
  int state;            // index of its state, -1: none
  bool active;          // not zero in some lane
  bool
      whole;  // its slope belongs to a symmetric positive matrix, so that all of it may be implicit
} entry;

typedef struct {
  int first, count;         // of its weights in the model
  rbv_smoothing smoothing;  // of the sign of the speed along it
} direction;

typedef struct {
  int row, column;
} place;

struct rbv_lanes {
  const rbv_model *model;
  const rbv_kernel *kernel;
  const plant_kernel *plant;
  axis_chain chain;
  double gamma, friction;
  int ndirection, nentry, nexpression, npair;
  direction *direction;  // at most one per term
  entry *entry;          // at most one per term
  int *expression;       // terms with an expression
  place *pair;           // njoint x njoint at most: where viscous is not zero
  bool has_sign;         // an active law uses the sign of the speed
  bool has_position;     // an active law depends on the position
  bool has_load;         // an active law depends on the torque that a gear transmits

  double *plain;  // njoint x 10: the links of one lane

  // lane quantities
  double *link;          // njoint x 10, base parameters in the frames of the chain
  double *rotor;         // njoint x njoint
  double *viscous;       // njoint x njoint
  double *drag;          // njoint x njoint: implicit part of viscous, lower triangle
  double *constant;      // njoint
  double *coefficient;   // nentry
  double *own;           // nexpression: coefficient of an expression
  double *scratch;       // njoint x PLANT_SCRATCH
  double *mass;          // njoint x njoint
  double *kept;          // njoint x njoint: M of the last linearisation, lower triangle
  double *implicit;      // njoint x njoint: factors of M + c D
  double *damping;       // njoint x njoint: c D of the last first stage, lower triangle
  double *right;         // njoint
  double *speed;         // ndirection
  double *position;      // ndirection: where a law depends on it
  double *value;         // ndirection: smoothed sign
  double *slope;         // ndirection
  double *term;          // 2: values of one law or expression
  double *moved;         // njoint
  double *registers;     // of the model's expressions
  double *state;         // states of the laws
  double *load;          // njoint: torque of the links in the last evaluation
  double *ahead, *back;  // njoint: friction per load of 1 and of -1
  double *link_mass;     // njoint x njoint: M of the links
  double *bias;          // njoint: their torque at ddq = 0
  double *drive;         // njoint: torque that is left for links and rotors
  double *share;         // njoint: torque of the links over torque behind the friction of the gear
  double *scaled;        // njoint x njoint: M of the last solution
  double *accelerated;   // njoint: ddq, if the caller gives no place for it
  double *response;      // njoint x ncoupled: inv(M) of unit torques
  double *small;         // of one lane: njoint x (njoint + 1)
  int nrotor;            // places where the rotor matrix is not zero
  place *rotor_place;    // njoint x njoint at most
  int ncoupled;          // joints whose rotors turn with other joints
  int *coupled;          // njoint at most
  int width;
};

static void layout(rbv_lanes *l, const rbv_model *m, int w, rbv_arena *a) {
  const int n = m->njoint, t = m->nterm;
  l->chain.joint = RBV_TAKE(a, n, axis_joint);
  l->plain = RBV_TAKE(a, n * RBV_INERTIAL, double);
  l->direction = RBV_TAKE(a, t, direction);
  l->entry = RBV_TAKE(a, t, entry);
  l->expression = RBV_TAKE(a, t, int);
  l->pair = RBV_TAKE(a, n * n, place);
  l->link = RBV_TAKE(a, n * RBV_INERTIAL * w, double);
  l->rotor = RBV_TAKE(a, n * n * w, double);
  l->viscous = RBV_TAKE(a, n * n * w, double);
  l->drag = RBV_TAKE(a, n * n * w, double);
  l->constant = RBV_TAKE(a, n * w, double);
  l->coefficient = RBV_TAKE(a, t * w, double);
  l->own = RBV_TAKE(a, t * w, double);
  l->scratch = RBV_TAKE(a, n * PLANT_SCRATCH * w, double);
  l->mass = RBV_TAKE(a, n * n * w, double);
  l->kept = RBV_TAKE(a, n * n * w, double);
  l->implicit = RBV_TAKE(a, n * n * w, double);
  l->damping = RBV_TAKE(a, n * n * w, double);
  l->right = RBV_TAKE(a, n * w, double);
  l->speed = RBV_TAKE(a, t * w, double);
  l->position = RBV_TAKE(a, t * w, double);
  l->value = RBV_TAKE(a, t * w, double);
  l->slope = RBV_TAKE(a, t * w, double);
  l->term = RBV_TAKE(a, 2 * w, double);
  l->moved = RBV_TAKE(a, n * w, double);
  l->registers = RBV_TAKE(a, m->nregister * EXPRESSION_CHUNK, double);
  l->state = RBV_TAKE(a, m->nstate * w, double);
  const int loads = m->uses_torque ? n * w : 0;
  l->load = RBV_TAKE(a, loads, double);
  l->ahead = RBV_TAKE(a, loads, double);
  l->back = RBV_TAKE(a, loads, double);
  l->bias = RBV_TAKE(a, loads, double);
  l->drive = RBV_TAKE(a, loads, double);
  l->share = RBV_TAKE(a, loads, double);
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

static bool same_smoothing(rbv_smoothing a, rbv_smoothing b) {
  return a.gamma == b.gamma && a.speed == b.speed;
}

static bool same_direction(const rbv_lanes *l, const direction *d, const drive_term *t) {
  const rbv_model *m = l->model;
  if (d->count != t->count || !same_smoothing(d->smoothing, smoothing_of(l, t))) return false;
  for (int i = 0; i < d->count; i++)
    if (m->direction_joint[d->first + i] != m->direction_joint[t->first + i] ||
        m->direction_weight[d->first + i] != m->direction_weight[t->first + i])
      return false;
  return true;
}

static int find_direction(rbv_lanes *l, const drive_term *t) {
  for (int d = 0; d < l->ndirection; d++)
    if (same_direction(l, &l->direction[d], t)) return d;
  l->direction[l->ndirection] = (direction){t->first, t->count, smoothing_of(l, t)};
  return l->ndirection++;
}

/* is the term evaluated at every step? Linear laws and constants are summed up beforehand. */
static bool is_entry(const drive_term *t) {
  return t->law && !t->law->linear && t->law->motion != RBV_LAW_CONSTANT;
}

/* a law that is part of another one is evaluated as that one */
static const rbv_law *evaluated(const rbv_law *law) {
  return law->part.of ? rbv_law_find(law->part.of) : law;
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
  const rbv_law *law = evaluated(t->law);
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
  const rbv_kernel *kernel = choose(count);
  rbv_arena measure = {0};
  rbv_lanes sizes;
  (void)RBV_TAKE(&measure, 1, rbv_lanes);
  layout(&sizes, m, kernel->width, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_lanes *l = RBV_TAKE(&carve, 1, rbv_lanes);
  layout(l, m, kernel->width, &carve);
  l->model = m;
  l->kernel = kernel;
  l->width = kernel->width;
  l->plant = rbv_plant_kernel(kernel->width);
  rbv_axis_chain(&l->chain, m);
  l->gamma = gamma;
  l->friction = 1;
  find_laws(l);
  *out = l;
  return RBV_OK;
}

void rbv_lanes_free(rbv_lanes *l) { rbv_free(l); }

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

/* base parameters of the links, with the payload's in the last one */
static void set_links(rbv_lanes *l, int lane, const double *chi, bool loaded) {
  const rbv_model *m = l->model;
  const int n = m->njoint, w = l->width;
  for (int j = 0; j < n; j++) {
    double link[RBV_INERTIAL];
    for (int c = 0; c < RBV_INERTIAL; c++) {
      link[c] = chi[m->link_column[j] + c];
      if (j == n - 1 && loaded && m->payload) link[c] += chi[m->link_column[n] + c];
    }
    rbv_axis_link(l->plain + j * RBV_INERTIAL, &l->chain, j, link);
  }
  rbv_axis_regroup(l->plain, &l->chain);
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
    } else if (term->law->linear) {
      double *matrix = term->law->motion == RBV_LAW_ACCELERATION ? l->rotor : l->viscous;
      for (int k = term->first; k < term->first + term->count; k++)
        matrix[(term->joint + m->direction_joint[k] * n) * w + lane] += x * m->direction_weight[k];
    } else if (is_entry(term)) {
      const bool part = term->law->part.of != NULL;
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

/* ---- forces ---- */

/*
 * The loops over lanes are short. They are compiled once per width, with the width as a constant.
 * BY_WIDTH(width, f, ...) calls f(..., width).
 */
#define INLINE static inline __attribute__((always_inline))
#define BY_WIDTH(width, f, ...)           \
  switch (width) {                        \
    case 1: f(__VA_ARGS__, 1); break;     \
    case 2: f(__VA_ARGS__, 2); break;     \
    case 4: f(__VA_ARGS__, 4); break;     \
    default: f(__VA_ARGS__, LANES_WIDTH); \
  }

/* speeds or positions along all directions */
INLINE void find_along(double *out, const rbv_lanes *l, const double *dq, const int w) {
  const rbv_model *m = l->model;
  for (int d = 0; d < l->ndirection; d++) {
    double *v = out + d * w;
    const direction *along = &l->direction[d];
    for (int k = 0; k < w; k++) v[k] = 0;
    for (int i = along->first; i < along->first + along->count; i++) {
      const double weight = m->direction_weight[i], *x = dq + m->direction_joint[i] * w;
      for (int k = 0; k < w; k++) v[k] += weight * x[k];
    }
  }
}

/* smoothed signs of all speeds, and their slopes; neighbours often have the same smoothing */
static void find_signs(rbv_lanes *l, bool slope) {
  for (int d = 0, end; d < l->ndirection; d = end) {
    const rbv_smoothing how = l->direction[d].smoothing;
    for (end = d + 1; end < l->ndirection && same_smoothing(l->direction[end].smoothing, how);)
      end++;
    const int at = d * l->width;
    l->kernel->friction(l->value + at, slope ? l->slope + at : NULL, l->speed + at, how, end - d);
  }
}

/* the lanes of an entry, as its law takes them */
static inline law_samples samples_of(const rbv_lanes *l, const entry *e, int w) {
  const int at = e->direction * w;
  const bool position = e->law->motion == RBV_LAW_POSITION;
  return (law_samples){.motion = (position ? l->position : l->speed) + at,
                       .sign = l->value + at,
                       .sign_slope = l->slope + at,
                       .torque = e->law->uses_torque ? l->load + e->joint * w : NULL,
                       .state = e->state >= 0 ? l->state + e->state * w : NULL,
                       .shape = e->shape};
}

/* friction of an entry per load of 1 and of -1: such laws are proportional to the size of the load
 */
INLINE void add_load_entry(rbv_lanes *l, const entry *e, const double *c, const int w) {
  static const double one[2][LANES_WIDTH] = {{1, 1, 1, 1, 1, 1, 1, 1},
                                             {-1, -1, -1, -1, -1, -1, -1, -1}};
  law_samples at = samples_of(l, e, w);
  for (int side = 0; side < 2; side++) {
    double *to = (side ? l->back : l->ahead) + e->joint * w;
    at.torque = one[side];
    e->law->values(l->term, l->friction, c, &at, w);
    for (int k = 0; k < w; k++) to[k] += l->term[k];
  }
}

/* right -= friction and offsets; slope: also the slopes of the signs */
INLINE void subtract_drives(rbv_lanes *l, const double *q, const double *dq, bool slope,
                            const int w) {
  const int n = l->chain.njoint;
  const double f = l->friction;
  find_along(l->speed, l, dq, w);
  if (l->has_position) find_along(l->position, l, q, w);
  if (l->has_sign) find_signs(l, slope);
  for (int i = 0; i < n * w && l->has_load; i++) l->ahead[i] = l->back[i] = 0;
  for (int i = 0; i < n * w; i++) l->right[i] -= l->constant[i];
  for (int p = 0; p < l->npair; p++) {
    const int i = l->pair[p].row, j = l->pair[p].column;
    const double *b = l->viscous + (i + j * n) * w, *x = dq + j * w;
    for (int k = 0; k < w; k++) l->right[i * w + k] -= f * b[k] * x[k];
  }
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (!e->active) continue;
    const double *c = l->coefficient + i * w, *s = l->value + e->direction * w;
    double *to = l->right + e->joint * w;
    if (e->law->is_sign) {
      for (int k = 0; k < w; k++) to[k] -= f * c[k] * s[k];
      continue;
    }
    if (e->law->uses_torque) {
      add_load_entry(l, e, c, w);
      continue;
    }
    const law_samples at = samples_of(l, e, w);
    e->law->values(l->term, f, c, &at, w);
    for (int k = 0; k < w; k++) to[k] -= l->term[k];
  }
  for (int i = 0; i < l->nexpression; i++) {
    const drive_term *t = &l->model->term[l->expression[i]];
    rbv_expression_eval(l->term, &l->model->expression[t->expression], l->registers, q, dq, NULL, w,
                        w);
    for (int k = 0; k < w; k++) {
      const double c = l->own[i * w + k];
      if (c != 0) l->right[t->joint * w + k] -= c * l->term[k];
    }
  }
}

/* M with rotors in l->mass, all forces in l->right */
INLINE void assemble_lanes(rbv_lanes *l, const double *q, const double *dq, const double *tau,
                           bool slope, const int w) {
  const int n = l->chain.njoint;
  l->plant->system(l->mass, l->right, &l->chain, l->scratch, l->link, q, dq);
  if (l->has_load) {
    memcpy(l->link_mass, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
    memcpy(l->bias, l->right, (size_t)(n * w) * sizeof *l->right);
  }
  for (int i = 0; i < n * n * w; i++) l->mass[i] += l->rotor[i];
  for (int i = 0; i < n * w; i++) l->right[i] = tau[i] - l->right[i];
  subtract_drives(l, q, dq, slope, w);
}

static void assemble(rbv_lanes *l, const double *q, const double *dq, const double *tau,
                     bool slope) {
  BY_WIDTH(l->width, assemble_lanes, l, q, dq, tau, slope)
}

/* ---- load of the gears ---- */

#define LOAD_SOLUTIONS 20  // at most: until the loads have the signs that were assumed
#define NO_LOAD 1e-12  // share of the drive torque: rounding of a gear without load, of any sign
#define SMALLEST_SHARE 0.1  // of the torque that a gear transmits; an efficiency below is a mistake

/*
 * The torque behind a gear is x = L + friction(L), with the friction per load above: L = share x,
 * where the share depends on the sign of L alone. x = drive - rotor ddq, L = M_link ddq + bias, so
 *
 *   (M_link + share rotor) ddq = share drive - bias.
 *
 * The signs are those of the last evaluation; they are corrected if the solution has others. Rotors
 * that turn with several joints make the matrix unsymmetric, A + U E U', where A has the mean of
 * the two shares and U selects these joints: with y = inv(A) r and Z = inv(A) U,
 *
 *   (1 + E U' Z) t = E U' y,   ddq = y - Z t,   A ddq = r - U t.
 */
static void find_shares(rbv_lanes *l) {
  for (int i = 0; i < l->chain.njoint * l->width; i++) {
    const double slope = l->load[i] < 0 ? 1 - l->back[i] : 1 + l->ahead[i];
    l->share[i] = 1 / fmax(slope, SMALLEST_SHARE);
  }
}

/* A in l->mass, r in l->right */
static void scale_rotors(rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memcpy(l->mass, l->link_mass, (size_t)(n * n * w) * sizeof *l->mass);
  for (int i = 0; i < n * w; i++) l->right[i] = l->share[i] * l->drive[i] - l->bias[i];
  for (int p = 0; p < l->nrotor; p++) {
    const int i = l->rotor_place[p].row, j = l->rotor_place[p].column, at = (i + j * n) * w;
    for (int k = 0; k < w; k++)
      l->mass[at + k] += (l->share[i * w + k] + l->share[j * w + k]) / 2 * l->rotor[at + k];
  }
}

/* solve A t = b by elimination with pivots; count x count at S, leading dimension count */
static void eliminate(double *t, double *S, int count) {
  for (int c = 0; c < count; c++) {
    int pivot = c;
    for (int r = c + 1; r < count; r++)
      if (fabs(S[r + c * count]) > fabs(S[pivot + c * count])) pivot = r;
    for (int k = c; k < count && pivot != c; k++) {
      const double x = S[c + k * count];
      S[c + k * count] = S[pivot + k * count];
      S[pivot + k * count] = x;
    }
    const double b = t[pivot];
    t[pivot] = t[c];
    t[c] = b;
    for (int r = c + 1; r < count; r++) {
      const double f = S[r + c * count] / S[c + c * count];
      for (int k = c + 1; k < count; k++) S[r + k * count] -= f * S[c + k * count];
      t[r] -= f * t[c];
    }
  }
  for (int c = count - 1; c >= 0; c--) {
    t[c] /= S[c + c * count];
    for (int r = 0; r < c; r++) t[r] -= S[r + c * count] * t[c];
  }
}

/* the part of coupled rotors: ddq = y becomes the solution, l->right = r becomes A ddq */
static void correct_coupled(double *ddq, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width, count = l->ncoupled;
  double *S = l->small, *t = S + count * count;
  memset(l->response, 0, (size_t)(n * count * w) * sizeof *l->response);
  for (int b = 0; b < count; b++) {
    double *z = l->response + b * n * w;
    for (int k = 0; k < w; k++) z[l->coupled[b] * w + k] = 1;
    l->kernel->solve(z, l->mass, n);
  }
  for (int k = 0; k < w; k++) {
    for (int a = 0; a < count; a++) {
      t[a] = 0;
      for (int b = 0; b < count; b++) S[a + b * count] = a == b;
    }
    for (int a = 0; a < count; a++)
      for (int c = 0; c < count; c++) {
        const int i = l->coupled[a], j = l->coupled[c];
        const double E =
            (l->share[i * w + k] - l->share[j * w + k]) / 2 * l->rotor[(i + j * n) * w + k];
        t[a] += E * ddq[j * w + k];
        for (int b = 0; b < count; b++) S[a + b * count] += E * l->response[(b * n + j) * w + k];
      }
    eliminate(t, S, count);
    for (int b = 0; b < count; b++) {
      for (int i = 0; i < n; i++) ddq[i * w + k] -= t[b] * l->response[(b * n + i) * w + k];
      l->right[l->coupled[b] * w + k] -= t[b];
    }
  }
}

/* the loads of a solution, share (drive - rotor ddq); true if none has changed its sign */
static bool find_loads(rbv_lanes *l, const double *ddq) {
  const int n = l->chain.njoint, w = l->width;
  bool same = true;
  memcpy(l->moved, l->drive, (size_t)(n * w) * sizeof *l->moved);
  for (int p = 0; p < l->nrotor; p++) {
    const int i = l->rotor_place[p].row, j = l->rotor_place[p].column, at = (i + j * n) * w;
    for (int k = 0; k < w; k++) l->moved[i * w + k] -= l->rotor[at + k] * ddq[j * w + k];
  }
  for (int i = 0; i < n * w; i++) {
    const bool none = fabs(l->moved[i]) <= NO_LOAD * fabs(l->drive[i]);
    same = same && (none || (l->moved[i] < 0) == (l->load[i] < 0));
    l->load[i] = l->share[i] * l->moved[i];
  }
  return same;
}

/* ddq with loads, after assemble; M is in l->scaled, the forces M ddq in l->right */
static void solve_loads(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  for (int i = 0; i < n * w; i++) l->drive[i] = l->right[i] + l->bias[i];
  for (int round = 0; round < LOAD_SOLUTIONS; round++) {
    find_shares(l);
    scale_rotors(l);
    memcpy(l->scaled, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
    memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
    l->kernel->factor(l->mass, regular, n);
    l->kernel->solve(ddq, l->mass, n);
    if (l->ncoupled > 0) correct_coupled(ddq, l);
    if (find_loads(l, ddq)) break;
  }
}

void rbv_lanes_reset(rbv_lanes *l) {
  const size_t loads = l->model->uses_torque ? (size_t)(l->chain.njoint * l->width) : 0;
  memset(l->state, 0, (size_t)(l->model->nstate * l->width) * sizeof *l->state);
  memset(l->load, 0, loads * sizeof *l->load);
}

void rbv_lanes_step_states(rbv_lanes *l, const double *dq, double dt) {
  const int w = l->width;
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (e->state < 0) continue;
    const direction *d = &l->direction[e->direction];
    for (int k = 0; k < w; k++) {
      double v = 0;
      for (int b = d->first; b < d->first + d->count; b++)
        v += l->model->direction_weight[b] * dq[l->model->direction_joint[b] * w + k];
      e->law->state_step(&l->state[e->state * w + k],
                         &(rbv_law_input){.motion = v, .shape = e->shape}, dt);
    }
  }
}

void rbv_lanes_forward(double *ddq, bool *regular, rbv_lanes *l, const double *q, const double *dq,
                       const double *tau) {
  const int n = l->chain.njoint;
  assemble(l, q, dq, tau, false);
  if (l->has_load) {
    solve_loads(ddq, regular, l);
    return;
  }
  l->kernel->factor(l->mass, regular, n);
  l->kernel->solve(l->right, l->mass, n);
  memcpy(ddq, l->right, (size_t)(n * l->width) * sizeof *ddq);
}

/* ---- the implicit operator ---- */

/* add slopes of the expressions by the velocity of their own joint, where they are positive */
static void add_own_slopes(rbv_lanes *l, const double *q, const double *dq, double c) {
  const int n = l->chain.njoint, w = l->width;
  const double step = 1e-6;
  for (int i = 0; i < l->nexpression; i++) {
    const drive_term *t = &l->model->term[l->expression[i]];
    const expression *e = &l->model->expression[t->expression];
    memcpy(l->moved, dq, (size_t)(n * w) * sizeof *dq);
    double *v = l->moved + t->joint * w, *to = l->implicit + (t->joint + t->joint * n) * w;
    for (int k = 0; k < w; k++) v[k] -= step;
    rbv_expression_eval(l->term, e, l->registers, q, l->moved, NULL, w, w);
    for (int k = 0; k < w; k++) v[k] += 2 * step;
    rbv_expression_eval(l->term + w, e, l->registers, q, l->moved, NULL, w, w);
    for (int k = 0; k < w; k++) {
      const double slope = l->own[i * w + k] * (l->term[w + k] - l->term[k]) / (2 * step);
      if (slope > 0) to[k] += c * slope;
    }
  }
}

/* l->implicit += c D, lower triangle */
INLINE void add_slopes(rbv_lanes *l, double c, const int w) {
  const rbv_model *m = l->model;
  const int n = l->chain.njoint;
  const double f = c * l->friction;
  for (int j = 0; j < n; j++)
    for (int i = j * w; i < n * w; i++) l->implicit[j * n * w + i] += f * l->drag[j * n * w + i];
  for (int i = 0; i < l->nentry; i++) {
    const entry *e = &l->entry[i];
    if (!e->active) continue;
    const direction *d = &l->direction[e->direction];
    const double *x = l->coefficient + i * w;
    double slope[LANES_WIDTH];
    if (e->law->is_sign) {
      for (int k = 0; k < w; k++) slope[k] = f * x[k] * l->slope[e->direction * w + k];
    } else {
      const law_samples at = samples_of(l, e, w);
      e->law->slopes(slope, &at, w);
      for (int k = 0; k < w; k++) slope[k] *= f * x[k];
    }
    for (int b = d->first; b < d->first + d->count; b++) {
      const int j = m->direction_joint[b];
      const double weight = m->direction_weight[b];
      if (j > e->joint || (!e->whole && j != e->joint)) continue;
      double *to = l->implicit + (e->joint + j * n) * w;
      for (int k = 0; k < w; k++) {
        const double s = weight * slope[k];
        to[k] += e->whole || s > 0 ? s : 0;
      }
    }
  }
}

void rbv_lanes_linearise(double *ddq, bool *regular, rbv_lanes *l, const double *q,
                         const double *dq, const double *tau, double c) {
  const int n = l->chain.njoint, w = l->width;
  const size_t matrix = (size_t)(n * n * w) * sizeof *l->mass;
  bool good[LANES_WIDTH];
  assemble(l, q, dq, tau, true);
  if (l->has_load) {
    solve_loads(ddq, regular, l);
    memcpy(l->kept, l->scaled, matrix);
    memcpy(l->implicit, l->scaled, matrix);
    BY_WIDTH(w, add_slopes, l, c)
    add_own_slopes(l, q, dq, c);
    l->kernel->factor(l->implicit, good, n);
    return;
  }
  memcpy(l->kept, l->mass, matrix);
  memcpy(l->implicit, l->mass, matrix);
  BY_WIDTH(w, add_slopes, l, c)
  add_own_slopes(l, q, dq, c);
  l->kernel->factor(l->implicit, good, n);
  l->kernel->factor(l->mass, regular, n);
  l->kernel->solve(l->right, l->mass, n);
  memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
}

/* l->right += matrix x */
INLINE void add_product(rbv_lanes *l, const double *matrix, const double *x, const int w) {
  const int n = l->chain.njoint;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      const double *M = matrix + (i + j * n) * w;
      for (int k = 0; k < w; k++) l->right[i * w + k] += M[k] * x[j * w + k];
    }
}

void rbv_lanes_apply(double *x, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memset(l->right, 0, (size_t)(n * w) * sizeof *l->right);
  BY_WIDTH(w, add_product, l, l->kept, x)
  l->kernel->solve(l->right, l->implicit, n);
  memcpy(x, l->right, (size_t)(n * w) * sizeof *x);
}

/* l->implicit = M + c D, l->right = h F + M s, after assemble */
INLINE void gather_stage(rbv_lanes *l, double h, const double *s, const int w) {
  const int n = l->chain.njoint;
  for (int j = 0; j < n; j++)
    for (int i = j * w; i < n * w; i++)
      l->implicit[j * n * w + i] = l->mass[j * n * w + i] + l->damping[j * n * w + i];
  for (int i = 0; i < n * w; i++) l->right[i] *= h;
  if (s) add_product(l, l->mass, s, w);
}

/* c D of this state */
static void find_damping(rbv_lanes *l, const double *q, const double *dq, double c) {
  const size_t matrix = (size_t)(l->chain.njoint * l->chain.njoint * l->width) * sizeof *l->damping;
  memset(l->implicit, 0, matrix);
  BY_WIDTH(l->width, add_slopes, l, c)
  add_own_slopes(l, q, dq, c);
  memcpy(l->damping, l->implicit, matrix);
}

/* ddq from M and the forces, which stay as they are */
static void solve_mass(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint, w = l->width;
  memcpy(l->kept, l->mass, (size_t)(n * n * w) * sizeof *l->mass);
  memcpy(ddq, l->right, (size_t)(n * w) * sizeof *ddq);
  l->kernel->factor(l->kept, regular, n);
  l->kernel->solve(ddq, l->kept, n);
}

/* M and forces F = M ddq of the solution with loads */
static void resolve_loads(double *ddq, bool *regular, rbv_lanes *l) {
  const int n = l->chain.njoint;
  bool good[LANES_WIDTH];
  solve_loads(ddq ? ddq : l->accelerated, ddq ? regular : good, l);
  memcpy(l->mass, l->scaled, (size_t)(n * n * l->width) * sizeof *l->mass);
}

void rbv_lanes_stage(double *u, double *ddq, bool *regular, rbv_lanes *l, const double *q,
                     const double *dq, const double *tau, double h, double c, const double *s) {
  const int n = l->chain.njoint, w = l->width;
  bool good[LANES_WIDTH];
  assemble(l, q, dq, tau, !s);
  if (!s) find_damping(l, q, dq, c);
  if (l->has_load)
    resolve_loads(ddq, regular, l);
  else if (ddq)
    solve_mass(ddq, regular, l);
  BY_WIDTH(w, gather_stage, l, h, s)
  l->kernel->factor(l->implicit, good, n);
  l->kernel->solve(l->right, l->implicit, n);
  memcpy(u, l->right, (size_t)(n * w) * sizeof *u);
}
