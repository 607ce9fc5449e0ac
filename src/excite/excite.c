#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "excite/excite_internal.h"
#include "model/model_internal.h"

rbv_excite_options rbv_excite_defaults(void) {
  return (rbv_excite_options){.criterion = RBV_CRITERION_DOPT, .lambda = 0.7};
}

/* ---- making one ---- */

/* entries of the regressor that belong to base columns, row by row */
static rbv_status pick_rows(rbv_excite *e) {
  const rbv_model *m = e->model;
  e->row = rbv_alloc((size_t)e->nrow * sizeof *e->row);
  e->numbers = rbv_alloc(2 * (size_t)rbv_model_entry_count(m) * sizeof *e->numbers);
  if (!e->row || !e->numbers) return RBV_EMEM;
  int *next = e->numbers;
  for (int r = 0; r < e->nrow; r++) {
    const rbv_row *row = rbv_model_row(m, r);
    picked_row *p = &e->row[r];
    p->entry = next;
    p->column = next + row->count;
    // only criteria of variances use the noise
    const rbv_criterion c = e->options.criterion;
    p->weight = c == RBV_CRITERION_DOPT || c == RBV_CRITERION_SIGMA ? 1 / e->noise[r] : 1;
    for (int k = 0; k < row->count; k++)
      for (int b = 0; b < e->n; b++)
        if (e->base->kept[b] == row->columns[k]) {
          p->entry[p->count] = row->first + k;
          p->column[p->count++] = b;
        }
    next += 2 * row->count;
  }
  return RBV_OK;
}

/* index of target i of the options among the base parameters */
static rbv_status find_target(int *out, const rbv_excite *e, const rbv_excite_options *o, int i) {
  *out = -1;
  if (!o->target_name) {
    *out = o->target[i];
    if (*out < 0 || *out >= e->n) return rbv_fail(RBV_EARG, "there is no base parameter %d", *out);
    return RBV_OK;
  }
  const int column = rbv_model_find(e->model, o->target_name[i]);
  for (int b = 0; column >= 0 && b < e->n; b++)
    if (e->base->kept[b] == column) *out = b;
  if (*out >= 0) return RBV_OK;
  return rbv_fail_option(RBV_EOPTION, "parameter", "'%s' is not a base parameter of this robot",
                         o->target_name[i]);
}

/* which parameters the sigma criterion uses, and how large they are */
static rbv_status pick_targets(rbv_excite *e, const rbv_excite_options *o) {
  e->size = rbv_alloc((size_t)e->n * sizeof *e->size);
  e->target = rbv_alloc((size_t)e->n * sizeof *e->target);
  if (!e->size || !e->target) return RBV_EMEM;
  int j;
  for (int i = 0; i < o->ntarget; i++) RBV_TRY(find_target(&j, e, o, i));
  if (!o->prior) {
    if (o->criterion == RBV_CRITERION_SIGMA)
      return rbv_fail(RBV_EARG, "relative standard deviations need prior values of the parameters");
    return RBV_OK;
  }
  rbv_base_values(e->size, e->base, o->prior);
  double largest = 0;
  for (j = 0; j < e->n; j++) largest = fmax(largest, fabs(e->size[j]));
  for (j = 0; j < e->n; j++) {
    e->size[j] = fabs(e->size[j]);
    e->target[j] = o->ntarget == 0 && e->size[j] > 1e-12 * largest;
  }
  for (int i = 0; i < o->ntarget; i++) {
    RBV_TRY(find_target(&j, e, o, i));
    if (!(e->size[j] > 0))
      return rbv_fail(RBV_EINPUT,
                      "'%s' is zero in the prior: it has no relative standard deviation",
                      e->base->name[j]);
    e->target[j] = 1;
  }
  int count = 0;
  for (j = 0; j < e->n; j++) count += e->target[j] > 0;
  if (count == 0 && o->criterion == RBV_CRITERION_SIGMA)
    return rbv_fail(RBV_EINPUT, "the prior is zero: there are no relative standard deviations");
  return RBV_OK;
}

/* friction in proportion to the load of a gear: the load follows from the links */
static rbv_status take_load(rbv_excite *e, const rbv_model *m, const double *prior) {
  if (!m->uses_torque) return RBV_OK;
  const double *from = prior ? prior : rbv_model_parameters(m);
  if (!from)
    return rbv_fail_option(RBV_EINPUT, "prior",
                           "friction that depends on the load of a gear needs values of the links");
  e->load = rbv_alloc((size_t)m->ncolumn * sizeof *e->load);
  if (!e->load) return RBV_EMEM;
  memcpy(e->load, from, (size_t)m->ncolumn * sizeof *e->load);
  return RBV_OK;
}

