/* Column maps of recordings that come without one, and the part of a recording that is used. */
#include <math.h>
#include <string.h>

#include "job/job_internal.h"
#include "job/recording_check.h"
#include "log/log.h"

/* ---- maps ---- */

static void tell_guess(const char *path, const rbv_log_guess *g, const rbv_notes *notes) {
  rbv_text t = {0};
  rbv_text_print(&t, "%s: columns by their names:", path);
  for (int i = 0; i < g->count; i++)
    rbv_text_print(&t, "%s %s is '%s'", i ? "," : "", rbv_channel_name(g->items[i].channel),
                   g->items[i].columns);
  for (int i = 0; i < g->count; i++)
    if (g->items[i].channel == RBV_CHANNEL_TIME && strcmp(g->items[i].reason, "its name") != 0)
      rbv_text_print(&t, " (%s)", g->items[i].reason);
  if (g->gap) rbv_text_print(&t, "; %s", g->gap);
  if (!t.failed) rbv_tell(notes, "map", "%s", t.data);
  rbv_text_free(&t);
}

static rbv_status refuse_guess(const char *path, const rbv_log_guess *g) {
  if (g->nambiguous > 0)
    return rbv_fail_option(RBV_EINPUT, "map", "%s: %s: a column map must decide", path,
                           g->ambiguous[0]);
  if (g->gain)
    return rbv_fail_option(RBV_EINPUT, "map", "%s: %s: give it in a column map", path, g->gain);
  return RBV_OK;
}

#define OTHER_JOINTS 3  // more or fewer joints that are tried

/* the columns of a recording from a robot with another number of joints are recognised as such */
static rbv_status refuse_other_robot(const rbv_model *model, const rbv_log_input *in,
                                     double rate_hz) {
  static const char *const none[OTHER_JOINTS] = {"?1", "?2", "?3"};
  const int n = rbv_model_joint_count(model);
  const char **names = rbv_alloc((size_t)(n + OTHER_JOINTS) * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int j = 0; j < n + OTHER_JOINTS; j++)
    names[j] = j < n ? rbv_model_joint(model, j)->name : none[j - n];
  rbv_status status = RBV_OK;
  for (int i = 0; i < 2 * OTHER_JOINTS && status == RBV_OK; i++) {
    const int other = n + (i % 2 ? 1 : -1) * (1 + i / 2);
    rbv_log_guess *g = NULL;
    if (other < 1) continue;
    if (rbv_log_input_guess(&g, in, names, other, rate_hz) == RBV_OK && g->map)
      status = rbv_fail_option(
          RBV_EINPUT, "map",
          "%s: the columns '%s' are those of %d joint%s, the robot has %d: the "
          "recording is incomplete, or of another robot",
          in->path, g->items[g->count - 1].columns, other, other == 1 ? "" : "s", n);
    rbv_log_guess_free(g);
  }
  rbv_free(names);
  return status;
}

rbv_status rbv_recording_map(const rbv_log_map **out, rbv_log_map **own, const rbv_model *model,
                             const rbv_log_input *in, const rbv_log_map *given,
                             const rbv_recording_options *r, const rbv_notes *notes) {
  const char *path = in->path;
  *own = NULL;
  *out = given;
  if (given || in->log) return RBV_OK;
  const int n = rbv_model_joint_count(model);
  const char **names = rbv_alloc((size_t)n * sizeof *names);
  if (!names) return RBV_EMEM;
  for (int j = 0; j < n; j++) names[j] = rbv_model_joint(model, j)->name;
  rbv_log_guess *g = NULL;
  rbv_status status = rbv_log_input_guess(&g, in, names, n, r->log_rate_hz);
  rbv_free(names);
  // a file that cannot be read is refused by its reader, which says more
  if (status != RBV_OK) return status == RBV_EMEM ? status : RBV_OK;
  if (!g->standard) status = refuse_guess(path, g);
  if (status == RBV_OK && g->map && !g->standard) {
    tell_guess(path, g, notes);
    *out = *own = g->map;
    g->map = NULL;
  } else if (status == RBV_OK && !g->standard && !g->gap) {
    status = refuse_other_robot(model, in, r->log_rate_hz);
  }
  rbv_log_guess_free(g);
  return status;
}

