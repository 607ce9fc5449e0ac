/* Generated C: compiled by the system's compiler, loaded, and compared with the library. */
#include <dlfcn.h>

#include <roberval/sys/baseparam.h>

#include "bodies.h"
#include "export/graph.h"
#include "laws.h"
#include "model/model_internal.h"

#define STATES 1000

/* ---- the graph, by hand ---- */

static void test_terms_that_are_zero_or_one_are_gone(void **state) {
  (void)state;
  graph g = {0};
  rbv_graph_start(&g, false);
  const node x = rbv_graph_variable(&g, NODE_Q, 0), y = rbv_graph_variable(&g, NODE_Q, 1);
  const node two = rbv_graph_number(&g, 2), minus = rbv_graph_number(&g, -1);
  assert_int_equal(rbv_graph_add(&g, x, GRAPH_ZERO), x);
  assert_int_equal(rbv_graph_multiply(&g, GRAPH_ONE, x), x);
  assert_int_equal(rbv_graph_multiply(&g, x, GRAPH_ZERO), GRAPH_ZERO);
  assert_int_equal(rbv_graph_subtract(&g, x, x), GRAPH_ZERO);
  assert_int_equal(rbv_graph_multiply(&g, minus, x), rbv_graph_negate(&g, x));
  assert_int_equal(rbv_graph_negate(&g, rbv_graph_negate(&g, x)), x);
  // equal expressions in any order
  assert_int_equal(rbv_graph_add(&g, x, y), rbv_graph_add(&g, y, x));
  assert_int_equal(rbv_graph_multiply(&g, x, y), rbv_graph_multiply(&g, y, x));
  const node minus_y = rbv_graph_negate(&g, y);
  assert_int_equal(rbv_graph_subtract(&g, x, y), rbv_graph_add(&g, x, minus_y));
  assert_int_equal(rbv_graph_negate(&g, rbv_graph_subtract(&g, x, y)),
                   rbv_graph_subtract(&g, y, x));
  assert_int_equal(rbv_graph_multiply(&g, x, minus_y),
                   rbv_graph_negate(&g, rbv_graph_multiply(&g, x, y)));
  // constants are combined: 2 (2 x) = 4 x, x + x = 2 x, 2 x - x = x, (x + 2) + 2 = x + 4
  const node two_x = rbv_graph_multiply(&g, two, x), four = rbv_graph_number(&g, 4);
  assert_int_equal(rbv_graph_multiply(&g, two_x, two), rbv_graph_multiply(&g, four, x));
  assert_int_equal(rbv_graph_add(&g, x, x), two_x);
  assert_int_equal(rbv_graph_subtract(&g, two_x, x), x);
  assert_int_equal(rbv_graph_add(&g, rbv_graph_add(&g, two, x), two), rbv_graph_add(&g, x, four));
  assert_int_equal(rbv_graph_call(&g, "cos", GRAPH_ZERO, 0), GRAPH_ONE);
  rbv_graph_free(&g);
}

static void test_code_of_a_graph(void **state) {
  (void)state;
  graph g = {0};
  graph_cost cost;
  rbv_text text = {0};
  rbv_graph_start(&g, false);
  const node x = rbv_graph_variable(&g, NODE_Q, 0), y = rbv_graph_variable(&g, NODE_DQ, 1);
  const node sum = rbv_graph_add(&g, x, rbv_graph_number(&g, -0.5));
  const node shared = rbv_graph_multiply(&g, sum, y);
  (void)rbv_graph_call(&g, "sqrt", x, 0);  // not needed by an output
  const node out[3] = {rbv_graph_negate(&g, shared), -1, rbv_graph_add(&g, shared, x)};
  rbv_graph_print(&text, &cost, &g, out, 3, "tau", "arm");
  assert_string_equal(text.data,
                      "  const double t0 = dq[1] * (q[0] - 0.5);\n"
                      "  tau[0] = -t0;\n  tau[2] = q[0] + t0;\n");
  assert_int_equal(cost.multiplications, 1);
  assert_int_equal(cost.additions, 2);
  assert_int_equal(cost.calls, 0);
  assert_true(cost.uses[0] && cost.uses[1] && !cost.uses[2]);
  rbv_text_free(&text);
  rbv_graph_free(&g);
}

