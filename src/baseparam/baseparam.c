#include <roberval/sys/baseparam.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>

#include "baseparam/scan.h"
#include "model/geometry.h"

#define GAP_CLEAR 1e3   // smaller gaps between accepted and rejected pivots do not prove a rank
#define SEED 1604       // of the random states
#define DRAWS 100       // attempts to draw a state in which every column of the file is finite
#define ROUNDING 1e-13  // a column of the file below this fraction of the largest one is rounding

rbv_base_options rbv_base_defaults(void) { return (rbv_base_options){.tolerance = 1e-9}; }

/* ---- the regressor of random states ---- */

/* a length of the size of the robot, so that the result does not depend on the unit of length */
static double own_length(const rbv_model *m) {
  double length = 0, g = 0;
  for (int j = 0; j < m->nbody; j++) {
    const double *p = m->geometry[j].origin;
    length += sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  }
  for (int i = 0; i < 3; i++) g += m->gravity[i] * m->gravity[i];
  if (length == 0) length = sqrt(g) / 10;
  return length > 0 ? length : 1;
}

static bool has_limits(const rbv_joint *joint) {
  return isfinite(joint->limits.lower) && isfinite(joint->limits.upper);
}

/* draw 0 ignores the limits; the others respect them where they exist */
static void random_state(double *q, double *dq, double *ddq, const rbv_model *m, double length,
                         uint64_t k, int draw) {
  const uint64_t index = k + ((uint64_t)draw << 32);
  for (int j = 0; j < m->njoint; j++) {
    const rbv_joint *joint = &m->joint[j];
    const double unit = joint->type == RBV_JOINT_PRISMATIC ? length : 1;
    double u[3];
    for (int i = 0; i < 3; i++)
      u[i] = 2 * rbv_random_uniform(SEED, (uint64_t)(3 * j + i), index) - 1;
    q[j] = u[0] * RBV_PI * unit;
    dq[j] = u[1] * 3 * unit;
    ddq[j] = u[2] * 10 * unit;
    if (draw > 0 && has_limits(joint))
      q[j] = joint->limits.lower + (u[0] + 1) / 2 * (joint->limits.upper - joint->limits.lower);
  }
}

#define SLOW_STATES 20  // for laws that vanish above a small speed, which random speeds seldom meet

/* speeds around those of Stribeck friction; false: there is none */
static bool slow_down(double *dq, const rbv_model *m) {
  bool any = false;
  for (int j = 0; j < m->njoint; j++) {
    const double speed = rbv_model_shape(m, j, "stribeck");
    if (!isfinite(speed)) continue;
    if (dq) dq[j] = copysign(speed * fmod(fabs(dq[j]), 1), dq[j]);
    any = true;
  }
  return any;
}

/* a column that is not finite in some row, -1: none */
static int undefined_column(const double *W, const rbv_model *m) {
  for (int c = 0; c < m->ncolumn && m->nexpression > 0; c++)
    for (int r = 0; r < m->nrow; r++)
      if (!isfinite(W[r + (ptrdiff_t)c * m->nrow])) return c;
  return -1;
}

