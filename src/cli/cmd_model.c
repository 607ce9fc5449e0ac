/* roberval model: show a robot and its identifiable parameters. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/linalg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_loops.h"
#include "motion_table.h"
#include "task_command.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  bool base, lint;
  const char *frames;
  const char *motion;
  const char *columns;
} options;

typedef struct {
  rbv_base *base;       // NULL without --base
  rbv_columns columns;  // that it is of
  int all, rigid, inertial;
} findings;

/* ---- base parameters, of the structure or of a motion ---- */

static rbv_status motion_triangle(double *R, const rbv_model *m, const cli_motion *motion) {
  const int ncolumn = rbv_model_column_count(m), nrow = rbv_model_row_count(m);
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d = NULL;
  rbv_qr *qr = NULL;
  double *W = malloc((size_t)nrow * (size_t)ncolumn * sizeof *W),
         *s = malloc(3 * (size_t)n * sizeof *s);
  rbv_status status = W && s ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_qr_new(&qr, ncolumn);
  for (ptrdiff_t k = 0; k < motion->count && status == RBV_OK; k++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < n; j++) s[i * n + j] = motion->values[i][k + j * motion->count];
    rbv_regressor_eval(W, d, s, s + n, s + 2 * n, rbv_model_has_payload(m));
    status = rbv_qr_add(qr, W, nrow, nrow);
  }
  if (status == RBV_OK) rbv_qr_get(R, qr);
  rbv_qr_free(qr);
  rbv_dynamics_free(d);
  free(W);
  free(s);
  return status;
}

/* those of the columns that are wanted, and how many there are of all, of links and rotors, and of
 * links; R: triangle of a motion, NULL: any motion */
static rbv_status find_bases(findings *f, const rbv_model *m, const double *R,
                             rbv_base_options base) {
  int *const counts[] = {&f->all, &f->rigid, &f->inertial};
  rbv_status status = RBV_OK;
  for (int k = 2; k >= 0 && status == RBV_OK; k--) {
    rbv_base *b = NULL;
    base.columns = (rbv_columns)k;
    status = R ? rbv_base_of_motion(&b, m, R, &base) : rbv_base_new(&b, m, &base);
    if (status == RBV_OK) *counts[k] = b->count;
    if (k == (int)f->columns)
      f->base = b;
    else
      rbv_base_free(b);
  }
  return status;
}

static int find_of_motion(findings *f, const rbv_model *m, const options *o,
                          rbv_base_options base) {
  static const rbv_channel channels[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY,
                                         RBV_CHANNEL_ACCELERATION, RBV_CHANNEL_OTHER};
  const int ncolumn = rbv_model_column_count(m);
  cli_motion motion;
  const int code = cli_read_motion(&motion, m, o->motion, channels);
  if (code >= 0) return code;
  double *R = malloc((size_t)ncolumn * (size_t)ncolumn * sizeof *R);
  rbv_status status = R ? motion_triangle(R, m, &motion) : RBV_EMEM;
  if (status == RBV_OK) status = find_bases(f, m, R, base);
  free(R);
  cli_free_motion(&motion);
  return status == RBV_OK ? -1 : cli_fail(status);
}

static int find(findings *f, const rbv_model *m, const options *o) {
  if (!o->base) return -1;
  rbv_base_options base = rbv_base_defaults();
  base.distal = o->frames && strcmp(o->frames, "distal") == 0;
  for (int k = 0; o->columns && rbv_columns_name(k); k++)
    if (strcmp(rbv_columns_name(k), o->columns) == 0) f->columns = (rbv_columns)k;
  if (o->motion) return find_of_motion(f, m, o, base);
  const rbv_status status = find_bases(f, m, NULL, base);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* ---- text output ---- */

static void print_limit(double value, const char *unit) {
  if (isfinite(value))
    printf("  %8.4g %-6s", value, unit);
  else
    printf("  %8s %-6s", "-", "");
}

/* the number of a joint is that of its body, which is also in the names of its parameters */
static void print_joints(const rbv_model *m) {
  const int width = cli_name_width(m);
  printf("\n%-*s  type        lower            upper            velocity         effort\n",
         3 + width, "joint");
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const rbv_joint *joint = rbv_model_joint(m, j);
    const bool slides = joint->type == RBV_JOINT_PRISMATIC;
    printf("%2d %-*s  %-9s", rbv_model_joint_body(m, j) + 1, width, joint->name,
           slides ? "prismatic" : "revolute");
    print_limit(joint->limits.lower, slides ? "m" : "rad");
    print_limit(joint->limits.upper, slides ? "m" : "rad");
    print_limit(joint->limits.velocity, slides ? "m/s" : "rad/s");
    print_limit(joint->limits.effort, slides ? "N" : "N m");
    printf("\n");
  }
}