/* outputs in the order in which their values become known, not in that of their numbers */
static void test_outputs_are_written_early(void **state) {
  (void)state;
  graph g = {0};
  graph_cost cost;
  rbv_text text = {0};
  rbv_graph_start(&g, false);
  const node x = rbv_graph_variable(&g, NODE_Q, 0), y = rbv_graph_variable(&g, NODE_DQ, 1);
  const node first = rbv_graph_multiply(&g, x, y), root = rbv_graph_call(&g, "sqrt", first, 0);
  const node last = rbv_graph_add(&g, root, first);
  const node out[4] = {last, first, root, first};
  rbv_graph_print(&text, &cost, &g, out, 4, "m", "arm");
  assert_string_equal(text.data,
                      "  const double t0 = q[0] * dq[1];\n  m[1] = t0;\n  m[3] = t0;\n"
                      "  const double t1 = sqrt(t0);\n  m[2] = t1;\n  m[0] = t0 + t1;\n");
  rbv_text_free(&text);
  rbv_graph_free(&g);
}

/* ---- compiled ---- */

typedef void (*function1)(double *, const double *);
typedef void (*function3)(double *, const double *, const double *, const double *);
typedef void (*function4)(double *, const double *, const double *, const double *, const double *);
typedef void (*step_function)(double *, const double *, const double *, double);

static void *symbol(void *library, const char *name, const char *what) {
  char full[128];
  snprintf(full, sizeof full, "%s_%s", name, what);
  void *address = dlsym(library, full);
  if (!address) fail_msg("%s is not in the library", full);
  return address;
}

static void *compile(const rbv_export *e, const char *file) {
  char command[1024], name[64];
  snprintf(name, sizeof name, "%s.c", file);
  (void)temp_file(name, e->text);
  snprintf(name, sizeof name, "%s.h", file);
  (void)temp_file(name, e->header);
  char upper[64];
  for (size_t i = 0; i <= strlen(e->name); i++)
    upper[i] = (char)(e->name[i] >= 'a' && e->name[i] <= 'z' ? e->name[i] - 32 : e->name[i]);
  // without the self-test, with it as a program that must succeed, and as a library
  snprintf(command, sizeof command,
           "cd '%s' && flags='-std=c99 -O1 -Wall -Wextra -Werror -pedantic' && cc $flags "
           "-fsyntax-only %s.c && "
           "cc $flags -D%s_SELFTEST_MAIN %s.c -o selftest -lm && ./selftest && "
           "cc $flags -D%s_SELFTEST -fPIC -shared %s.c -o %s.so -lm",
           temp_directory(), file, upper, file, upper, file, file);
  if (system(command) != 0) fail_msg("the code of %s does not pass", file);
  snprintf(name, sizeof name, "%s.so", file);
  void *library = dlopen(temp_file(name, NULL), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail_msg("%s", dlerror());
  return library;
}

static double largest(const double *x, int n) {
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
  return size;
}

/* 1e-12 of the largest: a few thousand operations of rounding */
static void assert_same(const double *got, const double *want, int n) {
  const double size = largest(want, n);
  for (int i = 0; i < n; i++) assert_near(got[i], want[i], 1e-12 * size + 1e-300, 0);
}

/* a function of the motion; with states of laws it has one more argument */
static void call(void *address, double *out, const rbv_model *m, const double *q, const double *dq,
                 const double *ddq, const double *z) {
  function3 plain;
  function4 with_states;
  *(void **)&plain = address;
  *(void **)&with_states = address;
  if (m->nstate > 0)
    with_states(out, q, dq, ddq, z);
  else
    plain(out, q, dq, ddq);
}

static void compare(void *library, const char *name, const rbv_model *m, const double *chi) {
  static double W[ROWS_MAX * COLUMNS_MAX], V[ROWS_MAX * COLUMNS_MAX];
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  rbv_dynamics *d;
  rbv_base *base;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, rbv_model_has_payload(m)));
  assert_ok(rbv_base_new(&base, m, NULL));
  void *inverse = symbol(library, name, "inverse_dynamics");
  void *regressor = symbol(library, name, "regressor");
  function1 mass;
  *(void **)&mass = symbol(library, name, "mass_matrix");
  dice chance = {.seed = 5};
  for (int k = 0; k < STATES; k++) {
    double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], got[JOINTS_MAX * JOINTS_MAX],
        want[JOINTS_MAX * JOINTS_MAX];
    double z[JOINTS_MAX];
    random_state(q, dq, ddq, n, &chance);
    for (int i = 0; i < m->nstate; i++) z[i] = uniform(&chance, -1, 1);
    const rbv_states at = {
        .count = 1, .ld = 1, .q = q, .dq = dq, .ddq = ddq, .state = m->nstate > 0 ? z : NULL};
    rbv_dynamics_inverse_batch(want, 1, d, &at);
    call(inverse, got, m, q, dq, ddq, z);
    assert_same(got, want, n);
    rbv_dynamics_mass(want, d, q);
    mass(got, q);
    assert_same(got, want, n * n);
    rbv_regressor_sample(W, d, &at, rbv_model_has_payload(m));
    call(regressor, V, m, q, dq, ddq, z);
    for (int c = 0; c < base->count; c++)
      for (int r = 0; r < nrow; r++)
        assert_near(V[r + c * nrow], W[r + base->kept[c] * nrow], 1e-12 * 1e2, 0);
  }
  rbv_base_free(base);
  rbv_dynamics_free(d);
}

