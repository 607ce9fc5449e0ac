/*
 * Friction and offsets of each joint along the stream, as changes of the identified values. Two
 * small recursive estimates per joint (or group of coupled joints), x with the chosen memory and y
 * with LONGER times as much. An estimate is late by the mean age of its equations, a and b:
 * x + (x - y) a / (b - a) follows a steady change without delay (linear exponential smoothing,
 * Brown 1963; there b = LONGER a). What is forgotten is filled up with the present estimate at a
 * low weight: a direction that the motion does not excite keeps its value, and its sigma grows to
 * that of the anchor. A joint that stands still has no equations: nothing of it changes.
 */
#include <math.h>
#include <string.h>

#include "follow/follow_internal.h"

#define LONGER 4.0  // memory of the second estimate, in that of the first
// sigma of the combination over that of x, for variances 1 / 2T and covariances 1 / (T + T')
#define COMBINED 1.204
#define ANCHOR 0.3     // sigma of a direction that is not excited, of the identified value
#define MOVING 0.05    // largest friction that is not known in an equation that is used, in sigma
#define SMALLEST 1e-3  // sigma of the anchor, of the size of the joint's residual

static double anchor(const rbv_follow *f, int g, int k) {
  const int column = f->group[g].column[k], joint = f->arm.model->column[column].joint;
  return fmax(ANCHOR * fabs(f->chi[column]), SMALLEST * f->slow_sigma[joint]);
}

double rbv_drift_torque(const rbv_follow *f, int joint, const double *column) {
  const drift_group *g = &f->group[f->group_of[joint]];
  double torque = 0;
  for (int k = 0; k < g->count; k++) torque += column[k] * f->used[g->first + k];
  return torque;
}

/* sigma of the identification: spread over its parts */
static double first_sigma(const rbv_follow *f, int g, int k) {
  const double *d = f->deviation + (ptrdiff_t)f->group[g].column[k] * f->npart;
  double mean = 0, sum = 0;
  for (int p = 0; p < f->npart; p++) mean += d[p] / f->npart;
  for (int p = 0; p < f->npart; p++) sum += (d[p] - mean) * (d[p] - mean);
  const double spread = f->npart > 1 ? f->arm.student * sqrt(sum * (f->npart - 1) / f->npart) : 0;
  return spread > 0 ? spread : anchor(f, g, k);
}

void rbv_drift_start(rbv_follow *f) {
  for (int g = 0; g < f->ngroup; g++) {
    const int n = f->group[g].count;
    for (int i = 0; i < 4; i++) f->age[4 * g + i] = 0;
    for (int i = 0; i < 2; i++)
      memset(f->drift[2 * g + i].R, 0, (size_t)rbv_rls_size(n, 1) * sizeof(double));
    for (int k = 0; k < n; k++) {
      const int at = f->group[g].first + k;
      f->drift_sigma[at] = first_sigma(f, g, k);
      for (int i = 0; i < 2; i++) f->drift[2 * g + i].R[k * n + k] = 1 / f->drift_sigma[at];
      f->used[at] = 0;
    }
  }
}

/* forget, and fill up with the present estimate */
static void forget(const rbv_follow *f, int g, int which, double dt) {
  const rbv_rls *r = &f->drift[2 * g + which];
  const double keep = exp(-dt / (which ? LONGER * f->o.drift_s : f->o.drift_s));
  const double fill = sqrt(1 - keep);
  double *count = &f->age[4 * g + 2 * which], *sum = count + 1;
  *sum = keep * (*sum + dt * *count);
  *count = keep * *count + 1;
  double x[RLS_MAX], row[RLS_MAX];
  rbv_rls_solve(x, NULL, r, 0);
  rbv_rls_forget(r, keep);
  for (int k = 0; k < r->n; k++) {
    memset(row, 0, sizeof row);
    row[k] = fill / anchor(f, g, k);
    double y = row[k] * x[k];
    rbv_rls_add(r, row, &y);
  }
}

/* the equation of a joint, in both memories */
static void add_joint(const rbv_follow *f, int j) {
  const int g = f->group_of[j];
  const slow_row *s = &f->slow_rows[j];
  const double w = 1 / (sqrt(f->slow_sigma[j] * f->slow_sigma[j] + f->variance[j]) * f->colour[j]);
  double left = s->y;
  for (int i = 0; i < RBV_INERTIAL; i++) left -= s->x[i] * f->payload[i];
  for (int i = 0; i < 2; i++) {
    double row[RLS_MAX] = {0}, y = w * left;
    for (int k = 0; k < f->group[g].count; k++) row[k] = w * s->f[k];
    rbv_rls_add(&f->drift[2 * g + i], row, &y);
  }
}

/* a / (b - a), at most 1: at the start both are equal */
static double ahead(const rbv_follow *f, int g) {
  const double *age = &f->age[4 * g], a = age[1] / age[0], b = age[3] / age[2];
  return b > 2 * a ? a / (b - a) : 1;
}

/* use an estimate that has left the dead zone */
static void take_over(rbv_follow *f, int g) {
  double x[RLS_MAX], sigma[RLS_MAX], longer[RLS_MAX];
  const double more = ahead(f, g), spread = 1 + (COMBINED - 1) * more * (LONGER - 1);
  rbv_rls_solve(x, sigma, &f->drift[2 * g], 0);
  rbv_rls_solve(longer, NULL, &f->drift[2 * g + 1], 0);
  for (int k = 0; k < f->group[g].count; k++) {
    double *used = &f->used[f->group[g].first + k];
    const double now = x[k] + more * (x[k] - longer[k]), own = spread * sigma[k];
    if (fabs(now - *used) > f->o.dead_zone * own) *used = now;
    // the value in use is anywhere in the dead zone; the identification's error of the parameter
    // does not become smaller
    const double inside = own * sqrt(1 + f->o.dead_zone * f->o.dead_zone / 3);
    f->drift_sigma[f->group[g].first + k] = hypot(inside, first_sigma(f, g, k));
  }
}

void rbv_follow_drift(rbv_follow *f, double dt) {
  if (!(f->o.drift_s > 0) || f->at[AT_CONTACT] >= 0 || f->at[AT_SETTLE] > 0 ||
      f->at[AT_LOAD] == RBV_LOAD_UNKNOWN)
    return;
  for (int g = 0; g < f->ngroup; g++) {
    bool moved = false;
    for (int j = 0; j < f->n; j++) {
      if (f->group_of[j] != g || !(f->slow_rows[j].loose < MOVING * f->slow_sigma[j])) continue;
      if (!moved) {
        forget(f, g, 0, dt);
        forget(f, g, 1, dt);
      }
      moved = true;
      add_joint(f, j);
    }
    if (moved) take_over(f, g);
  }
}
