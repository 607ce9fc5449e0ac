/*
 * Twenty arms of 4 to 7 axes that MuJoCo simulates: soft and stiff gains, dry friction of 1 to 30 %
 * of the peak torque, encoders of 8 to 14 bits, recorders of 50 to 500 Hz, commands that are 0 to
 * 20 ms late. The drives close their loops at 1 kHz with a sensor of their own; the recorder reads
 * the encoder. Drives and delay are identified from positions and commands, links known.
 * `ARMS FIRST` as arguments: a part of the study.
 */
#include <roberval/sys/dynamics.h>

#include "control/control.h"
#include "mujoco_plant.h"

#define ARMS 20
#define DRIVE_HZ 1000
#define SECONDS 12.0
#define STEP_S 5e-6  // of MuJoCo: friction acts half a step early, which looks like more inertia

typedef struct {
  int n, counts, late;  // late: ticks of the drive
  double rate_hz;       // of the recorder
  double k_p[PLANT_JOINTS], k_d[PLANT_JOINTS];
  double Ia[PLANT_JOINTS], Fv[PLANT_JOINTS], Fc[PLANT_JOINTS];
  uint64_t seed;
} arm;

static double between(const arm *a, int stream, int i, double low, double high) {
  return low + (high - low) * rbv_random_uniform(a->seed, (uint64_t)stream, (uint64_t)i);
}

/* the same over decades */
static double decades(const arm *a, int stream, int i, double low, double high) {
  return low * pow(high / low, rbv_random_uniform(a->seed, (uint64_t)stream, (uint64_t)i));
}

/* a robot file: links that become lighter and shorter, drives as they are in `a` */
static void write_arm(rbv_text *t, const arm *a) {
  const double size = decades(a, 1, 0, 0.6, 1.6);
  rbv_text_put(t, "name: arm\ngravity: [0, 0, -9.81]\njoints:\n");
  for (int j = 0; j < a->n; j++)
    rbv_text_print(t,
                   "  - {name: j%d, mdh: {alpha: %s, d: %.6f, theta: 0, r: %.6f}, drive: [Ia, Fv, "
                   "Fc]}\n",
                   j + 1,
                   j == 0       ? "0"
                   : j % 3 == 2 ? "0"
                   : j % 2      ? "-pi/2"
                                : "pi/2",
                   j > 0 && j % 3 == 2 ? 0.25 * size : 0.0, j > 2 ? 0.08 * size : 0.0);
  rbv_text_put(t, "friction: {smooth: 0.0005}\nparameters: {");
  for (int j = 0; j < a->n; j++) {
    const double m = 4 * size * size * pow(0.6, j) * between(a, 2, j, 0.7, 1.3);
    const double x = 0.12 * size * pow(0.85, j) * between(a, 3, j, 0.6, 1.2);
    const double y = 0.02 * size * between(a, 4, j, -1, 1), s = 0.05 * size;
    rbv_text_print(t,
                   "%sM%d: %.9g, MX%d: %.9g, MY%d: %.9g, XX%d: %.9g, YY%d: %.9g, ZZ%d: %.9g, XY%d: "
                   "%.9g, Ia%d: %.9g, Fv%d: %.9g, Fc%d: %.9g",
                   j ? ",\n  " : "", j + 1, m, j + 1, m * x, j + 1, m * y, j + 1,
                   m * (s * s + y * y), j + 1, m * (s * s + x * x), j + 1,
                   m * (s * s + x * x + y * y), j + 1, -m * x * y, j + 1, a->Ia[j], j + 1, a->Fv[j],
                   j + 1, a->Fc[j]);
  }
  rbv_text_put(t, "}\n");
}

/* peak torque without friction, and largest inertia of each joint along the reference */
static void find_sizes(double *peak, double *inertia, const rbv_model *m, const double *reference,
                       ptrdiff_t count, double rate) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  for (int j = 0; j < n; j++) peak[j] = inertia[j] = 0;
  for (ptrdiff_t k = 1; k + 1 < count; k += 5) {
    double q[PLANT_JOINTS], dq[PLANT_JOINTS], ddq[PLANT_JOINTS], tau[PLANT_JOINTS],
        M[PLANT_JOINTS * PLANT_JOINTS];
    for (int j = 0; j < n; j++) {
      const double *r = reference + k + j * count;
      q[j] = r[0];
      dq[j] = (r[1] - r[-1]) * rate / 2;
      ddq[j] = (r[1] - 2 * r[0] + r[-1]) * rate * rate;
    }
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    rbv_dynamics_mass(M, d, q);
    for (int j = 0; j < n; j++) {
      peak[j] = fmax(peak[j], fabs(tau[j]));
      inertia[j] = fmax(inertia[j], M[j + j * n]);
    }
  }
  rbv_dynamics_free(d);
}