/* gravity and friction add up to the torque at rest, and at constant speed without mass */
static void compare_parts(void *library, const char *name, const rbv_model *m, const double *chi) {
  const int n = rbv_model_joint_count(m);
  static double rigid[COLUMNS_MAX];
  for (int c = 0; c < rbv_model_column_count(m); c++)
    rigid[c] = rbv_model_column(m, c)->basis == RBV_BASIS_INERTIAL ? chi[c] : 0;
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  function1 gravity, friction;
  *(void **)&gravity = symbol(library, name, "gravity");
  *(void **)&friction = symbol(library, name, "friction");
  dice chance = {.seed = 6};
  for (int k = 0; k < STATES; k++) {
    const double still[JOINTS_MAX] = {0};
    double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], got[JOINTS_MAX], want[JOINTS_MAX],
        without[JOINTS_MAX];
    random_state(q, dq, ddq, n, &chance);
    assert_ok(rbv_dynamics_set(d, rigid, rbv_model_has_payload(m)));
    rbv_dynamics_inverse(want, d, q, still, still);
    gravity(got, q);
    assert_same(got, want, n);
    rbv_dynamics_inverse(without, d, q, dq, still);
    const double size = largest(without, n);
    assert_ok(rbv_dynamics_set(d, chi, rbv_model_has_payload(m)));
    rbv_dynamics_inverse(want, d, q, dq, still);
    friction(got, dq);
    for (int j = 0; j < n; j++) assert_near(got[j] + without[j], want[j], 1e-12 * (1 + size), 0);
  }
  rbv_dynamics_free(d);
}

