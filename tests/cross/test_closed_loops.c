/*
 * Closed loops: numbers of an independent program (ref/README.md beside the recordings), virtual
 * work of random mechanisms, the rank of an SVD, and forward against inverse dynamics.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "document/document.h"
#include "oracle.h"
#include "support.h"

/* ---- numbers of the independent program ---- */

typedef struct {
  rbv_document *doc;
  rbv_model *m;
  rbv_dynamics *d;
  int n, nc, states;
  int *place;            // per column of the model: its place in the file
  int driven[8];         // per coordinate: its place among the driven joints of the file
  double *q, *dq, *ddq;  // of the coordinates, state by state
} fixture;

static const rbv_node *entry(const fixture *f, const char *key) {
  const rbv_node *node = rbv_node_find(rbv_document_root(f->doc), key);
  if (!node) fail_msg("no '%s' in the reference", key);
  return node;
}

static const char *text_of(const rbv_node *node, const char *key) {
  const char *text;
  assert_ok(rbv_node_string(&text, rbv_node_find(node, key)));
  return text;
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

/* numbers with one per driven joint, in the order of the coordinates */
static double *per_joint(const fixture *f, const char *key, int rows) {
  double *file = numbers(entry(f, key), rows * f->n);
  double *out = calloc((size_t)(rows * f->n), sizeof *out);
  for (int r = 0; r < rows; r++)
    for (int j = 0; j < f->n; j++) out[r * f->n + j] = file[r * f->n + f->driven[j]];
  free(file);
  return out;
}

static void put_point(rbv_text *t, const rbv_node *loop, int side) {
  char link[8], point[8];
  double x[3];
  snprintf(link, sizeof link, "link%d", side);
  snprintf(point, sizeof point, "point%d", side);
  assert_ok(rbv_node_reals(x, 3, rbv_node_find(loop, point)));
  rbv_text_print(t, "      - {frame: %s, xyz: [%.17g, %.17g, %.17g]}\n", text_of(loop, link), x[0],
                 x[1], x[2]);
}

/* the robot of a reference as a YAML beside its URDF; friction of passive joints that names list */
static rbv_model *build(const fixture *f) {
  const rbv_node *robot = entry(f, "robot"), *driven = rbv_node_find(robot, "driven");
  const rbv_node *order = entry(f, "joint_order"), *names = entry(f, "names");
  const rbv_node *passive = rbv_node_find(robot, "passive");
  double g[3];
  assert_ok(rbv_node_reals(g, 3, rbv_node_find(robot, "gravity")));
  temp_file("loop.urdf", text_of(robot, "urdf"));
  rbv_text t = {0};
  rbv_text_print(&t, "urdf: loop.urdf\ngravity: [%.17g, %.17g, %.17g]\nloops:\n", g[0], g[1], g[2]);
  const rbv_node *loops = rbv_node_find(robot, "loops");
  for (int i = 0; i < rbv_node_count(loops); i++) {
    rbv_text_print(&t, "  - between:\n");
    put_point(&t, rbv_node_at(loops, i), 1);
    put_point(&t, rbv_node_at(loops, i), 2);
  }
  rbv_text_put(&t, "driven: [");
  for (int i = 0; i < rbv_node_count(driven); i++)
    rbv_text_print(&t, "%s%s", i ? ", " : "", rbv_node_text(rbv_node_at(driven, i)));
  rbv_text_put(&t, "]\nreference:\n");
  for (int i = 0; i < rbv_node_count(order); i++)
    rbv_text_print(&t, "  %s: %s\n", rbv_node_text(rbv_node_at(order, i)),
                   rbv_node_text(rbv_node_at(entry(f, "reference_configuration"), i)));
  rbv_text_put(&t, "joints:\n");
  for (int i = 0; i < rbv_node_count(passive); i++) {
    const char *joint = rbv_node_text(rbv_node_at(passive, i));
    int number = 0;
    char column[16];
    while (strcmp(rbv_node_text(rbv_node_at(order, number)), joint) != 0) number++;
    snprintf(column, sizeof column, "Fv%d", number + 1);
    bool rubs = false;
    for (int c = 0; c < rbv_node_count(names); c++)
      rubs = rubs || strcmp(rbv_node_text(rbv_node_at(names, c)), column) == 0;
    rbv_text_print(&t, "  - {name: %s, drive: [%s]}\n", joint, rubs ? "Fv, Fc" : "");
  }
  rbv_model_options o = rbv_model_defaults();
  rbv_model *m;
  o.snap = false;
  assert_ok(rbv_model_load(&m, temp_file("loop.yaml", rbv_text_string(&t)), &o));
  rbv_text_free(&t);
  return m;
}

static fixture load(const char *name) {
  fixture f = {0};
  char path[256];
  snprintf(path, sizeof path, "../ref/%s", name);
  assert_ok(rbv_document_load(&f.doc, recording(path)));
  f.m = build(&f);
  assert_ok(rbv_dynamics_new(&f.d, f.m));
  const rbv_node *names = entry(&f, "names");
  f.n = rbv_model_joint_count(f.m);
  f.nc = rbv_model_column_count(f.m);
  assert_int_equal(f.n, rbv_node_count(rbv_node_find(entry(&f, "robot"), "driven")));
  f.place = calloc((size_t)f.nc, sizeof *f.place);
  for (int c = 0; c < f.nc; c++) {
    const char *column = rbv_model_column(f.m, c)->name;
    while (f.place[c] < rbv_node_count(names) &&
           strcmp(rbv_node_text(rbv_node_at(names, f.place[c])), column) != 0)
      f.place[c]++;
    if (f.place[c] == rbv_node_count(names)) fail_msg("'%s' is not in the reference", column);
  }
  const rbv_node *driven = rbv_node_find(entry(&f, "robot"), "driven");
  for (int k = 0; k < f.n; k++)
    f.driven[rbv_model_find_joint(f.m, rbv_node_text(rbv_node_at(driven, k)))] = k;
  f.states = rbv_node_count(entry(&f, "qa"));
  f.q = per_joint(&f, "qa", f.states);
  f.dq = per_joint(&f, "qad", f.states);
  f.ddq = per_joint(&f, "qadd", f.states);
  return f;
}

static void unload(fixture *f) {
  free(f->place);
  free(f->q);
  free(f->dq);
  free(f->ddq);
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
  rbv_document_free(f->doc);
}

/* parameter vector k of the file, in the columns of the model */
static void set_parameters(const fixture *f, const double *chi, int k, bool rigid) {
  const int all = rbv_node_count(entry(f, "names"));
  double *own = calloc((size_t)f->nc, sizeof *own);
  for (int c = 0; c < f->nc; c++)
    if (!rigid || rbv_model_column(f->m, c)->basis == RBV_BASIS_INERTIAL)
      own[c] = chi[k * all + f->place[c]];
  assert_ok(rbv_dynamics_set(f->d, own, false));
  free(own);
}

/* columns that the model leaves out belong to bodies without mass */
static bool has_random_massless(const fixture *f) {
  return f->nc < rbv_node_count(entry(f, "names"));
}

static void check_torques(const fixture *f, const double *chi) {
  const int n = f->n, count = n * f->states, sets = has_random_massless(f) ? 1 : 3;
  double *tau = per_joint(f, "tau_a", 3 * f->states);
  double *got = calloc((size_t)count, sizeof *got), *batch = calloc((size_t)count, sizeof *batch);
  double *x[3];
  for (int i = 0; i < 3; i++) x[i] = calloc((size_t)count, sizeof *x[i]);
  for (int s = 0; s < f->states; s++)
    for (int j = 0; j < n; j++) {
      x[0][s + j * f->states] = f->q[s * n + j];
      x[1][s + j * f->states] = f->dq[s * n + j];
      x[2][s + j * f->states] = f->ddq[s * n + j];
    }
  const rbv_states all = {.count = f->states, .ld = f->states, .q = x[0], .dq = x[1], .ddq = x[2]};
  for (int k = 0; k < sets; k++) {
    set_parameters(f, chi, k, false);
    for (int s = 0; s < f->states; s++)
      rbv_dynamics_inverse(got + s * n, f->d, f->q + s * n, f->dq + s * n, f->ddq + s * n);
    assert_agrees(got, tau + k * count, count, 1e-10);
    for (int width = 1; width <= 8; width *= 2) {
      rbv_dynamics_limit_width(f->d, width);
      rbv_dynamics_inverse_batch(batch, f->states, f->d, &all);
      for (int s = 0; s < f->states; s++)
        for (int j = 0; j < n; j++) got[s * n + j] = batch[s + j * f->states];
      assert_agrees(got, tau + k * count, count, 1e-10);
    }
  }
  // forward dynamics gives the accelerations back
  set_parameters(f, chi, 0, false);
  for (int s = 0; s < f->states; s++) {
    bool regular;
    rbv_dynamics_forward(got + s * n, &regular, f->d, f->q + s * n, f->dq + s * n, tau + s * n);
    assert_true(regular);
  }
  assert_agrees(got, f->ddq, count, 1e-10);
  for (int i = 0; i < 3; i++) free(x[i]);
  free(tau);
  free(got);
  free(batch);
}

static void check_mass_and_gravity(const fixture *f, const double *chi) {
  const int n = f->n;
  double *mass = per_joint(f, "mass_a", f->states * n);
  double *gravity = per_joint(f, "gravity_a", f->states);
  double *got = calloc((size_t)(n * n), sizeof *got), *still = calloc((size_t)n, sizeof *still);
  for (int s = 0; s < f->states; s++) {
    set_parameters(f, chi, 0, false);
    rbv_dynamics_mass(got, f->d, f->q + s * n);
    for (int j = 0; j < n; j++)
      assert_agrees(got + j * n, mass + (s * n + f->driven[j]) * n, n, 1e-10);
    set_parameters(f, chi, 0, true);
    rbv_dynamics_inverse(got, f->d, f->q + s * n, still, still);
    assert_agrees(got, gravity + s * n, n, 1e-10);
  }
  free(mass);
  free(gravity);
  free(got);
  free(still);
}

static void check_regressor(const fixture *f) {
  const int states = rbv_node_count(entry(f, "regressor"));
  const int all = rbv_node_count(entry(f, "names")), size = f->n * all;
  double *file = numbers(entry(f, "regressor"), states * size);
  double *got = calloc((size_t)size, sizeof *got), *want = calloc((size_t)size, sizeof *want);
  for (int s = 0; s < states; s++) {
    rbv_regressor_eval(got, f->d, f->q + s * f->n, f->dq + s * f->n, f->ddq + s * f->n, false);
    for (int r = 0; r < f->n; r++)
      for (int c = 0; c < f->nc; c++)
        want[r + c * f->n] = file[s * size + f->driven[r] * all + f->place[c]];
    assert_agrees(got, want, f->n * f->nc, 1e-10);
  }
  free(file);
  free(got);
  free(want);
}

/* positions, rates and accelerations of all joints */
static void check_kinematics(const fixture *f) {
  const int n = f->n, nbody = rbv_model_body_count(f->m), count = nbody * f->states;
  double *q = numbers(entry(f, "q"), count), *dq = numbers(entry(f, "qd"), count);
  double *ddq = numbers(entry(f, "qdd"), count), *got[3];
  for (int i = 0; i < 3; i++) got[i] = calloc((size_t)count, sizeof *got[i]);
  for (int s = 0; s < f->states; s++) {
    rbv_loop_pose pose;
    assert_true(rbv_dynamics_loops(&pose, got[0] + s * nbody, got[1] + s * nbody,
                                   got[2] + s * nbody, f->d, f->q + s * n, f->dq + s * n,
                                   f->ddq + s * n));
    // the smallest mechanism is 0.5 m large
    assert_near(pose.residual, 0, 1e-12, 0);
    for (int i = 0; i < nbody; i++)
      // turns by whole circles are the same pose
      q[s * nbody + i] =
          got[0][s * nbody + i] + remainder(q[s * nbody + i] - got[0][s * nbody + i], 2 * RBV_PI);
  }
  assert_agrees(got[0], q, count, 1e-10);
  assert_agrees(got[1], dq, count, 1e-10);
  assert_agrees(got[2], ddq, count, 1e-10);
  for (int i = 0; i < 3; i++) free(got[i]);
  free(q);
  free(dq);
  free(ddq);
}

static void check_base(const fixture *f, rbv_columns columns, const char *key) {
  char with_mass[64];
  const rbv_node *all = entry(f, "base_parameters");
  snprintf(with_mass, sizeof with_mass, "%s_of_bodies_with_mass", key);
  const rbv_node *want = rbv_node_find(all, with_mass);
  if (!want) want = rbv_node_find(all, key);
  rbv_base_options o = rbv_base_defaults();
  rbv_base *b;
  int count;
  o.columns = columns;
  assert_ok(rbv_base_new(&b, f->m, &o));
  assert_ok(rbv_node_int(&count, rbv_node_find(want, "n_base")));
  assert_int_equal(b->count, count);
  const rbv_node *kept = rbv_node_find(want, "kept");
  for (int k = 0; k < count && kept; k++)
    assert_string_equal(rbv_model_column(f->m, b->kept[k])->name,
                        rbv_node_text(rbv_node_at(kept, k)));
  rbv_base_free(b);
}

static void check_reference(const char *name) {
  fixture f = load(name);
  double *chi = numbers(entry(&f, "chi"), 3 * rbv_node_count(entry(&f, "names")));
  check_kinematics(&f);
  check_torques(&f, chi);
  check_mass_and_gravity(&f, chi);
  check_regressor(&f);
  check_base(&f, RBV_COLUMNS_INERTIAL, "inertial");
  check_base(&f, RBV_COLUMNS_RIGID, "inertial_and_rotor");
  check_base(&f, RBV_COLUMNS_ALL, "all");
  free(chi);
  unload(&f);
}

static void test_fourbar(void **state) {
  (void)state;
  check_reference("loop_fourbar.json");
}

static void test_fivebar(void **state) {
  (void)state;
  check_reference("loop_fivebar.json");
}

static void test_palletiser(void **state) {
  (void)state;
  check_reference("loop_palletiser.json");
}

static void test_3rrr(void **state) {
  (void)state;
  check_reference("loop_3rrr.json");
}

static void test_delta(void **state) {
  (void)state;
  check_reference("loop_delta.json");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fourbar),    cmocka_unit_test(test_fivebar),
      cmocka_unit_test(test_palletiser), cmocka_unit_test(test_3rrr),
      cmocka_unit_test(test_delta),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
