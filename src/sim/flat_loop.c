#include "sim/flat_loop.h"

#include <math.h>
#include <string.h>

#include "control/control_internal.h"
#include "device/point_plant.h"
#include "model/model_internal.h"
#include "sim/sim_internal.h"

/* ---- the chain ---- */

static void flatten_chain(flat_loop *f) {
  device_chain *chain = &f->loop.chain;
  const axis_chain *from = &f->chain;
  chain->njoint = from->njoint;
  chain->quarter = 1;
  memcpy(chain->up, from->up, sizeof chain->up);
  for (int j = 0; j < from->njoint; j++) {
    const axis_joint *g = &from->joint[j];
    device_joint *to = &chain->joint[j];
    *to = (device_joint){
        .tilted = g->kind == AXIS_TILTED, .slides = g->slides, .sign = g->sign, .angle = g->angle};
    memcpy(to->C, g->C, sizeof to->C);
    memcpy(to->p, g->p, sizeof to->p);
    memcpy(to->slide, g->slide, sizeof to->slide);
    if (g->kind == AXIS_FREE) chain->quarter = 0;
  }
}

/* ---- controller, sensors, scheme ---- */

static rbv_status flatten_control(device_loop *l, const rbv_control *c) {
  for (int j = 0; j < c->njoint; j++) {
    const rbv_control_joint *g = &c->joint[j];
    if (g->kind == RBV_CONTROL_TRANSFER)
      return rbv_fail(RBV_EUNSUPPORTED,
                      "joint %d has a transfer function as its controller, which a device cannot "
                      "simulate",
                      j + 1);
    const double pole = rbv_control_pole(c, g);
    l->control[j] = (device_law_of_control){
        .cascade = g->kind == RBV_CONTROL_CASCADE,
        .antiwindup = g->antiwindup == RBV_ANTIWINDUP_NONE    ? 0
                      : g->antiwindup == RBV_ANTIWINDUP_CLAMP ? 1
                                                              : 2,
        .delay = g->delay,
        .k_p = g->k_p,
        .k_d = g->k_d,
        .k_x = g->k_x,
        .reference_velocity = g->reference_velocity,
        .pole = pole,
        .difference = (1 - pole) * c->rate_hz,
        .step = g->k_i / c->rate_hz,
        .pull = g->tracking_s > 0 ? 1 / (c->rate_hz * g->tracking_s) : 0,
        .velocity_gain = g->velocity_gain,
        .acceleration_gain = g->acceleration_gain,
        .lower = g->lower,
        .upper = g->upper,
    };
  }
  return RBV_OK;
}

static double step_of(const rbv_model *m, int j, double counts) {
  if (!(counts > 0)) return 0;
  return (m->joint[j].type == RBV_JOINT_REVOLUTE ? 2 * RBV_PI : 1) / counts;
}

static rbv_status flatten_sensors(device_loop *l, const rbv_model *m, const rbv_sim_options *o,
                                  double rate_hz) {
  const rbv_sim_defects *d = &o->defects;
  if (d->drift != 0)
    return rbv_fail(RBV_EUNSUPPORTED, "a device cannot simulate friction that drifts");
  l->sensors.position_noise = d->loop_noise;
  l->loop_delay = d->loop_delay;
  l->sensors.disturbance_pole =
      d->disturbance_hz > 0 ? exp(-2 * RBV_PI * d->disturbance_hz / rate_hz) : 0;
  for (int j = 0; j < m->njoint; j++) {
    l->sensors.step[j] = step_of(m, j, d->loop_counts);
    l->sensors.record_step[j] = step_of(m, j, d->record_counts);
    if (d->disturbance && d->disturbance[j] != 0) {
      l->sensors.disturbed |= 1 << j;
      l->sensors.disturbance[j] = d->disturbance[j];
    }
  }
  const double longest = fmax(d->actuator_delay_s, o->longest_delay_s);
  l->late = longest > 0 ? (int)ceil(longest * rate_hz) + 2 : 0;
  return RBV_OK;
}

/* ---- friction ---- */

static rbv_smoothing smoothing_of(const flat_loop *f, const drive_term *t) {
  if (f->options.gamma > 0 && !t->own_smoothing) return (rbv_smoothing){.gamma = f->options.gamma};
  if (t->smoothing.gamma > 0 || t->smoothing.speed > 0) return t->smoothing;
  return (rbv_smoothing){.gamma = RBV_LANES_GAMMA};
}