static rbv_status build(rbv_excite *e, const rbv_model *m, const rbv_excite_options *o) {
  e->model = m;
  e->options = *o;
  e->nrow = rbv_model_row_count(m);
  e->noise = rbv_alloc((size_t)e->nrow * sizeof *e->noise);
  if (!e->noise) return RBV_EMEM;
  for (int r = 0; r < e->nrow; r++) {
    e->noise[r] = o->noise ? o->noise[r] : 1;
    if (!(e->noise[r] > 0) || !isfinite(e->noise[r]))
      return rbv_fail(RBV_EARG, "the noise of torque %d must be positive, not %g", r + 1,
                      e->noise[r]);
  }
  RBV_TRY(take_load(e, m, o->prior));
  rbv_base_options base = rbv_base_defaults();
  base.columns = o->columns;
  RBV_TRY(rbv_base_new(&e->base, m, &base));
  e->n = e->base->count;
  if (e->n < 1) return rbv_fail(RBV_EINPUT, "the robot has no base parameter to excite");
  const size_t nn = (size_t)e->n * (size_t)e->n;
  e->R0 = rbv_alloc(nn * sizeof *e->R0);
  e->plain0 = rbv_alloc(nn * sizeof *e->plain0);
  if (!e->R0 || !e->plain0) return RBV_EMEM;
  RBV_TRY(pick_rows(e));
  RBV_TRY(pick_targets(e, o));
  e->options.noise = e->noise;
  e->options.prior = NULL;
  e->options.target = NULL;
  e->options.target_name = NULL;
  return RBV_OK;
}

rbv_status rbv_excite_new(rbv_excite **out, const rbv_model *m, const rbv_excite_options *o) {
  *out = NULL;
  RBV_TRY(rbv_model_need_held(m, "The design of motions"));
  RBV_TRY(rbv_model_need_untouched(m, "The design of motions"));
  if (!m) return rbv_fail(RBV_EARG, "a score needs a robot");
  const rbv_excite_options usual = rbv_excite_defaults();
  rbv_excite *e = rbv_alloc(sizeof *e);
  if (!e) return RBV_EMEM;
  const rbv_status status = build(e, m, o ? o : &usual);
  if (status != RBV_OK) {
    rbv_excite_free(e);
    return status;
  }
  *out = e;
  return RBV_OK;
}

void rbv_excite_free(rbv_excite *e) {
  if (!e) return;
  rbv_base_free(e->base);
  rbv_free(e->row);
  rbv_free(e->numbers);
  rbv_free(e->noise);
  rbv_free(e->load);
  rbv_free(e->size);
  rbv_free(e->target);
  rbv_free(e->R0);
  rbv_free(e->plain0);
  rbv_free(e);
}

const rbv_base *rbv_excite_base(const rbv_excite *e) { return e->base; }

/* ---- triangles of motions ---- */

typedef struct {
  rbv_dynamics *dynamics;
  rbv_qr *weighted, *plain;
  double *states, *W, *A;
  double *laws, *now;  // states of friction laws: nstate x TILE, and the last ones
} reader;

static rbv_status reader_new(reader *r, const rbv_excite *e) {
  const int nj = rbv_model_joint_count(e->model);
  *r = (reader){0};
  RBV_TRY(rbv_excite_dynamics(&r->dynamics, e, e->model));
  RBV_TRY(rbv_qr_new(&r->weighted, e->n));
  RBV_TRY(rbv_qr_new(&r->plain, e->n));
  r->states = rbv_alloc(3 * (size_t)nj * TILE * sizeof *r->states);
  r->W = rbv_alloc((size_t)rbv_model_entry_count(e->model) * TILE_LD * sizeof *r->W);
  r->A = rbv_alloc((size_t)e->n * TILE * sizeof *r->A);
  r->laws = rbv_alloc((size_t)(e->model->nstate * (TILE + 1) + 1) * sizeof *r->laws);
  r->now = r->laws ? r->laws + (ptrdiff_t)e->model->nstate * TILE : NULL;
  return r->states && r->W && r->A && r->laws ? RBV_OK : RBV_EMEM;
}

