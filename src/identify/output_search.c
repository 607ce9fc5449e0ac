/*
 * Output error: Levenberg-Marquardt from one start or from several. A step is accepted if the cost
 * decreases. The iteration stops when a full step would move no unknown by more than a fraction of
 * its sigma.
 */
#include <math.h>
#include <string.h>

#include "base/watch_ignore.h"
#include "control/control.h"
#include "identify/output_error.h"

#define DAMPING_FIRST 1e-3  // relative to the length of each column
#define DAMPING_LEAST 1e-9
#define DAMPING_MOST 1e6
#define DAMPING_FACTOR 10.0
#define DAMPING_TRIES 1e3  // growth before the simulation is examined
#define STEP_REST 0.1      // sigmas that a full step may still move a parameter at the end
#define STEP_STUCK 1.0     // the same, if no step decreases the cost
#define COST_REST 0.1      // decrease of the cost, -2 log(likelihood), that is not significant
#define SAME_COST 1.0      // difference of two costs, -2 log(likelihood), of the same optimum
#define FLAT_COST 2e-4     // decrease per row that is none: the error changes by 0.01 %
#define FLAT_STEPS 2       // so many such decreases in succession end the search
#define SAME_PER_ROW \
  4e-3              // as SAME_COST, per row (0.2 % of the error): residuals are coloured, and
                    // dry friction makes the cost of a real arm rough (0.003)
#define WORTH 2e-3  // predicted decrease per row for which a slower simulation is worth it
#define ROUGH_CHANGE 1e-9  // relative, of the parameters
#define ROUGH 1e3          // change of positions over tracking error, in this unit
#define REFINE_MOST 16     // factor on the steps of the simulation
#define ROTORS_MOST 16.0   // times the inertia that the gains suit, added to start values
#define MOST_STARTS 1000
#define LIMIT_S 20.0        // longest search from one start [s of the processor], or
#define LIMIT_RUNS 100.0    // so many simulations
#define GLOBAL_STARTS 4     // of a global search, the first one included
#define DRAWS 20            // until the loop can be simulated, each closer to the first start
#define START_SPREAD 0.5    // deviation of the logarithm of start values
#define START_DELAY_S 0.01  // delays are drawn up to here
#define START_BIAS 0.005    // deviation of biases [rad or m]

/* largest step of an unknown in its sigma; the rows are divided by their sigma already */
static double step_size(const output_run *o) {
  double largest = 0;
  for (int i = 0; i < o->selection.count; i++) {
    const int k = o->selection.active[i];
    const double sigma = sqrt(o->solution.cov[k + (ptrdiff_t)k * o->p] / o->solution.sigma2);
    if (sigma > 0) largest = fmax(largest, fabs(o->solution.x[k]) / sigma);
  }
  return largest;
}

/* decrease of the cost by the last solution if the residual were linear; the rows are divided by
 * their sigma, so that their sum of squares is their number */
static double predicted_decrease(const output_run *o) {
  return (double)rbv_output_rows(o) + rbv_output_distance(o, o->x) - o->solution.rss;
}

/* position error over tracking error */
static double relative_error(const output_run *o) {
  double rss = 0, all = 0;
  for (int j = 0; j < o->joints; j++) {
    rss += o->rss[j];
    all += o->tracking[j];
  }
  return sqrt(rss / all);
}

/*
 * The value of an unknown after the step. The loop of a joint whose inertia is much too small
 * oscillates, with its delay and a friction that limits the oscillation. Its positions then say
 * nothing about the inertia, and the search would stay there. A step that decreases an inertia is
 * therefore one of its logarithm, which is the same step to first order. A shape parameter of
 * friction is positive: its steps are steps of its logarithm.
 */
static double moved_value(const output_run *o, int k) {
  const double x = o->x[k], step = o->solution.x[k];
  const bool logarithm =
      o->step_of[k] == STEP_LOGARITHM || (o->step_of[k] == STEP_INERTIA && x > 0 && step < 0);
  return logarithm ? x * exp(step / x) : x + step;
}

/* try steps with growing damping until one decreases the cost; x and the run are those of the best
 */
