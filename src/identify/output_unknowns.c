/* Output error: the vector of unknowns, and the loop that belongs to it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "consistency/consistency.h"
#include "control/control.h"
#include "identify/output_error.h"

#define LEAST_GAIN 0.01  // smallest gain, as a share of the given one
#define SOFTEST 100.0    // the stiffness of a joint may be the start value over this
#define STIFFEST 16.0    // or times this: four times its frequency, which the steps still resolve
#define HOLD 1e4  // weight of the row that holds a known parameter, as a multiple of its column

const rbv_control *rbv_output_given_control(const output_run *o, int motion) {
  return o->loop->controls ? o->loop->controls[motion] : o->loop->control;
}

/* the shape parameter of an unknown */
static const rbv_law_shape *shape_of(const rbv_model *m, const rbv_unknown *u) {
  return rbv_law_free_shape(rbv_model_law_of_shape(m, u->joint, u->shape));
}

static void name_unknown(rbv_loop_value *to, const rbv_unknown *u, const rbv_model *m) {
  const bool gain = u->kind == RBV_UNKNOWN_GAIN, shape = u->kind == RBV_UNKNOWN_SHAPE;
  const char *name = gain    ? rbv_gain_name((int)u->gain)
                     : shape ? u->shape
                             : rbv_unknown_name((int)u->kind);
  // the estimate has LOOP_NAME bytes for it
  char *text = (char *)(uintptr_t)to->name;
  if (u->joint < 0)
    snprintf(text, LOOP_NAME, "%s", name);
  else
    snprintf(text, LOOP_NAME, "%s%d", name, u->joint + 1);
  const bool slides = u->joint >= 0 && rbv_model_joint(m, u->joint)->type == RBV_JOINT_PRISMATIC;
  const bool late = u->kind == RBV_UNKNOWN_DELAY || u->kind == RBV_UNKNOWN_COMMAND;
  to->unit = gain ? "1" : late ? "s" : slides ? "m" : "rad";
  if (shape) to->unit = shape_of(m, u)->unit[slides];
  if (u->kind == RBV_UNKNOWN_STIFFNESS) to->unit = slides ? "N/m" : "N m/rad";
  if (u->kind == RBV_UNKNOWN_DAMPING) to->unit = slides ? "N s/m" : "N m s/rad";
}

/* ---- ranges ---- */

/* largest speed and travel of a joint in the recordings */
static void find_extent(double *speed, double *travel, const output_run *o, int joint) {
  double low = INFINITY, high = -INFINITY;
  *speed = 0;
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t count = rbv_output_count(o, i);
    for (ptrdiff_t k = joint * count; k < (joint + 1) * count; k++) {
      if (!o->valid[i][k - joint * count]) continue;
      *speed = fmax(*speed, fabs(o->velocity[i][k]));
      low = fmin(low, o->q[i][k]);
      high = fmax(high, o->q[i][k]);
    }
  }
  *travel = fmax(high - low, 0);
}

static double duration(const output_run *o) {
  double longest = 0;
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(o->r->motions[i]);
    longest = fmax(longest, (double)info->count / info->rate_hz);
  }
  return longest;
}

/* the range of a shape parameter that the law table gives, and the start value */
static void find_shape_range(double *low, double *high, const output_run *o, const rbv_unknown *u,
                             double start) {
  const rbv_law_shape *shape = shape_of(o->r->model, u);
  double speed, travel;
  find_extent(&speed, &travel, o, u->joint);
  const double unit[] = {[RBV_SHAPE_FIXED] = 0,
                         [RBV_SHAPE_NUMBER] = 1,
                         [RBV_SHAPE_SPEED] = speed,
                         [RBV_SHAPE_TRAVEL] = travel,
                         [RBV_SHAPE_DURATION] = duration(o)};
  *low = fmin(shape->low * unit[shape->scale], start);
  *high = fmax(shape->high * unit[shape->scale], start);
}

