/*
 * Trees with branches and joints that mimic others: numbers of an independent program
 * (ref/README.md beside the recordings), MuJoCo, sums of serial chains, and the rank of an SVD.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "document/document.h"
#include "linalg/linalg.h"
#include "oracle.h"
#include "support.h"

#define BODIES 40
#define TREES (SANITIZED ? 12 : 60)
#define STATES 3  // per random tree

static rbv_model_options tree_options(void) {
  rbv_model_options o = rbv_model_defaults();
  o.snap = false;
  return o;
}

/* ---- numbers of the independent program ---- */

typedef struct {
  rbv_document *doc;
  rbv_model *m;
  rbv_dynamics *d;
  int n, nc, states;
  double *q, *dq, *ddq;  // state by state
} fixture;

static const rbv_node *entry(const fixture *f, const char *key) {
  const rbv_node *node = rbv_node_find(rbv_document_root(f->doc), key);
  if (!node) fail_msg("no '%s' in the reference", key);
  return node;
}

/* all numbers below a node, depth first */
static double *gather(double *out, const rbv_node *node) {
  if (rbv_node_get_kind(node) == RBV_NODE_SCALAR) {
    assert_ok(rbv_node_real(out, node));
    return out + 1;
  }
  for (int i = 0; i < rbv_node_count(node); i++) out = gather(out, rbv_node_at(node, i));
  return out;
}

static double *numbers(const rbv_node *node, int count) {
  double *out = calloc((size_t)count, sizeof *out);
  assert_int_equal(gather(out, node) - out, count);
  return out;
}

static fixture load(const char *name) {
  fixture f = {0};
  char path[256];
  const char *urdf;
  snprintf(path, sizeof path, "../ref/%s", name);
  assert_ok(rbv_document_load(&f.doc, recording(path)));
  assert_ok(rbv_node_string(&urdf, rbv_node_find(entry(&f, "robot"), "urdf")));
  const rbv_model_options o = tree_options();
  assert_ok(rbv_model_parse(&f.m, name, urdf, strlen(urdf), &o));
  assert_ok(rbv_dynamics_new(&f.d, f.m));
  f.n = rbv_model_joint_count(f.m);
  f.nc = rbv_model_column_count(f.m);
  assert_int_equal(f.nc, rbv_node_count(entry(&f, "names")));
  for (int c = 0; c < f.nc; c++)
    assert_string_equal(rbv_model_column(f.m, c)->name,
                        rbv_node_text(rbv_node_at(entry(&f, "names"), c)));
  f.states = rbv_node_count(entry(&f, "qa"));
  f.q = numbers(entry(&f, "qa"), f.n * f.states);
  f.dq = numbers(entry(&f, "qad"), f.n * f.states);
  f.ddq = numbers(entry(&f, "qadd"), f.n * f.states);
  return f;
}

static void unload(fixture *f) {
  free(f->q);
  free(f->dq);
  free(f->ddq);
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
  rbv_document_free(f->doc);
}

/* torques of all parameter vectors, one sample at a time and in batches of every width */
static void check_torques(const fixture *f, const double *chi, const double *tau) {
  const int n = f->n, count = n * f->states;
  double *got = calloc((size_t)count, sizeof *got), *x[3];
  for (int i = 0; i < 3; i++) x[i] = calloc((size_t)count, sizeof *x[i]);
  for (int s = 0; s < f->states; s++)
    for (int j = 0; j < n; j++) {
      x[0][s + j * f->states] = f->q[s * n + j];
      x[1][s + j * f->states] = f->dq[s * n + j];
      x[2][s + j * f->states] = f->ddq[s * n + j];
    }
  const rbv_states all = {.count = f->states, .ld = f->states, .q = x[0], .dq = x[1], .ddq = x[2]};
  for (int k = 0; k < 3; k++) {
    assert_ok(rbv_dynamics_set(f->d, chi + k * f->nc, false));
    for (int s = 0; s < f->states; s++)
      rbv_dynamics_inverse(got + s * n, f->d, f->q + s * n, f->dq + s * n, f->ddq + s * n);
    assert_agrees(got, tau + k * count, count, 1e-10);
    for (int width = 1; width <= 8; width *= 2) {
      double *batch = calloc((size_t)count, sizeof *batch);
      rbv_dynamics_limit_width(f->d, width);
      rbv_dynamics_inverse_batch(batch, f->states, f->d, &all);
      for (int s = 0; s < f->states; s++)
        for (int j = 0; j < n; j++) got[s * n + j] = batch[s + j * f->states];
      assert_agrees(got, tau + k * count, count, 1e-10);
      free(batch);
    }
  }
  for (int i = 0; i < 3; i++) free(x[i]);
  free(got);
}

