#include "job/spring_fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "job/job_internal.h"
#include "linalg/linalg.h"
#include "log/log.h"
#include "signal/signal.h"

#define ORDER 4
#define USUAL_HZ 10.0     // cut-off where none was chosen
#define MOST_BAND 0.4     // of the sample rate
#define EDGE_PERIODS 1.5  // of the cut-off, at each end: what the low-pass does not know
#define BLOCKS 20         // of time that are left out in turn
#define BLOCK_LEAST 50    // samples
#define LEAST_SIGMAS \
  3.0  // of the compliance, below which the deflection does not follow the torque

void rbv_deflections_free(rbv_deflections *d) { rbv_free(d); }

/* ---- from a recording ---- */

/* the log with link positions in place of those of the motors */
static rbv_status link_log(rbv_log **out, const rbv_log *log, int n) {
  const ptrdiff_t count = rbv_log_samples(log);
  const int columns = 1 + 2 * n;
  char(*text)[16] = rbv_alloc((size_t)columns * sizeof *text);
  const char **name = rbv_alloc((size_t)columns * sizeof *name);
  double *A = rbv_alloc((size_t)columns * (size_t)count * sizeof *A);
  rbv_status status = text && name && A ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < columns && status == RBV_OK; i++) {
    const int j = (i - 1) % n;
    const bool position = i > 0 && i <= n;
    const rbv_channel channel = i == 0     ? RBV_CHANNEL_TIME
                                : position ? RBV_CHANNEL_LINK_POSITION
                                           : RBV_CHANNEL_TORQUE;
    const double *x = rbv_log_channel(log, channel, i == 0 ? -1 : j);
    // the torques only have to be there, and so have the joints without a second encoder
    if (x) memcpy(A + i * count, x, (size_t)count * sizeof *A);
    if (i == 0)
      snprintf(text[i], sizeof text[i], "t");
    else
      snprintf(text[i], sizeof text[i], "%s%d", position ? "q" : "tau", j + 1);
    name[i] = text[i];
  }
  if (status == RBV_OK)
    status = rbv_log_new(out, rbv_log_name(log), name, columns, A, count, count);
  RBV_FREE_ALL(A, name, text);
  return status;
}

static void layout(rbv_deflections *d, rbv_arena *a) {
  const size_t size = (size_t)d->njoint * (size_t)d->count;
  RBV_TAKE_ALL(a, size, double, &d->bend, &d->rate, &d->torque, &d->speed, &d->acceleration);
  d->recorded = RBV_TAKE(a, d->njoint, bool);
}

static rbv_status low_pass(double *x, const rbv_deflections *d) {
  const ptrdiff_t padding = rbv_filter_padding(d->cutoff_hz, d->rate_hz);
  rbv_sos sos;
  rbv_filter_work *w;
  RBV_TRY(rbv_sos_butterworth(&sos, ORDER, d->cutoff_hz, d->rate_hz));
  RBV_TRY(rbv_filter_work_new(&w, d->count, padding));
  const rbv_status status =
      rbv_filter_zero_phase(x, d->count, w, &sos, x, d->count, d->count, d->njoint, padding);
  rbv_filter_work_free(w);
  return status;
}

/* motions of motors and links, made alike */
static rbv_status fill(rbv_deflections *d, rbv_motion *motor, rbv_motion *link) {
  const size_t size = (size_t)d->njoint * (size_t)d->count;
  RBV_NEW(double, x, 2 * size);
  rbv_status status = rbv_motion_read(motor,
                                      &(rbv_samples){.ld = d->count,
                                                     .q = d->bend,
                                                     .dq = d->speed,
                                                     .ddq = d->acceleration,
                                                     .torque = d->torque},
                                      0, d->count);
  if (status == RBV_OK)
    status =
        rbv_motion_read(link, &(rbv_samples){.ld = d->count, .q = x, .dq = x + size}, 0, d->count);
  for (size_t i = 0; i < size && status == RBV_OK; i++) {
    d->bend[i] -= x[i];
    d->rate[i] = d->speed[i] - x[size + i];
  }
  rbv_free(x);
  return status == RBV_OK ? low_pass(d->torque, d) : status;
}

