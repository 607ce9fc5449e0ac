/* From coefficients to the criterion, and back to its gradient. */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "dynamics/dynamics_internal.h"
#include "excite/excite_internal.h"
#include "model/model_internal.h"
#include "trajectory/curve.h"

#define SOFT_GAMMA 10  // of Coulomb friction where gradients are taken [s/rad]

static void layout(worker *w, const rbv_excite *e, rbv_arena *a) {
  const int nj = rbv_model_joint_count(e->model), n = e->n;
  const int entries = rbv_model_entry_count(e->model);
  w->states = RBV_TAKE(a, 6 * nj * TILE, double);
  w->laws = RBV_TAKE(a, e->model->nstate * TILE, double);
  w->now = RBV_TAKE(a, e->model->nstate, double);
  w->W = RBV_TAKE(a, entries * TILE_LD, double);
  w->P = RBV_TAKE(a, entries * TILE_LD, double);
  w->A = RBV_TAKE(a, n * TILE_LD, double);
  w->B = RBV_TAKE(a, n * TILE_LD, double);
  w->G = RBV_TAKE(a, n * n, double);
  w->Grow = RBV_TAKE(a, n * n * e->nrow, double);
  w->slope = RBV_TAKE(a, n * n, double);
  rbv_gram_layout(&w->gram, n, a);
}

rbv_status rbv_worker_new(worker *w, const rbv_excite *e) {
  *w = (worker){0};
  rbv_arena measure = {0};
  layout(w, e, &measure);
  *w = (worker){.excite = e};
  RBV_TRY(rbv_excite_dynamics(&w->hard, e, e->model));
  w->dynamics = w->hard;
  // sign(dq) has no gradient: gradients use the same model with a smooth friction law
  rbv_model_terms soft = rbv_model_get_terms(e->model);
  soft.rest_gamma = SOFT_GAMMA;
  RBV_TRY(rbv_model_variant(&w->soft_model, e->model, &soft));
  RBV_TRY(rbv_excite_dynamics(&w->soft, e, w->soft_model));
  w->memory = rbv_alloc(measure.used);
  if (!w->memory) return RBV_EMEM;
  rbv_arena carve = {.base = w->memory};
  layout(w, e, &carve);
  return RBV_OK;
}

void rbv_worker_free(worker *w) {
  rbv_dynamics_free(w->hard);
  rbv_dynamics_free(w->soft);
  rbv_model_free(w->soft_model);
  rbv_free(w->memory);
  *w = (worker){0};
}

rbv_status rbv_excite_dynamics(rbv_dynamics **out, const rbv_excite *e, const rbv_model *m) {
  RBV_TRY(rbv_dynamics_new(out, m));
  return e->load ? rbv_dynamics_set(*out, e->load, rbv_model_has_payload(m)) : RBV_OK;
}

void rbv_excite_states(double *laws, double *now, const rbv_model *m, const double *dq,
                       ptrdiff_t ld, ptrdiff_t count, double dt) {
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->state < 0) continue;
    for (ptrdiff_t k = 0; k < count; k++) {
      const rbv_law_input at = {.motion = term_motion(m, term, dq + k, ld), .shape = term->shape};
      term->law->state_step(&now[term->state], &at, dt);
      laws[k + term->state * ld] = now[term->state];
    }
  }
}

/* samples are at regular times, in the middle of equal parts of the duration */
static double time_of(const rbv_trajectory *t, ptrdiff_t k, ptrdiff_t samples) {
  return rbv_trajectory_duration(t) * ((double)k + 0.5) / (double)samples;
}

static ptrdiff_t read_tile(rbv_states *states, worker *w, const rbv_trajectory *t, ptrdiff_t first,
                           ptrdiff_t samples) {
  const int nj = rbv_model_joint_count(w->excite->model);
  const ptrdiff_t count = samples - first < TILE ? samples - first : TILE;
  const rbv_samples s = {
      .ld = TILE, .q = w->states, .dq = w->states + nj * TILE, .ddq = w->states + 2 * nj * TILE};
  rbv_trajectory_sample(&s, t, time_of(t, first, samples),
                        rbv_trajectory_duration(t) / (double)samples, count);
  const rbv_model *m = w->excite->model;
  *states = (rbv_states){.count = count, .ld = TILE, .q = s.q, .dq = s.dq, .ddq = s.ddq};
  if (m->nstate > 0) {
    // a trajectory is read from its start
    for (int i = 0; i < m->nstate && first == 0; i++) w->now[i] = 0;
    rbv_excite_states(w->laws, w->now, m, s.dq, TILE, count,
                      rbv_trajectory_duration(t) / (double)samples);
    states->state = w->laws;
  }
  rbv_regressor_batch(w->W, TILE_LD, w->dynamics, states, rbv_model_has_payload(m));
  return count;
}

/* the picked columns of a row side by side */
static void pack(double *A, const double *W, const picked_row *p, ptrdiff_t count) {
  for (int k = 0; k < p->count; k++)
    memcpy(A + (ptrdiff_t)k * TILE_LD, W + (ptrdiff_t)p->entry[k] * TILE_LD,
           (size_t)count * sizeof *A);
}

bool rbv_excite_weighted(const rbv_excite *e) {
  return e->options.criterion == RBV_CRITERION_DOPT || e->options.criterion == RBV_CRITERION_SIGMA;
}