/* the regressor in random state k; a state in which a formula has no value is drawn again */
static rbv_status random_regressor(double *W, double *state, rbv_dynamics *d, const rbv_model *m,
                                   double length, int k, bool loaded, bool slow) {
  const int n = m->njoint;
  bool limits = false;
  for (int j = 0; j < n; j++) limits = limits || has_limits(&m->joint[j]);
  int undefined = -1;
  for (int draw = 0; draw < (limits ? DRAWS : 1); draw++) {
    random_state(state, state + n, state + 2 * n, m, length, (uint64_t)k, draw);
    if (slow) (void)slow_down(state + n, m);
    if (m->closure)
      rbv_dynamics_reach(state, d, 0.9 * sqrt(rbv_random_uniform(SEED, 7, (uint64_t)k)));
    // loads and states of laws vary independently of the motion
    double *load = state + 3 * n, *law_state = load + n;
    for (int i = 0; i < n + m->nstate; i++)
      load[i] = 2 * rbv_random_uniform(SEED, (uint64_t)(3 * n + i), (uint64_t)k) - 1;
    const rbv_states one = {.count = 1,
                            .ld = 1,
                            .q = state,
                            .dq = state + n,
                            .ddq = state + 2 * n,
                            .load = load,
                            .state = law_state};
    rbv_regressor_sample(W, d, &one, loaded);
    undefined = undefined_column(W, m);
    if (undefined < 0) return RBV_OK;
  }
  const char *name = m->column[undefined].name;
  if (limits)
    return rbv_fail(RBV_EINPUT,
                    "column '%s' has no finite value in %d random states within the "
                    "joints' limits",
                    name, DRAWS);
  return rbv_fail(RBV_EINPUT,
                  "column '%s' has no finite value in a random state: give the joints "
                  "limits within which it is finite",
                  name);
}

/* the largest number of columns that have their last entry in the same row: each state gives one
 * equation for them */
static int columns_per_row(const rbv_model *m) {
  int largest = 0;
  for (int r = 0; r < m->nrow; r++) {
    int count = 0;
    for (int k = 0; k < m->row[r].count; k++) {
      bool later = false;
      for (int s = r + 1; s < m->nrow && !later; s++)
        for (int i = 0; i < m->row[s].count && !later; i++)
          later = m->row[s].columns[i] == m->row[r].columns[k];
      count += !later;
    }
    if (count > largest) largest = count;
  }
  return largest;
}

/* R of the regressor over enough random states, with and without the payload if the model has one
 */