static rbv_status descend(output_run *o, double *damping, double most, bool *moved, bool *refused) {
  const double before = o->cost;
  char sentence[256];
  bool raised = false;
  *moved = false;
  RBV_NEW(double, next, o->p);
  rbv_status status = RBV_OK;
  while (status == RBV_OK && !*moved && *damping <= most) {
    bool done = false;
    status = rbv_go_on("iterations", NAN);
    if (status == RBV_OK) status = rbv_output_solve(o, *damping);
    for (int k = 0; k < o->p && status == RBV_OK; k++) next[k] = moved_value(o, k);
    rbv_output_limit(o, next);
    if (status == RBV_OK) status = rbv_output_simulate(o, next, &done, sentence, sizeof sentence);
    *moved = status == RBV_OK && done && o->cost < before;
    if (*moved) break;
    raised = true;
    *damping *= DAMPING_FACTOR;
  }
  if (*moved) {
    memcpy(o->x, next, (size_t)o->p * sizeof *next);
    if (!raised) *damping = fmax(*damping / DAMPING_FACTOR, DAMPING_LEAST);
  } else if (status == RBV_OK) {
    bool done;
    status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  } else {
    o->cost = before;  // of o->x
  }
  rbv_free(next);
  *refused = raised;
  return status;
}

/* no step along the sensitivities decreases the cost: go on with differences of the simulation */
static rbv_status use_differences(output_run *o) {
  RBV_TRY(rbv_output_solve(o, 0));
  memset(o->step_unit, 0, (size_t)o->p * sizeof *o->step_unit);
  for (int i = 0; i < o->selection.count; i++) {
    const int k = o->selection.active[i];
    o->step_unit[k] = sqrt(o->solution.cov[k + (ptrdiff_t)k * o->p] / o->solution.sigma2);
  }
  o->differences = true;
  return RBV_OK;
}

/*
 * True if the simulation is not a smooth function of the unknowns: friction that changes its sign
 * within one step makes the speed jump to and fro about zero, and the smallest change of a
 * parameter then changes the positions by a thousand times that change. o->trace is that of o->x,
 * and again afterwards.
 */
static rbv_status find_roughness(bool *rough, output_run *o) {
  char sentence[256];
  bool done;
  double largest = 0, size = 0;
  ptrdiff_t total = 0;
  *rough = false;
  for (int i = 0; i < o->r->nmotion; i++) total += o->trace[i].ld * o->joints;
  double *q = rbv_alloc((size_t)(total + o->p) * sizeof *q), *x = q ? q + total : NULL;
  if (!q) return RBV_EMEM;
  double *to = q;
  for (int i = 0; i < o->r->nmotion; i++) {
    const ptrdiff_t count = o->trace[i].ld * o->joints;
    memcpy(to, o->trace[i].q, (size_t)count * sizeof *to);
    to += count;
  }
  for (int k = 0; k < o->p; k++) x[k] = o->x[k] * (k < o->extra ? 1 : 1 + ROUGH_CHANGE);
  rbv_status status = rbv_output_simulate(o, x, &done, sentence, sizeof sentence);
  const double *before = q;
  for (int i = 0; i < o->r->nmotion && status == RBV_OK; i++)
    for (ptrdiff_t k = 0; k < o->trace[i].ld * o->joints; k++)
      largest = fmax(largest, fabs(o->trace[i].q[k] - *before++));
  for (int j = 0; j < o->joints; j++)
    size = fmax(size, sqrt(o->tracking[j] / (double)(o->rows[j] > 0 ? o->rows[j] : 1)));
  *rough = !done || largest > ROUGH * ROUGH_CHANGE * size;
  if (status == RBV_OK) status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  rbv_free(q);
  return status;
}

/* smaller steps of the simulation if it is rough; *rough is false if it is not */
static rbv_status smooth_simulation(output_run *o, bool *rough) {
  char sentence[256];
  bool done;
  *rough = false;
  if (o->refine >= REFINE_MOST) return RBV_OK;
  RBV_TRY(find_roughness(rough, o));
  if (!*rough) return RBV_OK;
  o->refine *= 2;
  RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  if (done) return RBV_OK;
  // only the coarse simulation runs through with these values
  o->refine /= 2;
  *rough = false;
  return rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
}

/* hold unknowns at the bound of their range if the step would lead out of it; o->solution is then
 * the step of the others */
static rbv_status hold_at_bounds(output_run *o, bool *held) {
  *held = false;
  for (bool again = true; again;) {
    RBV_TRY(rbv_output_solve(o, 0));
    for (int k = 0; k < o->p; k++) o->trial[k] = o->x[k] + o->solution.x[k];
    rbv_output_limit(o, o->trial);
    again = false;
    for (int i = 0; i < o->selection.count; i++) {
      const int k = o->selection.active[i];
      if (o->known[k] > 0 || o->solution.x[k] == 0 || o->trial[k] != o->x[k]) continue;
      o->selection.count--;
      memmove(&o->selection.active[i], &o->selection.active[i + 1],
              (size_t)(o->selection.count - i) * sizeof *o->selection.active);
      *held = again = true;
      break;
    }
  }
  return RBV_OK;
}

