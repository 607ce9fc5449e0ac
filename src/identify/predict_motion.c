/* Prediction of motions from measured states: error of the position against the horizon. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identify.h>
#include <string.h>

#include "base/support.h"
#include "control/control.h"
#include "dynamics/lanes.h"
#include "sim/sim_each.h"

#define AT_ONCE LANES_WIDTH  // starts that are simulated in lanes
#define STARTS 50            // of all motions
#define LONGEST_S 5.0
#define GUIDE_S 0.1  // along the recording before the robot is free, under a controller
#define EDGE_S 0.2   // at both ends of a motion: derivatives are not reliable there

static const double horizons[RBV_HORIZONS] = {0.05, 0.1, 0.2, 0.5, 1, 2, 5};

typedef struct {
  const rbv_model *model;
  const rbv_horizon_options *options;
  const double *chi;
  rbv_horizons *out;
  rbv_dynamics *dynamics;
  int n;
  // of the present motion
  const rbv_motion_info *info;
  rbv_control *torques;        // law that applies the recorded torques
  const rbv_control *control;  // in use
  double *q, *dq, *tau;        // count x n: recorded
  bool *valid;
  double *delay;  // n
  double *start;  // 2 n per lane: state; then the positions of add_error
  // the starts that run next, all with the same number of samples
  int waiting;
  ptrdiff_t at[AT_ONCE], longest;
  rbv_sim_reference reference[AT_ONCE];
  rbv_sim_trace trace[AT_ONCE];
} predictor;

/* ---- the law that applies recorded torques: velocity_gain 1, the torque as reference velocity
 * ---- */

static rbv_status new_torque_law(rbv_control **out, int n, double rate_hz) {
  RBV_NEW(rbv_control_joint, joint, n);
  for (int j = 0; j < n; j++) {
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = joint[j].k_i = joint[j].k_d = 0;
    joint[j].velocity_gain = 1;
  }
  RBV_FINISH(rbv_control_new(out, "recorded torques", rate_hz, RBV_FEEDFORWARD_NONE, joint, n),
             rbv_free(joint));
}

/* ---- one start ---- */

static ptrdiff_t guide_samples(const predictor *p) {
  return p->out->closed ? (ptrdiff_t)ceil((GUIDE_S + p->options->delay_s) * p->info->rate_hz) : 0;
}

/* what a lane follows from sample k on, for `count` samples behind the guided ones */
static rbv_sim_reference reference_from(predictor *p, int motion, int lane, ptrdiff_t k,
                                        ptrdiff_t count) {
  const ptrdiff_t guided = guide_samples(p), first = k - guided, ld = p->info->count;
  rbv_sim_reference r = {.q = p->q + first, .dq = p->tau + first, .ld = ld};
  if (p->out->closed) {
    r = p->options->reference[motion];
    r.q += first;
    r.dq = r.dq ? r.dq + first : NULL;
    r.ddq = r.ddq ? r.ddq + first : NULL;
  }
  r.count = guided + count + 1;
  double *start = p->start + (ptrdiff_t)2 * lane * p->n;
  for (int j = 0; j < p->n; j++) {
    start[j] = p->q[first + j * ld] - (p->options->bias ? p->options->bias[j] : 0);
    start[p->n + j] = p->dq[first + j * ld];
  }
  r.q0 = start;
  r.dq0 = start + p->n;
  r.nguide = guided;
  r.guide_ld = ld;
  r.guide_q = p->q + first;
  r.guide_dq = p->dq + first;
  return r;
}

static void add_error(predictor *p, rbv_horizon *h, const rbv_sim_trace *trace, ptrdiff_t k,
                      ptrdiff_t later) {
  const ptrdiff_t guided = guide_samples(p), ld = p->info->count;
  double *measured = p->start + (ptrdiff_t)2 * AT_ONCE * p->n, *predicted = measured + p->n,
         *naive = predicted + p->n;
  double place[3][3], R[9];
  for (int j = 0; j < p->n; j++) {
    const double bias = p->options->bias ? p->options->bias[j] : 0;
    measured[j] = p->q[k + later + j * ld] - bias;
    predicted[j] = trace->q[guided + later + j * trace->ld];
    naive[j] = p->q[k + j * ld] - bias + h->horizon_s * p->dq[k + j * ld];
    h->joint[j] += (predicted[j] - measured[j]) * (predicted[j] - measured[j]);
    h->naive[j] += (naive[j] - measured[j]) * (naive[j] - measured[j]);
  }
  rbv_dynamics_pose(R, place[0], p->dynamics, measured, p->n - 1);
  rbv_dynamics_pose(R, place[1], p->dynamics, predicted, p->n - 1);
  rbv_dynamics_pose(R, place[2], p->dynamics, naive, p->n - 1);
  for (int i = 0; i < 3; i++) {
    h->tool += (place[1][i] - place[0][i]) * (place[1][i] - place[0][i]);
    h->tool_naive += (place[2][i] - place[0][i]) * (place[2][i] - place[0][i]);
  }
}

