/*
 * Payload on an arm whose parameters are known: what the arm does not explain is the payload's. Its
 * columns are those of the last link, whose frame it shares.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "equations/equations.h"
#include "model/model_internal.h"
#include "payload/payload_internal.h"

#define BLOCKS 20       // parts of a recording in time
#define SAME_POSE 0.02  // rad or m: poses with and without payload that are compared
#define FEWEST_POSES 4
#define LOAD_ROUNDS 8   // estimates until the load of the gears is known, at most
#define LOAD_REST 1e-3  // largest relative change of a parameter of the payload at which it is

static const int all_ten[RBV_INERTIAL] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int of_gravity[RBV_INERTIAL] = {-1, -1, -1, -1, -1, -1, 0, 1, 2, 3};

static rbv_status check_arm(const rbv_known_arm *arm, bool needs_values) {
  if (!arm || !arm->model || (needs_values && !arm->chi) || arm->at < 0 ||
      arm->at > arm->model->nbody)
    return rbv_fail(RBV_EARG, "a payload needs a model, its parameters and one of its bodies");
  return RBV_OK;
}

/* the first of the columns that the payload shares */
static int first_column(const rbv_known_arm *arm) {
  const rbv_model *m = arm->model;
  return m->link_column[(arm->at > 0 ? arm->at : m->nbody) - 1];
}

rbv_status rbv_body_add_arm(rbv_body_estimate *out, const small_solution *s, const small_fit *fit,
                            const int at[RBV_INERTIAL], const double *C, const rbv_known_arm *arm) {
  const int n = fit->n, ncolumn = arm->model->ncolumn;
  if (arm->npart < 2 || !arm->deviation) return RBV_OK;
  out->robot.nblock = arm->npart;
  out->robot.student = arm->student > 0 ? arm->student : 1;
  out->robot.deviation =
      rbv_alloc((size_t)arm->npart * RBV_INERTIAL * sizeof *out->robot.deviation);
  if (!out->robot.deviation) return RBV_EMEM;
  for (int p = 0; p < arm->npart; p++) {
    double b[SMALL_MAX] = {0};
    const double *d = arm->deviation + (ptrdiff_t)p * ncolumn;
    for (int i = 0; i < n; i++)
      for (int c = 0; c < ncolumn; c++) b[i] += C[i + (ptrdiff_t)c * n] * d[c];
    for (int i = 0; i < RBV_INERTIAL; i++)
      for (int k = 0; k < n && at[i] >= 0; k++)
        if (s->known[at[i]])
          out->robot.deviation[i + p * RBV_INERTIAL] -= s->inverse[at[i] + k * n] * b[k];
  }
  return RBV_OK;
}

rbv_status rbv_known_arm_from_result(rbv_known_arm *out, const rbv_result *result,
                                     const rbv_model *m, const double *chi) {
  *out = (rbv_known_arm){.model = m, .chi = chi};
  if (!result || !m || !chi) return rbv_fail(RBV_EARG, "an arm needs a result and its model");
  const rbv_jackknife *j = &result->jackknife;
  const int n = result->estimate.count;
  if (j->nblock < 2 || !j->deviation) return RBV_OK;
  out->deviation = rbv_alloc((size_t)j->nblock * (size_t)m->ncolumn * sizeof *out->deviation);
  if (!out->deviation) return RBV_EMEM;
  out->npart = j->nblock;
  out->student = j->student;
  for (int k = 0; k < n; k++) {
    const int c = rbv_model_find(m, result->estimate.item[k].name);
    for (int p = 0; p < j->nblock && c >= 0; p++)
      out->deviation[c + (ptrdiff_t)p * m->ncolumn] = j->deviation[k + (ptrdiff_t)p * n];
  }
  return RBV_OK;
}

void rbv_known_arm_free(rbv_known_arm *arm) {
  if (!arm) return;
  rbv_free(arm->deviation);
  arm->deviation = NULL;
}

