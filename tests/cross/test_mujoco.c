/* Random chains, written as URDF for Roberval and as MJCF for MuJoCo. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "base/support.h"
#include "oracle.h"

#define CHAINS 200
#define JOINTS_MAX 10
#define BODIES_MAX (4 * JOINTS_MAX)
#define COLUMNS_MAX (14 * JOINTS_MAX)

typedef enum { FIXED, REVOLUTE, PRISMATIC } kind;

typedef struct {
  int parent;  // -1: the world
  kind kind;
  double xyz[3], rpy[3], axis[3];
  double mass, com[3], inertial_rpy[3];
  double moments[3], principal_rpy[3];  // about the centre of mass; axes, in the inertial ones
  double damping, armature;
} body;

typedef struct {
  uint64_t seed, next;
  int nbody, njoint;
  body body[BODIES_MAX];
} chain;

/* ---- random chains ---- */

static double uniform(chain *c, double low, double high) {
  return low + (high - low) * rbv_random_uniform(c->seed, 0, c->next++);
}

static void random_vector(double *x, int n, chain *c, double size) {
  for (int i = 0; i < n; i++) x[i] = uniform(c, -size, size);
}

/* three positive second moments of mass give consistent principal moments */
static void random_inertia(body *b, chain *c) {
  const double x = uniform(c, 0.001, 0.1), y = uniform(c, 0.001, 0.1), z = uniform(c, 0.001, 0.1);
  b->mass = uniform(c, 0.1, 10);
  b->moments[0] = y + z;
  b->moments[1] = x + z;
  b->moments[2] = x + y;
  random_vector(b->principal_rpy, 3, c, 3);
}

static int add_body(chain *c, int parent, kind k) {
  body *b = &c->body[c->nbody];
  *b = (body){.parent = parent, .kind = k};
  random_vector(b->xyz, 3, c, 0.5);
  random_vector(b->rpy, 3, c, 3);
  random_vector(b->axis, 3, c, 1);
  random_vector(b->com, 3, c, 0.2);
  random_vector(b->inertial_rpy, 3, c, 3);
  random_inertia(b, c);
  b->damping = uniform(c, 0, 2);
  b->armature = uniform(c, 0, 0.5);
  return c->nbody++;
}

static chain random_chain(uint64_t seed) {
  chain c = {.seed = seed};
  c.njoint = 1 + (int)(seed % JOINTS_MAX);
  // sometimes a pedestal, bodies between the joints, side branches, a flange
  int tip = -1;
  for (int j = 0; j < c.njoint; j++) {
    if (uniform(&c, 0, 1) < 0.3) tip = add_body(&c, tip, FIXED);
    tip = add_body(&c, tip, uniform(&c, 0, 1) < 0.3 ? PRISMATIC : REVOLUTE);
    if (uniform(&c, 0, 1) < 0.2) (void)add_body(&c, tip, FIXED);
  }
  if (uniform(&c, 0, 1) < 0.5) (void)add_body(&c, tip, FIXED);
  return c;
}

/* ---- writing ---- */

/* R = Rz Ry Rx, row-major */
static void rotation(double R[9], const double rpy[3]) {
  const double sr = sin(rpy[0]), cr = cos(rpy[0]), sp = sin(rpy[1]), cp = cos(rpy[1]),
               sy = sin(rpy[2]), cy = cos(rpy[2]);
  const double X[3][3] = {{1, 0, 0}, {0, cr, -sr}, {0, sr, cr}},
               Y[3][3] = {{cp, 0, sp}, {0, 1, 0}, {-sp, 0, cp}},
               Z[3][3] = {{cy, -sy, 0}, {sy, cy, 0}, {0, 0, 1}};
  memset(R, 0, 9 * sizeof *R);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) R[3 * i + j] += Z[i][k] * Y[k][l] * X[l][j];
}

