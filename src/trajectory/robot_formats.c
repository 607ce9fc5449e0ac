/* Trajectories as files: samples, coefficients, and programs for robots. */
#include <math.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <string.h>

#include "trajectory/curve.h"
#include "trajectory/trajectory.h"

/* ---- samples ---- */

/* t, q, dq, ddq of all samples, column-major with leading dimension count */
typedef struct {
  int n;
  ptrdiff_t count;
  double rate_hz;
  double *A;
} sampled;

static rbv_status sample(sampled *s, const rbv_trajectory *t, double rate_hz) {
  *s = (sampled){.n = t->shape.njoint, .rate_hz = rate_hz};
  if (!(rate_hz > 0) || !isfinite(rate_hz))
    return rbv_fail(RBV_EARG, "the sample rate must be positive, not %g Hz", rate_hz);
  const ptrdiff_t count = s->count = rbv_trajectory_samples(t, rate_hz);
  s->A = rbv_alloc((size_t)count * (size_t)(1 + 3 * s->n) * sizeof *s->A);
  if (!s->A) return RBV_EMEM;
  const rbv_samples to = {.ld = count,
                          .q = s->A + count,
                          .dq = s->A + (1 + s->n) * count,
                          .ddq = s->A + (1 + 2 * s->n) * count};
  for (ptrdiff_t k = 0; k < count; k++) s->A[k] = (double)k / rate_hz;
  rbv_trajectory_sample(&to, t, 0, 1 / rate_hz, count);
  return RBV_OK;
}

/* key[x1, x2, ...] of sample k; order: 0 positions, 1 velocities, 2 accelerations */
static void put_list(rbv_text *out, const char *key, const sampled *s, int order, ptrdiff_t k) {
  const double *x = s->A + (1 + order * s->n) * s->count + k;
  rbv_text_print(out, "%s[", key);
  for (int j = 0; j < s->n; j++) rbv_text_print(out, "%s%.9f", j ? ", " : "", x[j * s->count]);
  rbv_text_put(out, "]");
}

static rbv_status hand_out(char **text, size_t *size, rbv_text *out, rbv_status status) {
  if (status == RBV_OK && out->failed) status = RBV_EMEM;
  if (status != RBV_OK) {
    rbv_text_free(out);
    return status;
  }
  *text = out->data;
  *size = out->size;
  return RBV_OK;
}

/* ---- writers ---- */

static rbv_status write_csv(rbv_text *out, const rbv_trajectory *t, const rbv_trajectory_use *use) {
  static const char *const stem[] = {"q", "dq", "ddq"};
  sampled s;
  rbv_status status = sample(&s, t, use->rate_hz);
  const int ncolumn = 1 + 3 * s.n;
  char(*text)[16] = rbv_alloc((size_t)ncolumn * sizeof *text), *data = NULL;
  const char **names = rbv_alloc((size_t)ncolumn * sizeof *names);
  size_t size = 0;
  rbv_csv_writer *csv = NULL;
  if (status == RBV_OK && (!text || !names)) status = RBV_EMEM;
  for (int c = 0; c < ncolumn && status == RBV_OK; c++) {
    names[c] = c == 0 ? "t" : text[c];
    if (c > 0) snprintf(text[c], sizeof text[c], "%s%d", stem[(c - 1) / s.n], (c - 1) % s.n + 1);
  }
  FILE *stream = status == RBV_OK ? open_memstream(&data, &size) : NULL;
  if (status == RBV_OK && !stream) status = RBV_EMEM;
  if (status == RBV_OK) status = rbv_csv_stream(&csv, stream, names, ncolumn);
  if (status == RBV_OK) status = rbv_csv_rows(csv, s.A, s.count, s.count);
  if (status == RBV_OK) status = rbv_csv_finish(csv);
  rbv_csv_free(csv);
  if (stream && fclose(stream) != 0 && status == RBV_OK) status = RBV_EMEM;
  if (status == RBV_OK) rbv_text_add(out, data, size);
  free(data);
  RBV_FREE_ALL(text, names, s.A);
  return status;
}