static bool is_serial(const rbv_model *m) {
  for (int i = 0; i < rbv_model_body_count(m); i++)
    if (rbv_model_parent(m, i) != i - 1) return false;
  return rbv_model_body_count(m) == rbv_model_joint_count(m);
}

/* the coordinate that a follower depends on, -1: the joint of the body is a coordinate */
static int leader_of(const rbv_model *m, int body) {
  int leader = -1;
  if (rbv_model_is_passive(m, body)) return -1;
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    if (rbv_model_joint_body(m, j) == body) return -1;
    if (rbv_model_map(NULL, m, body, j) != 0) leader = j;
  }
  return leader;
}

static int child_count(const rbv_model *m, int body) {
  int count = 0;
  for (int k = 0; k < rbv_model_body_count(m); k++) count += rbv_model_parent(m, k) == body;
  return count;
}

/* a branch: the joints from a branching body, or from the base, to the next one or to a tip */
static void print_branches(const rbv_model *m) {
  const int n = rbv_model_body_count(m);
  printf("\nbranch, from the joint before it  joints\n");
  for (int i = 0, branch = 0; i < n; branch++) {
    const int parent = rbv_model_parent(m, i), first = i;
    printf("%2d  %-28s ", branch + 1, parent < 0 ? "base" : rbv_model_body_joint(m, parent));
    int children = 1;
    for (; i < n && (i == first || (children == 1 && rbv_model_parent(m, i) == i - 1)); i++) {
      children = child_count(m, i);
      printf(" %s", rbv_model_body_joint(m, i));
    }
    printf("%s\n", children == 0 ? "  (tip)" : "");
  }
}

static void print_followers(const rbv_model *m) {
  bool any = false;
  for (int i = 0; i < rbv_model_body_count(m); i++) {
    const int leader = leader_of(m, i);
    if (leader < 0) continue;
    double offset;
    const double factor = rbv_model_map(&offset, m, i, leader);
    if (!any) printf("\njoints that mimic others (their bodies have parameters, but no drive)\n");
    any = true;
    printf("%2d  %s = %.6g %s %c %.6g\n", i + 1, rbv_model_body_joint(m, i), factor,
           rbv_model_joint(m, leader)->name, offset < 0 ? '-' : '+', fabs(offset));
  }
}

/* how to take a part out: from the base to each tip, and the last branch before it alone */
static void print_limbs(const rbv_model *m) {
  if (rbv_model_tip_count(m) < 2) return;
  printf(
      "\nlimbs, for every command        joints (the others are held at zero; several tips with "
      "commas)\n");
  for (int i = 0; i < rbv_model_tip_count(m); i++) {
    const int tip = rbv_model_tip_body(m, i);
    const char *name = rbv_model_body_link(m, tip);
    int own = 1, all, at = rbv_model_parent(m, tip);
    if (!name) return;
    for (; at >= 0 && child_count(m, at) == 1; at = rbv_model_parent(m, at)) own++;
    const char *root = at < 0 ? NULL : rbv_model_body_link(m, at);
    for (all = own; at >= 0; at = rbv_model_parent(m, at)) all++;
    printf(" --tip %-24s %2d\n", name, all);
    if (root) printf(" --root %s --tip %s  %d\n", root, name, own);
  }
}

static void print_topology(const rbv_model *m) {
  if (is_serial(m)) return;
  print_branches(m);
  print_followers(m);
  cli_print_loops(m);
  print_limbs(m);
}

