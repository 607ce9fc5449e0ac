/* Villagrossi 2014: the COMAU NS16. Motions with little coupling, regrouped parameters, values. */
#include <math.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>

#include "papers/printed_parameters.h"
#include "report/plots.h"

#define N 6
#define RATE_A 100   // Table 1: N = 2000 rows in 20 s,
#define RATE_B 1000  // and 15996 in 16 s
#define TEST_RATE 100
#define SEARCHES 5  // repeated with other seeds, because a genetic search depends on rounding
#define GENERATIONS 120
#define VIA_POINTS 6
#define VIA_SECONDS 16
#define TORQUE_NOISE 0.05  // of the torque
#define SLOW 0.4

static const char table_1[] = "Table 1", table_2[] = "Table 2", section[] = "section 4.1";

/* limits, which the paper does not print; typical of the robot [rad/s, rad/s^2] */
static const double velocity[N] = {2.7, 2.7, 3, 6, 6, 8};
static const double acceleration[N] = {8, 8, 9, 20, 20, 30};

/* algorithm A: sums of three sines over 20 s [rad/s]; five lower bounds are printed for six joints
 */
static const double low_rad_s = 0.314, high_rad_s[N] = {0.94, 2.38, 0.53, 0.44, 0.89, 0.44};

static const char searched[] =
    "the trajectory and the limits are not printed, and the result of a search depends on its seed";

/* ---- Table 1 ---- */

typedef struct {
  rbv_score score;
  rbv_trajectory *trajectory;
  rbv_motion *motion;
  double *coupling;  // score.columns square
} design;

static void free_design(design *d) {
  rbv_trajectory_free(d->trajectory);
  rbv_motion_free(d->motion);
  rbv_free(d->coupling);
}

static rbv_status search(design *out, const rbv_model *m, const rbv_trajectory_shape *shape,
                         rbv_criterion criterion, const rbv_search_options *how, double rate_hz,
                         double speed) {
  rbv_excite_options o = rbv_excite_defaults();
  o.criterion = criterion;
  o.lambda = 0.7;
  rbv_limits limits[N];
  for (int j = 0; j < N; j++) {
    limits[j] = rbv_model_joint(m, j)->limits;
    limits[j].velocity = speed * velocity[j];
    limits[j].acceleration = speed * speed * acceleration[j];
  }
  const rbv_constraints c = {.limits = limits};
  rbv_excite *e;
  RBV_TRY(rbv_excite_new(&e, m, &o));
  rbv_search_info info;
  rbv_status status = rbv_excite_search(&out->trajectory, &info, e, &c, shape, how);
  if (status == RBV_OK && !info.feasible)
    status = rbv_fail(RBV_ENUM, "no trajectory was found: %s", info.reason);
  if (status == RBV_OK)
    status = rbv_trajectory_motion(&out->motion, out->trajectory, "design", rate_hz);
  const size_t n = (size_t)rbv_excite_base(e)->count;
  out->coupling = rbv_alloc(n * n * sizeof *out->coupling);
  if (status == RBV_OK && !out->coupling) status = RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_excite_score(&out->score, NULL, out->coupling, e, &out->motion, 1);
  rbv_excite_free(e);
  return status;
}

/* the genetic algorithm with the settings of the paper, without further optimisation */
static rbv_search_options as_printed(const rbv_reproduce_options *o, int population,
                                     double crossover) {
  rbv_search_options how = rbv_search_defaults();
  how.search = RBV_SEARCH_GA;
  how.seed = o->seed;
  how.threads = o->threads;
  how.budget_s = 0;
  how.population = population;
  how.generations = GENERATIONS;
  how.mutation = 0.01;
  how.crossover = crossover;
  how.polish = false;
  return how;
}

/* A: sines that maximise eq. 9; the coupling is computed afterwards */
static rbv_status search_sines(design *out, const rbv_model *m, const rbv_reproduce_options *o) {
  double low_hz[N], high_hz[N];
  const double turn = 2 * RBV_PI;
  for (int j = 0; j < N; j++) {
    low_hz[j] = low_rad_s / turn;
    high_hz[j] = high_rad_s[j] / turn;
  }
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = RBV_TRAJECTORY_SINES;
  s.njoint = N;
  s.count = 3;
  s.duration_s = 20;
  rbv_search_options how = as_printed(o, 100, 0.7);
  how.low_hz = low_hz;
  how.high_hz = high_hz;
  return search(out, m, &s, RBV_CRITERION_DOPT, &how, RATE_A, 1);
}

