/*
 * Simulated arms whose robot file has no coupling. A coupled drive is simulated by its torque: the
 * rotor of motor m follows w = q_m + r q_k, so T = Ia w'' + Fv w' + Fc sign(w') acts on joint m and
 * r T on joint k. Half of the arms have gear friction that grows with the load, which no robot file
 * describes.
 */
#ifndef TEST_CHECK_COUPLED_H
#define TEST_CHECK_COUPLED_H

#include "simulate.h"

typedef struct {
  int motor, joint;
  double ratio;
} coupling;

/* six links of decreasing size with random offsets and axes */
static inline rbv_model *random_arm(dice *d) {
  body b[JOINTS];
  for (int j = 0; j < JOINTS; j++) {
    const double size = pow(0.65, j), length = 0.4 * pow(0.75, j);
    b[j] = (body){.xyz = {uniform(d, -0.3, 0.3) * length, uniform(d, -0.3, 0.3) * length, length},
                  .range = uniform(d, 2, 3),
                  .speed = uniform(d, 2, 4) / sqrt(size),
                  .effort = 200 * size,
                  .mass = 12 * size * uniform(d, 0.7, 1.3),
                  .com = {uniform(d, -0.2, 0.2) * length, uniform(d, -0.2, 0.2) * length,
                          uniform(d, 0.2, 0.8) * length}};
    // adjacent axes are not parallel to the link, or turn by 90 degrees: as in arms
    b[j].axis[j % 2 ? 1 : pick(d, 2) * 2] = 1;
    for (int i = 0; i < 3; i++)
      b[j].inertia[i] = b[j].mass * length * length * (i < 2 ? 0.15 : 0.06) * uniform(d, 0.8, 1.2);
  }
  return build_urdf("arm", b, NULL);
}

static inline double deviation(const double *x, ptrdiff_t n) {
  double mean = 0, sum = 0;
  for (ptrdiff_t k = 0; k < n; k++) mean += x[k] / (double)n;
  for (ptrdiff_t k = 0; k < n; k++) sum += (x[k] - mean) * (x[k] - mean) / (double)n;
  return sqrt(sum);
}

/* the motor's friction and inertia are 20 to 50 % of what the torque of its joint varies by */
static inline void add_coupling(record *r, const path *p, const coupling *c, dice *d) {
  const ptrdiff_t n = r->count;
  double *dw = malloc((size_t)n * sizeof *dw), *ddw = malloc((size_t)n * sizeof *ddw);
  double q[JOINTS], v[JOINTS], a[JOINTS];
  for (ptrdiff_t k = 0; k < n; k++) {
    eval_path(q, v, a, p, r->t[k]);
    dw[k] = v[c->motor] + c->ratio * v[c->joint];
    ddw[k] = a[c->motor] + c->ratio * a[c->joint];
  }
  const double size = deviation(r->tau + c->motor * n, n);
  const double Fc = uniform(d, 0.2, 0.5) * size;
  const double Fv = uniform(d, 0.2, 0.5) * size / deviation(dw, n);
  const double Ia = uniform(d, 0.1, 0.3) * size / deviation(ddw, n);
  for (ptrdiff_t k = 0; k < n; k++) {
    const double T = Ia * ddw[k] + Fv * dw[k] + Fc * ((dw[k] > 0) - (dw[k] < 0));
    r->tau[k + c->motor * n] += T;
    r->tau[k + c->joint * n] += c->ratio * T;
  }
  free(dw);
  free(ddw);
}

/* friction of 2 to 10 % of the load */
static inline void add_load_friction(record *r, const path *p, dice *d) {
  double q[JOINTS], v[JOINTS], a[JOINTS], share[JOINTS];
  for (int j = 0; j < JOINTS; j++) share[j] = uniform(d, 0.02, 0.1);
  for (ptrdiff_t k = 0; k < r->count; k++) {
    eval_path(q, v, a, p, r->t[k]);
    for (int j = 0; j < JOINTS; j++)
      r->tau[k + j * r->count] +=
          share[j] * fabs(r->tau[k + j * r->count]) * ((v[j] > 0) - (v[j] < 0));
  }
}

/* Check one simulated recording; every choice follows from the seed. Returns the model, which the
 * caller frees together with the result. */
static inline rbv_model *check_arm(rbv_check_result **out, const coupling *c, int count,
                                   uint64_t seed) {
  static const double rates[] = {250, 500, 1000};
  dice d = {seed, 77, 0};
  rbv_model *m = seed % 4 == 0   ? build_urdf("cobot", cobot, NULL)
                 : seed % 4 == 1 ? build_urdf("elbow", elbow, NULL)
                                 : random_arm(&d);
  record r;
  path p = {.stop = INFINITY};
  const double duration = uniform(&d, 10, 20);
  if (pick(&d, 2))
    plan_moves(&p, m, &d, duration);
  else
    plan_sines(&p, m, &d, 0.15, uniform(&d, 0.8, 2));
  choose_times(&r, rates[pick(&d, 3)], duration, 0.002, &d);
  run_robot(&r, m, &p, &d);
  if (pick(&d, 2)) add_load_friction(&r, &p, &d);
  for (int i = 0; i < count; i++) add_coupling(&r, &p, &c[i], &d);
  rbv_log *log = to_log(&r);
  assert_ok(rbv_check(out, m, (const rbv_log *const *)&log, 1, NULL));
  rbv_log_free(log);
  free_record(&r);
  return m;
}

static inline const rbv_finding *next_coupling(const rbv_check_result *r, int from) {
  for (int i = from; i < r->nfinding; i++)
    if (r->finding[i].code == RBV_FINDING_COUPLING) return &r->finding[i];
  return NULL;
}

/* count of false couplings, with a line for each */
static inline int false_couplings(int arms, uint64_t seed) {
  int count = 0;
  for (int i = 0; i < arms; i++) {
    rbv_check_result *r;
    rbv_model *m = check_arm(&r, NULL, 0, seed + (uint64_t)i);
    const rbv_finding *f = next_coupling(r, 0);
    if (f) printf("arm %d: %s\n", i, f->sentence);
    count += f != NULL;
    rbv_check_free(r);
    rbv_model_free(m);
  }
  return count;
}

/* count of arms with a coupling of adjacent joints that is named, with no other and the ratio */
static inline int found_couplings(int *wrong, double *worst, int arms, uint64_t seed) {
  static const double ratios[] = {1, -1, 0.5, -0.5, 0.7, 1.3, -1.6, 2};
  int count = 0;
  *wrong = 0;
  *worst = 0;
  for (int i = 0; i < arms; i++) {
    rbv_check_result *r;
    const int motor = 1 + i % (JOINTS - 1);
    const coupling c = {motor, motor - 1, ratios[i % 8]};
    rbv_model *m = check_arm(&r, &c, 1, seed + (uint64_t)i);
    const rbv_finding *f = next_coupling(r, 0);
    const bool right = f && f->joint == c.motor && f->other == c.joint;
    if (!right)
      printf("arm %d, motor %d, ratio %g: %s\n", i, motor + 1, c.ratio,
             f ? f->sentence : "no coupling");
    count += right;
    *wrong += f && !right;
    if (right && fabs(f->value / c.ratio - 1) > 0.05)
      printf("arm %d: ratio %g is given as %g\n", i, c.ratio, f->value);
    if (right) *worst = fmax(*worst, fabs(f->value / c.ratio - 1));
    rbv_check_free(r);
    rbv_model_free(m);
  }
  return count;
}

#endif
