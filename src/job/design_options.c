/* Options of a design: defaults, tables, checks. */
#include <math.h>
#include <roberval/sys/baseparam.h>

#include "job/design_internal.h"
#include "trajectory/trajectory.h"

rbv_design_options rbv_design_defaults(void) {
  const rbv_search_options s = rbv_search_defaults();
  const rbv_excite_options e = rbv_excite_defaults();
  return (rbv_design_options){.kind = rbv_trajectory_class_name(RBV_TRAJECTORY_FOURIER),
                              .criterion = rbv_criterion_name(e.criterion),
                              .columns = "all",
                              .target = "torques",
                              .encoder = 65536,
                              .rate_hz = RBV_TRAJECTORY_RATE_HZ,
                              .lambda = e.lambda,
                              .period_s = 10,
                              .trajectories = s.trajectories,
                              .periods = 1,
                              .budget_s = 60,
                              .mutation = s.mutation,
                              .crossover = s.crossover,
                              .population = s.population,
                              .generations = s.generations,
                              .starts = s.starts,
                              .polish = s.polish,
                              .floor = true,
                              .floor_height = NAN,
                              .seed = s.seed,
                              .threads = s.threads};
}

/* ---- choices ---- */

static const char *class_choice(int i) {
  return i < rbv_trajectory_class_count() ? rbv_trajectory_class_name((rbv_trajectory_class)i)
                                          : NULL;
}

static const char *criterion_choice(int i) {
  rbv_criterion known;
  const char *name = rbv_criterion_name((rbv_criterion)i);
  return rbv_criterion_parse(&known, name) ? name : NULL;
}

static const char *search_choice(int i) {
  rbv_search known;
  const char *name = rbv_search_name((rbv_search)i);
  return rbv_search_parse(&known, name) ? name : NULL;
}

static const char *target_choice(int i) {
  static const char *const words[] = {"torques", "positions"};
  return i < RBV_COUNT(words) ? words[i] : NULL;
}

/* ---- tables ---- */

/* name, kind, field, value in help, help, choices and, for numbers, their range */
#define ROW(name_, kind_, field, value_, help_, ...) \
  RBV_ROW(rbv_design_options, name_, kind_, field, value_, help_, .choice = __VA_ARGS__)