/* where the loop can be simulated */
static void set_range(output_run *o, int i) {
  const double start = o->x[i];
  o->low[i] = -INFINITY;
  o->high[i] = INFINITY;
  switch (o->unknown[i].kind) {
    case RBV_UNKNOWN_DELAY:
      o->low[i] = 0;
      o->high[i] = o->longest_delay_s;
      break;
    case RBV_UNKNOWN_COMMAND:
      o->low[i] = 0;
      o->high[i] = o->longest_command_s;
      break;
    case RBV_UNKNOWN_GAIN: o->low[i] = LEAST_GAIN * start; break;
    case RBV_UNKNOWN_SHAPE:
      find_shape_range(&o->low[i], &o->high[i], o, &o->unknown[i], start);
      break;
    case RBV_UNKNOWN_STIFFNESS:
      o->low[i] = start / SOFTEST;
      o->high[i] = start * STIFFEST;
      break;
    case RBV_UNKNOWN_DAMPING: o->low[i] = 0; break;
    case RBV_UNKNOWN_COLUMN:
    case RBV_UNKNOWN_BIAS:
    case RBV_UNKNOWN_INTEGRAL:
    case RBV_UNKNOWN_KINDS: break;
  }
}

/*
 * Least value of base parameter k: drives are passive, so that parameters such as rotor inertia and
 * friction are not negative. A slow motion cannot tell an inertia from a stiffness, which an error
 * of the links or presliding adds: without this bound the optimum can be a negative inertia, with
 * which the loop is rough and then singular. No bound where unknown links are regrouped into it.
 */
double rbv_output_least_value(const output_run *o, int k, bool known_links) {
  const rbv_base *b = o->e->base;
  double links = 0;
  bool drive = false;
  for (int c = 0; c < b->ncolumn; c++) {
    const double share = b->relation[k + (ptrdiff_t)c * b->count];
    const rbv_column *column = rbv_model_column(o->r->model, c);
    if (share == 0) continue;
    if (column->basis == RBV_BASIS_INERTIAL) {
      if (!known_links) return -INFINITY;
      links += share * o->loop->known[c];
    } else {
      if (!(share > 0) || !rbv_drive_bounded(column)) return -INFINITY;
      drive = true;
    }
  }
  return drive ? links : -INFINITY;
}

/* has the law of a joint an integral? */
static bool integrates(const rbv_control *control, int joint) {
  const rbv_control_joint *law = rbv_control_get_joint(control, joint);
  return law->kind != RBV_CONTROL_TRANSFER && law->k_i != 0;
}

int rbv_output_segments(const output_run *o, int motion) {
  const rbv_motion_info *info = rbv_motion_get_info(o->r->motions[motion]);
  const double seconds = (double)info->count / info->rate_hz;
  return o->loop->segment_s > 0 ? (int)fmax(1, floor(seconds / o->loop->segment_s + 0.5)) : 1;
}

int rbv_output_add_integrals(output_run *o, int at) {
  for (int i = 0, segment = 0; i < o->r->nmotion; i++)
    for (int k = 0; k < rbv_output_segments(o, i); k++, segment++)
      for (int j = 0; j < o->joints; j++) {
        if (!integrates(rbv_output_given_control(o, i), j)) continue;
        if (o->unknown) {
          o->unknown[at] = (rbv_unknown){.kind = RBV_UNKNOWN_INTEGRAL, .joint = j};
          o->segment_of[at] = segment;
        }
        at++;
      }
  return at;
}

/* does base parameter k contain columns of links alone? */
static bool is_of_links(const output_run *o, int k) {
  const rbv_base *b = o->e->base;
  for (int c = 0; c < b->ncolumn; c++)
    if (b->relation[k + (ptrdiff_t)c * b->count] != 0 &&
        rbv_model_column(o->r->model, c)->basis != RBV_BASIS_INERTIAL)
      return false;
  return true;
}