/* B: via points; speed: share of the speed limits, its square of the accelerations */
static rbv_status search_via(design *out, const rbv_model *m, rbv_criterion criterion, double speed,
                             const rbv_reproduce_options *o) {
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.kind = RBV_TRAJECTORY_VIA;
  s.njoint = N;
  s.count = VIA_POINTS;
  s.duration_s = VIA_SECONDS;
  const rbv_search_options how = as_printed(o, 150, 0.9);
  return search(out, m, &s, criterion, &how, RATE_B, speed);
}

/* A and B as printed, and B with a search on I_c only; slow: B at SLOW of its speed */
static rbv_status compare_designs(rbv_reproduction *r, const rbv_score *A, const rbv_score *B,
                                  const rbv_score *alone, const rbv_score *slow) {
  static const char units[] = "a determinant depends on the units and scales of the columns";
  static const char slower[] =
      "not in the paper: B with 0.4 of the speed limits and 0.16 of the acceleration limits";
  RBV_TRY(
      rbv_reproduction_count(r, section, 58, A->columns, "parameters with friction f0, f1, f2"));
  RBV_TRY(rbv_reproduction_cannot(r, table_1, 127.9, A->coupling, "", searched,
                                  "coupling index I_c of A (sines)"));
  RBV_TRY(rbv_reproduction_cannot(r, table_1, 101.2, B->coupling, "", searched,
                                  "coupling index I_c of B (via points)"));
  RBV_TRY(rbv_reproduction_remark(r, table_1, alone->coupling, "",
                                  "not in the paper: B with I_c as the only criterion",
                                  "coupling index I_c of B, I_c only"));
  RBV_TRY(rbv_reproduction_cannot(r, table_1, 90.5, A->determinant, "", units,
                                  "log10 of the determinant of A"));
  RBV_TRY(rbv_reproduction_cannot(r, table_1, 30.9, B->determinant, "", units,
                                  "log10 of the determinant of B"));
  RBV_TRY(rbv_reproduction_remark(r, table_1, slow->determinant, "", slower,
                                  "log10 of the determinant of B, slow"));
  RBV_TRY(rbv_reproduction_remark(
      r, table_1, slow->coupling, "",
      "not in the paper. With lower limits the determinant of B falls and its coupling rises: the "
      "two "
      "printed orders (A has the larger determinant, B the smaller I_c) ask for opposite limits",
      "coupling index I_c of B, slow"));
  const rbv_reproduced order = {
      .where = table_1,
      .paper = 1,
      .ours = A->determinant > B->determinant,
      .basis = "yes or no",
      .why =
          "the speed limits of the planner of B are not printed; the determinant grows with "
          "speed and acceleration, and A is limited by its printed frequencies",
      .shown = A->determinant > slow->determinant
                   ? "A has the larger determinant if B has 0.4 of its speed limits (row above)"
                   : NULL,
      .low = 0,
      .high = 0};
  return rbv_reproduction_add(r, &order, "A has the larger determinant (1: yes)");
}

/* a statement that every search shall confirm; the majority decides */
static rbv_status add_share(rbv_reproduction *r, const char *where, int yes, const char *what) {
  const rbv_reproduced row = {.where = where,
                              .paper = SEARCHES,
                              .ours = yes,
                              .tolerance = (SEARCHES - 1) / 2,
                              .basis = "most of five searches with other seeds"};
  return rbv_reproduction_add(r, &row, "%s", what);
}

/* ---- Table 2: relations ---- */

static bool combined(const printed_relation *p) { return strchr(p->text, ' ') != NULL; }