static void check(const rbv_model *m, const double *chi, const char *file, bool parts) {
  rbv_export *e = export_as(RBV_EXPORT_C, m, chi, file);
  void *library = compile(e, file);
  compare(library, e->name, m, chi);
  if (parts) compare_parts(library, e->name, m, chi);
  // far fewer operations than the general recursion
  // tool_pose, tool_jacobian and payload_momentum need one tip
  assert_int_equal(e->ncost, 6 + (m->ntip == 1 ? 3 : 0) + (m->nstate > 0 ? 1 : 0));
  assert_string_equal(e->cost[0].function, "inverse_dynamics");
  print_message("%s: inverse dynamics %d multiplications, %d additions; any robot %d, %d\n", file,
                e->cost[0].multiplications, e->cost[0].additions,
                e->cost[0].generic_multiplications, e->cost[0].generic_additions);
  for (int i = 0; i < e->ncost; i++) {
    // the step of a state is no recursion: there is nothing to specialise
    const double share = strcmp(e->cost[i].function, "step") == 0 ? 1 : 0.8;
    assert_true(e->cost[i].multiplications <= share * e->cost[i].generic_multiplications);
    assert_true(e->cost[i].additions <= share * e->cost[i].generic_additions);
  }
  assert_true(e->states == 100 && e->difference < 1e-9);
  dlclose(library);
  rbv_export_free(e);
}

static void check_builtin(const char *robot, const char *file, int own, int full) {
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, NULL));
  check(m, rbv_model_parameters(m), file, true);
  // no more multiplications than at version 0.1: a sixth to a third of the general recursion
  rbv_export *e = export_as(RBV_EXPORT_C, m, rbv_model_parameters(m), file);
  assert_true(e->cost[0].multiplications <= own);
  rbv_export_free(e);
  // every standard parameter different from zero
  random_parameters(chi, m, 3);
  check(m, chi, "full", true);
  e = export_as(RBV_EXPORT_C, m, chi, file);
  assert_true(e->cost[0].multiplications <= full);
  rbv_export_free(e);
  rbv_model_free(m);
}

static void test_tx40(void **state) {
  (void)state;
  check_builtin("tx40", "tx40", 152, 279);
}

static void test_lwr4(void **state) {
  (void)state;
  check_builtin("lwr4+", "lwr4", 197, 338);
}

static void test_ns16(void **state) {
  (void)state;
  // version 0.1 had 283, with offsets of the torque instead of the cubes of six speeds
  check_builtin("ns16", "my-ns16", 241, 299);
}

/* all functions of six axes with every base parameter: below 40 kB of code and numbers */
static void test_size(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  random_parameters(chi, m, 3);
  rbv_export *e = export_as(RBV_EXPORT_C, m, chi, "small");
  (void)temp_file("small.c", e->text);
  (void)temp_file("small.h", e->header);
  char command[512];
  snprintf(command, sizeof command,
           "cd '%s' && cc -std=c99 -Os -c small.c -o small.o && bytes=$(size small.o | "
           "awk 'NR == 2 {print $1 + $2}') && echo \"tx40, -Os: $bytes bytes\" && "
           "test \"$bytes\" -gt 10000 && test \"$bytes\" -lt 40000",
           temp_directory());
  assert_int_equal(system(command), 0);
  rbv_export_free(e);
  rbv_model_free(m);
}

/* branches, joints that mimic others with any factor, slides; a payload behind a mimic joint */
static void test_trees(void **state) {
  (void)state;
  static const char *const robot[] = {
      "name: torso\n"
      "joints:\n"
      "- {name: waist, origin: {xyz: [0, 0, 1]}}\n"
      "- {name: right, origin: {xyz: [0, -0.2, 0.3]}, axis: [0, 1, 0]}\n"
      "- {name: right_elbow, origin: {xyz: [0, 0, -0.3], rpy: [0.3, 0, 1]}, axis: [0, 1, 0],\n"
      "   mimic: {joint: left_elbow, multiplier: -2, offset: 0.25}}\n"
      "- {name: left, parent: waist, origin: {xyz: [0, 0.2, 0.3]}, axis: [0.6, 0.8, 0]}\n"
      "- {name: left_elbow, type: prismatic, origin: {xyz: [0, 0, -0.3]}}\n"
      "- {name: left_hand, origin: {xyz: [0.1, 0, -0.3]}, axis: [0, 0, -1]}\n",
      "name: finger\npayload: true\n"
      "joints: [{name: a, axis: [0, 1, 0]}, {name: b, origin: {xyz: [0.3, 0, 0.1]}, axis: [0, 1, "
      "0],"
      " mimic: {joint: a, multiplier: 0.7, offset: 0.1}}, {name: c, origin: {xyz: [0.2, 0.1, "
      "0]}}]\n"};
  static double chi[COLUMNS_MAX];
  for (int i = 0; i < RBV_COUNT(robot); i++) {
    rbv_model *m;
    rbv_model_options o = rbv_model_defaults();
    assert_ok(rbv_model_parse(&m, "robot", robot[i], strlen(robot[i]), &o));
    random_parameters(chi, m, 3);
    check(m, chi, "tree", true);
    rbv_model_free(m);
  }
}