static rbv_status random_triangle(double *R, const rbv_model *m) {
  const int n = m->njoint, nc = m->ncolumn;
  const int samples = 20 + (is_chain(m) ? 3 * nc / n : 3 * columns_per_row(m));
  rbv_dynamics *d = NULL;
  rbv_qr *qr = NULL;
  double *W = rbv_alloc((size_t)m->nrow * (size_t)nc * sizeof *W);
  double *state = rbv_alloc((4 * (size_t)n + (size_t)m->nstate) * sizeof *state);
  rbv_status status = W && state ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_qr_new(&qr, nc);
  const double length = own_length(m);
  const int usual = samples * (1 + m->payload);
  const int slow = slow_down(NULL, m) ? SLOW_STATES : 0;
  for (int k = 0; k < usual + slow && status == RBV_OK; k++) {
    status = random_regressor(W, state, d, m, length, k, k >= samples && k < usual, k >= usual);
    if (status != RBV_OK) break;
    // forces of prismatic joints are converted to torques, so that both kinds of rows have similar
    // weight
    for (int r = 0; r < m->nrow; r++)
      if (m->joint[m->row[r].joint].type == RBV_JOINT_PRISMATIC)
        for (int c = 0; c < nc; c++) W[r + (ptrdiff_t)c * m->nrow] *= length;
    status = rbv_qr_add(qr, W, m->nrow, m->nrow);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_dynamics_free(d);
  rbv_free(state);
  rbv_free(W);
  return status;
}

/* ---- frames ---- */

/*
 * Columns for link frames at the far end of the link: modified frame j followed by Rot_x(alpha)
 * Trans_x(d) of joint j+1. With phi = T phi_distal the columns become W T.
 */
static rbv_status to_distal(double *R, const rbv_model *m) {
  const int nc = m->ncolumn;
  RBV_TRY(rbv_model_need_chain(m, "The change to classical frames"));
  for (int j = 0; j < m->njoint; j++)
    if (!m->geometry[j].has_mdh)
      return rbv_fail(
          RBV_EUNSUPPORTED,
          "classical frames need modified Denavit-Hartenberg joints; joint '%s' has none",
          m->joint[j].name);
  for (int j = 0; j + 1 < m->njoint; j++) {
    const joint_geometry *next = &m->geometry[j + 1];
    const double s = next->mdh_alpha_sin, c = next->mdh_alpha_cos;
    const rbv_pose pose = {.R = {1, 0, 0, 0, c, -s, 0, s, c}, .p = {next->mdh_d, 0, 0}};
    double T[RBV_INERTIAL * RBV_INERTIAL], row[RBV_INERTIAL];
    rbv_inertial_matrix(T, &pose);
    for (int r = 0; r < nc; r++) {
      double *at = R + r + (ptrdiff_t)m->link_column[j] * nc;
      for (int k = 0; k < RBV_INERTIAL; k++) {
        row[k] = 0;
        for (int i = 0; i < RBV_INERTIAL; i++)
          row[k] += at[(ptrdiff_t)i * nc] * T[i + RBV_INERTIAL * k];
      }
      for (int k = 0; k < RBV_INERTIAL; k++) at[(ptrdiff_t)k * nc] = row[k];
    }
  }
  return RBV_OK;
}

/* ---- scaling ---- */

static bool takes_part(const rbv_column *c, rbv_columns which) {
  if (c->basis == RBV_BASIS_INERTIAL || which == RBV_COLUMNS_ALL) return true;
  return which == RBV_COLUMNS_RIGID && law_is_of(c->law, RBV_LAW_ACCELERATION);
}

const char *rbv_columns_name(int columns) {
  static const char *const name[] = {[RBV_COLUMNS_ALL] = "all",
                                     [RBV_COLUMNS_RIGID] = "rigid",
                                     [RBV_COLUMNS_INERTIAL] = "inertial"};
  return columns >= 0 && columns < RBV_COUNT(name) ? name[columns] : NULL;
}

bool rbv_columns_have(rbv_columns columns, const rbv_model *model, int column) {
  return takes_part(rbv_model_column(model, column), columns);
}

/* power of length in the unit of a column's torque per parameter, beyond that of an inertia */
static double length_power(const rbv_model *m, const rbv_column *c) {
  if (c->basis == RBV_BASIS_INERTIAL) return c->component < 6 ? 0 : c->component < 9 ? 1 : 2;
  if (m->joint[c->joint].type == RBV_JOINT_REVOLUTE) return 0;
  return c->law ? c->law->length_power : 1;
}

/*
 * Norms of the columns; zero for columns that take no part or vanish. Whether a column vanishes is
 * decided before scaling, because scaling would turn cos(pi/2) = 6e-17 into a false rank, and in a
 * unit of length of the robot's size, so that the result does not depend on the user's unit.
 * Columns of the file have their own units: they are not used as a reference for others, and vanish
 * if they are rounding.
 */
static void column_norms(double *norm, const double *R, const rbv_model *m,
                         const rbv_base_options *options) {
  const int nc = m->ncolumn;
  const double length = own_length(m);
  double largest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int c = 0; c < nc; c++) {
      double sum = 0;
      for (int r = 0; r < nc; r++) sum += R[r + (ptrdiff_t)c * nc] * R[r + (ptrdiff_t)c * nc];
      norm[c] = takes_part(&m->column[c], options->columns) ? sqrt(sum) : 0;
      const double own = norm[c] * pow(length, -length_power(m, &m->column[c]));
      const bool defined = m->column[c].basis == RBV_BASIS_EXPRESSION;
      if (pass == 0 && !defined) largest = fmax(largest, own);
      if (pass == 1 && !(own > (defined ? ROUNDING : options->tolerance) * largest)) norm[c] = 0;
    }
}

/* ---- assembling the result ---- */

static void layout(rbv_base *b, int count, int nc, size_t text, char **names, rbv_arena *a) {
  b->kept = RBV_TAKE(a, count, int);
  b->name = RBV_TAKE(a, count, char *);
  b->relation = RBV_TAKE(a, (size_t)count * (size_t)nc, double);
  b->category = RBV_TAKE(a, nc, rbv_category);
  *names = RBV_TAKE(a, text, char);
}