static rbv_status relations(rbv_reproduction *r, const rbv_model *m, const rbv_base *table,
                            const int *from) {
  int alone = 0, printed_alone = 0;
  for (int i = 0; i < RBV_COUNT(rbv_printed_villagrossi); i++) {
    if (combined(&rbv_printed_villagrossi[i])) continue;
    int terms, matching;
    RBV_TRY(rbv_printed_match(&terms, &matching, table, from, m, &rbv_printed_villagrossi[i]));
    printed_alone++;
    alone += matching == 1;
  }
  const rbv_reproduced base = {
      .where = section,
      .paper = 43,
      .ours = table->count,
      .basis = "a count is exact",
      .why =
          "40 is the rank with gravity along the first axis (42 with a tilted base), and the "
          "number of rows in Table 2; the paper does not explain 43",
      .shown = "rank of the regressor for random states",
      .low = 40,
      .high = 40};
  RBV_TRY(rbv_reproduction_add(r, &base, "base parameters without friction"));
  RBV_TRY(rbv_reproduction_count(r, table_2, 40, table->count, "rows of links and motors"));
  RBV_TRY(rbv_reproduction_count(r, table_2, printed_alone, alone,
                                 "parameters that are not combined, by name"));
  for (int i = 0; i < RBV_COUNT(rbv_printed_villagrossi); i++)
    if (combined(&rbv_printed_villagrossi[i]))
      RBV_TRY(rbv_printed_compare(r, table_2, table, from, m, &rbv_printed_villagrossi[i]));
  return RBV_OK;
}

/* ---- Table 2: values ---- */

static rbv_status add_value(rbv_reproduction *r, const rbv_model *m, const char *name, double paper,
                            double ours, double sigma) {
  const rbv_reproduced row = {.where = table_2,
                              .unit = rbv_model_column(m, rbv_model_find(m, name))->unit,
                              .paper = paper,
                              .ours = ours,
                              .tolerance = REPRODUCE_SIGMAS * sigma,
                              .basis = rbv_reproduce_sigma_basis,
                              .simulated = true};
  return rbv_reproduction_add(r, &row, "pi_C of %s", name);
}

static rbv_status compare_values(rbv_reproduction *r, const rbv_model *m, const rbv_base *table,
                                 const int *from, const rbv_estimate *e) {
  const printed_frames f = rbv_printed_villagrossi_frames();
  double value[60], sigma[60];
  RBV_TRY(rbv_printed_values(value, sigma, table, from, m, &f, e));
  for (int i = 0; i < RBV_COUNT(rbv_printed_villagrossi); i++) {
    const int k = rbv_printed_find(table, from, m, &rbv_printed_villagrossi[i]);
    const char *name = rbv_model_column(m, from[table->kept[k < 0 ? 0 : k]])->name;
    RBV_TRY(add_value(r, m, name, rbv_printed_villagrossi[i].value, k < 0 ? NAN : value[k],
                      k < 0 ? 0 : sigma[k]));
  }
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    const bool sign = rbv_column_has_law(column, "Fc");
    if (!sign && !rbv_column_has_law(column, "Fv")) continue;
    double found = NAN, deviation = 0;
    if (!rbv_reproduced_value(&found, &deviation, e, m, column->name)) found = NAN;
    const double *printed = sign ? rbv_printed_villagrossi_f0 : rbv_printed_villagrossi_f1;
    RBV_TRY(add_value(r, m, column->name, printed[column->joint], found, deviation));
  }
  return rbv_reproduction_cannot(r, table_2, NAN, NAN, "",
                                 "the recordings of the real robot are not public",
                                 "pi_A and pi_B, identified");
}

/* robot with pi_C, motion B, torque noise of 5 % */
static rbv_status identified(rbv_reproduction *r, const rbv_model *m, const rbv_base *table,
                             const int *from, rbv_motion *states, uint64_t seed) {
  const reproduce_noise noise = {.motor = TORQUE_NOISE, .seed = seed};
  rbv_motion *motion = NULL;
  rbv_estimate *e = NULL;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "wls";
  o.filter = (rbv_row_filter){.decimate = 1};
  rbv_status status =
      rbv_reproduce_record(&motion, m, rbv_model_parameters(m), states, false, &noise);
  if (status == RBV_OK) status = rbv_identify(&e, m, &motion, 1, &o);
  if (status == RBV_OK) status = compare_values(r, m, table, from, e);
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  return status;
}

/* ---- section 4.3: prediction of test motions ---- */