// clang-format off
static const rbv_option rows[] = {
    ROW("class", TEXT, kind, "CLASS", "kind of curve (default fourier)", class_choice, .topic = "motion"),
    ROW("criterion", TEXT, criterion, "WHAT", "what is minimised (default dopt)", criterion_choice, .topic = "criterion"),
    ROW("search", TEXT, search, "HOW", "method (default slsqp; ga for via)", search_choice, .topic = "search"),
    ROW("period", REAL, period_s, "S", "of the series; time of all moves (default 10)", NULL, RBV_ABOVE(0, 1e4), .topic = "motion", .basic = true),
    ROW("harmonics", COUNT, harmonics, "N",
        "terms of a joint: harmonics, sines or points (default: of the class, fourier 5)", NULL, RBV_FROM(1, 100)),
    ROW("rate", REAL, rate_hz, "HZ", "of the motion (default 500)", NULL, RBV_FROM(1, 1e5)),
    ROW("budget", REAL, budget_s, "SECONDS", "time to search (default 60; 0: any)", NULL, RBV_FROM(0, 1e7), .topic = "search", .basic = true),
    ROW("for", TEXT, target, "WHAT",
        "what will be recorded: torques (default), or positions alone", target_choice, .topic = "positions"),
    ROW("controller", FILES, controllers, "FILE",
        "positions: law of the loop; several times for recordings with other gains", NULL),
    ROW("encoder", REAL, encoder, "COUNTS", "positions: per turn or per m (default 65536)", NULL, RBV_ABOVE(0, 1e12)),
    ROW("unknown", TEXT, unknown, "LIST", "positions: unknowns of the loop: delay, bias, k_d, ...", NULL),
    ROW("known-links", FLAG, known_links, NULL, "positions: only drives are estimated", NULL),
    ROW("evaluate", FILE, evaluate, "TRAJ.csv", "score this motion or recording instead", NULL, .topic = "criterion", .basic = true),
    ROW("noise", FILE, noise, "RESULT", "noise of the torques, from an identification", NULL),
    ROW("prior", FILE, prior, "FILE", "parameter values (default: the robot's own)", NULL),
    ROW("robust", COUNT, robust, "N",
        "keep the torque limits of N robots that the prior allows, too", NULL, RBV_FROM(0, 10000)),
    ROW("uncertainty", REAL, uncertainty, "F",
        "robust: relative sigma of parameters without one (default 0: they are known)", NULL, RBV_SHARE_FROM(0, 1)),
    ROW("parameter", FILES, parameters, "NAME", "sigma: look at this one; several times", NULL),
    ROW("mean", FLAG, mean, NULL, "sigma: the mean instead of the largest", NULL),
    ROW("lambda", REAL, lambda, "L", "mixed: weight of the determinant (default 0.7)", NULL, RBV_SHARE_FROM(0, 1)),
    ROW("columns", TEXT, columns, "WHICH", "parameters to excite (default all)", rbv_columns_name),
    ROW("with", FILES, recordings, "LOG", "design on top of this recording; several times", NULL, .basic = true),
    ROW("trajectories", COUNT, trajectories, "N", "designed together (default 1)", NULL, RBV_FROM(1, 100), .topic = "motion"),
    ROW("periods", COUNT, periods, "N", "fourier: number of periods (default 1)", NULL, RBV_FROM(1, 10000)),
    ROW("blend", REAL, blend_s, "S", "time to start from rest and to stop (default 0)", NULL, RBV_FROM(0, 1e4)),
    ROW("phases", FLAG, phases, NULL, "sines: phases are free, too", NULL),
    ROW("frequencies", TEXT, frequencies, "LIST",
        "sines: lowest, then highest of each joint [rad/s]", NULL, RBV_ABOVE(0, 1e6)),
    ROW("fly-by", REAL, fly_by, "F", "via: 0 stops at each point, 1 never (default 0)", NULL, RBV_FROM(0, 1)),
    ROW("unsynchronised", FLAG, unsynchronised, NULL, "via: each joint at its own speed", NULL),
    ROW("trapezoid", FLAG, trapezoid, NULL, "via: no limit of jerk", NULL),
    ROW("population", COUNT, population, "N", "ga: individuals (default 150)", NULL, RBV_FROM(2, 100000), .topic = "search"),
    ROW("generations", COUNT, generations, "N", "ga: generations (default 120)", NULL, RBV_FROM(1, 1000000)),
    ROW("mutation", REAL, mutation, "P", "ga: of a gene (default 0.01)", NULL, RBV_SHARE_FROM(0, 1)),
    ROW("crossover", REAL, crossover, "P", "ga: of a pair (default 0.9)", NULL, RBV_SHARE_FROM(0, 1)),
    ROW("no-polish", OFF, polish, NULL, "ga: no gradients afterwards", NULL),
    ROW("starts", COUNT, starts, "N", "slsqp: starts (default 20)", NULL, RBV_FROM(1, 1000000)),
    {0}};

static const rbv_option constraint_rows[] = {
    ROW("constraints", FILE, constraints, "FILE.yaml", "limits, capsules, planes, boxes, tool", NULL, .topic = "limits", .basic = true),
    ROW("position", TEXT, position, "LIST", "largest distance from zero; one number, or one per joint", NULL, RBV_ABOVE(0, 1e6)),
    ROW("velocity", TEXT, velocity, "LIST", "at most; one number, or one per joint (default: robot's, or 1)", NULL, RBV_ABOVE(0, 1e6), .basic = true),
    ROW("acceleration", TEXT, acceleration, "LIST", "at most; one number, or one per joint (default: robot's, or 3)", NULL, RBV_ABOVE(0, 1e9), .basic = true),
    ROW("jerk", TEXT, jerk, "LIST", "at most; one number, or one per joint", NULL, RBV_ABOVE(0, 1e12)),
    ROW("effort", TEXT, effort, "LIST", "torque at most; one number, or one per joint; needs a prior", NULL, RBV_ABOVE(0, 1e12)),
    ROW("center", TEXT, center, "LIST", "pose that the motion stays around", NULL, RBV_FROM(-1e6, 1e6)),
    ROW("tool-speed", REAL, tool_speed, "M_PER_S", "of tool and joints, at most (default: 1)", NULL, RBV_ABOVE(0, 1e6), .basic = true),
    ROW("link-radius", REAL, link_radius, "M",
        "measured radius of links without a shape (default: assume 5 % of the length)", NULL, RBV_FROM(0, 1e3)),
    ROW("floor", REAL, floor_height, "M", "height of the mounting plane in the base frame", NULL, RBV_FROM(-1e3, 1e3)),
    ROW("no-floor", OFF, floor, NULL, "allow motions below the mounting plane", NULL),
    ROW("unchecked", FLAG, unchecked, NULL,
        "write robot programs although shapes are assumed or not all is checked", NULL),
    {0}};
// clang-format on

const rbv_option *rbv_design_rows(void) { return rows; }
const rbv_option *rbv_constraint_rows(void) { return constraint_rows; }

/* ---- checks ---- */

