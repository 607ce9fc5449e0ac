/* Kinematics and dynamics of mechanism.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism_internal.h"

double mechanism_uniform(mechanism_dice *d) {
  d->state += 0x9e3779b97f4a7c15u;
  uint64_t x = d->state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
}

double mechanism_normal(mechanism_dice *d) {
  const double r = sqrt(-2 * log(1 - mechanism_uniform(d)));
  return r * cos(TURN * mechanism_uniform(d));
}

/* ---- vectors ---- */

void mechanism_cross(double o[3], const double a[3], const double b[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  o[2] = a[0] * b[1] - a[1] * b[0];
  o[0] = x;
  o[1] = y;
}

double mechanism_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void mechanism_turn(double o[3], double R[3][3], const double a[3]) {
  const double x[3] = {mechanism_dot(R[0], a), mechanism_dot(R[1], a), mechanism_dot(R[2], a)};
  memcpy(o, x, sizeof x);
}

void mechanism_multiply(double o[3][3], double A[3][3], double B[3][3]) {
  double x[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) x[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
  memcpy(o, x, sizeof x);
}

/* Rodrigues */
void mechanism_about(double R[3][3], const double axis[3], double angle) {
  const double c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) R[i][j] = (1 - c) * axis[i] * axis[j] + (i == j ? c : 0);
  R[0][1] -= s * axis[2];
  R[1][0] += s * axis[2];
  R[0][2] += s * axis[1];
  R[2][0] -= s * axis[1];
  R[1][2] -= s * axis[0];
  R[2][1] += s * axis[0];
}

/* ---- poses and what the speeds add ---- */

static const double nothing[3] = {0, 0, 0};

void mechanism_place(placed *x, const mechanism *m, const double *q, const double *dq) {
  static double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < m->n; i++) {
    const mechanism_joint *j = &m->joint[i];
    const int up = j->parent;
    double(*P)[3] = up < 0 ? identity : x->R[up], step[3][3], r[3], c[3];
    mechanism_turn(r, P, j->xyz);
    memcpy(x->R[i], P, sizeof x->R[i]);
    for (int k = 2; k >= 0; k--) {
      mechanism_about(step, unit[k], j->rpy[k]);
      mechanism_multiply(x->R[i], x->R[i], step);
    }
    mechanism_turn(x->axis[i], x->R[i], j->axis);
    for (int k = 0; k < 3 && j->slides; k++) r[k] += q[i] * x->axis[i][k];
    mechanism_about(step, j->axis, j->slides ? 0 : q[i]);
    mechanism_multiply(x->R[i], x->R[i], step);
    for (int k = 0; k < 3; k++) x->p[i][k] = (up < 0 ? 0 : x->p[up][k]) + r[k];
    if (!dq) continue;
    const double *w = up < 0 ? nothing : x->w[up], *al = up < 0 ? nothing : x->al[up];
    double wr[3], wwr[3], alr[3];
    mechanism_cross(wr, w, r);
    mechanism_cross(wwr, w, wr);
    mechanism_cross(alr, al, r);
    mechanism_cross(c, w, x->axis[i]);
    for (int k = 0; k < 3; k++) {
      x->v[i][k] = (up < 0 ? 0 : x->v[up][k]) + wr[k] + (j->slides ? dq[i] * x->axis[i][k] : 0);
      x->a[i][k] =
          (up < 0 ? 0 : x->a[up][k]) + alr[k] + wwr[k] + (j->slides ? 2 * dq[i] * c[k] : 0);
      x->w[i][k] = w[k] + (j->slides ? 0 : dq[i] * x->axis[i][k]);
      x->al[i][k] = al[k] + (j->slides ? 0 : dq[i] * c[k]);
    }
  }
}

/* a point of a body in the world, and its movement per joint (3 x n) */
static void point_of(double out[3], double J[3][N], placed *x, const mechanism *m, int body,
                     const double at[3]) {
  memset(J, 0, sizeof(double[3][N]));
  memcpy(out, at, 3 * sizeof *out);
  if (body < 0) return;
  mechanism_turn(out, x->R[body], at);
  for (int k = 0; k < 3; k++) out[k] += x->p[body][k];
  for (int i = body; i >= 0; i = m->joint[i].parent) {
    double r[3], c[3];
    for (int k = 0; k < 3; k++) r[k] = out[k] - x->p[i][k];
    mechanism_cross(c, x->axis[i], r);
    for (int k = 0; k < 3; k++) J[k][i] = m->joint[i].slides ? x->axis[i][k] : c[k];
  }
}