rbv_status rbv_known_arm_place(rbv_known_arm *arm, const char *at) {
  const rbv_model *m = arm->model;
  double R[9], p[3];
  arm->at = 0;
  if (!at && m->ntip == 1) return RBV_OK;
  if (at) arm->at = rbv_model_frame(R, p, m, at);
  for (int i = 0; i < m->nbody && at; i++)
    if (strcmp(m->body[i].name, at) == 0) arm->at = i + 1;
  if (arm->at > 0) return RBV_OK;
  arm->at = 0;
  char tips[512] = "";
  for (int i = 0; i < m->ntip; i++) {
    const char *link = rbv_model_body_link(m, m->tip_body[i]);
    const size_t used = strlen(tips);
    snprintf(tips + used, sizeof tips - used, "%s%s", i ? ", " : "",
             link ? link : m->body[m->tip_body[i]].name);
  }
  return rbv_fail_option(RBV_EOPTION, "at", "%s%s: name the link that carries the payload: %s",
                         at ? "no moving link is called " : "the robot has several tips",
                         at ? at : "", tips);
}

/* ---- motions ---- */

/* sums of one group: columns of the payload against what the arm leaves, and C */
static void add_group(small_fit *fit, double *C, const rbv_group *g, const rbv_known_arm *arm,
                      int part, double weight) {
  const int size = g->ncolumn + 1, first = first_column(arm);
  double A[RBV_INERTIAL * RBV_INERTIAL] = {0}, b[RBV_INERTIAL] = {0}, yy = 0;
  for (int r = 0; r < size; r++) {
    double x[RBV_INERTIAL] = {0}, y = g->R[r + (ptrdiff_t)g->ncolumn * size];
    for (int k = 0; k < g->ncolumn; k++) {
      const int c = g->column[k];
      const double w = k >= r ? g->R[r + (ptrdiff_t)k * size] : 0;
      y -= w * arm->chi[c];
      if (c >= first && c < first + RBV_INERTIAL) x[c - first] = w;
    }
    for (int i = 0; i < RBV_INERTIAL; i++) {
      for (int j = 0; j < RBV_INERTIAL; j++) A[i + j * RBV_INERTIAL] += x[i] * x[j];
      b[i] += x[i] * y;
      for (int k = r; k < g->ncolumn && C; k++)
        C[i + (ptrdiff_t)g->column[k] * RBV_INERTIAL] +=
            weight * x[i] * g->R[r + (ptrdiff_t)k * size];
    }
    yy += y * y;
  }
  if (!C) rbv_small_add_sums(fit, g->row, part, A, b, yy, g->rows);
}

static rbv_status fit_groups(rbv_body_estimate *out, small_fit *fit, const rbv_equations *system,
                             const rbv_known_arm *arm, int folds) {
  for (int g = 0; g < rbv_equations_group_count(system); g++) {
    const rbv_group *group = rbv_equations_group(system, g);
    add_group(fit, NULL, group, arm, group->motion * folds + group->fold, 0);
  }
  double *deviation = rbv_alloc((size_t)fit->npart * RBV_INERTIAL * sizeof *deviation);
  double *C = rbv_alloc((size_t)arm->model->ncolumn * RBV_INERTIAL * sizeof *C);
  small_solution *s = rbv_alloc(sizeof *s);
  rbv_status status = deviation && C && s ? rbv_small_solve(s, fit, deviation) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_body_take(out, s, fit, all_ten);
  for (int g = 0; g < rbv_equations_group_count(system) && status == RBV_OK; g++) {
    const rbv_group *group = rbv_equations_group(system, g);
    add_group(fit, C, group, arm, 0, s->weight[group->row]);
  }
  if (status == RBV_OK) status = rbv_body_add_arm(out, s, fit, all_ten, C, arm);
  rbv_free(s);
  rbv_free(C);
  rbv_free(deviation);
  return status;
}

/* one estimate; load: parameters that transmit the torque of the gears, NULL: no law needs them */
static rbv_status fit_motions(rbv_body_estimate *out, const rbv_known_arm *arm,
                              rbv_motion *const *motions, int nmotion, const rbv_row_filter *filter,
                              const double *load) {
  const rbv_model *m = arm->model;
  int *columns = rbv_alloc((size_t)m->ncolumn * sizeof *columns);
  if (!columns) return RBV_EMEM;
  for (int c = 0; c < m->ncolumn; c++) columns[c] = c;
  rbv_equations *system = NULL;
  small_fit fit = {0};
  rbv_status status = rbv_equations_new(&system, m, columns, m->ncolumn, filter);
  if (status == RBV_OK && load) status = rbv_equations_set_load(system, load);
  for (int i = 0; i < nmotion && status == RBV_OK; i++)
    status = rbv_equations_add(system, motions[i]);
  if (status == RBV_OK)
    status = rbv_small_new(&fit, RBV_INERTIAL, m->nrow, nmotion * filter->folds);
  if (status == RBV_OK) status = fit_groups(out, &fit, system, arm, filter->folds);
  rbv_small_free(&fit);
  rbv_equations_free(system);
  rbv_free(columns);
  if (status != RBV_OK) rbv_body_estimate_free(out);
  return status;
}

