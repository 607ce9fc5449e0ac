/*
 * Closed-loop output error from hard starts: delay, gains and friction of the TX40 are unknown
 * together, the links are known. Twenty robots have delays up to 15 ms, gains 0.4 to 2.5 times
 * those that are given and friction 0.2 to 5 times that of the robot file. Every search starts from
 * the given gains, the robot file and no delay.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/watch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/support.h"
#include "device/device.h"
#include "support.h"

enum { JOINTS = 6, ROBOTS = 20, GAINS = 2 };

#define DELAY_MOST 0.015
#define GAIN_RANGE 2.5
#define FRICTION_RANGE 5.0
#define COUNTS 1e5  // of the encoders

static rbv_model *model;
static double *reference;  // count x JOINTS
static ptrdiff_t count;
static rbv_control *given;
static double rate = 1000;  // of the controllers
static int first, last = ROBOTS, population;
static rbv_device *device;

static int set_up(void **state) {
  (void)state;
  rbv_model_options smooth = rbv_model_defaults();
  smooth.gamma = 150;  // the law of the sensitivities is that of the simulation
  assert_ok(rbv_model_load(&model, "tx40", &smooth));
  double *q, own_rate, J[JOINTS];
  ptrdiff_t all;
  int n;
  assert_ok(rbv_sim_reference_builtin(&q, &all, &n, &own_rate, "tx40"));
  const ptrdiff_t step = (ptrdiff_t)(own_rate / rate + 0.5);
  count = all / step;
  reference = malloc((size_t)(count * JOINTS) * sizeof *reference);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < count; k++) reference[k + j * count] = q[k * step + j * all];
  rbv_sim_reference_release(q);
  const rbv_sim_reference r = {.count = count, .ld = count, .q = reference};
  static const double hertz[] = {2, 2, 2.5, 4, 4, 6};
  rbv_control_joint joint[JOINTS];
  assert_ok(rbv_sim_inertia(J, model, rbv_model_parameters(model), false, &r, 50));
  for (int j = 0; j < JOINTS; j++) joint[j] = rbv_control_tune(J[j], 2 * M_PI * hertz[j], 0, 5);
  assert_ok(rbv_control_new(&given, "pd", rate, RBV_FEEDFORWARD_NONE, joint, JOINTS));
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  rbv_control_free(given);
  free(reference);
  rbv_model_free(model);
  return 0;
}

typedef struct {
  double delay;
  double gain[RBV_GAIN_COUNT * JOINTS];
  double *chi;
} robot;

static bool is_friction(const rbv_column *c) {
  return c->basis != RBV_BASIS_INERTIAL && !rbv_column_has_law(c, "Ia");
}

/* a factor in [1 / range, range] */
static double factor(double range, int number, uint64_t stream, int index) {
  return exp(log(range) * (2 * rbv_random_uniform((uint64_t)number, stream, (uint64_t)index) - 1));
}

static void draw_robot(robot *r, int number, int try) {
  const int nc = rbv_model_column_count(model);
  const uint64_t stream = 10 * (uint64_t)try;
  r->delay = DELAY_MOST * rbv_random_uniform((uint64_t)number, stream, 0);
  for (int i = 0; i < RBV_GAIN_COUNT * JOINTS; i++)
    r->gain[i] = factor(GAIN_RANGE, number, stream + 1, i);
  for (int c = 0; c < nc; c++)
    r->chi[c] =
        rbv_model_parameters(model)[c] * (is_friction(rbv_model_column(model, c))
                                              ? factor(FRICTION_RANGE, number, stream + 2, c)
                                              : 1);
}

/* false: this robot is not stable */
static bool record(rbv_motion **out, const robot *r) {
  double delay[JOINTS];
  for (int j = 0; j < JOINTS; j++) delay[j] = r->delay;
  rbv_sim_options o = rbv_sim_defaults();
  o.longest_delay_s = DELAY_MOST;
  o.defects.record_counts = COUNTS;
  rbv_sim *sim;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  const rbv_sim_reference at = {.count = count, .ld = count, .q = reference};
  const rbv_sim_lane lane = {.chi = r->chi, .delay = delay, .gain = r->gain, .seed = 1};
  assert_ok(rbv_sim_new(&sim, model, given, &o, 1));
  assert_ok(rbv_sim_set(sim, 0, &lane));
  assert_ok(rbv_sim_trace_new(&trace, JOINTS, count));
  assert_ok(rbv_sim_run(&outcome, sim, &at, &trace));
  const rbv_motion_info info = {
      .name = "recording", .njoint = JOINTS, .ntorque = JOINTS, .count = count, .rate_hz = rate};
  const rbv_samples samples = {
      .ld = count, .q = trace.recorded_q, .dq = trace.dq, .ddq = trace.ddq, .torque = trace.tau};
  const bool done = outcome.verdict == RBV_SIM_DONE;
  if (done) assert_ok(rbv_motion_from_arrays(out, &info, &samples));
  rbv_sim_trace_free(&trace);
  rbv_sim_free(sim);
  return done;
}

