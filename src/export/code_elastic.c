/*
 * C code of elastic joints: the motors that move the links as wanted (Spong 1987). The torque of
 * the links and its two derivatives by the time give the deflection of the springs and its
 * derivatives, so that the motion of the links needs its third and fourth derivatives.
 */
#include <math.h>
#include <string.h>

#include "export/code_table.h"

#define ADD(x, y) rbv_graph_add(g, x, y)
#define SUB(x, y) rbv_graph_subtract(g, x, y)
#define MUL(x, y) rbv_graph_multiply(g, x, y)
#define NUM(x) rbv_graph_number(g, x)
#define CALL(name, x) rbv_graph_call(g, name, x, 0)
#define OVER(x) rbv_graph_call(g, "/", GRAPH_ONE, x)

bool rbv_code_is_elastic(const coder *c) {
  return rbv_model_springs(NULL, NULL, NULL, c->m, c->e->chi) > 0;
}

bool rbv_code_has_elastic(const coder *c) {
  bool formula = false;
  for (int t = 0; t < c->m->nterm; t++) formula = formula || !c->m->term[t].law;
  return !formula && c->m->nstate == 0 && !rbv_export_has_load(c->m, c->e->chi) &&
         c->m->sensing == RBV_SENSING_MOTOR && rbv_code_is_elastic(c);
}

rbv_status rbv_code_prepare_elastic(coder *c) {
  const rbv_model *m = c->m;
  if (!rbv_code_has_elastic(c)) return RBV_OK;
  c->spring = rbv_alloc(3 * (size_t)m->njoint * sizeof *c->spring);
  double *chi = rbv_alloc((size_t)m->ncolumn * sizeof *chi);
  rbv_status status = c->spring && chi ? rbv_dynamics_new(&c->drives, m) : RBV_EMEM;
  if (status == RBV_OK) {
    (void)rbv_model_springs(c->spring, c->spring + m->njoint, c->spring + 2 * m->njoint, m,
                            c->e->chi);
    for (int k = 0; k < m->ncolumn; k++)
      if (m->column[k].law && !m->column[k].law->spring) chi[k] = c->e->chi[k];
    status = rbv_dynamics_set(c->drives, chi, false);
  }
  rbv_free(chi);
  return status;
}

/* ---- the graph ---- */

/* d of stiffness d + cubic d^3 = torque: with d = 2 sqrt(k / 3 c) sinh(x) the left side is
 * (2 k / 3) sqrt(k / 3 c) sinh(3 x) */
static node deflection(graph *g, node torque, double k, double c) {
  if (c == 0) return MUL(NUM(1 / k), torque);
  const double size = sqrt(k / (3 * c));
  const node x = MUL(NUM(1.5 / (k * size)), torque), a = CALL("abs", x);
  const node root = CALL("sqrt", ADD(NUM(1), MUL(x, x)));
  const node third = MUL(NUM(1.0 / 3), MUL(CALL("sign", x), CALL("log", ADD(a, root))));
  return MUL(NUM(2 * size), CALL("sinh", third));
}

/* deflection of a joint and its two derivatives; t: torque and its two derivatives */
static void spring(node d[3], graph *g, const coder *c, int j, const node t[3]) {
  const int n = c->m->njoint;
  const double k = c->spring[j], cubic = c->spring[n + j], damping = c->spring[2 * n + j];
  d[0] = damping > 0 ? rbv_graph_variable(g, NODE_BEND, j) : deflection(g, t[0], k, cubic);
  const node square = MUL(d[0], d[0]);
  const node slope = ADD(NUM(k), MUL(NUM(3 * cubic), square));
  if (damping > 0) {
    const node pull = ADD(MUL(NUM(k), d[0]), MUL(NUM(cubic), MUL(square, d[0])));
    d[1] = MUL(NUM(1 / damping), SUB(t[0], pull));
    d[2] = MUL(NUM(1 / damping), SUB(t[1], MUL(slope, d[1])));
    return;
  }
  const node soft = OVER(slope);
  d[1] = MUL(soft, t[1]);
  d[2] = MUL(soft, SUB(t[2], MUL(NUM(6 * cubic), MUL(d[0], MUL(d[1], d[1])))));
}

rbv_status rbv_code_write_elastic(node *out, graph *g, const coder *c) {
  const rbv_model *m = c->m;
  const int n = m->njoint;
  node t[3][MOVING_MAX];
  RBV_TRY(rbv_write_links(t[0], g, m, c->e->chi));
  for (int i = 0; i < 2; i++) RBV_TRY(rbv_graph_time_derivative(t[i + 1], g, t[i], n));
  static const node_kind kinds[] = {NODE_Q, NODE_DQ, NODE_DDQ};
  for (int j = 0; j < n; j++) {
    node d[3] = {GRAPH_ZERO, GRAPH_ZERO, GRAPH_ZERO}, motion[3];
    if (c->spring[j] > 0) spring(d, g, c, j, (const node[]){t[0][j], t[1][j], t[2][j]});
    for (int i = 0; i < 3; i++) motion[i] = ADD(rbv_graph_variable(g, kinds[i], j), d[i]);
    out[j] = ADD(t[0][j], rbv_write_drive(g, m, c->e->chi, j, motion));
    out[n + j] = motion[0];
    out[2 * n + j] = motion[1];
    out[3 * n + j] = d[1];
  }
  return g->failed ? RBV_EMEM : RBV_OK;
}

