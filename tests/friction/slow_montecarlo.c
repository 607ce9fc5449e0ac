/*
 * Arms with known friction, recorded with encoder and torque noise: the choice of terms, their
 * shape parameters, and how often the parameters of friction lie within 2 sigma of the truth.
 * ROBERVAL_RUNS and ROBERVAL_CASE limit the study.
 */
#include <stdio.h>
#include <stdlib.h>

#include "document/document.h"
#include "geared_arm.h"
#include "nodes.h"
#include "tool.h"

#define RUNS 20
#define SECONDS 40
#define ENCODER 1e-5  // standard deviation of the positions [rad]
#define TORQUE 0.01   // of the torques, of their rms

typedef struct {
  const char *name, *friction;  // of the true robot
  double value[3];              // of these terms, in the order of the columns
} law_case;

static const law_case cases[] = {
    {"none", NULL, {0}},
    {"load", "Fl2", {0.15}},
    {"degressive", "Fd2=0.5", {4}},
    {"presliding", "Fp1=0.03", {2}},
    {"Stribeck", "Fs2=0.15", {2}},
    {"square", "Fsq1", {1}},
    {"uneven", "Fva3", {0.4}},
    {"load and speed", "Flv2", {0.1}},
    {"back-driving", "Fl2,Flb2", {0.12, 0.1}},
    {"all", "Fp1=0.03,Fl2,Fd3=0.5", {2, 0.15, 2}},
};

/* the recording as a file, with noisy positions and no derivatives */
static void write_log(const rbv_model *m, const double *chi, uint64_t seed) {
  rbv_motion *motion = arm_motion(m, chi, SECONDS, TORQUE, seed, -1);
  const ptrdiff_t n = rbv_motion_get_info(motion)->count;
  double *block = calloc((size_t)(6 * n), sizeof *block);
  const rbv_samples s = {.ld = n, .q = block, .torque = block + 3 * n};
  assert_ok(rbv_motion_read(motion, &s, 0, n));
  FILE *to = fopen(temp_file("log.csv", ""), "w");
  assert_non_null(to);
  fprintf(to, "t,q1,q2,q3,tau1,tau2,tau3\n");
  for (ptrdiff_t k = 0; k < n; k++) {
    fprintf(to, "%.4f", (double)k / ARM_RATE);
    for (int j = 0; j < 3; j++)
      fprintf(to, ",%.9g",
              s.q[k + j * n] + ENCODER * rbv_random_normal(seed, 50 + (uint64_t)j, (uint64_t)k));
    for (int j = 0; j < 3; j++) fprintf(to, ",%.9g", s.torque[k + j * n]);
    fputc('\n', to);
  }
  fclose(to);
  free(block);
  rbv_motion_free(motion);
}

typedef struct {
  int runs, found, wanted, extra_runs, extra_terms;
  int shapes, good_shapes;
  int parameters, covered;
} tally;

/* terms that were chosen, against those of the true robot */
static void count_terms(tally *t, const rbv_node *root, const rbv_model *m) {
  const rbv_node *terms = rbv_node_find(root, "friction");
  int extra = 0;
  for (int i = 0; i < rbv_node_count(terms); i++) {
    const rbv_node *term = rbv_node_at(terms, i);
    const char *name = rbv_node_text(rbv_node_find(term, "name"));
    const int c = rbv_model_find(m, name);
    if (c < 0) {
      print_message("  chosen but absent: %s\n", name);
      extra++;
      continue;
    }
    t->found++;
    const int own = rbv_law_own_shape(m->column[c].law);
    // the knee of the square friction is the top speed: it is not estimated
    if (own < 0 || strcmp(m->column[c].law->shape[own].name, "knee") == 0) continue;
    const double shape = real_at(term, "shape");
    const double want = rbv_model_shape(m, m->column[c].joint, m->column[c].law->shape[own].name);
    t->shapes++;
    t->good_shapes += fabs(shape / want - 1) <= 0.1;
    print_message("  %s shape %.4g, true %.4g\n", name, shape, want);
  }
  t->extra_terms += extra;
  t->extra_runs += extra > 0;
}

