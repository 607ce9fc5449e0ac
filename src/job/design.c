/* Designs: read what is known, search, score, check what the motion uses. */
#include <math.h>
#include <roberval/sys/result.h>

#include "job/design_internal.h"
#include "model/model_internal.h"
#include "trajectory/trajectory.h"

#define TWO_PI (2 * RBV_PI)
#define CHECK_STEP_S 1e-3  // grid of the final check of constraints

/* ---- what is known ---- */

#define STREAM_ROBOT 5000000  // of random numbers, one for each column

/*
 * Robots that the prior allows: normal, independent parameters. The first robots of two numbers of
 * robots are the same.
 */
static rbv_status draw_robots(rbv_design *d, const double *sigma) {
  const int n = rbv_model_column_count(d->model), count = d->options.robust;
  int drawn = 0;
  if (count == 0) return RBV_OK;
  if (!d->prior)
    return rbv_fail_option(RBV_EOPTION, "prior",
                           "robots that are possible need values of the parameters");
  d->robots = rbv_alloc((size_t)n * (size_t)count * sizeof *d->robots);
  if (!d->robots) return RBV_EMEM;
  for (int c = 0; c < n; c++) {
    const bool known = sigma && isfinite(sigma[c]) && sigma[c] > 0;
    const double s = known ? sigma[c] : d->options.uncertainty * fabs(d->prior[c]);
    drawn += s > 0;
    for (int i = 0; i < count; i++)
      d->robots[c + (ptrdiff_t)i * n] =
          d->prior[c] +
          s * rbv_random_normal(d->options.seed, STREAM_ROBOT + (uint64_t)c, (uint64_t)i);
  }
  if (drawn > 0) return RBV_OK;
  return rbv_fail_option(RBV_EOPTION, "uncertainty",
                         "the prior has no sigma, so that all possible robots are the same");
}

static rbv_status read_values(rbv_design *d, double *sigma) {
  const rbv_model *m = d->model;
  const size_t n = (size_t)rbv_model_column_count(m);
  const double *own = rbv_model_parameters(m);
  const char *file = d->options.prior;
  if (!file && !own) return RBV_OK;
  d->prior = rbv_alloc(n * sizeof *d->prior);
  if (!d->prior) return RBV_EMEM;
  if (!file) {
    memcpy(d->prior, own, n * sizeof *d->prior);
    return RBV_OK;
  }
  rbv_parameters *set;
  RBV_TRY(rbv_parameters_load(&set, file));
  RBV_FINISH(rbv_parameters_apply(d->prior, sigma, set, m), rbv_parameters_free(set));
}

static rbv_status read_prior(rbv_design *d) {
  const int n = rbv_model_column_count(d->model);
  RBV_NEW(double, sigma, n);
  rbv_status status = read_values(d, sigma);
  if (status == RBV_OK) status = draw_robots(d, sigma);
  rbv_free(sigma);
  return status;
}

/* noise of a row in a result, 0: not known */
static double find_noise(const rbv_result *result, const rbv_row *row) {
  for (int i = result->fit.nrow - 1; i >= 0; i--) {
    const rbv_row_fit *f = &result->fit.row[i];
    if (f->joint == row->joint && f->torque == row->torque) return f->sigma > 0 ? f->sigma : f->rms;
  }
  return 0;
}

/* Radkhah 2007 section II.D: the noise that the last identification found */
static rbv_status read_noise(rbv_design *d) {
  const int nrow = rbv_model_row_count(d->model);
  rbv_result *result;
  if (!d->options.noise) return RBV_OK;
  d->noise = rbv_alloc((size_t)nrow * sizeof *d->noise);
  if (!d->noise) return RBV_EMEM;
  RBV_TRY(rbv_result_load(&result, d->options.noise));
  rbv_status status = RBV_OK;
  for (int r = 0; r < nrow && status == RBV_OK; r++) {
    const rbv_row *row = rbv_model_row(d->model, r);
    d->noise[r] = find_noise(result, row);
    if (!(d->noise[r] > 0))
      status = rbv_fail(RBV_EINPUT, "%s does not have the noise of joint %d's torque",
                        d->options.noise, row->joint + 1);
  }
  rbv_result_free(result);
  return status;
}