static rbv_control *law_of(const arm *a, double rate, int ticks, double late_s) {
  rbv_control_joint joint[PLANT_JOINTS];
  for (int j = 0; j < a->n; j++) {
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = a->k_p[j];
    joint[j].k_d = a->k_d[j];
    joint[j].filter_s = 0.003;
    joint[j].reference_velocity = 0;
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", rate, RBV_FEEDFORWARD_NONE, joint, a->n));
  rbv_control_set_drive(c, ticks, late_s);
  return c;
}

/* draw arm number `number`, and load it: its drives suit its links */
static void draw_arm(mujoco_robot *r, arm *a, double **reference, int number) {
  static const double rates[] = {50, 100, 200, 250, 500};
  *a = (arm){.seed = 7000 + (uint64_t)number, .n = 4 + number % 4};
  a->rate_hz = rates[number % 5];
  a->counts = 1 << (8 + (number / 2) % 7);
  a->late = (int)between(a, 5, 0, 0, 21);
  for (int j = 0; j < a->n; j++) a->Ia[j] = 1e-3;
  rbv_text t = {0};
  write_arm(&t, a);
  mujoco_load(r, t.data, STEP_S);
  const experiment x = {.rate_hz = a->rate_hz, .amplitude = 0.3, .seed = a->seed};
  const ptrdiff_t count = (ptrdiff_t)(SECONDS * a->rate_hz);
  *reference = multisine(r, &x, count);
  double peak[PLANT_JOINTS], inertia[PLANT_JOINTS];
  find_sizes(peak, inertia, r->m, *reference, count, a->rate_hz);
  const bool stiff = number % 2;
  for (int j = 0; j < a->n; j++) {
    a->Ia[j] = inertia[j] * decades(a, 6, j, 0.2, 2);
    const double all = inertia[j] + a->Ia[j], w = 2 * M_PI * (stiff ? 5 : 2.5);
    a->k_p[j] = all * w * w;
    a->k_d[j] = 1.2 * all * w;
    // torque of the rotor at the speed of the motion belongs to the peak
    const double torque = peak[j] + 10 * a->Ia[j];
    a->Fc[j] = torque * decades(a, 7, j, 0.01, 0.3);
    a->Fv[j] = torque * decades(a, 8, j, 0.01, 0.1);
  }
  mujoco_unload(r);
  rbv_text_free(&t);
  write_arm(&t, a);
  mujoco_load(r, t.data, STEP_S);
  rbv_text_free(&t);
}

/* positions of the rows, as the encoder reads them */
static double *run_arm(mujoco_robot *r, const arm *a, const double *reference, ptrdiff_t count) {
  mjData *d = r->o.d;
  const int ticks = (int)(DRIVE_HZ / a->rate_hz + 0.5),
            steps = (int)(1 / (DRIVE_HZ * STEP_S) + 0.5);
  const double unit = 2 * M_PI / a->counts;
  double *q = malloc((size_t)(count * a->n) * sizeof *q), tau[PLANT_JOINTS];
  rbv_control *c = law_of(a, DRIVE_HZ, 1, 0);
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, 1));
  mj_resetData(r->o.m, d);
  for (int j = 0; j < a->n; j++) d->qpos[j] = reference[j * count];
  for (ptrdiff_t k = 0; k < count * ticks; k++) {
    const ptrdiff_t row = k < a->late ? 0 : (k - a->late) / ticks;
    double qr[PLANT_JOINTS], qm[PLANT_JOINTS];
    for (int j = 0; j < a->n; j++) {
      qr[j] = reference[row + j * count];
      qm[j] = d->qpos[j];
      if (k % ticks == 0) q[k / ticks + j * count] = unit * nearbyint(qm[j] / unit);
    }
    rbv_control_step(tau, s, &(rbv_control_input){.qr = qr, .qm = qm});
    for (int i = 0; i < steps; i++) {
      memcpy(d->qfrc_applied, tau, (size_t)a->n * sizeof *tau);
      mj_step(r->o.m, d);
    }
  }
  rbv_control_state_free(s);
  rbv_control_free(c);
  return q;
}

