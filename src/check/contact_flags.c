/*
 * Are the flags of contact points right? What the estimated robot does not explain of the torques
 * is attributed to forces at all points. A point that the recording calls free must not carry one,
 * and one that it calls touched should.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_internal.h"
#include "linalg/linalg.h"
#include "model/model_internal.h"

RBV_THRESHOLDS(CHECK_CONTACT);

typedef struct {
  examination *x;
  const rbv_model *m;
  rbv_dynamics *d;
  int n, np;
  double *q, *dq, *ddq, *torque, *tau;  // one sample
  double *J, *A, *f;                    // 6 n; (3 np) x (3 np); 3 np
  double *Jt;                           // n x 3 np
  double *force[2];                     // np x SAMPLES: of the samples called free, called touched
  int *count[2];                        // np
} flag_test;

static void layout(flag_test *t, rbv_arena *a) {
  const int n = t->n, k = 3 * t->np;
  RBV_TAKE_ALL(a, n, double, &t->q, &t->dq, &t->ddq, &t->torque, &t->tau);
  t->J = RBV_TAKE(a, 6 * n, double);
  t->Jt = RBV_TAKE(a, n * k, double);
  t->A = RBV_TAKE(a, k * k, double);
  t->f = RBV_TAKE(a, k, double);
  for (int i = 0; i < 2; i++) {
    t->force[i] = RBV_TAKE(a, (size_t)t->np * SAMPLES, double);
    t->count[i] = RBV_TAKE(a, t->np, int);
  }
}

/* forces at all points that explain a residual, in t->f */
static rbv_status attribute(flag_test *t) {
  const int n = t->n, k = 3 * t->np;
  double mean = 0;
  for (int p = 0; p < t->np; p++) {
    rbv_dynamics_jacobian(t->J, t->d, t->q, t->m->contact[p].body, t->m->contact[p].point);
    for (int axis = 0; axis < 3; axis++)
      for (int j = 0; j < n; j++) t->Jt[j + (3 * p + axis) * n] = t->J[axis + 6 * j];
  }
  for (int a = 0; a < k; a++) {
    t->f[a] = 0;
    for (int j = 0; j < n; j++) t->f[a] += t->Jt[j + a * n] * (t->tau[j] - t->torque[j]);
    for (int b = 0; b < k; b++) {
      t->A[a + b * k] = 0;
      for (int j = 0; j < n; j++) t->A[a + b * k] += t->Jt[j + a * n] * t->Jt[j + b * n];
    }
    mean += t->A[a + a * k] / k;
  }
  for (int a = 0; a < k; a++) t->A[a + a * k] += RIDGE * mean;
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, t->A, k, k));
  if (!definite) {
    memset(t->f, 0, (size_t)k * sizeof *t->f);
    return RBV_OK;
  }
  return rbv_solve_cholesky(t->f, 1, k, t->A, k, k);
}

static rbv_status add_sample(flag_test *t, rbv_motion *motion, ptrdiff_t k) {
  uint32_t contact;
  bool valid;
  const rbv_samples s = {.ld = 1,
                         .q = t->q,
                         .dq = t->dq,
                         .ddq = t->ddq,
                         .torque = t->torque,
                         .valid = &valid,
                         .contact = &contact};
  RBV_TRY(rbv_motion_read(motion, &s, k, 1));
  if (!valid) return RBV_OK;
  rbv_dynamics_rows(t->tau, t->d, t->q, t->dq, t->ddq);
  RBV_TRY(attribute(t));
  for (int p = 0; p < t->np; p++) {
    const int touched = contact >> p & 1;
    t->force[touched][(ptrdiff_t)p * SAMPLES + t->count[touched][p]++] = rbv_norm3(t->f + 3 * p);
  }
  return RBV_OK;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* the median force of all points that are called touched; 0: none are */
static double usual_force(const flag_test *t, double *room) {
  int n = 0;
  for (int p = 0; p < t->np; p++) {
    memcpy(room + n, t->force[1] + (ptrdiff_t)p * SAMPLES, (size_t)t->count[1][p] * sizeof *room);
    n += t->count[1][p];
  }
  qsort(room, (size_t)n, sizeof *room, ascending);
  return n > 0 ? room[n / 2] : 0;
}

/* share of the samples whose force is above a limit, or below it */
static double share_of(const flag_test *t, int touched, int p, double limit, bool above) {
  const double *f = t->force[touched] + (ptrdiff_t)p * SAMPLES;
  int n = 0;
  for (int k = 0; k < t->count[touched][p]; k++) n += above ? f[k] > limit : f[k] < limit;
  return t->count[touched][p] > 0 ? (double)n / t->count[touched][p] : 0;
}

static void report(const flag_test *t, const char *name, double usual) {
  for (int p = 0; p < t->np && usual > 0; p++) {
    const char *const point = t->m->contact[p].name;
    const double carries = share_of(t, 0, p, CARRIES * usual, true);
    const double idle = share_of(t, 1, p, IDLE * usual, false);
    if (carries > CARRIES_SHARE)
      rbv_add_finding(
          t->x, finding_in(RBV_FINDING_CONTACT, RBV_SEVERITY_ERROR, -1, -1, carries),
          "%s: in %.0f %% of the samples in which contact_%s is 0, '%s' carries a force "
          "of more than %.2g N: correct the flags, or leave the column out",
          name, 100 * carries, point, point, CARRIES * usual);
    if (idle > IDLE_SHARE)
      rbv_add_finding(t->x, finding_in(RBV_FINDING_CONTACT, RBV_SEVERITY_WARNING, -1, -1, idle),
                      "%s: in %.0f %% of the samples in which contact_%s is 1, '%s' carries less "
                      "than %.2g N, others %.2g N: it is probably free there",
                      name, 100 * idle, point, point, IDLE * usual, usual);
  }
}

static rbv_status test_motion(flag_test *t, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t step = info->count / (ptrdiff_t)SAMPLES + 1;
  rbv_status status = RBV_OK;
  for (int i = 0; i < 2; i++) memset(t->count[i], 0, (size_t)t->np * sizeof *t->count[i]);
  for (ptrdiff_t k = 0; k < info->count && status == RBV_OK; k += step)
    status = add_sample(t, motion, k);
  if (status != RBV_OK) return status;
  RBV_NEW(double, room, (size_t)t->np *SAMPLES);
  report(t, info->name, usual_force(t, room));
  rbv_free(room);
  return RBV_OK;
}

rbv_status rbv_detect_contacts(examination *x, const double *chi, rbv_motion *const *motions,
                               int nmotion) {
  flag_test t = {.x = x,
                 .m = x->model,
                 .n = rbv_model_joint_count(x->model),
                 .np = rbv_model_contact_count(x->model)};
  if (t.np == 0) return RBV_OK;
  rbv_arena a = {0};
  RBV_CARVE(&a, layout(&t, &a));
  if (!a.base) return RBV_EMEM;
  rbv_status status = rbv_dynamics_new(&t.d, x->model);
  if (status == RBV_OK) status = rbv_dynamics_set(t.d, chi, false);
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    if (rbv_motion_get_info(motions[i])->contact) status = test_motion(&t, motions[i]);
  rbv_dynamics_free(t.d);
  rbv_free(a.base);
  return status;
}