static rbv_status read_constraints(rbv_design *d) {
  const rbv_design_options *o = &d->options;
  RBV_TRY(rbv_design_read_limits(d));
  rbv_constraint_set *set = d->constraints;
  if (d->model->closure) {
    set->value.ncapsule = 0;  // links of closed loops are not kept apart
    return RBV_OK;
  }
  RBV_TRY(rbv_constraint_set_assume(set, d->model, o->link_radius));
  if (!o->floor) return RBV_OK;
  const double height = isnan(o->floor_height) ? rbv_model_floor(d->model) : o->floor_height;
  return rbv_constraint_set_mount(set, d->model, NULL, height);
}

/* lowest frequency, then the highest of each joint, [rad/s] */
static rbv_status read_frequencies(rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  struct rbv_design_inside *in = d->inside;
  double *x;
  RBV_TRY(rbv_numbers_read(&x, rbv_design_rows(), "frequencies", d->options.frequencies, n + 1));
  if (!x) return RBV_OK;
  in->low_hz = rbv_alloc(2 * (size_t)n * sizeof *in->low_hz);
  rbv_status status = in->low_hz ? RBV_OK : RBV_EMEM;
  in->high_hz = in->low_hz ? in->low_hz + n : NULL;
  for (int j = 0; j < n && status == RBV_OK; j++) {
    if (!(x[0] > 0 && x[j + 1] > x[0]))
      status = rbv_fail_option(RBV_EOPTION, "frequencies",
                               "frequencies are the lowest one, then the highest of each joint");
    in->low_hz[j] = x[0] / TWO_PI;
    in->high_hz[j] = x[j + 1] / TWO_PI;
  }
  rbv_numbers_free(x);
  return status;
}

static rbv_status make_excite(rbv_design *d) {
  const rbv_design_options *o = &d->options;
  const design_choice *c = &d->inside->choice;
  if (c->criterion == RBV_CRITERION_SIGMA && !d->prior)
    return rbv_fail_option(RBV_EOPTION, "prior",
                           "the criterion sigma needs values of the parameters");
  if (o->effort && !d->prior)
    return rbv_fail_option(RBV_EOPTION, "prior",
                           "limits of torque need values of the parameters, to compute torques");
  rbv_excite_options how = rbv_excite_defaults();
  how.columns = c->columns;
  how.criterion = c->criterion;
  how.lambda = o->lambda;
  how.mean = o->mean;
  how.prior = d->prior;
  how.noise = d->noise;
  how.ntarget = o->parameters.count;
  how.target_name = o->parameters.item;
  RBV_TRY(rbv_excite_new(&d->excite, d->model, &how));
  d->base = rbv_excite_base(d->excite);
  for (int i = 0; i < o->recordings.count; i++) {
    rbv_motion *motion;
    RBV_TRY(rbv_motion_load(&motion, NULL, d->model, o->recordings.item[i], &d->inside->notes));
    const rbv_status status = rbv_excite_add(d->excite, motion);
    rbv_motion_free(motion);
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

static rbv_status prepare(rbv_design *d, const rbv_notes *notes) {
  d->inside = rbv_alloc(sizeof *d->inside);
  if (!d->inside) return RBV_EMEM;
  if (notes) d->inside->notes = *notes;
  RBV_TRY(rbv_design_settle(&d->options, &d->inside->choice));
  RBV_TRY(read_constraints(d));
  RBV_TRY(read_frequencies(d));
  RBV_TRY(read_prior(d));
  RBV_TRY(read_noise(d));
  if (d->inside->choice.positions) RBV_TRY(rbv_design_load_loops(d));
  RBV_TRY(make_excite(d));
  d->constraints->value.prior = d->prior;
  d->constraints->value.robots = d->robots;
  d->constraints->value.nrobot = d->options.robust;
  RBV_TRY(rbv_design_list_checks(d));
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++)
    if (!d->check[i].done || d->check[i].required || d->check[i].assumed)
      rbv_tell(notes, NULL, "%s", d->check[i].text);
  return RBV_OK;
}

rbv_status rbv_design_new(rbv_design **out, const rbv_model *model,
                          const rbv_design_options *options, const rbv_notes *notes) {
  *out = NULL;
  if (!model) return rbv_fail(RBV_EARG, "a design needs a robot");
  RBV_NEW(rbv_design, d, 1);
  d->model = model;
  d->chosen = -1;
  d->options = options ? *options : rbv_design_defaults();
  RBV_GIVE(out, d, prepare(d, notes), rbv_design_free(d));
}

void rbv_design_free(rbv_design *d) {
  if (!d) return;
  for (int i = 0; i < d->count; i++) {
    if (d->motion) rbv_motion_free(d->motion[i]);
    if (d->trajectory) rbv_trajectory_free(d->trajectory[i]);
  }
  RBV_FREE_ALL(d->motion, d->trajectory, d->usage, d->used, d->sigma, d->coupling);
  rbv_excite_free(d->excite);
  rbv_constraint_set_free(d->constraints);
  RBV_FREE_ALL(d->prior, d->robots, d->noise);
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++) rbv_free(d->check[i].text);
  rbv_free(d->assumed);
  rbv_free(d->candidate);
  rbv_free(d->unknown);
  if (d->inside) rbv_free(d->inside->low_hz);
  if (d->inside) rbv_design_free_loops(&d->inside->loops);
  rbv_free(d->inside);
  rbv_free(d);
}

