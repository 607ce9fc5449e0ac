/*
 * report: the result of an identification as an HTML page. The page is one file that needs no
 * network. It starts with a verdict and its reasons, then shows torques, residuals, provenance,
 * parameters and the arm. Every figure is drawn once, as SVG, and is also available
 * as a file; a script zooms its lines over time. If the script for it is in the build, the arm is
 * animated.
 *
 * The same input, with the date, gives the same bytes. No value is corrected; problems are named in
 * the verdict.
 */
#ifndef ROBERVAL_SYS_REPORT_H
#define ROBERVAL_SYS_REPORT_H

#include <stdbool.h>

#include <roberval/identification.h>
#include <roberval/report.h>
#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/compare.h>
#include <roberval/sys/control.h>
#include <roberval/sys/design.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/option.h>
#include <roberval/sys/payload.h>
#include <roberval/sys/result.h>
#include <roberval/sys/sweep.h>

RBV_BEGIN_C

/* All pointers are borrowed for the call. */
typedef struct {
  const rbv_result *result;
  const rbv_model *model; /* of the result, with the same sensing, payload and gamma */
  int nfit, nvalidation;
  rbv_motion *const *fit;        /* recordings of the fit, as far as available */
  rbv_motion *const *validation; /* recordings of the validation, as far as available */
  rbv_row_filter filter;         /* of the fit; fade is computed for the method of the result */
  const double *prior;           /* one per column; NULL: none was used */
  const double *prior_sigma;     /* one per column, NaN: not known; NULL: all unknown */
  int nremark;
  const char *const *remark; /* sentences about missing inputs */
  const char *date;          /* of the page, "2026-11-16"; NULL: none; see rbv_page_date */
} rbv_report_input;

/* A figure as an SVG file. */
typedef struct {
  const char *name; /* "torque-fit-1.svg" */
  const char *text; /* ends with 0 */
  size_t size;
} rbv_figure;

struct rbv_report {
  rbv_verdict verdict; /* the worst of the reasons */
  int nreason;
  const rbv_reason *reason;
  const char *html; /* ends with 0 */
  size_t size;
  int nfigure;
  const rbv_figure *figure;
};

/* A motion that was designed or evaluated for an identification. All pointers are borrowed. */
typedef struct {
  const rbv_model *model;
  int nmotion;
  rbv_motion *const *motion; /* positions, velocities, accelerations */
  const rbv_limits *limits;  /* njoint; infinite: no limit */
  const double *chi;         /* parameter values, one per column; NULL: torques are not known */
  const rbv_base *base;      /* parameters to identify */
  const double *sigma;       /* base->count, expected; infinite: not excited */
  const rbv_score *score;
  const double *coupling; /* base->count square, of rbv_excite_score; NULL: not drawn */
  bool noise_known;       /* sigma holds for the noise of a recording; else for 1 N m */
  int ncheck;
  const rbv_design_check *check; /* what was checked; none: nothing is known about collisions */
  const rbv_usage_info *used;    /* nmotion; NULL: not known */
  const rbv_constraints
      *constraints; /* shapes and mounting plane of the picture; NULL: the robot's */
  int nfact;
  const rbv_setting *fact; /* how it was found */
} rbv_design_page;

/* Its page: verdict, the arm, positions to torques against their limits, sigma of parameters. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_design_page(rbv_report **out,
                                                         const rbv_design_page *page);

/* The same for a design that was solved. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_design(rbv_report **out, const rbv_design *design);

/* A payload, and how it was found. */
typedef struct {
  const rbv_model *model;
  const char *frame, *source; /* "tool0", "static poses" */
  rbv_payload payload;
  double relative_error;           /* of the fit */
  int poses;                       /* 0: motions */
  const rbv_wrist_estimate *wrist; /* NULL: no force/torque sensor */
} rbv_payload_page;

/* Its page: verdict, values with sigma, lines for controllers. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_payload(rbv_report **out,
                                                     const rbv_payload_page *page);

/* A comparison of results of one robot. All pointers are borrowed. */
typedef struct {
  int count;
  const char *const *name; /* of the runs: their files */
  const rbv_result *const *result;
  const rbv_comparison *comparison;
  const double *cross;  /* comparable error of run i on the recordings of run k, at [i + k count];
                           NULL: not known */
  const double *others; /* median error of each run on those of the others; NULL: not known */
  int best;             /* run that predicts the others' recordings best; -1: none */
} rbv_compare_page;