/* robots as their makers describe them: two arms with grippers, a humanoid */
static void test_known_trees(void **state) {
  (void)state;
  if (!getenv("ROBERVAL_DATA")) skip();
  static const char *const file[] = {"models/trees/aloha.xml", "models/trees/g1.xml"};
  for (int i = 0; i < RBV_COUNT(file); i++) {
    rbv_model *m;
    assert_ok(rbv_model_load(&m, recording(file[i]), NULL));
    check(m, rbv_model_parameters(m), "known", true);
    rbv_model_free(m);
  }
}

/* prismatic joints, fixed ones, axes in any direction */
static void test_random_chains(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  for (uint64_t seed = 3; seed < 8; seed++) {
    rbv_text urdf = {0};
    rbv_model *m;
    rbv_model_options o = rbv_model_defaults();
    o.payload = seed % 2;
    put_random_urdf(&urdf, seed);
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, &o));
    random_parameters(chi, m, seed);
    rbv_export *e = export_as(RBV_EXPORT_C, m, chi, "9random");
    assert_string_equal(e->name, "robot_9random");
    void *library = compile(e, "9random");
    compare(library, e->name, m, chi);
    compare_parts(library, e->name, m, chi);
    dlclose(library);
    rbv_export_free(e);
    rbv_model_free(m);
    rbv_text_free(&urdf);
  }
}

/* every drive, smooth friction, couplings, columns of the file */
static const char everything[] =
    "name: \"all */ of it\"\n"
    "gravity: [1, 2, -9]\n"
    "joints:\n"
    "  - {mdh: {alpha: 0.3, d: 0.1, theta: pi/2, r: 0.2}, drive: [Ia, Fv, Fc, off, Fsq, Fcu]}\n"
    "  - {type: prismatic, mdh: {alpha: pi/2, d: 0, theta: 0.4, r: 0.1}, drive: [Ia, Fv, Fcp, "
    "Fcn]}\n"
    "  - {mdh: {alpha: 0, d: 0.2, theta: 0.7, r: 0}}\n"
    "  - {origin: {xyz: [0.1, 0, 0.2], rpy: [1, 0.2, 0]}, axis: [0, -1, 0]}\n"
    "transmission: {ratios: [30, 20, 10, 40], couplings: [{motor: 4, joint: 3, ratio: 20}]}\n"
    "friction: {gamma: 25, stribeck: 0.6}\n"
    "columns:\n"
    "  - name: spring\n"
    "    unit: N m\n"
    "    let: {u: sin(q1 - 0.2)}\n"
    "    terms:\n"
    "      - {joint: 1, expression: \"u*u + min(u, q3)/(2 + u) - abs(dq1)\"}\n"
    "      - {joint: 3, expression: \"max(-q3, 0.1)^3 + sign(dq2) + sqrt(1 + u^2) - -u\"}\n";

static void test_every_column(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "all.yaml", everything, strlen(everything), NULL));
  random_parameters(chi, m, 11);
  check(m, chi, "all", false);
  rbv_model_free(m);
}

