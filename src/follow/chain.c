/*
 * A chain of three equal poles a: dx1 = a (u - x1), dx2 = a (x1 - x2), dx3 = a (x2 - x3). For an
 * input u0 + s t the solution is u0 + s t - i s / a in stage i plus what decays:
 * with E = exp(-a t), d1 -> E d1, d2 -> E (d2 + a t d1), d3 -> E (d3 + a t d2 + (a t)^2 / 2 d1).
 */
#include <math.h>

#include "follow/follow_internal.h"

int rbv_chain_size(int count) { return (POLES + 1) * count; }

pole_chain rbv_chain_at(double *memory, int count, double hz) {
  return (pole_chain){
      .count = count, .pole = 2 * RBV_PI * hz, .stage = memory, .last = memory + POLES * count};
}

void rbv_chain_start(const pole_chain *c, const double *input) {
  for (int k = 0; k < c->count; k++) {
    for (int i = 0; i < POLES; i++) c->stage[i * c->count + k] = input[k];
    c->last[k] = input[k];
  }
}

void rbv_chain_push(const pole_chain *c, const double *input, double dt) {
  const int n = c->count;
  const double x = c->pole * dt, E = exp(-x);
  double *x1 = c->stage, *x2 = x1 + n, *x3 = x2 + n;
  for (int k = 0; k < n; k++) {
    const double lag = (input[k] - c->last[k]) / x;  // s / a
    const double d1 = x1[k] - c->last[k] + lag, d2 = x2[k] - c->last[k] + 2 * lag,
                 d3 = x3[k] - c->last[k] + 3 * lag;
    x1[k] = input[k] - lag + E * d1;
    x2[k] = input[k] - 2 * lag + E * (d2 + x * d1);
    x3[k] = input[k] - 3 * lag + E * (d3 + x * (d2 + 0.5 * x * d1));
    c->last[k] = input[k];
  }
}

double rbv_chain_value(const pole_chain *c, int k) { return c->stage[2 * c->count + k]; }

double rbv_chain_first(const pole_chain *c, int k) {
  return c->pole * (c->stage[c->count + k] - c->stage[2 * c->count + k]);
}

double rbv_chain_second(const pole_chain *c, int k) {
  const double *x = c->stage + k;
  const int n = c->count;
  return c->pole * c->pole * (x[0] - 2 * x[n] + x[2 * n]);
}