static rbv_status assemble(rbv_base **out, const rbv_model *m, const column_scan *scan) {
  const int nc = m->ncolumn, count = scan->count;
  size_t text = 0;
  for (int c = 0; c < nc; c++) text += strlen(m->column[c].name) + 2;
  char *names;
  rbv_base sizes = {0};
  rbv_base *b;
  RBV_CARVE_OBJECT(b, a, layout(&sizes, count, nc, text, &names, a));
  if (!b) return RBV_EMEM;
  *b = sizes;
  b->count = count;
  b->ncolumn = nc;
  b->gap = scan->rank.gap;
  b->accepted = scan->rank.accepted;
  b->rejected = scan->rank.rejected;
  if (count > 0)
    memcpy(b->relation, scan->relation, (size_t)count * (size_t)nc * sizeof *b->relation);

  for (int c = 0; c < nc; c++) {
    bool acts = false;
    for (int k = 0; k < count; k++) acts = acts || b->relation[k + (ptrdiff_t)c * count] != 0;
    b->category[c] = acts ? RBV_CATEGORY_COMBINED : RBV_CATEGORY_UNIDENTIFIABLE;
  }
  for (int k = 0; k < count; k++) {
    const int column = scan->kept[k];
    bool grouped = false;
    for (int c = 0; c < nc; c++)
      grouped = grouped || (c != column && b->relation[k + (ptrdiff_t)c * count] != 0);
    b->kept[k] = column;
    b->category[column] = grouped ? RBV_CATEGORY_BASE : RBV_CATEGORY_ALONE;
    b->name[k] = names;
    names += sprintf(names, "%s%s", m->column[column].name, grouped ? "R" : "") + 1;
  }
  *out = b;
  return RBV_OK;
}

static rbv_status analyse(rbv_base **out, const rbv_model *m, double *R,
                          const rbv_base_options *options, bool structural) {
  if (options->distal) RBV_TRY(to_distal(R, m));
  column_scan scan = {0};
  double *norm = rbv_alloc((size_t)m->ncolumn * sizeof *norm);
  rbv_status status = norm ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    column_norms(norm, R, m, options);
    status = rbv_scan_columns(&scan, R, norm, m->ncolumn, options->tolerance);
  }
  if (status == RBV_OK && structural && !(scan.rank.gap > GAP_CLEAR))
    status =
        rbv_fail(RBV_EINPUT,
                 "the number of base parameters is not clear: pivot %d is %.2g and the next one "
                 "%.2g of the largest. Check for an angle or an axis that is almost exact.",
                 scan.rank.rank, scan.rank.accepted, scan.rank.rejected);
  if (status == RBV_OK) status = assemble(out, m, &scan);
  rbv_scan_free(&scan);
  rbv_free(norm);
  return status;
}

rbv_status rbv_base_of_motion(rbv_base **out, const rbv_model *m, const double *R,
                              const rbv_base_options *options) {
  *out = NULL;
  if (!m || !R) return rbv_fail(RBV_EARG, "rbv_base_of_motion: no model or no triangle");
  const rbv_base_options defaults = rbv_base_defaults();
  const size_t bytes = (size_t)m->ncolumn * (size_t)m->ncolumn * sizeof *R;
  double *copy = rbv_alloc(bytes);
  if (!copy) return RBV_EMEM;
  memcpy(copy, R, bytes);
  RBV_FINISH(analyse(out, m, copy, options ? options : &defaults, false), rbv_free(copy));
}

static rbv_status compute(rbv_base **out, const rbv_model *m, const rbv_base_options *options) {
  char what[80];
  snprintf(what, sizeof what, "%.60s, %d columns", m->name, m->ncolumn);
  rbv_observe("base", what);
  RBV_NEW(double, R, (size_t)m->ncolumn *(size_t)m->ncolumn);
  rbv_status status = random_triangle(R, m);
  if (status == RBV_OK) status = analyse(out, m, R, options, true);
  rbv_free(R);
  return status;
}