/* start values with which the loop cannot be simulated: with more rotor inertia it may be */
static rbv_status add_rotors(output_run *o, bool *done, char *sentence, size_t size) {
  const rbv_model *m = o->r->model;
  const rbv_control *law = rbv_output_given_control(o, 0);
  for (double factor = 1; !*done && !o->elastic && factor <= ROTORS_MOST; factor *= 4) {
    rbv_base_expand(o->chi, o->e->base, o->x + o->extra);
    for (int c = 0; c < rbv_model_column_count(m); c++) {
      const rbv_column *column = rbv_model_column(m, c);
      double inertia, frequency;
      if (rbv_column_has_law(column, "Ia") && column->joint >= 0 &&
          rbv_control_tuning(&inertia, &frequency, law, column->joint))
        o->chi[c] += factor * inertia;
    }
    rbv_base_values(o->x + o->extra, o->e->base, o->chi);
    RBV_TRY(rbv_output_simulate(o, o->x, done, sentence, size));
  }
  return RBV_OK;
}

/*
 * The linear problem at o->x, and its step. At the edge of the values that a robot can have the
 * derivatives overflow, although the loop can be simulated: back to the values then with which it
 * had a solution, and on with shorter steps.
 */
static rbv_status prepare_step(output_run *o, double *damping, bool *held) {
  double *last = o->good;
  char sentence[256];
  bool done;
  for (int i = 0;; i++) {
    rbv_status status = rbv_output_linearise(o);
    if (status == RBV_OK) memcpy(last, o->x, (size_t)o->p * sizeof *last);
    if (status == RBV_OK) status = rbv_output_select(o);
    if (status == RBV_OK) status = hold_at_bounds(o, held);
    if (status != RBV_ENUM || !isfinite(last[0]) || i > 0) return status;
    memcpy(o->x, last, (size_t)o->p * sizeof *last);
    RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
    *damping *= DAMPING_TRIES;
  }
}

/* From o->x to the optimum; a start from which the loop diverges leaves the cost infinite. *astray:
 * it led to links that no robot can have, and o->x is not the optimum. */
static rbv_status iterate_with(output_run *o, bool only, bool *astray) {
  rbv_estimate *e = o->e;
  const double rest = o->loop->stop_step > 0 ? o->loop->stop_step : STEP_REST;
  const int most = o->loop->most > 0 ? o->loop->most : OUTPUT_MOST;
  double damping = DAMPING_FIRST;
  char sentence[256] = "";
  bool moved = true, stuck = false, held = false, refused, again, examined = false, done;
  int flat = 0;
  e->converged = false;
  o->differences = false;
  RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  if (!done && only) RBV_TRY(add_rotors(o, &done, sentence, sizeof sentence));
  if (!done && only)
    return rbv_fail_option(
        RBV_EINPUT, "start",
        "the loop with the start values does not follow its reference: %s; check that the "
        "controller is that of the recording, or try other start values",
        sentence);
  while (done && e->iterations < most && !e->converged) {
    RBV_TRY(prepare_step(o, &damping, &held));
    rbv_iteration *now = &e->iteration[e->iterations];
    now->residual = relative_error(o);
    now->change = step_size(o);
    e->iterations++;
    if (o->r->options->progress)
      o->r->options->progress(o->r->options->progress_self, e->iterations, now);
    const bool near = now->change <= STEP_STUCK;
    const double rows = (double)rbv_output_rows(o);
    // where the robot file says what the motion does not, a finer simulation is not worth it either
    const bool worth = !o->coarse && !o->near_links && predicted_decrease(o) > WORTH * rows;
    e->converged = now->change <= rest || flat >= FLAT_STEPS ||
                   (near && (stuck || predicted_decrease(o) <= COST_REST));
    if (e->converged || e->iterations == most || !moved) break;
    const double before = o->cost;
    // near the optimum only rounding of the simulation is in the way of a step
    const double some = damping * (near ? DAMPING_FACTOR : DAMPING_TRIES);
    RBV_TRY(
        descend(o, &damping, near || !examined || !worth ? some : DAMPING_MOST, &moved, &refused));
    // a step that does not decrease the cost is the first sign of a rough simulation
    bool rough = false;
    if (worth && refused && (!examined || (!moved && !near))) RBV_TRY(smooth_simulation(o, &rough));
    // links that no robot has make it rough: from the start again, near those of the file
    *astray = o->no_robot && (rough || (worth && !moved)) && rbv_output_can_stay_near(o);
    if (*astray) return RBV_OK;
    if (worth && !moved && !near && !rough && !examined)
      RBV_TRY(descend(o, &damping, DAMPING_MOST, &moved, &again));
    stuck = !moved || before - o->cost <= COST_REST;
    examined = examined || (worth && refused && !rough);
    // the residual is coloured: sigmas of white residuals do not tell when the search is at its end
    flat = rough ? 0 : before - o->cost <= FLAT_COST * rows ? flat + 1 : 0;
    if (!moved && !worth) flat = FLAT_STEPS;
    if (!rough && (moved || near || !worth)) continue;
    moved = rough || !o->differences;
    if (!rough && !o->differences) RBV_TRY(use_differences(o));
    damping = DAMPING_FIRST;
  }
  if (!held) return RBV_OK;
  // sigma of what is held, and of the others without this knowledge
  RBV_TRY(rbv_output_select(o));
  return rbv_output_solve(o, 0);
}

