/*
 * Gradient of the regressor by the state: for weights P of its entries, the gradient of s = sum P_e
 * W_e by q, dq and ddq. That of the rigid bodies comes from a kernel, that of the drives follows
 * it.
 */
#include <math.h>
#include <string.h>

#include "dynamics/adjoint_kernel.h"
#include "dynamics/dynamics_internal.h"

/* ---- rigid bodies ---- */

#define BLOCKS 4  // of a link in a row: one of each channel, and the payload's

/* number of bodies on the way to body j */
static int length_of_way(const rbv_model *m, int j) {
  int n = 0;
  for (; j >= 0; j = m->parent[j]) n++;
  return n;
}

/* longest serial chain that the kernel reads */
static int longest_way(const rbv_model *m) {
  int most = 0;
  for (int i = 0; i < m->ntip; i++) {
    const int n = length_of_way(m, m->tip_body[i]);
    most = n > most ? n : most;
  }
  return most;
}

/*
 * Memory: scratch of the kernel, then the blocks of every row and link. For a tree: the way to a
 * tip as a chain, whose weights, states and gradients are gathered from those of the tree.
 */
typedef struct {
  double *scratch;
  int *block;
  joint_geometry *joint;
  int *body;       // of the joints
  double *P;       // ten lanes of each row and link
  double *x[3];    // states
  double *g[3];    // gradients
  double *sum[3];  // of all ways, by the coordinates
} adjoint_memory;

static adjoint_memory lay_out(const rbv_model *m, rbv_arena *a) {
  const int n = longest_way(m);
  adjoint_memory w = {.scratch = RBV_TAKE(a, ADJOINT_SCRATCH(n) * ADJOINT_LANES, double),
                      .block = RBV_TAKE(a, n * n * BLOCKS, int)};
  if (is_chain(m)) return w;
  w.joint = RBV_TAKE(a, n, joint_geometry);
  w.body = RBV_TAKE(a, n, int);
  w.P = RBV_TAKE(a, n * n * RBV_INERTIAL * ADJOINT_LANES, double);
  for (int i = 0; i < 3; i++) {
    w.x[i] = RBV_TAKE(a, n * ADJOINT_LANES, double);
    w.g[i] = RBV_TAKE(a, n * ADJOINT_LANES, double);
    w.sum[i] = RBV_TAKE(a, m->njoint * ADJOINT_LANES, double);
  }
  return w;
}

size_t rbv_adjoint_room(const rbv_model *m) {
  rbv_arena measure = {0};
  (void)lay_out(m, &measure);
  return measure.used;
}

/* blocks of all channels and of the payload, link by link */
static void find_blocks(int *block, const rbv_dynamics *d, bool loaded) {
  const int n = d->chain.njoint;
  for (int i = 0; i < n * n * BLOCKS; i++) block[i] = -1;
  for (int c = 0; c < d->nchannel; c++) {
    if (!side_acts(RBV_SIDE_LINK, d->channel[c])) continue;
    for (int r = 0; r < n; r++)
      for (int j = r; j <= (loaded ? n : n - 1); j++) {
        const int link = j < n ? j : d->model->carrier;
        block[(r + link * n) * BLOCKS + 2 * c + (j == n)] = block_of(d, c, r, j);
      }
  }
}

/* ---- trees ---- */

/* add the weights of a body in the rows of all coordinates that move the joint of another one */
static void gather_weights(double *to, const rbv_dynamics *d, int row, int body, bool loaded,
                           const double *P, ptrdiff_t ldp, int width) {
  const rbv_model *m = d->model;
  for (int e = 0; e < RBV_INERTIAL * width; e++) to[e] = 0;
  for (int c = 0; c < m->njoint; c++) {
    const double factor = rbv_model_map(NULL, m, row, c);
    for (int k = 0; k < d->nchannel && factor != 0; k++)
      for (int own = 1; own >= (loaded && body == m->carrier ? 0 : 1); own--) {
        const int e =
            side_acts(RBV_SIDE_LINK, d->channel[k]) ? block_of(d, k, c, own ? body : m->nbody) : -1;
        for (int i = 0; i < RBV_INERTIAL && e >= 0; i++)
          for (int l = 0; l < width; l++) to[i * width + l] += factor * P[(e + i) * ldp + l];
      }
  }
}