/* every law of the table, smoothed and not, with shape parameters of a joint's own */
static void test_every_law(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  for (int smooth = 0; smooth < 2; smooth++) {
    rbv_model *m = robot_with_every_law(smooth ? 25 : 0);
    random_parameters(chi, m, 12);
    check(m, chi, smooth ? "smooth_laws" : "laws", false);
    rbv_model_free(m);
  }
}

/*
 * A TX40 with load and presliding friction along a trajectory of two seconds: the code steps its
 * states, the library its own, and the torques agree to rounding.
 */
static void test_states_along_a_trajectory(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model_options o = rbv_model_defaults();
  rbv_model *m;
  o.friction = "Fl,Flb,Fp=0.02,Fd";
  assert_ok(rbv_model_load(&m, "tx40", &o));
  random_parameters(chi, m, 13);
  for (int c = 0; c < m->ncolumn; c++)
    if (m->column[c].law && m->column[c].law->uses_torque) chi[c] *= 0.1;
  rbv_export *e = export_as(RBV_EXPORT_C, m, chi, "geared");
  void *library = compile(e, "geared"), *inverse = symbol(library, e->name, "inverse_dynamics");
  function4 friction;
  step_function step;
  *(void **)&friction = symbol(library, e->name, "friction");
  *(void **)&step = symbol(library, e->name, "step");
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, false));
  static double rigid[COLUMNS_MAX];
  for (int c = 0; c < m->ncolumn; c++) rigid[c] = rbv_is_friction(&m->column[c]) ? 0 : chi[c];
  rbv_dynamics *bodies;
  assert_ok(rbv_dynamics_new(&bodies, m));
  assert_ok(rbv_dynamics_set(bodies, rigid, false));
  double own[JOINTS_MAX] = {0}, z[JOINTS_MAX] = {0};
  assert_int_equal(m->nstate, 6);
  for (int k = 0; k < 2000; k++) {
    double q[6], dq[6], ddq[6], want[6], got[6], part[6], without[6];
    for (int j = 0; j < 6; j++) {
      const double w = 2 + 1.3 * j, t = 1e-3 * k;
      q[j] = sin(w * t);
      dq[j] = w * cos(w * t);
      ddq[j] = -w * w * sin(w * t);
    }
    for (int t = 0; t < m->nterm; t++) {
      const drive_term *term = &m->term[t];
      double v = 0;
      for (int i = term->first; i < term->first + term->count; i++)
        v += m->direction_weight[i] * dq[m->direction_joint[i]];
      if (term->state >= 0)
        term->law->state_step(&own[term->state],
                              &(rbv_law_input){.motion = v, .shape = term->shape}, 1e-3);
    }
    step(z, dq, z, 1e-3);
    const rbv_states at = {.count = 1, .ld = 1, .q = q, .dq = dq, .ddq = ddq, .state = own};
    rbv_dynamics_inverse_batch(want, 1, d, &at);
    call(inverse, got, m, q, dq, ddq, z);
    assert_same(got, want, 6);
    rbv_dynamics_inverse(without, bodies, q, dq, ddq);
    friction(part, q, dq, ddq, z);
    const double size = largest(want, 6);
    for (int j = 0; j < 6; j++) assert_near(part[j] + without[j], want[j], 1e-12 * size, 0);
  }
  rbv_dynamics_free(bodies);
  rbv_dynamics_free(d);
  dlclose(library);
  rbv_export_free(e);
  rbv_model_free(m);
}

/* the weight on a vertical slide is as constant as its offset: gravity and friction keep their own
 */
