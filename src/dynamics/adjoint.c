/*
 * Gradient of the regressor by the state, in reverse mode: for weights P of its entries, the
 * gradient of s = sum P_e W_e by q, dq and ddq, in one forward and one backward sweep.
 *
 * Frame j has the motion of link j (w, dw, a with gravity included) and the screws (u, v) of the
 * joints r <= j. With the ten numbers P_rj of link j in row r read as a body (I, h, m), s = sum u .
 * n + v . f,   f = m a + dw x h + w x (w x h),   n = I dw + w x I w + h x a.
 */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

typedef struct {
  double w[3], dw[3], a[3];
} rates;

typedef struct {
  double u[3], v[3];
} screw;

static void cross(double out[3], const double a[3], const double b[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void axpy(double y[3], double s, const double x[3]) {
  for (int i = 0; i < 3; i++) y[i] += s * x[i];
}

static void cross_add(double y[3], double s, const double a[3], const double b[3]) {
  double c[3];
  cross(c, a, b);
  axpy(y, s, c);
}

/* R x and R' x, row-major */
static void up(double out[3], const double R[9], const double x[3]) {
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
  memcpy(out, r, sizeof r);
}

static void down(double out[3], const double R[9], const double x[3]) {
  double r[3];
  for (int i = 0; i < 3; i++) r[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
  memcpy(out, r, sizeof r);
}

static void inertia_times(double out[3], const double b[RBV_INERTIAL], const double x[3]) {
  const double r[3] = {b[0] * x[0] + b[1] * x[1] + b[2] * x[2],
                       b[1] * x[0] + b[3] * x[1] + b[4] * x[2],
                       b[2] * x[0] + b[4] * x[1] + b[5] * x[2]};
  memcpy(out, r, sizeof r);
}

/* w x (w x p) */
static void centrifugal(double out[3], const double w[3], const double p[3]) {
  cross(out, w, p);
  cross(out, w, out);
}

/* gradient of g . (w x (w x p)) = (g.w)(w.p) - (g.p)(w.w) in w, and in p (may be NULL) */
static void centrifugal_back(double gw[3], double gp[3], const double g[3], const double w[3],
                             const double p[3]) {
  const double gw_ = dot(g, w), wp = dot(w, p), gp_ = dot(g, p), ww = dot(w, w);
  for (int i = 0; i < 3; i++) {
    gw[i] += gw_ * p[i] + wp * g[i] - 2 * gp_ * w[i];
    if (gp) gp[i] += gw_ * w[i] - ww * g[i];
  }
}

/* add the contribution of one weighted body to the adjoints of its motion and of one screw */
static void body_back(rates *g, screw *gs, const double b[RBV_INERTIAL], const rates *x,
                      const screw *s) {
  const double *h = b + 6, m = b[9];
  double Iw[3], t[3];
  inertia_times(Iw, b, x->w);
  // wrench: adjoint of the screw
  for (int i = 0; i < 3; i++) gs->v[i] += m * x->a[i];
  cross_add(gs->v, 1, x->dw, h);
  centrifugal(t, x->w, h);
  axpy(gs->v, 1, t);
  inertia_times(t, b, x->dw);
  axpy(gs->u, 1, t);
  cross_add(gs->u, 1, x->w, Iw);
  cross_add(gs->u, 1, h, x->a);
  // adjoint of the motion
  axpy(g->a, m, s->v);
  cross_add(g->a, 1, s->u, h);
  inertia_times(t, b, s->u);
  axpy(g->dw, 1, t);
  cross_add(g->dw, 1, h, s->v);
  centrifugal_back(g->w, NULL, s->v, x->w, h);
  cross_add(g->w, 1, Iw, s->u);
  cross(t, s->u, x->w);
  inertia_times(t, b, t);
  axpy(g->w, 1, t);
}

typedef struct {
  double R[9], p[3];
} frame;

static const rates at_rest;

/* motion of a frame from that of its parent; b is the acceleration of its origin, parent axes */
static void step_out(rates *out, frame *f, double b[3], const joint_geometry *g, const rates *in,
                     double q, double dq, double ddq) {
  const double x = q + g->offset, c = cos(x), s = sin(x);
  for (int i = 0; i < 9; i++) f->R[i] = g->fixed[i] + g->cosine[i] * c + g->sine[i] * s;
  for (int i = 0; i < 3; i++) f->p[i] = g->origin[i] + g->slide[i] * x;
  centrifugal(b, in->w, f->p);
  cross_add(b, 1, in->dw, f->p);
  axpy(b, 1, in->a);
  down(out->w, f->R, in->w);
  down(out->dw, f->R, in->dw);
  down(out->a, f->R, b);
  if (g->type == RBV_JOINT_PRISMATIC) {
    cross_add(out->a, 2 * dq, out->w, g->axis);
    axpy(out->a, ddq, g->axis);
  } else {
    cross_add(out->dw, dq, out->w, g->axis);
    axpy(out->dw, ddq, g->axis);
    axpy(out->w, dq, g->axis);
  }
}

/* the adjoint of step_out: adds to the parent's and to q, dq, ddq */
static void step_back(rates *gin, double *gq, double *gdq, double *gddq, double gp[3],
                      const rates *g, const frame *f, const joint_geometry *geo, const rates *in,
                      const double b[3], double dq) {
  const bool prismatic = geo->type == RBV_JOINT_PRISMATIC;
  const double *axis = geo->axis;
  double wp[3], wdp[3], ap[3], gw[3], gb[3], t[3];
  down(wp, f->R, in->w);
  down(wdp, f->R, in->dw);
  down(ap, f->R, b);
  memcpy(gw, g->w, sizeof gw);
  cross(t, wp, axis);
  if (prismatic) {
    cross_add(gw, 2 * dq, axis, g->a);
    *gdq += 2 * dot(g->a, t);
    *gddq += dot(axis, g->a);
  } else {
    cross_add(gw, dq, axis, g->dw);
    *gdq += dot(axis, g->w) + dot(g->dw, t);
    *gddq += dot(axis, g->dw);
    // the derivative of a vector y in a turning frame is y x axis
    *gq += dot(gw, t);
    cross(t, wdp, axis);
    *gq += dot(g->dw, t);
    cross(t, ap, axis);
    *gq += dot(g->a, t);
  }
  up(gb, f->R, g->a);
  axpy(gin->a, 1, gb);
  cross_add(gin->dw, 1, f->p, gb);
  cross_add(gp, 1, gb, in->dw);
  centrifugal_back(gin->w, gp, gb, in->w, f->p);
  up(t, f->R, gw);
  axpy(gin->w, 1, t);
  up(t, f->R, g->dw);
  axpy(gin->dw, 1, t);
}

typedef struct {
  frame *frame;   // n
  rates *x, *g;   // n + 1: motion and adjoint, the base first
  double *b;      // 3 n
  screw *s, *gs;  // n x n: screw of joint r in frame j at [r + j n]
  double *body;   // n x n x 10: weights of link j in row r at [10 (r + j n)]
} sweep;

static void sweep_layout(sweep *w, int n, rbv_arena *a) {
  w->frame = RBV_TAKE(a, n, frame);
  w->x = RBV_TAKE(a, n + 1, rates);
  w->g = RBV_TAKE(a, n + 1, rates);
  w->b = RBV_TAKE(a, 3 * n, double);
  w->s = RBV_TAKE(a, n * n, screw);
  w->gs = RBV_TAKE(a, n * n, screw);
  w->body = RBV_TAKE(a, n * n * RBV_INERTIAL, double);
}

size_t rbv_adjoint_room(int n) {
  sweep w;
  rbv_arena measure = {0};
  sweep_layout(&w, n, &measure);
  return measure.used;
}

/* weights of all channels and of the payload, link by link */
static void gather_bodies(double *body, const rbv_dynamics *d, const double *P, ptrdiff_t ldp,
                          bool loaded) {
  const int n = d->chain.njoint;
  memset(body, 0, (size_t)(n * n) * RBV_INERTIAL * sizeof *body);
  for (int c = 0; c < d->nchannel; c++) {
    if (!side_acts(RBV_SIDE_LINK, d->channel[c])) continue;
    for (int r = 0; r < n; r++)
      for (int j = r; j <= (loaded ? n : n - 1); j++) {
        const int e = block_of(d, c, r, j), link = j < n ? j : n - 1;
        double *to = body + (r + link * n) * RBV_INERTIAL;
        for (int i = 0; e >= 0 && i < RBV_INERTIAL; i++) to[i] += P[(e + i) * ldp];
      }
  }
}

static void rigid_adjoint(double *gq, double *gdq, double *gddq, sweep *w, const rbv_dynamics *d,
                          const double *q, const double *dq, const double *ddq, ptrdiff_t ld) {
  const int n = d->chain.njoint;
  // out: motion and screws
  w->x[0] = at_rest;
  for (int i = 0; i < 3; i++) w->x[0].a[i] = -d->chain.gravity[i];
  for (int j = 0; j < n; j++) {
    const joint_geometry *geo = &d->chain.joint[j];
    step_out(&w->x[j + 1], &w->frame[j], w->b + 3 * j, geo, &w->x[j], q[j * ld], dq[j * ld],
             ddq[j * ld]);
    for (int r = 0; r < j; r++) {
      const screw *from = &w->s[r + (j - 1) * n];
      screw *to = &w->s[r + j * n];
      down(to->u, w->frame[j].R, from->u);
      cross(to->v, from->u, w->frame[j].p);
      axpy(to->v, 1, from->v);
      down(to->v, w->frame[j].R, to->v);
    }
    screw *own = &w->s[j + j * n];
    memset(own, 0, sizeof *own);
    memcpy(geo->type == RBV_JOINT_PRISMATIC ? own->v : own->u, geo->axis, sizeof own->u);
  }
  // back: from the outermost link to the base
  memset(w->g, 0, (size_t)(n + 1) * sizeof *w->g);
  memset(w->gs, 0, (size_t)(n * n) * sizeof *w->gs);
  for (int j = n - 1; j >= 0; j--) {
    const joint_geometry *geo = &d->chain.joint[j];
    const frame *f = &w->frame[j];
    double gp[3] = {0};
    for (int r = 0; r <= j; r++) {
      screw *gs = &w->gs[r + j * n];
      const screw *s = &w->s[r + j * n];
      body_back(&w->g[j + 1], gs, w->body + (r + j * n) * RBV_INERTIAL, &w->x[j + 1], s);
      if (r == j) continue;
      screw *parent = &w->gs[r + (j - 1) * n];
      const double *u = w->s[r + (j - 1) * n].u;
      double gu[3], gv[3], t[3];
      up(gu, f->R, gs->u);
      up(gv, f->R, gs->v);
      axpy(parent->u, 1, gu);
      cross_add(parent->u, 1, f->p, gv);
      axpy(parent->v, 1, gv);
      cross_add(gp, 1, gv, u);
      if (geo->type == RBV_JOINT_PRISMATIC) continue;
      cross(t, s->u, geo->axis);
      gq[j * ld] += dot(gs->u, t);
      cross(t, s->v, geo->axis);
      gq[j * ld] += dot(gs->v, t);
    }
    step_back(&w->g[j], &gq[j * ld], &gdq[j * ld], &gddq[j * ld], gp, &w->g[j + 1], f, geo,
              &w->x[j], w->b + 3 * j, dq[j * ld]);
    gq[j * ld] += dot(gp, geo->slide);
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
        rbv_drive_eval(&value[side], &rbv_kernel_w1, m, term, d->registers, &at, 1);
      }
      state[i][j] = keep;
      g[i][j * ld] += weight * (value[1] - value[0]) / (2 * h);
    }
}

/* the weight of the load of a joint: gradient of the torque of the links */
static void load_adjoint(double *const g[3], const rbv_dynamics *d, double weight, int joint,
                         ptrdiff_t ld) {
  const int n = d->chain.njoint;
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
  const int n = d->chain.njoint;
  for (int j = 0; j < n; j++) d->row[j] = s->load ? s->load[k + j * s->ld] : 0;
  if (!d->model->uses_torque || s->load) return;
  double *const by[3] = {d->derivative, d->derivative + n * n, d->derivative + 2 * n * n};
  const ptrdiff_t ld[3] = {1, 1, 1};
  rbv_kernel_w1.inverse(d->row, 1, &d->chain, d->scratch, d->link, state[0], state[1], state[2], 1);
  rbv_kernel_w1.derivatives(by, ld, &d->chain, d->scratch, d->link, state[0], state[1], state[2],
                            1);
}

void rbv_regressor_adjoint(double *gq, double *gdq, double *gddq, rbv_dynamics *d,
                           const rbv_states *s, const double *P, ptrdiff_t ldp, bool loaded) {
  const int n = d->chain.njoint;
  sweep w;
  rbv_arena carve = {.base = d->adjoint};
  sweep_layout(&w, n, &carve);
  double *const state[3] = {d->state, d->state + n, d->state + 2 * n};
  for (ptrdiff_t k = 0; k < s->count; k++) {
    double *const g[3] = {gq + k, gdq + k, gddq + k};
    const double *from[3] = {s->q + k, s->dq + k, s->ddq + k};
    for (int j = 0; j < n; j++)
      for (int i = 0; i < 3; i++) {
        g[i][j * s->ld] = 0;
        state[i][j] = from[i][j * s->ld];
      }
    if (d->rigid >= 0) {
      gather_bodies(w.body, d, P + k, ldp, loaded);
      rigid_adjoint(g[0], g[1], g[2], &w, d, from[0], from[1], from[2], s->ld);
    }
    find_loads(d, s, k, state);
    drive_adjoint(g, d, P + k, ldp, state, s->ld, d->row, !s->load, s->state ? s->state + k : NULL);
  }
}