/* (w, x, y, z) of the same rotation, by half angles */
static void quaternion(double q[4], const double rpy[3]) {
  const double sr = sin(rpy[0] / 2), cr = cos(rpy[0] / 2), sp = sin(rpy[1] / 2),
               cp = cos(rpy[1] / 2), sy = sin(rpy[2] / 2), cy = cos(rpy[2] / 2);
  q[0] = cr * cp * cy + sr * sp * sy;
  q[1] = sr * cp * cy - cr * sp * sy;
  q[2] = cr * sp * cy + sr * cp * sy;
  q[3] = cr * cp * sy - sr * sp * cy;
}

static void put_numbers(rbv_text *t, const char *name, const double *x, int n) {
  rbv_text_print(t, " %s=\"", name);
  for (int i = 0; i < n; i++) rbv_text_print(t, "%s%.17g", i ? " " : "", x[i]);
  rbv_text_put(t, "\"");
}

static void put_origin(rbv_text *t, const double *xyz, const double *rpy) {
  rbv_text_put(t, "<origin");
  put_numbers(t, "xyz", xyz, 3);
  put_numbers(t, "rpy", rpy, 3);
  rbv_text_put(t, "/>");
}

static void put_urdf_link(rbv_text *t, const body *b, int i) {
  static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  double R[9], inertia[6];
  rotation(R, b->principal_rpy);
  for (int p = 0, at = 0; p < 3; p++)
    for (int q = p; q < 3; q++, at++) {
      inertia[at] = 0;
      for (int k = 0; k < 3; k++) inertia[at] += R[3 * p + k] * b->moments[k] * R[3 * q + k];
    }
  rbv_text_print(t, "<link name=\"link%d\"><inertial>", i);
  put_origin(t, b->com, b->inertial_rpy);
  rbv_text_print(t, "<mass value=\"%.17g\"/><inertia", b->mass);
  for (int k = 0; k < 6; k++) put_numbers(t, names[k], &inertia[k], 1);
  rbv_text_put(t, "/></inertial></link>\n");
}

static void put_urdf_joint(rbv_text *t, const body *b, int i) {
  static const char *const types[] = {"fixed", "continuous", "prismatic"};
  rbv_text_print(t, "<joint name=\"joint%d\" type=\"%s\">", i, types[b->kind]);
  put_origin(t, b->xyz, b->rpy);
  if (b->parent < 0)
    rbv_text_put(t, "<parent link=\"world\"/>");
  else
    rbv_text_print(t, "<parent link=\"link%d\"/>", b->parent);
  rbv_text_print(t, "<child link=\"link%d\"/>", i);
  if (b->kind != FIXED) {
    rbv_text_put(t, "<axis");
    put_numbers(t, "xyz", b->axis, 3);
    rbv_text_print(t, "/><dynamics damping=\"%.17g\"/>", b->damping);
  }
  rbv_text_put(t, "</joint>\n");
}

/* the order of the elements must not matter: every second file is written in reverse */
static void put_urdf(rbv_text *t, const chain *c) {
  rbv_text_put(t, "<?xml version=\"1.0\"?>\n<robot name=\"random\">\n<link name=\"world\"/>\n");
  for (int k = 0; k < c->nbody; k++) {
    const int i = c->seed % 2 ? c->nbody - 1 - k : k;
    put_urdf_joint(t, &c->body[i], i);
    put_urdf_link(t, &c->body[i], i);
  }
  rbv_text_put(t, "</robot>\n");
}

static void put_mjcf_body(rbv_text *t, const chain *c, int i) {
  const body *b = &c->body[i];
  double quat[4], outer[4], inner[4], iquat[4];
  quaternion(quat, b->rpy);

  // principal axes, because MuJoCo's iteration for them stops at 1e-6 rad
  quaternion(outer, b->inertial_rpy);
  quaternion(inner, b->principal_rpy);
  mju_mulQuat(iquat, outer, inner);

  rbv_text_print(t, "<body name=\"link%d\"", i);
  put_numbers(t, "pos", b->xyz, 3);
  put_numbers(t, "quat", quat, 4);
  rbv_text_put(t, "><inertial");
  put_numbers(t, "pos", b->com, 3);
  put_numbers(t, "mass", &b->mass, 1);
  put_numbers(t, "quat", iquat, 4);
  put_numbers(t, "diaginertia", b->moments, 3);
  rbv_text_put(t, "/>\n");
  if (b->kind != FIXED) {
    rbv_text_print(t, "<joint name=\"joint%d\" type=\"%s\"", i,
                   b->kind == REVOLUTE ? "hinge" : "slide");
    put_numbers(t, "axis", b->axis, 3);
    put_numbers(t, "damping", &b->damping, 1);
    put_numbers(t, "armature", &b->armature, 1);
    rbv_text_put(t, "/>\n");
  }
}

