/* Declarations shared by the files of this module; not installed. */
#ifndef REPORT_REPORT_INTERNAL_H
#define REPORT_REPORT_INTERNAL_H

#include <roberval/sys/equations.h>
#include <roberval/sys/report.h>

#include "model/model_internal.h"
#include "report/plots.h"

/* ---- embedded files ---- */

typedef struct {
  const char *name, *text;  // "page.js"; ends with 0
} report_asset;
extern const report_asset rbv_report_assets[];   // generated; the last row is NULL
const char *rbv_report_asset(const char *name);  // "": not in this build

/* ---- data from the recordings ---- */

/*
 * Lines of a torque row over time, after the low-pass of the fit. The file is what the parameters
 * of the robot file predict, NaN without any. The last four add up to the predicted torque: gravity
 * and everything else that depends on the position alone; what the acceleration adds to it; what
 * the velocity adds to the links; friction and offsets.
 */
enum {
  SERIES_MEASURED,
  SERIES_PREDICTED,
  SERIES_FILE,
  SERIES_RESIDUAL,
  SERIES_GRAVITY,
  SERIES_INERTIA,
  SERIES_CORIOLIS,
  SERIES_FRICTION,
  SERIES_LINES
};

#define SERIES_SPECTRUM 32768

/* One torque row over time; arrays have one value per time, scatter and velocity nscatter. */
typedef struct {
  double *line[SERIES_LINES];
  double *low, *high;              // range of the torque as recorded
  double *recorded, *unexplained;  // nspectrum samples of the first recording, not filtered
  int nscatter;
  double *velocity, *scatter;  // residual over velocity of the joint
  double *friction, *load;     // friction of the model, and the load of the gear, at these points
} row_series;

/* Position, velocity and acceleration that a joint visits. */
enum { SERIES_STATES = 3 };
#define SERIES_VISITED 300

typedef struct {
  double low, high;
} visited_range;

typedef struct {
  visited_range of[SERIES_STATES];
  double *visited[SERIES_STATES];  // nvisited samples
} joint_range;

/* Recordings one after another, separated by a point of NaN that interrupts the lines. */
typedef struct {
  ptrdiff_t count;  // points; 0: no recording
  double *t;        // [s]
  row_series *row;
  int nvisited;
  joint_range *range;   // njoint
  ptrdiff_t nspectrum;  // samples for the spectrum
  char *memory;
} report_series;

#define SERIES_SCATTER 500

/*
 * The part [from, to) of every motion (0 to 1), with at most `most` points in total. Where there
 * are more rows, the smallest and the largest value of each interval.
 */
rbv_status rbv_series_new(report_series *out, const rbv_model *model, rbv_motion *const *motions,
                          int nmotion, const double *chi, const rbv_row_filter *filter, double from,
                          double to, ptrdiff_t most);
void rbv_series_free(report_series *s);

/* Residuals of the rows of the fit, in order of time, one list per torque row. */
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

/* Weighted least squares over the estimated parameters, without a prior. */
typedef struct {
  int count;            // 0: not known
  int *index;           // count: parameters of the result
  double *value;        // count
  double *sigma;        // count
  double *correlation;  // count square
  double *singular;     // count, after columns are scaled to unit norm
  char *memory;
} report_information;

/* ---- links as bodies ---- */

typedef struct {
  bool exists;             // its mass is positive
  bool possible;           // no principal inertia is negative or larger than the sum of the others
  double mass, centre[3];  // [kg, m], in the frame of the link
  double principal[3], axes[9];  // inertia about the centre [kg m^2], ascending; axes in columns
  double semi[3];                // of the solid ellipsoid with this inertia [m]; 0: impossible
} link_body;

typedef struct {
  const char *name;            // of its joint; "payload"
  int frame;                   // joint whose frame it is in
  link_body file, identified;  // does not exist: no value
  const rbv_result_body *known;
  double inertia_known[2];  // smallest and largest share of the six inertias; NaN: not known
} link_row;

typedef struct {
  int count;
  link_row *row;
} report_links;

/* ---- the report while it is written ---- */

typedef struct {
  const rbv_report_input *in;
  const rbv_constraints *constraints;  // of a designed motion, for the picture; NULL: none
  const rbv_model *m;
  const rbv_result *result;
  double *chi;            // all columns
  rbv_row_filter filter;  // of the fit, with the fade-out of its method
  double *fade;           // its fade speeds
  int nrow;
  report_series fit, held;  // held: validation recordings, or held-out data
  report_series recorded;   // of the first screen: held, or else fit, at the rate of the recording
  report_residuals residuals;
  report_information information;
  report_links links;
  double *before, *after;  // nrow: comparable error of the robot file and of the result; NaN: none
  double *prior;           // per parameter of the result; NaN: none
  double *prior_sigma;     // per parameter; NaN: not known

  int nreason, mreason;
  rbv_reason *reason;
  int nfigure, mfigure;
  rbv_figure *figure;
  rbv_text html;
  const char *word;  // of the verdict; NULL: that of its level
  bool fold;         // sections are folded
} report;

rbv_status rbv_information_new(report *r);
void rbv_information_free(report_information *information);

rbv_status rbv_links_new(report_links *out, const report *r);
void rbv_links_free(report_links *links);
void rbv_page_links(report *r);  // their table

/* True if no positions were recorded, so that the motions of the fit are reference motions. */
bool rbv_report_from_reference(const report *r);