/* ---- the same from the library ---- */

/* the motion of the polynomial with these derivatives after the time s; x: 5 derivatives, n each */
static void along(double *q, double *dq, double *ddq, double *d3q, const graph_inputs *at, int n,
                  double s) {
  static const int input[] = {NODE_Q - NODE_Q, NODE_DQ - NODE_Q, NODE_DDQ - NODE_Q,
                              NODE_JERK - NODE_Q, NODE_SNAP - NODE_Q};
  for (int j = 0; j < n; j++) {
    double x[5];
    for (int i = 0; i < 5; i++) x[i] = at->x[input[i]][j];
    q[j] = x[0] + s * (x[1] + s / 2 * (x[2] + s / 3 * (x[3] + s / 4 * x[4])));
    dq[j] = x[1] + s * (x[2] + s / 2 * (x[3] + s / 3 * x[4]));
    ddq[j] = x[2] + s * (x[3] + s / 2 * x[4]);
    d3q[j] = x[3] + s * x[4];
  }
}

/* derivative of the torque of the links by the time */
static void torque_rate(double *rate, coder *c, const graph_inputs *at, double s) {
  const int n = c->m->njoint;
  double x[4][MOVING_MAX] = {{0}}, *by = c->square;
  along(x[0], x[1], x[2], x[3], at, n, s);
  rbv_dynamics_derivatives(by, by + n * n, by + 2 * n * n, c->links, x[0], x[1], x[2]);
  for (int i = 0; i < n; i++) {
    rate[i] = 0;
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < n; j++) rate[i] += by[k * n * n + i + j * n] * x[k + 1][j];
  }
}

/* step of the differences: the motion changes little within it */
static double difference_step(const graph_inputs *at, int n) {
  double fastest = 1;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 4; i++) {
      static const int input[] = {1, 2, NODE_JERK - NODE_Q, NODE_SNAP - NODE_Q};
      fastest = fmax(fastest, pow(fabs(at->x[input[i]][j]), 1.0 / (i + 1)));
    }
  return 0.02 / fastest;
}

/* the root of stiffness d + cubic d^3 = torque by Newton */
static double bend_of(double torque, double k, double c) {
  double d = fabs(torque) / k;
  for (int i = 0; i < 100 && c > 0; i++)
    d -= (k * d + c * d * d * d - fabs(torque)) / (k + 3 * c * d * d);
  return torque < 0 ? -d : d;
}

void rbv_code_want_elastic(double *out, coder *c, const graph_inputs *at) {
  // central differences of order 8 of the first derivative, which is exact
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const int n = c->m->njoint;
  double t[3][MOVING_MAX], side[2][MOVING_MAX], motion[3][MOVING_MAX], drive[MOVING_MAX];
  rbv_dynamics_inverse(t[0], c->links, at->x[0], at->x[1], at->x[2]);
  torque_rate(t[1], c, at, 0);
  const double h = difference_step(at, n);
  memset(t[2], 0, sizeof t[2]);
  for (int i = 0; i < 4; i++) {
    torque_rate(side[0], c, at, (i + 1) * h);
    torque_rate(side[1], c, at, -(i + 1) * h);
    for (int j = 0; j < n; j++) t[2][j] += weight[i] * (side[0][j] - side[1][j]) / h;
  }
  for (int j = 0; j < n; j++) {
    const double k = c->spring[j], cubic = c->spring[n + j], damping = c->spring[2 * n + j];
    double d[3] = {0};
    if (k > 0) {
      d[0] = damping > 0 ? at->x[NODE_BEND - NODE_Q][j] : bend_of(t[0][j], k, cubic);
      const double slope = k + 3 * cubic * d[0] * d[0];
      d[1] = damping > 0 ? (t[0][j] - k * d[0] - cubic * pow(d[0], 3)) / damping : t[1][j] / slope;
      d[2] = damping > 0 ? (t[1][j] - slope * d[1]) / damping
                         : (t[2][j] - 6 * cubic * d[0] * d[1] * d[1]) / slope;
    }
    for (int i = 0; i < 3; i++) motion[i][j] = at->x[i][j] + d[i];
    out[3 * n + j] = d[1];
  }
  rbv_dynamics_inverse(drive, c->drives, motion[0], motion[1], motion[2]);
  for (int j = 0; j < n; j++) {
    out[j] = t[0][j] + drive[j];
    out[n + j] = motion[0][j];
    out[2 * n + j] = motion[1][j];
  }
}
