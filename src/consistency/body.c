/* Pseudo-inertia and consistency of one body. */
#include <float.h>
#include <math.h>
#include <roberval/sys/linalg.h>
#include "consistency/consistency.h"

#include "base/support.h"

/* row and column of the inertia component k; also those of the second moments in the
 * pseudo-inertia */
static const int row_of[6] = {0, 0, 0, 1, 1, 2};
static const int col_of[6] = {0, 1, 2, 1, 2, 2};

static const struct {
  const char *name, *text;
} fault_table[] = {
    [RBV_BODY_CONSISTENT] = {"consistent", "consistent"},
    [RBV_BODY_NOT_FINITE] = {"not finite", "a parameter is not finite"},
    [RBV_BODY_MASS] = {"mass", "the mass is not positive"},
    [RBV_BODY_INERTIA] = {"inertia",
                          "the inertia about the centre of mass is not positive definite"},
    [RBV_BODY_TRIANGLE] = {"triangle",
                           "one principal inertia exceeds the sum of the other two (triangle "
                           "inequality)"},
    [RBV_BODY_FLAT] = {"flat", "a point, a rod or a plate: it has no extent in some direction"},
};

const char *rbv_body_fault_name(rbv_body_fault fault) { return fault_table[fault].name; }
const char *rbv_body_fault_text(rbv_body_fault fault) { return fault_table[fault].text; }

void rbv_body_pseudo(double P[16], const double phi[RBV_INERTIAL]) {
  const double half_trace = (phi[0] + phi[3] + phi[5]) / 2;
  for (int k = 0; k < 6; k++) {
    const int i = row_of[k], j = col_of[k];
    P[i + 4 * j] = P[j + 4 * i] = (i == j ? half_trace : 0) - phi[k];
  }
  for (int i = 0; i < 3; i++) P[i + 12] = P[3 + 4 * i] = phi[6 + i];
  P[15] = phi[9];
}

void rbv_body_parameters(double phi[RBV_INERTIAL], const double P[16]) {
  const double trace = P[0] + P[5] + P[10];
  for (int k = 0; k < 6; k++) {
    const int i = row_of[k], j = col_of[k];
    phi[k] = (i == j ? trace : 0) - P[i + 4 * j];
  }
  for (int i = 0; i < 3; i++) phi[6 + i] = P[i + 12];
  phi[9] = P[15];
}

/* second moments about the centre of mass, ascending; noise: rounding error of a value
 * that is zero */
static rbv_status central_moments(double lambda[3], double *noise, const double phi[RBV_INERTIAL]) {
  double P[16], S[9];
  rbv_body_pseudo(P, phi);
  *noise = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double shift = phi[6 + i] * phi[6 + j] / phi[9];
      S[i + 3 * j] = P[i + 4 * j] - shift;
      *noise = fmax(*noise, 8 * DBL_EPSILON * (fabs(P[i + 4 * j]) + fabs(shift)));
    }
  return rbv_eigen_symmetric(lambda, NULL, S, 3, 3);
}

static rbv_body_fault find_fault(const double lambda[3], const double principal[3], double noise) {
  if (lambda[0] > noise) return RBV_BODY_CONSISTENT;
  if (lambda[0] >= -noise) return RBV_BODY_FLAT;
  return principal[0] > 0 ? RBV_BODY_TRIANGLE : RBV_BODY_INERTIA;
}

rbv_status rbv_body_check(rbv_body *out, const double phi[RBV_INERTIAL]) {
  *out = (rbv_body){.mass = phi[9], .margin = NAN};
  for (int i = 0; i < 3; i++) out->centre[i] = out->principal[i] = NAN;
  for (int k = 0; k < RBV_INERTIAL; k++)
    if (!isfinite(phi[k])) {
      out->fault = RBV_BODY_NOT_FINITE;
      return RBV_OK;
    }
  if (!(phi[9] > 0)) {
    out->fault = RBV_BODY_MASS;
    out->margin = phi[9] < 0 ? -1 : 0;
    return RBV_OK;
  }
  double lambda[3], noise;
  RBV_TRY(central_moments(lambda, &noise, phi));
  const double sum = lambda[0] + lambda[1] + lambda[2];
  for (int i = 0; i < 3; i++) {
    out->centre[i] = phi[6 + i] / phi[9];
    // the largest moment gives the smallest inertia
    out->principal[i] = sum - lambda[2 - i];
  }
  out->fault = find_fault(lambda, out->principal, noise);
  const double size = (fabs(lambda[0]) + fabs(lambda[1]) + fabs(lambda[2])) / 3;
  out->margin = out->fault == RBV_BODY_FLAT ? 0 : lambda[0] / size;
  return RBV_OK;
}