/* mass matrix and gravity of the robot's own parameters; forward dynamics inverts inverse ones */
static void check_own(const fixture *f, const double *chi, const double *tau) {
  const int n = f->n, masses = rbv_node_count(entry(f, "mass"));
  double *mass = numbers(entry(f, "mass"), masses * n * n);
  double *gravity = numbers(entry(f, "gravity"), f->states * n);
  double *got = calloc((size_t)(n * n), sizeof *got), *still = calloc((size_t)n, sizeof *still);
  double *rigid = calloc((size_t)f->nc, sizeof *rigid);
  assert_ok(rbv_dynamics_set(f->d, chi, false));
  for (int s = 0; s < masses; s++) {
    rbv_dynamics_mass(got, f->d, f->q + s * n);
    assert_agrees(got, mass + s * n * n, n * n, 1e-10);
  }
  for (int s = 0; s < f->states; s++) {
    bool regular;
    rbv_dynamics_forward(got, &regular, f->d, f->q + s * n, f->dq + s * n, tau + s * n);
    assert_true(regular);
    // the condition of the mass matrices is up to 1e5
    assert_agrees(got, f->ddq + s * n, n, 1e-9);
  }
  for (int c = 0; c < f->nc; c++)
    if (rbv_model_column(f->m, c)->basis == RBV_BASIS_INERTIAL) rigid[c] = chi[c];
  assert_ok(rbv_dynamics_set(f->d, rigid, false));
  for (int s = 0; s < f->states; s++) {
    rbv_dynamics_inverse(got, f->d, f->q + s * n, still, still);
    assert_agrees(got, gravity + s * n, n, 1e-10);
  }
  free(mass);
  free(gravity);
  free(got);
  free(still);
  free(rigid);
}

static void check_regressor(const fixture *f) {
  const int states = rbv_node_count(entry(f, "regressor")), size = f->n * f->nc;
  double *want = numbers(entry(f, "regressor"), states * size);
  double *got = calloc((size_t)size, sizeof *got), *rows = calloc((size_t)size, sizeof *rows);
  for (int s = 0; s < states; s++) {
    rbv_regressor_eval(got, f->d, f->q + s * f->n, f->dq + s * f->n, f->ddq + s * f->n, false);
    for (int r = 0; r < f->n; r++)
      for (int c = 0; c < f->nc; c++) rows[r * f->nc + c] = got[r + c * f->n];
    assert_agrees(rows, want + s * size, size, 1e-10);
  }
  free(want);
  free(got);
  free(rows);
}

/* number of base parameters; kept columns and coefficients of the relations where the file has them
 */
static void check_base(const fixture *f, rbv_columns columns, const char *key) {
  const rbv_node *want = rbv_node_find(entry(f, "base_parameters"), key);
  rbv_base_options o = rbv_base_defaults();
  rbv_base *b;
  int count;
  o.columns = columns;
  assert_ok(rbv_base_new(&b, f->m, &o));
  assert_ok(rbv_node_int(&count, rbv_node_find(want, "n_base")));
  assert_int_equal(b->count, count);
  const rbv_node *kept = rbv_node_find(want, "kept"), *all = rbv_node_find(want, "relations");
  for (int k = 0; k < count && kept; k++) {
    const char *name = rbv_model_column(f->m, b->kept[k])->name;
    assert_string_equal(name, rbv_node_text(rbv_node_at(kept, k)));
    const rbv_node *relation = rbv_node_find(all, name);
    for (int c = 0; c < f->nc; c++) {
      const rbv_node *factor =
          relation ? rbv_node_find(relation, rbv_model_column(f->m, c)->name) : NULL;
      double x = c == b->kept[k];
      if (factor) assert_ok(rbv_node_real(&x, factor));
      assert_near(b->relation[k + (ptrdiff_t)c * b->count], x, 1e-8, 1e-8);
    }
  }
  rbv_base_free(b);
}

