/* Bad rows of a recording: named first, so that everything else is judged without them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_ROWS);

/* the finding that a kind of bad row belongs to */
static rbv_finding_code code_of(rbv_bad_kind kind) {
  switch (kind) {
    case RBV_BAD_UNREADABLE:
    case RBV_BAD_MISSING:
    case RBV_BAD_INFINITE: return RBV_FINDING_MISSING;
    case RBV_BAD_STAMP: return RBV_FINDING_TIME;
    case RBV_BAD_SPIKE:
    case RBV_BAD_ZERO:
    case RBV_BAD_STUCK: break;
  }
  return RBV_FINDING_GLITCH;
}

/* one finding for all bad values of a code: how many, and where the first ones are */
static void add_code(examination *x, const rbv_log *log, int number, const rbv_bad_rows *bad,
                     rbv_finding_code code) {
  const rbv_bad_extent extent = rbv_bad_rows_extent(bad, rbv_log_samples(log));
  const bool dropped = x->options.drop_bad_rows || extent < RBV_BAD_MANY;
  const rbv_severity severity = x->options.drop_bad_rows || extent == RBV_BAD_SINGLE
                                    ? RBV_SEVERITY_NOTE
                                : extent == RBV_BAD_SEVERAL ? RBV_SEVERITY_WARNING
                                                            : RBV_SEVERITY_ERROR;
  rbv_text list = {0};
  ptrdiff_t rows = 0, last = -1;
  int values = 0;
  const rbv_bad_value *first = NULL;
  for (int i = 0; i < bad->count; i++) {
    const rbv_bad_value *b = &bad->items[i];
    if (code_of(b->kind) != code) continue;
    if (!first) first = b;
    rows += b->sample != last;
    last = b->sample;
    if (values++ >= NAMED) continue;
    char words[120];
    rbv_bad_value_describe(words, sizeof words, log, b);
    rbv_text_print(&list, "%s%s", values > 1 ? "; " : "", words);
  }
  if (values > NAMED) rbv_text_print(&list, "; and %d more", values - NAMED);
  if (first && !list.failed) {
    const rbv_finding f = {
        .code = code,
        .severity = severity,
        .log = number,
        .joint = first->column >= 0 ? rbv_log_column_at(log, first->column)->joint : -1,
        .other = -1,
        .sample = first->sample,
        .line = rbv_log_line(log, first->sample),
        .value = (double)rows,
        .option = dropped ? NULL : "drop-bad-rows"};
    rbv_add_finding(x, f, "%s: %td row%s %s %s: %s. %s", rbv_log_name(log), rows,
                    rows == 1 ? "" : "s", rows == 1 ? "has" : "have",
                    code == RBV_FINDING_GLITCH ? "corrupt values"
                    : code == RBV_FINDING_TIME ? "time stamps out of order"
                                               : "cells without a number",
                    list.data, dropped ? "They were left out" : "Drop these rows, or record again");
  }
  if (list.failed) x->status = RBV_EMEM;
  rbv_text_free(&list);
}

static rbv_status keep_values(examination *x, const rbv_log *log, int number,
                              const rbv_bad_rows *bad) {
  rbv_check_bad *more = rbv_realloc(x->bad, (size_t)x->nbad * sizeof *more,
                                    (size_t)(x->nbad + bad->count) * sizeof *more);
  if (!more) return RBV_EMEM;
  x->bad = more;
  for (int i = 0; i < bad->count; i++) {
    const rbv_bad_value *b = &bad->items[i];
    rbv_check_bad *to = &x->bad[x->nbad++];
    *to = (rbv_check_bad){.kind = b->kind,
                          .log = number,
                          .sample = b->sample,
                          .line = rbv_log_line(log, b->sample),
                          .value = b->value,
                          .expected = b->expected};
    if (b->column >= 0)
      snprintf(to->column, sizeof to->column, "%s", rbv_log_column_at(log, b->column)->name);
  }
  return RBV_OK;
}

/* Rows with almost repeated stamps, which an identification drops. Stamps that repeat are a finding
 * of their own, unless the questions are those of an identification. */
static rbv_status mark_close(rbv_bad_rows *bad, ptrdiff_t *rows, const rbv_log *log, bool quick) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const ptrdiff_t n = rbv_log_samples(log);
  bool *close = rbv_alloc((size_t)n * sizeof *close);
  if (!close) return RBV_EMEM;
  *rows = 0;
  if (rbv_log_close_stamps(close, log) > 0)
    for (ptrdiff_t k = 0; k < n; k++)
      if (close[k] && !bad->row[k] && (quick || k == 0 || t[k] != t[k - 1])) {
        bad->row[k] = true;
        ++*rows;
      }
  rbv_free(close);
  return RBV_OK;
}

rbv_status rbv_check_rows(rbv_log **own, examination *x, const rbv_log *log, int number) {
  *own = NULL;
  rbv_bad_rows bad;
  const rbv_bad_options o = {.njoint = rbv_model_joint_count(x->model),
                             .velocities = x->options.velocities};
  RBV_TRY(rbv_log_find_bad_rows(&bad, log, &o));
  rbv_status status = RBV_OK;
  if (bad.count > 0) {
    static const rbv_finding_code codes[] = {RBV_FINDING_MISSING, RBV_FINDING_TIME,
                                             RBV_FINDING_GLITCH};
    for (int i = 0; i < RBV_COUNT(codes); i++) add_code(x, log, number, &bad, codes[i]);
    status = keep_values(x, log, number, &bad);
  }
  ptrdiff_t close = 0;
  if (status == RBV_OK) status = mark_close(&bad, &close, log, x->options.quick);
  if (status == RBV_OK && bad.rows + close > 0 && bad.rows + close < rbv_log_samples(log))
    status = rbv_log_without(own, NULL, log, &bad);
  rbv_bad_rows_free(&bad);
  return status;
}