static void print_capsules(const rbv_model *m) {
  const int count = rbv_model_capsule_count(m);
  if (count > 0)
    printf("\ncapsule for collisions, on link (0 is the base)  from, to, radius [m]\n");
  for (int i = 0; i < count; i++) {
    const rbv_capsule *c = rbv_model_capsule(m, i);
    printf("%2d  [%.4g, %.4g, %.4g]  [%.4g, %.4g, %.4g]  %.4g\n", c->link, c->from[0], c->from[1],
           c->from[2], c->to[0], c->to[1], c->to[2], c->radius);
  }
  if (rbv_model_shapeless(m))
    printf("%swithout a collision shape (its mesh was not found, or is not STL, OBJ or DAE): %s\n",
           count > 0 ? "" : "\n", rbv_model_shapeless(m));
}

static void print_parameters(const rbv_model *m) {
  const double *value = rbv_model_parameters(m);
  printf("\n%s\n", value ? "parameters given with the robot (the rest is zero):"
                         : "no parameter values are given with the robot");
  int printed = 0;
  for (int c = 0; value && c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (value[c] == 0) continue;
    printf("  %-6s %10.5g %-10s%s", column->name, value[c], column->unit,
           ++printed % 4 == 0 ? "\n" : "");
  }
  if (printed % 4) printf("\n");
}

/* is the column of this category? Those that the base parameters are not of have none */
static bool is_of(const rbv_model *m, const findings *f, int column, rbv_category category) {
  return f->base->category[column] == category && rbv_columns_have(f->columns, m, column);
}

static void print_category(const rbv_model *m, const findings *f, rbv_category category,
                           const char *title) {
  int count = 0;
  for (int c = 0; c < f->base->ncolumn; c++) count += is_of(m, f, c, category);
  printf("\n%s (%d):", title, count);
  for (int c = 0; c < f->base->ncolumn; c++)
    if (is_of(m, f, c, category)) printf(" %s", rbv_model_column(m, c)->name);
  printf("\n");
}

static void print_relations(const rbv_model *m, const rbv_base *b) {
  for (int k = 0; k < b->count; k++) {
    const int kept = b->kept[k];
    if (b->category[kept] != RBV_CATEGORY_BASE) continue;
    printf("  %-7s = %s", b->name[k], rbv_model_column(m, kept)->name);
    for (int c = 0; c < b->ncolumn; c++) {
      const double x = b->relation[k + (ptrdiff_t)c * b->count];
      if (x == 0 || c == kept) continue;
      printf(" %c ", x < 0 ? '-' : '+');
      if (fabs(x) != 1) printf("%.10g ", fabs(x));
      printf("%s", rbv_model_column(m, c)->name);
    }
    printf("\n");
  }
}

static void print_text(const rbv_model *m, const options *o, const findings *f) {
  const double *g = rbv_model_gravity(m);
  printf("%s: %d joints", rbv_model_name(m), rbv_model_joint_count(m));
  const int followers = rbv_model_body_count(m) - rbv_model_joint_count(m);
  if (followers > 0 && rbv_model_loop_count(m) == 0) printf(" and %d that mimic them", followers);
  if (rbv_model_loop_count(m) > 0) printf(" and %d that follow from closed loops", followers);
  if (rbv_model_tip_count(m) > 1) printf(", %d tips", rbv_model_tip_count(m));
  if (rbv_model_has_free_base(m)) printf(", on a base that is held");
  if (rbv_model_base_moves(m)) printf(", on a base that moves");
  printf(", torque measured at the %s, gravity [%g, %g, %g] m/s^2\n",
         rbv_model_sensing(m) == RBV_SENSING_BOTH         ? "motor and the joint"
         : rbv_model_sensing(m) == RBV_SENSING_DIFFERENCE ? "motor, less that at the joint"
                                                          : rbv_sensing_name(rbv_model_sensing(m)),
         g[0], g[1], g[2]);
  print_joints(m);
  print_topology(m);
  print_capsules(m);
  print_parameters(m);
  printf("\n%d standard parameters", rbv_model_column_count(m));
  const rbv_base *b = f->base;
  if (!b) {
    printf("; --base shows which of them can be identified\n");
    return;
  }
  printf(", %d base parameters %s (%d of links and rotors, %d of links alone); rank gap %.1e\n",
         f->all, o->motion ? "in this motion" : "in any motion", f->rigid, f->inertial, b->gap);
  if (f->columns != RBV_COLUMNS_ALL)
    printf("below: those of %s\n",
           f->columns == RBV_COLUMNS_RIGID ? "links and rotors" : "links alone");
  print_category(m, f, RBV_CATEGORY_ALONE, "identifiable alone");
  printf("\nidentifiable in combination:\n");
  print_relations(m, b);
  print_category(m, f, RBV_CATEGORY_COMBINED, "only as part of a combination");
  print_category(m, f, RBV_CATEGORY_UNIDENTIFIABLE, "without effect on the torque");
}