static void check_reference(const char *name) {
  fixture f = load(name);
  double *chi = numbers(entry(&f, "chi"), 3 * f.nc);
  double *tau = numbers(entry(&f, "tau"), 3 * f.states * f.n);
  check_torques(&f, chi, tau);
  check_own(&f, chi, tau);
  check_regressor(&f);
  check_base(&f, RBV_COLUMNS_INERTIAL, "inertial");
  check_base(&f, RBV_COLUMNS_RIGID, "inertial_and_rotor");
  check_base(&f, RBV_COLUMNS_ALL, "all");
  free(chi);
  free(tau);
  unload(&f);
}

static void test_two_arms(void **state) {
  (void)state;
  check_reference("tree_two_arm.json");
}

static void test_random_20(void **state) {
  (void)state;
  check_reference("tree_random20.json");
}

static void test_hand(void **state) {
  (void)state;
  check_reference("tree_hand.json");
}

/* one arm in seven mountings */
static void check_mounting(const fixture *f, const rbv_node *mounting, const char *urdf) {
  double g[3], *tau, *chi = numbers(entry(f, "chi"), 84), got[6];
  char yaml[512];
  rbv_model *m;
  rbv_dynamics *d;
  assert_ok(rbv_node_reals(g, 3, rbv_node_find(mounting, "gravity")));
  temp_file("arm.urdf", urdf);
  snprintf(yaml, sizeof yaml, "urdf: arm.urdf\ngravity: [%.17g, %.17g, %.17g]\n", g[0], g[1], g[2]);
  assert_ok(rbv_model_load(&m, temp_file("arm.yaml", yaml), NULL));
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  tau = numbers(rbv_node_find(mounting, "tau"), 120);
  for (int s = 0; s < 20; s++) {
    rbv_dynamics_inverse(got, d, f->q + 6 * s, f->dq + 6 * s, f->ddq + 6 * s);
    assert_agrees(got, tau + 6 * s, 6, 1e-10);
  }
  static const char *const key[] = {"all", "inertial_and_rotor", "inertial"};
  for (int k = 0; k < 3; k++) {
    rbv_base_options o = rbv_base_defaults();
    rbv_base *b;
    int count;
    o.columns = (rbv_columns)k;
    assert_ok(rbv_base_new(&b, m, &o));
    assert_ok(rbv_node_int(&count, rbv_node_find(rbv_node_find(mounting, "n_base"), key[k])));
    assert_int_equal(b->count, count);
    rbv_base_free(b);
  }
  rbv_dynamics_free(d);
  rbv_model_free(m);
  free(tau);
  free(chi);
}

static void test_mountings(void **state) {
  (void)state;
  fixture f = {0};
  const char *urdf;
  assert_ok(rbv_document_load(&f.doc, recording("../ref/gravity_tilt.json")));
  assert_ok(rbv_node_string(&urdf, rbv_node_find(entry(&f, "robot"), "urdf")));
  f.q = numbers(entry(&f, "q"), 120);
  f.dq = numbers(entry(&f, "qd"), 120);
  f.ddq = numbers(entry(&f, "qdd"), 120);
  const rbv_node *mountings = entry(&f, "mountings");
  assert_int_equal(rbv_node_count(mountings), 7);
  for (int i = 0; i < 7; i++) check_mounting(&f, rbv_node_at(mountings, i), urdf);
  unload(&f);
}

/* ---- random trees ---- */

typedef struct {
  int n;
  int parent[BODIES], leader[BODIES];  // leader -1: a coordinate
  bool slides[BODIES];
  double factor[BODIES], offset[BODIES];
  char *mjcf;       // with the constraints of the followers
  char *body_mjcf;  // without
} tree;

static double draw(int seed, int *at) {
  return 2 * rbv_random_uniform(8121, (uint64_t)seed, (uint64_t)(*at)++) - 1;
}

