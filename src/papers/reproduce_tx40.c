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
static const char both_tables[] = "the printed values of the same parameter in both papers";

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
                           const char *path, double counts) {
  *motion = NULL;
  bool columns[TX40_COLUMNS] = {false};
  for (int i = 0; i < BRUNOT_ROWS; i++)
    columns[rbv_model_find(m, rbv_printed_brunot(i, BRUNOT_PIV).name)] = true;
  rbv_differentiate_options d = rbv_differentiate_defaults();
  d.cutoff_hz = CUTOFF_HZ;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "ols";
  o.columns = columns;
  o.filter.decimate = DECIMATE;
  rbv_log *log;
  RBV_TRY(load_log(&log, path, counts));
  rbv_status status = rbv_motion_from_log(motion, m, log, &d);
  rbv_log_free(log);
  if (status == RBV_OK) status = rbv_identify(out, m, motion, 1, &o);
  return status;
}

/* ---- comparison ---- */

/* four sigma of the difference of our value and a printed one */
static double tolerance_of(double *paper, const tx40_printed *p, double sigma) {
  double rounding;
  rbv_printed_number(paper, &rounding, p->value);
  const double theirs = fmax(rounding, fabs(*paper) * p->percent / 100);
  return REPRODUCE_SIGMAS * hypot(sigma, theirs);
}

static bool is_friction(const rbv_model *m, const char *name) {
  const rbv_column *column = rbv_model_column(m, rbv_model_find(m, name));
  return rbv_column_has_law(column, "Fc") || rbv_column_has_law(column, "Fv");
}

/* other: the same parameter in the other paper, or NULL */
static rbv_status add_value(rbv_reproduction *r, const rbv_model *m, const rbv_estimate *e,
                            const char *where, const tx40_printed *p, const tx40_printed *other,
                            const char *what, const char *why) {
  double paper, ours, sigma = NAN;
  if (!rbv_reproduced_value(&ours, &sigma, e, m, p->name)) ours = NAN;
  const double tolerance = tolerance_of(&paper, p, sigma);
  rbv_reproduced row = {.where = where,
                        .unit = rbv_model_column(m, rbv_model_find(m, p->name))->unit,
                        .paper = paper,
                        .ours = ours,
                        .tolerance = tolerance,
                        .basis = "4 sigma of the difference, with the printed sigma",
                        .why = why,
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
    RBV_TRY(add_value(r, m, e, "Table 2", p, both ? &other : NULL, "Gautier 2011", NULL));
  }
  RBV_TRY(rbv_reproduction_percents(r, first, "Table 2", "Gautier 2011"));
  first = r->count;
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    const tx40_printed p = rbv_printed_brunot(i, BRUNOT_PIV);
    const bool both = find_gautier(&other, p.name);
    RBV_TRY(add_value(r, m, e, "Table 1", &p, both ? &other : NULL, "Brunot 2018, PIV", NULL));
  }
  return rbv_reproduction_percents(r, first, "Table 1", "Brunot 2018, PIV");
}

/* does least squares with 3600 counts have the values that Brunot 2018 prints for it? */
static rbv_status compare_coarse(rbv_reproduction *r, const rbv_model *m, const rbv_estimate *e) {
  static const char why[] =
      "not known: with the encoder of 3600 counts put on this recording afterwards, least squares "
      "does not have the error that the paper attributes to it";
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    const tx40_printed p = rbv_printed_brunot(i, BRUNOT_LS);
    RBV_TRY(add_value(r, m, e, "Table 1", &p, NULL, "Brunot 2018, LS", why));
  }
  return RBV_OK;
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
  rbv_motion *motion = NULL, *coarse_motion = NULL;
  rbv_estimate *e = NULL, *coarse = NULL;
  rbv_status status = estimate(&e, &motion, m, path, 0);
  if (status == RBV_OK)
    status = rbv_reproduction_cannot(
        r, "Gautier V", 3, 100 * e->fit.relative_error, "%",
        "less than 3 % with 23 parameters on another recording; ours has 28", "relative error");
  if (status == RBV_OK) status = compare(r, m, e);
  if (status == RBV_OK) status = draw(r, m, motion, e);
  if (status == RBV_OK) status = estimate(&coarse, &coarse_motion, m, path, COUNTS);
  if (status == RBV_OK) status = compare_coarse(r, m, coarse);
  rbv_estimate_free(e);
  rbv_estimate_free(coarse);
  rbv_motion_free(motion);
  rbv_motion_free(coarse_motion);
  rbv_model_free(m);
  return status;
}