static void test_offset_on_a_vertical_slide(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n"
      "  - {mdh: {alpha: 0, d: 0, theta: 0, r: 0.4}, drive: [Ia, Fv, Fc, off]}\n"
      "  - {mdh: {alpha: 0, d: 0.35, theta: 0, r: 0}}\n"
      "  - {type: prismatic, mdh: {alpha: pi, d: 0.3, theta: 0, r: 0}, drive: [Ia, Fv, Fc, off]}\n";
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "slide.yaml", text, strlen(text), NULL));
  random_parameters(chi, m, 5);
  check(m, chi, "slide", true);
  rbv_model_free(m);
}

/* ddq in a formula: no mass matrix, and a note says why */
static void test_without_mass_matrix(void **state) {
  (void)state;
  static const char text[] =
      "joints: [{mdh: {alpha: 0}}]\n"
      "columns: [{name: odd, unit: \"1\", joint: 1, expression: ddq1^3}]\n"
      "parameters: {odd: 2, ZZ1: 1}\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "odd.yaml", text, strlen(text), NULL));
  rbv_export *e = export_as(RBV_EXPORT_C, m, rbv_model_parameters(m), "odd");
  assert_int_equal(e->ncost, 6);  // neither mass_matrix nor momentum
  assert_int_equal(e->nnote, 1);
  assert_non_null(strstr(e->note[0], "no mass_matrix: column 'odd'"));
  assert_null(strstr(e->text, "odd_mass_matrix"));
  dlclose(compile(e, "odd"));
  rbv_export_free(e);
  rbv_model_free(m);
}

static void test_checksum_follows_the_model(void **state) {
  (void)state;
  static double chi[COLUMNS_MAX];
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  memcpy(chi, rbv_model_parameters(m), (size_t)rbv_model_column_count(m) * sizeof *chi);
  rbv_export *a = export_as(RBV_EXPORT_C, m, chi, "tx40"),
             *b = export_as(RBV_EXPORT_C, m, chi, "tx40");
  assert_string_equal(a->text, b->text);
  assert_string_equal(a->header, b->header);
  chi[0] += 1e-9;
  rbv_export *c = export_as(RBV_EXPORT_C, m, chi, "tx40");
  assert_string_not_equal(a->header, c->header);
  rbv_export_free(a);
  rbv_export_free(b);
  rbv_export_free(c);
  rbv_model_free(m);
}

static void test_names_that_no_include_takes(void **state) {
  (void)state;
  rbv_model *m;
  rbv_export *e;
  rbv_export_options o = rbv_export_defaults();
  o.format = RBV_EXPORT_C;
  o.name = "a\"b";
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  assert_refused(rbv_export_new(&e, m, rbv_model_parameters(m), &o), RBV_EARG, "name of a C file");
  assert_null(e);
  rbv_model_free(m);
}

static rbv_status run_export(void *state) {
  rbv_export *e = NULL;
  rbv_export_options o = rbv_export_defaults();
  o.format = RBV_EXPORT_C;
  const rbv_status status = rbv_export_new(&e, state, rbv_model_parameters(state), &o);
  rbv_export_free(e);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  static const char text[] =
      "joints: [{mdh: {alpha: 0}}, {mdh: {alpha: pi/2, d: 1}}]\nparameters: {ZZ1: 1, Fc2: 2, MX2: "
      "1}\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "two.yaml", text, strlen(text), NULL));
  fail_each_allocation(run_export, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms_that_are_zero_or_one_are_gone),
      cmocka_unit_test(test_code_of_a_graph),
      cmocka_unit_test(test_outputs_are_written_early),
      cmocka_unit_test(test_tx40),
      cmocka_unit_test(test_lwr4),
      cmocka_unit_test(test_ns16),
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_known_trees),
      cmocka_unit_test(test_random_chains),
      cmocka_unit_test(test_every_column),
      cmocka_unit_test(test_every_law),
      cmocka_unit_test(test_states_along_a_trajectory),
      cmocka_unit_test(test_offset_on_a_vertical_slide),
      cmocka_unit_test(test_without_mass_matrix),
      cmocka_unit_test(test_checksum_follows_the_model),
      cmocka_unit_test(test_names_that_no_include_takes),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