static void reader_free(reader *r) {
  rbv_dynamics_free(r->dynamics);
  rbv_qr_free(r->weighted);
  rbv_qr_free(r->plain);
  rbv_free(r->states);
  rbv_free(r->W);
  rbv_free(r->A);
  rbv_free(r->laws);
}

static rbv_status add_motion(reader *r, const rbv_excite *e, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const int nj = rbv_model_joint_count(e->model);
  if (info->njoint != nj)
    return rbv_fail(RBV_EDIM, "%s has %d joints, the robot %d", info->name, info->njoint, nj);
  for (int i = 0; i < e->model->nstate; i++) r->now[i] = 0;
  for (ptrdiff_t first = 0; first < info->count; first += TILE) {
    const ptrdiff_t count = info->count - first < TILE ? info->count - first : TILE;
    const rbv_samples s = {
        .ld = TILE, .q = r->states, .dq = r->states + nj * TILE, .ddq = r->states + 2 * nj * TILE};
    RBV_TRY(rbv_motion_read(motion, &s, first, count));
    rbv_states states = {.count = count, .ld = TILE, .q = s.q, .dq = s.dq, .ddq = s.ddq};
    if (e->model->nstate > 0) {
      rbv_excite_states(r->laws, r->now, e->model, s.dq, TILE, count, 1 / info->rate_hz);
      states.state = r->laws;
    }
    rbv_regressor_batch(r->W, TILE_LD, r->dynamics, &states, rbv_model_has_payload(e->model));
    for (int row = 0; row < e->nrow; row++) {
      const picked_row *p = &e->row[row];
      for (int pass = 0; pass < 2; pass++) {
        const double weight = pass ? 1 / e->noise[row] : 1;
        memset(r->A, 0, (size_t)e->n * TILE * sizeof *r->A);
        for (int k = 0; k < p->count; k++)
          for (ptrdiff_t i = 0; i < count; i++)
            r->A[i + p->column[k] * TILE] = weight * r->W[i + p->entry[k] * TILE_LD];
        RBV_TRY(rbv_qr_add(pass ? r->weighted : r->plain, r->A, count, TILE));
      }
    }
  }
  return RBV_OK;
}

/* triangles of the motions that were added before, and of these */
static rbv_status triangles(double *R, double *plain, ptrdiff_t *samples, const rbv_excite *e,
                            rbv_motion *const *motion, int count) {
  reader r;
  rbv_status status = reader_new(&r, e);
  *samples = e->samples0;
  if (status == RBV_OK && e->samples0 > 0) {
    status = rbv_qr_add(r.weighted, e->R0, e->n, e->n);
    if (status == RBV_OK) status = rbv_qr_add(r.plain, e->plain0, e->n, e->n);
  }
  for (int i = 0; i < count && status == RBV_OK; i++) {
    status = add_motion(&r, e, motion[i]);
    *samples += rbv_motion_get_info(motion[i])->count;
  }
  if (status == RBV_OK) {
    rbv_qr_get(R, r.weighted);
    rbv_qr_get(plain, r.plain);
  }
  reader_free(&r);
  return status;
}

rbv_status rbv_excite_add(rbv_excite *e, rbv_motion *motion) {
  const size_t bytes = (size_t)e->n * (size_t)e->n * sizeof(double);
  double *R = rbv_alloc(2 * bytes);
  if (!R) return RBV_EMEM;
  double *plain = R + e->n * e->n;
  ptrdiff_t samples;
  const rbv_status status = triangles(R, plain, &samples, e, &motion, 1);
  if (status == RBV_OK) {
    memcpy(e->R0, R, bytes);
    memcpy(e->plain0, plain, bytes);
    e->samples0 = samples;
  }
  rbv_free(R);
  return status;
}

rbv_status rbv_excite_score(rbv_score *score, double *sigma, double *coupling, const rbv_excite *e,
                            rbv_motion *const *motion, int count) {
  double *R = rbv_alloc(2 * (size_t)e->n * (size_t)e->n * sizeof *R);
  if (!R) return RBV_EMEM;
  double *plain = R + e->n * e->n;
  ptrdiff_t samples;
  rbv_status status = triangles(R, plain, &samples, e, motion, count);
  if (status == RBV_OK)
    status =
        rbv_score_triangles(score, sigma, coupling, e, R, plain, e->n, samples, e->options.lambda);
  rbv_free(R);
  return status;
}
