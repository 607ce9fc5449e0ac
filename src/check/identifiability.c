/* Identifiability from these motions: base parameters, condition number, expected sigma. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <string.h>
#include "linalg/linalg.h"

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_IDENTIFIABILITY);

/* ---- triangular factor of all motions ---- */

/* sigma of the fit of a single row, from the triangular factor of [W | tau] */
static double row_sigma(const double *R, int n, ptrdiff_t rows, double rms) {
  const double left = fabs(R[n + (ptrdiff_t)n * (n + 1)]);
  return fmax(rows > n ? left / sqrt((double)(rows - n)) : left, NOISE_FLOOR * rms);
}

typedef struct {
  const rbv_model *m;
  rbv_qr *all;    // over all columns, rows weighted
  double *W, *A;  // regressor of one motion; rows of one torque row over all columns and tau
} stack;

/* samples of one torque row of one motion, divided by the sigma of the row */
static rbv_status add_row(stack *s, const view *v, int r) {
  const rbv_row *row = rbv_model_row(s->m, r);
  const int nc = rbv_model_column_count(s->m), n = row->count;
  const ptrdiff_t ld = v->nknot;
  rbv_qr *own = NULL;
  double *R = rbv_alloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *R), sum = 0;
  rbv_status status = R ? rbv_qr_new(&own, n + 1) : RBV_EMEM;
  if (status == RBV_OK) {
    for (int c = 0; c < n; c++)
      memcpy(s->A + c * ld, s->W + (ptrdiff_t)(row->first + c) * ld, (size_t)ld * sizeof *s->A);
    for (int k = 0; k < v->nknot; k++) {
      const double tau = v->smooth[v->knot[k] + r * v->count];
      s->A[k + n * ld] = tau;
      sum += tau * tau;
    }
    status = rbv_qr_add(own, s->A, ld, ld);
  }
  if (status == RBV_OK) {
    rbv_qr_get(R, own);
    const double sigma = row_sigma(R, n, ld, sqrt(sum / (double)ld));
    // the triangular factor of the row, at its columns
    memset(s->A, 0, (size_t)(n + 1) * (size_t)nc * sizeof *s->A);
    for (int c = 0; c < n && sigma > 0; c++)
      for (int i = 0; i <= c; i++)
        s->A[i + (ptrdiff_t)row->columns[c] * (n + 1)] = R[i + (ptrdiff_t)c * (n + 1)] / sigma;
    status = rbv_qr_add(s->all, s->A, n + 1, n + 1);
  }
  rbv_qr_free(own);
  rbv_free(R);
  return status;
}

static rbv_status add_motion(stack *s, const view *v) {
  const int nc = rbv_model_column_count(s->m), nrow = rbv_model_row_count(s->m);
  const size_t deep = (size_t)(v->nknot > nc + 1 ? v->nknot : nc + 1);
  rbv_dynamics *d = NULL;
  s->W = rbv_alloc((size_t)v->nknot * (size_t)rbv_model_entry_count(s->m) * sizeof *s->W);
  s->A = rbv_alloc(deep * (size_t)(nc + 1) * sizeof *s->A);
  rbv_status status = s->W && s->A ? rbv_dynamics_new(&d, s->m) : RBV_EMEM;
  if (status == RBV_OK) {
    const rbv_states states = {
        .count = v->nknot, .ld = v->nknot, .q = v->knot_q, .dq = v->knot_dq, .ddq = v->knot_ddq};
    rbv_regressor_batch(s->W, v->nknot, d, &states, v->loaded);
  }
  for (int r = 0; r < nrow && status == RBV_OK; r++) status = add_row(s, v, r);
  rbv_dynamics_free(d);
  rbv_free(s->W);
  rbv_free(s->A);
  return status;
}

/* ---- identifiability ---- */

/*
 * Base parameters at a tolerance. Real motions have no gap between excited and unexcited
 * directions. Where the count by pivoting and the scan in order of names disagree, another
 * tolerance close to it is used.
 */
