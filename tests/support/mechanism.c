#include "mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define TURN 6.283185307179586
#define N MECHANISM_JOINTS
#define ROWS MECHANISM_ROWS

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

static void cross(double o[3], const double a[3], const double b[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  o[2] = a[0] * b[1] - a[1] * b[0];
  o[0] = x;
  o[1] = y;
}

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void turn(double o[3], double R[3][3], const double a[3]) {
  const double x[3] = {dot(R[0], a), dot(R[1], a), dot(R[2], a)};
  memcpy(o, x, sizeof x);
}

static void multiply(double o[3][3], double A[3][3], double B[3][3]) {
  double x[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      x[i][j] = A[i][0] * B[0][j] + A[i][1] * B[1][j] + A[i][2] * B[2][j];
  memcpy(o, x, sizeof x);
}

/* Rodrigues */
static void about(double R[3][3], const double axis[3], double angle) {
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

typedef struct {
  double R[N][3][3], p[N][3], axis[N][3];     // in the world
  double w[N][3], v[N][3], al[N][3], a[N][3];  // accelerations at ddq = 0, without gravity
} placed;

static const double nothing[3] = {0, 0, 0};

static void place(placed *x, const mechanism *m, const double *q, const double *dq) {
  static double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int i = 0; i < m->n; i++) {
    const mechanism_joint *j = &m->joint[i];
    const int up = j->parent;
    double(*P)[3] = up < 0 ? identity : x->R[up], step[3][3], r[3], c[3];
    turn(r, P, j->xyz);
    memcpy(x->R[i], P, sizeof x->R[i]);
    for (int k = 2; k >= 0; k--) {
      about(step, unit[k], j->rpy[k]);
      multiply(x->R[i], x->R[i], step);
    }
    turn(x->axis[i], x->R[i], j->axis);
    for (int k = 0; k < 3 && j->slides; k++) r[k] += q[i] * x->axis[i][k];
    about(step, j->axis, j->slides ? 0 : q[i]);
    multiply(x->R[i], x->R[i], step);
    for (int k = 0; k < 3; k++) x->p[i][k] = (up < 0 ? 0 : x->p[up][k]) + r[k];
    if (!dq) continue;
    const double *w = up < 0 ? nothing : x->w[up], *al = up < 0 ? nothing : x->al[up];
    double wr[3], wwr[3], alr[3];
    cross(wr, w, r);
    cross(wwr, w, wr);
    cross(alr, al, r);
    cross(c, w, x->axis[i]);
    for (int k = 0; k < 3; k++) {
      x->v[i][k] = (up < 0 ? 0 : x->v[up][k]) + wr[k] + (j->slides ? dq[i] * x->axis[i][k] : 0);
      x->a[i][k] = (up < 0 ? 0 : x->a[up][k]) + alr[k] + wwr[k] + (j->slides ? 2 * dq[i] * c[k] : 0);
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
  turn(out, x->R[body], at);
  for (int k = 0; k < 3; k++) out[k] += x->p[body][k];
  for (int i = body; i >= 0; i = m->joint[i].parent) {
    double r[3], c[3];
    for (int k = 0; k < 3; k++) r[k] = out[k] - x->p[i][k];
    cross(c, x->axis[i], r);
    for (int k = 0; k < 3; k++) J[k][i] = m->joint[i].slides ? x->axis[i][k] : c[k];
  }
}

/* acceleration of a point at ddq = 0 */
static void point_bias(double out[3], placed *x, int body, const double point[3]) {
  memset(out, 0, 3 * sizeof *out);
  if (body < 0) return;
  double r[3], wr[3], wwr[3], alr[3];
  for (int k = 0; k < 3; k++) r[k] = point[k] - x->p[body][k];
  cross(wr, x->w[body], r);
  cross(wwr, x->w[body], wr);
  cross(alr, x->al[body], r);
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
  multiply(I, x->R[b], local);
  multiply(I, I, T);
  turn(w, I, x->w[b]);
  cross(moment, x->w[b], w);
  turn(al, I, x->al[b]);
  for (int i = b; i >= 0; i = m->joint[i].parent) {
    double turned[3] = {0};
    const double *ai = m->joint[i].slides ? nothing : x->axis[i];
    turn(turned, I, ai);
    for (int k = 0; k < 3; k++)
      h[i] += j->mass * J[k][i] * (a[k] - m->gravity[k]) + ai[k] * (al[k] + moment[k]);
    for (int o = b; o >= 0; o = m->joint[o].parent)
      M[i][o] += j->mass * (J[0][i] * J[0][o] + J[1][i] * J[1][o] + J[2][i] * J[2][o]) +
                 (m->joint[o].slides ? 0 : dot(x->axis[o], turned));
  }
}

static double friction_of(const mechanism *m, int i, double v) {
  const mechanism_joint *j = &m->joint[i];
  return j->viscous * v + j->coulomb * 4 / TURN * atan(m->gamma * v);
}

static void system_of(double M[N][N], double h[N], placed *x, const mechanism *m, const double *dq) {
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
  place(&x, m, q, NULL);
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
    place(&x, m, q, NULL);
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
  place(&x, m, q, NULL);
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
  place(&x, m, q, dq);
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
  place(&x, m, q, dq);
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
  place(&x, m, q, dq);
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

/* ---- mechanisms ---- */

/* a box of this size around a centre, turned by a little */
static void fill_body(mechanism_joint *j, double mass, const double centre[3], const double size[3],
                      mechanism_dice *d) {
  double R[3][3], I[3][3], T[3][3], axis[3] = {mechanism_uniform(d), mechanism_uniform(d), 0.5};
  const double length = sqrt(dot(axis, axis));
  for (int k = 0; k < 3; k++) axis[k] /= length;
  about(R, axis, 0.6 * mechanism_uniform(d) - 0.3);
  memset(I, 0, sizeof I);
  for (int k = 0; k < 3; k++) {
    const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
    I[k][k] = mass / 12 * (a * a + b * b);
    for (int i = 0; i < 3; i++) T[i][k] = R[k][i];
  }
  multiply(I, R, I);
  multiply(I, I, T);
  j->mass = mass;
  memcpy(j->centre, centre, sizeof j->centre);
  const double six[6] = {I[0][0], I[0][1], I[0][2], I[1][1], I[1][2], I[2][2]};
  memcpy(j->inertia, six, sizeof six);
}

static mechanism_joint *add_joint(mechanism *m, const char *name, int parent, bool driven,
                                  const double xyz[3], const double axis[3]) {
  mechanism_joint *j = &m->joint[m->n++];
  *j = (mechanism_joint){.parent = parent, .driven = driven};
  snprintf(j->name, sizeof j->name, "%s", name);
  memcpy(j->xyz, xyz, sizeof j->xyz);
  memcpy(j->axis, axis, sizeof j->axis);
  m->ndriven += driven;
  return j;
}

static void add_friction(mechanism_joint *j, double rotor, double viscous, double coulomb) {
  j->rotor = rotor;
  j->viscous = viscous;
  j->coulomb = coulomb;
}

mechanism mechanism_parallelogram(void) {
  static const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
  mechanism m = {.name = "parallelogram", .gravity = {0, 0, -9.81}, .gamma = 150};
  mechanism_dice d = {.state = 3};
  mechanism_joint *j = add_joint(&m, "waist", -1, true, (double[]){0, 0, 0.4}, z);
  fill_body(j, 8, (double[]){0.02, 0.01, 0.05}, (double[]){0.3, 0.25, 0.2}, &d);
  add_friction(j, 0.9, 2.5, 3);
  j = add_joint(&m, "lower", 0, true, (double[]){0.1, 0, 0.1}, y);
  fill_body(j, 6, (double[]){0.01, 0.02, 0.28}, (double[]){0.12, 0.1, 0.65}, &d);
  add_friction(j, 1.1, 3, 4);
  j = add_joint(&m, "forearm", 1, false, (double[]){0, 0, 0.6}, y);
  fill_body(j, 4, (double[]){0.25, -0.01, 0.03}, (double[]){0.7, 0.09, 0.1}, &d);
  j = add_joint(&m, "crank", 0, true, (double[]){0.1, 0, 0.1}, y);
  fill_body(j, 2, (double[]){-0.1, 0.04, 0.01}, (double[]){0.3, 0.05, 0.06}, &d);
  add_friction(j, 0.8, 2, 3.5);
  j = add_joint(&m, "rod", 3, false, (double[]){-0.25, 0, 0}, y);
  fill_body(j, 1.2, (double[]){0.01, 0.03, 0.3}, (double[]){0.04, 0.04, 0.6}, &d);
  m.cut[m.ncut++] = (mechanism_cut){{4, 2}, {{0, 0, 0.6}, {-0.25, 0, 0}}};
  return m;
}

/* arms about y of frames that are turned about z; rods by universal joints; a platform on slides */
static mechanism delta_of(const double base[3], const double arm[3], const double rod[3],
                          double platform, double angle, mechanism_dice *d) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const double origin[3] = {0, 0, 0};
  mechanism m = {.name = "delta", .gravity = {0, 0, -9.81}, .gamma = 150};
  char name[16];
  double height = 0;
  for (int k = 0; k < 3; k++) {
    const double turned = TURN / 3 * k, c = cos(turned), s = sin(turned);
    const double dx = platform - base[k] - arm[k] * cos(angle), dz = -sqrt(rod[k] * rod[k] - dx * dx);
    snprintf(name, sizeof name, "a%d", k + 1);
    mechanism_joint *j =
        add_joint(&m, name, -1, true, (double[]){base[k] * c, base[k] * s, 0}, axis[1]);
    j->rpy[2] = turned;
    j->home = angle;
    fill_body(j, 1, (double[]){arm[k] / 2, 0.004 * k, 0.01}, (double[]){arm[k], 0.06, 0.05}, d);
    add_friction(j, 0.03, 0.25, 0.35);
    snprintf(name, sizeof name, "u%d", k + 1);
    j = add_joint(&m, name, 3 * k, false, (double[]){arm[k], 0, 0}, axis[1]);
    j->home = atan2(-dz, dx) - angle;
    snprintf(name, sizeof name, "v%d", k + 1);
    j = add_joint(&m, name, 3 * k + 1, false, origin, axis[2]);
    fill_body(j, 0.25, (double[]){rod[k] / 2, 0.005, -0.004 * k}, (double[]){rod[k], 0.03, 0.02}, d);
    m.cut[m.ncut++] = (mechanism_cut){
        {3 * k + 2, 11}, {{rod[k], 0, 0}, {platform * c, platform * s, 0}}};
    height += (dz - arm[k] * sin(angle)) / 3;
  }
  for (int k = 0; k < 3; k++) {
    mechanism_joint *j = add_joint(&m, (const char *[]){"x", "y", "z"}[k], 8 + k, false, origin,
                                   axis[k]);
    if (k == 0) j->parent = -1;
    j->slides = true;
    j->home = k == 2 ? height : 0;
    if (k == 2) fill_body(j, 0.6, (double[]){0.01, 0.003, -0.01}, (double[]){0.15, 0.15, 0.03}, d);
  }
  double q[N];
  for (int i = 0; i < m.n; i++) q[i] = m.joint[i].home;
  if (!mechanism_close(q, &m)) fail_msg("a delta does not close");
  for (int i = 0; i < m.n; i++) m.joint[i].home = q[i];
  return m;
}

mechanism mechanism_delta(void) {
  mechanism_dice d = {.state = 5};
  return delta_of((double[]){0.2, 0.2, 0.2}, (double[]){0.3, 0.3, 0.3}, (double[]){0.8, 0.8, 0.8},
                  0.06, 0.4, &d);
}

mechanism mechanism_random_delta(uint64_t seed) {
  mechanism_dice d = {.state = seed};
  double length[3][3];
  for (int k = 0; k < 9; k++)
    length[k / 3][k % 3] =
        (double[]){0.2, 0.3, 0.8}[k / 3] * (0.9 + 0.2 * mechanism_uniform(&d));
  const double platform = 0.05 + 0.05 * mechanism_uniform(&d);
  return delta_of(length[0], length[1], length[2], platform, 0.2 + 0.4 * mechanism_uniform(&d), &d);
}

static void random_unit(double x[3], mechanism_dice *d) {
  for (int k = 0; k < 3; k++) x[k] = mechanism_normal(d);
  const double length = sqrt(dot(x, x));
  for (int k = 0; k < 3; k++) x[k] /= length;
}

/* a point of the world in the frame of a body in the home pose */
static void local_point(double out[3], const mechanism *m, int body, const double at[3]) {
  memcpy(out, at, 3 * sizeof *out);
  if (body < 0) return;
  placed x;
  double q[N], T[3][3];
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  place(&x, m, q, NULL);
  for (int k = 0; k < 3; k++) out[k] -= x.p[body][k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) T[i][k] = x.R[body][k][i];
  turn(out, T, out);
}

/* a joint at a point of the world whose axis has this direction in the world */
static void add_at(mechanism *m, int parent, bool driven, bool slides, const double at[3],
                   const double along[3], mechanism_dice *d) {
  static const double z[3] = {0, 0, 1};
  char name[16];
  double xyz[3], tip[3], axis[3], R[3][3], T[3][3], step[3][3];
  static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  snprintf(name, sizeof name, "j%d", m->n + 1);
  local_point(xyz, m, parent, at);
  for (int k = 0; k < 3; k++) tip[k] = at[k] + along[k];
  local_point(axis, m, parent, tip);
  for (int k = 0; k < 3; k++) axis[k] -= xyz[k];
  mechanism_joint *j = add_joint(m, name, parent, driven, xyz, z);
  memcpy(R, unit, sizeof R);
  for (int k = 2; k >= 0; k--) {
    j->rpy[k] = 2 * mechanism_uniform(d) - 1;
    about(step, unit[k], j->rpy[k]);
    multiply(R, R, step);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) T[i][k] = R[k][i];
  turn(j->axis, T, axis);
  j->slides = slides;
  fill_body(j, 0.5 + 2 * mechanism_uniform(d),
            (double[]){0.2 * mechanism_uniform(d), 0.2 * mechanism_uniform(d), 0.1},
            (double[]){0.3, 0.1, 0.15}, d);
  add_friction(j, driven ? 0.05 : 0, 0.2 * mechanism_uniform(d), 0.3 * mechanism_uniform(d));
}

static void add_cut(mechanism *m, int body, int other, const double at[3]) {
  mechanism_cut *c = &m->cut[m->ncut++];
  c->body[0] = body;
  c->body[1] = other;
  local_point(c->at[0], m, body, at);
  local_point(c->at[1], m, other, at);
}

mechanism mechanism_random_planar(uint64_t seed) {
  mechanism m = {.name = "planar", .gravity = {1, -2, -9.5}, .gamma = 150};
  mechanism_dice d = {.state = seed};
  double n[3], e[2][3], at[5][3];
  random_unit(n, &d);
  random_unit(e[0], &d);
  cross(e[1], n, e[0]);
  const double length = sqrt(dot(e[1], e[1]));
  for (int k = 0; k < 3; k++) e[1][k] /= length;
  cross(e[0], e[1], n);
  // two feet, two elbows, and the point where the chains meet
  static const double plan[5][2] = {{0, 0}, {0.7, 0}, {-0.2, 0.45}, {0.95, 0.4}, {0.4, 0.85}};
  for (int i = 0; i < 5; i++) {
    const double x = plan[i][0] + 0.2 * mechanism_uniform(&d) - 0.1;
    const double y = plan[i][1] + 0.2 * mechanism_uniform(&d) - 0.1;
    for (int k = 0; k < 3; k++) at[i][k] = x * e[0][k] + y * e[1][k];
  }
  const bool four = seed % 2 == 0;
  add_at(&m, -1, true, false, at[0], n, &d);
  add_at(&m, 0, false, false, at[2], n, &d);
  add_at(&m, -1, !four, false, at[1], n, &d);
  if (!four) add_at(&m, 2, false, false, at[3], n, &d);
  add_cut(&m, 1, m.n - 1, at[4]);
  return m;
}

mechanism mechanism_random_spatial(uint64_t seed) {
  mechanism m = {.name = "spatial", .gravity = {0.5, 1, -9.7}, .gamma = 150};
  mechanism_dice d = {.state = seed + 1000};
  double at[6][3], along[5][3];
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++) at[i][k] = mechanism_uniform(&d);
  for (int i = 0; i < 5; i++) random_unit(along[i], &d);
  add_at(&m, -1, true, false, at[0], along[0], &d);
  add_at(&m, 0, false, false, at[1], along[1], &d);
  add_at(&m, 1, false, seed % 3 == 0, at[2], along[2], &d);
  add_at(&m, -1, true, false, at[3], along[3], &d);
  add_at(&m, 3, false, false, at[4], along[4], &d);
  add_cut(&m, 2, 4, at[5]);
  return m;
}

/* ---- robot files ---- */

static void put_link(FILE *f, const mechanism_joint *j) {
  fprintf(f, "<link name=\"%s_link\">", j->name);
  if (j->mass > 0)
    fprintf(f,
            "<inertial><origin xyz=\"%.17g %.17g %.17g\"/><mass value=\"%.17g\"/><inertia "
            "ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\" "
            "izz=\"%.17g\"/></inertial>",
            j->centre[0], j->centre[1], j->centre[2], j->mass, j->inertia[0], j->inertia[1],
            j->inertia[2], j->inertia[3], j->inertia[4], j->inertia[5]);
  fprintf(f, "</link>\n");
}

static const char *link_of(const mechanism *m, int body) {
  static char name[2][32];
  static int next;
  next = 1 - next;
  if (body < 0) return "base_link";
  snprintf(name[next], sizeof name[next], "%s_link", m->joint[body].name);
  return name[next];
}

static void put_urdf(FILE *f, const mechanism *m) {
  fprintf(f, "<robot name=\"%s\"><link name=\"base_link\"/>\n", m->name);
  for (int i = 0; i < m->n; i++) put_link(f, &m->joint[i]);
  for (int i = 0; i < m->n; i++) {
    const mechanism_joint *j = &m->joint[i];
    fprintf(f,
            "<joint name=\"%s\" type=\"%s\"><parent link=\"%s\"/><child link=\"%s_link\"/>"
            "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>"
            "<axis xyz=\"%.17g %.17g %.17g\"/>"
            "<limit lower=\"-10\" upper=\"10\" velocity=\"20\" effort=\"1000\"/></joint>\n",
            j->name, j->slides ? "prismatic" : "revolute", link_of(m, j->parent), j->name,
            j->xyz[0], j->xyz[1], j->xyz[2], j->rpy[0], j->rpy[1], j->rpy[2], j->axis[0],
            j->axis[1], j->axis[2]);
  }
  fprintf(f, "</robot>\n");
}

static void put_yaml(FILE *f, const mechanism *m) {
  fprintf(f, "urdf: %s.urdf\ngravity: [%.17g, %.17g, %.17g]\nfriction: {gamma: %.17g}\nloops:\n",
          m->name, m->gravity[0], m->gravity[1], m->gravity[2], m->gamma);
  for (int c = 0; c < m->ncut; c++) {
    fprintf(f, "  - between:\n");
    for (int s = 0; s < 2; s++)
      fprintf(f, "      - {frame: %s, xyz: [%.17g, %.17g, %.17g]}\n",
              link_of(m, m->cut[c].body[s]), m->cut[c].at[s][0], m->cut[c].at[s][1],
              m->cut[c].at[s][2]);
  }
  const char *between = "";
  fprintf(f, "driven: [");
  for (int i = 0; i < m->n; i++)
    if (m->joint[i].driven) {
      fprintf(f, "%s%s", between, m->joint[i].name);
      between = ", ";
    }
  fprintf(f, "]\nreference:\n");
  for (int i = 0; i < m->n; i++) fprintf(f, "  %s: %.17g\n", m->joint[i].name, m->joint[i].home);
  fprintf(f, "joints:\n");
  for (int i = 0; i < m->n; i++) {
    const mechanism_joint *j = &m->joint[i];
    const bool rubs = j->viscous != 0 || j->coulomb != 0;
    fprintf(f, "  - {name: %s, drive: [%s%s%s]}\n", j->name, rubs ? "Fv, Fc" : "",
            rubs && j->rotor != 0 ? ", " : "", j->rotor != 0 ? "Ia" : "");
  }
}

const char *mechanism_write(const mechanism *m) {
  char name[64];
  snprintf(name, sizeof name, "%s.urdf", m->name);
  FILE *f = fopen(temp_file(name, ""), "w");
  put_urdf(f, m);
  fclose(f);
  snprintf(name, sizeof name, "%s.yaml", m->name);
  f = fopen(temp_file(name, ""), "w");
  put_yaml(f, m);
  fclose(f);
  return temp_file(name, NULL);
}

/* ---- recordings ---- */

#define SINES 5
#define STEP_S 1.25e-4  // of the integration: friction is stiff

typedef struct {
  double amplitude, speed, phase;
} wave;

/* reference of a driven joint: sums of sines that begin with a smooth start */
static double reference_at(const wave *w, double home, double t) {
  const double ramp = t < 1 ? t * t * (3 - 2 * t) : 1;
  double x = 0;
  for (int i = 0; i < SINES; i++) x += w[i].amplitude * sin(w[i].speed * t + w[i].phase);
  return home + ramp * x;
}

/* the laws: bandwidth times what the drive moves alone */
static void tune(mechanism_record *r, const mechanism *m, const mechanism_plan *plan) {
  double q[N], still[N] = {0}, tau[N] = {0}, a[N], b[N];
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  mechanism_accelerate(a, NULL, m, q, still, tau);
  r->filter_s = 1 / (10 * plan->stiffness);
  for (int i = 0, k = 0; i < m->n; i++) {
    if (!m->joint[i].driven) continue;
    tau[i] = 1;
    mechanism_accelerate(b, NULL, m, q, still, tau);
    tau[i] = 0;
    const double inertia = 1 / (b[i] - a[i]);
    r->k_p[k] = inertia * plan->stiffness * plan->stiffness;
    r->k_d[k++] = 2 * inertia * plan->stiffness;
  }
}

mechanism_record mechanism_simulate(const mechanism *m, const mechanism_plan *plan) {
  const ptrdiff_t count = (ptrdiff_t)(plan->seconds * plan->rate_hz);
  mechanism_record r = {.count = count, .n = m->ndriven};
  const size_t size = (size_t)count * (size_t)r.n;
  r.q = calloc(4 * size, sizeof *r.q);
  r.tau = r.q + size;
  r.exact = r.tau + size;
  r.reference = r.exact + size;
  mechanism_dice moves = {.state = plan->motion * 7919}, noise = {.state = plan->seed * 104729};
  wave waves[N][SINES];
  for (int j = 0; j < r.n; j++)
    for (int i = 0; i < SINES; i++)
      waves[j][i] = (wave){plan->reach / SINES * (0.6 + 0.8 * mechanism_uniform(&moves)),
                           TURN * (0.15 + 1.1 * mechanism_uniform(&moves)),
                           TURN * mechanism_uniform(&moves)};
  tune(&r, m, plan);
  const double T = 1 / plan->rate_hz, pole = exp(-T / r.filter_s);
  const int substeps = (int)ceil(T / STEP_S);
  double q[N] = {0}, dq[N] = {0}, tau[N] = {0}, last[N], rate[N] = {0};
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  for (ptrdiff_t k = 0; k < count; k++) {
    for (int i = 0, j = 0; i < m->n; i++) {
      if (!m->joint[i].driven) continue;
      const ptrdiff_t at = k + j * count;
      const double step = plan->counts > 0 ? TURN / plan->counts : 0;
      r.q[at] = step > 0 ? step * rint(q[i] / step) : q[i];
      r.reference[at] = reference_at(waves[j], m->joint[i].home, (double)k * T);
      const double error = r.reference[at] - r.q[at];
      rate[j] = k == 0 ? 0 : pole * rate[j] + (1 - pole) * (error - last[j]) / T;
      last[j] = error;
      tau[i] = r.exact[at] = r.k_p[j] * error + r.k_d[j] * rate[j];
      j++;
    }
    for (int s = 0; s < substeps; s++) mechanism_step(q, dq, m, tau, T / substeps);
  }
  for (int j = 0; j < r.n; j++) {
    double sum = 0, mean = 0;
    for (ptrdiff_t k = 0; k < count; k++) mean += r.exact[k + j * count] / (double)count;
    for (ptrdiff_t k = 0; k < count; k++) sum += pow(r.exact[k + j * count] - mean, 2);
    r.noise[j] = plan->noise * sqrt(sum / (double)count);
    for (ptrdiff_t k = 0; k < count; k++)
      r.tau[k + j * count] = r.exact[k + j * count] + r.noise[j] * mechanism_normal(&noise);
  }
  return r;
}

void mechanism_record_free(mechanism_record *r) { free(r->q); }

void mechanism_record_write(const mechanism_record *r, const mechanism *m,
                            const mechanism_plan *plan, const char *log, const char *controller) {
  static const char *const stem[] = {"q", "tau", "qr"};
  const double *const from[] = {r->q, r->tau, r->reference};
  FILE *f = fopen(temp_file(log, ""), "w");
  (void)m;
  fprintf(f, "t");
  for (int s = 0; s < 3; s++)
    for (int j = 0; j < r->n; j++) fprintf(f, ",%s%d", stem[s], j + 1);
  for (ptrdiff_t k = 0; k < r->count; k++) {
    fprintf(f, "\n%.9g", (double)k / plan->rate_hz);
    for (int s = 0; s < 3; s++)
      for (int j = 0; j < r->n; j++) fprintf(f, ",%.12g", from[s][k + j * r->count]);
  }
  fprintf(f, "\n");
  fclose(f);
  f = fopen(temp_file(controller, ""), "w");
  fprintf(f, "rate_hz: %.9g\njoints:\n", plan->rate_hz);
  for (int j = 0; j < r->n; j++)
    fprintf(f, "  - {k_p: %.17g, k_d: %.17g, filter_s: %.17g}\n", r->k_p[j], r->k_d[j],
            r->filter_s);
  fclose(f);
}