/* the arm with the payload on its last link; true if that changed the load */
static bool add_to_arm(double *load, const rbv_known_arm *arm, const rbv_body_estimate *body) {
  const int first = first_column(arm);
  bool changed = false;
  for (int i = 0; i < RBV_INERTIAL; i++) {
    const double x = isfinite(body->value[i]) ? body->value[i] : 0;
    const double before = load[first + i] - arm->chi[first + i];
    changed = changed || !(fabs(x - before) <= LOAD_REST * fabs(x));
    load[first + i] = arm->chi[first + i] + x;
  }
  return changed;
}

/* Friction that depends on the load of the gears: the payload is part of the load, so the estimate
 * is repeated until the payload rests. */
static rbv_status fit_with_load(rbv_body_estimate *out, const rbv_known_arm *arm,
                                rbv_motion *const *motions, int nmotion,
                                const rbv_row_filter *filter) {
  const size_t bytes = (size_t)arm->model->ncolumn * sizeof(double);
  double *load = rbv_alloc(bytes);
  if (!load) return RBV_EMEM;
  memcpy(load, arm->chi, bytes);
  rbv_status status = RBV_OK;
  bool changed = true;
  for (int i = 0; i < LOAD_ROUNDS && changed && status == RBV_OK; i++) {
    rbv_body_estimate_free(out);
    *out = (rbv_body_estimate){0};
    status = fit_motions(out, arm, motions, nmotion, filter, load);
    if (status == RBV_OK) changed = add_to_arm(load, arm, out);
  }
  rbv_free(load);
  return status;
}

rbv_status rbv_payload_from_motions(rbv_body_estimate *out, const rbv_known_arm *arm,
                                    rbv_motion *const *motions, int nmotion,
                                    const rbv_row_filter *filter) {
  *out = (rbv_body_estimate){0};
  RBV_TRY(check_arm(arm, true));
  RBV_TRY(rbv_model_need_untouched(arm->model, "The payload"));
  rbv_row_filter with = filter ? *filter : (rbv_row_filter){0};
  with.folds = nmotion > BLOCKS ? 1 : BLOCKS / nmotion > 4 ? BLOCKS / nmotion : 4;
  return arm->model->uses_torque ? fit_with_load(out, arm, motions, nmotion, &with)
                                 : fit_motions(out, arm, motions, nmotion, &with, NULL);
}

/* ---- poses ---- */

typedef struct {
  rbv_dynamics *dynamics;
  double *zero, *q, *tau, *W;  // njoint, njoint, nrow, nrow x ncolumn
} pose_work;

static void free_work(pose_work *w) {
  rbv_dynamics_free(w->dynamics);
  rbv_free(w->zero);
  rbv_free(w->q);
  rbv_free(w->tau);
  rbv_free(w->W);
}

static rbv_status new_work(pose_work *w, const rbv_known_arm *arm) {
  const rbv_model *m = arm->model;
  *w = (pose_work){0};
  w->zero = rbv_alloc((size_t)m->njoint * sizeof *w->zero);
  w->q = rbv_alloc((size_t)m->njoint * sizeof *w->q);
  w->tau = rbv_alloc((size_t)m->nrow * sizeof *w->tau);
  w->W = rbv_alloc((size_t)m->nrow * (size_t)m->ncolumn * sizeof *w->W);
  rbv_status status = w->zero && w->q && w->tau && w->W ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_new(&w->dynamics, m);
  if (status == RBV_OK && arm->chi) status = rbv_dynamics_set(w->dynamics, arm->chi, false);
  if (status != RBV_OK) free_work(w);
  return status;
}

