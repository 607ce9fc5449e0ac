/* Data inside the page: numbers for the script, parameters as CSV. */
#include <math.h>
#include <string.h>
#include "stats/stats.h"

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