static rbv_status compare(rbv_deflections **out, const rbv_model *model, const rbv_log *log,
                          rbv_motion *motor, rbv_motion *link, double cutoff_hz) {
  const rbv_motion_info *info = rbv_motion_get_info(motor);
  if (rbv_motion_get_info(link)->count != info->count) return RBV_OK;
  if (rbv_filter_padding(cutoff_hz, info->rate_hz) >= info->count) return RBV_OK;
  rbv_deflections sizes = {.njoint = rbv_model_joint_count(model),
                           .count = info->count,
                           .rate_hz = info->rate_hz,
                           .cutoff_hz = cutoff_hz},
                  *d;
  RBV_CARVE_OBJECT(d, a, layout(&sizes, a));
  if (!d) return RBV_EMEM;
  *d = sizes;
  for (int j = 0; j < d->njoint; j++)
    d->recorded[j] = rbv_log_channel(log, RBV_CHANNEL_LINK_POSITION, j) != NULL;
  RBV_GIVE(out, d, fill(d, motor, link), rbv_deflections_free(d));
}

rbv_status rbv_deflections_new(rbv_deflections **out, const rbv_model *model, rbv_log *log,
                               const rbv_motion *motion, const rbv_differentiate_options *how) {
  *out = NULL;
  const int n = rbv_model_joint_count(model);
  if (rbv_log_channel_count(log, RBV_CHANNEL_LINK_POSITION) == 0 || how->period_s > 0 ||
      rbv_model_sensing(model) != RBV_SENSING_MOTOR)
    return RBV_OK;
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  const double rate_hz = rbv_motion_get_info(motion)->rate_hz;
  rbv_differentiate_options same = *how;
  same.method = RBV_DIFFERENTIATION_BANDPASS;
  same.stiffness = NULL;
  same.cutoff_hz = origin && origin->cutoff_hz > 0 ? origin->cutoff_hz : USUAL_HZ;
  same.cutoff_hz = fmin(same.cutoff_hz, MOST_BAND * rate_hz);
  rbv_log *links = NULL;
  rbv_motion *motor = NULL, *link = NULL;
  rbv_status status = link_log(&links, log, n);
  if (status == RBV_OK) status = rbv_motion_from_log(&motor, model, log, &same);
  if (status == RBV_OK) status = rbv_motion_from_log(&link, model, links, &same);
  if (status == RBV_OK) status = compare(out, model, log, motor, link, same.cutoff_hz);
  rbv_motion_free(link);
  rbv_motion_free(motor);
  rbv_log_free(links);
  return status;
}

/* ---- the equations of one joint ---- */

enum { TORQUE, INERTIA, VISCOUS, COULOMB, OFFSET, DAMPING, CUBIC, BEND, COLUMNS };

/* sample k of a joint: what explains the deflection, and the deflection. scale: of the columns */
static void fill_row(double row[COLUMNS], const rbv_deflections *d, int joint, ptrdiff_t k,
                     rbv_smoothing how) {
  const ptrdiff_t at = k + joint * d->count;
  double slope;
  const double bend = d->bend[at];
  row[TORQUE] = d->torque[at];
  row[INERTIA] = -d->acceleration[at];
  row[VISCOUS] = -d->speed[at];
  row[COULOMB] = -rbv_law_sign(&slope, d->speed[at], how);
  row[OFFSET] = -1;
  row[DAMPING] = -d->rate[at];
  row[CUBIC] = -bend * bend * bend;
  row[BEND] = bend;
}

typedef struct {
  const rbv_model *m;
  rbv_deflections *const *recording;
  int nrecording, joint;
  bool cubic;
  double share;
  rbv_smoothing how;
  double (*mean)[COLUMNS];  // of each recording: every one has an offset of its own
} spring_data;