/* ---- a part of a recording ---- */

/* "2.5": seconds; "100rows": rows. NaN: not given. */
static bool parse_edge(double *seconds, double *rows, const char *text) {
  *seconds = *rows = NAN;
  if (!text) return true;
  char number[64];
  const size_t n = strlen(text), m = strlen("rows");
  if (n >= sizeof number) return false;
  memcpy(number, text, n + 1);
  const bool is_rows = n > m && strcmp(text + n - m, "rows") == 0;
  if (is_rows) number[n - m] = 0;
  double x;
  if (!rbv_real_parse(&x, number) || !(x >= 0 && x <= 1e15) || (is_rows && x != floor(x)))
    return false;
  *(is_rows ? rows : seconds) = x;
  return true;
}

rbv_status rbv_recording_crop_check(const rbv_recording_options *r) {
  double seconds[2], rows[2];
  if (!parse_edge(&seconds[0], &rows[0], r->from))
    return rbv_fail(RBV_EOPTION, "from needs seconds (2.5) or rows (1000rows), not '%s'", r->from);
  if (!parse_edge(&seconds[1], &rows[1], r->to))
    return rbv_fail(RBV_EOPTION, "to needs seconds (2.5) or rows (1000rows), not '%s'", r->to);
  if (seconds[1] <= seconds[0] || rows[1] <= rows[0])
    return rbv_fail(RBV_EOPTION, "from %s is not before to %s", r->from, r->to);
  return RBV_OK;
}

rbv_status rbv_recording_crop(rbv_log **log, const rbv_recording_options *r,
                              const rbv_notes *notes) {
  if (!r->from && !r->to) return RBV_OK;
  RBV_TRY(rbv_recording_crop_check(r));
  double seconds[2], rows[2];
  (void)parse_edge(&seconds[0], &rows[0], r->from);
  (void)parse_edge(&seconds[1], &rows[1], r->to);
  const ptrdiff_t n = rbv_log_samples(*log);
  const double *t = rbv_log_channel(*log, RBV_CHANNEL_TIME, -1);
  if (!t && (isfinite(seconds[0]) || isfinite(seconds[1])))
    return rbv_fail_option(RBV_EINPUT, r->from ? "from" : "to",
                           "%s: there is no time: give rows (1000rows) instead of seconds",
                           rbv_log_name(*log));
  double start = 0, end = 0;
  for (ptrdiff_t k = n - 1; k >= 0 && t; k--)
    if (isfinite(t[k])) start = t[k];
  for (ptrdiff_t k = 0; k < n && t; k++)
    if (isfinite(t[k])) end = t[k];
  // rows count from 1; both edges are used
  ptrdiff_t first = isfinite(rows[0]) ? (ptrdiff_t)fmax(rows[0] - 1, 0) : 0;
  ptrdiff_t last = isfinite(rows[1]) ? (ptrdiff_t)fmin(rows[1], (double)n) - 1 : n - 1;
  while (isfinite(seconds[0]) && first < n && !(t[first] - start >= seconds[0])) first++;
  while (isfinite(seconds[1]) && last >= 0 && !(t[last] - start <= seconds[1])) last--;
  if (first > last)
    return rbv_fail_option(
        RBV_EINPUT, r->from ? "from" : "to",
        "%s: no row is in this part: the recording has %td rows and lasts %.6g s",
        rbv_log_name(*log), n, end - start);
  rbv_log *part;
  RBV_TRY(rbv_log_part(&part, *log, first, last - first + 1));
  rbv_tell(notes, NULL, "%s: rows %td to %td of %td are used", rbv_log_name(*log), first + 1,
           last + 1, n);
  rbv_log_free(*log);
  *log = part;
  return RBV_OK;
}