/*
 * The way to the optimum with the fast integrator, then the optimum with the accurate one: friction
 * that reverses makes short steps necessary, which the way there does not need.
 */
static rbv_status iterate_twice(output_run *o, bool only, bool *astray) {
  rbv_status status = RBV_OK;
  *astray = o->no_robot = false;
  o->good[0] = NAN;
  o->e->iterations = 0;
  o->coarse = rbv_output_can_be_coarse(o);
  if (o->coarse) {
    status = iterate_with(o, false, astray);
    o->coarse = false;
    if (status == RBV_ENUM) status = RBV_OK;
  }
  if (status == RBV_OK && !*astray) status = iterate_with(o, only, astray);
  return status;
}

static rbv_status iterate(output_run *o, bool only) {
  bool astray;
  memcpy(o->first, o->x, (size_t)o->p * sizeof *o->first);
  RBV_TRY(iterate_twice(o, only, &astray));
  if (!astray) return RBV_OK;
  memcpy(o->x, o->first, (size_t)o->p * sizeof *o->first);
  rbv_output_stay_near(o);
  rbv_output_limit(o, o->x);
  o->refine = 1;
  return iterate_twice(o, only, &astray);
}

/* ---- several starts ---- */

/* the optimum of one start */
typedef struct {
  double *x;  // p
  rbv_iteration *iteration;
  int iterations;
  bool converged;
  double cost;
} optimum;

static void keep(optimum *to, const output_run *o) {
  const rbv_estimate *e = o->e;
  to->cost = o->cost;
  to->iterations = e->iterations;
  to->converged = e->converged;
  memcpy(to->x, o->x, (size_t)o->p * sizeof *o->x);
  memcpy(to->iteration, e->iteration, (size_t)e->iterations * sizeof *e->iteration);
}

/* the estimate is that of the best start, with its triangles */
static rbv_status restore(output_run *o, const optimum *best) {
  rbv_estimate *e = o->e;
  char sentence[256];
  bool done;
  e->iterations = best->iterations;
  e->converged = best->converged;
  memcpy(o->x, best->x, (size_t)o->p * sizeof *o->x);
  memcpy(e->iteration, best->iteration, (size_t)e->iterations * sizeof *e->iteration);
  RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  RBV_TRY(rbv_output_linearise(o));
  RBV_TRY(rbv_output_select(o));
  return rbv_output_solve(o, 0);
}

/* start values of a later start: those of the first one times a factor, delays over their range;
 * spread: 1, or less for values closer to the first */
static void draw(output_run *o, const double *first, int start, double spread) {
  const uint64_t seed = o->r->options->seed;
  for (int i = 0; i < o->p; i++) {
    const uint64_t stream = (uint64_t)start;
    const double normal = rbv_random_normal(seed, stream, (uint64_t)i);
    o->x[i] = o->known[i] > 0 ? first[i] : first[i] * exp(spread * START_SPREAD * normal);
    if (i < o->wanted &&
        (o->unknown[i].kind == RBV_UNKNOWN_DELAY || o->unknown[i].kind == RBV_UNKNOWN_COMMAND))
      o->x[i] = spread * rbv_random_uniform(seed, stream, (uint64_t)i) *
                fmax(START_DELAY_S, 2 * first[i]);
    if (i < o->wanted && o->unknown[i].kind == RBV_UNKNOWN_BIAS)
      o->x[i] = spread * START_BIAS * normal;
  }
}

