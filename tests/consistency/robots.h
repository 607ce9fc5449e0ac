/* Random robots that are consistent: bodies are clouds of points, the geometry is random. */
#ifndef TEST_CONSISTENCY_ROBOTS_H
#define TEST_CONSISTENCY_ROBOTS_H

#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/consistency.h>
#include <roberval/sys/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct {
  uint64_t seed, next;
} dice;

static inline double between(dice *d, double low, double high) {
  return low + (high - low) * rbv_random_uniform(d->seed, 7, d->next++);
}

static inline double normal(dice *d) { return rbv_random_normal(d->seed, 8, d->next++); }

/* parameters of points from the definitions: I = sum m (x'x 1 - x x'), XY = -sum m x y */
static inline void add_point(double phi[10], double m, const double x[3]) {
  phi[0] += m * (x[1] * x[1] + x[2] * x[2]);
  phi[1] -= m * x[0] * x[1];
  phi[2] -= m * x[0] * x[2];
  phi[3] += m * (x[0] * x[0] + x[2] * x[2]);
  phi[4] -= m * x[1] * x[2];
  phi[5] += m * (x[0] * x[0] + x[1] * x[1]);
  for (int i = 0; i < 3; i++) phi[6 + i] += m * x[i];
  phi[9] += m;
}

/* ten points around a random centre */
static inline void random_body(double phi[10], dice *d, double mass, double size) {
  double centre[3];
  memset(phi, 0, 10 * sizeof *phi);
  for (int i = 0; i < 3; i++) centre[i] = between(d, -size, size);
  for (int k = 0; k < 10; k++) {
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = centre[i] + between(d, -size, size);
    add_point(phi, mass / 10, x);
  }
}

static inline rbv_model *random_robot(dice *d, int njoint) {
  char text[4096];
  int used = snprintf(text, sizeof text, "name: random\ngravity: [0, 0, -9.81]\njoints:\n");
  static const char *const angle[] = {"0", "pi/2", "-pi/2"};
  for (int j = 0; j < njoint; j++) {
    const int a = (int)between(d, 0, 3);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "  - {name: j%d, type: %s, mdh: {alpha: %s, d: %.2f, theta: 0, r: %.2f}}\n",
                     j + 1, between(d, 0, 1) < 0.15 ? "prismatic" : "revolute", j ? angle[a] : "0",
                     j ? between(d, 0, 0.6) : 0, between(d, -0.3, 0.3));
  }
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "random.yaml", text, strlen(text), NULL));
  return m;
}

/* consistent parameters of all columns; offsets of either sign */
static inline void random_parameters(double *chi, const rbv_model *m, dice *d) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    if (column->basis == RBV_BASIS_INERTIAL) {
      if (column->component == 0)
        random_body(chi + c, d, between(d, 0.5, 8), between(d, 0.05, 0.3));
    } else {
      chi[c] = rbv_column_has_law(column, "off") ? between(d, -1, 1) : between(d, 0.1, 2);
      // coupling columns of motors that turn several joints are smaller than those of the joints
      if (column->name[0] == 'f' && column->name[1] == 'v') chi[c] = 0.05;
    }
  }
}

/* a base estimate and the memory that it owns */
typedef struct {
  rbv_base *base;
  double *value, *covariance;
  rbv_consistency_input input;
} estimate;

/* exact values of chi; sigma is a share of the typical size of parameters with the same unit */
static inline void estimate_new(estimate *e, const rbv_model *m, const double *chi, double share) {
  assert_ok(rbv_base_new(&e->base, m, NULL));
  const int n = e->base->count;
  e->value = calloc((size_t)n, sizeof *e->value);
  e->covariance = calloc((size_t)n * (size_t)n, sizeof *e->covariance);
  rbv_base_values(e->value, e->base, chi);
  for (int k = 0; k < n; k++) {
    const char *unit = rbv_model_column(m, e->base->kept[k])->unit;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; i++)
      if (strcmp(rbv_model_column(m, e->base->kept[i])->unit, unit) == 0) {
        sum += e->value[i] * e->value[i];
        count++;
      }
    e->covariance[k + k * n] = share * share * sum / count;
  }
  e->input = (rbv_consistency_input){n, e->value, e->covariance, e->base->relation};
}

static inline void estimate_free(estimate *e) {
  rbv_base_free(e->base);
  free(e->value);
  free(e->covariance);
}

/* correlated noise: C = D (1 + v v') D / 2 is what it is drawn from */
static inline void estimate_add_noise(estimate *e, dice *d, double factor) {
  const int n = e->base->count;
  double *v = calloc(2 * (size_t)n, sizeof *v), *sigma = v + n;
  const double common = normal(d);
  for (int k = 0; k < n; k++) {
    v[k] = between(d, -1, 1);
    sigma[k] = sqrt(e->covariance[k + k * n]);
    e->value[k] += factor * sigma[k] * (normal(d) + v[k] * common) / sqrt(2);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      e->covariance[i + j * n] = sigma[i] * sigma[j] * ((i == j) + v[i] * v[j]) / 2;
  free(v);
}

#endif
