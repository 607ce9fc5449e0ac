/* What the files of this room share; not installed. */
#ifndef REPORT_REPORT_INTERNAL_H
#define REPORT_REPORT_INTERNAL_H

#include <roberval/sys/document.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/report.h>

#include "model/model_internal.h"
#include "report/drawing.h"

/* ---- texts that are carried in the binary ---- */

typedef struct {
  const char *name, *text;  // "page.js"; closed with 0
} report_asset;
extern const report_asset rbv_report_assets[];   // generated; ends with a row of NULL
const char *rbv_report_asset(const char *name);  // "" when the build has none

/* ---- what the recordings show ---- */

/* One torque row over time. Every array is as long as the time axis that it belongs to. */
typedef struct {
  double *measured, *predicted, *residual;  // through the low-pass of the fit
  double *low, *high;                       // of the torque as recorded
  int nscatter;
  double *velocity, *scatter;  // residual against the velocity of the row's joint
} row_series;

/* Recordings one after another; where one ends, a point without values breaks the lines. */
typedef struct {
  ptrdiff_t count;  // points; 0: nothing at hand
  double *t;        // [s]
  row_series *row;
  double *fastest;  // njoint: largest speed
  char *memory;
} report_series;

#define SERIES_SCATTER 700

/*
 * The part [from, to) of every motion, with at most `most` points in all: where there are more
 * rows, the smallest and the largest of each stretch.
 */
rbv_status rbv_series_new(report_series *out, const rbv_model *model, rbv_motion *const *motions,
                          int nmotion, const double *chi, const rbv_row_filter *filter, double from,
                          double to, ptrdiff_t most);
void rbv_series_free(report_series *s);

/* Residuals of the very rows of the fit, in order of time, one list per torque row. */
typedef struct {
  int nrow;
  double **e;
  ptrdiff_t *count;
} report_residuals;

#define RESIDUALS_MOST 65536

rbv_status rbv_residuals_new(report_residuals *out, const rbv_model *model,
                             rbv_motion *const *motions, int nmotion, const double *chi,
                             const rbv_row_filter *filter);
void rbv_residuals_free(report_residuals *r);

/* What the data alone say, by weighted least squares over the parameters that were estimated. */
typedef struct {
  int count;            // 0: not at hand
  int *index;           // count: which parameters of the result
  double *value;        // count, without any prior
  double *sigma;        // count
  double *correlation;  // count square
  double *singular;     // count, of the system with columns scaled to unit norm
  char *memory;
} report_information;

/* ---- the report in the making ---- */

typedef struct {
  const rbv_report_input *in;
  const rbv_model *m;
  rbv_result *result;
  rbv_document *doc;      // of the same text: entries that rbv_result does not know
  double *chi;            // all columns
  rbv_row_filter filter;  // of the fit, as the method has it
  double *fade;           // its speeds
  int nrow;
  report_series fit, held;  // held: validation recordings, or what was held out
  report_residuals residuals;
  report_information information;
  double *prior;        // per parameter of the result; NaN: none
  double *prior_sigma;  // per parameter; NaN: not known

  int nreason, mreason;
  rbv_reason *reason;
  int nfigure, mfigure;
  rbv_figure *figure;
  rbv_text html;
} report;

rbv_status rbv_information_new(report *r);
void rbv_information_free(report_information *information);

/* No positions were recorded, so the motions of the fit are those of the reference. */
bool rbv_report_from_reference(const report *r);

/* ---- verdict ---- */

rbv_status rbv_report_judge(report *r);
rbv_status rbv_report_judge_condition(report *r, double scaled, double plain);

/* A further reason; the text is taken. */
rbv_status rbv_report_add(report *r, rbv_verdict level, const char *rule, rbv_text *text);

/* ---- the page ---- */

void rbv_page_write(report *r);

/* Words of our own, and of others, in which nothing is markup. */
void rbv_page_put(report *r, const char *text);
void rbv_page_safe(report *r, const char *text);
void rbv_page_say(report *r, const char *text);   // a paragraph
void rbv_page_lack(report *r, const char *text);  // what is not there, and why

/* From the top to the line below the robot's name, which the caller writes; then the contents. */
typedef struct {
  const char *id, *name;
} page_link;
void rbv_page_head(report *r, const char *robot, const char *kind);
void rbv_page_contents(report *r, const page_link *link, int n);
void rbv_page_open(report *r, const char *id, const char *title);  // a section
void rbv_page_close(report *r);
void rbv_page_verdict(report *r);

/* Options and facts, one entry each of the list that is open. */
void rbv_page_settings(report *r, const rbv_setting *setting, int n);

/* "kg m^2" as it is written by hand. */
void rbv_page_unit(report *r, const char *unit);

/* The foot and the scripts; put_data writes their numbers, `"key":value,` each. */
void rbv_page_end(report *r, void (*put_data)(void *self), void *self);

/* The page of a designed motion, verdict included. */
rbv_status rbv_design_page_write(report *page, const rbv_design_page *design);

/*
 * Add a figure to the page and to the list, and free it. attributes go to the element around it
 * (NULL: none); a caption of NULL leaves the title to speak for itself.
 */
void rbv_page_figure(report *r, drawing *d, const char *attributes, const char *caption);

/* "joint1", "joint1, joint torque" where several channels are measured; of a torque row. */
void rbv_row_label(char *out, size_t size, const report *r, int row);
const char *rbv_row_unit(const report *r, int row);  // "N m" or "N"

/* Figures by topic. Each adds what it can, or a sentence. */
void rbv_figures_torques(report *r, const report_series *s, const char *key);
void rbv_figures_residuals_in_time(report *r, const report_series *s, const char *key);
void rbv_figure_errors(report *r);
void rbv_figures_histograms(report *r);
void rbv_figures_autocorrelation(report *r);
void rbv_figures_velocity(report *r);
void rbv_figure_correlation(report *r);
void rbv_figure_singular(report *r);
rbv_status rbv_figures_friction(report *r);
void rbv_figure_consistency(report *r);
void rbv_figure_iterations(report *r);
rbv_status rbv_figure_differentiator(report *r);
rbv_status rbv_figure_arm(report *r);

/* The parameters as CSV, and Student's t of their 95 % intervals. */
void rbv_page_csv(rbv_text *out, const report *r);
double rbv_page_student(const report *r);

/* Numbers for the script, as JSON: lines as 32-bit floats in base64; the arm and its motion. */
void rbv_page_data(void *report);
rbv_status rbv_scene_data(rbv_text *out, report *r);
void rbv_put_floats(rbv_text *out, const double *x, ptrdiff_t n);  // base64, in quotes
void rbv_put_json_text(rbv_text *out, const char *text);  // in quotes; cannot end an element
void rbv_put_base64(rbv_text *out, const void *data, size_t size);

#endif
