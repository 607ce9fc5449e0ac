/*
 * A base that moves: numbers of an independent program (ref/README.md beside the recordings): six
 * base rows and joint rows, mass matrix, regressor, numbers of base parameters, IMU readings.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "document/document.h"
#include "dynamics/dynamics.h"
#include "linalg/linalg.h"
#include "oracle.h"
#include "support.h"

#define BASE RBV_BASE_COORDINATES
#define STATES 40  // of six equations each with all feet held, for at most 138 unknowns

typedef struct {
  rbv_document *doc;
  rbv_model *m;
  rbv_dynamics *d;
  int n, nc, states;
} fixture;

static const rbv_node *find(const rbv_node *node, const char *key) {
  const rbv_node *found = rbv_node_find(node, key);
  if (!found) fail_msg("no '%s' in the reference", key);
  return found;
}

static const rbv_node *entry(const fixture *f, const char *key) {
  return find(rbv_document_root(f->doc), key);
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

static void vector(double *out, const rbv_node *list, int state, int count) {
  assert_int_equal(gather(out, rbv_node_at(list, state)) - out, count);
}

static fixture load_touched(const char *name, const char *contacts) {
  fixture f = {0};
  char path[256];
  const char *urdf;
  rbv_model_options o = rbv_model_defaults();
  o.free_base = true;
  o.snap = false;
  o.contacts = contacts;
  snprintf(path, sizeof path, "../ref/%s", name);
  assert_ok(rbv_document_load(&f.doc, recording(path)));
  assert_ok(rbv_node_string(&urdf, find(entry(&f, "robot"), "urdf")));
  assert_ok(rbv_model_parse(&f.m, name, urdf, strlen(urdf), &o));
  assert_ok(rbv_dynamics_new(&f.d, f.m));
  f.n = rbv_model_joint_count(f.m);
  f.nc = rbv_model_column_count(f.m);
  f.states = rbv_node_count(entry(&f, "q"));
  assert_int_equal(f.nc, rbv_node_count(entry(&f, "names")));
  return f;
}

static fixture load(const char *name) { return load_touched(name, NULL); }

static void unload(fixture *f) {
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
  rbv_document_free(f->doc);
}

/* the motion of the base that its sensors see in a state of the reference */
static rbv_base_motion base_motion(const fixture *f, int state) {
  const rbv_node *base = entry(f, "base");
  rbv_base_motion b;
  double quat[4], a[3];
  vector(quat, find(base, "quat"), state, 4);
  vector(b.angular, find(base, "w"), state, 3);
  vector(b.angular_change, find(base, "wd"), state, 3);
  vector(a, find(base, "a"), state, 3);
  // the last row of R is the vertical in base axes
  const double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  const double up[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  const double *g = rbv_model_gravity(f->m);
  for (int i = 0; i < 3; i++) b.force[i] = a[i] - g[2] * up[i];
  return b;
}

static void state_of(double *q, double *dq, double *ddq, const fixture *f, int state) {
  const rbv_base_motion b = base_motion(f, state);
  rbv_base_states(q, dq, ddq, f->m, &b);
  vector(q + BASE, entry(f, "q"), state, f->n - BASE);
  vector(dq + BASE, entry(f, "qd"), state, f->n - BASE);
  vector(ddq + BASE, entry(f, "qdd"), state, f->n - BASE);
}

/* place of a row of the reference (moment x y z, force x y z, joints) among the coordinates */
static int row_of(int r) { return r < 3 ? 5 - r : r < 6 ? r - 3 : r; }

static void check_rows(const fixture *f) {
  const int n = f->n;
  double *x = calloc((size_t)(5 * n + f->nc), sizeof *x), *tau = x + 3 * n, *got = tau + n;
  double *chi = got + n;
  for (int k = 0; k < 3; k++) {
    vector(chi, entry(f, "chi"), k, f->nc);
    assert_ok(rbv_dynamics_set(f->d, chi, false));
    for (int s = 0; s < f->states; s++) {
      state_of(x, x + n, x + 2 * n, f, s);
      rbv_dynamics_inverse(tau, f->d, x, x + n, x + 2 * n);
      for (int r = 0; r < n; r++) got[r] = tau[row_of(r)];
      vector(tau, rbv_node_at(entry(f, "rows"), k), s, n);
      assert_agrees(got, tau, n, 1e-10);
    }
  }
  free(x);
}

static void check_matrices(const fixture *f) {
  const int n = f->n, nc = f->nc;
  double *x = calloc((size_t)(3 * n + nc), sizeof *x), *chi = x + 3 * n;
  double *W = calloc((size_t)(n * nc), sizeof *W), *want = calloc((size_t)(n * nc), sizeof *want);
  double *got = calloc((size_t)(n * nc), sizeof *got);
  vector(chi, entry(f, "chi"), 0, nc);
  assert_ok(rbv_dynamics_set(f->d, chi, false));
  for (int s = 0; s < rbv_node_count(entry(f, "mass")); s++) {
    state_of(x, x + n, x + 2 * n, f, s);
    rbv_dynamics_mass(W, f->d, x);
    vector(want, entry(f, "mass"), s, n * n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) got[i * n + j] = W[row_of(i) + row_of(j) * n];
    assert_agrees(got, want, n * n, 1e-10);
  }
  for (int s = 0; s < rbv_node_count(entry(f, "regressor")); s++) {
    state_of(x, x + n, x + 2 * n, f, s);
    rbv_regressor_eval(W, f->d, x, x + n, x + 2 * n, false);
    vector(want, entry(f, "regressor"), s, n * nc);
    for (int r = 0; r < n; r++)
      for (int c = 0; c < nc; c++) got[r * nc + c] = W[row_of(r) + c * n];
    assert_agrees(got, want, n * nc, 1e-10);
  }
  free(x);
  free(W);
  free(want);
  free(got);
}

/* numbers of base parameters; poses of the base are coordinates here, not measured motions */
static void check_base(const fixture *f, const int count[3]) {
  for (int k = 0; k < 3; k++) {
    rbv_base_options o = rbv_base_defaults();
    rbv_base *b;
    o.columns = (rbv_columns)k;
    assert_ok(rbv_base_new(&b, f->m, &o));
    assert_int_equal(b->count, count[k]);
    rbv_base_free(b);
  }
}

static void test_quadruped(void **state) {
  (void)state;
  fixture f = load("freebase_quadruped.json");
  check_rows(&f);
  check_matrices(&f);
  // 10 + 12 * 7; with rotors; with friction
  check_base(&f, (const int[]){142, 106, 94});
  unload(&f);
}

/* ---- contacts ---- */

static const char feet[] =
    "FL_calf:0:0:-0.21,FR_calf:0:0:-0.21,RL_calf:0:0:-0.21,RR_calf:0:0:-0.21";

/* the largest element of a matrix of rows of this reference, with the place of a row among ours */
static double largest(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* state s of feet that hold a point; returns which do */
static uint32_t contact_state(double *q, double *dq, double *ddq, const fixture *f, int s) {
  const rbv_node *node = rbv_node_at(find(entry(f, "contacts"), "states"), s);
  const rbv_node *flags = find(node, "flags");
  rbv_base_motion b;
  double quat[4], a[3];
  uint32_t held = 0;
  gather(quat, find(node, "quat"));
  gather(b.angular, find(node, "w"));
  gather(b.angular_change, find(node, "wd"));
  gather(a, find(node, "a"));
  const double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  const double up[3] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 3; i++) b.force[i] = a[i] - rbv_model_gravity(f->m)[2] * up[i];
  rbv_base_states(q, dq, ddq, f->m, &b);
  gather(q + BASE, find(node, "q"));
  gather(dq + BASE, find(node, "qd"));
  gather(ddq + BASE, find(node, "qdd"));
  for (int i = 0; i < rbv_node_count(flags); i++) {
    int flag;
    assert_ok(rbv_node_int(&flag, rbv_node_at(flags, i)));
    if (flag) held |= (uint32_t)1 << i;
  }
  return held;
}

/*
 * Torques without the forces of the feet: those that were recorded, those of the parameters, and
 * those of the reference, which eliminates in the same units, are equal.
 */
static void test_feet_held(void **state) {
  (void)state;
  fixture f = load_touched("freebase_quadruped.json", feet);
  const int n = f.n, count = rbv_node_count(find(entry(&f, "contacts"), "states"));
  double *x = calloc((size_t)(6 * n + f.nc), sizeof *x), *tau = x + 3 * n, *got = tau + n;
  double *want = got + n, *chi = want + n;
  vector(chi, entry(&f, "chi"), 0, f.nc);
  assert_ok(rbv_dynamics_set(f.d, chi, false));
  for (int s = 0; s < count; s++) {
    const rbv_node *node = rbv_node_at(find(entry(&f, "contacts"), "states"), s);
    const uint32_t held = contact_state(x, x + n, x + 2 * n, &f, s);
    const rbv_states at = {
        .count = 1, .ld = 1, .q = x, .dq = x + n, .ddq = x + 2 * n, .contact = &held};
    // of the drives: nothing acts on the base but the feet
    memset(tau, 0, (size_t)BASE * sizeof *tau);
    gather(tau + BASE, find(node, "tau"));
    const double size = largest(tau, n);
    rbv_contacts_eliminate(tau, 1, 1, f.d, &at);
    rbv_dynamics_inverse(got, f.d, x, x + n, x + 2 * n);
    rbv_contacts_eliminate(got, 1, 1, f.d, &at);
    gather(want, find(node, "projected"));
    for (int r = 0; r < n; r++) {
      assert_near(got[r], tau[r], 1e-10 * size, 0);
      assert_near(got[row_of(r)], want[r], 1e-10 * size, 0);
    }
    // a second elimination finds nothing
    rbv_contacts_eliminate(got, 1, 1, f.d, &at);
    for (int r = 0; r < n; r++) assert_near(got[r], tau[r], 1e-10 * size, 0);
  }
  free(x);
  unload(&f);
}

/* rank of the first rows in random states, in which these feet are held in turn with those beside
 * them */
static int rank_of(const fixture *f, int first, uint32_t pattern, rbv_columns columns) {
  const int n = f->n, rows = STATES * n;
  double *W = calloc((size_t)(n * f->nc), sizeof *W), *x = calloc((size_t)(3 * n), sizeof *x);
  double *all = calloc((size_t)(rows * f->nc), sizeof *all), *s = calloc((size_t)f->nc, sizeof *s);
  uint64_t draw = 0;
  int rank = 0;
  for (int k = 0; k < STATES; k++) {
    for (int i = 0; i < 3 * n; i++) x[i] = 4 * rbv_random_uniform(77, 0, draw++) - 2;
    x[4] /= 2;  // pitch
    const uint32_t held = (pattern << k % 4 | pattern >> (4 - k % 4)) & 0xF;
    const rbv_states at = {
        .count = 1, .ld = 1, .q = x, .dq = x + n, .ddq = x + 2 * n, .contact = &held};
    rbv_regressor_eval(W, f->d, x, x + n, x + 2 * n, false);
    for (int c = 0; c < f->nc; c++) {
      const rbv_column *column = rbv_model_column(f->m, c);
      const bool link = column->basis == RBV_BASIS_INERTIAL;
      const bool used = columns == RBV_COLUMNS_ALL || link ||
                        (columns == RBV_COLUMNS_RIGID && rbv_column_has_law(column, "Ia"));
      for (int r = used ? first : 0; r < n; r++) W[r + c * n] = 0;
    }
    rbv_contacts_eliminate(W, 1, f->nc, f->d, &at);
    for (int c = 0; c < f->nc; c++)
      memcpy(all + k * n + (ptrdiff_t)c * rows, W + c * n, (size_t)n * sizeof *W);
  }
  assert_ok(rbv_svd(s, NULL, NULL, all, rows, f->nc, rows));
  // the reference found a gap between 1e-3 and 1e-15
  while (rank < f->nc && s[rank] > 1e-9 * s[0]) rank++;
  free(s);
  free(all);
  free(W);
  free(x);
  return rank;
}

/* a foot that never leaves its point hides a parameter (a mass there); one that leaves shows it */
static void test_ranks(void **state) {
  (void)state;
  fixture f = load_touched("freebase_quadruped.json", feet);
  static const struct {
    const char *key;
    uint32_t held;
  } stance[] = {
      {"four feet", 0xF}, {"three feet", 0x7}, {"two feet, diagonal", 0x9}, {"one foot", 0x1}};
  static const char *const columns[] = {"all", "inertial_and_rotor", "inertial"};
  const rbv_node *want = find(entry(&f, "contacts"), "base_parameters_of_projected_rows");
  for (int i = 0; i < RBV_COUNT(stance); i++)
    for (int c = 0; c < 3; c++) {
      int count;
      assert_ok(rbv_node_int(&count, find(find(find(want, stance[i].key), columns[c]), "n_base")));
      assert_int_equal(rank_of(&f, f.n, stance[i].held, (rbv_columns)c), count);
    }
  unload(&f);
}

/* base rows alone determine every parameter of the links: 10 + 7 per turning joint */
static void test_base_rows(void **state) {
  (void)state;
  static const char *const name[] = {"freebase_quadruped.json", "freebase_arm.json"};
  static const int count[] = {94, 52};
  for (int i = 0; i < 2; i++) {
    fixture f = load(name[i]);
    assert_int_equal(rank_of(&f, BASE, 0, RBV_COLUMNS_INERTIAL), count[i]);
    unload(&f);
  }
}

/* ---- flight ---- */

#define STEPS 10000
#define STEP_S 1e-3

/* what no torque of a joint changes: energy, momentum along x and y, and about the vertical through
 * the origin; momentum along z and the weight times the time */
static void conserved(double out[5], const fixture *f, const double *q, const double *dq,
                      double weight, double t) {
  const int n = f->n;
  double kinetic, potential, *M = calloc((size_t)(n * n), sizeof *M), p[BASE] = {0};
  rbv_dynamics_energy(&kinetic, &potential, f->d, q, dq);
  rbv_dynamics_mass(M, f->d, q);
  for (int i = 0; i < BASE; i++)
    for (int k = 0; k < n; k++) p[i] += M[i + k * n] * dq[k];
  const double now[5] = {kinetic + potential, p[0], p[1], p[2] + weight * t,
                         p[3] + q[0] * p[1] - q[1] * p[0]};
  memcpy(out, now, sizeof now);
  free(M);
}

/* slopes of positions and velocities without torques */
static void slopes(double *to, const fixture *f, const double *x) {
  const double none[64] = {0};
  bool regular;
  memcpy(to, x + f->n, (size_t)f->n * sizeof *to);
  rbv_dynamics_forward(to + f->n, &regular, f->d, x, x + f->n, none);
  assert_true(regular);
}

/* the quadruped is thrown with moving legs, without friction: 10 s by Runge and Kutta, whose error
 * is below 1e-10 with this step */
static void test_flight(void **state) {
  (void)state;
  fixture f = load("freebase_quadruped.json");
  const int n = f.n;
  double *chi = calloc((size_t)f.nc, sizeof *chi), x[128] = {0}, k[4][128], y[128];
  double start[5], end[5], weight = 0;
  vector(chi, entry(&f, "chi"), 0, f.nc);
  for (int c = 0; c < f.nc; c++) {
    const rbv_column *column = rbv_model_column(f.m, c);
    if (column->basis != RBV_BASIS_INERTIAL) chi[c] = 0;
    if (column->basis == RBV_BASIS_INERTIAL && column->component == 9)
      weight -= chi[c] * rbv_model_gravity(f.m)[2];
  }
  assert_ok(rbv_dynamics_set(f.d, chi, false));
  vector(x + BASE, entry(&f, "q"), 0, n - BASE);
  const double throw[BASE] = {0.4, -0.2, 3, 0.9, 0.1, 0.15};
  memcpy(x + n, throw, sizeof throw);
  for (int j = BASE; j < n; j++) x[n + j] = 0.1 * sin(j);
  conserved(start, &f, x, x + n, weight, 0);
  double pitch = 0;
  for (int s = 0; s < STEPS; s++) {
    static const double way[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 2 * n; j++) y[j] = x[j] + (i ? way[i] * STEP_S * k[i - 1][j] : 0);
      slopes(k[i], &f, y);
    }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 2 * n; j++) x[j] += share[i] * STEP_S / 6 * k[i][j];
    pitch = fmax(pitch, fabs(x[4]));
  }
  // yaw and roll have axes of their own all the time, and the trunk has turned
  assert_true(pitch < 1.4 && fabs(x[3]) > 1);
  conserved(end, &f, x, x + n, weight, STEPS * STEP_S);
  // positions fall by 500 m: the energy is a difference of numbers of that size
  const double size = fmax(fabs(start[0]), weight * fabs(x[2]));
  assert_near(end[0], start[0], 1e-9 * size, 0);
  for (int i = 1; i < 5; i++) assert_near(end[i], start[i], 1e-9 * (1 + fabs(start[i])), 0);
  free(chi);
  unload(&f);
}

/* the nine parameters of the first link that a fixed base hides become visible: 52 instead of 36 */
static void test_arm(void **state) {
  (void)state;
  fixture f = load("freebase_arm.json");
  check_rows(&f);
  check_matrices(&f);
  check_base(&f, (const int[]){76, 58, 52});
  unload(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_quadruped), cmocka_unit_test(test_arm),
      cmocka_unit_test(test_flight),    cmocka_unit_test(test_feet_held),
      cmocka_unit_test(test_ranks),     cmocka_unit_test(test_base_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