/* all horizons of a start that was simulated */
static void add_start(predictor *p, int lane, const rbv_sim_outcome *outcome) {
  const ptrdiff_t k = p->at[lane];
  for (int i = 0; i < p->out->count; i++) {
    rbv_horizon *h = &p->out->horizon[i];
    const ptrdiff_t later = (ptrdiff_t)(horizons[i] * p->info->rate_hz + 0.5);
    if (later > p->longest || !p->valid[k] || !p->valid[k + later]) continue;
    h->starts++;
    if (outcome->verdict != RBV_SIM_DONE && outcome->samples <= guide_samples(p) + later)
      h->lost++;
    else
      add_error(p, h, &p->trace[lane], k, later);
  }
}

/* simulate the starts that wait */
static rbv_status run_waiting(predictor *p, rbv_sim *sim) {
  rbv_sim_outcome outcome[AT_ONCE];
  const int count = p->waiting;
  p->waiting = 0;
  if (count == 0) return RBV_OK;
  RBV_TRY(rbv_go_on("predictions", (double)p->at[0] / (double)p->info->count));
  RBV_TRY(rbv_sim_run_each(outcome, sim, p->reference, p->trace, count));
  for (int i = 0; i < count; i++) add_start(p, i, &outcome[i]);
  return RBV_OK;
}

/* predict from sample k on, together with other starts that are as long */
static rbv_status predict_from(predictor *p, rbv_sim *sim, int motion, ptrdiff_t k, ptrdiff_t end) {
  ptrdiff_t longest = 0;
  for (int i = 0; i < p->out->count; i++) {
    const ptrdiff_t later = (ptrdiff_t)(horizons[i] * p->info->rate_hz + 0.5);
    if (k + later < end && later > longest) longest = later;
  }
  if (longest == 0) return RBV_OK;
  if (p->waiting == AT_ONCE || longest != p->longest) RBV_TRY(run_waiting(p, sim));
  p->longest = longest;
  p->at[p->waiting] = k;
  p->reference[p->waiting] = reference_from(p, motion, p->waiting, k, longest);
  p->waiting++;
  return RBV_OK;
}

/* ---- a motion ---- */

static rbv_status read_motion(predictor *p, rbv_motion *motion, int i) {
  const ptrdiff_t count = p->info->count;
  const rbv_samples to = {.ld = count,
                          .q = p->q,
                          .dq = p->dq,
                          .torque = p->out->closed ? NULL : p->tau,
                          .valid = p->valid};
  RBV_TRY(rbv_motion_read(motion, &to, 0, count));
  const double *measured = p->options->measured ? p->options->measured[i] : NULL;
  if (measured) memcpy(p->q, measured, (size_t)(count * p->n) * sizeof *measured);
  return RBV_OK;
}

/* samples of the longest start */
static ptrdiff_t most_samples(const predictor *p) {
  const double last = p->out->count > 0 ? horizons[p->out->count - 1] : 0;
  const ptrdiff_t most = guide_samples(p) + (ptrdiff_t)(last * p->info->rate_hz + 0.5) + 1;
  return most < p->info->count ? most : p->info->count;
}

/* memory of the recording and of the traces */
static double *new_memory(predictor *p) {
  const ptrdiff_t count = p->info->count, n = p->n, most = most_samples(p);
  const ptrdiff_t nrow = p->info->ntorque > n ? p->info->ntorque : n;
  double *memory =
      rbv_alloc((size_t)((2 * n + nrow) * count + AT_ONCE * most * n) * sizeof *memory);
  if (!memory) return NULL;
  p->q = memory;
  p->dq = p->q + count * n;
  p->tau = p->dq + count * n;
  for (int i = 0; i < AT_ONCE; i++)
    p->trace[i] = (rbv_sim_trace){.ld = most, .q = p->tau + count * nrow + i * most * n};
  return memory;
}

/* the lanes of a motion, all of the same robot */
static rbv_status new_simulation(rbv_sim **out, predictor *p, int motion) {
  rbv_sim_options options = rbv_sim_defaults();
  options.loaded = p->info->loaded;
  options.longest_delay_s = p->options->delay_s;
  for (int j = 0; j < p->n; j++) p->delay[j] = p->options->delay_s;
  const rbv_sim_lane lane = {.chi = p->chi,
                             .known = p->options->known,
                             .delay = p->options->delay_s > 0 ? p->delay : NULL,
                             .bias = p->options->bias};
  RBV_TRY(new_torque_law(&p->torques, p->n, p->info->rate_hz));
  p->control = p->out->closed ? p->options->controls[motion] : p->torques;
  RBV_TRY(rbv_sim_new(out, p->model, p->control, &options, AT_ONCE));
  for (int i = 0; i < AT_ONCE; i++) RBV_TRY(rbv_sim_set(*out, i, &lane));
  return RBV_OK;
}

