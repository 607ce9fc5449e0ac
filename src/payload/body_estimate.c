#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "model/geometry.h"
#include "payload/payload_internal.h"
#include "result/result.h"
#include "stats/stats.h"

#define OUTPUTS 10  // mass, centre, inertia

void rbv_body_estimate_free(rbv_body_estimate *e) {
  if (!e) return;
  rbv_free(e->own.deviation);
  rbv_free(e->robot.deviation);
  e->own.deviation = e->robot.deviation = NULL;
}

/* the payload in a frame as a function of the ten parameters */
typedef struct {
  rbv_pose to;
  int output;
} component;

static void outputs(double out[OUTPUTS], const double in[RBV_INERTIAL], const rbv_pose *to) {
  double p[RBV_INERTIAL];
  rbv_inertial_transform(p, in, to);
  rbv_inertial_split(out, p);
}

static double output_of(void *self, const double *x) {
  const component *c = self;
  double out[OUTPUTS];
  outputs(out, x, &c->to);
  return out[c->output];
}

/* sigma of white noise by derivatives; infinite if a parameter that matters is not identifiable */
static double white_sigma(const rbv_body_estimate *e, component *c) {
  const double size = fabs(e->value[9]);
  double J[RBV_INERTIAL], variance = 0;
  for (int k = 0; k < RBV_INERTIAL; k++) {
    double x[RBV_INERTIAL];
    const double h = 1e-6 * fmax(fabs(e->value[k]), 1e-3 * size);
    memcpy(x, e->value, sizeof x);
    x[k] += h;
    const double up = output_of(c, x);
    x[k] -= 2 * h;
    J[k] = (up - output_of(c, x)) / (2 * h);
  }
  for (int a = 0; a < RBV_INERTIAL; a++)
    for (int b = 0; b < RBV_INERTIAL; b++)
      if (J[a] != 0 && J[b] != 0) variance += J[a] * J[b] * e->covariance[a + b * RBV_INERTIAL];
  return isnan(variance) ? INFINITY : sqrt(fmax(variance, 0));
}

static rbv_status sigma_of(double *sigma, const rbv_body_estimate *e, const rbv_pose *to,
                           int output) {
  component c = {*to, output};
  *sigma = white_sigma(e, &c);
  if (!isfinite(*sigma)) return RBV_OK;
  double own = 0, robot = 0;
  if (e->own.nblock > 1)
    RBV_TRY(rbv_jackknife_function(&own, &e->own, RBV_INERTIAL, e->value, output_of, &c));
  if (e->robot.nblock > 1)
    RBV_TRY(rbv_jackknife_function(&robot, &e->robot, RBV_INERTIAL, e->value, output_of, &c));
  *sigma = hypot(fmax(*sigma, own), robot);
  return RBV_OK;
}

static rbv_status is_possible(bool *possible, const double i[6]) {
  const double I[9] = {i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]};
  double moment[3];
  RBV_TRY(rbv_eigen_symmetric(moment, NULL, I, 3, 3));
  *possible = moment[0] >= 0 && moment[0] + moment[1] >= moment[2];
  return RBV_OK;
}

rbv_status rbv_body_payload(rbv_payload *out, const rbv_body_estimate *e, const double *R,
                            const double *p) {
  if (!e) return rbv_fail(RBV_EARG, "a payload needs an estimate");
  rbv_pose frame = rbv_pose_identity;
  if (R) memcpy(frame.R, R, sizeof frame.R);
  if (p) memcpy(frame.p, p, sizeof frame.p);
  const rbv_pose to = rbv_pose_inverse(&frame);
  double f[OUTPUTS], sigma[OUTPUTS];
  *out = (rbv_payload){0};
  const bool known = isfinite(e->covariance[9 * (RBV_INERTIAL + 1)]);
  if (known) outputs(f, e->value, &to);
  for (int i = 0; i < OUTPUTS; i++) {
    sigma[i] = INFINITY;
    if (known)
      RBV_TRY(sigma_of(&sigma[i], e, &to, i));
    else
      f[i] = NAN;
    if (!isfinite(sigma[i])) f[i] = NAN;
  }
  out->mass = f[0];
  out->mass_sigma = sigma[0];
  memcpy(out->centre, f + 1, sizeof out->centre);
  memcpy(out->centre_sigma, sigma + 1, sizeof out->centre_sigma);
  memcpy(out->inertia, f + 4, sizeof out->inertia);
  memcpy(out->inertia_sigma, sigma + 4, sizeof out->inertia_sigma);
  bool all = known && f[0] > 0;
  for (int i = 4; i < OUTPUTS; i++) all = all && isfinite(sigma[i]);
  return all ? is_possible(&out->inertia_possible, out->inertia) : RBV_OK;
}

