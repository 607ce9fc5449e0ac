#include "payload_trial.h"

#include <math.h>

#include "motions.h"
#include "support.h"

#define RATE 1000
#define SECONDS 90
#define DECIMATE 500  // 0.8 RATE / (2 DECIMATE) = 0.8 Hz
#define FASTEST_HZ 0.3

/* payload that corresponds to the parameters of the model */
static void true_payload(rbv_payload *out, const rbv_model *m) {
  const double *chi = rbv_model_parameters(m);
  double p[RBV_INERTIAL] = {0};
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->joint == rbv_model_joint_count(m)) p[column->component] = chi[c];
  }
  const double *I = p, *mc = p + 6, M = p[9];
  out->mass = M;
  for (int i = 0; i < 3; i++) out->centre[i] = mc[i] / M;
  const double xx = mc[0] * mc[0] / M, yy = mc[1] * mc[1] / M, zz = mc[2] * mc[2] / M;
  const double about[6] = {I[0] - yy - zz, I[1] + mc[0] * mc[1] / M, I[2] + mc[0] * mc[2] / M,
                           I[3] - xx - zz, I[4] + mc[1] * mc[2] / M, I[5] - xx - yy};
  for (int i = 0; i < 6; i++) out->inertia[i] = about[i];
}

rbv_payload payload_trial(rbv_payload *truth, int sensing, uint64_t seed) {
  rbv_model *m = load_robot("lwr4+", sensing, true);
  waves w[2];
  rbv_motion *motion[2];
  for (int i = 0; i < 2; i++) {
    waves_new_within_limits(&w[i], m, rbv_model_parameters(m), 50 + seed, SECONDS * RATE, RATE,
                            i == 1, FASTEST_HZ);
    waves_add_coloured(&w[i], m, 100 * seed + (uint64_t)i, 5, 0.15, 0.04);
    motion[i] = waves_motion(&w[i]);
  }
  rbv_identify_options o = rbv_identify_defaults();
  o.filter.decimate = DECIMATE;
  rbv_estimate *e;
  rbv_payload p;
  assert_ok(rbv_identify(&e, m, motion, 2, &o));
  assert_ok(rbv_payload_get(&p, e, m));
  if (truth) true_payload(truth, m);
  rbv_estimate_free(e);
  for (int i = 0; i < 2; i++) {
    rbv_motion_free(motion[i]);
    waves_free(&w[i]);
  }
  rbv_model_free(m);
  return p;
}