/* ---- search ---- */

rbv_search_options rbv_design_search(const rbv_design *d) {
  const rbv_design_options *o = &d->options;
  rbv_search_options s = rbv_search_defaults();
  s.search = d->inside->choice.search;
  s.seed = o->seed;
  s.threads = o->threads;
  s.budget_s = o->budget_s;
  s.trajectories = o->trajectories;
  s.population = o->population;
  s.generations = o->generations;
  s.mutation = o->mutation;
  s.crossover = o->crossover;
  s.polish = o->polish;
  s.starts = o->starts;
  s.low_hz = d->inside->low_hz;
  s.high_hz = d->inside->high_hz;
  return s;
}

ptrdiff_t rbv_design_jobs(const rbv_design *d) {
  const rbv_search_options s = rbv_design_search(d);
  return rbv_search_jobs(&s);
}

/* the jerk is limited where all joints have a limit of it, unless trapezoids are wanted */
rbv_trajectory_shape rbv_design_shape(const rbv_design *d, int terms) {
  const rbv_design_options *o = &d->options;
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = d->inside->choice.kind;
  s.njoint = rbv_model_joint_count(d->model);
  s.count = terms;
  s.duration_s = o->period_s;
  s.periods = o->periods;
  s.blend_s = o->blend_s;
  s.phases = o->phases;
  s.synchronised = !o->unsynchronised;
  s.fly_by = o->fly_by;
  s.smooth = !o->trapezoid;
  for (int j = 0; j < s.njoint; j++)
    s.smooth = s.smooth && isfinite(d->constraints->limits[j].jerk);
  return s;
}

static rbv_status find_trajectories(rbv_design *d, const rbv_design_run *run) {
  const rbv_trajectory_shape shape = rbv_design_shape(d, d->options.harmonics);
  rbv_search_options s = rbv_design_search(d);
  s.store = run->store;
  s.share = run->share;
  s.shares = run->shares;
  s.progress = run->progress;
  s.payload = run->payload;
  s.device = run->device;
  d->device = rbv_device_name(run->device);
  d->trajectory = rbv_alloc((size_t)s.trajectories * sizeof *d->trajectory);
  d->motion = rbv_alloc((size_t)s.trajectories * sizeof *d->motion);
  if (!d->trajectory || !d->motion) return RBV_EMEM;
  RBV_TRY(
      rbv_excite_search(d->trajectory, &d->info, d->excite, &d->constraints->value, &shape, &s));
  if (!d->info.feasible) return RBV_OK;
  d->count = s.trajectories;
  for (int i = 0; i < d->count && rbv_team_leads(); i++)
    RBV_TRY(rbv_trajectory_motion(&d->motion[i], d->trajectory[i], "design", d->options.rate_hz));
  return RBV_OK;
}

