#include <math.h>
#include <string.h>

#include <roberval/sys/document.h>

#include "control/control_internal.h"

/* ---- names ---- */

static const char *const kinds[] = {"pid", "cascade", "transfer"};
static const char *const antiwindups[] = {"none", "clamp", "tracking"};
static const char *const feedforwards[] = {"none", "gravity", "model"};

/* index of a name, -1 if it is not in the list */
static int find(const char *const *names, int count, const char *name) {
  return RBV_FIND_TEXT(names, count, name);
}

const char *rbv_control_kind_name(rbv_control_kind kind) { return kinds[kind]; }

bool rbv_control_kind_parse(rbv_control_kind *out, const char *name) {
  const int i = find(kinds, RBV_COUNT(kinds), name);
  if (i >= 0) *out = (rbv_control_kind)i;
  return i >= 0;
}

bool rbv_antiwindup_parse(rbv_antiwindup *out, const char *name) {
  const int i = find(antiwindups, RBV_COUNT(antiwindups), name);
  if (i >= 0) *out = (rbv_antiwindup)i;
  return i >= 0;
}

const char *rbv_feedforward_name(rbv_feedforward feedforward) { return feedforwards[feedforward]; }

bool rbv_feedforward_parse(rbv_feedforward *out, const char *name) {
  const int i = find(feedforwards, RBV_COUNT(feedforwards), name);
  if (i >= 0) *out = (rbv_feedforward)i;
  return i >= 0;
}

/* ---- creation ---- */

rbv_control_joint rbv_control_joint_defaults(void) {
  return (rbv_control_joint){.kind = RBV_CONTROL_PID,
                             .reference_velocity = 1,
                             .transfer = {.nnum = 1, .nden = 1, .num = {0}, .den = {1}},
                             .lower = -INFINITY,
                             .upper = INFINITY};
}

rbv_control_joint rbv_control_tune(double J, double w, double integral, double roll_off) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.k_p = J * w * w;
  j.k_d = 2 * J * w;
  j.k_i = integral * w * j.k_p;
  j.filter_s = 1 / (roll_off * w);
  return j;
}

bool rbv_control_tuning(double *inertia, double *frequency, const rbv_control *c, int joint) {
  const rbv_control_joint *j = rbv_control_get_joint(c, joint);
  if (!j || j->kind == RBV_CONTROL_TRANSFER) return false;
  // stiffness and damping of the loop; the cascade is k_p (k_x e - v)
  const bool cascade = j->kind == RBV_CONTROL_CASCADE;
  const double stiffness = cascade ? j->k_x * j->k_p : j->k_p;
  const double damping = cascade ? j->k_p : j->k_d;
  if (!(stiffness > 0 && damping > 0)) return false;
  *inertia = damping * damping / (4 * stiffness);
  *frequency = 2 * stiffness / damping;
  return true;
}

double rbv_control_pole(const rbv_control *c, const rbv_control_joint *j) {
  return j->filter_s > 0 ? exp(-1 / (c->rate_hz * j->filter_s)) : 0;
}

static rbv_status check_transfer(const rbv_transfer *H, int number) {
  if (H->nnum < 1 || H->nden < 1 || H->nnum > RBV_TRANSFER_ORDER / 2 + 1 ||
      H->nden > RBV_TRANSFER_ORDER / 2 + 1)
    return rbv_fail(RBV_EINPUT, "joint %d: a transfer function has 1 to %d coefficients", number,
                    RBV_TRANSFER_ORDER / 2 + 1);
  for (int i = 0; i < H->nnum; i++)
    if (!isfinite(H->num[i])) return rbv_fail(RBV_EINPUT, "joint %d: num is not finite", number);
  for (int i = 0; i < H->nden; i++)
    if (!isfinite(H->den[i])) return rbv_fail(RBV_EINPUT, "joint %d: den is not finite", number);
  if (H->den[0] == 0)
    return rbv_fail(RBV_EINPUT, "joint %d: the first coefficient of den is zero", number);
  return RBV_OK;
}

#define DELAY_MAX 1000  // samples; a longer delay is refused as a mistake

