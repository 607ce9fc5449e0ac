#include <math.h>

#include "equations/equations.h"
#include "identify/identify_internal.h"

#define STREAM 7001  // stream number of the random numbers

void rbv_draw_blocks(int *count, const rbv_equations *system, int motion, int blocks, uint64_t seed,
                     uint64_t stream, uint64_t draw) {
  const int ngroup = rbv_equations_group_count(system);
  for (int g = 0; g < ngroup; g++)
    if (rbv_equations_group(system, g)->motion == motion) count[g] = 0;
  for (int i = 0; i < blocks; i++) {
    const uint64_t index = draw * (uint64_t)blocks + (uint64_t)i;
    const int block = (int)(rbv_random_uniform(seed, stream, index) * (double)blocks);
    for (int g = 0; g < ngroup; g++) {
      const rbv_group *group = rbv_equations_group(system, g);
      count[g] += group->motion == motion && group->fold == block;
    }
  }
}

/* repeat the estimate with the drawn groups; R: memory for the R factor */
static rbv_status solve_again(solution *out, double *R, identify_run *r, const int *count) {
  ptrdiff_t rows;
  if (r->method->loop == RBV_LOOP_INSTRUMENTS) {
    RBV_TRY(rbv_equations_stack_instruments(R, &rows, r->system, r->weights, count));
    return rbv_linear_instruments(out, NULL, R, rows, &r->selection);
  }
  RBV_TRY(rbv_equations_stack(R, &rows, r->system, r->weights, count, false));
  if (r->options->prior) RBV_TRY(rbv_linear_add_prior(R, R, r->n, r->prior, r->weight));
  return rbv_linear_solve(out, R, rows, &r->selection);
}

rbv_status rbv_bootstrap(identify_run *r, rbv_estimate *e) {
  const int n = r->n, ngroup = rbv_equations_group_count(r->system);
  const size_t width = (size_t)(r->method->loop == RBV_LOOP_INSTRUMENTS ? 2 * n : n) + 1;
  int *count = rbv_alloc((size_t)ngroup * sizeof *count);
  double *R = rbv_alloc(width * width * sizeof *R), *sum = rbv_alloc(2 * (size_t)n * sizeof *sum);
  solution again = {.x = rbv_alloc((size_t)n * sizeof(double)),
                    .cov = rbv_alloc((size_t)n * (size_t)n * sizeof(double))};
  rbv_status status = count && R && sum && again.x && again.cov ? RBV_OK : RBV_EMEM;
  int used = 0;
  for (int round = 0; round < r->options->bootstrap && status == RBV_OK; round++) {
    for (int m = 0; m < r->nmotion; m++)
      rbv_draw_blocks(count, r->system, m, r->blocks[m].used, r->options->seed, STREAM,
                      (uint64_t)round * (uint64_t)r->nmotion + (uint64_t)m);
    status = solve_again(&again, R, r, count);
    // a draw in which a parameter is not excited gives no information on its spread
    if (status == RBV_ENUM) {
      status = RBV_OK;
      continue;
    }
    for (int k = 0; k < n && status == RBV_OK; k++) {
      sum[k] += again.x[k] - e->value[k];
      sum[n + k] += (again.x[k] - e->value[k]) * (again.x[k] - e->value[k]);
    }
    used++;
  }
  for (int i = 0; i < r->selection.count && status == RBV_OK && used > 1; i++) {
    const int k = r->selection.active[i];
    const double mean = sum[k] / used;
    // clipped torques stay clipped in every draw: corrected by the slope, as in the covariance
    e->bootstrap_sigma[k] = sqrt((sum[n + k] - used * mean * mean) / (used - 1)) / r->slope;
  }
  RBV_FREE_ALL(count, R, sum, again.x, again.cov);
  return status;
}