/* the chain of bodies to a tip; its states and weights. Bodies that the way to an earlier tip has
 * are carried along without weights. */
static kernel_chain gather_way(adjoint_memory *w, const rbv_dynamics *d, int tip, bool loaded,
                               const double *const from[3], ptrdiff_t ld, const double *P,
                               ptrdiff_t ldp, int width) {
  const rbv_model *m = d->model;
  const int n = length_of_way(m, m->tip_body[tip]);
  for (int j = m->tip_body[tip], i = n - 1; i >= 0; j = m->parent[j], i--) w->body[i] = j;
  for (int i = 0; i < n; i++) {
    const int body = w->body[i];
    w->joint[i] = d->chain.joint[body];
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < width; l++) {
        double *to = &w->x[k][i * width + l];
        *to = k == 0 && m->map ? m->map_offset[body] : 0;
        for (int c = 0; c < m->njoint; c++) {
          const double factor = rbv_model_map(NULL, m, body, c);
          if (factor != 0) *to += factor * from[k][c * ld + l];
        }
      }
    const bool fresh = tip == 0 || body > m->tip_body[tip - 1];
    for (int r = 0; r < n; r++) {
      const bool used = fresh && r <= i;
      const int at = (r + i * n) * RBV_INERTIAL;
      w->block[r + i * n] = used ? at : -1;
      if (used) gather_weights(w->P + at * width, d, w->body[r], body, loaded, P, ldp, width);
    }
  }
  kernel_chain chain = d->chain;
  chain.njoint = n;
  chain.joint = w->joint;
  return chain;
}

/* the sum over the ways to all tips, of `width` samples */
static void tree_adjoint(double *const g[3], rbv_dynamics *d, adjoint_memory *w,
                         const adjoint_kernel *kernel, const double *const from[3], ptrdiff_t ld,
                         const double *P, ptrdiff_t ldp, bool loaded) {
  const rbv_model *m = d->model;
  const int width = kernel->width;
  for (int i = 0; i < 3; i++) memset(w->sum[i], 0, (size_t)(m->njoint * width) * sizeof(double));
  for (int tip = 0; tip < m->ntip; tip++) {
    const kernel_chain chain = gather_way(w, d, tip, loaded, from, ld, P, ldp, width);
    const adjoint_weights weights = {.P = w->P, .ld = width, .block = w->block, .blocks = 1};
    const double *const x[3] = {w->x[0], w->x[1], w->x[2]};
    kernel->rigid(w->g, &chain, w->scratch, &weights, x, width);
    for (int i = 0; i < 3; i++)
      for (int b = 0; b < chain.njoint; b++)
        for (int c = 0; c < m->njoint; c++) {
          const double factor = rbv_model_map(NULL, m, w->body[b], c);
          for (int l = 0; l < width && factor != 0; l++)
            w->sum[i][c * width + l] += factor * w->g[i][b * width + l];
        }
  }
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < m->njoint; c++)
      memcpy(g[i] + c * ld, w->sum[i] + c * width, (size_t)width * sizeof(double));
}

