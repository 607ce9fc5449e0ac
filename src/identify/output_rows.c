/* Output error: rows of derivatives and residuals, compressed into triangles. */
#include <math.h>
#include <string.h>

#include "control/control.h"
#include "identify/output_error.h"

typedef struct {
  output_run *o;
  int lanes;              // unknowns, and directions that follow them
  double *const *change;  // nchange: given changes of positions, see rbv_output_triangle
  int nchange;
  bool whole;  // one triangle of all rows
  int filled;  // rows of the buffer
  int block;   // of the triangle, -1: none yet
} collector;

static rbv_status flush(collector *c) {
  RBV_TRY(rbv_qr_add(c->o->qr, c->o->buffer, c->filled, OUTPUT_ROWS));
  c->filled = 0;
  return RBV_OK;
}

/* store the triangle of the present block and begin another one */
static rbv_status change_block(collector *c, int block) {
  RBV_TRY(flush(c));
  if (c->block >= 0)
    rbv_qr_get(c->o->part + (ptrdiff_t)c->block * (ptrdiff_t)rbv_output_square(c->o), c->o->qr);
  rbv_qr_reset(c->o->qr);
  c->block = block;
  return RBV_OK;
}

/* sum of a given change of a signal over the window from row k on; torques: not known */
static double sum_of_change(const collector *c, int u, int motion, int signal, ptrdiff_t k) {
  const output_run *o = c->o;
  if (signal >= o->joints) return 0;
  ptrdiff_t first = 0;
  for (int i = 0; i < motion; i++) first += rbv_output_count(o, i) * o->joints;
  const double *at = c->change[u] + first + signal * rbv_output_count(o, motion) + k;
  double sum = 0;
  for (int i = 0; i < o->decimate; i++) sum += at[i];
  return sum;
}

/* rows of a window: the sums of the sensitivities, and the residual */
static rbv_status add_rows(collector *c, int motion, ptrdiff_t k) {
  output_run *o = c->o;
  rbv_output_residual(o, motion, k);
  for (int s = 0; s < o->signals; s++) {
    if (c->filled == OUTPUT_ROWS) RBV_TRY(flush(c));
    const double scale = 1 / (o->decimate * o->sigma[s]);
    double *row = o->buffer + c->filled++;
    for (int u = 0; u < c->lanes; u++)
      row[(ptrdiff_t)u * OUTPUT_ROWS] = scale * o->sum[s * c->lanes + u];
    for (int u = 0; u < c->nchange; u++)
      row[(ptrdiff_t)(c->lanes + u) * OUTPUT_ROWS] = scale * sum_of_change(c, u, motion, s, k);
    row[(ptrdiff_t)(c->lanes + c->nchange) * OUTPUT_ROWS] = o->mean[s] / o->sigma[s];
  }
  return RBV_OK;
}

/* factor on the derivative by an unknown: a gain is a factor on the one that is given, and an
 * integral belongs to one segment */
static double lane_scale(const output_run *o, int segment, int lane, const rbv_unknown *u) {
  const int motion = o->segment[segment].motion;
  if (lane < o->extra && o->segment_of[lane] >= 0) return o->segment_of[lane] == segment;
  if (o->elastic && lane >= o->extra && lane < o->p && o->drive[lane - o->extra] >= 0)
    return 1 / o->share[lane - o->extra];
  if (u->kind != RBV_UNKNOWN_GAIN) return 1;
  if (u->joint < 0) return 1 / rbv_output_factor(o, o->x, 0, u->gain);
  rbv_control_joint law = *rbv_control_get_joint(rbv_output_given_control(o, motion), u->joint);
  const double *gain = rbv_gain_of(&law, u->gain);
  return gain ? *gain : 0;
}

static void scale_lanes(output_run *o, int segment, const rbv_unknown *unknown, int lanes) {
  for (int u = 0; u < lanes; u++) {
    const double scale = lane_scale(o, segment, u, &unknown[u]);
    for (int j = 0; j < o->joints && scale != 1; j++) {
      o->dq[j * lanes + u] *= scale;
      o->dtau[j * lanes + u] *= scale;
    }
  }
}

/* rows of one segment, in order */
static rbv_status collect_segment(collector *c, rbv_sensitivities *s, const rbv_unknown *unknown,
                                  int i) {
  output_run *o = c->o;
  const int lanes = c->lanes, n = o->joints;
  bool scaled = false;
  for (int u = 0; u < lanes; u++) scaled = scaled || lane_scale(o, i, u, &unknown[u]) != 1;
  const output_segment *g = &o->segment[i];
  for (ptrdiff_t k = g->first; k < g->first + g->count; k++) {
    const ptrdiff_t at = (k - g->first) % o->decimate, window = k - at;
    const int block = rbv_output_block(o, g->motion, window);
    if (block < 0) break;  // held out
    if (k % 1000 == 0)
      RBV_TRY(rbv_go_on("sensitivities", (double)k / (double)rbv_output_count(o, g->motion)));
    // the first tick of a row is that of its sample
    for (int t = k > g->first ? 1 : o->ticks[g->motion]; t < o->ticks[g->motion]; t++)
      rbv_sensitivities_next(o->dq, NULL, s);
    rbv_sensitivities_next(o->dq, o->loop->torques ? o->dtau : NULL, s);
    if (window < g->first + o->loop->skip) continue;
    if (scaled) scale_lanes(o, i, unknown, lanes);
    for (int l = 0; l < n * lanes; l++) o->sum[l] = (at ? o->sum[l] : 0) + o->dq[l];
    for (int l = 0; l < n * lanes && o->loop->torques; l++)
      o->sum[n * lanes + l] = (at ? o->sum[n * lanes + l] : 0) + o->dtau[l];
    if (at != o->decimate - 1 || !rbv_output_window_counts(o, i, window)) continue;
    if (block != c->block && !c->whole) RBV_TRY(change_block(c, block));
    RBV_TRY(add_rows(c, g->motion, window));
  }
  return RBV_OK;
}