/* names of gains k_p and k_d of every joint, and the delay */
static int unknowns(rbv_unknown *u) {
  int n = 0;
  u[n++] = (rbv_unknown){.kind = RBV_UNKNOWN_DELAY, .joint = -1};
  for (int j = 0; j < JOINTS; j++) {
    u[n++] = (rbv_unknown){.kind = RBV_UNKNOWN_GAIN, .joint = j, .gain = RBV_GAIN_KP};
    u[n++] = (rbv_unknown){.kind = RBV_UNKNOWN_GAIN, .joint = j, .gain = RBV_GAIN_KD};
  }
  return n;
}

/* position error over tracking error at the optimum; the delay. Infinite: no optimum */
static double fit(double *delay, rbv_motion *motion, bool global) {
  rbv_unknown u[1 + GAINS * JOINTS];
  const rbv_sim_reference r = {.count = count, .ld = count, .q = reference};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = given;
  loop.reference = &r;
  loop.start = loop.known = rbv_model_parameters(model);
  loop.known_links = true;
  loop.skip = (ptrdiff_t)(0.4 * rate);
  loop.unknown = u;
  loop.nunknown = unknowns(u);
  loop.longest_delay_s = 0.03;
  loop.most = 60;
  loop.global = global;
  loop.population = population;
  loop.device = global ? device : NULL;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  o.rough = true;
  o.filter.decimate = (int)(rate / 200);
  rbv_estimate *e;
  const rbv_status status = rbv_identify(&e, model, &motion, 1, &o);
  if (status != RBV_OK) {
    print_message("  %s\n", rbv_message());
    *delay = NAN;
    return INFINITY;
  }
  const double error = e->iteration[e->iterations - 1].residual;
  *delay = e->loop.unknown[0].value;
  print_message("  %d iterations, %d simulations, %d generations, %d of %d starts, converged %d\n",
                e->iterations, e->loop.simulations, e->loop.generations, e->loop.reached,
                e->loop.starts, e->converged);
  rbv_estimate_free(e);
  return error;
}

static void test_hard_starts(void **state) {
  (void)state;
  int by_local = 0, by_global = 0;
  robot r = {.chi = malloc((size_t)rbv_model_column_count(model) * sizeof *r.chi)};
  for (int i = first; i < last; i++) {
    rbv_motion *motion = NULL;
    int try = 0;
    do draw_robot(&r, i + 1, try);
    while (!record(&motion, &r) && ++try < 100);
    assert_non_null(motion);
    double local_delay, global_delay;
    const clock_t begin = clock();
    const double local = fit(&local_delay, motion, false);
    const clock_t middle = clock();
    const double global = fit(&global_delay, motion, true);
    // the right basin: the simulation explains the recording to the resolution of the encoders. The
    // errors of all other optima that were found are 0.09 of the tracking error or more
    by_local += local < 0.01 && fabs(local_delay - r.delay) < 0.25e-3;
    by_global += global < 0.01 && fabs(global_delay - r.delay) < 0.25e-3;
    print_message(
        "robot %2d: delay %.2f ms; local %.2f ms, error %.4f; global %.2f ms, error %.4f; "
        "%.1f and %.1f s\n",
        i + 1, 1e3 * r.delay, 1e3 * local_delay, local, 1e3 * global_delay, global,
        (double)(middle - begin) / CLOCKS_PER_SEC, (double)(clock() - middle) / CLOCKS_PER_SEC);
    rbv_motion_free(motion);
  }
  free(r.chi);
  print_message("right basin: local %d, global %d of %d\n", by_local, by_global, last - first);
  if (last - first < ROBOTS) return;
  assert_true(by_local <= 12);
  assert_true(by_global >= 19);
}

static bool show_generation(void *self, const char *stage, double done) {
  (void)self;
  static double before;
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  const double now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
  if (strcmp(stage, "generations") == 0)
    print_message("  generation at %.0f %%: %.3f s\n", 100 * done, now - before);
  before = now;
  return true;
}

/* arguments: first robot, robot after the last, candidates, device, rate [Hz] */
int main(int argc, char **argv) {
  if (argc > 2) {
    first = atoi(argv[1]);
    last = atoi(argv[2]);
  }
  if (argc > 3) population = atoi(argv[3]);
  char text[RBV_DEVICE_TEXT];
  if (argc > 4 && rbv_device_open(&device, text, argv[4]) != RBV_OK) return 1;
  if (argc > 5) rate = atof(argv[5]);
  if (argc > 4) rbv_watch(show_generation, NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard_starts)};
  const int failed = cmocka_run_group_tests(tests, set_up, tear_down);
  rbv_device_close(device);
  return failed;
}
