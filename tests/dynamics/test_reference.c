/* The numbers of an independent program (tests/data/README.md): one sample and batches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include "document/document.h"

#include "base/support.h"
#include "motions.h"
#include "support.h"

/*
 * Both programs sum some hundred products, so that where terms cancel they differ by rounding of
 * the largest one: 1e-13 of the sample's norm is a few hundred eps. Elsewhere the general bound.
 */
#define REL 1e-10
#define ABS_OF_NORM 1e-13

/* a batch longer than two of the widest vectors, with an incomplete last vector */
#define BATCH 19
#define LD (BATCH + 3)

typedef struct {
  const char *file;
  const char *robot;   // built-in, NULL: a YAML made from the geometry in the file
  const char *extras;  // of that YAML
} reference;

static const char coupled[] =
    "transmission: {couplings: [{motor: 6, joint: 5, ratio: 1}], parametrisation: joint}\n";
static const char printed[] =
    "transmission: {couplings: [{motor: 6, joint: 5, ratio: 1}], coulomb: printed}\n";

static const reference tx40 = {"dyn_tx40.json", "tx40", NULL};
static const reference tx40_yaml = {"dyn_tx40.json", NULL, coupled};
static const reference tx40_printed = {"dyn_tx40_printed_coupling_sign.json", NULL, printed};
static const reference lwr4_yaml = {"dyn_lwr4.json", NULL, ""};
static const reference ns16 = {"dyn_ns16.json", "ns16", NULL};
static const reference ns16_yaml = {"dyn_ns16.json", NULL, ""};
static const reference a460 = {"dyn_crs460.json", "a460", NULL};

typedef struct {
  rbv_document *doc;
  rbv_model *m;
  rbv_dynamics *d;
  int n, nc, ns;
  double *q, *dq, *ddq, *tau, *bias, *forward;  // n x ns, sample by sample
  double *W;                                    // n x nc per sample, as in the file: by rows
  double *M;                                    // n x n per sample
  double *energy;                               // ns
} fixture;

/* ---- reading ---- */

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

static double *numbers(const fixture *f, const char *key, int count) {
  double *out = calloc((size_t)count, sizeof *out);
  assert_int_equal(gather(out, entry(f, key)) - out, count);
  return out;
}

static double geometry(const fixture *f, const char *key, int j) {
  double x;
  assert_ok(rbv_node_real(&x, rbv_node_at(rbv_node_find(entry(f, "geometry"), key), j)));
  return x;
}

/* a robot file with the geometry of the reference */
static void write_yaml(rbv_text *t, const fixture *f, const char *extras) {
  rbv_text_print(t, "name: reference\ngravity: [%.17g, %.17g, %.17g]\njoints:\n",
                 geometry(f, "gravity", 0), geometry(f, "gravity", 1), geometry(f, "gravity", 2));
  for (int j = 0; j < f->n; j++)
    rbv_text_print(t, "  - {type: %s, mdh: {alpha: %.17g, d: %.17g, theta: %.17g, r: %.17g}}\n",
                   geometry(f, "sigma", j) == 0 ? "revolute" : "prismatic", geometry(f, "alpha", j),
                   geometry(f, "d", j), geometry(f, "theta0", j), geometry(f, "r", j));
  rbv_text_put(t, extras);
}

static int load(void **state) {
  const reference *r = *state;
  fixture *f = calloc(1, sizeof *f);
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA, r->file);
  assert_ok(rbv_document_load(&f->doc, path));
  f->ns = rbv_node_count(entry(f, "q"));
  f->n = rbv_node_count(rbv_node_at(entry(f, "q"), 0));
  f->nc = rbv_node_count(entry(f, "names"));

  rbv_model_options options = rbv_model_defaults();
  assert_ok(rbv_node_real(&options.gamma, entry(f, "gamma_arctan")));
  if (r->robot) {
    f->m = load_default_drives(r->robot, &options);
  } else {
    rbv_text yaml = {0};
    write_yaml(&yaml, f, r->extras);
    assert_ok(rbv_model_parse(&f->m, "reference.yaml", yaml.data, yaml.size, &options));
    rbv_text_free(&yaml);
  }
  assert_int_equal(rbv_model_joint_count(f->m), f->n);
  assert_int_equal(rbv_model_column_count(f->m), f->nc);
  for (int c = 0; c < f->nc; c++)
    assert_string_equal(rbv_model_column(f->m, c)->name,
                        rbv_node_text(rbv_node_at(entry(f, "names"), c)));

  f->q = numbers(f, "q", f->n * f->ns);
  f->dq = numbers(f, "qd", f->n * f->ns);
  f->ddq = numbers(f, "qdd", f->n * f->ns);
  f->tau = numbers(f, "tau", f->n * f->ns);
  f->bias = numbers(f, "bias_N", f->n * f->ns);
  f->forward = numbers(f, "fd_check_qdd", f->n * f->ns);
  f->W = numbers(f, "regressor", f->n * f->nc * f->ns);
  f->M = numbers(f, "mass", f->n * f->n * f->ns);
  f->energy = numbers(f, "energy_nofric", f->ns);
  double *chi = numbers(f, "chi", f->nc);
  assert_ok(rbv_dynamics_new(&f->d, f->m));
  assert_ok(rbv_dynamics_set(f->d, chi, false));
  free(chi);
  *state = f;
  return 0;
}