static rbv_status collect(collector *c, const rbv_unknown *unknown) {
  output_run *o = c->o;
  for (int i = 0; i < o->nsegment; i++) {
    const rbv_sim_options options = rbv_output_sim_options(o, i);
    const rbv_sim_lane lane = rbv_output_lane(o, o->x, i);
    const rbv_sim_reference reference = rbv_output_reference(o, i, o->last);
    const rbv_sim_trace trace = rbv_output_trace(o, i);
    rbv_sensitivities *s;
    RBV_TRY(rbv_sensitivities_new(&s, o->r->model, rbv_output_control(o, o->segment[i].motion),
                                  &options, unknown, c->lanes));
    rbv_status status = rbv_sensitivities_start(s, &lane, &reference, &trace);
    if (status == RBV_OK) status = collect_segment(c, s, unknown, i);
    rbv_sensitivities_free(s);
    if (status != RBV_OK) return status;
  }
  return flush(c);
}

/* the same from derivatives of all windows, see rbv_output_differences */
static rbv_status collect_differences(collector *c, const double *J, ptrdiff_t rows) {
  output_run *o = c->o;
  const double *row = J;
  for (int i = 0; i < o->nsegment; i++) {
    const output_segment *g = &o->segment[i];
    for (ptrdiff_t k = 0; k < g->count / o->decimate; k++, row += o->signals) {
      const ptrdiff_t window = g->first + k * o->decimate;
      const int block = rbv_output_block(o, g->motion, window);
      if (block < 0 || !rbv_output_window_counts(o, i, window)) continue;
      for (int s = 0; s < o->signals; s++)
        for (int u = 0; u < c->lanes; u++)
          o->sum[s * c->lanes + u] = o->decimate * row[s + u * rows];
      if (block != c->block) RBV_TRY(change_block(c, block));
      RBV_TRY(add_rows(c, g->motion, window));
    }
  }
  return flush(c);
}

/* rows weight * (change of the unknown) = 0 of unknowns that are known, and of links that stay near
 * the robot file; width of the triangle */
static rbv_status add_known(rbv_qr *qr, const output_run *o, int width) {
  double *row = rbv_alloc((size_t)width * sizeof *row);
  rbv_status status = row ? RBV_OK : RBV_EMEM;
  for (int k = 0; k < o->p && status == RBV_OK; k++) {
    const bool near = o->near_links && o->near[k] > 0;
    if (!(o->known[k] > 0) && !near) continue;
    memset(row, 0, (size_t)width * sizeof *row);
    row[k] = near ? o->near[k] : o->known[k];
    if (near) row[width - 1] = o->near[k] * (o->near_to[k] - o->x[k]);
    status = rbv_qr_add(qr, row, 1, 1);
  }
  rbv_free(row);
  return status;
}

/* J: derivatives of all windows; NULL: sensitivities */
static rbv_status linearise(output_run *o, const double *J, ptrdiff_t rows) {
  for (int s = 0; s < o->signals; s++)
    o->sigma[s] =
        sqrt((o->rss[s] + OUTPUT_FLOOR * OUTPUT_FLOOR * o->scale[s]) / (double)o->rows[s]);
  for (int s = 0; s < o->signals; s++)
    if (!(o->sigma[s] > 0))
      return rbv_fail(RBV_EINPUT,
                      "the position of joint %d equals its reference: it was not recorded, or the "
                      "part that is used has no samples",
                      s % o->joints + 1);
  memset(o->part, 0, (size_t)o->r->nblock * rbv_output_square(o) * sizeof *o->part);
  collector c = {.o = o, .lanes = o->p, .block = -1};
  rbv_qr_reset(o->qr);
  RBV_TRY(J ? collect_differences(&c, J, rows) : collect(&c, o->unknown));
  RBV_TRY(change_block(&c, -1));
  for (int b = 0; b < o->r->nblock; b++)
    RBV_TRY(rbv_qr_add(o->qr, o->part + (ptrdiff_t)b * (ptrdiff_t)rbv_output_square(o), o->p + 1,
                       o->p + 1));
  rbv_qr_get(o->R, o->qr);
  for (int k = 0; k < o->p; k++) {
    o->length[k] = 0;
    for (int i = 0; i <= k; i++)
      o->length[k] = hypot(o->length[k], o->R[i + (ptrdiff_t)k * (o->p + 1)]);
  }
  rbv_output_hold_links(o);
  RBV_TRY(add_known(o->qr, o, o->p + 1));
  rbv_qr_get(o->R, o->qr);
  return RBV_OK;
}

rbv_status rbv_output_linearise(output_run *o) {
  double *J = NULL;
  ptrdiff_t rows = 0;
  if (o->differences) RBV_TRY(rbv_output_differences(&J, &rows, o));
  RBV_FINISH(linearise(o, J, rows), rbv_free(J));
}

rbv_status rbv_output_triangle(double *R, output_run *o, const rbv_unknown *unknown, int count,
                               double *const *change, int nchange) {
  rbv_qr *const own = o->qr;
  o->qr = NULL;
  rbv_status status = rbv_qr_new(&o->qr, count + nchange + 1);
  collector c = {
      .o = o, .lanes = count, .whole = true, .block = -1, .change = change, .nchange = nchange};
  if (status == RBV_OK) status = collect(&c, unknown);
  if (status == RBV_OK) status = add_known(o->qr, o, count + nchange + 1);
  if (status == RBV_OK) rbv_qr_get(R, o->qr);
  rbv_qr_free(o->qr);
  o->qr = own;
  return status;
}
