#include "drives.h"

#include "motions.h"
#include "support.h"

#define RATE 200
#define SECONDS 90
#define MASS 4.60

const double drives_gain[DRIVES] = {12.5, 14, 9.5, 9, 6.5, 4, 3.2};

static void to_currents(waves *w) {
  for (int j = 0; j < DRIVES; j++)
    for (ptrdiff_t k = 0; k < w->count; k++) w->torque[k + j * w->count] /= drives_gain[j];
}

void drives_identify(double gain[DRIVES], double sigma[DRIVES], uint64_t seed, double noise,
                     double noise_hz, int decimate) {
  rbv_model *m = load_robot("lwr4+", RBV_SENSING_MOTOR, true);
  waves w[2];
  rbv_motion *motion[2];
  for (int i = 0; i < 2; i++) {
    const uint64_t stream = 2 * seed + (uint64_t)i;
    waves_new_within_limits(&w[i], m, rbv_model_parameters(m), 50, SECONDS * RATE, RATE, i == 1,
                            0.5);
    to_currents(&w[i]);
    if (noise_hz > 0)
      waves_add_coloured(&w[i], m, stream, noise_hz, noise, noise);
    else
      waves_add_white(&w[i], stream, noise);
    motion[i] = waves_motion(&w[i]);
  }
  const rbv_row_filter filter = {.decimate = decimate};
  assert_ok(rbv_identify_gains(gain, sigma, m, motion, 2, &filter, MASS, seed));
  for (int i = 0; i < 2; i++) {
    rbv_motion_free(motion[i]);
    waves_free(&w[i]);
  }
  rbv_model_free(m);
}