static rbv_status load_evaluated(rbv_design *d) {
  if (!rbv_team_leads()) return RBV_OK;
  d->info.feasible = true;
  d->motion = rbv_alloc(sizeof *d->motion);
  if (!d->motion) return RBV_EMEM;
  RBV_TRY(rbv_motion_load(&d->motion[0], &d->inside->recorded, d->model, d->options.evaluate,
                          &d->inside->notes));
  d->count = 1;
  return RBV_OK;
}

static rbv_status score(rbv_design *d) {
  const size_t n = (size_t)d->base->count;
  d->sigma = rbv_alloc(n * sizeof *d->sigma);
  d->coupling = rbv_alloc(n * n * sizeof *d->coupling);
  if (!d->sigma || !d->coupling) return RBV_EMEM;
  d->has_before = d->options.recordings.count > 0;
  if (d->has_before) RBV_TRY(rbv_excite_score(&d->before, NULL, NULL, d->excite, NULL, 0));
  RBV_TRY(rbv_excite_score(&d->score, d->sigma, d->coupling, d->excite, d->motion, d->count));
  return d->inside->choice.positions ? rbv_design_expect(d) : RBV_OK;
}

/* a recorded motion has kept what the drives allow; its derivatives come from a filter */
static rbv_status check_recording(rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  rbv_constraints c = d->constraints->value;
  RBV_NEW(rbv_limits, limits, n);
  for (int j = 0; j < n; j++) {
    limits[j] = c.limits[j];
    limits[j].velocity = limits[j].acceleration = limits[j].jerk = limits[j].effort = INFINITY;
  }
  c.limits = limits;
  c.tool_speed = 0;
  RBV_FINISH(rbv_constraints_check_motion(&d->used[0], d->usage, d->model, &c, d->motion[0]),
             rbv_free(limits));
}

static rbv_status check_usage(rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  d->usage = rbv_alloc((size_t)(n * d->count) * sizeof *d->usage);
  d->used = rbv_alloc((size_t)d->count * sizeof *d->used);
  if (!d->usage || !d->used) return RBV_EMEM;
  const rbv_constraints *c = &d->constraints->value;
  if (d->inside->recorded) return check_recording(d);
  for (int i = 0; i < d->count; i++)
    RBV_TRY(d->trajectory ? rbv_constraints_check(&d->used[i], d->usage + i * n, d->model, c,
                                                  d->trajectory[i], CHECK_STEP_S)
                          : rbv_constraints_check_motion(&d->used[i], d->usage + i * n, d->model, c,
                                                         d->motion[i]));
  return RBV_OK;
}

rbv_status rbv_design_solve(rbv_design *d, const rbv_design_run *run) {
  const rbv_design_run alone = {0};
  if (d->motion) return rbv_fail(RBV_EARG, "the design was solved before");
  if (d->options.evaluate)
    RBV_TRY(load_evaluated(d));
  else if (d->inside->choice.positions)
    RBV_TRY(rbv_design_solve_positions(d, run ? run : &alone));
  else
    RBV_TRY(find_trajectories(d, run ? run : &alone));
  if (d->count == 0 || !rbv_team_leads()) return RBV_OK;
  RBV_TRY(score(d));
  RBV_TRY(check_usage(d));
  return rbv_design_list_checks(d);
}

/* ---- output ---- */

double rbv_design_prior(const rbv_design *d, int b) {
  double value = 0;
  for (int c = 0; d->prior && c < d->base->ncolumn; c++)
    value += d->base->relation[b + c * d->base->count] * d->prior[c];
  return fabs(value);
}

