/*
 * Report: a result as one HTML file for people. Stable.
 */
#ifndef ROBERVAL_REPORT_H
#define ROBERVAL_REPORT_H

#include <roberval/identification.h>
#include <roberval/status.h>

RBV_BEGIN_C

/*
 * Write the report of a result file: a verdict with reasons, provenance, figures, parameters. The
 * recordings that the result names are read again. The page needs no network.
 *
 *   result  in  path of a result (JSON)
 *   path    in  of the page, HTML
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_save(const char *result, const char *path);

/* ---- its parts ---- */

/* The parts of a report: verdict, reasons, figures, page. Functions accept NULL and an index out of
 * range: they return 0 or NULL. Texts belong to the report. */
typedef struct rbv_report rbv_report;

/* The report of a result file. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_open(rbv_report **out, const char *result);

/* Verdict and reasons of a job that has run, without page and figures: fast. */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_judge(rbv_report **out, const rbv_identification *job);
RBV_API void rbv_report_free(rbv_report *report);

RBV_API const char *rbv_report_answer(const rbv_report *report); /* "usable", "with care", ... */
RBV_API int rbv_report_reason_count(const rbv_report *report);
RBV_API const char *rbv_report_reason_answer(const rbv_report *report, int i); /* if it was alone */
RBV_API const char *rbv_report_reason_rule(const rbv_report *report, int i);   /* "validation" */
RBV_API const char *rbv_report_reason_text(const rbv_report *report, int i);   /* sentences */

RBV_API int rbv_report_figure_count(const rbv_report *report);
RBV_API const char *rbv_report_figure_name(const rbv_report *report, int i); /* "arm.svg" */
RBV_API const char *rbv_report_figure_text(const rbv_report *report, int i); /* SVG */
RBV_API const char *rbv_report_page(const rbv_report *report);               /* HTML */

RBV_END_C
#endif