/* ---- verdict ---- */

rbv_status rbv_report_apply_rules(report *r);
/* advice: what to do about a large condition number, a sentence. */
rbv_status rbv_report_rule_condition(report *r, double scaled, double plain, const char *advice);

/* Append a reason; takes ownership of the text. */
rbv_status rbv_report_add_reason(report *r, rbv_verdict level, const char *rule, rbv_text *text);

/* The same for information that is no check: the page has no tick for it. */
rbv_status rbv_report_add_note(report *r, const char *rule, rbv_text *text);

/* ---- the page ---- */

void rbv_page_write(report *r);

/* Sections of the page of a result that are about parameters. */
void rbv_page_parameters(report *r);
void rbv_page_structure(report *r);    // correlation, friction
void rbv_page_bodies(report *r);       // links, consistency
void rbv_page_method(report *r);       // iterations, differentiator
void rbv_page_filter_scan(report *r);  // nothing without one

/* HTML as it is; text that is escaped first. */
void rbv_page_html(report *r, const char *text);
void rbv_page_text(report *r, const char *text);
/*
 * HTML with a format: strings are escaped, numbers that are not finite are dashes. Conversions: %s,
 * %d, %td, and %f, %e, %g of double.
 */
void rbv_page_print(report *r, const char *format, ...) RBV_PRINTF(2, 3);
void rbv_page_paragraph(report *r, const char *text);  // a paragraph
void rbv_page_missing(report *r, const char *text);    // why a part is missing

/* The head of the page, up to the subtitle that the caller writes; then the contents. */
void rbv_page_head(report *r, const char *robot, const char *kind);
void rbv_page_contents(report *r, const page_link *link, int n);
void rbv_page_headline(report *r, const char *text);               // in the head; "": none
void rbv_page_open(report *r, const char *id, const char *title);  // a section
void rbv_page_close(report *r);
void rbv_page_verdict(report *r);

/* Entries of the open list, one per setting. */
void rbv_page_settings(report *r, const rbv_setting *setting, int n);

/* A number, or a dash where it is not finite. */
void rbv_page_number(report *r, const char *format, double x);

/* "kg m^2" with raised exponents. */
void rbv_page_unit(report *r, const char *unit);

/* Footer and scripts; scene: with the arm, and the script that moves it if it is in the build. */
void rbv_page_end(report *r, bool scene);

/* A section with a button that saves all figures. */
void rbv_page_figure_downloads(report *r);

/* Write a page, verdict included, or figures without a page; of the type in brackets. */
typedef rbv_status page_writer(report *r, const void *given);
page_writer rbv_payload_page_write;  // rbv_payload_page
page_writer rbv_compare_page_write;  // rbv_compare_page
page_writer rbv_fleet_page_write;    // rbv_fleet_page
page_writer rbv_follow_page_write;   // rbv_follow_page
page_writer rbv_design_page_write;   // rbv_design_page
page_writer rbv_validation_figures;  // rbv_validation_set
page_writer rbv_control_figures;     // rbv_control
page_writer rbv_sweep_figures;       // rbv_sweep_summary

typedef struct {
  const rbv_prediction *const *prediction;  // of every recording
  int count;
} rbv_validation_set;

/*
 * Add a figure to the page and to the list of figures, and free it. attributes belong to the
 * enclosing element (NULL: none); a caption of NULL means the title.
 */
void rbv_page_figure(report *r, drawing *d, const char *attributes, const char *caption);

/* "joint1", "joint1, joint torque" where several channels are measured; of a torque row. */
void rbv_row_label(char *out, size_t size, const report *r, int row);
const char *rbv_row_unit(const report *r, int row);  // "N m" or "N"

/* Figures by topic; each adds nothing when its data are missing. */
void rbv_figure_first_torque(report *r);  // where the robot file is worst, as recorded
void rbv_figures_torques(report *r, const report_series *s, const char *key);
void rbv_figures_residuals_in_time(report *r, const report_series *s, const char *key);
void rbv_figure_errors(report *r);
void rbv_figure_gain(report *r);  // before and after the identification
void rbv_figures_histograms(report *r);
void rbv_figures_autocorrelation(report *r);
void rbv_figures_velocity(report *r);
void rbv_figures_split(report *r);  // torque of every row as a sum of its parts
rbv_status rbv_figures_spectrum(report *r);
void rbv_figures_coverage(report *r);    // positions, velocities and accelerations visited
void rbv_page_coverage(report *r);       // their ranges, as a table
rbv_status rbv_figure_links(report *r);  // links as ellipsoids
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

/* Error of the predicted motion against the horizon, a section. */
rbv_status rbv_page_horizon(report *r);

/* Parameters as functions of a state, a section where there are any. */
rbv_status rbv_page_states(report *r);

/* True if motions are too long for computations that a page can do without. */
bool rbv_report_too_long(const report *r, rbv_motion *const *motions, int count);

/* The command that repeats the result; out->failed without memory. */
void rbv_report_command(rbv_text *out, const rbv_result *result);

/* Data for the script as JSON: the arm and its motion. */
rbv_status rbv_scene_data(rbv_text *out, report *r);
void rbv_put_floats(rbv_text *out, const double *x, ptrdiff_t n);  // 32 bits, base64, quoted
void rbv_put_base64(rbv_text *out, const void *data, size_t size);

#endif