#define PERIOD_SAMPLES 4  // at least
#define SAMPLES_MAX 2e7   // of a motion
#define BLEND_SHARE 0.1   // of the period: designs for positions, if it is not given

/* search and number of terms, which depend on the class */
static rbv_status settle_search(rbv_design_options *o, design_choice *c) {
  const rbv_option_group group[] = {{rows, o}, {0}};
  const bool smooth = rbv_trajectory_class_smooth(c->kind);
  if (!o->search) o->search = rbv_search_name(smooth ? RBV_SEARCH_SLSQP : RBV_SEARCH_GA);
  RBV_TRY(rbv_option_set(group, "search", o->search));
  (void)rbv_search_parse(&c->search, o->search);
  int usual_terms, least;
  const char *terms = rbv_trajectory_class_terms(c->kind, &usual_terms, &least);
  if (c->search == RBV_SEARCH_SLSQP && !smooth)
    return rbv_fail_option(RBV_EOPTION, "search", "%s have no gradient: use the search %s", terms,
                           rbv_search_name(RBV_SEARCH_GA));
  if (o->harmonics == 0) o->harmonics = usual_terms;
  if (o->harmonics < least)
    return rbv_fail_option(RBV_EOPTION, "harmonics",
                           "a joint needs at least %d %s in class %s, not %d", least, terms,
                           o->kind, o->harmonics);
  return RBV_OK;
}

/* designs for positions start and end at rest, because the loop is simulated from rest */
static rbv_status settle_positions(rbv_design_options *o, design_choice *c) {
  c->positions = strcmp(o->target, "positions") == 0;
  c->terms_given = o->harmonics > 0;
  if (!c->positions)
    return o->controllers.count > 0 || o->unknown || o->known_links
               ? rbv_fail_option(RBV_EOPTION, "for",
                                 "a controller, unknowns and known links are for positions")
               : RBV_OK;
  if (o->controllers.count == 0)
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "a design for positions needs the controller: it simulates the loop");
  if (o->trajectories > 1)
    return rbv_fail_option(RBV_EOPTION, "trajectories",
                           "a design for positions has one trajectory; several recordings differ "
                           "in their gains");
  if (o->blend_s == 0 && !o->evaluate) o->blend_s = BLEND_SHARE * o->period_s;
  return RBV_OK;
}

rbv_status rbv_design_settle(rbv_design_options *o, design_choice *c) {
  rbv_design_options usual = rbv_design_defaults();
  const rbv_option_group group[] = {{rows, o}, {constraint_rows, o}, {0}};
  const rbv_option_group usual_group[] = {{rows, &usual}, {constraint_rows, &usual}, {0}};
  if (!o->kind) o->kind = usual.kind;
  if (!o->criterion) o->criterion = usual.criterion;
  if (!o->columns) o->columns = usual.columns;
  if (!o->target) o->target = usual.target;
  RBV_TRY(rbv_option_set(group, "class", o->kind));
  (void)rbv_trajectory_class_parse(&c->kind, o->kind);
  RBV_TRY(rbv_option_set(group, "criterion", o->criterion));
  RBV_TRY(rbv_option_set(group, "columns", o->columns));
  RBV_TRY(rbv_option_set(group, "for", o->target));
  RBV_TRY(settle_positions(o, c));
  (void)rbv_criterion_parse(&c->criterion, o->criterion);
  for (int i = 0; rbv_columns_name(i); i++)
    if (strcmp(rbv_columns_name(i), o->columns) == 0) c->columns = (rbv_columns)i;
  RBV_TRY(rbv_option_check(group, usual_group));
  // a curve without samples has no extreme values
  if (o->period_s * o->rate_hz < PERIOD_SAMPLES)
    return rbv_fail_option(RBV_EOPTION, "period",
                           "a period of %g s has fewer than %d samples at %g Hz", o->period_s,
                           PERIOD_SAMPLES, o->rate_hz);
  if (o->blend_s > 0 && o->blend_s * o->rate_hz < 1)
    return rbv_fail_option(RBV_EOPTION, "blend", "a blend of %g s is shorter than one sample",
                           o->blend_s);
  const double samples = (o->period_s * o->periods + 2 * o->blend_s) * o->rate_hz;
  if (!o->evaluate && !(samples <= SAMPLES_MAX))
    return rbv_fail_option(RBV_EOPTION, "rate",
                           "the motion would have %.3g samples, at most %.0e are possible: choose "
                           "a shorter motion or a lower rate",
                           samples, SAMPLES_MAX);
  if (o->threads < 1) return rbv_fail(RBV_EOPTION, "at least one thread is needed");
  return o->evaluate ? RBV_OK : settle_search(o, c);
}
