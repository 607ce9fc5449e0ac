/* A small arm, identified, and its result open for changes: what tests of the report share. */
#ifndef REPORT_CASES_H
#define REPORT_CASES_H

#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/report.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "support.h"

#define HOSTILE "<script>alert('x')</script> & \\\"quoted\\\""

static const char arm_text[] =
    "name: \"" HOSTILE
    "\"\n"
    "joints:\n"
    "  - {name: \"" HOSTILE
    "\", mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n"
    "  - {name: elbow, mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}}\n"
    "parameters: {XX1: 0.1, YY1: 0.3, ZZ1: 0.3, MX1: 0.5, M1: 2, XX2: 0.05, YY2: 0.1, ZZ2: 0.1,\n"
    "             MX2: 0.2, M2: 1, Ia1: 0.1, Ia2: 0.05, Fv1: 1, Fc1: 0.7, Fv2: 0.4, Fc2: 0.5, "
    "off1: 0.1}\n";

typedef struct {
  rbv_model *model;
  rbv_motion *motion, *other;
  rbv_estimate *estimate;
  rbv_result result;  // to be changed before it is written
  rbv_input input[2];
  rbv_setting setting[4];
  rbv_fit validation;
  rbv_report_input extra;  // prior and remarks
} report_case;

static inline rbv_motion *noisy_motion(const rbv_model *m, uint64_t seed, ptrdiff_t count) {
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), seed, count, 200, false);
  waves_add_white(&w, seed + 100, 0.02);
  rbv_motion *motion = waves_motion(&w);
  waves_free(&w);
  return motion;
}

static inline void case_new_of(report_case *c, const char *text) {
  *c = (report_case){0};
  assert_ok(rbv_model_parse(&c->model, "arm", text, strlen(text), NULL));
  c->motion = noisy_motion(c->model, 1, 1500);
  c->other = noisy_motion(c->model, 2, 1000);
  rbv_identify_options o = rbv_identify_defaults();
  o.filter = (rbv_row_filter){.decimate = 1};
  assert_ok(rbv_identify(&c->estimate, c->model, &c->motion, 1, &o));
  assert_ok(rbv_estimate_report(&c->result, c->estimate, c->model));
  for (int i = 0; i < 2; i++)
    c->input[i] = (rbv_input){.path = i ? "other " HOSTILE ".csv" : HOSTILE ".csv",
                              .sha256 = "00",
                              .samples = i ? 1000 : 1500,
                              .rate_hz = 200,
                              .differentiation = "bandpass",
                              .cutoff_hz = 20};
  c->setting[0] = (rbv_setting){.key = "decimate", .text = NULL, .number = 1};
  c->setting[1] = (rbv_setting){.key = "mask_rad_per_s", .text = NULL, .number = 0};
  c->setting[2] = (rbv_setting){.key = "seed", .text = NULL, .number = 1};
  c->setting[3] = (rbv_setting){.key = "weights", .text = HOSTILE, .number = 0};
  c->result.ninput = c->result.nvalidation_input = 1;
  c->result.input = &c->input[0];
  c->result.validation_input = &c->input[1];
  c->result.nsetting = 4;
  c->result.setting = c->setting;
  c->result.robot_file = (rbv_input){.path = "arm.yaml", .sha256 = ""};
  // as good as the fit, until a test says otherwise
  c->validation = c->result.fit;
  c->validation.row = malloc((size_t)c->validation.nrow * sizeof *c->validation.row);
  memcpy(c->validation.row, c->result.fit.row,
         (size_t)c->validation.nrow * sizeof *c->validation.row);
  c->result.validation = c->validation;
}

static inline void case_new(report_case *c) { case_new_of(c, arm_text); }

static inline void case_free(report_case *c) {
  free(c->validation.row);
  rbv_estimate_unreport(&c->result);
  rbv_estimate_free(c->estimate);
  rbv_motion_free(c->motion);
  rbv_motion_free(c->other);
  rbv_model_free(c->model);
}

/* the report of the result as it is now */
static inline rbv_status case_try(rbv_report **out, const report_case *c) {
  char *json;
  size_t size;
  *out = NULL;
  rbv_status status = rbv_result_write(&json, &size, &c->result);
  if (status != RBV_OK) return status;
  rbv_report_input in = c->extra;
  in.json = json;
  in.json_size = size;
  in.model = c->model;
  in.nfit = in.nremark > 0 ? 0 : 1;
  in.fit = &c->motion;
  in.nvalidation = in.nremark > 0 ? 0 : 1;
  in.validation = &c->other;
  in.filter = (rbv_row_filter){.decimate = 1};
  status = rbv_report_new(out, &in);
  rbv_text_release(json);
  return status;
}

static inline rbv_report *case_report(const report_case *c) {
  rbv_report *page;
  assert_ok(case_try(&page, c));
  return page;
}

#endif
