/* Robots for the tests of `export`: physically consistent bodies, random chains, parameter files.
 */
#ifndef TEST_BODIES_H
#define TEST_BODIES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>

#include "base/support.h"
#include "support.h"

#define JOINTS_MAX 40
#define COLUMNS_MAX 800
#define ROWS_MAX (2 * JOINTS_MAX)

typedef struct {
  uint64_t seed, next;
} dice;

static inline double uniform(dice *d, double low, double high) {
  return low + (high - low) * rbv_random_uniform(d->seed, 77, d->next++);
}

/* second moments A A' about the centre, shifted: I = trace(S) 1 - S, which is physically consistent
 */
static inline void random_body(double b[10], dice *d) {
  double A[9], S[9], c[3];
  const double m = uniform(d, 0.5, 8);
  for (int i = 0; i < 9; i++) A[i] = uniform(d, -0.1, 0.1);
  for (int i = 0; i < 3; i++) c[i] = uniform(d, -0.2, 0.2);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      S[3 * i + k] = m * (c[i] * c[k] + (i == k) * 1e-3);
      for (int l = 0; l < 3; l++) S[3 * i + k] += m * A[3 * i + l] * A[3 * k + l];
    }
  const double trace = S[0] + S[4] + S[8];
  const double out[10] = {trace - S[0], -S[1],    -S[2],    trace - S[4], -S[5],
                          trace - S[8], m * c[0], m * c[1], m * c[2],     m};
  memcpy(b, out, sizeof out);
}

/* every column: consistent links, positive drives */
static inline void random_parameters(double *chi, const rbv_model *m, uint64_t seed) {
  dice d = {.seed = seed};
  double body[10] = {0};
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL) {
      if (column->component == 0) random_body(body, &d);
      chi[c] = body[column->component];
    } else {
      // coupling terms are smaller than a joint's own
      chi[c] = column->name[0] == 'f' ? uniform(&d, 0.01, 0.1) : uniform(&d, 0.3, 2);
    }
  }
}

static inline void random_state(double *q, double *dq, double *ddq, int n, dice *d) {
  for (int j = 0; j < n; j++) {
    q[j] = uniform(d, -3, 3);
    dq[j] = uniform(d, -2, 2);
    ddq[j] = uniform(d, -5, 5);
  }
}

static inline rbv_export *export_as(rbv_export_format format, const rbv_model *m, const double *chi,
                                    const char *name) {
  rbv_export_options o = rbv_export_defaults();
  rbv_export *e;
  o.format = format;
  o.name = name;
  assert_ok(rbv_export_new(&e, m, chi, &o));
  if (e->refused) fail_msg("refused: %s", e->reason);
  return e;
}

/* ---- a random URDF: a pedestal, bodies between the joints, side branches, comments ---- */

static inline void put_random_inertial(rbv_text *t, dice *d) {
  double b[10];
  random_body(b, d);
  // any positive definite matrix with the triangle inequality can be an inertia about the centre
  rbv_text_print(t, "    <inertial>\n      <!-- weighed by hand -->\n");
  rbv_text_print(t, "      <origin xyz='%.9g %.9g %.9g' rpy=\"%.9g 0.2 -0.3\"/>\n",
                 uniform(d, -0.2, 0.2), uniform(d, -0.2, 0.2), uniform(d, -0.2, 0.2),
                 uniform(d, -3, 3));
  rbv_text_print(t, "      <mass value=\"%.9g\"/>\n      <inertia ixx=\"%.12g\" ixy=\"%.12g\" ",
                 b[9], b[0], b[1]);
  rbv_text_print(t, "ixz=\"%.12g\" iyy=\"%.12g\" iyz=\"%.12g\" izz=\"%.12g\" />\n    </inertial>\n",
                 b[2], b[3], b[4], b[5]);
}

static inline void put_random_joint(rbv_text *t, dice *d, const char *type, int parent, int child) {
  rbv_text_print(t, "  <joint name=\"j%d\" type=\"%s\">\n", child, type);
  rbv_text_print(t, "    <origin xyz=\"%.9g %.9g %.9g\" rpy=\"%.9g %.9g %.9g\"/>\n",
                 uniform(d, -0.5, 0.5), uniform(d, -0.5, 0.5), uniform(d, -0.5, 0.5),
                 uniform(d, -3, 3), uniform(d, -1.5, 1.5), uniform(d, -3, 3));
  rbv_text_print(t, "    <parent link=\"l%d\"/> <child link=\"l%d\"/>\n", parent, child);
  rbv_text_print(t, "    <axis xyz=\"%.9g %.9g %.9g\"/>\n", uniform(d, -1, 1), uniform(d, -1, 1),
                 uniform(d, -1, 1));
  if (uniform(d, 0, 1) < 0.5)
    rbv_text_print(t, "    <dynamics damping=\"%.9g\" friction='%.9g'/> <!-- guess -->\n",
                   uniform(d, 0, 2), uniform(d, 0, 2));
  rbv_text_put(t, "  </joint>\n");
}

static inline void put_random_urdf(rbv_text *t, uint64_t seed) {
  dice d = {.seed = seed};
  rbv_text_put(t,
               "<?xml version=\"1.0\"?>\n<!-- <link name=\"no link\"/> -->\n"
               "<robot name=\"random &lt;1&gt;\">\n  <link name=\"l0\"/>\n");
  int child = 0, tip = 0;
  const int n = 1 + (int)(seed % 8);
  for (int j = 0; j < n; j++) {
    const char *const moving = uniform(&d, 0, 1) < 0.3 ? "prismatic" : "continuous";
    const bool between = uniform(&d, 0, 1) < 0.3, aside = uniform(&d, 0, 1) < 0.3;
    const int parts = 1 + between + aside;
    for (int k = 0; k < parts; k++) {
      const bool moves = k == (between ? 1 : 0);
      put_random_joint(t, &d, moves ? moving : "fixed", tip, ++child);
      rbv_text_print(t, "  <link name=\"l%d\">\n", child);
      put_random_inertial(t, &d);
      rbv_text_put(t,
                   "    <visual><geometry><box size=\"1 1 1\"/></geometry></visual>\n  </link>\n");
      if (k <= (between ? 1 : 0)) tip = child;
    }
  }
  rbv_text_put(t, "</robot>\n<!-- end -->\n");
}

#endif
