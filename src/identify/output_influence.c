/*
 * Output error: what positions alone cannot show. Gains, the rate of the drive's own loop, where a
 * delay is, a filter of the velocity and the masses of known links change the positions in ways
 * that other parameters undo. For each of them the change of the estimate if it is not as given:
 *
 *   S dx = -dy,   dy: change of the positions, from sensitivities (gains) or a simulation (others)
 *
 * on the linear problem of the last step.
 */
#include <math.h>
#include <string.h>

#include "control/control.h"
#include "identify/output_error.h"
#include "result/result.h"

#define SPREAD 0.1  // of masses, as RBV_INFLUENCE_STEP of gains

/* ---- alternatives that are simulated ---- */

/* a law that runs at OUTPUT_FAST_HZ at least; the trace has room for it */
static rbv_status run_faster(output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t rows = rbv_output_count(o, i);
    const rbv_control *given = rbv_output_control(o, i);
    rbv_control *fast;
    for (int j = 0; j < o->joints; j++) o->law[j] = *rbv_control_get_joint(given, j);
    RBV_TRY(rbv_control_variant(&fast, given, o->law));
    rbv_control_set_drive(fast, o->most_ticks[i], rbv_control_command_delay(given));
    rbv_control_free(o->control[i]);
    o->control[i] = fast;
    o->ticks[i] = o->most_ticks[i];
    o->trace[i].ld = rows * o->ticks[i];
  }
  rbv_output_hold_references(o);
  return RBV_OK;
}

static bool can_run_faster(const output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_control *law = rbv_output_given_control(o, i);
    if (o->most_ticks[i] == o->ticks[i] || rbv_control_needs_velocity(law) ||
        rbv_control_needs_acceleration(law))
      return false;
  }
  return o->nsegment == o->r->nmotion;
}

/* the delay of the torque is one of the command */
static rbv_status delay_command(output_run *o) {
  for (int j = 0; j < o->joints; j++) {
    const double before = o->command[j] >= 0
                              ? o->command[j]
                              : rbv_control_command_delay(rbv_output_given_control(o, 0));
    o->command[j] = before + o->delay[j];
    o->delay[j] = 0;
  }
  rbv_output_hold_references(o);
  return RBV_OK;
}

static bool can_delay_command(const output_run *o) {
  for (int j = 0; j < o->joints; j++)
    if (o->delay[j] > 0) return true;
  return false;
}

/* the measured velocity is one sample older: a filter with one more sample of lag */
static rbv_status age_velocity(output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_control *given = rbv_output_control(o, i);
    const double T = 1 / rbv_control_rate_hz(given);
    for (int j = 0; j < o->joints; j++) {
      o->law[j] = *rbv_control_get_joint(given, j);
      rbv_control_joint *law = &o->law[j];
      if (law->kind == RBV_CONTROL_TRANSFER) continue;
      // the pole p lags by p / (1 - p) samples
      const double pole = law->filter_s > 0 ? exp(-T / law->filter_s) : 0;
      const double lag = pole / (1 - pole) + 1;
      law->filter_s = -T / log(lag / (1 + lag));
    }
    rbv_control *older;
    RBV_TRY(rbv_control_variant(&older, given, o->law));
    rbv_control_free(o->control[i]);
    o->control[i] = older;
  }
  return RBV_OK;
}

static bool has_velocity(const output_run *o) {
  for (int i = 0; i < o->r->nmotion; i++)
    for (int j = 0; j < o->joints; j++) {
      const rbv_control_joint *law = rbv_control_get_joint(rbv_output_given_control(o, i), j);
      if (law->kind != RBV_CONTROL_TRANSFER && (law->k_d != 0 || law->kind == RBV_CONTROL_CASCADE))
        return true;
    }
  return false;
}

static rbv_status add_mass(output_run *o) {
  for (int c = 0; c < rbv_model_column_count(o->r->model); c++)
    if (rbv_model_column(o->r->model, c)->basis == RBV_BASIS_INERTIAL)
      o->chi[c] += SPREAD * o->loop->known[c];
  return RBV_OK;
}

static bool has_known_links(const output_run *o) { return o->loop->known_links && !o->elastic; }

static const struct {
  const char *name;
  rbv_status (*change)(output_run *o);
  bool (*applies)(const output_run *o);
} alternatives[] = {{"fast_loop", run_faster, can_run_faster},
                    {"delay_of_command", delay_command, can_delay_command},
                    {"older_velocity", age_velocity, has_velocity},
                    {"heavier_links", add_mass, has_known_links}};

#define ALTERNATIVES RBV_COUNT(alternatives)

/* positions of all motions, one value per row: to += factor * position */
static void add_positions(double *to, const output_run *o, double factor) {
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t count = rbv_output_count(o, i) * o->joints;
    for (ptrdiff_t k = 0; k < count; k++) *to++ += factor * o->trace[i].q[k * o->ticks[i]];
  }
}

/* change of the positions with an alternative; *done is false if it cannot be simulated. Settings
 * are those of o->x again afterwards, but the traces are not. */
static rbv_status simulate_alternative(double *change, bool *done, output_run *o,
                                       const double *before, ptrdiff_t total, int a) {
  char sentence[256];
  rbv_sim_outcome outcome = {.verdict = RBV_SIM_NOT_FINITE};
  for (ptrdiff_t k = 0; k < total; k++) change[k] = -before[k];
  rbv_status status = alternatives[a].change(o);
  if (status == RBV_OK) status = rbv_output_run(&outcome, o, o->x, sentence, sizeof sentence);
  *done = outcome.verdict == RBV_SIM_DONE;
  if (status == RBV_OK && *done) add_positions(change, o, 1);
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t rows = rbv_output_count(o, i);
    o->ticks[i] = rbv_control_ticks(rbv_output_given_control(o, i));
    o->trace[i].ld = rows * o->ticks[i];
    rbv_control_free(o->control[i]);
    o->control[i] = NULL;
  }
  return status == RBV_OK ? rbv_output_set(o, o->x) : status;
}