static rbv_status base_near(rbv_base **out, const rbv_model *m, const double *R, double tolerance) {
  static const double factor[] = {1, 0.8, 1.25, 0.6, 1.6, 0.4, 2.5, 0.2, 5, 0.1, 10};
  rbv_status status = RBV_ENUM;
  for (int k = 0; k < RBV_COUNT(factor) && status == RBV_ENUM; k++) {
    rbv_base_options o = rbv_base_defaults();
    o.tolerance = fmin(tolerance * factor[k], 0.5);
    status = rbv_base_of_motion(out, m, R, &o);
  }
  if (status != RBV_ENUM) return status;
  return rbv_base_of_motion(out, m, R, NULL);
}

/* condition and covariance over the base columns */
static rbv_status expect_sigma(rbv_identifiability *out, const examination *x, const double *R) {
  const int nc = out->base->ncolumn, n = out->base->count;
  double *B = rbv_alloc((size_t)nc * (size_t)n * sizeof *B);
  double *T = rbv_alloc((size_t)n * (size_t)n * sizeof *T);
  double *prior = rbv_alloc((size_t)n * sizeof *prior);
  out->sigma = rbv_alloc((size_t)n * sizeof *out->sigma);
  out->relative = rbv_alloc((size_t)n * sizeof *out->relative);
  rbv_qr *qr = NULL;
  rbv_status status =
      B && T && prior && out->sigma && out->relative ? rbv_qr_new(&qr, n) : RBV_EMEM;
  if (status == RBV_OK) {
    for (int k = 0; k < n; k++)
      memcpy(B + (ptrdiff_t)k * nc, R + (ptrdiff_t)out->base->kept[k] * nc, (size_t)nc * sizeof *B);
    status = rbv_condition(&out->condition, &out->condition_scaled, B, nc, n, nc);
  }
  if (status == RBV_OK) status = rbv_qr_add(qr, B, nc, nc);
  if (status == RBV_OK) {
    rbv_qr_get(T, qr);
    status = rbv_invert_upper(B, T, n, n);
  }
  if (status == RBV_OK && x->prior) rbv_base_values(prior, out->base, x->prior);
  for (int k = 0; k < n && status == RBV_OK; k++) {
    double sum = 0;
    for (int c = k; c < n; c++) sum += B[k + (ptrdiff_t)c * n] * B[k + (ptrdiff_t)c * n];
    out->sigma[k] = sqrt(sum);
    out->relative[k] = prior[k] != 0 ? out->sigma[k] / fabs(prior[k]) : NAN;
  }
  rbv_qr_free(qr);
  rbv_free(B);
  rbv_free(T);
  rbv_free(prior);
  return status;
}

/* names of base parameters that these motions lack, as many as fit */
static void name_lost(char *out, size_t size, const rbv_model *m, const rbv_identifiability *i) {
  size_t used = 0;
  int listed = 0;
  *out = 0;
  for (int k = 0; k < i->structure->count; k++) {
    const int c = i->structure->kept[k];
    bool kept = false;
    for (int b = 0; b < i->base->count; b++) kept |= i->base->kept[b] == c;
    if (kept || used + 24 > size) continue;
    if (listed++ == 12) {
      snprintf(out + used, size - used, " ...");
      return;
    }
    used += (size_t)snprintf(out + used, size - used, "%s%s", listed > 1 ? " " : "",
                             rbv_model_column(m, c)->name);
  }
}

static void add_findings(examination *x, const rbv_identifiability *i) {
  const int have = i->base->count, could = i->structure->count, lost = could - have;
  rbv_finding f =
      finding_with(finding_in(RBV_FINDING_RANK, RBV_SEVERITY_WARNING, -1, -1, have), "prior");
  if (lost > 0) {
    char names[256];
    name_lost(names, sizeof names, x->model, i);
    if (lost > LOST_BADLY * could) f.severity = RBV_SEVERITY_ERROR;
    rbv_add_finding(
        x, f,
        "these motions identify %d of %d base parameters; not identifiable alone: %s. Use a more "
        "exciting motion, or a prior",
        have, could, names);
  }
  f.code = RBV_FINDING_CONDITION;
  f.option = NULL;
  f.value = i->condition_scaled;
  f.severity = i->condition_scaled > CONDITION_BAD ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING;
  if (i->condition_scaled > CONDITION_WARN)
    rbv_add_finding(
        x, f,
        "the condition number is %.0f after scaling: it amplifies errors of the torque by about "
        "this factor in the worst combination. Use a more exciting motion, below %d",
        i->condition_scaled, CONDITION_WARN);
}