static bool has_column(const rbv_model *m, const char *law, int joint) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->joint == joint && rbv_column_has_law(rbv_model_column(m, c), law))
      return true;
  return false;
}

static bool is_recorded(const spring_data *x) {
  for (int i = 0; i < x->nrecording; i++)
    if (!x->recording[i] || !x->recording[i]->recorded[x->joint]) return false;
  return x->nrecording > 0;
}

/* samples from *first to *end of a recording */
static void find_range(ptrdiff_t *first, ptrdiff_t *end, const rbv_deflections *d, double share) {
  const ptrdiff_t edge = (ptrdiff_t)(EDGE_PERIODS * d->rate_hz / d->cutoff_hz);
  *first = edge;
  *end = (ptrdiff_t)(share * (double)d->count) - (share < 1 ? 0 : edge);
}

/* triangles of blocks of time; returns their number */
static rbv_status find_blocks(double *R, int *nblock, double size[COLUMNS], const spring_data *x) {
  double row[COLUMNS];
  ptrdiff_t total = 0;
  for (int c = 0; c < COLUMNS; c++) size[c] = 0;
  for (int i = 0; i < x->nrecording; i++) {
    ptrdiff_t first, end;
    find_range(&first, &end, x->recording[i], x->share);
    double *mean = x->mean[i];
    memset(mean, 0, sizeof x->mean[i]);
    for (ptrdiff_t k = first; k < end; k++, total++) {
      fill_row(row, x->recording[i], x->joint, k, x->how);
      for (int c = 0; c < COLUMNS; c++) mean[c] += row[c] / (double)(end - first);
    }
    for (ptrdiff_t k = first; k < end; k++) {
      fill_row(row, x->recording[i], x->joint, k, x->how);
      for (int c = 0; c < COLUMNS; c++) size[c] += (row[c] - mean[c]) * (row[c] - mean[c]);
    }
  }
  for (int c = 0; c < COLUMNS; c++) size[c] = size[c] > 0 ? sqrt(size[c]) : 1;
  const ptrdiff_t length = total / BLOCKS > BLOCK_LEAST ? total / BLOCKS + 1 : BLOCK_LEAST;
  rbv_qr *qr;
  RBV_TRY(rbv_qr_new(&qr, COLUMNS));
  rbv_status status = RBV_OK;
  ptrdiff_t used = 0;
  *nblock = 0;
  for (int i = 0; i < x->nrecording && status == RBV_OK; i++) {
    ptrdiff_t first, end;
    find_range(&first, &end, x->recording[i], x->share);
    for (ptrdiff_t k = first; k < end && status == RBV_OK; k++) {
      fill_row(row, x->recording[i], x->joint, k, x->how);
      for (int c = 0; c < COLUMNS; c++) row[c] = (row[c] - x->mean[i][c]) / size[c];
      if (!x->cubic) row[CUBIC] = 0;
      status = rbv_qr_add(qr, row, 1, 1);
      if (++used % length != 0 && used != total) continue;
      rbv_qr_get(R + (*nblock)++ * COLUMNS * COLUMNS, qr);
      rbv_qr_reset(qr);
    }
  }
  rbv_qr_free(qr);
  return status;
}

/* coefficients of the columns in use from a triangle; *rest: rms of what is left, times the root of
 * the number of rows */