/* does base parameter k contain a rotor inertia? */
static bool has_rotor(const output_run *o, int k) {
  const rbv_base *b = o->e->base;
  for (int c = 0; c < b->ncolumn; c++)
    if (b->relation[k + (ptrdiff_t)c * b->count] > 0 &&
        rbv_column_has_law(rbv_model_column(o->r->model, c), "Ia"))
      return true;
  return false;
}

/* the drive column that each base parameter contains: elastic joints have it on the other side of
 * the spring than the links */
static rbv_status find_drives(output_run *o) {
  const rbv_base *b = o->e->base;
  for (int k = 0; k < b->count; k++) {
    o->drive[k] = -1;
    for (int c = 0; c < b->ncolumn; c++) {
      const double share = b->relation[k + (ptrdiff_t)c * b->count];
      const rbv_column *column = rbv_model_column(o->r->model, c);
      if (share == 0 || column->basis == RBV_BASIS_INERTIAL) continue;
      if (o->drive[k] >= 0)
        return rbv_fail(RBV_EUNSUPPORTED,
                        "elastic joints need drives of their own: %s and %s act on the same motion",
                        rbv_model_column(o->r->model, o->drive[k])->name, column->name);
      o->drive[k] = c;
      o->share[k] = share;
    }
  }
  return RBV_OK;
}

/* parameters of elastic joints: links as known, drives from the base parameters */
static void expand_elastic(double *chi, const output_run *o, const double *x) {
  const rbv_base *b = o->e->base;
  for (int c = 0; c < b->ncolumn; c++)
    chi[c] = rbv_model_column(o->r->model, c)->basis == RBV_BASIS_INERTIAL ? o->loop->known[c] : 0;
  for (int k = 0; k < b->count; k++) {
    if (o->drive[k] < 0) continue;
    double rest = x[k];
    for (int c = 0; c < b->ncolumn; c++)
      if (c != o->drive[k]) rest -= b->relation[k + (ptrdiff_t)c * b->count] * o->loop->known[c];
    chi[o->drive[k]] = rest / o->share[k];
  }
}

rbv_status rbv_output_resolve_springs(output_run *o) {
  double slowest = INFINITY;
  for (int i = 0; i < o->r->nmotion; i++)
    slowest = fmin(slowest, rbv_control_rate_hz(rbv_output_given_control(o, i)));
  expand_elastic(o->chi, o, o->x + o->extra);
  return rbv_sim_elastic_substeps(&o->elastic_steps, o->r->model, o->chi,
                                  rbv_motion_get_info(o->r->motions[0])->loaded, o->loop->stiffness,
                                  o->segment[0].q0, slowest);
}

