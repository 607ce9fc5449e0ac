/*
 * A public recording of a real Staubli TX40 (figaroh-examples, Apache-2.0) beside the tables of
 * Gautier 2011 and Brunot 2018. It has no reference, so that only least squares is possible.
 */
#include <math.h>
#include <string.h>

#include "papers/printed_parameters.h"
#include "papers/tx40_loop.h"

#define FILE_NAME "staubli_tx40/tx40_joint.csv"
#define SAMPLES 34500  // 6.9 s; later the robot stands still
#define GAMMA 150
#define DECIMATE 125
#define CUTOFF_HZ 50
#define COUNTS 3600

static const char not_here[] =
    "the recording is not there (docs/cli/reproduce.md says where it comes from)";
static const char robots_vary[] =
    "friction depends on the robot and its temperature: the two papers differ from each other, and "
    "ours is between their values or agrees with the other one";
static const char difference_basis[] =
    "4 sigma of the difference, with the printed sigma, and half the last printed digit";
static const char both_tables[] = "the printed values of the same parameter in both papers";

/* least squares: as recorded; with coarse positions; the same without the low-pass of the rows */
enum { FINE, COARSE, COARSE_PLAIN, RUNS };

/* ---- the recording ---- */

/* the first SAMPLES; counts: resolution that is put on the positions afterwards, 0: as recorded */
static rbv_status load_log(rbv_log **out, const char *path, double counts) {
  *out = NULL;
  enum { COLUMNS = 1 + 2 * TX40_JOINTS };
  static const char *const names[COLUMNS] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                             "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  rbv_log *whole;
  RBV_TRY(rbv_log_load(&whole, path, NULL));
  rbv_status status = RBV_OK;
  double *A = rbv_alloc(SAMPLES * COLUMNS * sizeof *A);
  if (!A) status = RBV_EMEM;
  for (int c = 0; c < COLUMNS && status == RBV_OK; c++) {
    const int at = rbv_log_find(whole, names[c]);
    if (at < 0 || rbv_log_samples(whole) < SAMPLES)
      status = rbv_fail(RBV_EINPUT,
                        "%s: the columns t, q1 to q6 and tau1 to tau6 with %d samples "
                        "are needed",
                        path, SAMPLES);
    else
      memcpy(A + (ptrdiff_t)c * SAMPLES, rbv_log_column_at(whole, at)->values, SAMPLES * sizeof *A);
  }
  if (status == RBV_OK && counts > 0) {
    const double step = 2 * RBV_PI / counts;
    for (ptrdiff_t k = SAMPLES; k < SAMPLES * (1 + TX40_JOINTS); k++)
      A[k] = step * round(A[k] / step);
  }
  if (status == RBV_OK) status = rbv_log_new(out, "tx40", names, COLUMNS, A, SAMPLES, SAMPLES);
  rbv_free(A);
  rbv_log_free(whole);
  return status;
}

/* least squares with the filters and the 28 parameters of Brunot 2018 */
static rbv_status estimate(rbv_estimate **out, rbv_motion **motion, const rbv_model *m,
                           const char *path, double counts, int decimate) {
  *motion = NULL;
  bool columns[TX40_COLUMNS] = {false};
  for (int i = 0; i < BRUNOT_ROWS; i++)
    columns[rbv_model_find(m, rbv_printed_brunot(i, BRUNOT_PIV).name)] = true;
  rbv_differentiate_options d = rbv_differentiate_defaults();
  d.cutoff_hz = CUTOFF_HZ;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";
  o.columns = columns;
  o.filter.decimate = decimate;
  rbv_log *log;
  RBV_TRY(load_log(&log, path, counts));
  rbv_status status = rbv_motion_from_log(motion, m, log, &d);
  rbv_log_free(log);
  if (status == RBV_OK) status = rbv_identify(out, m, motion, 1, &o);
  return status;
}

/* ---- comparison ---- */

/* four sigma of the difference of our value and a printed one, and the rounding of the print */
static double tolerance_of(double *paper, const tx40_printed *p, double sigma) {
  double rounding;
  rbv_printed_number(paper, &rounding, p->value);
  return rounding + REPRODUCE_SIGMAS * hypot(sigma, fabs(*paper) * p->percent / 100);
}

static bool is_friction(const rbv_model *m, const char *name) {
  const rbv_column *column = rbv_model_column(m, rbv_model_find(m, name));
  return rbv_column_has_law(column, "Fc") || rbv_column_has_law(column, "Fv");
}