/* index of the same pose in another set, -1: there is none */
static int same_pose(const rbv_poses *poses, const double *q) {
  int best = -1;
  double least = SAME_POSE;
  for (int k = 0; k < poses->count; k++) {
    double far = 0;
    for (int j = 0; j < poses->njoint; j++)
      far = fmax(far, fabs(poses->q[k + j * poses->count] - q[j]));
    if (far > least) continue;
    least = far;
    best = k;
  }
  return best;
}

/* one pose: what the arm leaves, and the columns of mass and first moment */
static rbv_status add_pose(small_fit *fit, double *C, const double *weight, pose_work *w,
                           const rbv_known_arm *arm, const rbv_poses *loaded,
                           const rbv_poses *empty, int k) {
  const rbv_model *m = arm->model;
  for (int j = 0; j < m->njoint; j++) w->q[j] = loaded->q[k + j * loaded->count];
  RBV_TRY(rbv_model_regressor(w->W, m, w->q, w->zero, w->zero));
  if (!empty) rbv_dynamics_rows(w->tau, w->dynamics, w->q, w->zero, w->zero);
  const int other = empty ? same_pose(empty, w->q) : -1;
  if (empty && other < 0)
    return rbv_fail(RBV_EINPUT,
                    "pose %d with the payload has no pose without it within %g rad: hold the same "
                    "poses in both recordings, or use an identified robot",
                    k + 1, SAME_POSE);
  const int first = first_column(arm) + 6;
  for (int r = 0; r < m->nrow; r++) {
    double x[4];
    const double known = empty ? empty->torque[other + r * empty->count] : w->tau[r];
    for (int i = 0; i < 4; i++) x[i] = w->W[r + (ptrdiff_t)(first + i) * m->nrow];
    if (!C) rbv_small_add(fit, r, k, x, loaded->torque[k + r * loaded->count] - known);
    for (int c = 0; c < m->ncolumn && C; c++)
      for (int i = 0; i < 4; i++)
        C[i + (ptrdiff_t)c * 4] += weight[r] * x[i] * w->W[r + (ptrdiff_t)c * m->nrow];
  }
  return RBV_OK;
}

rbv_status rbv_payload_from_poses(rbv_body_estimate *out, const rbv_known_arm *arm,
                                  const rbv_poses *loaded, const rbv_poses *empty) {
  *out = (rbv_body_estimate){0};
  RBV_TRY(check_arm(arm, !empty));
  const rbv_model *m = arm->model;
  RBV_TRY(rbv_model_need_untouched(m, "The payload"));
  if (!loaded || loaded->njoint != m->njoint || !loaded->torque || loaded->nrow != m->nrow)
    return rbv_fail(RBV_EARG, "the poses have no torques of this robot");
  if (loaded->count < FEWEST_POSES)
    return rbv_fail(RBV_EINPUT, "%d poses are too few: hold at least %d, better 12", loaded->count,
                    FEWEST_POSES);
  pose_work w;
  RBV_TRY(new_work(&w, arm));
  small_fit fit = {0};
  double *deviation = rbv_alloc((size_t)loaded->count * 4 * sizeof *deviation);
  double *C = rbv_alloc((size_t)m->ncolumn * 4 * sizeof *C);
  small_solution *s = rbv_alloc(sizeof *s);
  rbv_status status =
      deviation && C && s ? rbv_small_new(&fit, 4, m->nrow, loaded->count) : RBV_EMEM;
  for (int k = 0; k < loaded->count && status == RBV_OK; k++)
    status = add_pose(&fit, NULL, NULL, &w, arm, loaded, empty, k);
  if (status == RBV_OK) status = rbv_small_solve(s, &fit, deviation);
  if (status == RBV_OK) status = rbv_body_take(out, s, &fit, of_gravity);
  for (int k = 0; k < loaded->count && status == RBV_OK && !empty; k++)
    status = add_pose(&fit, C, s->weight, &w, arm, loaded, empty, k);
  if (status == RBV_OK && !empty) status = rbv_body_add_arm(out, s, &fit, of_gravity, C, arm);
  rbv_small_free(&fit);
  rbv_free(s);
  rbv_free(C);
  rbv_free(deviation);
  free_work(&w);
  if (status != RBV_OK) rbv_body_estimate_free(out);
  return status;
}