/* ---- all of them ---- */

/* is a gain of all joints given, and not estimated? */
static bool gain_is_given(const output_run *o, rbv_gain gain) {
  for (int i = 0; i < o->extra; i++)
    if (o->unknown[i].kind == RBV_UNKNOWN_GAIN && o->unknown[i].gain == gain) return false;
  for (int j = 0; j < o->joints; j++) {
    rbv_control_joint law = *rbv_control_get_joint(rbv_output_given_control(o, 0), j);
    const double *value = rbv_gain_of(&law, gain);
    if (value && *value != 0) return true;
  }
  return false;
}

/* Directions beside the unknowns, each with its name: gains, then simulated changes. */
typedef struct {
  rbv_gain gain[RBV_GAIN_COUNT];
  int gains;
  int alternative[ALTERNATIVES];
  double *change[ALTERNATIVES];
  int changes;
} directions;

/* the change of the estimate that undoes directions [first, end), times step */
static rbv_status add_influence(output_run *o, const double *R, int wide, int first, int end,
                                double step, const char *name, double *small) {
  rbv_estimate *e = o->e;
  for (int k = 0; k <= o->p; k++)
    for (int i = 0; i <= o->p; i++) {
      double value = i < o->p && k < o->p ? R[i + (ptrdiff_t)k * wide] : 0;
      for (int h = first; h < end && k == o->p && i < o->p; h++)
        value -= R[i + (ptrdiff_t)(o->p + h) * wide];
      small[i + (ptrdiff_t)k * (o->p + 1)] = value;
    }
  RBV_TRY(rbv_linear_solve(&o->solution, small, rbv_output_rows(o), &o->selection));
  rbv_gain_influence *to = &e->loop.influence[e->loop.ninfluence++];
  to->gains = name;
  for (int k = 0; k < o->r->n; k++) to->shift[k] = step * o->solution.x[o->extra + k];
  return RBV_OK;
}

static rbv_status solve_all(output_run *o, const directions *d) {
  const int lanes = o->p + d->gains, wide = lanes + d->changes + 1;
  rbv_unknown *unknown = rbv_alloc((size_t)lanes * sizeof *unknown);
  double *R = rbv_alloc((size_t)wide * (size_t)wide * sizeof *R);
  double *small = rbv_alloc(rbv_output_square(o) * sizeof *small);
  rbv_status status = unknown && R && small ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    memcpy(unknown, o->unknown, (size_t)o->p * sizeof *unknown);
    for (int i = 0; i < d->gains; i++)
      unknown[o->p + i] = (rbv_unknown){.kind = RBV_UNKNOWN_GAIN, .joint = -1, .gain = d->gain[i]};
    status = rbv_output_triangle(R, o, unknown, lanes, d->change, d->changes);
  }
  if (status == RBV_OK && d->gains > 0)
    status = add_influence(o, R, wide, 0, d->gains, RBV_INFLUENCE_STEP, "all", small);
  for (int g = 0; g < d->gains && status == RBV_OK; g++)
    status = add_influence(o, R, wide, g, g + 1, RBV_INFLUENCE_STEP, rbv_gain_name((int)d->gain[g]),
                           small);
  for (int a = 0; a < d->changes && status == RBV_OK; a++)
    status = add_influence(o, R, wide, d->gains + a, d->gains + a + 1, 1,
                           alternatives[d->alternative[a]].name, small);
  RBV_FREE_ALL(small, R, unknown);
  return status;
}

static rbv_status find_influence(output_run *o) {
  directions d = {0};
  char sentence[256];
  bool done;
  o->e->loop.ninfluence = 0;
  for (int g = 0; g < RBV_GAIN_COUNT; g++)
    if (gain_is_given(o, (rbv_gain)g)) d.gain[d.gains++] = (rbv_gain)g;
  ptrdiff_t total = 0;
  for (int i = 0; i < o->r->nmotion; i++) total += rbv_output_count(o, i) * o->joints;
  double *before = rbv_alloc((size_t)total * sizeof *before);
  rbv_status status = before ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  const bool simulated = done;
  if (status == RBV_OK && simulated) add_positions(before, o, 1);
  // torques that are fitted too show most of this; a design has no law to doubt
  for (int a = 0; a < ALTERNATIVES && status == RBV_OK; a++) {
    if (!simulated || o->loop->torques || o->loop->noise || !alternatives[a].applies(o)) continue;
    double *change = d.change[d.changes] = rbv_alloc((size_t)total * sizeof *change);
    d.alternative[d.changes] = a;
    status = change ? simulate_alternative(change, &done, o, before, total, a) : RBV_EMEM;
    if (status == RBV_OK && done)
      d.changes++;
    else
      rbv_free(change);
  }
  if (status == RBV_OK) status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  if (status == RBV_OK && done && d.gains + d.changes > 0) status = solve_all(o, &d);
  for (int a = 0; a < d.changes; a++) rbv_free(d.change[a]);
  rbv_free(before);
  return status;
}

rbv_status rbv_output_find_influence(output_run *o) {
  const int simulations = o->e->loop.simulations;
  o->coarse = rbv_output_can_be_coarse(o);
  const rbv_status status = find_influence(o);
  o->coarse = false;
  o->e->loop.simulations = simulations;  // of the search
  return status;
}