static bool solve(double x[COLUMNS], double *rest, const double *R, bool cubic,
                  const double size[COLUMNS]) {
  double A[COLUMNS * COLUMNS] = {0}, b[COLUMNS], s[COLUMNS];
  int used[COLUMNS], n = 0, rank = 0;
  for (int c = 0; c < BEND; c++)
    if (c != OFFSET && (c != CUBIC || cubic)) used[n++] = c;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < COLUMNS; r++) A[r + c * COLUMNS] = R[r + used[c] * COLUMNS];
  memcpy(b, R + BEND * COLUMNS, sizeof b);
  double found[COLUMNS] = {0};
  if (rbv_least_squares(found, &rank, s, A, COLUMNS, n, COLUMNS, b, 1e-10) != RBV_OK) return false;
  *rest = 0;
  for (int r = 0; r < COLUMNS; r++) {
    double e = b[r];
    for (int c = 0; c < n; c++) e -= A[r + c * COLUMNS] * found[c];
    *rest += e * e;
  }
  *rest = sqrt(*rest) * size[BEND];
  for (int c = 0; c < COLUMNS; c++) x[c] = 0;
  for (int c = 0; c < n; c++) x[used[c]] = found[c] * size[BEND] / size[used[c]];
  return rank == n;
}

/* the deflection times the stiffness is what drives it: coefficients of the deflection become
 * parameters */
static void take(rbv_result_spring *s, const double x[COLUMNS]) {
  s->stiffness = 1 / x[TORQUE];
  s->inertia = x[INERTIA] * s->stiffness;
  s->viscous = x[VISCOUS] * s->stiffness;
  s->coulomb = x[COULOMB] * s->stiffness;
  s->damping = x[DAMPING] * s->stiffness;
  s->cubic = x[CUBIC] * s->stiffness;
}

/* sigma of the jackknife over blocks; false: the compliance is not different from zero */
static bool spread(rbv_result_spring *s, const double *without, int nblock, bool cubic,
                   const double size[COLUMNS], double compliance) {
  double sum[3] = {0}, own = 0;
  for (int b = 0; b < nblock; b++) {
    double x[COLUMNS], rest;
    rbv_result_spring part;
    if (!solve(x, &rest, without + b * COLUMNS * COLUMNS, cubic, size)) return false;
    take(&part, x);
    sum[0] += pow(part.stiffness - s->stiffness, 2);
    sum[1] += pow(part.inertia - s->inertia, 2);
    sum[2] += pow(part.damping - s->damping, 2);
    own += pow(x[TORQUE] - compliance, 2);
  }
  const double factor = (nblock - 1.0) / nblock;
  s->sigma = sqrt(factor * sum[0]);
  s->inertia_sigma = sqrt(factor * sum[1]);
  s->damping_sigma = sqrt(factor * sum[2]);
  return compliance > LEAST_SIGMAS * sqrt(factor * own);
}

/* the delay of the link's encoder that explains most of the deflection alone: d = delay v */
static double late_by(const double *R, const double size[COLUMNS]) {
  const double *speed = R + VISCOUS * COLUMNS, *bend = R + BEND * COLUMNS;
  double product = 0, square = 0;
  for (int r = 0; r < COLUMNS; r++) {
    product -= speed[r] * bend[r];
    square += speed[r] * speed[r];
  }
  return square > 0 ? product / square * size[BEND] / size[VISCOUS] : 0;
}

static rbv_status fit(rbv_result_spring *s, bool *found, const spring_data *x) {
  const int square = COLUMNS * COLUMNS, most = BLOCKS + 2 + x->nrecording;
  double size[COLUMNS], value[COLUMNS], common[COLUMNS * COLUMNS] = {0};
  int nblock = 0;
  RBV_NEW(double, R, (size_t)(3 * most * square));
  rbv_qr *all = NULL;
  rbv_status status = find_blocks(R, &nblock, size, x);
  if (status == RBV_OK && nblock >= 3) status = rbv_qr_new(&all, COLUMNS);
  double *whole = R + most * square, *without = whole + square;
  for (int b = 0; b < nblock && status == RBV_OK && all; b++)
    status = rbv_qr_add(all, R + b * square, COLUMNS, COLUMNS);
  if (status == RBV_OK && all) {
    rbv_qr_get(whole, all);
    status = rbv_qr_without_blocks(without, R, nblock, COLUMNS, common);
  }
  double rest;
  *found = status == RBV_OK && all && solve(value, &rest, whole, x->cubic, size);
  if (*found) {
    const bool slides = rbv_model_joint(x->m, x->joint)->type == RBV_JOINT_PRISMATIC;
    *s = (rbv_result_spring){.joint = x->joint, .unit = slides ? "N/m" : "N m/rad"};
    take(s, value);
    if (!spread(s, without, nblock, x->cubic, size, value[TORQUE])) s->sigma = INFINITY;
    s->delay_s = late_by(whole, size);
    // torque at which the spring of the first recording is relaxed
    double bend = x->mean[0][BEND];
    for (int c = 0; c < BEND; c++) bend -= value[c] * x->mean[0][c];
    s->offset = -bend * s->stiffness;
  }
  rbv_qr_free(all);
  rbv_free(R);
  return status;
}

