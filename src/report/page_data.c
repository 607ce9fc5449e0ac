/* Data inside the page: lines and arm for the script, parameters as CSV. */
#include <math.h>
#include <roberval/sys/stats.h>
#include <string.h>

#include "report/report_internal.h"

/* ---- data for the script ---- */

void rbv_put_base64(rbv_text *out, const void *data, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = data;
  for (size_t i = 0; i < size; i += 3) {
    const size_t left = size - i;
    const unsigned v = (unsigned)b[i] << 16 | (left > 1 ? (unsigned)b[i + 1] << 8 : 0) |
                       (left > 2 ? (unsigned)b[i + 2] : 0);
    const char four[4] = {digit[v >> 18], digit[v >> 12 & 63], left > 1 ? digit[v >> 6 & 63] : '=',
                          left > 2 ? digit[v & 63] : '='};
    rbv_text_add(out, four, 4);
  }
}

void rbv_put_floats(rbv_text *out, const double *x, ptrdiff_t n) {
  unsigned char *bytes = rbv_alloc((size_t)n * 4 + 1);
  if (!bytes) {
    out->failed = true;
    return;
  }
  for (ptrdiff_t k = 0; k < n; k++) {
    // one bit pattern for every NaN: the same numbers give the same bytes
    const float f = isfinite(x[k]) ? (float)x[k] : 0;
    uint32_t u = 0x7fc00000u;
    if (isfinite(x[k])) memcpy(&u, &f, sizeof u);
    for (int i = 0; i < 4; i++) bytes[4 * k + i] = (unsigned char)(u >> (8 * i));
  }
  rbv_text_put(out, "\"");
  rbv_put_base64(out, bytes, (size_t)n * 4);
  rbv_text_put(out, "\"");
  rbv_free(bytes);
}

void rbv_put_json_text(rbv_text *out, const char *text) {
  rbv_text_put(out, "\"");
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\' || *c == '<' || *c == '>' || *c == '&' || (unsigned char)*c < 32)
      rbv_text_print(out, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      rbv_text_add(out, c, 1);
  }
  rbv_text_put(out, "\"");
}

/*
 * A line with 16 bits per value, enough for a screen: {"low":, "step":, "data":} with the value
 * low + step n; 65535 stands for NaN.
 */
void rbv_put_line(rbv_text *out, const double *x, ptrdiff_t n) {
  unsigned char *bytes = rbv_alloc((size_t)n * 2 + 1);
  if (!bytes) {
    out->failed = true;
    return;
  }
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < n; k++) {
    if (!isfinite(x[k])) continue;
    low = fmin(low, x[k]);
    high = fmax(high, x[k]);
  }
  const double step = high > low ? (high - low) / 65534 : 1;
  for (ptrdiff_t k = 0; k < n; k++) {
    const unsigned u = isfinite(x[k]) ? (unsigned)lround((x[k] - low) / step) : 65535u;
    bytes[2 * k] = (unsigned char)u;
    bytes[2 * k + 1] = (unsigned char)(u >> 8);
  }
  rbv_text_print(out, "{\"low\":%.9g,\"step\":%.9g,\"data\":\"", isfinite(low) ? low : 0, step);
  rbv_put_base64(out, bytes, (size_t)n * 2);
  rbv_text_put(out, "\"}");
  rbv_free(bytes);
}

/* keys of the lines of a torque row; those of the split are of the fit only */
static const struct {
  const char *key;
  bool split;
} line_key[SERIES_LINES] = {
    [SERIES_MEASURED] = {"measured", false}, [SERIES_PREDICTED] = {"predicted", false},
    [SERIES_RESIDUAL] = {"residual", false}, [SERIES_GRAVITY] = {"gravity", true},
    [SERIES_INERTIA] = {"inertia", true},    [SERIES_CORIOLIS] = {"coriolis", true},
    [SERIES_FRICTION] = {"friction", true}};

static void put_group(report *r, const char *key, const report_series *s, bool split) {
  rbv_text *out = &r->html;
  rbv_text_print(out, "\"%s\":{\"t\":", key);
  rbv_put_floats(out, s->t, s->count);
  rbv_text_put(out, ",\"rows\":[");
  for (int i = 0; i < r->nrow; i++) {
    char label[128];
    rbv_row_label(label, sizeof label, r, i);
    rbv_text_put(out, i ? ",\n{\"label\":" : "\n{\"label\":");
    rbv_put_json_text(out, label);
    rbv_text_print(out, ",\"unit\":\"%s\"", rbv_row_unit(r, i));
    for (int k = 0; k < SERIES_LINES; k++) {
      if (line_key[k].split && !split) continue;
      rbv_text_print(out, ",\"%s\":", line_key[k].key);
      rbv_put_line(out, s->row[i].line[k], s->count);
    }
    rbv_text_put(out, ",\"low\":");
    rbv_put_line(out, s->row[i].low, s->count);
    rbv_text_put(out, ",\"high\":");
    rbv_put_line(out, s->row[i].high, s->count);
    rbv_text_put(out, "}");
  }
  rbv_text_put(out, "]}");
}

void rbv_page_data(void *self) {
  report *r = self;
  if (r->fit.count > 0) {
    put_group(r, "fit", &r->fit, true);
    rbv_text_put(&r->html, ",");
  }
  if (r->held.count > 0) {
    put_group(r, "validation", &r->held, false);
    rbv_text_put(&r->html, ",");
  }
}

/* ---- parameters ---- */

double rbv_page_student(const report *r) {
  double t = 1.96;
  const double dof = (double)r->result->diagnostics.dof;
  if (dof >= 1 && rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, dof) != RBV_OK) t = 1.96;
  return t;
}

static void put_csv_number(rbv_text *out, double x) {
  char number[32] = "";
  if (isfinite(x)) rbv_format_double(number, x);
  rbv_text_print(out, ",%s", number);
}

void rbv_page_csv(rbv_text *out, const report *r) {
  const double t = rbv_page_student(r);
  rbv_text_put(
      out, "name,value,sigma,sigma_white,low_95,high_95,prior,prior_sigma,unit,status,meaning\n");
  for (int k = 0; k < r->result->estimate.count; k++) {
    const rbv_parameter *p = &r->result->estimate.item[k];
    rbv_text_csv(out, p->name);
    put_csv_number(out, p->value);
    put_csv_number(out, p->sigma);
    put_csv_number(out, r->result->sigma_white ? r->result->sigma_white[k] : NAN);
    put_csv_number(out, p->value - t * p->sigma);
    put_csv_number(out, p->value + t * p->sigma);
    put_csv_number(out, r->prior[k]);
    put_csv_number(out, r->prior_sigma[k]);
    rbv_text_put(out, ",");
    rbv_text_csv(out, r->result->unit[k]);
    rbv_text_print(out, ",%s,", rbv_parameter_status_name(p->status));
    rbv_text_csv(out, r->result->meaning[k]);
    rbv_text_put(out, "\n");
  }
}