/* friction parameters, which no other parameter is regrouped with */
static void count_parameters(tally *t, const rbv_node *root, const rbv_model *m,
                             const double *chi) {
  const rbv_node *list = node_at(root, "estimate.parameters");
  for (int k = 0; k < rbv_node_count(list); k++) {
    const rbv_node *p = rbv_node_at(list, k);
    const int c = rbv_model_find(m, rbv_node_text(rbv_node_find(p, "name")));
    if (c < 0 || !rbv_is_friction(&m->column[c])) continue;
    const double off = (real_at(p, "value") - chi[c]) / real_at(p, "sigma");
    t->parameters++;
    t->covered += fabs(off) <= 2;
    if (!(fabs(off) <= 2))
      print_message("  %s %.5g, true %.5g: %.1f sigma\n", m->column[c].name, real_at(p, "value"),
                    chi[c], off);
  }
}

static tally run_case(const law_case *a, int runs) {
  tally t = {0};
  rbv_model *m = arm_model(a->friction), *plain = arm_model(NULL);
  double *chi = arm_parameters(m);
  for (int c = 0; c < m->ncolumn; c++)
    if (rbv_model_find(plain, m->column[c].name) < 0) chi[c] = a->value[t.wanted++];
  const int wanted = t.wanted;
  t.wanted *= runs;
  for (int i = 0; i < runs; i++) {
    write_log(m, chi, (uint64_t)(1 + i));
    outcome o = tool("identify arm.yaml log.csv --friction auto -q --json");
    rbv_document *doc;
    assert_ok(rbv_document_parse(&doc, "result", o.out, strlen(o.out)));
    count_terms(&t, rbv_document_root(doc), m);
    count_parameters(&t, rbv_document_root(doc), m, chi);
    rbv_document_free(doc);
    outcome_free(&o);
    t.runs++;
  }
  print_message(
      "%s: %d of %d terms found; absent terms in %d of %d runs; %d of %d shapes within 10 %%; %d "
      "of "
      "%d parameters within 2 sigma\n",
      a->name, t.found, wanted * runs, t.extra_runs, runs, t.good_shapes, t.shapes, t.covered,
      t.parameters);
  free(chi);
  rbv_model_free(m);
  rbv_model_free(plain);
  return t;
}

static void test_terms_and_parameters(void **state) {
  (void)state;
  const char *given = getenv("ROBERVAL_RUNS"), *only = getenv("ROBERVAL_CASE");
  const int runs = given ? atoi(given) : RUNS;
  tally all = {0};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    if (only && strcmp(only, cases[i].name) != 0) continue;
    const tally t = run_case(&cases[i], runs);
    all.runs += t.runs;
    all.wanted += t.wanted;
    all.found += t.found;
    all.extra_runs += t.extra_runs;
    all.shapes += t.shapes;
    all.good_shapes += t.good_shapes;
    all.parameters += t.parameters;
    all.covered += t.covered;
  }
  print_message(
      "found %.1f %%, runs without absent terms %.1f %%, shapes %.1f %%, within 2 sigma %.1f %%\n",
      100.0 * all.found / all.wanted, 100.0 * (all.runs - all.extra_runs) / all.runs,
      100.0 * all.good_shapes / all.shapes, 100.0 * all.covered / all.parameters);
  assert_true(all.found >= 0.95 * all.wanted);
  assert_true(all.runs - all.extra_runs >= 0.95 * all.runs);
  assert_true(all.good_shapes >= 0.95 * all.shapes);
  assert_true(all.covered >= 0.93 * all.parameters);
}

static int write_robot(void **state) {
  (void)state;
  temp_file("arm.yaml", arm_text);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms_and_parameters),
  };
  return cmocka_run_group_tests(tests, write_robot, NULL);
}