static spring_data data_of(const rbv_model *m, int joint, rbv_deflections *const *recording,
                           int nrecording, double share) {
  rbv_smoothing how = rbv_model_smoothing(m, joint);
  return (spring_data){.m = m,
                       .recording = recording,
                       .nrecording = nrecording,
                       .joint = joint,
                       .cubic = has_column(m, "Kc", joint),
                       .share = share,
                       .how = how};
}

rbv_status rbv_springs_fit(rbv_result_spring *out, int *count, const rbv_model *m,
                           rbv_deflections *const *recording, int nrecording, double share) {
  *count = 0;
  double(*mean)[COLUMNS] = rbv_alloc((size_t)(nrecording + 1) * sizeof *mean);
  rbv_status status = mean ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < rbv_model_joint_count(m) && status == RBV_OK; j++) {
    spring_data x = data_of(m, j, recording, nrecording, share);
    x.mean = mean;
    bool found = false;
    rbv_result_spring s;
    if (!is_recorded(&x)) continue;
    status = fit(&s, &found, &x);
    if (status != RBV_OK || !found) continue;
    spring_errors e;
    (void)rbv_spring_predict(&e, &s, m, recording, nrecording);
    s.deflection = e.rigid;
    s.rest = e.elastic;
    out[(*count)++] = s;
  }
  rbv_free(mean);
  return status;
}

void rbv_spring_tell(const rbv_result_spring *s, const rbv_model *m, const rbv_notes *notes) {
  const rbv_joint *joint = rbv_model_joint(m, s->joint);
  const bool slides = joint->type == RBV_JOINT_PRISMATIC;
  if (!isfinite(s->sigma)) {
    rbv_tell(
        notes, NULL,
        "spring of %s: the deflection (rms %.3g %s) does not follow the torque, so there is no "
        "stiffness",
        joint->name, s->deflection, slides ? "m" : "rad");
    return;
  }
  rbv_tell(notes, NULL,
           "spring of %s: stiffness %.4g +- %.2g %s, rotor inertia %.3g +- %.2g, from encoders on "
           "both sides; of the deflection (rms %.3g %s) %.0f %% are left",
           joint->name, s->stiffness, s->sigma, s->unit, s->inertia, s->inertia_sigma,
           s->deflection, slides ? "m" : "rad", 100 * s->rest / s->deflection);
}

/* ---- prediction ---- */

/* deflection of a spring whose damping is not known to the motor */
static double predicted(const double row[COLUMNS], const rbv_result_spring *s) {
  const double torque = row[TORQUE] + s->inertia * row[INERTIA] + s->viscous * row[VISCOUS] +
                        s->coulomb * row[COULOMB] + s->offset * row[OFFSET];
  double d = torque / s->stiffness;
  for (int i = 0; i < 30 && s->cubic != 0; i++) {
    const double slope = s->stiffness + 3 * s->cubic * d * d;
    if (!(slope > 0)) break;
    d -= (s->stiffness * d + s->cubic * d * d * d - torque) / slope;
  }
  return d;
}