rbv_status rbv_body_take(rbv_body_estimate *out, const small_solution *s, const small_fit *fit,
                         const int at[RBV_INERTIAL]) {
  *out = (rbv_body_estimate){.rows = s->rows};
  out->relative_error = s->yy > 0 ? sqrt(s->rss / s->yy) : NAN;
  for (int i = 0; i < RBV_INERTIAL; i++) {
    if (at[i] >= 0) out->value[i] = s->value[at[i]];
    for (int j = 0; j < RBV_INERTIAL; j++)
      out->covariance[i + j * RBV_INERTIAL] = at[i] >= 0 && at[j] >= 0
                                                  ? s->covariance[at[i] + at[j] * fit->n]
                                              : i == j ? INFINITY
                                                       : 0;
  }
  out->own.nblock = fit->npart;
  out->own.deviation = rbv_alloc((size_t)fit->npart * RBV_INERTIAL * sizeof *out->own.deviation);
  if (!out->own.deviation) return RBV_EMEM;
  for (int p = 0; p < fit->npart; p++)
    for (int i = 0; i < RBV_INERTIAL; i++)
      if (at[i] >= 0) out->own.deviation[i + p * RBV_INERTIAL] = s->deviation[at[i] + p * fit->n];
  return rbv_student_factor(&out->own.student, fit->npart);
}

rbv_status rbv_student_factor(double *out, int npart) {
  double t, normal;
  *out = 1;
  if (npart < 3) return RBV_OK;
  RBV_TRY(rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, npart - 1));
  RBV_TRY(rbv_stats_normal_quantile(&normal, 0.025, RBV_TAIL_UPPER));
  *out = t / normal;
  return RBV_OK;
}

/* ---- from an identification with payload columns ---- */

/* index of a component of the payload in the base set, -1 if it is not a base parameter */
static int base_index(const rbv_estimate *e, const rbv_model *m, int c) {
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *column = rbv_model_column(m, e->base->kept[k]);
    if (column->joint == rbv_model_joint_count(m) && column->component == c) return k;
  }
  return -1;
}

rbv_status rbv_body_from_estimate(rbv_body_estimate *out, const rbv_estimate *e,
                                  const rbv_model *m) {
  *out = (rbv_body_estimate){0};
  if (!e || !m) return rbv_fail(RBV_EARG, "a payload needs an estimate and its model");
  if (!rbv_model_has_payload(m)) return rbv_fail(RBV_EARG, "the model has no payload");
  const int n = e->base->count, parts = e->jackknife.nblock + e->jackknife.nrecording;
  double white[RBV_INERTIAL];
  int at[RBV_INERTIAL];
  out->relative_error = e->fit.relative_error;
  for (int c = 0; c < RBV_INERTIAL; c++) {
    at[c] = base_index(e, m, c);
    // the covariance has the sigmas of the jackknife
    const double s = at[c] < 0 ? NAN : sqrt(e->covariance[at[c] * (ptrdiff_t)(n + 1)]);
    white[c] = s > 0 && isfinite(s) ? e->sigma_white[at[c]] / s : 1;
    out->value[c] = at[c] < 0 ? 0 : e->value[at[c]];
  }
  for (int a = 0; a < RBV_INERTIAL; a++)
    for (int b = 0; b < RBV_INERTIAL; b++)
      out->covariance[a + b * RBV_INERTIAL] =
          at[a] >= 0 && at[b] >= 0
              ? white[a] * white[b] * e->covariance[at[a] + (ptrdiff_t)at[b] * n]
          : a == b ? INFINITY
                   : 0;
  out->own = e->jackknife;
  out->own.deviation = rbv_alloc((size_t)(parts + 1) * RBV_INERTIAL * sizeof(double));
  if (!out->own.deviation) return RBV_EMEM;
  for (int p = 0; p < parts; p++)
    for (int c = 0; c < RBV_INERTIAL; c++)
      if (at[c] >= 0)
        out->own.deviation[c + p * RBV_INERTIAL] = e->jackknife.deviation[at[c] + (ptrdiff_t)p * n];
  return RBV_OK;
}

rbv_status rbv_payload_get(rbv_payload *out, const rbv_estimate *e, const rbv_model *m) {
  rbv_body_estimate body;
  RBV_TRY(rbv_body_from_estimate(&body, e, m));
  const rbv_status status = rbv_body_payload(out, &body, NULL, NULL);
  rbv_body_estimate_free(&body);
  return status;
}
