/* The mechanisms of mechanism.h, and their robot files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism_internal.h"
#include "support.h"

/* ---- mechanisms ---- */

/* a box of this size around a centre, turned by a little */
static void fill_body(mechanism_joint *j, double mass, const double centre[3], const double size[3],
                      mechanism_dice *d) {
  double R[3][3], I[3][3], T[3][3], axis[3] = {mechanism_uniform(d), mechanism_uniform(d), 0.5};
  const double length = sqrt(mechanism_dot(axis, axis));
  for (int k = 0; k < 3; k++) axis[k] /= length;
  mechanism_about(R, axis, 0.6 * mechanism_uniform(d) - 0.3);
  memset(I, 0, sizeof I);
  for (int k = 0; k < 3; k++) {
    const double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
    I[k][k] = mass / 12 * (a * a + b * b);
    for (int i = 0; i < 3; i++) T[i][k] = R[k][i];
  }
  mechanism_multiply(I, R, I);
  mechanism_multiply(I, I, T);
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
    const double dx = platform - base[k] - arm[k] * cos(angle),
                 dz = -sqrt(rod[k] * rod[k] - dx * dx);
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
    fill_body(j, 0.25, (double[]){rod[k] / 2, 0.005, -0.004 * k}, (double[]){rod[k], 0.03, 0.02},
              d);
    m.cut[m.ncut++] =
        (mechanism_cut){{3 * k + 2, 11}, {{rod[k], 0, 0}, {platform * c, platform * s, 0}}};
    height += (dz - arm[k] * sin(angle)) / 3;
  }
  for (int k = 0; k < 3; k++) {
    mechanism_joint *j =
        add_joint(&m, (const char *[]){"x", "y", "z"}[k], 8 + k, false, origin, axis[k]);
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
    length[k / 3][k % 3] = (double[]){0.2, 0.3, 0.8}[k / 3] * (0.9 + 0.2 * mechanism_uniform(&d));
  const double platform = 0.05 + 0.05 * mechanism_uniform(&d);
  return delta_of(length[0], length[1], length[2], platform, 0.2 + 0.4 * mechanism_uniform(&d), &d);
}

static void random_unit(double x[3], mechanism_dice *d) {
  for (int k = 0; k < 3; k++) x[k] = mechanism_normal(d);
  const double length = sqrt(mechanism_dot(x, x));
  for (int k = 0; k < 3; k++) x[k] /= length;
}

/* a point of the world in the frame of a body in the home pose */
static void local_point(double out[3], const mechanism *m, int body, const double at[3]) {
  memcpy(out, at, 3 * sizeof *out);
  if (body < 0) return;
  placed x;
  double q[N], T[3][3];
  for (int i = 0; i < m->n; i++) q[i] = m->joint[i].home;
  mechanism_place(&x, m, q, NULL);
  for (int k = 0; k < 3; k++) out[k] -= x.p[body][k];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) T[i][k] = x.R[body][k][i];
  mechanism_turn(out, T, out);
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
    mechanism_about(step, unit[k], j->rpy[k]);
    mechanism_multiply(R, R, step);
  }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) T[i][k] = R[k][i];
  mechanism_turn(j->axis, T, axis);
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
  mechanism_cross(e[1], n, e[0]);
  const double length = sqrt(mechanism_dot(e[1], e[1]));
  for (int k = 0; k < 3; k++) e[1][k] /= length;
  mechanism_cross(e[0], e[1], n);
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
      fprintf(f, "      - {frame: %s, xyz: [%.17g, %.17g, %.17g]}\n", link_of(m, m->cut[c].body[s]),
              m->cut[c].at[s][0], m->cut[c].at[s][1], m->cut[c].at[s][2]);
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

/* ---- parameters of the library's columns ---- */

/* inertial parameters at the origin of the frame, and drives */
static double parameter_of(const mechanism *m, const rbv_column *c) {
  const mechanism_joint *j = &m->joint[atoi(c->name + strcspn(c->name, "0123456789")) - 1];
  if (rbv_column_has_law(c, "Ia")) return j->rotor;
  if (rbv_column_has_law(c, "Fv")) return j->viscous;
  if (rbv_column_has_law(c, "Fc")) return j->coulomb;
  if (c->basis != RBV_BASIS_INERTIAL) return 0;
  const double *r = j->centre, M = j->mass, *I = j->inertia;
  const double link[10] = {I[0] + M * (r[1] * r[1] + r[2] * r[2]),
                           I[1] - M * r[0] * r[1],
                           I[2] - M * r[0] * r[2],
                           I[3] + M * (r[0] * r[0] + r[2] * r[2]),
                           I[4] - M * r[1] * r[2],
                           I[5] + M * (r[0] * r[0] + r[1] * r[1]),
                           M * r[0],
                           M * r[1],
                           M * r[2],
                           M};
  return link[c->component];
}

void mechanism_parameters(double *chi, const mechanism *m, const rbv_model *model) {
  for (int c = 0; c < rbv_model_column_count(model); c++)
    chi[c] = parameter_of(m, rbv_model_column(model, c));
}