/* other: the same parameter in the other paper, or NULL */
static rbv_status add_value(rbv_reproduction *r, const rbv_model *m, const rbv_estimate *e,
                            const char *where, const tx40_printed *p, const tx40_printed *other,
                            const char *what) {
  double paper, ours, sigma = NAN;
  if (!rbv_reproduced_value(&ours, &sigma, e, m, p->name)) ours = NAN;
  const double tolerance = tolerance_of(&paper, p, sigma);
  rbv_reproduced row = {.where = where,
                        .unit = rbv_model_column(m, rbv_model_find(m, p->name))->unit,
                        .paper = paper,
                        .ours = ours,
                        .tolerance = tolerance,
                        .basis = difference_basis,
                        .paper_percent = p->percent,
                        .ours_percent = 100 * fabs(sigma / ours)};
  if (other && is_friction(m, p->name)) {
    double theirs;
    const double slack = tolerance_of(&theirs, other, sigma);
    row.why = robots_vary;
    row.shown = both_tables;
    row.low = fmin(paper, theirs - slack);
    row.high = fmax(paper, theirs + slack);
  }
  rbv_reproduced_check(&row);
  return rbv_reproduction_add(r, &row, "%s, %s", p->name, what);
}

static bool find_gautier(tx40_printed *out, const char *name) {
  for (int i = 0; i < GAUTIER_ROWS; i++)
    if (strcmp(rbv_printed_gautier[i].name, name) == 0) {
      *out = rbv_printed_gautier[i];
      return true;
    }
  return false;
}

static bool find_brunot(tx40_printed *out, const char *name) {
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    *out = rbv_printed_brunot(i, BRUNOT_PIV);
    if (strcmp(out->name, name) == 0) return true;
  }
  return false;
}

static rbv_status compare(rbv_reproduction *r, const rbv_model *m, const rbv_estimate *e) {
  int first = r->count;
  tx40_printed other;
  for (int i = 0; i < GAUTIER_ROWS; i++) {
    const tx40_printed *p = &rbv_printed_gautier[i];
    const bool both = find_brunot(&other, p->name);
    RBV_TRY(add_value(r, m, e, "Table 2", p, both ? &other : NULL, "Gautier 2011"));
  }
  RBV_TRY(rbv_reproduction_percents(r, first, "Table 2", "Gautier 2011"));
  first = r->count;
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    const tx40_printed p = rbv_printed_brunot(i, BRUNOT_PIV);
    const bool both = find_gautier(&other, p.name);
    RBV_TRY(add_value(r, m, e, "Table 1", &p, both ? &other : NULL, "Brunot 2018, PIV"));
  }
  return rbv_reproduction_percents(r, first, "Table 1", "Brunot 2018, PIV");
}

/*
 * Least squares with 3600 counts put on the positions afterwards, with the parallel low-pass that
 * the paper describes, and without. A value that differs is explained if it does not differ without
 * the low-pass: the range is that of the shift which the low-pass causes.
 */
static rbv_status compare_coarse(rbv_reproduction *r, const rbv_model *m,
                                 const rbv_estimate *filtered, const rbv_estimate *plain) {
  static const char why[] =
      "the parallel low-pass and decimation of the rows removes most of the noise that biases "
      "least squares; the printed column is that of rows without it";
  static const char shown[] =
      "the same estimate from every sample without the low-pass: the printed value is within its "
      "tolerance";
  static const char lost_without[] =
      "the same estimate without the low-pass: sigma is larger than the value (rows below)";
  static const char where[] = "Table 1";
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    const tx40_printed p = rbv_printed_brunot(i, BRUNOT_LS);
    double paper, ours = NAN, without = NAN, sigma = NAN, sigma_without = NAN;
    if (!rbv_reproduced_value(&ours, &sigma, filtered, m, p.name)) ours = NAN;
    if (!rbv_reproduced_value(&without, &sigma_without, plain, m, p.name)) without = NAN;
    const double tolerance = tolerance_of(&paper, &p, sigma);
    const bool found = fabs(without - paper) <= tolerance_of(&paper, &p, sigma_without);
    rbv_reproduced row = {.where = where,
                          .unit = rbv_model_column(m, rbv_model_find(m, p.name))->unit,
                          .paper = paper,
                          .ours = ours,
                          .tolerance = tolerance,
                          .basis = difference_basis,
                          .why = why,
                          .shown = found ? shown : NULL,
                          .low = fmin(paper, paper + ours - without) - tolerance,
                          .high = fmax(paper, paper + ours - without) + tolerance,
                          .paper_percent = p.percent,
                          .ours_percent = 100 * fabs(sigma / ours)};
    rbv_reproduced_check(&row);
    RBV_TRY(rbv_reproduction_add(r, &row, "%s, Brunot 2018, LS", p.name));
  }
  double value[2], sigma[2];
  if (!rbv_reproduced_value(&value[0], &sigma[0], filtered, m, "ZZ3") ||
      !rbv_reproduced_value(&value[1], &sigma[1], plain, m, "ZZ3"))
    return RBV_OK;
  const rbv_reproduced lost = {.where = where,
                               .paper = 1,
                               .ours = sigma[0] > fabs(value[0]),
                               .basis = "yes or no: the printed sigma is 265 % of the value",
                               .why = why,
                               .shown = sigma[1] > fabs(value[1]) ? lost_without : NULL,
                               .low = 0,
                               .high = 0};
  RBV_TRY(rbv_reproduction_add(r, &lost, "LS loses ZZ3 (1: yes)"));
  static const char remark[] = "least squares with 3600 counts, without the parallel low-pass";
  RBV_TRY(
      rbv_reproduction_remark(r, where, value[1], "kg m^2", remark, "ZZ3 without the low-pass"));
  return rbv_reproduction_remark(r, where, 100 * fabs(sigma[1] / value[1]), "%", remark,
                                 "its sigma; the paper has 265 %");
}