/* a third of the joints begins a branch at any depth; a fifth slides; a fifth follows another */
static void shape_tree(tree *t, int seed, int *at) {
  t->n = 2 + (int)((BODIES - 1) * (draw(seed, at) + 1) / 2);
  for (int i = 0; i < t->n; i++) {
    t->parent[i] = i - 1;
    const int up = draw(seed, at) > 0.33 ? 1 + (int)(3 * (draw(seed, at) + 1)) : 0;
    for (int k = 0; k < up && t->parent[i] >= 0; k++) t->parent[i] = t->parent[t->parent[i]];
    t->slides[i] = draw(seed, at) > 0.6;
    t->leader[i] = -1;
  }
  // leaders before and behind, never followers themselves: even numbers lead odd ones
  for (int i = 1; i < t->n; i += 2) {
    if (draw(seed, at) < 0.2) continue;
    t->leader[i] = 2 * (int)((t->n - 1) / 2 * (draw(seed, at) + 1) / 2);
    t->factor[i] = 1.5 * draw(seed, at);
    t->offset[i] = 0.3 * draw(seed, at);
  }
}

static void write_body(rbv_text *x, const tree *t, int i, int seed, int *at) {
  double v[16];
  for (int k = 0; k < 16; k++) v[k] = draw(seed, at);
  rbv_text_print(x,
                 "<body name='b%d' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>"
                 "<joint name='j%d' type='%s' axis='%.17g %.17g %.17g' pos='%.17g 0 0.1'/>",
                 i, 0.4 * v[0], 0.4 * v[1], 0.4 * v[2], 1.1 + v[3], v[4], v[5], v[6], i,
                 t->slides[i] ? "slide" : "hinge", v[7], v[8], 1.1 + v[9], 0.1 * v[10]);
  rbv_text_print(x,
                 "<inertial mass='%.17g' pos='%.17g %.17g %.17g' fullinertia='%.17g %.17g %.17g "
                 "%.17g %.17g %.17g'/>",
                 2 + v[11], 0.2 * v[12], 0.2 * v[13], 0.2 * v[14], 0.3, 0.35, 0.4 + 0.05 * v[15],
                 0.02, -0.03, 0.01);
}

static char *write_tree(const tree *t, int seed, int at, bool followers) {
  rbv_text x = {0};
  rbv_text_put(&x,
               "<mujoco><compiler angle='radian'/><option gravity='1.2 -0.7 -9.1'/><worldbody>");
  int open[BODIES], depth = 0;
  for (int i = 0; i < t->n; i++) {
    while (depth > 0 && open[depth - 1] != t->parent[i]) {
      rbv_text_put(&x, "</body>");
      depth--;
    }
    write_body(&x, t, i, seed, &at);
    open[depth++] = i;
  }
  for (; depth > 0; depth--) rbv_text_put(&x, "</body>");
  rbv_text_put(&x, "</worldbody><equality>");
  for (int i = 0; i < t->n && followers; i++)
    if (t->leader[i] >= 0)
      rbv_text_print(&x, "<joint joint1='j%d' joint2='j%d' polycoef='%.17g %.17g 0 0 0'/>", i,
                     t->leader[i], t->offset[i], t->factor[i]);
  rbv_text_put(&x, "</equality></mujoco>");
  char *text = strdup(rbv_text_string(&x));
  rbv_text_free(&x);
  return text;
}

/* values of the bodies' joints from those of the coordinates, in the order of the bodies */
static void spread(double *body, const tree *t, const double *x, bool offset) {
  for (int i = 0, c = 0; i < t->n; i++)
    if (t->leader[i] < 0) body[i] = x[c++];
  for (int i = 0; i < t->n; i++)
    if (t->leader[i] >= 0)
      body[i] = t->factor[i] * body[t->leader[i]] + (offset ? t->offset[i] : 0);
}

static void collect(double *tau, const tree *t, const double *body) {
  double sum[BODIES];
  memcpy(sum, body, sizeof sum);
  for (int i = 0; i < t->n; i++)
    if (t->leader[i] >= 0) sum[t->leader[i]] += t->factor[i] * body[i];
  for (int i = 0, c = 0; i < t->n; i++)
    if (t->leader[i] < 0) tau[c++] = sum[i];
}

typedef struct {
  double q[BODIES], dq[BODIES], ddq[BODIES];     // coordinates
  double bq[BODIES], bdq[BODIES], bddq[BODIES];  // bodies
  double tau[BODIES];
} motion;