static void put_mjcf(rbv_text *t, const chain *c) {
  rbv_text_put(t,
               "<mujoco model=\"random\">\n"
               "<compiler angle=\"radian\" boundmass=\"0\" boundinertia=\"0\" "
               "balanceinertia=\"false\" inertiafromgeom=\"false\"/>\n"
               "<option gravity=\"0 0 -9.81\"/>\n<worldbody>\n");
  // parents come before their children; close bodies that are not ancestors of the next one
  int open[BODIES_MAX], depth = 0;
  for (int i = 0; i < c->nbody; i++) {
    for (; depth > 0 && open[depth - 1] != c->body[i].parent; depth--) rbv_text_put(t, "</body>\n");
    put_mjcf_body(t, c, i);
    open[depth++] = i;
  }
  for (; depth > 0; depth--) rbv_text_put(t, "</body>\n");
  rbv_text_put(t, "</worldbody>\n</mujoco>\n");
}

/* ---- comparing ---- */

static void compare(rbv_dynamics *d, const oracle *o, chain *c) {
  const int n = c->njoint;
  double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], tau[JOINTS_MAX], want[JOINTS_MAX],
      got[JOINTS_MAX], M[JOINTS_MAX * JOINTS_MAX], W[JOINTS_MAX * JOINTS_MAX];
  random_vector(q, n, c, 3);
  random_vector(dq, n, c, 3);
  random_vector(ddq, n, c, 10);
  oracle_inverse(want, o, q, dq, ddq);
  rbv_dynamics_inverse(tau, d, q, dq, ddq);
  assert_agrees(tau, want, n, 1e-9);

  bool regular = false;
  oracle_forward(want, W, o, q, dq, tau);
  rbv_dynamics_mass(M, d, q);
  assert_agrees(M, W, n * n, 1e-9);
  rbv_dynamics_forward(got, &regular, d, q, dq, tau);
  assert_true(regular);
  assert_agrees(got, want, n, 1e-9);
}

/* the parameters of the URDF, and the armature, which URDF does not support */
static void set_parameters(rbv_dynamics *d, const rbv_model *m, const chain *c) {
  double chi[COLUMNS_MAX];
  memcpy(chi, rbv_model_parameters(m), (size_t)rbv_model_column_count(m) * sizeof *chi);
  int joint = 0;
  for (int i = 0; i < c->nbody; i++) {
    char name[16];
    if (c->body[i].kind == FIXED) continue;
    snprintf(name, sizeof name, "Ia%d", ++joint);
    chi[rbv_model_find(m, name)] = c->body[i].armature;
  }
  assert_ok(rbv_dynamics_set(d, chi, false));
}

static void test_random_chains(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  for (uint64_t seed = 0; seed < CHAINS; seed++) {
    chain c = random_chain(seed);
    rbv_text urdf = {0}, mjcf = {0};
    put_urdf(&urdf, &c);
    put_mjcf(&mjcf, &c);
    assert_false(urdf.failed || mjcf.failed);

    rbv_model *m;
    rbv_dynamics *d;
    assert_ok(rbv_model_parse(&m, "random.urdf", urdf.data, urdf.size, &options));
    assert_int_equal(rbv_model_joint_count(m), c.njoint);
    assert_int_equal(rbv_model_note_count(m), 0);
    assert_ok(rbv_dynamics_new(&d, m));
    set_parameters(d, m, &c);
    oracle o = oracle_load(temp_file("random.xml", mjcf.data));
    assert_int_equal(o.m->nv, c.njoint);
    for (int k = 0; k < 3; k++) compare(d, &o, &c);

    oracle_free(&o);
    rbv_dynamics_free(d);
    rbv_model_free(m);
    rbv_text_free(&urdf);
    rbv_text_free(&mjcf);
  }
}

