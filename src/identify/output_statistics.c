/* Output error: sigma without one block of time at a time, and fit. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "stats/stats.h"

#include "control/control.h"
#include "identify/block_deletion.h"
#include "identify/output_error.h"
#include "linalg/linalg.h"
#include "result/result.h"

#define INFORMATION 10.0  // see block_deletion.c

/* rows w (x - solution) = 0: of negligible weight, which keep every solution regular, and those of
 * known parameters */
static rbv_status regular_rows(output_run *o) {
  const int wide = o->p + 1;
  memset(o->common, 0, rbv_output_square(o) * sizeof *o->common);
  for (int k = 0; k < o->p; k++) {
    const double weight = fmax(OUTPUT_PULL * o->length[k], o->known[k]);
    const bool near = o->near_links && o->near[k] > 0;
    o->common[k + (ptrdiff_t)k * wide] = near ? o->near[k] : weight;
    o->common[k + (ptrdiff_t)o->p * wide] =
        near ? o->near[k] * (o->near_to[k] - o->x[k]) : weight * o->solution.x[k];
  }
  return RBV_OK;
}

/* deviations of the estimate without one part, from its triangle; o->solution is that of all */
static rbv_status repeat(double *deviation, output_run *o, const double *without) {
  solution again = {.x = o->trial, .cov = rbv_alloc((size_t)o->p * (size_t)o->p * sizeof(double))};
  if (!again.cov) return RBV_EMEM;
  const rbv_status status = rbv_linear_solve(&again, without, rbv_output_rows(o), &o->selection);
  memset(deviation, 0, (size_t)o->p * sizeof *deviation);
  for (int i = 0; i < o->selection.count && status == RBV_OK; i++) {
    const int k = o->selection.active[i];
    const ptrdiff_t kk = k + (ptrdiff_t)k * o->p;
    const double all = o->solution.cov[kk] / o->solution.sigma2;
    const double rest = again.cov[kk] / again.sigma2;
    const bool alone = rest > INFORMATION * all;
    if (k >= o->extra && alone) o->r->alone[k - o->extra] = true;
    deviation[k] = (again.x[k] - o->solution.x[k]) * (alone ? sqrt(INFORMATION * all / rest) : 1);
  }
  rbv_free(again.cov);
  return status == RBV_ENUM ? RBV_OK : status;
}

/* without each block; without each recording if there are enough of them */
static rbv_status delete_parts(output_run *o) {
  const identify_run *r = o->r;
  const int wide = o->p + 1, nrecording = rbv_blocks_recordings(r->nmotion);
  RBV_NEW(double, without, (size_t)r->nblock *rbv_output_square(o));
  rbv_status status = rbv_qr_without_blocks(without, o->part, r->nblock, wide, o->common);
  for (int b = 0; b < r->nblock && status == RBV_OK; b++)
    status = repeat(o->deviation + (ptrdiff_t)b * o->p, o,
                    without + (ptrdiff_t)b * (ptrdiff_t)rbv_output_square(o));
  for (int m = 0; m < nrecording && status == RBV_OK; m++) {
    const int end = m + 1 < r->nmotion ? r->blocks[m + 1].first : r->nblock;
    rbv_qr_reset(o->qr);
    status = rbv_qr_add(o->qr, o->common, wide, wide);
    for (int b = 0; b < r->nblock && status == RBV_OK; b++)
      if (b < r->blocks[m].first || b >= end)
        status =
            rbv_qr_add(o->qr, o->part + (ptrdiff_t)b * (ptrdiff_t)rbv_output_square(o), wide, wide);
    rbv_qr_get(o->damped, o->qr);
    if (status == RBV_OK)
      status = repeat(o->deviation + (ptrdiff_t)(r->nblock + m) * o->p, o, o->damped);
  }
  rbv_free(without);
  return status;
}

static rbv_status deviate(output_run *o) {
  identify_run *r = o->r;
  rbv_jackknife *out = &o->e->jackknife;
  double t, normal;
  RBV_TRY(rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, out->nblock - 1));
  RBV_TRY(rbv_stats_normal_quantile(&normal, 0.025, RBV_TAIL_UPPER));
  out->student = t / normal;
  memset(r->alone, 0, (size_t)r->n * sizeof *r->alone);
  if (o->loop->noise) return RBV_OK;  // white by definition
  RBV_TRY(regular_rows(o));
  RBV_TRY(delete_parts(o));
  RBV_TRY(rbv_output_agree(o));
  for (int b = 0; b < out->nblock + out->nrecording; b++)
    memcpy(out->deviation + (ptrdiff_t)b * r->n, o->deviation + (ptrdiff_t)b * o->p + o->extra,
           (size_t)r->n * sizeof *out->deviation);
  return RBV_OK;
}

/* the name of an unknown; NULL: it is not reported */
static const char *name_of(const output_run *o, int k) {
  if (k < o->wanted) return o->e->loop.unknown[k].name;
  return k < o->extra ? NULL : o->e->base->name[k - o->extra];
}

/* what an unknown of the loop cannot be told from: its largest correlation */
static void find_partner(rbv_loop_value *to, const output_run *o, int i) {
  const double *cov = o->solution.cov;
  const double own = cov[i + (ptrdiff_t)i * o->p];
  for (int k = 0; k < o->p; k++) {
    const double other = cov[k + (ptrdiff_t)k * o->p];
    if (k == i || !name_of(o, k) || o->known[k] > 0 || !(own > 0 && other > 0)) continue;
    const double r = cov[i + (ptrdiff_t)k * o->p] / sqrt(own * other);
    if (!(fabs(r) > fabs(to->correlation))) continue;
    to->correlation = r;
    to->partner = name_of(o, k);
  }
}