static rbv_status predict_motion(predictor *p, rbv_motion *motion, int i, double spacing_s) {
  const ptrdiff_t count = p->info->count;
  const double rate = p->info->rate_hz;
  rbv_sim *sim = NULL;
  double *memory = new_memory(p);
  p->valid = rbv_alloc((size_t)count * sizeof *p->valid);
  rbv_status status = memory && p->valid ? read_motion(p, motion, i) : RBV_EMEM;
  if (status == RBV_OK) status = new_simulation(&sim, p, i);
  const ptrdiff_t edge = (ptrdiff_t)(EDGE_S * rate), step = (ptrdiff_t)fmax(1, spacing_s * rate);
  for (ptrdiff_t k = edge + guide_samples(p); k < count - edge && status == RBV_OK; k += step)
    status = predict_from(p, sim, i, k, count - edge);
  if (status == RBV_OK) status = run_waiting(p, sim);
  rbv_sim_free(sim);
  rbv_control_free(p->torques);
  p->torques = NULL;
  rbv_free(p->valid);
  rbv_free(memory);
  return status;
}

/* ---- all motions ---- */

static void finish(rbv_horizons *h, int n) {
  for (int i = 0; i < h->count; i++) {
    rbv_horizon *one = &h->horizon[i];
    const double used = one->starts - one->lost;
    for (int j = 0; j < n; j++) {
      one->joint[j] = used > 0 ? sqrt(one->joint[j] / used) : NAN;
      one->naive[j] = used > 0 ? sqrt(one->naive[j] / used) : NAN;
    }
    one->tool = used > 0 ? sqrt(one->tool / used) : NAN;
    one->tool_naive = used > 0 ? sqrt(one->tool_naive / used) : NAN;
  }
}

static rbv_status check(const rbv_horizon_options *o, rbv_motion *const *motions, int nmotion,
                        int n) {
  for (int i = 0; i < nmotion; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(motions[i]);
    if (!o->controls) continue;
    const double rate = rbv_control_rate_hz(o->controls[i]);
    if (!o->reference || !o->reference[i].q)
      return rbv_fail(RBV_EINPUT, "'%s' has no reference: its loop cannot be predicted",
                      info->name);
    if (o->reference[i].count != info->count || rbv_control_joint_count(o->controls[i]) != n)
      return rbv_fail(RBV_EDIM, "'%s': reference or controller do not fit to the motion",
                      info->name);
    if (!(fabs(info->rate_hz - rate) <= 1e-3 * rate))
      return rbv_fail(RBV_EINPUT, "'%s' is sampled at %g Hz, but its controller runs at %g Hz",
                      info->name, info->rate_hz, rate);
  }
  return RBV_OK;
}

rbv_status rbv_predict_motion(rbv_horizons **out, const rbv_model *m, rbv_motion *const *motions,
                              int nmotion, const double *chi, const rbv_horizon_options *options) {
  static const rbv_horizon_options nothing = {0};
  *out = NULL;
  const rbv_horizon_options *o = options ? options : &nothing;
  if (!m || !motions || nmotion < 1 || !chi)
    return rbv_fail(RBV_EARG, "a prediction needs a model, motions and parameters");
  const int n = rbv_model_joint_count(m);
  RBV_TRY(check(o, motions, nmotion, n));
  rbv_horizons *h;
  double *values;
  RBV_CARVE_OBJECT(h, a, values = RBV_TAKE(a, 2 * RBV_HORIZONS * n, double));
  double *scratch = rbv_alloc((size_t)((2 * AT_ONCE + 4) * n) * sizeof *scratch);
  predictor p = {.model = m, .options = o, .chi = chi, .n = n, .start = scratch, .out = h};
  rbv_status status = h && scratch ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_new(&p.dynamics, m);
  if (status == RBV_OK) {
    h->closed = o->controls != NULL;
    p.delay = scratch + (ptrdiff_t)(2 * AT_ONCE + 3) * n;
    double total = 0, longest = 0;
    for (int i = 0; i < nmotion; i++) {
      const rbv_motion_info *info = rbv_motion_get_info(motions[i]);
      total += (double)info->count / info->rate_hz;
      longest = fmax(longest, (double)info->count / info->rate_hz - 3 * EDGE_S);
    }
    longest = fmin(longest, o->longest_s > 0 ? o->longest_s : LONGEST_S);
    for (int i = 0; i < RBV_HORIZONS && horizons[i] <= longest; i++, h->count++)
      h->horizon[i] = (rbv_horizon){.horizon_s = horizons[i],
                                    .joint = values + (ptrdiff_t)2 * i * n,
                                    .naive = values + (ptrdiff_t)(2 * i + 1) * n};
    const double spacing = total / (o->starts > 0 ? o->starts : STARTS);
    for (int i = 0; i < nmotion && status == RBV_OK; i++) {
      p.info = rbv_motion_get_info(motions[i]);
      status = predict_motion(&p, motions[i], i, spacing);
    }
    finish(h, n);
  }
  rbv_dynamics_free(p.dynamics);
  rbv_free(scratch);
  RBV_GIVE(out, h, status, rbv_free(h));
}

void rbv_horizons_free(rbv_horizons *h) { rbv_free(h); }