static int unload(void **state) {
  fixture *f = *state;
  double *const arrays[] = {f->q,       f->dq, f->ddq, f->tau,   f->bias,
                            f->forward, f->W,  f->M,   f->energy};
  for (int i = 0; i < RBV_COUNT(arrays); i++) free(arrays[i]);
  rbv_dynamics_free(f->d);
  rbv_model_free(f->m);
  rbv_document_free(f->doc);
  free(f);
  return 0;
}

static double norm(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void assert_sample(const double *got, const double *want, int count) {
  const double scale = norm(want, count);
  for (int i = 0; i < count; i++) assert_near(got[i], want[i], ABS_OF_NORM * scale, REL);
}

/* ---- one sample ---- */

static void test_single(void **state) {
  const fixture *f = *state;
  const int n = f->n;
  double tau[16], bias[16], ddq[16], M[256], kinetic, potential;
  double *W = calloc((size_t)(n * f->nc), sizeof *W),
         *by_rows = calloc((size_t)(n * f->nc), sizeof *W);
  for (int k = 0; k < f->ns; k++) {
    const double *q = f->q + k * n, *dq = f->dq + k * n, *acc = f->ddq + k * n;
    rbv_dynamics_inverse(tau, f->d, q, dq, acc);
    assert_sample(tau, f->tau + k * n, n);
    rbv_dynamics_rows(tau, f->d, q, dq, acc);
    assert_sample(tau, f->tau + k * n, n);
    rbv_dynamics_mass(M, f->d, q);
    assert_sample(M, f->M + k * n * n, n * n);  // symmetric: rows or columns
    rbv_dynamics_bias(bias, f->d, q, dq);
    assert_sample(bias, f->bias + k * n, n);

    rbv_regressor_eval(W, f->d, q, dq, acc, false);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < f->nc; c++) by_rows[i * f->nc + c] = W[i + c * n];
    assert_sample(by_rows, f->W + k * n * f->nc, n * f->nc);

    // solving with M loses digits by its condition number, here up to 1e4
    bool regular = false;
    rbv_dynamics_forward(ddq, &regular, f->d, q, dq, f->tau + k * n);
    assert_true(regular);
    for (int j = 0; j < n; j++)
      assert_near(ddq[j], f->forward[k * n + j], 1e-11 * norm(acc, n), REL);

    rbv_dynamics_energy(&kinetic, &potential, f->d, q, dq);
    assert_near(kinetic + potential, f->energy[k], ABS_OF_NORM * (fabs(kinetic) + fabs(potential)),
                REL);
  }
  free(W);
  free(by_rows);
}

/* ---- batches ---- */

/* sample k of the batch is sample k modulo ns of the file */
static void spread(double *out, const fixture *f, const double *x) {
  for (int k = 0; k < BATCH; k++)
    for (int j = 0; j < f->n; j++) out[k + j * LD] = x[k % f->ns * f->n + j];
}

static void take(double *out, const double *batch, int k, int count) {
  for (int j = 0; j < count; j++) out[j] = batch[k + j * LD];
}

static void check_batch(const fixture *f) {
  const int n = f->n, ne = rbv_model_entry_count(f->m);
  double q[16 * LD], dq[16 * LD], ddq[16 * LD], tau[16 * LD], got[16 * LD], sample[16];
  bool regular[BATCH] = {0};
  spread(q, f, f->q);
  spread(dq, f, f->dq);
  spread(ddq, f, f->ddq);
  spread(tau, f, f->tau);
  const rbv_states s = {.count = BATCH, .ld = LD, .q = q, .dq = dq, .ddq = ddq};

  rbv_dynamics_inverse_batch(got, LD, f->d, &s);
  for (int k = 0; k < BATCH; k++) {
    take(sample, got, k, n);
    assert_sample(sample, f->tau + k % f->ns * n, n);
  }

  rbv_dynamics_forward_batch(got, LD, regular, f->d, &s, tau, LD);
  for (int k = 0; k < BATCH; k++) {
    assert_true(regular[k]);
    const double *want = f->forward + k % f->ns * n;
    for (int j = 0; j < n; j++) assert_near(got[k + j * LD], want[j], 1e-11 * norm(want, n), REL);
  }

  double *W = calloc((size_t)ne * LD, sizeof *W), *dense = malloc((size_t)(n * f->nc) * sizeof *W);
  rbv_regressor_batch(W, LD, f->d, &s, false);
  for (int k = 0; k < BATCH; k++) {
    memset(dense, 0, (size_t)(n * f->nc) * sizeof *dense);
    for (int i = 0; i < n; i++) {
      const rbv_row *row = rbv_model_row(f->m, i);
      for (int e = 0; e < row->count; e++)
        dense[i * f->nc + row->columns[e]] = W[k + (row->first + e) * LD];
    }
    assert_sample(dense, f->W + k % f->ns * n * f->nc, n * f->nc);
  }
  free(W);
  free(dense);
}

static void test_batches_at_every_width(void **state) {
  const fixture *f = *state;
  for (int width = 1; width <= 8; width *= 2) {
    rbv_dynamics_limit_width(f->d, width);
    assert_true(rbv_dynamics_width(f->d) <= width);
    check_batch(f);
  }
}

#define ON(robot)                                                                            \
  {"single, " #robot, test_single, load, unload, (void *)(uintptr_t)&robot}, {               \
    "batches, " #robot, test_batches_at_every_width, load, unload, (void *)(uintptr_t)&robot \
  }

int main(void) {
  const struct CMUnitTest tests[] = {
      ON(tx40), ON(tx40_yaml), ON(tx40_printed), ON(lwr4_yaml), ON(ns16), ON(ns16_yaml), ON(a460),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