static void draw_motion(motion *s, const tree *t, int n, int seed, int *at) {
  for (int j = 0; j < n; j++) {
    s->q[j] = 2 * draw(seed, at);
    s->dq[j] = 2 * draw(seed, at);
    s->ddq[j] = 5 * draw(seed, at);
  }
  spread(s->bq, t, s->q, true);
  spread(s->bdq, t, s->dq, false);
  spread(s->bddq, t, s->ddq, false);
}

/* MuJoCo's joints are those of the bodies; its accuracy is 1e-7 (it diagonalises inertias) */
static void compare_mujoco(const tree *t, const motion *s, int n) {
  oracle o = oracle_load(temp_file("tree.xml", t->body_mjcf));
  assert_int_equal(o.m->nv, t->n);
  for (int k = 0; k < STATES; k++) {
    double body[BODIES] = {0}, tau[BODIES];
    oracle_inverse(body, &o, s[k].bq, s[k].bdq, s[k].bddq);
    collect(tau, t, body);
    assert_agrees(s[k].tau, tau, n, 1e-7);
  }
  oracle_free(&o);
}

/* the torque of a tree is the sum over its bodies of the serial chain from the base to the body
 * with the inertial parameters of this body alone */
static void compare_chains(const tree *t, const rbv_model *m, const motion *s, int n) {
  double body[STATES][BODIES] = {{0}}, tau[BODIES];
  const double *own = rbv_model_parameters(m);
  for (int b = 0; b < t->n; b++) {
    int path[BODIES], depth = 0;
    for (int i = b; i >= 0; i = t->parent[i]) path[depth++] = i;
    char tip[16], name[16];
    snprintf(tip, sizeof tip, "b%d", b);
    rbv_model_options o = rbv_model_defaults();
    o.tip = tip;
    o.snap = false;
    rbv_model *chain;
    rbv_dynamics *d;
    assert_ok(rbv_model_parse(&chain, "chain", t->body_mjcf, strlen(t->body_mjcf), &o));
    assert_int_equal(rbv_model_joint_count(chain), depth);
    double *chi = calloc((size_t)rbv_model_column_count(chain), sizeof *chi);
    snprintf(name, sizeof name, "XX%d", b + 1);
    const int from = rbv_model_find(m, name);
    snprintf(name, sizeof name, "XX%d", depth);
    memcpy(chi + rbv_model_find(chain, name), own + from, RBV_INERTIAL * sizeof *chi);
    assert_ok(rbv_dynamics_new(&d, chain));
    assert_ok(rbv_dynamics_set(d, chi, false));
    for (int k = 0; k < STATES; k++) {
      double x[4][BODIES];
      for (int i = 0; i < depth; i++) {
        x[0][i] = s[k].bq[path[depth - 1 - i]];
        x[1][i] = s[k].bdq[path[depth - 1 - i]];
        x[2][i] = s[k].bddq[path[depth - 1 - i]];
      }
      rbv_dynamics_inverse(x[3], d, x[0], x[1], x[2]);
      for (int i = 0; i < depth; i++) body[k][path[depth - 1 - i]] += x[3][i];
    }
    free(chi);
    rbv_dynamics_free(d);
    rbv_model_free(chain);
  }
  for (int k = 0; k < STATES; k++) {
    collect(tau, t, body[k]);
    assert_agrees(s[k].tau, tau, n, 1e-12);
  }
}