static rbv_estimate *fit_arm(const mujoco_robot *r, const arm *a, const double *reference,
                             double *q, ptrdiff_t count) {
  static const rbv_unknown late = {.kind = RBV_UNKNOWN_COMMAND, .joint = -1};
  const int ticks = (int)(DRIVE_HZ / a->rate_hz + 0.5), nc = rbv_model_column_count(r->m);
  const size_t size = (size_t)(count * a->n);
  double *zero = calloc(size, sizeof *zero);
  const rbv_motion_info info = {
      .name = "arm", .njoint = a->n, .ntorque = a->n, .count = count, .rate_hz = a->rate_hz};
  const rbv_samples samples = {.ld = count, .q = q, .dq = zero, .ddq = zero, .torque = zero};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  double *start = malloc((size_t)nc * sizeof *start);
  for (int c = 0; c < nc; c++) start[c] = 1.5 * r->chi[c];
  rbv_control *law = law_of(a, a->rate_hz, ticks, 0.005);
  const rbv_sim_reference at = {.count = count, .ld = count, .q = reference};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = law;
  loop.reference = &at;
  loop.start = start;
  loop.known = r->chi;
  loop.known_links = true;
  loop.unknown = &late;
  loop.nunknown = 1;
  loop.skip = (ptrdiff_t)(0.5 * a->rate_hz);
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, r->m, &motion, 1, &how));
  rbv_motion_free(motion);
  rbv_control_free(law);
  free(start);
  free(zero);
  return e;
}

/* Over all arms. */
typedef struct {
  int ended, arms, values, covered, late;  // late: delays within 1 ms
  double error[ARMS * 3 * PLANT_JOINTS];
} totals;

static void count_value(totals *t, const char *name, double value, double sigma, double truth) {
  t->error[t->values++] = fabs(value / truth - 1);
  t->covered += fabs(value - truth) <= 1.96 * sigma;
  if (fabs(value - truth) > 3 * sigma)
    print_message("    %s %.5g +- %.2g, true %.5g\n", name, value, sigma, truth);
}

static void judge_arm(totals *t, const mujoco_robot *r, const arm *a, const rbv_estimate *e) {
  static const char *const drive[] = {"Ia", "Fv", "Fc"};
  t->arms++;
  t->ended += e->converged;
  for (int k = 0; k < e->base->count; k++)
    for (int i = 0; i < 3; i++) {
      const int c = e->base->kept[k];
      if (rbv_column_has_law(rbv_model_column(r->m, c), drive[i]))
        count_value(t, e->base->name[k], e->value[k],
                    sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]), r->chi[c]);
    }
  for (int i = 0; i < e->loop.nunknown; i++) {
    const rbv_loop_value *u = &e->loop.unknown[i];
    if (strcmp(u->name, "command_delay") != 0) {
      count_value(t, u->name, u->value, u->sigma, r->chi[rbv_model_find(r->m, u->name)]);
      continue;
    }
    const double truth = (double)a->late / DRIVE_HZ;
    t->late += fabs(u->value - truth) <= 1e-3;
    print_message("    delay %.2f +- %.2f ms, true %.0f\n", 1e3 * u->value, 1e3 * u->sigma,
                  1e3 * truth);
  }
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int first_arm, wanted = ARMS;

static void test_arms(void **state) {
  (void)state;
  static totals t;
  for (int i = first_arm; i < first_arm + wanted; i++) {
    mujoco_robot r;
    arm a;
    double *reference;
    draw_arm(&r, &a, &reference, i);
    const ptrdiff_t count = (ptrdiff_t)(SECONDS * a.rate_hz);
    double *q = run_arm(&r, &a, reference, count);
    print_message("arm %d: %d axes, %s, %d counts, %g Hz\n", i, a.n, i % 2 ? "stiff" : "soft",
                  a.counts, a.rate_hz);
    rbv_estimate *e = fit_arm(&r, &a, reference, q, count);
    judge_arm(&t, &r, &a, e);
    print_message("    %s, %d simulations\n", e->converged ? "converged" : "not converged",
                  e->loop.simulations);
    rbv_estimate_free(e);
    free(q);
    free(reference);
    mujoco_unload(&r);
  }
  qsort(t.error, (size_t)t.values, sizeof *t.error, by_size);
  const double median = t.error[t.values / 2], coverage = (double)t.covered / t.values;
  print_message(
      "%d of %d arms converged; %d values: median error %.2f %%, 90 %% below %.2f %%, %.1f %% "
      "covered; %d of %d delays within 1 ms\n",
      t.ended, t.arms, t.values, 100 * median, 100 * t.error[9 * t.values / 10], 100 * coverage,
      t.late, t.arms);
  if (wanted < ARMS) return;
  assert_int_equal(t.ended, t.arms);
  assert_int_equal(t.late, t.arms);
  assert_true(median <= 0.03);
  assert_true(coverage >= 0.9 && coverage <= 0.98);
}

int main(int argc, char **argv) {
  if (argc > 1) wanted = atoi(argv[1]);
  if (argc > 2) first_arm = atoi(argv[2]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