rbv_status rbv_output_start(output_run *o, const double *chi) {
  rbv_estimate *e = o->e;
  if (o->elastic) RBV_TRY(find_drives(o));
  e->loop.nunknown = o->wanted;
  for (int i = 0; i < o->p; i++) o->segment_of[i] = -1;
  for (int i = 0; i < o->wanted; i++) {
    o->unknown[i] = o->loop->unknown[i];
    const rbv_unknown_kind kind = o->unknown[i].kind;
    o->x[i] = kind == RBV_UNKNOWN_DELAY ? o->loop->start_delay_s : kind == RBV_UNKNOWN_GAIN;
    if (kind == RBV_UNKNOWN_SHAPE) {
      o->x[i] = rbv_model_shape(o->r->model, o->unknown[i].joint, o->unknown[i].shape);
      o->step_of[i] = STEP_LOGARITHM;
    }
    if (kind == RBV_UNKNOWN_STIFFNESS) {
      o->x[i] = o->loop->stiffness[o->unknown[i].joint];
      o->step_of[i] = STEP_LOGARITHM;
    }
    if (kind == RBV_UNKNOWN_DAMPING) o->x[i] = o->loop->damping[o->unknown[i].joint];
    if (kind == RBV_UNKNOWN_COMMAND)
      o->x[i] = rbv_control_command_delay(rbv_output_given_control(o, 0));
    set_range(o, i);
    e->loop.unknown[i].start = o->x[i];
    name_unknown(&e->loop.unknown[i], &o->unknown[i], o->r->model);
  }
  rbv_output_add_integrals(o, o->wanted);
  for (int k = 0; k < o->r->n; k++) {
    o->unknown[o->extra + k] =
        (rbv_unknown){.kind = RBV_UNKNOWN_COLUMN, .column = e->base->kept[k]};
    if (o->elastic && o->drive[k] >= 0) o->unknown[o->extra + k].column = o->drive[k];
    if (has_rotor(o, k)) o->step_of[o->extra + k] = STEP_INERTIA;
  }
  rbv_base_values(o->x + o->extra, e->base, chi);
  for (int i = o->wanted; i < o->p; i++) {
    o->low[i] = -INFINITY;
    o->high[i] = INFINITY;
  }
  const bool own_links = o->loop->known_links || o->loop->start_links;
  if (own_links) rbv_base_values(o->trial, e->base, o->loop->known);
  for (int k = 0; k < o->r->n; k++) {
    double *x = &o->x[o->extra + k];
    o->low[o->extra + k] = rbv_output_least_value(o, k, o->loop->known_links);
    if (own_links && is_of_links(o, k)) *x = o->trial[k];
    *x = fmax(*x, rbv_output_least_value(o, k, own_links));
  }
  return RBV_OK;
}

void rbv_output_hold_links(output_run *o) {
  memset(o->known, 0, (size_t)o->p * sizeof *o->known);
  for (int k = 0; k < o->r->n && o->loop->known_links; k++) {
    const double length = o->length[o->extra + k];
    if (is_of_links(o, k)) o->known[o->extra + k] = length > 0 ? HOLD * length : 1;
  }
}

/* factor on a gain of a joint */
double rbv_output_factor(const output_run *o, const double *x, int joint, rbv_gain gain) {
  double factor = 1;
  for (int i = 0; i < o->extra; i++) {
    const rbv_unknown *u = &o->unknown[i];
    if (u->kind == RBV_UNKNOWN_GAIN && u->gain == gain && (u->joint < 0 || u->joint == joint))
      factor *= x[i];
  }
  return factor;
}

/* controllers with the gains of x; without unknown gains those that are given */
static rbv_status set_gains(output_run *o, const double *x) {
  bool any = false;
  for (int i = 0; i < o->extra; i++) any = any || o->unknown[i].kind == RBV_UNKNOWN_GAIN;
  for (int i = 0; i < o->r->nmotion && any; i++) {
    const rbv_control *given = rbv_output_given_control(o, i);
    for (int j = 0; j < o->joints; j++) {
      o->law[j] = *rbv_control_get_joint(given, j);
      for (int g = 0; g < RBV_GAIN_COUNT; g++) {
        double *gain = rbv_gain_of(&o->law[j], (rbv_gain)g);
        if (gain) *gain *= rbv_output_factor(o, x, j, (rbv_gain)g);
      }
    }
    rbv_control_free(o->control[i]);
    o->control[i] = NULL;
    RBV_TRY(rbv_control_variant(&o->control[i], given, o->law));
  }
  return RBV_OK;
}

const rbv_control *rbv_output_control(const output_run *o, int motion) {
  return o->control[motion] ? o->control[motion] : rbv_output_given_control(o, motion);
}

void rbv_output_values(double *chi, double *delay, double *bias, const output_run *o,
                       const double *x) {
  for (int j = 0; j < o->joints; j++) {
    delay[j] = o->loop->start_delay_s;
    bias[j] = 0;
  }
  for (int i = 0; i < o->extra; i++)
    for (int j = 0; j < o->joints; j++) {
      const rbv_unknown *u = &o->unknown[i];
      if (u->joint >= 0 && u->joint != j) continue;
      if (u->kind == RBV_UNKNOWN_DELAY) delay[j] = x[i];
      if (u->kind == RBV_UNKNOWN_BIAS) bias[j] = x[i];
    }
  if (o->elastic)
    expand_elastic(chi, o, x + o->extra);
  else
    rbv_base_expand(chi, o->e->base, x + o->extra);
}

