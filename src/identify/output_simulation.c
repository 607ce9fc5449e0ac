/* Output error: simulation of the recordings and sums of the residuals. */
#include <math.h>

#include "base/watch_ignore.h"
#include "control/control.h"
#include "identify/output_error.h"

bool rbv_output_can_be_coarse(const output_run *o) {
  const bool chosen = o->loop->sim && o->loop->sim->substeps > 0;
  for (int i = 0; i < o->r->nmotion; i++)
    if (rbv_control_rate_hz(rbv_output_given_control(o, i)) * OUTPUT_COARSE_S > 1) return false;
  return !o->elastic && !chosen;
}

rbv_sim_options rbv_output_sim_options(const output_run *o, int segment) {
  const int motion = o->segment[segment].motion;
  rbv_sim_options options = o->loop->sim ? *o->loop->sim : rbv_sim_defaults();
  options.loaded = rbv_motion_get_info(o->r->motions[motion])->loaded;
  options.longest_delay_s = o->longest_delay_s;
  options.elastic = o->elastic;
  if (o->elastic) options.substeps = o->elastic_steps;
  const double rate = rbv_control_rate_hz(rbv_output_control(o, motion));
  if (o->coarse) {
    options.integrator = RBV_INTEGRATOR_ROS2;
    options.substeps = (int)ceil(1 / (rate * OUTPUT_COARSE_S));
  } else if (o->refine > 1)
    options.substeps = o->refine * o->substeps[motion];
  return options;
}

rbv_sim_lane rbv_output_lane(const output_run *o, const double *x, int segment) {
  rbv_output_integrals(o->integral, o, x, segment);
  return (rbv_sim_lane){.chi = o->chi,
                        .known = o->loop->known,
                        .delay = o->delay,
                        .bias = o->bias,
                        .integral = o->integral,
                        .stiffness = o->elastic ? o->stiffness : NULL,
                        .damping = o->elastic ? o->damping : NULL};
}

static const double *from(const double *array, ptrdiff_t first) {
  return array ? array + first : NULL;
}

/* the reference, with the measured state at the start; start: joints */
rbv_sim_reference rbv_output_reference(const output_run *o, int segment, double *start) {
  const output_segment *g = &o->segment[segment];
  const int ticks = o->ticks[g->motion];
  rbv_sim_reference r = o->loop->reference[g->motion];
  r.ld = o->trace[g->motion].ld;
  r.q = o->held[g->motion] + g->first * ticks;
  r.later = o->later[g->motion] + g->first * ticks;
  r.dq = from(r.dq, g->first);
  r.ddq = from(r.ddq, g->first);
  r.count = g->count * ticks;
  for (int j = 0; j < o->joints; j++) start[j] = g->q0[j] - o->bias[j];
  r.q0 = start;
  r.dq0 = g->dq0;
  r.nguide = g->guided;
  r.guide_ld = rbv_output_count(o, g->motion);
  r.guide_q = o->q[g->motion] + g->first;
  r.guide_dq = o->velocity[g->motion] + g->first;
  return r;
}

rbv_sim_trace rbv_output_trace(const output_run *o, int segment) {
  const output_segment *g = &o->segment[segment];
  rbv_sim_trace t = o->trace[g->motion];
  double **const all[] = {&t.q, &t.dq, &t.tau, &t.applied, &t.seen, &t.link_q, &t.link_dq};
  for (int i = 0; i < RBV_COUNT(all); i++)
    if (*all[i]) *all[i] += g->first * o->ticks[g->motion];
  return t;
}