#define TESTS 30
#define REPEATS 5  // executions whose estimates are averaged

/* sigma of the torque noise of every joint, the same for A and B: 5 % of the torque of B */
static rbv_status noise_of(double *sigma, const rbv_model *m, rbv_motion *states) {
  const reproduce_noise none = {.motor = 0};
  const ptrdiff_t count = rbv_motion_get_info(states)->count;
  rbv_motion *motion = NULL;
  double *torque = rbv_alloc((size_t)count * N * sizeof *torque);
  rbv_status status =
      torque ? rbv_reproduce_record(&motion, m, rbv_model_parameters(m), states, false, &none)
             : RBV_EMEM;
  const rbv_samples s = {.ld = count, .torque = torque};
  if (status == RBV_OK) status = rbv_motion_read(motion, &s, 0, count);
  for (int j = 0; j < N && status == RBV_OK; j++)
    sigma[j] = TORQUE_NOISE * rbv_paper_deviation(torque + j * count, count);
  rbv_motion_free(motion);
  rbv_free(torque);
  return status;
}

/* mean of the estimates of REPEATS noisy executions, one value per column */
static rbv_status repeated(double *chi, const rbv_model *m, rbv_motion *states, const double *sigma,
                           uint64_t seed) {
  const int nc = rbv_model_column_count(m);
  rbv_identify_options o = rbv_identify_defaults();
  o.filter = (rbv_row_filter){.decimate = 1};
  memset(chi, 0, (size_t)nc * sizeof *chi);
  rbv_status status = RBV_OK;
  for (int k = 0; k < REPEATS && status == RBV_OK; k++) {
    const reproduce_noise noise = {.sigma = sigma, .seed = seed + 100 * (uint64_t)k};
    rbv_motion *motion = NULL;
    rbv_estimate *e = NULL;
    status = rbv_reproduce_record(&motion, m, rbv_model_parameters(m), states, false, &noise);
    if (status == RBV_OK) status = rbv_identify(&e, m, &motion, 1, &o);
    for (int c = 0; c < nc && status == RBV_OK; c++) chi[c] += e->chi[c] / REPEATS;
    rbv_estimate_free(e);
    rbv_motion_free(motion);
  }
  return status;
}

/* a wide random motion between via points */
static rbv_status test_motion(rbv_motion **out, const rbv_model *m, uint64_t seed) {
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.count = VIA_POINTS;
  s.duration_s = VIA_SECONDS;
  s.velocity = velocity;
  s.acceleration = acceleration;
  return rbv_paper_random_points(out, m, s, 1, TEST_RATE, seed);
}

typedef struct {
  double error[2][N][TESTS];  // mean |error| of the torque by A, by B
} predictions;

/* torques of one test motion by the robot, by A and by B; r: for a figure, or NULL */
static rbv_status predict(rbv_reproduction *r, predictions *p, int test, const rbv_model *m,
                          double *const chi[2], uint64_t seed) {
  static const reproduce_noise none = {.motor = 0};
  rbv_motion *states, *motion = NULL;
  paper_rows rows[2] = {{.nrow = 0}, {.nrow = 0}};
  RBV_TRY(test_motion(&states, m, seed));
  rbv_status status =
      rbv_reproduce_record(&motion, m, rbv_model_parameters(m), states, false, &none);
  for (int w = 0; w < 2 && status == RBV_OK; w++) {
    status = rbv_paper_rows_new(&rows[w], m, motion, chi[w], NULL);
    for (int j = 0; j < N && status == RBV_OK; j++) {
      double sum = 0;
      for (ptrdiff_t k = 0; k < rows[w].count[j]; k++)
        sum += fabs(rows[w].measured[j][k] - rows[w].predicted[j][k]);
      p->error[w][j][test] = sum / (double)rows[w].count[j];
    }
  }
  static const paper_plot plot[2] = {
      {"Fig. 4", "measured torque, and estimated by A and B, of one sample motion", "test-a",
       "Test motion, estimated by A", 0, 1},
      {"Fig. 4", "measured torque, and estimated by A and B, of one sample motion", "test-b",
       "Test motion, estimated by B", 0, 1}};
  for (int w = 0; w < 2 && r && status == RBV_OK; w++)
    for (int j = 0; j < 3 && status == RBV_OK; j++)
      status = rbv_paper_torques(r, &rows[w], j, &plot[w]);
  rbv_paper_rows_free(&rows[0]);
  rbv_paper_rows_free(&rows[1]);
  rbv_motion_free(motion);
  rbv_motion_free(states);
  return status;
}