/* acceleration of a point at ddq = 0 */
static void point_bias(double out[3], placed *x, int body, const double point[3]) {
  memset(out, 0, 3 * sizeof *out);
  if (body < 0) return;
  double r[3], wr[3], wwr[3], alr[3];
  for (int k = 0; k < 3; k++) r[k] = point[k] - x->p[body][k];
  mechanism_cross(wr, x->w[body], r);
  mechanism_cross(wwr, x->w[body], wr);
  mechanism_cross(alr, x->al[body], r);
  for (int k = 0; k < 3; k++) out[k] = x->a[body][k] + wwr[k] + alr[k];
}

/* phi, its derivative (row, joint), and Jdot dq; parts that are not wanted: NULL */
static void cuts_of(double *phi, double J[ROWS][N], double *bias, placed *x, const mechanism *m) {
  for (int c = 0; c < m->ncut; c++) {
    double p[2][3], part[2][3][N], b[2][3] = {{0}};
    for (int s = 0; s < 2; s++) {
      point_of(p[s], part[s], x, m, m->cut[c].body[s], m->cut[c].at[s]);
      if (bias) point_bias(b[s], x, m->cut[c].body[s], p[s]);
    }
    for (int k = 0; k < 3; k++) {
      phi[3 * c + k] = p[0][k] - p[1][k];
      for (int i = 0; i < m->n; i++) J[3 * c + k][i] = part[0][k][i] - part[1][k][i];
      if (bias) bias[3 * c + k] = b[0][k] - b[1][k];
    }
  }
}

/* ---- M and h ---- */

static void body_terms(double M[N][N], double h[N], placed *x, const mechanism *m, int b) {
  const mechanism_joint *j = &m->joint[b];
  if (j->mass == 0) return;
  double centre[3], J[3][N], a[3], I[3][3], T[3][3], w[3], al[3], moment[3];
  double local[3][3] = {{j->inertia[0], j->inertia[1], j->inertia[2]},
                        {j->inertia[1], j->inertia[3], j->inertia[4]},
                        {j->inertia[2], j->inertia[4], j->inertia[5]}};
  point_of(centre, J, x, m, b, j->centre);
  point_bias(a, x, b, centre);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) T[i][k] = x->R[b][k][i];
  mechanism_multiply(I, x->R[b], local);
  mechanism_multiply(I, I, T);
  mechanism_turn(w, I, x->w[b]);
  mechanism_cross(moment, x->w[b], w);
  mechanism_turn(al, I, x->al[b]);
  for (int i = b; i >= 0; i = m->joint[i].parent) {
    double turned[3] = {0};
    const double *ai = m->joint[i].slides ? nothing : x->axis[i];
    mechanism_turn(turned, I, ai);
    for (int k = 0; k < 3; k++)
      h[i] += j->mass * J[k][i] * (a[k] - m->gravity[k]) + ai[k] * (al[k] + moment[k]);
    for (int o = b; o >= 0; o = m->joint[o].parent)
      M[i][o] += j->mass * (J[0][i] * J[0][o] + J[1][i] * J[1][o] + J[2][i] * J[2][o]) +
                 (m->joint[o].slides ? 0 : mechanism_dot(x->axis[o], turned));
  }
}

static double friction_of(const mechanism *m, int i, double v) {
  const mechanism_joint *j = &m->joint[i];
  return j->viscous * v + j->coulomb * 4 / TURN * atan(m->gamma * v);
}

static void system_of(double M[N][N], double h[N], placed *x, const mechanism *m,
                      const double *dq) {
  memset(M, 0, sizeof(double[N][N]));
  for (int i = 0; i < m->n; i++) h[i] = friction_of(m, i, dq[i]);
  for (int b = 0; b < m->n; b++) body_terms(M, h, x, m, b);
  for (int i = 0; i < m->n; i++) M[i][i] += m->joint[i].rotor;
}

/* ---- linear equations ---- */

#define MOST (N > ROWS ? N : ROWS)

/* A x = b for count right sides, A symmetric and not negative, consistent where it is singular:
 * elimination with the largest diagonal element as pivot */
