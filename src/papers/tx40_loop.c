#include "papers/tx40_loop.h"

#include <math.h>

#include "papers/printed_parameters.h"

#define N TX40_JOINTS
#define GAMMA 150
#define DISTURBANCE_HZ 20
#define STRIDE 50  // samples between evaluations of the inertia

static rbv_status take_truth(tx40_setup *b, const tx40_printed *printed, int count) {
  if (rbv_model_column_count(b->model) != TX40_COLUMNS)
    return rbv_fail(RBV_EDIM, "the built-in tx40 has %d columns, the papers have %d",
                    rbv_model_column_count(b->model), TX40_COLUMNS);
  const int Ia6 = rbv_model_find(b->model, "Ia6");
  b->truth[Ia6] = rbv_model_parameters(b->model)[Ia6];
  for (int i = 0; i < count; i++) {
    double rounding;
    rbv_printed_number(&b->truth[rbv_model_find(b->model, printed[i].name)], &rounding,
                       printed[i].value);
  }
  return RBV_OK;
}

static rbv_status take_reference(tx40_setup *b, double *rate_hz) {
  int njoint;
  ptrdiff_t count;
  RBV_TRY(rbv_sim_reference_builtin(&b->q, &count, &njoint, rate_hz, "tx40"));
  b->reference = (rbv_sim_reference){.count = count, .ld = count, .q = b->q};
  return rbv_sim_inertia(b->inertia, b->model, b->truth, false, &b->reference, STRIDE);
}

static rbv_status make_control(tx40_setup *b, const tx40_mode *mode, double rate_hz) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  const double turn = 2 * RBV_PI;
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++)
    joint[j] = rbv_control_tune(b->inertia[j], turn * base_hz[j] * mode->bandwidth, mode->integral,
                                mode->roll_off);
  return rbv_control_new(&b->control, "experiment", rate_hz, RBV_FEEDFORWARD_NONE, joint, N);
}

static rbv_status simulate(rbv_log **log, tx40_setup *b, const rbv_sim_options *o, uint64_t seed) {
  rbv_sim *sim;
  rbv_sim_outcome outcome;
  const rbv_sim_lane lane = {.chi = b->truth, .seed = seed};
  const rbv_sim_columns columns = {.reference = true};
  RBV_TRY(rbv_sim_new(&sim, b->model, b->control, o, 1));
  rbv_status status = rbv_sim_set(sim, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(&outcome, sim, &b->reference, &b->trace);
  if (status == RBV_OK && outcome.verdict != RBV_SIM_DONE) {
    char sentence[256];
    rbv_sim_describe(sentence, sizeof sentence, sim, &outcome);
    status = rbv_fail(RBV_ENUM, "the simulated tx40 does not follow its reference: %s", sentence);
  }
  if (status == RBV_OK && log) status = rbv_sim_log(log, sim, 0, &b->trace, &outcome, &columns);
  rbv_sim_free(sim);
  return status;
}

/* simulate twice: the first run, without disturbance, gives the scale of the disturbance */
static rbv_status record(tx40_setup *b, const tx40_mode *mode) {
  double disturbance[N];
  rbv_sim_options o = rbv_sim_defaults();
  RBV_TRY(rbv_sim_trace_new(&b->trace, N, b->reference.count));
  RBV_TRY(simulate(NULL, b, &o, mode->seed));
  rbv_sim_deviation(disturbance, &b->trace, N, b->reference.count);
  for (int j = 0; j < N; j++) disturbance[j] *= mode->disturbance;
  o.defects.loop_counts = mode->in_loop ? mode->counts : 0;
  o.defects.record_counts = mode->in_loop ? 0 : mode->counts;
  o.defects.loop_noise = mode->loop_noise;
  o.defects.disturbance = disturbance;
  o.defects.disturbance_hz = DISTURBANCE_HZ;
  return simulate(&b->log, b, &o, mode->seed);
}

rbv_status rbv_tx40_setup_new(tx40_setup *b, const tx40_printed *printed, int count,
                              const tx40_mode *mode) {
  *b = (tx40_setup){.model = NULL};
  double rate_hz;
  rbv_model_options o = rbv_model_defaults();
  o.gamma = GAMMA;
  RBV_TRY(rbv_model_load(&b->model, "tx40", &o));
  RBV_TRY(take_truth(b, printed, count));
  RBV_TRY(take_reference(b, &rate_hz));
  RBV_TRY(make_control(b, mode, rate_hz));
  return record(b, mode);
}

rbv_status rbv_tx40_setup_motion(rbv_motion **out, const tx40_setup *b, rbv_differentiation method,
                                 double cutoff_hz) {
  rbv_differentiate_options d = rbv_differentiate_defaults();
  d.method = method;
  d.cutoff_hz = cutoff_hz;
  return rbv_motion_from_log(out, b->model, b->log, &d);
}

void rbv_tx40_setup_free(tx40_setup *b) {
  rbv_log_free(b->log);
  rbv_sim_trace_free(&b->trace);
  rbv_control_free(b->control);
  rbv_sim_reference_release(b->q);
  rbv_model_free(b->model);
}