void rbv_worker_gram(worker *w, rbv_trajectory *const *t, int count, ptrdiff_t samples) {
  const rbv_excite *e = w->excite;
  const ptrdiff_t nn = (ptrdiff_t)e->n * e->n;
  memset(w->Grow, 0, (size_t)nn * (size_t)e->nrow * sizeof *w->Grow);
  for (int i = 0; i < count; i++)
    for (ptrdiff_t first = 0; first < samples; first += TILE) {
      rbv_states states;
      const ptrdiff_t tile = read_tile(&states, w, t[i], first, samples);
      for (int r = 0; r < e->nrow; r++) {
        const picked_row *p = &e->row[r];
        if (p->count == 0) continue;
        pack(w->A, w->W, p, tile);
        rbv_gram_add(w->Grow + r * nn, p->count, w->A, (int)tile, p->count, TILE_LD);
      }
    }
  // add the matrix of the row to its place
  memset(w->G, 0, (size_t)nn * sizeof *w->G);
  if (e->samples0 > 0)
    rbv_gram_add(w->G, e->n, rbv_excite_weighted(e) ? e->R0 : e->plain0, e->n, e->n, e->n);
  for (int r = 0; r < e->nrow; r++) {
    const picked_row *p = &e->row[r];
    for (int j = 0; j < p->count; j++)
      for (int i = j; i < p->count; i++)
        w->G[p->column[i] + p->column[j] * e->n] +=
            p->weight * p->weight * w->Grow[r * nn + i + j * p->count];
  }
}

/* weights P = 2 weight^2 W slope on the entries of a tile */
static void weigh(worker *w, ptrdiff_t count) {
  const rbv_excite *e = w->excite;
  memset(w->P, 0, (size_t)rbv_model_entry_count(e->model) * TILE_LD * sizeof *w->P);
  for (int r = 0; r < e->nrow; r++) {
    const picked_row *p = &e->row[r];
    if (p->count == 0) continue;
    pack(w->A, w->W, p, count);
    for (int j = 0; j < p->count; j++)
      for (int i = 0; i < p->count; i++)
        w->Grow[i + j * p->count] =
            2 * p->weight * p->weight * w->slope[p->column[i] + p->column[j] * e->n];
    rbv_multiply(w->B, TILE_LD, w->A, TILE_LD, w->Grow, p->count, (int)count, p->count, p->count);
    for (int k = 0; k < p->count; k++)
      memcpy(w->P + (ptrdiff_t)p->entry[k] * TILE_LD, w->B + (ptrdiff_t)k * TILE_LD,
             (size_t)count * sizeof *w->P);
  }
}

static rbv_status back(double *gradient, worker *w, const rbv_trajectory *t, ptrdiff_t samples) {
  const int nj = rbv_model_joint_count(w->excite->model);
  double *adjoint[3];
  for (int i = 0; i < 3; i++) adjoint[i] = w->states + (3 + i) * nj * TILE;
  for (ptrdiff_t first = 0; first < samples; first += TILE) {
    rbv_states states;
    const ptrdiff_t count = read_tile(&states, w, t, first, samples);
    weigh(w, count);
    rbv_regressor_adjoint(adjoint[0], adjoint[1], adjoint[2], w->dynamics, &states, w->P, TILE_LD,
                          rbv_model_has_payload(w->excite->model));
    RBV_TRY(rbv_trajectory_pull(gradient, t, adjoint, TILE, time_of(t, first, samples),
                                rbv_trajectory_duration(t) / (double)samples, count));
  }
  return RBV_OK;
}

rbv_status rbv_worker_value(double *value, double *gradient, worker *w, rbv_trajectory *const *t,
                            int count, ptrdiff_t samples, bool smooth) {
  const rbv_excite *e = w->excite;
  w->dynamics = smooth ? w->soft : w->hard;
  rbv_worker_gram(w, t, count, samples);
  RBV_TRY(rbv_gram_value(value, gradient ? w->slope : NULL, &w->gram, e, w->G,
                         count * samples + e->samples0, smooth));
  if (!gradient) return RBV_OK;
  const int n = rbv_trajectory_coefficient_count(t[0]);
  memset(gradient, 0, (size_t)(n * count) * sizeof *gradient);
  for (int i = 0; i < count && isfinite(*value); i++)
    RBV_TRY(back(gradient + i * n, w, t[i], samples));
  return RBV_OK;
}

rbv_status rbv_excite_gradient(double *value, double *gradient, const rbv_excite *e,
                               rbv_trajectory *const *t, int count, ptrdiff_t samples) {
  const int nj = rbv_model_joint_count(e->model);
  for (int i = 0; i < count; i++)
    if (rbv_trajectory_get_shape(t[i])->njoint != nj)
      return rbv_fail(RBV_EDIM, "the trajectory has %d joints, the robot %d",
                      rbv_trajectory_get_shape(t[i])->njoint, nj);
  if (samples < 1 || count < 1)
    return rbv_fail(RBV_EARG, "a gradient needs trajectories and samples");
  worker w;
  rbv_status status = rbv_worker_new(&w, e);
  if (status == RBV_OK) status = rbv_worker_value(value, gradient, &w, t, count, samples, true);
  rbv_worker_free(&w);
  return status;
}