static rbv_status draw_errors(rbv_reproduction *r, const predictions *p) {
  for (int j = 0; j < N; j++) {
    const plot_box box[] = {{"f1", "A", p->error[0][j], TESTS}, {"f2", "B", p->error[1][j], TESTS}};
    drawing d = rbv_drawing(DRAWING_SMALL * 2 / 3, 240, "algorithm", "mean error [N m]");
    snprintf(d.name, sizeof d.name, "test-errors-%d", j + 1);
    snprintf(d.title, sizeof d.title, "Axis %d: mean torque error over 30 test motions", j + 1);
    rbv_plot_boxes(&d, box, 2);
    RBV_TRY(
        rbv_reproduction_figure(r, &d, "Fig. 3",
                                "box plots of the mean error of A and B over 30 random motions, "
                                "by axis; B is lower on all"));
  }
  return RBV_OK;
}

/* count, for every axis, whether the median error of B is below that of A; r: draw, or NULL */
static rbv_status test_motions(rbv_reproduction *r, int better[N], const rbv_model *m,
                               const design *A, const design *B, uint64_t seed) {
  const size_t nc = (size_t)rbv_model_column_count(m);
  double sigma[N], *chi[2] = {rbv_alloc(2 * nc * sizeof(double)), NULL};
  predictions *p = rbv_alloc(sizeof *p);
  rbv_status status = chi[0] && p ? noise_of(sigma, m, B->motion) : RBV_EMEM;
  if (status == RBV_OK) {
    chi[1] = chi[0] + nc;
    status = repeated(chi[0], m, A->motion, sigma, seed + 11);
  }
  if (status == RBV_OK) status = repeated(chi[1], m, B->motion, sigma, seed + 12);
  for (int k = 0; k < TESTS && status == RBV_OK; k++)
    status = predict(k == 0 ? r : NULL, p, k, m, chi, seed + 1000 + (uint64_t)k);
  for (int j = 0; j < N && status == RBV_OK; j++) {
    double median[2], work[TESTS];
    for (int w = 0; w < 2 && status == RBV_OK; w++)
      status =
          rbv_stats_quantiles(&median[w], work, p->error[w][j], TESTS, (const double[]){0.5}, 1);
    if (status == RBV_OK) better[j] += median[1] < median[0];
  }
  if (status == RBV_OK && r) status = draw_errors(r, p);
  rbv_free(chi[0]);
  rbv_free(p);
  return status;
}

/* A and B of every search: those of `first`, then searches with other seeds */
static rbv_status repeat_searches(rbv_reproduction *r, const rbv_model *m, const design first[2],
                                  const rbv_reproduce_options *o) {
  int less_coupling = 0, better[N] = {0};
  rbv_status status = RBV_OK;
  for (int i = 0; i < SEARCHES && status == RBV_OK; i++) {
    design own[2] = {{.trajectory = NULL}, {.trajectory = NULL}};
    const design *d = i == 0 ? first : own;
    rbv_reproduce_options other = *o;
    other.seed += (uint64_t)i;
    if (i > 0) status = search_sines(&own[0], m, &other);
    if (i > 0 && status == RBV_OK) status = search_via(&own[1], m, RBV_CRITERION_MIXED, 1, &other);
    if (status == RBV_OK) {
      less_coupling += d[1].score.coupling < d[0].score.coupling;
      status = test_motions(i == 0 ? r : NULL, better, m, &d[0], &d[1], other.seed);
    }
    free_design(&own[0]);
    free_design(&own[1]);
  }
  if (status != RBV_OK) return status;
  RBV_TRY(add_share(r, "section 4.2", less_coupling, "searches in which B has less coupling"));
  for (int j = 0; j < N; j++) {
    char what[64];
    snprintf(what, sizeof what, "searches in which B predicts axis %d better", j + 1);
    RBV_TRY(add_share(r, "section 4.3", better[j], what));
  }
  return RBV_OK;
}