/* all samples; the last vector repeats samples if their number is no multiple of its width */
static void rigid_adjoint(double *const g[3], rbv_dynamics *d, const rbv_states *s, const double *P,
                          ptrdiff_t ldp, bool loaded) {
  const adjoint_kernel *kernel =
      rbv_adjoint_kernel(s->count < ADJOINT_LANES ? (int)s->count : ADJOINT_LANES);
  rbv_arena carve = {.base = d->adjoint};
  adjoint_memory w = lay_out(d->model, &carve);
  if (!d->is_tree) find_blocks(w.block, d, loaded);
  for (ptrdiff_t next = 0; next < s->count; next += kernel->width) {
    const ptrdiff_t k = next + kernel->width <= s->count ? next : s->count - kernel->width;
    const adjoint_weights weights = {.P = P + k, .ld = ldp, .block = w.block, .blocks = BLOCKS};
    double *const to[3] = {g[0] + k, g[1] + k, g[2] + k};
    const double *const from[3] = {s->q + k, s->dq + k, s->ddq + k};
    if (d->is_tree)
      tree_adjoint(to, d, &w, kernel, from, s->ld, P + k, ldp, loaded);
    else
      kernel->rigid(to, &d->chain, w.scratch, &weights, from, s->ld);
  }
}

/* ---- drives ---- */

term_slope rbv_term_slope(const drive_term *t, double motion, double load) {
  rbv_law_input at = {.motion = motion, .torque = load, .shape = t->shape};
  if (t->law->steps || t->state >= 0) at.sign = rbv_law_sign(&at.sign_slope, motion, t->smoothing);
  return (term_slope){t->gain * rbv_law_steady_slope(t->law, &at),
                      t->gain * rbv_law_torque_slope(t->law, &at)};
}

/* a formula of the robot file by central differences */
static void expression_adjoint(double *const g[3], rbv_dynamics *d, const drive_term *term,
                               double weight, double *const state[3], ptrdiff_t ld) {
  const rbv_model *m = d->model;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < m->njoint; j++) {
      double value[2];
      const double keep = state[i][j], h = 1e-6 * (1 + fabs(keep));
      for (int side = 0; side < 2; side++) {
        state[i][j] = keep + (side ? h : -h);
        const drive_motion at = {.q = state[0], .dq = state[1], .ddq = state[2], .ld = 1};
        rbv_drive_eval(&value[side], d, &rbv_kernel_w1, term, &at, 1);
      }
      state[i][j] = keep;
      g[i][j * ld] += weight * (value[1] - value[0]) / (2 * h);
    }
}

/* the weight of the load of a joint: gradient of the torque of the links */
static void load_adjoint(double *const g[3], const rbv_dynamics *d, double weight, int joint,
                         ptrdiff_t ld) {
  const int n = d->model->njoint;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) g[i][j * ld] += weight * d->derivative[i * n * n + joint + j * n];
}

/* the same where the state of the law is given: it does not change with the speed */
static term_slope slope_at_state(const drive_term *t, double motion, double load,
                                 const double *state) {
  rbv_law_input at = {.motion = motion, .torque = load, .state = state, .shape = t->shape};
  at.sign = rbv_law_sign(&at.sign_slope, motion, t->smoothing);
  return (term_slope){t->gain * t->law->slope(&at), t->gain * rbv_law_torque_slope(t->law, &at)};
}

/* load: that of each joint; varies: it is the torque of the links in this state; laws: states of
 * the laws, with leading dimension ld, NULL: they are steady */
static void drive_adjoint(double *const g[3], rbv_dynamics *d, const double *P, ptrdiff_t ldp,
                          double *const state[3], ptrdiff_t ld, const double *load, bool varies,
                          const double *laws) {
  const rbv_model *m = d->model;
  for (int c = 0; c < d->nchannel; c++)
    for (int t = 0; t < m->nterm; t++) {
      const int e = d->term_entry[c * m->nterm + t];
      const drive_term *term = &m->term[t];
      if (e < 0 || P[e * ldp] == 0) continue;
      if (!term->law) {
        expression_adjoint(g, d, term, P[e * ldp], state, ld);
        continue;
      }
      const int i = law_derivative(term->law);
      const double motion = term_motion(m, term, state[i], 1);
      const term_slope slope =
          laws && term->state >= 0
              ? slope_at_state(term, motion, load[term->joint], laws + term->state * ld)
              : rbv_term_slope(term, motion, load[term->joint]);
      for (int k = term->first; k < term->first + term->count; k++)
        g[i][m->direction_joint[k] * ld] += P[e * ldp] * slope.motion * m->direction_weight[k];
      if (varies && slope.load != 0) load_adjoint(g, d, P[e * ldp] * slope.load, term->joint, ld);
    }
}