/* ---- the same arm in two formats ---- */

/* fixed-axis angles of Rx(alpha) Rz(theta) */
static void mdh_rpy(double rpy[3], double alpha, double theta) {
  const double ca = cos(alpha), sa = sin(alpha), ct = cos(theta), st = sin(theta);
  rpy[0] = atan2(sa * ct, ca);
  rpy[1] = -asin(sa * st);
  rpy[2] = atan2(ca * st, ct);
}

static void test_mdh_yaml_equals_urdf(void **state) {
  (void)state;
  rbv_model_options options = rbv_model_defaults();
  options.snap = false;
  for (uint64_t seed = 1000; seed < 1020; seed++) {
    chain c = {.seed = seed, .njoint = 6};
    rbv_text yaml = {0}, urdf = {0};
    rbv_text_put(&yaml, "joints:\n");
    rbv_text_put(&urdf, "<robot name=\"mdh\"><link name=\"base\"/>");
    for (int j = 0; j < c.njoint; j++) {
      const bool slides = uniform(&c, 0, 1) < 0.3;
      const double alpha = uniform(&c, -1.5, 1.5), dist = uniform(&c, -0.5, 0.5),
                   theta = uniform(&c, -1.5, 1.5), r = uniform(&c, -0.5, 0.5);
      const double xyz[3] = {dist, -sin(alpha) * r, cos(alpha) * r};
      double rpy[3];
      mdh_rpy(rpy, alpha, theta);
      rbv_text_print(&yaml,
                     " - {type: %s, mdh: {alpha: %.17g, d: %.17g, theta: %.17g, r: %.17g}}\n",
                     slides ? "prismatic" : "revolute", alpha, dist, theta, r);
      rbv_text_print(
          &urdf, "<link name=\"l%d\"/><joint name=\"joint%d\" type=\"%s\"><axis xyz=\"0 0 1\"/>", j,
          j + 1, slides ? "prismatic" : "continuous");
      put_origin(&urdf, xyz, rpy);
      if (j == 0)
        rbv_text_put(&urdf, "<parent link=\"base\"/>");
      else
        rbv_text_print(&urdf, "<parent link=\"l%d\"/>", j - 1);
      rbv_text_print(&urdf, "<child link=\"l%d\"/></joint>\n", j);
    }
    rbv_text_put(&urdf, "</robot>");

    const rbv_text *const text[2] = {&yaml, &urdf};
    double chi[COLUMNS_MAX], q[6], dq[6], ddq[6], tau[2][6];
    random_vector(chi, 84, &c, 1);
    random_vector(q, 6, &c, 3);
    random_vector(dq, 6, &c, 3);
    random_vector(ddq, 6, &c, 3);
    for (int i = 0; i < 2; i++) {
      rbv_model *m;
      rbv_dynamics *d;
      assert_ok(
          rbv_model_parse(&m, i ? "a.urdf" : "a.yaml", text[i]->data, text[i]->size, &options));
      assert_int_equal(rbv_model_column_count(m), 84);
      assert_ok(rbv_dynamics_new(&d, m));
      assert_ok(rbv_dynamics_set(d, chi, false));
      rbv_dynamics_inverse(tau[i], d, q, dq, ddq);
      rbv_dynamics_free(d);
      rbv_model_free(m);
    }
    // near pitch = pi/2 asin loses half the digits of its angle; at most 1.5 rad it loses one
    double size = 0;
    for (int j = 0; j < 6; j++) size = fmax(size, fabs(tau[0][j]));
    for (int j = 0; j < 6; j++) assert_near(tau[1][j], tau[0][j], 1e-12 * size, 0);
    rbv_text_free(&yaml);
    rbv_text_free(&urdf);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_chains),
      cmocka_unit_test(test_mdh_yaml_equals_urdf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