static bool is_own(const rbv_model *m, const drive_term *t) {
  return t->count == 1 && m->direction_joint[t->first] == t->joint &&
         m->direction_weight[t->first] == 1;
}

static bool same_weights(const double *weight, const rbv_model *m, const drive_term *t) {
  double mine[DEVICE_JOINTS] = {0};
  for (int k = t->first; k < t->first + t->count; k++)
    mine[m->direction_joint[k]] = m->direction_weight[k];
  for (int j = 0; j < m->njoint; j++)
    if (mine[j] != weight[j]) return false;
  return true;
}

/* the direction of a term with its smoothing; -1: there is no room */
static int find_direction(flat_loop *f, const drive_term *t) {
  const rbv_model *m = f->model;
  device_friction *d = &f->loop.friction;
  const rbv_smoothing how = smoothing_of(f, t);
  if (is_own(m, t)) {
    const int j = t->joint;
    if (!(d->gamma[j] > 0 || d->speed[j] > 0)) {
      d->gamma[j] = how.gamma;
      d->speed[j] = how.speed;
    }
    if (d->gamma[j] == how.gamma && d->speed[j] == how.speed) return j;
  }
  for (int i = m->njoint; i < d->ndirection; i++)
    if (same_weights(d->weight[i], m, t) && d->gamma[i] == how.gamma && d->speed[i] == how.speed)
      return i;
  if (d->ndirection == DEVICE_DIRECTIONS) return -1;
  const int i = d->ndirection++;
  for (int k = t->first; k < t->first + t->count; k++)
    d->weight[i][m->direction_joint[k]] = m->direction_weight[k];
  d->gamma[i] = how.gamma;
  d->speed[i] = how.speed;
  return i;
}

/* the place of a law of a joint that is no sign; -1: there is no room */
static int find_law(flat_loop *f, const drive_term *t, const rbv_law *law) {
  device_friction *d = &f->loop.friction;
  if (!is_own(f->model, t) || find_direction(f, t) != t->joint) return -1;
  const int j = t->joint;
  for (int l = 0; l < d->nlaw[j]; l++)
    if (d->law[j][l].law == law->number &&
        memcmp(d->law[j][l].shape, t->shape, sizeof t->shape) == 0)
      return l;
  if (d->nlaw[j] == DEVICE_LAWS) return -1;
  device_law *to = &d->law[j][d->nlaw[j]];
  to->law = law->number;
  memcpy(to->shape, t->shape, sizeof to->shape);
  return d->nlaw[j]++;
}

static rbv_status no_room(const rbv_model *m, const drive_term *t) {
  return rbv_fail(RBV_EUNSUPPORTED, "a device has no room for column %s; compute on the CPU",
                  m->column[t->column].name);
}

/* values of one plant, in the places of the records */
typedef struct {
  double value[DEVICE_PARAMETERS];
} plant_record;

static bool has_place(const drive_term *t) { return t->law && t->law->consumers & LAW_IN_LOOP; }

static const rbv_law *law_of(const drive_term *t) {
  return t->law->part.of ? rbv_law_find(t->law->part.of) : t->law;
}

static rbv_status put_term(plant_record *r, flat_loop *f, const drive_term *t, double parameter) {
  const rbv_model *m = f->model;
  const double x = parameter * t->gain;
  if (x == 0) return RBV_OK;
  RBV_TRY(rbv_law_require(m, t, LAW_IN_LOOP));
  if (t->law->motion == RBV_LAW_CONSTANT) {
    r->value[DEVICE_CONSTANT + t->joint] += x;
    return RBV_OK;
  }
  if (t->law->linear) {
    for (int k = t->first; k < t->first + t->count; k++) {
      const int i = t->joint, j = m->direction_joint[k];
      if (t->law->motion == RBV_LAW_SPEED)
        r->value[DEVICE_VISCOUS + i * DEVICE_JOINTS + j] += x * m->direction_weight[k];
      else if (j <= i)  // the matrix is symmetric
        r->value[DEVICE_ROTOR + pair_at(i, j)] += x * m->direction_weight[k];
    }
    return RBV_OK;
  }
  const rbv_law *law = law_of(t);
  const bool part = t->law->part.of != NULL;
  if (part) r->value[DEVICE_CONSTANT + t->joint] += x * t->law->part.constant;
  const double c = part ? x * t->law->part.factor : x;
  if (law->is_sign) {
    const int d = find_direction(f, t);
    if (d < 0) return no_room(m, t);
    r->value[DEVICE_SIGN + d * DEVICE_JOINTS + t->joint] += c;
    return RBV_OK;
  }
  const int l = find_law(f, t, law);
  if (l < 0) return no_room(m, t);
  r->value[DEVICE_LAW + t->joint * DEVICE_LAWS + l] += c;
  return RBV_OK;
}