static void solve_symmetric(double A[MOST][MOST], double b[][MOST], int count, int n) {
  int order[MOST], rank = 0;
  double largest = 0;
  for (int i = 0; i < n; i++) {
    order[i] = i;
    largest = fmax(largest, A[i][i]);
  }
  for (; rank < n; rank++) {
    int best = rank;
    for (int i = rank + 1; i < n; i++)
      if (A[order[i]][order[i]] > A[order[best]][order[best]]) best = i;
    const int p = order[best];
    if (!(A[p][p] > 1e-11 * largest)) break;
    order[best] = order[rank];
    order[rank] = p;
    for (int i = rank + 1; i < n; i++) {
      const int r = order[i];
      const double f = A[r][p] / A[p][p];
      for (int k = rank + 1; k < n; k++) A[r][order[k]] -= f * A[p][order[k]];
      for (int c = 0; c < count; c++) b[c][r] -= f * b[c][p];
    }
  }
  for (int c = 0; c < count; c++) {
    for (int i = rank; i < n; i++) b[c][order[i]] = 0;
    for (int i = rank - 1; i >= 0; i--) {
      const int p = order[i];
      for (int k = i + 1; k < rank; k++) b[c][p] -= A[p][order[k]] * b[c][order[k]];
      b[c][p] /= A[p][p];
    }
  }
}

/* ---- closure ---- */

double mechanism_gap(const mechanism *m, const double *q) {
  placed x;
  double phi[ROWS], J[ROWS][N], most = 0;
  mechanism_place(&x, m, q, NULL);
  cuts_of(phi, J, NULL, &x, m);
  for (int r = 0; r < 3 * m->ncut; r++) most = fmax(most, fabs(phi[r]));
  return most;
}

/* dependent joints with the smallest |J_d y - rhs|; driven ones of y are not touched */
static void solve_dependent(double *y, double J[ROWS][N], const double *rhs, const mechanism *m) {
  double A[MOST][MOST], b[1][MOST];
  int dependent[N], nd = 0;
  for (int i = 0; i < m->n; i++)
    if (!m->joint[i].driven) dependent[nd++] = i;
  for (int i = 0; i < nd; i++) {
    b[0][i] = 0;
    for (int r = 0; r < 3 * m->ncut; r++) b[0][i] += J[r][dependent[i]] * rhs[r];
    for (int k = 0; k < nd; k++) {
      A[i][k] = 0;
      for (int r = 0; r < 3 * m->ncut; r++) A[i][k] += J[r][dependent[i]] * J[r][dependent[k]];
    }
  }
  solve_symmetric(A, b, 1, nd);
  for (int i = 0; i < nd; i++) y[dependent[i]] = b[0][i];
}

bool mechanism_close(double *q, const mechanism *m) {
  double last = INFINITY;
  for (int round = 0; round < 50; round++) {
    placed x;
    double phi[ROWS], J[ROWS][N], step[N] = {0}, gap = 0, longest = 0;
    mechanism_place(&x, m, q, NULL);
    cuts_of(phi, J, NULL, &x, m);
    for (int r = 0; r < 3 * m->ncut; r++) gap = fmax(gap, fabs(phi[r]));
    if (gap == 0 || (gap < 1e-12 && gap >= 0.5 * last)) return true;
    last = gap;
    solve_dependent(step, J, phi, m);
    for (int i = 0; i < m->n; i++) longest = fmax(longest, fabs(step[i]));
    for (int i = 0; i < m->n; i++)
      if (!m->joint[i].driven) q[i] -= step[i] * (longest > 0.3 ? 0.3 / longest : 1);
  }
  return mechanism_gap(m, q) < 1e-12;
}

void mechanism_follow(double *dq, const mechanism *m, const double *q) {
  placed x;
  double phi[ROWS], J[ROWS][N], rhs[ROWS];
  mechanism_place(&x, m, q, NULL);
  cuts_of(phi, J, NULL, &x, m);
  // a second pass takes the rounding of the normal equations
  for (int i = 0; i < m->n; i++)
    if (!m->joint[i].driven) dq[i] = 0;
  for (int pass = 0; pass < 2; pass++) {
    double step[N] = {0};
    for (int r = 0; r < 3 * m->ncut; r++) {
      rhs[r] = 0;
      for (int i = 0; i < m->n; i++) rhs[r] -= J[r][i] * dq[i];
    }
    solve_dependent(step, J, rhs, m);
    for (int i = 0; i < m->n; i++)
      if (!m->joint[i].driven) dq[i] += step[i];
  }
}

