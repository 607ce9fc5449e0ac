#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "base/support.h"

#define OUTPUTS 10  // mass, centre, inertia

/* mass, centre and inertia about it from the ten parameters at the origin of the frame */
static void physical(double out[OUTPUTS], const double p[RBV_INERTIAL]) {
  const double m = p[9], c[3] = {p[6] / m, p[7] / m, p[8] / m};
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  out[0] = m;
  for (int i = 0; i < 3; i++) out[1 + i] = c[i];
  for (int i = 0; i < 6; i++)
    out[4 + i] = p[i] - m * ((row[i] == column[i]) * square - c[row[i]] * c[column[i]]);
}

/* index of a component of the payload in the base set, -1 if it is not a base parameter */
static int base_index(const rbv_estimate *e, const rbv_model *m, int component) {
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *column = rbv_model_column(m, e->base->kept[k]);
    if (column->joint == rbv_model_joint_count(m) && column->component == component) return k;
  }
  return -1;
}

/* without the mass, centre and inertia are unknown too */
static void unknown(rbv_payload *out) {
  out->mass = NAN;
  out->mass_sigma = INFINITY;
  for (int i = 0; i < 3; i++) out->centre[i] = NAN, out->centre_sigma[i] = INFINITY;
  for (int i = 0; i < 6; i++) out->inertia[i] = NAN, out->inertia_sigma[i] = INFINITY;
}

/* one of the outputs as a function of the base parameters */
typedef struct {
  const int *at;  // RBV_INERTIAL: base parameters of the payload, -1: none
  int output;
} component;

static double component_of(void *self, const double *x) {
  const component *c = self;
  double p[RBV_INERTIAL], out[OUTPUTS];
  for (int i = 0; i < RBV_INERTIAL; i++) p[i] = c->at[i] < 0 ? 0 : x[c->at[i]];
  physical(out, p);
  return out[c->output];
}

/* sigma of all outputs from the covariance of white noise, by their derivatives */
static void white_sigma(double sigma[OUTPUTS], const rbv_estimate *e, const double p[RBV_INERTIAL],
                        const int at[RBV_INERTIAL]) {
  const int n = e->base->count;
  double J[OUTPUTS][RBV_INERTIAL], white[RBV_INERTIAL];
  // central differences; the function is smooth if the mass is not zero
  for (int c = 0; c < RBV_INERTIAL; c++) {
    const double h = 1e-6 * fmax(fabs(p[c]), 1e-3 * fabs(p[9]));
    double up[OUTPUTS], down[OUTPUTS], x[RBV_INERTIAL];
    memcpy(x, p, sizeof x);
    x[c] = p[c] + h;
    physical(up, x);
    x[c] = p[c] - h;
    physical(down, x);
    for (int i = 0; i < OUTPUTS; i++) J[i][c] = (up[i] - down[i]) / (2 * h);
    // the covariance has the sigmas of the jackknife
    const double s = at[c] < 0 ? NAN : sqrt(e->covariance[at[c] * (ptrdiff_t)(n + 1)]);
    white[c] = s > 0 && isfinite(s) ? e->sigma_white[at[c]] / s : 1;
  }
  for (int i = 0; i < OUTPUTS; i++) {
    double variance = 0;
    for (int a = 0; a < RBV_INERTIAL; a++)
      for (int b = 0; b < RBV_INERTIAL; b++) {
        if (J[i][a] == 0 || J[i][b] == 0) continue;
        // a parameter that was not estimated has infinite uncertainty
        const bool known = at[a] >= 0 && at[b] >= 0;
        variance += known ? J[i][a] * white[a] * J[i][b] * white[b] *
                                e->covariance[at[a] + (ptrdiff_t)at[b] * n]
                          : INFINITY;
      }
    sigma[i] = sqrt(variance);
  }
}

/* true if a body can have this inertia about its centre of mass: no principal moment is negative or
 * larger than the sum of the others */
static rbv_status is_possible(bool *possible, const double inertia[6]) {
  const double I[9] = {inertia[0], inertia[1], inertia[2], inertia[1], inertia[3],
                       inertia[4], inertia[2], inertia[4], inertia[5]};
  double moment[3];
  RBV_TRY(rbv_eigen_symmetric(moment, NULL, I, 3, 3));
  *possible = moment[0] >= 0 && moment[0] + moment[1] >= moment[2];
  return RBV_OK;
}

rbv_status rbv_payload_get(rbv_payload *out, const rbv_estimate *e, const rbv_model *m) {
  if (!e || !m) return rbv_fail(RBV_EARG, "a payload needs an estimate and its model");
  if (!rbv_model_has_payload(m)) return rbv_fail(RBV_EARG, "the model has no payload");
  const int n = e->base->count;
  double p[RBV_INERTIAL], f[OUTPUTS], sigma[OUTPUTS];
  int at[RBV_INERTIAL];
  for (int c = 0; c < RBV_INERTIAL; c++) {
    at[c] = base_index(e, m, c);
    p[c] = at[c] < 0 ? 0 : e->value[at[c]];
  }
  *out = (rbv_payload){0};
  if (at[9] < 0 || !isfinite(e->covariance[at[9] * (ptrdiff_t)(n + 1)])) {
    unknown(out);
    return RBV_OK;
  }
  physical(f, p);
  white_sigma(sigma, e, p, at);
  for (int i = 0; i < OUTPUTS; i++) {
    double spread;
    component c = {at, i};
    RBV_TRY(rbv_jackknife_function(&spread, &e->jackknife, n, e->value, component_of, &c));
    sigma[i] = fmax(sigma[i], spread);
  }
  out->mass = f[0];
  out->mass_sigma = sigma[0];
  memcpy(out->centre, f + 1, sizeof out->centre);
  memcpy(out->centre_sigma, sigma + 1, sizeof out->centre_sigma);
  memcpy(out->inertia, f + 4, sizeof out->inertia);
  memcpy(out->inertia_sigma, sigma + 4, sizeof out->inertia_sigma);
  // without a positive mass there is no body
  return p[9] > 0 ? is_possible(&out->inertia_possible, out->inertia) : RBV_OK;
}