static rbv_status simulate_segment(rbv_sim_outcome *outcome, output_run *o, const double *x, int i,
                                   char *sentence, size_t size) {
  const rbv_sim_options options = rbv_output_sim_options(o, i);
  rbv_sim *sim;
  const int motion = o->segment[i].motion;
  RBV_TRY(rbv_sim_new(&sim, o->r->model, rbv_output_control(o, motion), &options, 1));
  if (o->refine == 1 && !o->coarse) o->substeps[motion] = rbv_sim_substeps(sim);
  const rbv_sim_lane lane = rbv_output_lane(o, x, i);
  const rbv_sim_reference reference = rbv_output_reference(o, i, o->last);
  const rbv_sim_trace trace = rbv_output_trace(o, i);
  rbv_status status = rbv_sim_set(sim, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(outcome, sim, &reference, &trace);
  if (status == RBV_OK && outcome->verdict != RBV_SIM_DONE)
    rbv_sim_describe(sentence, size, sim, outcome);
  rbv_sim_free(sim);
  return status;
}

/* the block of a sample: -1 if it is held out */
int rbv_output_block(const output_run *o, int motion, ptrdiff_t k) {
  const motion_blocks *b = &o->r->blocks[motion];
  const ptrdiff_t count = rbv_output_count(o, motion);
  const int fold = (int)(k * b->folds / count);
  return fold < b->used ? b->first + fold / b->span : -1;
}

/* is the window of samples from k on used? */
bool rbv_output_window_counts(const output_run *o, int segment, ptrdiff_t k) {
  const output_segment *g = &o->segment[segment];
  if (k < g->first + o->loop->skip || k + o->decimate > g->first + g->count) return false;
  for (ptrdiff_t i = k; i < k + o->decimate; i++)
    if (!o->valid[g->motion][i]) return false;
  return true;
}

/* mean residual of every signal over the window from k on: o->mean */
void rbv_output_residual(output_run *o, int motion, ptrdiff_t k) {
  const rbv_sim_trace *t = &o->trace[motion];
  const ptrdiff_t count = rbv_output_count(o, motion);
  const int ticks = o->ticks[motion];
  for (int s = 0; s < o->signals; s++) {
    const int j = s % o->joints;
    double sum = 0;
    for (ptrdiff_t i = k + j * count; i < k + j * count + o->decimate; i++)
      sum += s < o->joints ? o->q[motion][i] - (t->q[i * ticks] + o->bias[j])
                           : o->torque[motion][i] - t->tau[i * ticks];
    o->mean[s] = sum / o->decimate;
  }
}

static void add_window(output_run *o, int motion, ptrdiff_t k, bool first) {
  const rbv_sim_reference *r = &o->loop->reference[motion];
  const ptrdiff_t count = rbv_output_count(o, motion);
  const bool held = rbv_output_block(o, motion, k) < 0;
  rbv_output_residual(o, motion, k);
  for (int s = 0; s < o->signals; s++) {
    (held ? o->held_rss : o->rss)[s] += o->mean[s] * o->mean[s];
    (held ? o->held_rows : o->rows)[s]++;
    if (s >= o->joints && !held) {
      const double tau = o->torque[motion][k + (s - o->joints) * count];
      o->scale[s] += tau * tau;
    }
  }
  for (int j = 0; j < o->joints && !held; j++) {
    double e = 0;
    for (int i = 0; i < o->decimate; i++)
      e += o->q[motion][k + i + j * count] - r->q[k + i + j * r->ld];
    o->tracking[j] += e * e / ((double)o->decimate * o->decimate);
    o->scale[j] = o->tracking[j];
    if (!first) o->square_step[j] += (o->mean[j] - o->last[j]) * (o->mean[j] - o->last[j]);
    o->last[j] = o->mean[j];
  }
}

/* residuals of all signals; o->cost */
void rbv_output_sum(output_run *o) {
  for (int s = 0; s < o->signals; s++) {
    o->rss[s] = o->held_rss[s] = o->scale[s] = 0;
    o->rows[s] = o->held_rows[s] = 0;
  }
  for (int j = 0; j < o->joints; j++) o->tracking[j] = o->square_step[j] = 0;
  for (int i = 0; i < o->nsegment; i++) {
    const output_segment *g = &o->segment[i];
    bool first = true;
    for (ptrdiff_t k = g->first; k + o->decimate <= g->first + g->count; k += o->decimate) {
      if (!rbv_output_window_counts(o, i, k)) continue;
      add_window(o, g->motion, k, first);
      first = false;
    }
  }
  o->cost = 0;
  for (int s = 0; s < o->signals; s++)
    o->cost += (double)o->rows[s] * log(o->rss[s] + OUTPUT_FLOOR * OUTPUT_FLOOR * o->scale[s]);
}

rbv_status rbv_output_run(rbv_sim_outcome *outcome, output_run *o, const double *x, char *sentence,
                          size_t size) {
  *outcome = (rbv_sim_outcome){.verdict = RBV_SIM_DONE};
  o->e->loop.simulations++;
  const double begin = rbv_used_time();
  for (int i = 0; i < o->nsegment && outcome->verdict == RBV_SIM_DONE; i++)
    RBV_TRY(simulate_segment(outcome, o, x, i, sentence, size));
  if (!o->coarse && o->refine == 1) o->run_s = rbv_used_time() - begin;
  return RBV_OK;
}

/* simulate with x; false in *done: the loop diverges, o->cost is infinite */
rbv_status rbv_output_simulate(output_run *o, const double *x, bool *done, char *sentence,
                               size_t size) {
  rbv_sim_outcome outcome;
  RBV_TRY(rbv_output_set(o, x));
  RBV_TRY(rbv_output_run(&outcome, o, x, sentence, size));
  o->cost = INFINITY;
  *done = outcome.verdict == RBV_SIM_DONE;
  if (*done) rbv_output_sum(o);
  if (*done) o->cost += rbv_output_distance(o, x);
  o->no_robot = o->no_robot || outcome.verdict == RBV_SIM_SINGULAR;
  if (!isfinite(o->cost) && !(o->cost == -INFINITY)) *done = false;
  return RBV_OK;
}

ptrdiff_t rbv_output_rows(const output_run *o) {
  ptrdiff_t rows = 0;
  for (int s = 0; s < o->signals; s++) rows += o->rows[s];
  return rows;
}