static rbv_status copy_base(rbv_base **out, const rbv_base *from) {
  size_t text = 0;
  for (int k = 0; k < from->count; k++) text += strlen(from->name[k]) + 1;
  char *names;
  rbv_base copy = *from, *b;
  RBV_CARVE_OBJECT(b, a, layout(&copy, from->count, from->ncolumn, text, &names, a));
  if (!b) return RBV_EMEM;
  *b = copy;
  const size_t count = (size_t)from->count, columns = (size_t)from->ncolumn;
  if (count > 0) {
    memcpy(b->kept, from->kept, count * sizeof *b->kept);
    memcpy(b->relation, from->relation, count * columns * sizeof *b->relation);
  }
  memcpy(b->category, from->category, columns * sizeof *b->category);
  for (int k = 0; k < from->count; k++) {
    b->name[k] = names;
    names += sprintf(names, "%s", from->name[k]) + 1;
  }
  *out = b;
  return RBV_OK;
}

static void free_value(void *value) { rbv_base_free(value); }

/* with the usual options: computed once for all variants with these columns */
static rbv_status usual(rbv_base **out, const rbv_model *m, const rbv_base_options *options) {
  model_cache *cache = m->cache;
  pthread_mutex_lock(&cache->lock);
  rbv_base *known = cache->value;
  rbv_status status = known ? RBV_OK : compute(&known, m, options);
  cache->value = known;
  cache->free = free_value;
  if (status == RBV_OK) status = copy_base(out, known);
  pthread_mutex_unlock(&cache->lock);
  return status;
}

rbv_status rbv_base_new(rbv_base **out, const rbv_model *m, const rbv_base_options *options) {
  *out = NULL;
  if (!m) return rbv_fail(RBV_EARG, "rbv_base_new: no model");
  const rbv_base_options defaults = rbv_base_defaults();
  if (!options) options = &defaults;
  const bool same = options->columns == defaults.columns && options->distal == defaults.distal &&
                    options->tolerance == defaults.tolerance;
  return same ? usual(out, m, options) : compute(out, m, options);
}

void rbv_base_free(rbv_base *base) { rbv_free(base); }

void rbv_base_restrict(rbv_base *b, const bool *columns) {
  const int before = b->count;
  int count = 0;
  for (int k = 0; k < before; k++) count += columns[b->kept[k]];
  // compact column by column: rows move to the front
  for (int c = 0; c < b->ncolumn; c++)
    for (int k = 0, to = 0; k < before; k++)
      if (columns[b->kept[k]])
        b->relation[to++ + (ptrdiff_t)c * count] = b->relation[k + (ptrdiff_t)c * before];
  for (int k = 0, to = 0; k < before; k++) {
    if (!columns[b->kept[k]]) continue;
    b->kept[to] = b->kept[k];
    b->name[to++] = b->name[k];
  }
  b->count = count;
}

void rbv_base_values(double *values, const rbv_base *b, const double *chi) {
  for (int k = 0; k < b->count; k++) {
    values[k] = 0;
    for (int c = 0; c < b->ncolumn; c++)
      values[k] += b->relation[k + (ptrdiff_t)c * b->count] * chi[c];
  }
}

void rbv_base_expand(double *chi, const rbv_base *b, const double *values) {
  memset(chi, 0, (size_t)b->ncolumn * sizeof *chi);
  for (int k = 0; k < b->count; k++) chi[b->kept[k]] = values[k];
}

void rbv_base_row_counts(int *unknowns, const rbv_base *b, const rbv_model *m) {
  for (int r = 0; r < rbv_model_row_count(m); r++) {
    const rbv_row *row = rbv_model_row(m, r);
    unknowns[r] = 0;
    for (int k = 0; k < b->count; k++)
      for (int i = 0; i < row->count; i++) unknowns[r] += row->columns[i] == b->kept[k];
  }
}