/* unknowns of the loop with their sigma: as for the base parameters, the larger of both */
static void report_loop(output_run *o) {
  rbv_estimate *e = o->e;
  const rbv_jackknife all = {.nblock = e->jackknife.nblock,
                             .nrecording = e->jackknife.nrecording,
                             .student = e->jackknife.student,
                             .deviation = o->deviation};
  for (int i = 0; i < o->wanted; i++) {
    const double white = sqrt(o->solution.cov[i + (ptrdiff_t)i * o->p]);
    e->loop.unknown[i].value = o->x[i];
    e->loop.unknown[i].sigma =
        white > 0 ? fmax(white, rbv_jackknife_sigma(&all, o->p, i)) : INFINITY;
    find_partner(&e->loop.unknown[i], o, i);
  }
}

/* drive columns that are regrouped into a base parameter of otherwise known links: their values */
static void report_regrouped(output_run *o) {
  rbv_estimate *e = o->e;
  const rbv_base *b = e->base;
  if (!o->loop->known_links) return;
  const int room = o->wanted + o->joints;
  for (int k = 0; k < b->count && e->loop.nunknown < room; k++) {
    int drive = -1, drives = 0;
    double links = 0;
    for (int c = 0; c < b->ncolumn; c++) {
      const double share = b->relation[k + (ptrdiff_t)c * b->count];
      if (share == 0) continue;
      if (rbv_model_column(o->r->model, c)->basis == RBV_BASIS_INERTIAL) {
        links += share * o->loop->known[c];
      } else {
        drives++;
        drive = c;
      }
    }
    if (drives != 1 || drive == b->kept[k]) continue;
    const double share = b->relation[k + (ptrdiff_t)drive * b->count];
    rbv_loop_value *to = &e->loop.unknown[e->loop.nunknown++];
    const rbv_column *column = rbv_model_column(o->r->model, drive);
    snprintf((char *)(uintptr_t)to->name, LOOP_NAME, "%s", column->name);
    to->unit = column->unit;
    to->value = (e->value[k] - links) / share;
    to->sigma = sqrt(e->covariance[k + (ptrdiff_t)k * b->count]) / fabs(share);
    to->start = NAN;
  }
}

/* rms torque of the rotor inertia of a joint over that of its drive, along the simulated motion */
static double inertia_share(const output_run *o, int joint) {
  const rbv_base *b = o->e->base;
  double inertia = NAN, own = 0, all = 0;
  for (int c = 0; c < b->ncolumn && o->loop->known_links && !o->elastic; c++) {
    const rbv_column *column = rbv_model_column(o->r->model, c);
    if (column->joint != joint || !rbv_column_has_law(column, "Ia")) continue;
    for (int k = 0; k < b->count; k++) {
      const double share = b->relation[k + (ptrdiff_t)c * b->count];
      if (!(share > 0)) continue;
      inertia = o->x[o->extra + k] / share;
      for (int l = 0; l < b->ncolumn; l++)
        if (rbv_model_column(o->r->model, l)->basis == RBV_BASIS_INERTIAL)
          inertia -= b->relation[k + (ptrdiff_t)l * b->count] / share * o->loop->known[l];
    }
  }
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_sim_trace *t = &o->trace[i];
    const double rate = rbv_control_rate_hz(rbv_output_given_control(o, i));
    for (ptrdiff_t k = joint * t->ld; k + 1 < (joint + 1) * t->ld; k++) {
      const double a = rate * (t->dq[k + 1] - t->dq[k]);
      own += a * a;
      all += t->applied[k] * t->applied[k];
    }
  }
  return all > 0 ? inertia * sqrt(own / all) : NAN;
}

static void report_output(output_run *o) {
  for (int j = 0; j < o->joints; j++) {
    const double rows = (double)o->rows[j];
    o->e->loop.output[j] = (rbv_output_fit){
        .joint = j,
        .rows = o->rows[j],
        .before = o->e->loop.output[j].before,
        .inertia_share = inertia_share(o, j),
        .rms = sqrt(o->rss[j] / rows),
        .tracking = sqrt(o->tracking[j] / rows),
        .held_out = o->held_rows[j] > 0 ? sqrt(o->held_rss[j] / (double)o->held_rows[j]) : NAN,
        .durbin_watson = o->rss[j] > 0 ? o->square_step[j] / o->rss[j] : NAN};
  }
}

rbv_status rbv_output_finish(output_run *o) {
  identify_run *r = o->r;
  rbv_estimate *e = o->e;
  memcpy(e->value, o->x + o->extra, (size_t)r->n * sizeof *e->value);
  rbv_base_expand(e->chi, e->base, e->value);
  RBV_TRY(deviate(o));
  report_loop(o);
  report_output(o);
  e->loop.near_links = o->near_links;
  // the base parameters as a solution of their own
  r->rows = rbv_output_rows(o);
  r->solution.rss = o->solution.rss;
  r->solution.sigma2 = o->solution.sigma2;
  r->solution.dof = o->solution.dof;
  memcpy(r->solution.x, e->value, (size_t)r->n * sizeof *e->value);
  for (int j = 0; j < r->n; j++)
    for (int i = 0; i < r->n; i++)
      r->solution.cov[i + (ptrdiff_t)j * r->n] =
          o->solution.cov[(o->extra + i) + (ptrdiff_t)(o->extra + j) * o->p];
  RBV_TRY(rbv_output_find_influence(o));
  RBV_TRY(rbv_run_finish_output(r, e));
  for (int k = 0; k < r->n; k++)
    if (o->known[o->extra + k] > 0 || rbv_output_is_of_file(o, o->extra + k))
      e->status[k] = RBV_STATUS_PRIOR;
  report_regrouped(o);
  return RBV_OK;
}