/* draw values until the loop can be simulated with them */
static rbv_status draw_stable(output_run *o, const double *first, int start) {
  char sentence[256];
  bool done = false;
  for (int i = 0; i < DRAWS && !done; i++) {
    draw(o, first, start + i * MOST_STARTS, 1 - (double)i / DRAWS);
    RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  }
  return RBV_OK;
}

static rbv_status search_from(output_run *o, optimum *best, const double *first,
                              const double *candidate, int starts, double *cost) {
  best->cost = INFINITY;
  for (int s = 0; s < starts; s++) {
    if (candidate)
      memcpy(o->x, s > 0 ? candidate + (ptrdiff_t)(s - 1) * o->p : first,
             (size_t)o->p * sizeof *o->x);
    else if (s > 0)
      RBV_TRY(draw_stable(o, first, s));
    cost[s] = INFINITY;
    const rbv_status status = iterate(o, starts == 1);
    const bool stopped = status == RBV_ECANCELLED;
    // a loop at the edge of stability has derivatives that overflow: the other starts go on
    const bool lost = status == RBV_ENUM && starts > 1;
    if (status != RBV_OK && !stopped && !lost) return status;
    if (stopped && !isfinite(best->cost) && o->e->iterations == 0) return status;
    // the last values may have no derivatives
    if (stopped && isfinite(o->good[0])) memcpy(o->x, o->good, (size_t)o->p * sizeof *o->x);
    if (o->e->iterations > 0 && !lost) cost[s] = o->cost;
    o->e->loop.starts = s + 1;
    if (cost[s] < best->cost) keep(best, o);
    if (!stopped) continue;
    // the caller wants to stop: the best values so far are the result
    o->e->loop.stopped = true;
    best->converged = false;
    rbv_ignore_watcher();
    break;
  }
  if (!isfinite(best->cost) && best->cost > 0)
    return rbv_fail_option(RBV_EINPUT, "start", "from none of %d starts the loop can be simulated",
                           starts);
  const double rows = (double)rbv_output_rows(o);
  for (int s = 0; s < o->e->loop.starts; s++)
    o->e->loop.reached += cost[s] - best->cost <= fmax(SAME_COST, SAME_PER_ROW * rows);
  const bool last =
      o->cost == best->cost && memcmp(o->x, best->x, (size_t)o->p * sizeof *o->x) == 0;
  return last && !o->e->loop.stopped ? RBV_OK : restore(o, best);
}

/* starts from a population of candidates, after the first one */
static rbv_status search_globally(output_run *o, optimum *best, const double *first, double *cost) {
  const int wanted = o->loop->starts > 1 ? o->loop->starts - 1 : GLOBAL_STARTS - 1;
  if (wanted > OUTPUT_BEST)
    return rbv_fail(RBV_EARG, "a global search has at most %d starts", OUTPUT_BEST + 1);
  double *candidate = rbv_alloc((size_t)wanted * (size_t)o->p * sizeof *candidate);
  int found;
  rbv_status status =
      candidate ? rbv_output_population(candidate, &found, o, first, wanted) : RBV_EMEM;
  if (status == RBV_OK) status = search_from(o, best, first, candidate, 1 + found, cost);
  rbv_free(candidate);
  return status;
}

/* when a search gives up, in time of this thread; 0: never */
static double end_of_search(const output_run *o, int starts) {
  const double given = o->loop->limit_s;
  if (given < 0 || (given == 0 && o->loop->global)) return 0;
  return rbv_used_time() + (given > 0 ? given : starts * fmax(LIMIT_S, LIMIT_RUNS * o->run_s));
}

rbv_status rbv_output_search(output_run *o) {
  const int most = o->loop->most > 0 ? o->loop->most : OUTPUT_MOST;
  if (o->loop->starts > MOST_STARTS)
    return rbv_fail(RBV_EARG, "at most %d starts are possible", MOST_STARTS);
  double *memory = rbv_alloc((size_t)(2 * o->p + MOST_STARTS) * sizeof *memory);
  optimum best = {.x = memory, .iteration = rbv_alloc((size_t)most * sizeof *best.iteration)};
  rbv_status status = memory && best.iteration ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    double *first = memory + o->p;
    memcpy(first, o->x, (size_t)o->p * sizeof *first);
    rbv_output_hold_links(o);
    const int starts = o->loop->starts > 1 ? o->loop->starts : 1;
    rbv_limit_time(end_of_search(o, starts));
    status = o->loop->global ? search_globally(o, &best, first, first + o->p)
                             : search_from(o, &best, first, NULL, starts, first + o->p);
    rbv_limit_time(0);
  }
  rbv_free(best.iteration);
  rbv_free(memory);
  return status;
}