static rbv_status draw(rbv_reproduction *r, const rbv_model *m, rbv_motion *motion,
                       const rbv_estimate *e) {
  static const paper_plot torques = {"Gautier Fig. 5, Brunot Fig. 4",
                                     "measured and estimated torques of the real TX40",
                                     "torque",
                                     "Real TX40, least squares",
                                     0,
                                     1};
  static const paper_plot residuals = {"Brunot Fig. 5",
                                       "autocorrelation of the residuals, with 2 sigma bounds",
                                       "autocorrelation",
                                       "Real TX40, least squares",
                                       0,
                                       1};
  static const paper_plot positions = {
      "Brunot Fig. A.9", "excitation trajectories", "motion", "Real TX40: positions", 0, 1};
  const rbv_row_filter filter = {.decimate = DECIMATE};
  paper_rows rows;
  RBV_TRY(rbv_paper_motion(r, motion, 0, TX40_JOINTS, &positions));
  RBV_TRY(rbv_paper_rows_new(&rows, m, motion, e->chi, &filter));
  rbv_status status = RBV_OK;
  for (int j = 0; j < TX40_JOINTS && status == RBV_OK; j++)
    status = rbv_paper_torques(r, &rows, j, &torques);
  for (int j = 0; j < TX40_JOINTS && status == RBV_OK; j++) {
    for (ptrdiff_t k = 0; k < rows.count[j]; k++) rows.measured[j][k] -= rows.predicted[j][k];
    status = rbv_paper_autocorrelation(r, rows.measured[j], rows.count[j], j, &residuals);
  }
  rbv_paper_rows_free(&rows);
  return status;
}

rbv_status rbv_reproduce_tx40(rbv_reproduction *r, const rbv_reproduce_options *o) {
  char path[1024];
  if (!rbv_paper_recording(path, sizeof path, o, FILE_NAME))
    return rbv_reproduction_cannot(r, FILE_NAME, NAN, NAN, "", not_here, "real TX40");
  rbv_model_options options = rbv_model_defaults();
  options.gamma = GAMMA;
  rbv_model *m;
  RBV_TRY(rbv_model_load(&m, "tx40", &options));
  rbv_motion *motion[RUNS] = {NULL};
  rbv_estimate *e[RUNS] = {NULL};
  static const double counts[RUNS] = {0, COUNTS, COUNTS};
  static const int decimate[RUNS] = {DECIMATE, DECIMATE, 1};
  rbv_status status = RBV_OK;
  for (int i = 0; i < RUNS && status == RBV_OK; i++)
    status = estimate(&e[i], &motion[i], m, path, counts[i], decimate[i]);
  if (status == RBV_OK)
    status = rbv_reproduction_cannot(
        r, "Gautier V", 3, 100 * e[FINE]->fit.relative_error, "%",
        "less than 3 % with 23 parameters on another recording; ours has 28", "relative error");
  if (status == RBV_OK) status = compare(r, m, e[FINE]);
  if (status == RBV_OK) status = draw(r, m, motion[FINE], e[FINE]);
  if (status == RBV_OK) status = compare_coarse(r, m, e[COARSE], e[COARSE_PLAIN]);
  for (int i = 0; i < RUNS; i++) {
    rbv_estimate_free(e[i]);
    rbv_motion_free(motion[i]);
  }
  rbv_model_free(m);
  return status;
}