void rbv_output_integrals(double *integral, const output_run *o, const double *x, int segment) {
  for (int j = 0; j < o->joints; j++) integral[j] = 0;
  for (int i = o->wanted; i < o->extra; i++)
    if (o->segment_of[i] == segment) integral[o->unknown[i].joint] = x[i];
}

/* the given model with other values of its shape parameters becomes that of the run */
static rbv_status set_shapes(output_run *o, const double *x) {
  identify_run *r = o->r;
  int count = 0;
  for (int i = 0; i < o->wanted; i++) count += o->unknown[i].kind == RBV_UNKNOWN_SHAPE;
  if (count == 0) return RBV_OK;
  rbv_model_terms terms = rbv_model_get_terms(r->given);
  RBV_NEW(rbv_shape_value, shape, terms.nshape + count);
  for (int i = 0; i < terms.nshape; i++) shape[i] = terms.shape[i];
  for (int i = 0; i < o->wanted; i++)
    if (o->unknown[i].kind == RBV_UNKNOWN_SHAPE)
      shape[terms.nshape++] = (rbv_shape_value){o->unknown[i].joint, o->unknown[i].shape, x[i]};
  terms.shape = shape;
  rbv_model *fresh;
  const rbv_status status = rbv_model_variant(&fresh, r->given, &terms);
  rbv_free(shape);
  if (status != RBV_OK) return status;
  rbv_model_free(r->own_model);
  r->model = r->own_model = fresh;
  return RBV_OK;
}

rbv_status rbv_output_set(output_run *o, const double *x) {
  rbv_output_values(o->chi, o->delay, o->bias, o, x);
  for (int j = 0; j < o->joints && o->elastic; j++) {
    o->stiffness[j] = o->loop->stiffness[j];
    o->damping[j] = o->loop->damping ? o->loop->damping[j] : 0;
  }
  for (int i = 0; i < o->wanted; i++) {
    if (o->unknown[i].kind == RBV_UNKNOWN_STIFFNESS) o->stiffness[o->unknown[i].joint] = x[i];
    if (o->unknown[i].kind == RBV_UNKNOWN_DAMPING) o->damping[o->unknown[i].joint] = x[i];
  }
  for (int j = 0; j < o->joints; j++) {
    o->command[j] = -1;  // as given
    for (int i = 0; i < o->wanted; i++)
      if (o->unknown[i].kind == RBV_UNKNOWN_COMMAND &&
          (o->unknown[i].joint < 0 || o->unknown[i].joint == j))
        o->command[j] = x[i];
  }
  rbv_output_hold_references(o);
  RBV_TRY(set_shapes(o, x));
  return set_gains(o, x);
}

void rbv_output_limit(const output_run *o, double *x) {
  for (int i = 0; i < o->p; i++) x[i] = fmin(fmax(x[i], o->low[i]), o->high[i]);
}

rbv_status rbv_output_restrict(rbv_base *base, const rbv_model *m, const rbv_closed_loop *loop,
                               int nmotion) {
  if (!loop || !(loop->control || loop->controls)) return RBV_OK;
  RBV_NEW(bool, kept, (size_t)rbv_model_column_count(m));
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    kept[c] = !rbv_column_has_law(column, "off");
    for (int i = 0; i < nmotion && !kept[c]; i++)
      kept[c] = !integrates(loop->controls ? loop->controls[i] : loop->control, column->joint);
  }
  rbv_base_restrict(base, kept);
  rbv_free(kept);
  return RBV_OK;
}
