/* Mobility, dependent joints, and how far the loops close. */
#include "model_loops.h"

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 3.14159265358979  // distance from the reference up to which the closure is followed
#define TAKES_PART 0.3        // share of the largest movement that a joint needs to be named

/* what the reference pose and its surroundings tell */
typedef struct {
  const rbv_model *m;
  rbv_dynamics *d;
  int n, nbody;
  double *q, *movement;
  rbv_loop_pose at_reference;
} view;

static bool open_view(view *v, const rbv_model *m) {
  *v = (view){.m = m, .n = rbv_model_joint_count(m), .nbody = rbv_model_body_count(m)};
  if (rbv_model_loop_count(m) == 0) return false;
  v->q = malloc((size_t)v->n * sizeof *v->q);
  v->movement = malloc((size_t)v->nbody * sizeof *v->movement);
  return v->q && v->movement && rbv_dynamics_new(&v->d, m) == RBV_OK;
}

static void close_view(view *v) {
  rbv_dynamics_free(v->d);
  free(v->q);
  free(v->movement);
}

static void to_reference(view *v) {
  for (int j = 0; j < v->n; j++) v->q[j] = rbv_model_reference(v->m, rbv_model_joint_body(v->m, j));
}

/* end of the way of a driven joint with the others held; true: a singular pose ends it */
static bool find_end(double *end, view *v, int joint, double way) {
  to_reference(v);
  const double target = v->q[joint] + way;
  v->q[joint] = target;
  rbv_dynamics_reach(v->q, v->d, 1);
  *end = v->q[joint];
  return fabs(*end - target) > 1e-9;
}

/* number of a joint of body i that takes part in the movement at the end of a way; -1: no more */
static int next_loose(const view *v, int i) {
  double largest = 0;
  for (int b = 0; b < v->nbody; b++) largest = fmax(largest, fabs(v->movement[b]));
  for (; i < v->nbody; i++)
    if (fabs(v->movement[i]) > TAKES_PART * largest) return i;
  return -1;
}

/* ---- text ---- */

static void print_end(view *v, int joint, double way) {
  double end;
  if (!find_end(&end, v, joint, way)) {
    printf("  %10s", "-");
    return;
  }
  printf("  %10.4g", end);
  if (!rbv_dynamics_loose(v->movement, v->d, v->q)) return;
  for (int i = next_loose(v, 0), count = 0; i >= 0; i = next_loose(v, i + 1), count++)
    printf("%s%s", count ? ", " : " (", rbv_model_body_joint(v->m, i));
  printf(")");
}

void cli_print_loops(const rbv_model *m) {
  view v;
  if (open_view(&v, m)) {
    printf("\n%d closed loops: mobility %d\n", rbv_model_loop_count(m), v.n);
    printf(
        "driven joint, the others held       reference  near a singular pose, below and above "
        "(joints that are loose there)\n");
    for (int j = 0; j < v.n; j++) {
      const rbv_joint *joint = rbv_model_joint(m, j);
      to_reference(&v);
      printf("%2d  %-28s %10.4g", rbv_model_joint_body(m, j) + 1, joint->name, v.q[j]);
      print_end(&v, j, -FAR);
      print_end(&v, j, FAR);
      printf("\n");
    }
    printf("joints that follow from the closed loops, and their position in the reference pose\n");
    for (int i = 0; i < v.nbody; i++)
      if (rbv_model_is_passive(m, i))
        printf("%2d  %-28s %10.4g\n", i + 1, rbv_model_body_joint(m, i), rbv_model_reference(m, i));
    to_reference(&v);
    (void)rbv_dynamics_loops(&v.at_reference, NULL, NULL, NULL, v.d, v.q, NULL, NULL);
    printf("in the reference pose: gap %.1e m, condition %.3g\n", v.at_reference.residual,
           v.at_reference.condition);
  }
  close_view(&v);
}

/* ---- JSON ---- */

static void put_end(rbv_json *json, view *v, const char *key, const char *loose, int joint,
                    double way) {
  double end;
  if (!find_end(&end, v, joint, way)) return;
  rbv_json_put_real(json, key, end);
  if (!rbv_dynamics_loose(v->movement, v->d, v->q)) return;
  rbv_json_put_flat_list(json, loose);
  for (int i = next_loose(v, 0); i >= 0; i = next_loose(v, i + 1))
    rbv_json_string(json, rbv_model_body_joint(v->m, i));
  rbv_json_end(json);
}

void cli_put_loops(rbv_json *json, const rbv_model *m) {
  view v;
  if (open_view(&v, m)) {
    to_reference(&v);
    (void)rbv_dynamics_loops(&v.at_reference, NULL, NULL, NULL, v.d, v.q, NULL, NULL);
    rbv_json_put_map(json, "closed_loops");
    rbv_json_put_int(json, "count", rbv_model_loop_count(m));
    rbv_json_put_int(json, "mobility", v.n);
    rbv_json_put_real(json, "reference_gap_m", v.at_reference.residual);
    rbv_json_put_real(json, "reference_condition", v.at_reference.condition);
    rbv_json_put_list(json, "driven");
    for (int j = 0; j < v.n; j++) {
      to_reference(&v);
      rbv_json_map(json);
      rbv_json_put_string(json, "joint", rbv_model_joint(m, j)->name);
      rbv_json_put_real(json, "reference", v.q[j]);
      put_end(json, &v, "closes_from", "singular_below", j, -FAR);
      put_end(json, &v, "closes_to", "singular_above", j, FAR);
      rbv_json_end(json);
    }
    rbv_json_end(json);
    rbv_json_put_list(json, "dependent");
    for (int i = 0; i < v.nbody; i++) {
      if (!rbv_model_is_passive(m, i)) continue;
      rbv_json_map(json);
      rbv_json_put_string(json, "joint", rbv_model_body_joint(m, i));
      rbv_json_put_real(json, "reference", rbv_model_reference(m, i));
      rbv_json_end(json);
    }
    rbv_json_end(json);
    rbv_json_end(json);
  }
  close_view(&v);
}