/*
 * Base parameters of these motions. Columns are scaled to unit norm, so that the tolerance does not
 * depend on weights and units; the relations are scaled back.
 */
static rbv_status find_base(rbv_identifiability *out, examination *x, const double *R) {
  const int nc = rbv_model_column_count(x->model);
  double *S = rbv_alloc((size_t)nc * (size_t)nc * sizeof *S);
  double *norm = rbv_alloc((size_t)nc * sizeof *norm), largest = 0;
  rbv_status status = S && norm ? RBV_OK : RBV_EMEM;
  for (int c = 0; c < nc && status == RBV_OK; c++) {
    for (int r = 0; r < nc; r++) norm[c] += R[r + (ptrdiff_t)c * nc] * R[r + (ptrdiff_t)c * nc];
    norm[c] = sqrt(norm[c]);
    largest = fmax(largest, norm[c]);
  }
  for (int c = 0; c < nc && status == RBV_OK; c++)
    for (int r = 0; r < nc; r++)
      if (norm[c] > VANISHES * largest)
        S[r + (ptrdiff_t)c * nc] = R[r + (ptrdiff_t)c * nc] / norm[c];
  if (status == RBV_OK) status = base_near(&out->base, x->model, S, x->options.tolerance);
  if (status == RBV_OK) {
    const rbv_base *b = out->base;
    for (int c = 0; c < nc; c++)
      for (int k = 0; k < b->count; k++)
        b->relation[k + (ptrdiff_t)c * b->count] *= norm[c] / norm[b->kept[k]];
  }
  rbv_free(S);
  rbv_free(norm);
  return status;
}

static rbv_status examine(rbv_identifiability *out, examination *x, const double *R) {
  RBV_TRY(rbv_base_new(&out->structure, x->model, NULL));
  RBV_TRY(find_base(out, x, R));
  if (out->base->count == 0) {
    out->reason = "the torques of these motions do not depend on any parameter";
    return RBV_OK;
  }
  RBV_TRY(expect_sigma(out, x, R));
  out->known = true;
  add_findings(x, out);
  return RBV_OK;
}

rbv_status rbv_find_identifiability(rbv_identifiability *out, examination *x) {
  const int nc = rbv_model_column_count(x->model);
  *out = (rbv_identifiability){.reason = ""};
  stack s = {.m = x->model};
  double *R = rbv_alloc((size_t)nc * (size_t)nc * sizeof *R);
  rbv_status status = R ? rbv_qr_new(&s.all, nc) : RBV_EMEM;
  int used = 0;
  for (int i = 0; i < x->nlog && status == RBV_OK; i++) {
    const view *v = &x->view[i];
    if (!v->usable || v->unreliable || v->nknot < 2) continue;
    status = add_motion(&s, v);
    used++;
  }
  if (status == RBV_OK && used == 0)
    out->reason = "no recording is good enough to examine its motion";
  else if (status == RBV_OK) {
    rbv_qr_get(R, s.all);
    status = examine(out, x, R);
  }
  rbv_qr_free(s.all);
  rbv_free(R);
  if (status == RBV_ENUM) {
    rbv_identifiability_free(out);
    out->reason = "the values of the recordings are too large or too irregular to compute with";
    status = RBV_OK;
  }
  return status;
}

void rbv_identifiability_free(rbv_identifiability *i) {
  rbv_base_free(i->structure);
  rbv_base_free(i->base);
  rbv_free(i->sigma);
  rbv_free(i->relative);
  *i = (rbv_identifiability){.reason = ""};
}