void mechanism_complete(double *ddq, const mechanism *m, const double *q, const double *dq) {
  placed x;
  double phi[ROWS], J[ROWS][N], bias[ROWS], rhs[ROWS];
  mechanism_place(&x, m, q, dq);
  cuts_of(phi, J, bias, &x, m);
  for (int i = 0; i < m->n; i++)
    if (!m->joint[i].driven) ddq[i] = 0;
  for (int pass = 0; pass < 2; pass++) {
    double step[N] = {0};
    for (int r = 0; r < 3 * m->ncut; r++) {
      rhs[r] = -bias[r];
      for (int i = 0; i < m->n; i++) rhs[r] -= J[r][i] * ddq[i];
    }
    solve_dependent(step, J, rhs, m);
    for (int i = 0; i < m->n; i++)
      if (!m->joint[i].driven) ddq[i] += step[i];
  }
}

/* ---- dynamics ---- */

void mechanism_accelerate(double *ddq, double *lambda, const mechanism *m, const double *q,
                          const double *dq, const double *tau) {
  static _Thread_local placed x;
  double M[N][N], h[N], phi[ROWS], J[ROWS][N], bias[ROWS];
  double A[MOST][MOST], b[ROWS + 1][MOST], S[MOST][MOST], l[1][MOST];
  const int n = m->n, rows = 3 * m->ncut;
  mechanism_place(&x, m, q, dq);
  system_of(M, h, &x, m, dq);
  cuts_of(phi, J, bias, &x, m);
  // inv(M) of the forces and of every row of J
  for (int i = 0; i < n; i++) {
    memcpy(A[i], M[i], sizeof(double[N]));
    b[0][i] = (m->joint[i].driven ? tau[i] : 0) - h[i];
    for (int r = 0; r < rows; r++) b[1 + r][i] = J[r][i];
  }
  solve_symmetric(A, b, 1 + rows, n);
  for (int r = 0; r < rows; r++) {
    l[0][r] = -bias[r];
    for (int i = 0; i < n; i++) l[0][r] -= J[r][i] * b[0][i];
    for (int c = 0; c < rows; c++) {
      S[r][c] = 0;
      for (int i = 0; i < n; i++) S[r][c] += J[r][i] * b[1 + c][i];
    }
  }
  solve_symmetric(S, l, 1, rows);
  for (int i = 0; i < n; i++) {
    ddq[i] = b[0][i];
    for (int r = 0; r < rows; r++) ddq[i] += b[1 + r][i] * l[0][r];
  }
  for (int r = 0; r < rows && lambda; r++) lambda[r] = l[0][r];
}

void mechanism_torque(double *tau, const mechanism *m, const double *q, const double *dq,
                      const double *ddq) {
  placed x;
  double M[N][N], h[N];
  mechanism_place(&x, m, q, dq);
  system_of(M, h, &x, m, dq);
  for (int i = 0; i < m->n; i++)
    for (int k = 0; k < m->n; k++) h[i] += M[i][k] * ddq[k];
  memset(tau, 0, (size_t)m->n * sizeof *tau);
  for (int a = 0; a < m->n; a++) {
    if (!m->joint[a].driven) continue;
    double rate[N] = {0};
    rate[a] = 1;
    mechanism_follow(rate, m, q);
    for (int i = 0; i < m->n; i++) tau[a] += rate[i] * h[i];
  }
}

void mechanism_step(double *q, double *dq, const mechanism *m, const double *tau, double dt) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double kq[N] = {0}, kv[N] = {0}, sq[N], sv[N], a[N];
  memcpy(sq, q, sizeof(double[N]));
  memcpy(sv, dq, sizeof(double[N]));
  for (int s = 0; s < 4; s++) {
    mechanism_accelerate(a, NULL, m, sq, sv, tau);
    for (int i = 0; i < m->n; i++) {
      kq[i] += weight[s] / 6 * sv[i];
      kv[i] += weight[s] / 6 * a[i];
    }
    for (int i = 0; i < m->n && s < 3; i++) {
      const double v = sv[i];
      sq[i] = q[i] + at[s + 1] * dt * v;
      sv[i] = dq[i] + at[s + 1] * dt * a[i];
    }
  }
  for (int i = 0; i < m->n; i++) {
    q[i] += dt * kq[i];
    dq[i] += dt * kv[i];
  }
  (void)mechanism_close(q, m);
  mechanism_follow(dq, m, q);
}