/* Its page: errors of all results, differences of parameters, options that differ. No verdict. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_compare(rbv_report **out,
                                                     const rbv_compare_page *page);

/* A fleet over periods of time. All pointers are borrowed. */
typedef struct {
  const char *type;          /* name of the robot's type */
  const char *const *robot;  /* names */
  const char *const *period; /* names, in order of time */
  const rbv_history *history;
  double alarm; /* probability of false alarms that the history was computed with */
  int nresult;
} rbv_fleet_page;

/* Its page: who needs attention, maps robot x parameter and robot x period, trends. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_fleet(rbv_report **out, const rbv_fleet_page *page);

/*
 * Write the files of a report, and tell which.
 *
 *   html   in  file of the page; NULL: not written
 *   plots  in  directory of the figures, which is created; NULL: not written
 *   notes  in  may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_write(const rbv_report *page, const char *html,
                                                   const char *plots, const rbv_notes *notes);

/* The history of an arm that was followed. */
typedef struct {
  const rbv_model *model;
  const char *source; /* name of the stream */
  const char *limits; /* what the limits were learnt from */
  ptrdiff_t count;    /* rows, at least 1 */
  int stride;         /* numbers per row */
  const double *row;  /* row k at [k * stride]: t, residuals, limits (njoint each), mass and its
                         sigma of the payload, drifts, their sigmas; NaN: not known */
  int ndrift;
  const int *drift_column; /* columns of the model */
  int contacts, changes;
  long long bad_rows;
} rbv_follow_page;

/* Its page: residuals with limits, payload and drift over time. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_follow(rbv_report **out, const rbv_follow_page *page);

/*
 * Figures without a page; html is NULL.
 *
 * Validation: box plot of the relative error of every torque over the recordings ("errors.svg").
 * Control laws: Bode plot and step response of every joint ("gain-1.svg", "phase-1.svg",
 * "step-1.svg").
 *
 *   prediction  in  count of them, one per recording
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_validation(rbv_report **out, const rbv_model *model,
                                                        const rbv_prediction *const *prediction,
                                                        int count);
RBV_API RBV_MUST_CHECK rbv_status rbv_report_control(rbv_report **out, const rbv_model *model,
                                                     const rbv_control *control);

/* Box plots of tracking error and torque of every joint over the plants of a sweep, relative to the
 * plant with the estimated parameters ("tracking.svg", "torque.svg"). */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_sweep(rbv_report **out, const rbv_model *model,
                                                   const rbv_sweep_summary *summary);

/*
 * The page of a result. Motions are read several times. Figures whose inputs are missing are
 * replaced by a sentence. The download of the result is the text of rbv_result_write.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_new(rbv_report **out, const rbv_report_input *input);

/* The input for the report of a job that has run; borrows from the job. */
RBV_API rbv_report_input rbv_report_input_of(const rbv_identification *job);

/* How a saved result is read again for its report. */
typedef struct {
  const char *robot; /* another path of the robot file; NULL: as recorded */
  const char *map;   /* another column map; NULL: as recorded */
  const char *date;  /* of the page; NULL: none */
  int threads;       /* 0: 1 */
  rbv_notes notes;
} rbv_report_reload;

/* Date of a page that is written now: today in UTC, or that of the variable SOURCE_DATE_EPOCH. */
typedef struct {
  char text[16]; /* "2026-11-16" */
} rbv_date;
RBV_API const char *rbv_page_date(rbv_date *date);

/*
 * The report of a result file. Its recordings and its prior are read again; what is missing or has
 * changed is left out, with a remark on the page.
 *
 *   with  in  NULL: as recorded
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_load(rbv_report **out, const char *result,
                                                  const rbv_report_reload *with);

/* The verdict and its reasons only: html is NULL, and there are no figures. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_verdict(rbv_report **out,
                                                     const rbv_report_input *input);

/* True if the script for the animation of the arm is part of this build. */
RBV_API bool rbv_report_interactive(void);

RBV_END_C
#endif
