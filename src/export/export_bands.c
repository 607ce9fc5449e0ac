/* Torque of a result along a motion, with its standard deviation. */
#include <math.h>

#include "payload/payload.h"

#include "export/export_internal.h"
#include "job/design_internal.h"
#include "model/model_internal.h"

typedef struct {
  const rbv_known_arm *arm;
  const rbv_model *m;
  rbv_dynamics *d;
  double *W;      // nrow x ncolumn
  double *state;  // 3 njoint: of one sample
  double *part;   // npart
  double *noise;  // nrow: residual of the fit
} bands;

static void bands_free(bands *b) {
  rbv_dynamics_free(b->d);
  RBV_FREE_ALL(b->W, b->state, b->part, b->noise);
}

static rbv_status bands_new(bands *b, const rbv_known_arm *arm, const rbv_result *result) {
  const rbv_model *m = arm->model;
  *b = (bands){.arm = arm, .m = m};
  b->W = rbv_alloc((size_t)m->nrow * (size_t)m->ncolumn * sizeof *b->W);
  b->state = rbv_alloc(3 * (size_t)m->njoint * sizeof *b->state);
  b->part = rbv_alloc((size_t)arm->npart * sizeof *b->part);
  b->noise = rbv_alloc((size_t)m->nrow * sizeof *b->noise);
  if (!b->W || !b->state || !b->part || !b->noise) return RBV_EMEM;
  for (int r = 0; r < m->nrow && r < result->fit.nrow; r++) b->noise[r] = result->fit.row[r].rms;
  return rbv_dynamics_new(&b->d, m);
}

/* torque of a row, and the spread that the parts of the identification give it */
static void row_band(double *torque, double *sigma, const bands *b, int r) {
  const rbv_model *m = b->m;
  const int np = b->arm->npart;
  double mean = 0, sum = 0;
  *torque = 0;
  for (int c = 0; c < m->ncolumn; c++) *torque += b->W[r + c * m->nrow] * b->arm->chi[c];
  for (int p = 0; p < np; p++) {
    const double *d = b->arm->deviation + (ptrdiff_t)p * m->ncolumn;
    b->part[p] = 0;
    for (int c = 0; c < m->ncolumn; c++) b->part[p] += b->W[r + c * m->nrow] * d[c];
    mean += b->part[p] / np;
  }
  for (int p = 0; p < np; p++) sum += (b->part[p] - mean) * (b->part[p] - mean);
  *sigma = b->arm->student * sqrt(sum * (np - 1) / np);
}

static void put_head(rbv_text *t, const rbv_model *m) {
  static const char *const stem[] = {"tau", "tauj", "taud"}, *const kind[] = {"", "sigma_model_",
                                                                              "sigma_"};
  rbv_text_put(t, "t");
  for (int k = 0; k < RBV_COUNT(kind); k++)
    for (int r = 0; r < m->nrow; r++)
      rbv_text_print(t, ",%s%s%d", kind[k], stem[m->row[r].torque], m->row[r].joint + 1);
  rbv_text_put(t, "\n");
}

static rbv_status write_rows(rbv_text *t, const bands *b, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int n = b->m->njoint;
  const rbv_samples s = {.ld = 1, .q = b->state, .dq = b->state + n, .ddq = b->state + 2 * n};
  put_head(t, b->m);
  for (ptrdiff_t k = 0; k < info->count; k++) {
    RBV_TRY(rbv_motion_read(motion, &s, k, 1));
    rbv_regressor_eval(b->W, b->d, s.q, s.dq, s.ddq, false);
    rbv_text line = {0}, total = {0};
    rbv_text_print(t, "%.9g", (double)k / info->rate_hz);
    for (int r = 0; r < b->m->nrow; r++) {
      double torque, sigma;
      row_band(&torque, &sigma, b, r);
      rbv_text_print(t, ",%.9g", torque);
      rbv_text_print(&line, ",%.4g", sigma);
      rbv_text_print(&total, ",%.4g", hypot(sigma, b->noise[r]));
    }
    rbv_text_add(&line, total.data, total.size);
    rbv_text_put(&line, "\n");
    rbv_text_add(t, line.data, line.size);
    const bool failed = line.failed || total.failed;
    rbv_text_free(&line);
    rbv_text_free(&total);
    if (failed) return RBV_EMEM;
  }
  return t->failed ? RBV_EMEM : RBV_OK;
}

rbv_status rbv_export_bands(export_job *e) {
  const rbv_result_model *k = e->options->fitted;
  if (!k || !k->result)
    return rbv_export_refuse(e, "bands need the result of an identification, not a robot");
  if (!e->options->motion) return rbv_fail_option(RBV_EARG, "motion", "bands need a motion");
  rbv_known_arm arm;
  RBV_TRY(rbv_known_arm_from_result(&arm, k->result, e->model, e->chi));
  if (arm.npart < 2) {
    rbv_known_arm_free(&arm);
    return rbv_export_refuse(e, "the result has no estimates without parts of its recording");
  }
  rbv_motion *motion = NULL;
  bands b = {0};
  rbv_status status = bands_new(&b, &arm, k->result);
  if (status == RBV_OK) status = rbv_motion_load(&motion, NULL, e->model, e->options->motion, NULL);
  if (status == RBV_OK) status = write_rows(&e->text, &b, motion);
  rbv_motion_free(motion);
  bands_free(&b);
  rbv_known_arm_free(&arm);
  return status;
}
