/*
 * Output error with unknown links: a slow or small motion does not determine all of them, and the
 * steps then lead to links that no robot can have, where the loop is rough and then singular. From
 * there on the links are those of the robot file, with a sigma of NEAR of the size of each body, as
 * far as the motion does not know better:
 *
 *   minimise  cost(x) + sum_k ((x_k - file_k) / sigma_k)^2,   k: base parameters of links
 *
 * Size of a body: its mass m, m l and m l^2, with the radius of gyration l about its frame.
 */
#include <math.h>
#include <string.h>

#include "identify/output_error.h"

#define NEAR 0.5  // sigma of the links of the robot file, of the size of a body

enum { XX = 0, YY = 3, ZZ = 5, MX = 6, M = 9 };  // components of a body

/* size of an inertial parameter */
static double size_of(const output_run *o, int column) {
  const rbv_model *m = o->r->model;
  const rbv_column *c = rbv_model_column(m, column);
  double mass = 0, inertia = 0;
  for (int i = 0; i < rbv_model_column_count(m); i++) {
    const rbv_column *other = rbv_model_column(m, i);
    if (other->basis != RBV_BASIS_INERTIAL || other->joint != c->joint) continue;
    const double value = fabs(o->loop->known[i]);
    if (other->component == M) mass = value;
    if (other->component == XX || other->component == YY || other->component == ZZ)
      inertia += value / 2;
  }
  return c->component == M ? mass : c->component >= MX ? sqrt(mass * inertia) : inertia;
}

bool rbv_output_can_stay_near(const output_run *o) {
  return o->loop->known && !o->loop->known_links && !o->near_links && !o->loop->noise;
}

void rbv_output_stay_near(output_run *o) {
  const rbv_base *b = o->e->base;
  o->near_links = true;
  rbv_base_values(o->near_to + o->extra, b, o->loop->known);
  for (int k = 0; k < b->count; k++) {
    double square = 0, rotor = 0;
    bool drive = false;
    for (int c = 0; c < b->ncolumn; c++) {
      const double share = b->relation[k + (ptrdiff_t)c * b->count];
      if (share == 0) continue;
      if (rbv_model_column(o->r->model, c)->basis == RBV_BASIS_INERTIAL) {
        square += pow(NEAR * share * size_of(o, c), 2);
      } else {
        drive = true;
        rotor = fmax(rotor, fabs(share * o->loop->known[c]));
      }
    }
    if (!(square > 0)) continue;
    // a rotor inertia is hardly known, but with its link it is not smaller than part of the link
    const double least = drive ? rbv_output_least_value(o, k, true) : -INFINITY;
    if (least > 0) o->low[o->extra + k] = fmax(o->low[o->extra + k], NEAR * least);
    if (drive) square += pow(fmax(rotor, fabs(least)), 2);
    o->near[o->extra + k] = 1 / sqrt(square);
  }
}

double rbv_output_distance(const output_run *o, const double *x) {
  double sum = 0;
  for (int k = o->extra; k < o->p && o->near_links; k++)
    sum += pow(o->near[k] * (x[k] - o->near_to[k]), 2);
  return sum;
}

bool rbv_output_is_of_file(const output_run *o, int k) {
  if (!o->near_links || !(o->near[k] > 0)) return false;
  const double variance = o->solution.cov[k + (ptrdiff_t)k * o->p] / o->solution.sigma2;
  return variance * o->near[k] * o->near[k] > 0.5;
}