/* rank of the stacked regressors of random states, columns of unit length */
static int svd_rank(const rbv_model *m, const tree *t, int seed, int *at) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  double *W = calloc((size_t)(n * nc), sizeof *W), *s = calloc((size_t)nc, sizeof *s);
  double *R = calloc((size_t)nc * (size_t)nc, sizeof *R);
  rbv_dynamics *d;
  rbv_qr *qr;
  motion x;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_qr_new(&qr, nc));
  for (int k = 0; k < nc; k++) {
    draw_motion(&x, t, n, seed, at);
    rbv_regressor_eval(W, d, x.q, x.dq, x.ddq, false);
    assert_ok(rbv_qr_add(qr, W, n, n));
  }
  rbv_qr_get(R, qr);
  for (int c = 0; c < nc; c++) {
    double norm = 0;
    for (int r = 0; r < nc; r++) norm = hypot(norm, R[r + (ptrdiff_t)c * nc]);
    for (int r = 0; r < nc && norm > 1e-9; r++) R[r + (ptrdiff_t)c * nc] /= norm;
  }
  assert_ok(rbv_svd(s, NULL, NULL, R, nc, nc, nc));
  int rank = 0;
  while (rank < nc && s[rank] > 1e-10 * s[0]) rank++;
  // a clear gap: the rank is no matter of the threshold
  if (rank < nc) assert_true(s[rank - 1] > 1e3 * s[rank]);
  rbv_qr_free(qr);
  rbv_dynamics_free(d);
  free(W);
  free(s);
  free(R);
  return rank;
}

/* derivatives against central differences; W chi against inverse dynamics */
static void check_derivatives(const rbv_model *m, rbv_dynamics *d, const motion *s) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  double *by[3], *want = calloc((size_t)(n * n), sizeof *want);
  double *W = calloc((size_t)(n * nc), sizeof *W), tau[BODIES] = {0};
  for (int i = 0; i < 3; i++) by[i] = calloc((size_t)(n * n), sizeof *by[i]);
  rbv_dynamics_derivatives(by[0], by[1], by[2], d, s->q, s->dq, s->ddq);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < n; j++) {
      motion x = *s;
      double side[2][BODIES], *const moved[] = {x.q, x.dq, x.ddq};
      const double h = 1e-6, keep = moved[i][j];
      for (int k = 0; k < 2; k++) {
        moved[i][j] = keep + (k ? h : -h);
        rbv_dynamics_inverse(side[k], d, x.q, x.dq, x.ddq);
      }
      for (int r = 0; r < n; r++) want[r + j * n] = (side[1][r] - side[0][r]) / (2 * h);
    }
    // rounding of the torques over h, and h^2 times third derivatives
    assert_agrees(by[i], want, n * n, 1e-7);
  }
  rbv_regressor_eval(W, d, s->q, s->dq, s->ddq, false);
  for (int c = 0; c < nc; c++)
    for (int r = 0; r < n; r++) tau[r] += W[r + c * n] * rbv_model_parameters(m)[c];
  assert_agrees(tau, s->tau, n, 1e-12);
  for (int i = 0; i < 3; i++) free(by[i]);
  free(want);
  free(W);
}

static void check_random_tree(int seed) {
  tree t = {0};
  int at = 0;
  shape_tree(&t, seed, &at);
  t.mjcf = write_tree(&t, seed, at, true);
  t.body_mjcf = write_tree(&t, seed, at, false);
  at += 20 * BODIES;
  const rbv_model_options o = tree_options();
  rbv_model *m;
  rbv_dynamics *d;
  assert_ok(rbv_model_parse(&m, "tree", t.mjcf, strlen(t.mjcf), &o));
  const int n = rbv_model_joint_count(m);
  assert_int_equal(rbv_model_body_count(m), t.n);
  for (int i = 0; i < t.n; i++) assert_int_equal(rbv_model_parent(m, i), t.parent[i]);
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  motion s[STATES];
  for (int k = 0; k < STATES; k++) {
    draw_motion(&s[k], &t, n, seed, &at);
    rbv_dynamics_inverse(s[k].tau, d, s[k].q, s[k].dq, s[k].ddq);
  }
  compare_mujoco(&t, s, n);
  compare_chains(&t, m, s, n);
  check_derivatives(m, d, &s[0]);
  rbv_base *b;
  assert_ok(rbv_base_new(&b, m, NULL));
  assert_int_equal(b->count, svd_rank(m, &t, seed, &at));
  rbv_base_free(b);
  rbv_dynamics_free(d);
  rbv_model_free(m);
  free(t.mjcf);
  free(t.body_mjcf);
}

static void test_random_trees(void **state) {
  (void)state;
  for (int seed = 1; seed <= TREES; seed++) check_random_tree(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_arms),     cmocka_unit_test(test_random_20),
      cmocka_unit_test(test_hand),         cmocka_unit_test(test_mountings),
      cmocka_unit_test(test_random_trees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