/* Places of all terms of the model, so that a plant has the same places in every population. A term
 * without a place is refused only if a plant needs it. */
static void find_places(flat_loop *f) {
  for (int i = 0; i < f->model->nterm; i++) {
    const drive_term *t = &f->model->term[i];
    if (!has_place(t) || t->law->motion == RBV_LAW_CONSTANT || t->law->linear) continue;
    if (law_of(t)->is_sign)
      (void)find_direction(f, t);
    else
      (void)find_law(f, t, law_of(t));
  }
}

/* symmetric part of the viscous matrix if it is positive, otherwise the positive diagonal */
static void put_drag(plant_record *r, int n) {
  double work[DEVICE_PAIRS], size = 0;
  const double *V = r->value + DEVICE_VISCOUS;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      work[pair_at(i, j)] = r->value[DEVICE_DRAG + pair_at(i, j)] =
          (V[i * DEVICE_JOINTS + j] + V[j * DEVICE_JOINTS + i]) / 2;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(work[pair_at(i, i)]));
  for (int i = 0; i < n; i++) work[pair_at(i, i)] += 1e-12 * size + 1e-300;
  if (factor_packed(work, n)) return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double *at = &r->value[DEVICE_DRAG + pair_at(i, j)];
      *at = i == j && *at > 0 ? *at : 0;
    }
}

/* bits of the masks that this plant needs; joints whose slope is wholly implicit */
static void put_masks(device_loop *l, plant_record *r, int n) {
  device_friction *f = &l->friction;
  for (int i = 0; i < n; i++) {
    if (f->nlaw[i] > 0) f->implicit[i] |= 1 << i;
    for (int j = 0; j < n; j++)
      if (r->value[DEVICE_VISCOUS + i * DEVICE_JOINTS + j] != 0) f->viscous[i] |= 1 << j;
    for (int j = 0; j <= i; j++) {
      if (r->value[DEVICE_ROTOR + pair_at(i, j)] != 0) f->rotor[i] |= 1 << j;
      if (r->value[DEVICE_DRAG + pair_at(i, j)] != 0) f->drag[i] |= 1 << j;
    }
    f->implicit[i] |= f->drag[i];
  }
  for (int d = 0; d < f->ndirection; d++) {
    int whole = (2 << n) - 1;  // 0: no plant yet
    for (int i = 0; i < n; i++) {
      const double c = r->value[DEVICE_SIGN + d * DEVICE_JOINTS + i];
      if (c == 0) continue;
      f->signs[d] |= 1 << i;
      for (int j = 0; j <= i; j++)
        if (d < n ? i == j : f->weight[d][j] != 0) f->implicit[i] |= 1 << j;
      if (d < n) continue;
      // passive: the coefficients are a w w' with a >= 0
      const double mine = f->weight[d][i];
      bool passive = c * mine > 0;
      for (int j = 0; j < n; j++) {
        const double other = r->value[DEVICE_SIGN + d * DEVICE_JOINTS + j];
        if (!(fabs(other * mine - f->weight[d][j] * c) <= 1e-12 * fabs(c * mine))) passive = false;
      }
      if (!passive) whole &= ~(1 << i);
    }
    r->value[DEVICE_WHOLE + d] = whole;
    if (f->whole[d] != 0 && f->whole[d] != whole) l->own_whole = 1;
    f->whole[d] = whole;
  }
}

/* ---- the two functions ---- */