/* ---- JSON ---- */

static void put_limit(rbv_json *json, const char *key, double value) {
  if (isfinite(value)) rbv_json_put_real(json, key, value);
}

static void put_joints(rbv_json *json, const rbv_model *m) {
  rbv_json_put_list(json, "joints");
  for (int j = 0; j < rbv_model_joint_count(m); j++) {
    const rbv_joint *joint = rbv_model_joint(m, j);
    rbv_json_map(json);
    rbv_json_put_string(json, "name", joint->name);
    rbv_json_put_string(json, "type",
                        joint->type == RBV_JOINT_PRISMATIC ? "prismatic" : "revolute");
    put_limit(json, "lower", joint->limits.lower);
    put_limit(json, "upper", joint->limits.upper);
    put_limit(json, "velocity", joint->limits.velocity);
    put_limit(json, "acceleration", joint->limits.acceleration);
    put_limit(json, "jerk", joint->limits.jerk);
    put_limit(json, "effort", joint->limits.effort);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_bodies(rbv_json *json, const rbv_model *m) {
  rbv_json_put_list(json, "bodies");
  for (int i = 0; i < rbv_model_body_count(m); i++) {
    const int parent = rbv_model_parent(m, i), leader = leader_of(m, i);
    double offset;
    rbv_json_map(json);
    rbv_json_put_int(json, "number", i + 1);
    rbv_json_put_string(json, "joint", rbv_model_body_joint(m, i));
    rbv_json_put_int(json, "parent", parent + 1);
    if (rbv_model_is_passive(m, i)) rbv_json_put_bool(json, "passive", true);
    if (leader >= 0) {
      const double factor = rbv_model_map(&offset, m, i, leader);
      rbv_json_put_string(json, "mimics", rbv_model_joint(m, leader)->name);
      rbv_json_put_real(json, "multiplier", factor);
      rbv_json_put_real(json, "offset", offset);
    }
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_flat_list(json, "tips");
  for (int i = 0; i < rbv_model_tip_count(m); i++) rbv_json_int(json, rbv_model_tip_body(m, i) + 1);
  rbv_json_end(json);
  rbv_json_put_bool(json, "free_base", rbv_model_has_free_base(m));
}

/* uses the keys of a robot file, so that the output can be copied into one */
static void put_capsules(rbv_json *json, const rbv_model *m) {
  rbv_json_put_list(json, "collision");
  for (int i = 0; i < rbv_model_capsule_count(m); i++) {
    const rbv_capsule *c = rbv_model_capsule(m, i);
    rbv_json_map(json);
    rbv_json_put_int(json, "link", c->link);
    rbv_json_put_reals(json, "from", c->from, 3);
    rbv_json_put_reals(json, "to", c->to, 3);
    rbv_json_put_real(json, "radius", c->radius);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  if (rbv_model_shapeless(m)) rbv_json_put_string(json, "without_shape", rbv_model_shapeless(m));
}

static void put_columns(rbv_json *json, const rbv_model *m) {
  const double *value = rbv_model_parameters(m);
  rbv_json_put_list(json, "parameters");
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_column(m, c)->name);
    rbv_json_put_string(json, "unit", rbv_model_column(m, c)->unit);
    if (value) rbv_json_put_real(json, "value", value[c]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_category(rbv_json *json, const char *key, const rbv_model *m, const findings *f,
                         rbv_category category) {
  rbv_json_put_flat_list(json, key);
  for (int c = 0; c < f->base->ncolumn; c++)
    if (is_of(m, f, c, category)) rbv_json_string(json, rbv_model_column(m, c)->name);
  rbv_json_end(json);
}

static void put_term(rbv_json *json, const char *parameter, double coefficient) {
  rbv_json_map(json);
  rbv_json_put_string(json, "parameter", parameter);
  rbv_json_put_real(json, "coefficient", coefficient);
  rbv_json_end(json);
}

static void put_base(rbv_json *json, const rbv_model *m, const options *o, const findings *f) {
  const rbv_base *b = f->base;
  rbv_json_put_string(json, "holds_for", o->motion ? o->motion : "every motion");
  rbv_json_put_string(json, "frames", o->frames ? o->frames : "link");
  if (f->columns != RBV_COLUMNS_ALL)
    rbv_json_put_string(json, "columns", rbv_columns_name((int)f->columns));
  rbv_json_put_int(json, "base_count", f->all);
  rbv_json_put_int(json, "base_count_rigid", f->rigid);
  rbv_json_put_int(json, "base_count_inertial", f->inertial);
  rbv_json_put_real(json, "rank_gap", b->gap);
  if (!isfinite(b->gap)) rbv_json_put_string(json, "rank_gap_reason", "no column is dependent");
  rbv_json_put_list(json, "base");
  for (int k = 0; k < b->count; k++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", b->name[k]);
    rbv_json_put_list(json, "terms");
    put_term(json, rbv_model_column(m, b->kept[k])->name, 1);
    for (int c = 0; c < b->ncolumn; c++) {
      const double x = b->relation[k + (ptrdiff_t)c * b->count];
      if (x != 0 && c != b->kept[k]) put_term(json, rbv_model_column(m, c)->name, x);
    }
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  put_category(json, "unidentifiable", m, f, RBV_CATEGORY_UNIDENTIFIABLE);
  put_category(json, "combined", m, f, RBV_CATEGORY_COMBINED);
  put_category(json, "identifiable_alone", m, f, RBV_CATEGORY_ALONE);
}

/* angles and axes that were replaced; corrections of literals of pi/2 with many digits are smaller
 * than UNREMARKABLE */
#define UNREMARKABLE 1e-9

static void tell_snapped(const rbv_model *m, const char *path, const cli_common *common) {
  const int count = rbv_model_snap_count(m);
  double largest = 0;
  for (int i = 0; i < count; i++) {
    const rbv_snap *s = rbv_model_snap(m, i);
    largest = fmax(largest, fabs(s->used - s->given));
  }
  if (largest > UNREMARKABLE)
    cli_message(common,
                "%s: %d angles or axes were replaced by the exact values of which they are "
                "roundings (largest change %.1e; see --no-snap)\n",
                path, count, largest);
}

static void put_snapped(rbv_json *json, const rbv_model *m) {
  rbv_json_put_list(json, "snapped");
  for (int i = 0; i < rbv_model_snap_count(m); i++) {
    const rbv_snap *s = rbv_model_snap(m, i);
    rbv_json_map(json);
    rbv_json_put_string(json, "where", s->where);
    rbv_json_put_real(json, "given", s->given);
    rbv_json_put_real(json, "used", s->used);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static int print_json(const rbv_model *m, const options *o, const findings *f) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.model/1");
  rbv_json_put_string(json, "name", rbv_model_name(m));
  rbv_json_put_string(json, "sensing", rbv_sensing_name(rbv_model_sensing(m)));
  rbv_json_put_bool(json, "payload", rbv_model_has_payload(m));
  rbv_json_put_real(json, "gamma", rbv_model_gamma(m));
  rbv_json_put_real(json, "stribeck", rbv_model_stribeck(m));
  rbv_json_put_reals(json, "gravity", rbv_model_gravity(m), 3);
  put_joints(json, m);
  if (!is_serial(m) || rbv_model_has_free_base(m)) put_bodies(json, m);
  cli_put_loops(json, m);
  put_capsules(json, m);
  rbv_json_put_int(json, "standard_count", rbv_model_column_count(m));
  put_columns(json, m);
  if (f->base) put_base(json, m, o, f);
  put_snapped(json, m);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- the file alone ---- */

static void print_lint(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_lint_task *t = rbv_task_data(task);
  const rbv_lint *l = t->lint;
  (void)common, (void)self;
  int width = 4;
  for (int i = 0; i < l->nlink; i++) width = (int)fmax(width, (double)strlen(l->link[i].name));
  printf("%s: %.4g kg, of which %.4g kg move\n\n%-*s %10s %14s\n", rbv_model_name(t->model),
         l->mass, l->moving_mass, width, "link", "mass [kg]", "density [kg/m^3]");
  for (int i = 0; i < l->nlink; i++) {
    printf("%-*s %10.4g", width, l->link[i].name, l->link[i].mass);
    if (isfinite(l->link[i].density)) printf(" %14.0f", l->link[i].density);
    printf("%s\n", l->link[i].moves ? "" : "  (fixed)");
  }
  printf("\n");
  for (int i = 0; i < l->nfinding; i++)
    printf("%-11s %s: %s\n", l->finding[i].rule, l->finding[i].where, l->finding[i].text);
  printf("%d finding%s\n", l->nfinding, l->nfinding == 1 ? "" : "s");
}

static int run_lint(const options *o, const char *robot) {
  rbv_task *task;
  rbv_status status = rbv_task_new(&task, "lint");
  if (status != RBV_OK) return cli_fail(status);
  const rbv_model_options *m = &o->robot.model;
  status = rbv_task_add(task, robot);
  if (status == RBV_OK && m->tip) status = rbv_task_set(task, "tip", m->tip);
  if (status == RBV_OK && m->root) status = rbv_task_set(task, "root", m->root);
  const int code =
      status == RBV_OK
          ? cli_present_task(task, &o->common, &(cli_task){.command = "model", .print = print_lint})
          : cli_fail(status);
  rbv_task_free(task);
  return code;
}

int cli_run_model(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .robot = {.model = rbv_model_defaults()}};
  const cli_opt table[] = {
      {"base", 'b', OPT_FLAG, &o.base, NULL, "show the base parameters and their regroupings"},
      {"lint", 0, OPT_FLAG, &o.lint, NULL,
       "look at the file alone: masses, densities, placeholders, copies, mirrored limbs, limits"},
      {"motion", 0, OPT_TEXT, &o.motion, "FILE.csv",
       "with --base: identifiable in this motion (q dq ddq)"},
      {"frames", 0, OPT_TEXT, &o.frames, "KIND",
       "with --base: link (as modelled) or distal (classical DH)"},
      {"columns", 0, OPT_TEXT, &o.columns, "WHICH",
       "with --base: base parameters of all columns (default), of links and rotors, or of links",
       .choice = rbv_columns_name},
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "model", table);
  if (code >= 0) return code;
  if (o.frames && strcmp(o.frames, "link") != 0 && strcmp(o.frames, "distal") != 0)
    return cli_usage("model", "--frames can be link or distal, not '%s'", o.frames);
  if (!o.base && (o.frames || o.motion || o.columns))
    return cli_usage("model", "--frames, --motion and --columns need --base");
  if (o.lint && o.base) return cli_usage("model", "--lint and --base are two questions");
  if (o.lint) return run_lint(&o, argv[1]);
  o.robot.model.describe = true;
  rbv_model *m;
  code = cli_load_robot(&m, "model", &o.robot, argv[1], &o.common);
  if (code >= 0) return code;
  tell_snapped(m, argv[1], &o.common);
  findings f = {0};
  code = find(&f, m, &o);
  if (code < 0) {
    code = EXIT_DONE;
    if (o.common.json)
      code = print_json(m, &o, &f);
    else
      print_text(m, &o, &f);
  }
  rbv_base_free(f.base);
  rbv_model_free(m);
  return code;
}
