/* A report for callers that want no structure. */
#include <roberval/sys/report.h>

#include "base/support.h"

rbv_status rbv_report_open(rbv_report **out, const char *result) {
  return rbv_report_load(out, result, NULL);
}

rbv_status rbv_report_judge(rbv_report **out, const rbv_identification *job) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the report");
  *out = NULL;
  if (!rbv_identification_result(job)) return rbv_fail(RBV_EARG, "the job has not run yet");
  const rbv_report_input input = rbv_report_input_of(job);
  return rbv_report_verdict(out, &input);
}

const char *rbv_report_answer(const rbv_report *report) {
  return report ? rbv_verdict_name(report->verdict) : NULL;
}

int rbv_report_reason_count(const rbv_report *report) { return report ? report->nreason : 0; }

static const rbv_reason *reason_at(const rbv_report *report, int i) {
  return i >= 0 && i < rbv_report_reason_count(report) ? &report->reason[i] : NULL;
}

const char *rbv_report_reason_answer(const rbv_report *report, int i) {
  const rbv_reason *reason = reason_at(report, i);
  return reason ? rbv_verdict_name(reason->level) : NULL;
}

const char *rbv_report_reason_rule(const rbv_report *report, int i) {
  const rbv_reason *reason = reason_at(report, i);
  return reason ? reason->rule : NULL;
}

const char *rbv_report_reason_text(const rbv_report *report, int i) {
  const rbv_reason *reason = reason_at(report, i);
  return reason ? reason->text : NULL;
}

int rbv_report_figure_count(const rbv_report *report) { return report ? report->nfigure : 0; }

static const rbv_figure *figure_at(const rbv_report *report, int i) {
  return i >= 0 && i < rbv_report_figure_count(report) ? &report->figure[i] : NULL;
}

const char *rbv_report_figure_name(const rbv_report *report, int i) {
  const rbv_figure *figure = figure_at(report, i);
  return figure ? figure->name : NULL;
}

const char *rbv_report_figure_text(const rbv_report *report, int i) {
  const rbv_figure *figure = figure_at(report, i);
  return figure ? figure->text : NULL;
}

const char *rbv_report_page(const rbv_report *report) { return report ? report->html : NULL; }