rbv_status rbv_design_write(char **text, size_t *size, const rbv_design *d, int i, int format,
                            double speed, const char *provenance) {
  *text = NULL;
  *size = 0;
  if (!d->trajectory || i < 0 || i >= d->count)
    return rbv_fail(RBV_EARG, "the design has no trajectory %d", i);
  RBV_TRY(rbv_design_allows(d, format));
  const int n = rbv_model_joint_count(d->model);
  const char **names = rbv_alloc((size_t)n * sizeof *names);
  rbv_trajectory *t = NULL;
  rbv_status status = names ? rbv_trajectory_clone(&t, d->trajectory[i]) : RBV_EMEM;
  for (int j = 0; names && j < n; j++) names[j] = rbv_model_joint(d->model, j)->name;
  const rbv_trajectory_use use = {
      .joints = names, .rate_hz = d->options.rate_hz, .provenance = provenance};
  if (status == RBV_OK) status = rbv_trajectory_set_speed(t, speed);
  if (status == RBV_OK) status = rbv_trajectory_format_write(text, size, format, t, &use);
  rbv_trajectory_free(t);
  rbv_free(names);
  return status;
}

static void put_score(rbv_json *json, const char *key, const rbv_score *s) {
  rbv_json_put_map(json, key);
  rbv_json_put_int(json, "samples", s->samples);
  rbv_json_put_real(json, "condition_number", s->condition);
  rbv_json_put_real(json, "condition_number_scaled", s->condition_scaled);
  rbv_json_put_real(json, "coupling_index", s->coupling);
  rbv_json_put_real(json, "log10_determinant_per_sample", s->determinant);
  rbv_json_put_real(json, "minus_log_det", s->dopt);
  rbv_json_put_real(json, "mixed_fitness", s->mixed);
  rbv_json_put_real(json, "worst_relative_sigma", s->worst);
  rbv_json_put_real(json, "mean_relative_sigma", s->mean);
  rbv_json_end(json);
}

static void put_joint(rbv_json *json, const char *name, const rbv_usage *u, const rbv_limits *l,
                      const rbv_assumed_limits *assumed) {
  rbv_json_map(json);
  rbv_json_put_string(json, "name", name);
  rbv_json_put_real(json, "lower", u->lower);
  rbv_json_put_real(json, "lower_limit", l->lower);
  rbv_json_put_real(json, "upper", u->upper);
  rbv_json_put_real(json, "upper_limit", l->upper);
  rbv_json_put_real(json, "velocity", u->velocity);
  rbv_json_put_real(json, "velocity_limit", l->velocity);
  rbv_json_put_bool(json, "velocity_limit_assumed", assumed->velocity);
  rbv_json_put_real(json, "acceleration", u->acceleration);
  rbv_json_put_real(json, "acceleration_limit", l->acceleration);
  rbv_json_put_bool(json, "acceleration_limit_assumed", assumed->acceleration);
  rbv_json_put_real(json, "jerk", u->jerk);
  rbv_json_put_real(json, "jerk_limit", l->jerk);
  rbv_json_put_real(json, "torque", u->torque);
  rbv_json_put_real(json, "torque_limit", l->effort);
  rbv_json_end(json);
}

static double duration_of(const rbv_design *d, int i) {
  if (d->trajectory) return rbv_trajectory_duration(d->trajectory[i]);
  const rbv_motion_info *info = rbv_motion_get_info(d->motion[i]);
  return (double)(info->count - 1) / info->rate_hz;
}