/* loads of one sample in d->row; without given ones, d->derivative has their derivatives */
static void find_loads(rbv_dynamics *d, const rbv_states *s, ptrdiff_t k, double *const state[3]) {
  const int n = d->model->njoint;
  for (int j = 0; j < n; j++) d->row[j] = s->load ? s->load[k + j * s->ld] : 0;
  if (!d->model->uses_torque || s->load) return;
  double *const by[3] = {d->derivative, d->derivative + n * n, d->derivative + 2 * n * n};
  const ptrdiff_t ld[3] = {1, 1, 1};
  rbv_rigid_inverse(d->row, 1, d, &rbv_kernel_w1, d->link, state[0], state[1], state[2], 1);
  rbv_rigid_derivatives(by, ld, d, &rbv_kernel_w1, d->link, state[0], state[1], state[2], 1);
}

#define ADJOINT_STEP 1e-5  // rad or m: rounding and curvature are then 1e-10 of the value

/* The gradient of one sample of a robot with closed loops: by central differences of the regressor,
 * whose poses close anew. Loads and states of laws are those of the sample alone. */
static void adjoint_by_differences(double *const g[3], rbv_dynamics *d, const rbv_states *s,
                                   ptrdiff_t k, const double *P, ptrdiff_t ldp, bool loaded) {
  const int n = d->model->njoint, entries = rbv_model_entry_count(d->model);
  double x[3 * MOVING_MAX];
  const double *const from[3] = {s->q, s->dq, s->ddq};
  for (int i = 0; i < 3 * n; i++) x[i] = from[i / n][k + i % n * s->ld];
  const rbv_states one = {.count = 1, .ld = 1, .q = x, .dq = x + n, .ddq = x + 2 * n};
  for (int i = 0; i < 3 * n; i++) {
    const double keep = x[i], h = ADJOINT_STEP * (i < n ? 1 : 1 + fabs(keep));
    double sum = 0;
    for (int side = 0; side < 2; side++) {
      x[i] = keep + (side ? h : -h);
      const double *entry = rbv_regressor_entries(d, &one, loaded);
      for (int e = 0; e < entries; e++)
        if (P[e * ldp] != 0) sum += (side ? 1 : -1) * P[e * ldp] * entry[e];
    }
    x[i] = keep;
    g[i / n][i % n * s->ld] = sum / (2 * h);
  }
}

void rbv_regressor_adjoint(double *gq, double *gdq, double *gddq, rbv_dynamics *d,
                           const rbv_states *s, const double *P, ptrdiff_t ldp, bool loaded) {
  const int n = d->model->njoint;
  double *const all[3] = {gq, gdq, gddq};
  for (ptrdiff_t k = 0; k < s->count && d->projection; k++) {
    double *const g[3] = {gq + k, gdq + k, gddq + k};
    adjoint_by_differences(g, d, s, k, P + k, ldp, loaded);
  }
  if (d->projection) return;
  if (d->rigid >= 0)
    rigid_adjoint(all, d, s, P, ldp, loaded);
  else
    for (int i = 0; i < 3 * n; i++)
      memset(all[i / n] + i % n * s->ld, 0, (size_t)s->count * sizeof *gq);
  double *const state[3] = {d->state, d->state + n, d->state + 2 * n};
  for (ptrdiff_t k = 0; k < s->count; k++) {
    double *const g[3] = {gq + k, gdq + k, gddq + k};
    const double *from[3] = {s->q + k, s->dq + k, s->ddq + k};
    for (int j = 0; j < n; j++)
      for (int i = 0; i < 3; i++) state[i][j] = from[i][j * s->ld];
    find_loads(d, s, k, state);
    drive_adjoint(g, d, P + k, ldp, state, s->ld, d->row, !s->load, s->state ? s->state + k : NULL);
  }
}
