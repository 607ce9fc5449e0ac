/* What the data know about the exported parameters, as text for comments. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/export_internal.h"

const char *const rbv_export_remark =
    "known: share of a value that the recordings determine; the rest is the prior. A single mass "
    "is not a measurement.";

/* the body of a link; NULL: nothing is known about it, or a payload is part of it */
static const rbv_result_body *body_of(const export_job *e, int joint) {
  const rbv_result_standard *s = e->options->standard;
  const int body = inertial_place(e->model, joint);
  if (!s || !has_parameters(e->model, joint) || body >= s->nbody) return NULL;
  return e->model->payload && joint == e->model->carrier ? NULL : &s->body[body];
}

static int find_standard(const export_job *e, int column) {
  const rbv_result_standard *s = e->options->standard;
  for (int i = 0; s && i < s->count; i++)
    if (strcmp(s->name[i], e->model->column[column].name) == 0) return i;
  return -1;
}

/* smallest and largest share over the six inertias of a link */
static void inertia_known(double *low, double *high, const export_job *e, int joint) {
  *low = 1;
  *high = 0;
  for (int c = 0; c < 6; c++) {
    const int i = find_standard(e, e->model->link_column[joint] + c);
    if (i < 0) continue;
    *low = fmin(*low, e->options->standard->known[i]);
    *high = fmax(*high, e->options->standard->known[i]);
  }
}

bool rbv_export_body_remark(char *out, size_t size, const export_job *e, int joint) {
  const rbv_result_body *b = body_of(e, joint);
  if (!b) return false;
  const bool given = strcmp(b->prior, "given") == 0;
  double low, high;
  inertia_known(&low, &high, e, joint);
  double sum = b->mass + b->mass_sigma + b->mass_known + b->prior_mass + low + high;
  for (int i = 0; i < 3; i++) sum += b->centre_known[i];
  if (!isfinite(sum)) return false;
  snprintf(out, size,
           "mass %.3g +- %.2g kg, %.0f %% known (prior %.3g kg%s%s); centre of mass %.0f, %.0f, "
           "%.0f %% known; inertia %.0f to %.0f %% known",
           b->mass, b->mass_sigma, 100 * b->mass_known, b->prior_mass, given ? "" : ", ",
           given ? "" : b->prior, 100 * b->centre_known[0], 100 * b->centre_known[1],
           100 * b->centre_known[2], 100 * low, 100 * high);
  return true;
}

bool rbv_export_column_remark(char *out, size_t size, const export_job *e, int column) {
  const int i = find_standard(e, column);
  if (i < 0) return false;
  const rbv_result_standard *s = e->options->standard;
  if (isfinite(s->sigma[i]) && isfinite(s->known[i]))
    snprintf(out, size, "+- %.2g, %.0f %% known", s->sigma[i], 100 * s->known[i]);
  else
    snprintf(out, size, "not in the data");
  return true;
}

rbv_status rbv_export_note_known(export_job *e) {
  const rbv_result_standard *s = e->options->standard;
  if (!s || s->nbody == 0) return RBV_OK;
  double low = 1, high = 0;
  int assumed = 0;
  for (int b = 0; b < s->nbody; b++) {
    low = fmin(low, s->body[b].mass_known);
    high = fmax(high, s->body[b].mass_known);
    assumed += strcmp(s->body[b].prior, "assumed") == 0;
  }
  RBV_TRY(rbv_export_note(e,
                          "single masses are not measurements: the data know %.0f to %.0f %% of "
                          "them, the rest is the prior (comments in the file give all shares)",
                          100 * low, 100 * high));
  if (assumed == 0) return RBV_OK;
  return rbv_export_note(e,
                         "the prior of %d of %d bodies is assumed, a solid of the size of the "
                         "link, because the robot file has no mass for them",
                         assumed, s->nbody);
}