bool rbv_spring_predict(spring_errors *out, const rbv_result_spring *s, const rbv_model *m,
                        rbv_deflections *const *recording, int nrecording) {
  const spring_data x = data_of(m, s->joint, recording, nrecording, 1);
  double square[3] = {0}, row[COLUMNS];
  ptrdiff_t total = 0;
  for (int i = 0; i < nrecording; i++) {
    ptrdiff_t first, end;
    if (!recording[i] || !recording[i]->recorded[s->joint]) continue;
    find_range(&first, &end, recording[i], 1);
    if (end <= first) continue;
    // about the mean of each recording
    double sum[3] = {0}, sum2[3] = {0};
    for (ptrdiff_t k = first; k < end; k++) {
      fill_row(row, recording[i], s->joint, k, x.how);
      const double late = row[BEND] + s->delay_s * row[VISCOUS];
      const double e[3] = {row[BEND], late, row[BEND] - predicted(row, s)};
      for (int a = 0; a < 3; a++) {
        sum[a] += e[a];
        sum2[a] += e[a] * e[a];
      }
    }
    const ptrdiff_t n = end - first;
    total += n;
    for (int a = 0; a < 3; a++) square[a] += sum2[a] - sum[a] * sum[a] / (double)n;
  }
  double *const to[3] = {&out->rigid, &out->late, &out->elastic};
  for (int a = 0; a < 3; a++) *to[a] = total > 0 ? sqrt(fmax(square[a], 0) / (double)total) : NAN;
  return total > 0;
}

/* ---- springs of a result ---- */

void rbv_tell_rigid_joints(const rbv_model *m, const double *chi, const char *consumer,
                           const rbv_notes *notes) {
  const int count = rbv_model_springs(NULL, NULL, NULL, m, chi);
  if (count > 0)
    rbv_tell(notes, NULL, "%s takes joints as rigid; %d of robot '%s' are elastic", consumer, count,
             rbv_model_name(m));
}

static void set(double *chi, const rbv_model *m, const char *law, int joint, double value) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->joint == joint && rbv_column_has_law(rbv_model_column(m, c), law))
      chi[c] = value;
}

/* unknowns of output error: "stiffness2", "damping2" */
static const char *law_of_unknown(int *joint, const char *name) {
  static const char *const known[][2] = {{"stiffness", "Kj"}, {"damping", "Dj"}};
  for (int i = 0; i < RBV_COUNT(known); i++) {
    const size_t length = strlen(known[i][0]);
    char rest;
    if (strncmp(name, known[i][0], length) == 0 && sscanf(name + length, "%d%c", joint, &rest) == 1)
      return known[i][1];
  }
  return NULL;
}

void rbv_springs_apply(double *chi, const rbv_model *m, const rbv_result *r) {
  for (int i = 0; i < r->nspring; i++) {
    const rbv_result_spring *s = &r->spring[i];
    if (!isfinite(s->sigma) || !(s->stiffness > 0)) continue;
    set(chi, m, "Kj", s->joint, s->stiffness);
    set(chi, m, "Kc", s->joint, fmax(s->cubic, 0));
    set(chi, m, "Dj", s->joint, fmax(s->damping, 0));
  }
  for (int i = 0; i < r->loop.nunknown; i++) {
    int joint;
    const char *law = law_of_unknown(&joint, r->loop.unknown[i].name);
    if (law) set(chi, m, law, joint - 1, r->loop.unknown[i].value);
  }
}

void rbv_springs_list(rbv_text *out, const rbv_result *r, const char *list) {
  if (list) rbv_text_put(out, list);
  for (int i = 0; i < r->nspring; i++)
    if (isfinite(r->spring[i].sigma) && r->spring[i].stiffness > 0)
      rbv_text_print(out, "%sKj%d,Dj%d", out->size ? "," : "", r->spring[i].joint + 1,
                     r->spring[i].joint + 1);
  for (int i = 0; i < r->loop.nunknown; i++) {
    int joint;
    const char *law = law_of_unknown(&joint, r->loop.unknown[i].name);
    if (law) rbv_text_print(out, "%s%s%d", out->size ? "," : "", law, joint);
  }
}
