/* Recordings of mechanisms under drives with PD laws, quantised positions and noise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism_internal.h"
#include "support.h"

#define SINES 5
#define STEP_S 1.25e-4  // of the integration: friction is stiff

typedef struct {
  double amplitude, speed, phase;
} wave;

/* reference of a driven joint: sums of sines that begin with a smooth start */
static double reference_at(const wave *w, double home, double t) {
  const double ramp = t < 1 ? t * t * (3 - 2 * t) : 1;
  double x = 0;
  for (int i = 0; i < SINES; i++) x += w[i].amplitude * sin(w[i].speed * t + w[i].phase);
  return home + ramp * x;
}

/* the laws: bandwidth times what the drive moves alone */
static void tune(mechanism_record *r, const mechanism *m, const mechanism_plan *plan) {
  double q[N], still[N] = {0}, tau[N] = {0}, a[N], b[N];
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  mechanism_accelerate(a, NULL, m, q, still, tau);
  r->filter_s = 1 / (plan->roll_off * plan->stiffness);
  for (int i = 0, k = 0; i < m->n; i++) {
    if (!m->joint[i].driven) continue;
    tau[i] = 1;
    mechanism_accelerate(b, NULL, m, q, still, tau);
    tau[i] = 0;
    const double inertia = 1 / (b[i] - a[i]);
    r->k_p[k] = inertia * plan->stiffness * plan->stiffness;
    r->k_d[k++] = 2 * inertia * plan->stiffness;
  }
}

/* the motion of the driven joints at a tick, without errors of sensors */
static void keep_exact(mechanism_record *r, const mechanism *m, ptrdiff_t k, const double *q,
                       const double *dq, const double *tau) {
  double ddq[N];
  mechanism_accelerate(ddq, NULL, m, q, dq, tau);
  for (int i = 0, j = 0; i < m->n; i++) {
    if (!m->joint[i].driven) continue;
    const double *const from[3] = {q, dq, ddq};
    for (int d = 0; d < 3; d++) r->exact[d][k + j * r->count] = from[d][i];
    j++;
  }
}

mechanism_record mechanism_simulate(const mechanism *m, const mechanism_plan *plan) {
  const ptrdiff_t count = (ptrdiff_t)(plan->seconds * plan->rate_hz);
  mechanism_record r = {.count = count, .n = m->ndriven};
  const size_t size = (size_t)count * (size_t)r.n;
  r.q = calloc(7 * size, sizeof *r.q);
  r.tau = r.q + size;
  r.reference = r.tau + size;
  for (int i = 0; i < 4; i++) r.exact[i] = r.q + (size_t)(3 + i) * size;
  mechanism_dice moves = {.state = plan->motion * 7919}, noise = {.state = plan->seed * 104729};
  wave waves[N][SINES];
  for (int j = 0; j < r.n; j++)
    for (int i = 0; i < SINES; i++)
      waves[j][i] =
          (wave){plan->reach / SINES * (0.6 + 0.8 * mechanism_uniform(&moves)),
                 TURN * (0.15 + 1.1 * mechanism_uniform(&moves)), TURN * mechanism_uniform(&moves)};
  tune(&r, m, plan);
  const double T = 1 / plan->rate_hz, pole = exp(-T / r.filter_s);
  const int substeps = (int)ceil(T / STEP_S);
  double q[N] = {0}, dq[N] = {0}, tau[N] = {0}, last[N], rate[N] = {0};
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  for (ptrdiff_t k = 0; k < count; k++) {
    for (int i = 0, j = 0; i < m->n; i++) {
      if (!m->joint[i].driven) continue;
      const ptrdiff_t at = k + j * count;
      const double step = plan->counts > 0 ? TURN / plan->counts : 0;
      r.q[at] = step > 0 ? step * rint(q[i] / step) : q[i];
      r.reference[at] = reference_at(waves[j], m->joint[i].home, (double)k * T);
      const double error = r.reference[at] - r.q[at];
      rate[j] = k == 0 ? 0 : pole * rate[j] + (1 - pole) * (error - last[j]) / T;
      last[j] = error;
      tau[i] = r.exact[3][at] = r.k_p[j] * error + r.k_d[j] * rate[j];
      j++;
    }
    keep_exact(&r, m, k, q, dq, tau);
    for (int s = 0; s < substeps; s++) mechanism_step(q, dq, m, tau, T / substeps);
  }
  for (int j = 0; j < r.n; j++) {
    double sum = 0, mean = 0;
    for (ptrdiff_t k = 0; k < count; k++) mean += r.exact[3][k + j * count] / (double)count;
    for (ptrdiff_t k = 0; k < count; k++) sum += pow(r.exact[3][k + j * count] - mean, 2);
    r.noise[j] = plan->noise * sqrt(sum / (double)count);
    const double keep = plan->noise_hz > 0 ? exp(-TURN * plan->noise_hz * T) : 0;
    double coloured = mechanism_normal(&noise);
    for (ptrdiff_t k = 0; k < count; k++) {
      r.tau[k + j * count] = r.exact[3][k + j * count] + r.noise[j] * coloured;
      coloured = keep * coloured + sqrt(1 - keep * keep) * mechanism_normal(&noise);
    }
  }
  return r;
}

void mechanism_record_free(mechanism_record *r) { free(r->q); }

void mechanism_record_write(const mechanism_record *r, const mechanism *m,
                            const mechanism_plan *plan, const char *log, const char *controller) {
  static const char *const stem[] = {"q", "tau", "qr"};
  const double *const from[] = {r->q, r->tau, r->reference};
  FILE *f = fopen(temp_file(log, ""), "w");
  (void)m;
  fprintf(f, "t");
  for (int s = 0; s < 3; s++)
    for (int j = 0; j < r->n; j++) fprintf(f, ",%s%d", stem[s], j + 1);
  for (ptrdiff_t k = 0; k < r->count; k++) {
    fprintf(f, "\n%.9g", (double)k / plan->rate_hz);
    for (int s = 0; s < 3; s++)
      for (int j = 0; j < r->n; j++) fprintf(f, ",%.12g", from[s][k + j * r->count]);
  }
  fprintf(f, "\n");
  fclose(f);
  f = fopen(temp_file(controller, ""), "w");
  fprintf(f, "rate_hz: %.9g\njoints:\n", plan->rate_hz);
  for (int j = 0; j < r->n; j++)
    fprintf(f, "  - {k_p: %.17g, k_d: %.17g, filter_s: %.17g}\n", r->k_p[j], r->k_d[j],
            r->filter_s);
  fclose(f);
}