/* ---- figures ---- */

/* |Psi_ij| / sqrt(Psi_ii Psi_jj) without friction */
static rbv_status draw_coupling(rbv_reproduction *r, const rbv_model *m, const design *d,
                                const char *letter) {
  rbv_excite *e;
  RBV_TRY(rbv_excite_new(&e, m, NULL));
  const rbv_base *base = rbv_excite_base(e);
  const int n = base->count;
  int index[64], count = 0;
  const char *name[64];
  for (int k = 0; k < n && count < RBV_COUNT(index); k++) {
    const rbv_column *column = rbv_model_column(m, base->kept[k]);
    if (column->basis != RBV_BASIS_INERTIAL && !rbv_column_has_law(column, "Ia")) continue;
    name[count] = column->name;
    index[count++] = k;
  }
  double *A = rbv_alloc((size_t)(count * count) * sizeof *A);
  if (!A) {
    rbv_excite_free(e);
    return RBV_EMEM;
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) A[i + k * count] = d->coupling[index[i] + index[k] * n];
  drawing map = {.width = DRAWING_WIDE / 2, .height = DRAWING_WIDE / 2 - 80};
  snprintf(map.name, sizeof map.name, "coupling-%s", letter);
  snprintf(map.title, sizeof map.title,
           "Coupling by %s, friction not shown (I_c of all 58 parameters: %.1f)", letter,
           d->score.coupling);
  rbv_plot_matrix(&map, A, name, count, "coupling");
  rbv_free(A);
  rbv_excite_free(e);
  return rbv_reproduction_figure(
      r, &map, "Fig. 2", "correlation matrix of eq. 5 for A (a) and B (b); B has fewer dark cells");
}

static rbv_status draw(rbv_reproduction *r, const rbv_model *m, const design *A, const design *B) {
  static const paper_plot motion[2] = {
      {"Fig. 1", "identification trajectories", "motion-a", "Motion A: sums of three sines", 0, 1},
      {"Fig. 1", "identification trajectories", "motion-b", "Motion B: six via points", 0, 1}};
  RBV_TRY(rbv_paper_motion(r, A->motion, 0, N, &motion[0]));
  RBV_TRY(rbv_paper_motion(r, B->motion, 0, N, &motion[1]));
  RBV_TRY(draw_coupling(r, m, A, "A"));
  return draw_coupling(r, m, B, "B");
}

rbv_status rbv_reproduce_coupling(rbv_reproduction *r, const rbv_reproduce_options *o) {
  const printed_frames f = rbv_printed_villagrossi_frames();
  enum { A, B, ALONE, SLOW_B, DESIGNS };
  design d[DESIGNS] = {{.trajectory = NULL}};
  rbv_base *table = NULL;
  rbv_model *m;
  RBV_TRY(rbv_model_load(&m, "ns16", NULL));
  int *from = rbv_alloc((size_t)rbv_model_column_count(m) * sizeof *from);
  rbv_status status = from ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = search_sines(&d[A], m, o);
  if (status == RBV_OK) status = search_via(&d[B], m, RBV_CRITERION_MIXED, 1, o);
  if (status == RBV_OK) status = search_via(&d[ALONE], m, RBV_CRITERION_COUPLING, 1, o);
  if (status == RBV_OK) status = search_via(&d[SLOW_B], m, RBV_CRITERION_MIXED, SLOW, o);
  if (status == RBV_OK)
    status = compare_designs(r, &d[A].score, &d[B].score, &d[ALONE].score, &d[SLOW_B].score);
  if (status == RBV_OK) status = rbv_printed_base(&table, from, m, &f, RBV_COLUMNS_RIGID);
  if (status == RBV_OK) status = relations(r, m, table, from);
  if (status == RBV_OK) status = identified(r, m, table, from, d[B].motion, o->seed);
  if (status == RBV_OK) status = draw(r, m, &d[A], &d[B]);
  if (status == RBV_OK) status = repeat_searches(r, m, d, o);
  rbv_base_free(table);
  rbv_free(from);
  for (int i = 0; i < DESIGNS; i++) free_design(&d[i]);
  rbv_model_free(m);
  return status;
}