rbv_status rbv_flat_loop(flat_loop *out, const rbv_model *m, const rbv_control *c,
                         const rbv_sim_options *options) {
  RBV_TRY(rbv_model_need_chain(m, "The device"));
  const rbv_sim_options o = options ? *options : rbv_sim_defaults();
  *out = (flat_loop){.model = m, .options = o};
  device_loop *l = &out->loop;
  if (m->njoint > DEVICE_JOINTS)
    return rbv_fail(RBV_EUNSUPPORTED, "a device simulates at most %d joints, the robot has %d",
                    DEVICE_JOINTS, m->njoint);
  if (c->njoint != m->njoint)
    return rbv_fail(RBV_EDIM, "the controller has %d joints, the robot %d", c->njoint, m->njoint);
  if (!rbv_integrator_scheme(&l->scheme, o.integrator))
    return rbv_fail(RBV_EUNSUPPORTED, "a device cannot use the integrator '%s'",
                    rbv_integrator_name(o.integrator));
  out->chain.joint = out->joint;
  rbv_axis_chain(&out->chain, m);
  flatten_chain(out);
  l->friction.ndirection = m->njoint;
  for (int j = 0; j < m->njoint; j++) {
    l->friction.weight[j][j] = 1;
    l->fastest[j] = fmin(1000, 10 * m->joint[j].limits.velocity);
  }
  RBV_TRY(flatten_control(l, c));
  RBV_TRY(flatten_sensors(l, m, &o, c->rate_hz));
  l->rate_hz = c->rate_hz;
  l->escape = o.escape;
  l->substeps = rbv_sim_choose_substeps(&o, c->rate_hz);
  find_places(out);
  return RBV_OK;
}

/* factors on the gains of a joint; feed-forward and limits are the same for all plants */
static rbv_status put_gains(plant_record *r, flat_loop *f, const double *gain, int j) {
  static const rbv_gain place[DEVICE_GAINS] = {RBV_GAIN_KP, RBV_GAIN_KI, RBV_GAIN_KD, RBV_GAIN_KX};
  const int n = f->model->njoint;
  for (int i = 0; i < DEVICE_GAINS; i++)
    r->value[DEVICE_GAIN + i * DEVICE_JOINTS + j] = gain ? gain[(int)place[i] * n + j] : 1;
  for (int g = RBV_GAIN_VELOCITY; gain && g < RBV_GAIN_COUNT; g++)
    if (gain[g * n + j] != 1)
      return rbv_fail(RBV_EUNSUPPORTED, "a device cannot change %s of one plant", rbv_gain_name(g));
  if (gain) f->loop.own_gains = 1;
  return RBV_OK;
}

rbv_status rbv_flat_plant(double *values, int64_t stride, flat_loop *f, const rbv_sim_lane *own) {
  const rbv_model *m = f->model;
  const rbv_sim_options *o = &f->options;
  const int n = m->njoint;
  const double *chi = own->chi ? own->chi : m->parameters;
  plant_record r = {{0}};
  for (int c = 0; c < m->ncolumn; c++)
    if (!isfinite(chi ? chi[c] : 0))
      return rbv_fail(RBV_EARG, "parameter %s is not a finite number", m->column[c].name);
  for (int j = 0; j < n; j++) {
    double link[RBV_INERTIAL];
    for (int c = 0; c < RBV_INERTIAL; c++) {
      link[c] = chi ? chi[m->link_column[j] + c] : 0;
      if (j == m->carrier && o->loaded && m->payload && chi) link[c] += chi[m->link_column[n] + c];
    }
    rbv_axis_link(r.value + DEVICE_LINK(j), &f->chain, j, link);
  }
  for (int t = 0; t < m->nterm; t++)
    RBV_TRY(put_term(&r, f, &m->term[t], chi ? chi[m->term[t].column] : 0));
  put_drag(&r, n);
  put_masks(&f->loop, &r, n);
  for (int j = 0; j < n; j++) {
    const double delay = own->delay ? own->delay[j] : o->defects.actuator_delay_s;
    if (!(delay >= 0 && delay <= fmax(o->defects.actuator_delay_s, o->longest_delay_s)))
      return rbv_fail(RBV_EARG, "the delay of joint %d must be 0 to %g s", j + 1,
                      o->longest_delay_s);
    r.value[DEVICE_SCALE + j] = own->scale ? own->scale[j] : 1;
    r.value[DEVICE_SHIFT + j] = own->shift ? own->shift[j] : 0;
    const double *bias = own->bias ? own->bias : o->defects.encoder_bias;
    r.value[DEVICE_BIAS + j] = bias ? bias[j] : 0;
    r.value[DEVICE_INTEGRAL + j] = own->integral ? own->integral[j] : 0;
    r.value[DEVICE_DELAY + j] = delay * f->loop.rate_hz;
    RBV_TRY(put_gains(&r, f, own->gain, j));
  }
  for (int i = 0; i < DEVICE_PARAMETERS; i++) values[i * stride] = r.value[i];
  return RBV_OK;
}