/* JSON is YAML too: the provenance, indented below its key */
static rbv_status write_coefficients(rbv_text *out, const rbv_trajectory *t,
                                     const rbv_trajectory_use *use) {
  char *text;
  size_t size;
  RBV_TRY(rbv_trajectory_write(&text, &size, t, use->joints));
  rbv_text_add(out, text, size);
  rbv_free(text);
  if (!use->provenance) return RBV_OK;
  rbv_text_put(out, "provenance:\n");
  for (const char *line = use->provenance; *line;) {
    const size_t length = strcspn(line, "\n");
    rbv_text_print(out, "  %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  return RBV_OK;
}

static rbv_status write_ros(rbv_text *out, const rbv_trajectory *t, const rbv_trajectory_use *use) {
  sampled s;
  const rbv_status status = sample(&s, t, use->rate_hz);
  if (status != RBV_OK) return status;
  rbv_text_put(out, "joint_names: [");
  for (int j = 0; j < s.n; j++) {
    rbv_text_put(out, j ? ", " : "");
    if (use->joints)
      rbv_put_name(out, use->joints[j]);
    else
      rbv_text_print(out, "\"joint%d\"", j + 1);
  }
  rbv_text_put(out, "]\npoints:\n");
  for (ptrdiff_t k = 0; k < s.count; k++) {
    put_list(out, "  - positions: ", &s, 0, k);
    put_list(out, "\n    velocities: ", &s, 1, k);
    put_list(out, "\n    accelerations: ", &s, 2, k);
    const double whole = floor(s.A[k]);
    rbv_text_print(out, "\n    time_from_start: {sec: %.0f, nanosec: %.0f}\n", whole,
                   fmin(999999999, 1e9 * (s.A[k] - whole)));
  }
  rbv_free(s.A);
  return RBV_OK;
}

#define UR_JOINTS 6
#define UR_RATE_HZ 125  // of servoj

static rbv_status write_urscript(rbv_text *out, const rbv_trajectory *t,
                                 const rbv_trajectory_use *use) {
  (void)use;
  if (t->shape.njoint != UR_JOINTS)
    return rbv_fail(RBV_EUNSUPPORTED, "URScript moves %d joints, the robot has %d", UR_JOINTS,
                    t->shape.njoint);
  sampled s;
  RBV_TRY(sample(&s, t, UR_RATE_HZ));
  rbv_text_put(out, "def excite():\n");
  put_list(out, "  movej(", &s, 0, 0);
  rbv_text_put(out, ", a=0.5, v=0.3)\n");
  for (ptrdiff_t k = 0; k < s.count; k++) {
    put_list(out, "  servoj(", &s, 0, k);
    rbv_text_print(out, ", t=%.6f, lookahead_time=0.03, gain=300)\n", 1 / s.rate_hz);
  }
  rbv_text_put(out, "  stopj(2)\nend\nexcite()\n");
  rbv_free(s.A);
  return RBV_OK;
}

/* ---- the table ---- */

static const struct {
  rbv_trajectory_format format;
  rbv_status (*write)(rbv_text *out, const rbv_trajectory *t, const rbv_trajectory_use *use);
} formats[] = {
    {{"csv", ".csv", "write the motion, as t, q, dq, ddq", false}, write_csv},
    {{"coefficients", ".yaml", "write the coefficients", false}, write_coefficients},
    {{"ros", ".yaml", "write a ROS 2 JointTrajectory", true}, write_ros},
    {{"urscript", ".script", "write a URScript program", true}, write_urscript},
};

const rbv_trajectory_format *rbv_trajectory_format_at(int i) {
  return i >= 0 && i < RBV_COUNT(formats) ? &formats[i].format : NULL;
}

rbv_status rbv_trajectory_format_write(char **text, size_t *size, int format,
                                       const rbv_trajectory *t, const rbv_trajectory_use *use) {
  *text = NULL;
  *size = 0;
  if (!rbv_trajectory_format_at(format))
    return rbv_fail(RBV_EARG, "there is no trajectory format %d", format);
  const rbv_trajectory_use usual = {.rate_hz = RBV_TRAJECTORY_RATE_HZ};
  rbv_text out = {0};
  return hand_out(text, size, &out, formats[format].write(&out, t, use ? use : &usual));
}