static rbv_status check_joint(const rbv_control_joint *j, int number) {
  const double gain[] = {j->k_p,           j->k_i,
                         j->k_d,           j->k_x,
                         j->filter_s,      j->reference_velocity,
                         j->velocity_gain, j->acceleration_gain,
                         j->tracking_s};
  for (int i = 0; i < RBV_COUNT(gain); i++)
    if (!isfinite(gain[i])) return rbv_fail(RBV_EINPUT, "joint %d: a gain is not finite", number);
  if (!(j->filter_s >= 0))
    return rbv_fail(RBV_EINPUT, "joint %d: filter_s must not be negative", number);
  if (!(j->lower < j->upper))
    return rbv_fail(RBV_EINPUT, "joint %d: the lower limit is not below the upper one", number);
  if (isfinite(j->lower) != isfinite(j->upper))
    return rbv_fail(RBV_EINPUT, "joint %d: give both limits or none", number);
  if (j->delay < 0 || j->delay > DELAY_MAX)
    return rbv_fail(RBV_EINPUT, "joint %d: a delay is 0 to %d samples", number, DELAY_MAX);
  if (j->antiwindup == RBV_ANTIWINDUP_TRACKING && !(j->tracking_s > 0))
    return rbv_fail(RBV_EINPUT, "joint %d: anti-windup by tracking needs tracking_s > 0", number);
  if (j->antiwindup == RBV_ANTIWINDUP_TRACKING && j->kind == RBV_CONTROL_TRANSFER)
    return rbv_fail(RBV_EINPUT, "joint %d: a transfer function has no integral to track: use clamp",
                    number);
  return j->kind == RBV_CONTROL_TRANSFER ? check_transfer(&j->transfer, number) : RBV_OK;
}

rbv_status rbv_control_new(rbv_control **out, const char *name, double rate_hz,
                           rbv_feedforward feedforward, const rbv_control_joint *joint,
                           int njoint) {
  *out = NULL;
  if (!joint || njoint < 1) return rbv_fail(RBV_EARG, "a controller needs joints");
  if (!(rate_hz > 0) || !isfinite(rate_hz))
    return rbv_fail(RBV_EINPUT, "a controller needs the rate at which it runs: rate_hz");
  for (int j = 0; j < njoint; j++) RBV_TRY(check_joint(&joint[j], j + 1));
  RBV_NEW(rbv_control, c, 1);
  c->rate_hz = rate_hz;
  c->ticks = 1;
  c->feedforward = feedforward;
  c->njoint = njoint;
  c->name = rbv_strdup(name ? name : "controller");
  c->joint = rbv_alloc((size_t)njoint * sizeof *joint);
  if (!c->name || !c->joint) {
    rbv_control_free(c);
    return RBV_EMEM;
  }
  memcpy(c->joint, joint, (size_t)njoint * sizeof *joint);
  // normalise to den[0] = 1, which all other functions assume
  for (int j = 0; j < njoint; j++) {
    rbv_transfer *H = &c->joint[j].transfer;
    if (c->joint[j].kind != RBV_CONTROL_TRANSFER) continue;
    const double first = H->den[0];
    for (int i = 0; i < H->nnum; i++) H->num[i] /= first;
    for (int i = 0; i < H->nden; i++) H->den[i] /= first;
    H->advance = 0;
  }
  *out = c;
  return RBV_OK;
}

void rbv_control_set_drive(rbv_control *c, int ticks, double command_delay_s) {
  c->rate_hz *= (double)ticks / c->ticks;
  c->ticks = ticks;
  c->command_delay_s = command_delay_s;
}

rbv_status rbv_control_variant(rbv_control **out, const rbv_control *given,
                               const rbv_control_joint *joint) {
  RBV_TRY(
      rbv_control_new(out, given->name, given->rate_hz, given->feedforward, joint, given->njoint));
  (*out)->ticks = given->ticks;
  (*out)->command_delay_s = given->command_delay_s;
  return RBV_OK;
}

void rbv_control_free(rbv_control *c) {
  if (!c) return;
  RBV_FREE_ALL(c->name, c->joint, c);
}

const char *rbv_control_name(const rbv_control *c) { return c->name; }
double rbv_control_rate_hz(const rbv_control *c) { return c->rate_hz; }
int rbv_control_ticks(const rbv_control *c) { return c->ticks; }
double rbv_control_command_delay(const rbv_control *c) { return c->command_delay_s; }
int rbv_control_joint_count(const rbv_control *c) { return c->njoint; }

const rbv_control_joint *rbv_control_get_joint(const rbv_control *c, int joint) {
  return joint >= 0 && joint < c->njoint ? &c->joint[joint] : NULL;
}

rbv_feedforward rbv_control_get_feedforward(const rbv_control *c) { return c->feedforward; }

bool rbv_control_needs_velocity(const rbv_control *c) {
  for (int j = 0; j < c->njoint; j++)
    if (c->joint[j].velocity_gain != 0) return true;
  return c->feedforward == RBV_FEEDFORWARD_MODEL;
}

bool rbv_control_needs_acceleration(const rbv_control *c) {
  for (int j = 0; j < c->njoint; j++)
    if (c->joint[j].acceleration_gain != 0) return true;
  return c->feedforward == RBV_FEEDFORWARD_MODEL;
}