static void put_checks(rbv_json *json, const rbv_design *d) {
  rbv_json_put_list(json, "checks");
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++) {
    const rbv_design_check *c = &d->check[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", c->name);
    rbv_json_put_bool(json, "done", c->done);
    rbv_json_put_bool(json, "assumed", c->assumed);
    rbv_json_put_bool(json, "assumed_shapes", c->assumed && c->required);
    rbv_json_put_string(json, "text", c->text);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_trajectories(rbv_json *json, const rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  rbv_json_put_list(json, "trajectories");
  for (int i = 0; i < d->count; i++) {
    rbv_json_map(json);
    rbv_json_put_real(json, "duration_s", duration_of(d, i));
    rbv_json_put_bool(json, "feasible", d->used[i].feasible);
    if (!d->used[i].feasible) rbv_json_put_string(json, "broken", d->used[i].reason);
    rbv_json_put_real(json, "tool_speed_m_per_s", d->used[i].tool_speed);
    if (d->constraints->value.tool_speed > 0)
      rbv_json_put_real(json, "tool_speed_limit_m_per_s", d->constraints->value.tool_speed);
    rbv_json_put_bool(json, "tool_speed_limit_assumed", d->assumed_tool_speed);
    rbv_json_put_real(json, "distance_m", d->used[i].distance);
    rbv_json_put_real(json, "workspace_distance_m", d->used[i].outside);
    rbv_json_put_list(json, "joints");
    for (int j = 0; j < n; j++)
      put_joint(json, rbv_model_joint(d->model, j)->name, &d->usage[i * n + j],
                &d->constraints->limits[j], &d->assumed[j]);
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_search(rbv_json *json, const rbv_design *d) {
  rbv_json_put_string(json, "class", d->options.kind);
  rbv_json_put_string(json, "search", d->options.search);
  if (d->device && strcmp(d->device, "cpu") != 0) rbv_json_put_string(json, "device", d->device);
  rbv_json_put_int(json, "candidates", d->info.evaluations);
  rbv_json_put_real(json, "seconds", d->info.seconds);
  rbv_json_put_bool(json, "interrupted", d->info.stopped);
  rbv_json_put_bool(json, "out_of_time", d->info.out_of_time);
  rbv_json_put_real(json, "first", d->info.first);
  rbv_json_put_real(json, "best", d->info.best);
}

static void put_positions(rbv_json *json, const rbv_design *d) {
  rbv_json_put_list(json, "candidates_for_positions");
  for (int i = 0; i < d->ncandidate; i++) {
    const rbv_design_candidate *c = &d->candidate[i];
    rbv_json_map(json);
    rbv_json_put_string(json, "name", c->name);
    rbv_json_put_bool(json, "possible", c->possible);
    rbv_json_put_int(json, "not_determined", c->open);
    rbv_json_put_real(json, "mean_log_sigma", c->mean_log);
    rbv_json_put_bool(json, "chosen", i == d->chosen);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_list(json, "unknowns");
  for (int i = 0; i < d->nunknown; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", d->unknown[i].name);
    rbv_json_put_string(json, "unit", d->unknown[i].unit);
    rbv_json_put_real(json, "sigma", d->unknown[i].sigma);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

void rbv_design_put(rbv_json *json, const rbv_design *d) {
  const int n = d->base->count;
  rbv_json_put_string(json, "for", d->options.target);
  rbv_json_put_string(json, "criterion", d->options.criterion);
  if (d->trajectory) put_search(json, d);
  if (d->inside->choice.positions) put_positions(json, d);
  put_checks(json, d);
  put_trajectories(json, d);
  if (d->has_before) put_score(json, "before", &d->before);
  put_score(json, "score", &d->score);
  rbv_json_put_list(json, "parameters");
  for (int b = 0; b < n; b++) {
    const double size = rbv_design_prior(d, b);
    rbv_json_map(json);
    rbv_json_put_string(json, "name", d->base->name[b]);
    rbv_json_put_real(json, "sigma", d->sigma[b]);
    rbv_json_put_real(json, "relative_sigma_percent", size > 0 ? 100 * d->sigma[b] / size : NAN);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_list(json, "coupling");
  for (int r = 0; r < n; r++) {
    rbv_json_flat_list(json);
    for (int c = 0; c < n; c++) rbv_json_real(json, d->coupling[r + c * n]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}
