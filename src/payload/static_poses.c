/* Poses at rest: found in a log, or chosen. */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <string.h>

#include "model/model_internal.h"
#include "payload/payload.h"
#include "payload/payload_internal.h"
#include "payload/wrench.h"

#define STILL 1e-3  // rad or m within a pose
#define RUN_MIN 5   // rows of a pose in a recording in time
#define SETTLING 5  // the first fifth of a pose
#define POSES_MAX 10000

/* ---- from a log ---- */

typedef struct {
  ptrdiff_t first, count;
} run;

static bool is_still(const double *const *q, int n, ptrdiff_t a, ptrdiff_t b) {
  for (int j = 0; j < n; j++)
    if (!(fabs(q[j][a] - q[j][b]) <= STILL)) return false;
  return true;
}

/* maximal runs of rows near the first one of the run; the longest one's rows */
static rbv_status find_runs(run **out, int *count, ptrdiff_t *longest, const double *const *q,
                            int n, ptrdiff_t samples) {
  *out = NULL;
  *count = 0;
  *longest = 0;
  for (ptrdiff_t k = 0; k < samples;) {
    ptrdiff_t end = k + 1;
    while (end < samples && is_still(q, n, k, end)) end++;
    if ((*count & (*count - 1)) == 0) {
      const size_t old = (size_t)*count * sizeof **out;
      run *more = rbv_realloc(*out, old, *count ? 2 * old : sizeof **out);
      if (!more) return RBV_EMEM;
      *out = more;
    }
    (*out)[(*count)++] = (run){k, end - k};
    if (end - k > *longest) *longest = end - k;
    k = end;
  }
  return RBV_OK;
}

/* keep the runs that are poses, without their settling */
static int keep_poses(run *r, int count, ptrdiff_t longest) {
  int kept = 0;
  const bool in_time = longest >= RUN_MIN;
  const ptrdiff_t least = longest / 10 > RUN_MIN ? longest / 10 : RUN_MIN;
  for (int i = 0; i < count; i++) {
    if (in_time && r[i].count < least) continue;
    const ptrdiff_t settling = in_time ? r[i].count / SETTLING : 0;
    r[kept++] = (run){r[i].first + settling, r[i].count - settling};
  }
  return kept;
}

static double mean_of(const double *x, const run *r) {
  double sum = 0;
  for (ptrdiff_t k = r->first; k < r->first + r->count; k++) sum += x[k];
  return sum / (double)r->count;
}

/* mean torque of a row of the model over a run; NaN: the log does not have it */
static double mean_torque(const rbv_log *log, const rbv_model *m, int row, const run *r,
                          const double *gain) {
  const int j = m->row[row].joint, n = m->njoint;
  const double *tau = rbv_log_channel(log, RBV_CHANNEL_TORQUE, j);
  const double *sensor = rbv_log_channel(log, RBV_CHANNEL_JOINT_TORQUE, j);
  double motor = NAN;
  if (tau) {
    motor = (gain ? gain[j] : 1) * mean_of(tau, r);
  } else if (rbv_log_channel(log, RBV_CHANNEL_MOTOR_TORQUE, j)) {
    motor = 0;
    for (int k = 0; k < n; k++) {
      const double *rotor = rbv_log_channel(log, RBV_CHANNEL_MOTOR_TORQUE, k);
      const double ratio = m->transmission[k + j * n];
      if (ratio != 0) motor += rotor ? ratio * (gain ? gain[k] : 1) * mean_of(rotor, r) : NAN;
    }
  }
  const double joint = sensor ? mean_of(sensor, r) : m->sensing == RBV_SENSING_JOINT ? motor : NAN;
  switch (m->row[row].torque) {
    case RBV_TORQUE_MOTOR: return motor;
    case RBV_TORQUE_JOINT: return joint;
    case RBV_TORQUE_DIFFERENCE: return motor - joint;
  }
  return NAN;
}

static rbv_status fill(rbv_poses *out, const rbv_model *m, const rbv_log *log,
                       const double *const *q, const run *r, const int wrench[6],
                       const double *gain) {
  const size_t n = (size_t)out->count;
  out->q = rbv_alloc(n * (size_t)m->njoint * sizeof *out->q);
  if (wrench)
    out->wrench = rbv_alloc(n * 6 * sizeof *out->wrench);
  else
    out->torque = rbv_alloc(n * (size_t)m->nrow * sizeof *out->torque);
  if (!out->q || !(wrench ? out->wrench : out->torque)) return RBV_EMEM;
  for (int k = 0; k < out->count; k++) {
    for (int j = 0; j < m->njoint; j++) out->q[k + j * out->count] = mean_of(q[j], &r[k]);
    for (int i = 0; i < 6 && wrench; i++)
      out->wrench[k + i * out->count] = mean_of(rbv_log_column_at(log, wrench[i])->values, &r[k]);
    for (int i = 0; i < m->nrow && !wrench; i++) {
      const double x = mean_torque(log, m, i, &r[k], gain);
      out->torque[k + i * out->count] = x;
      if (!isfinite(x))
        return rbv_fail(RBV_EINPUT, "%s: the %s torque of joint '%s' is missing or not a number",
                        rbv_log_name(log), rbv_torque_name(m->row[i].torque),
                        m->joint[m->row[i].joint].name);
    }
  }
  return RBV_OK;
}

void rbv_poses_free(rbv_poses *p) {
  if (!p) return;
  rbv_free(p->q);
  rbv_free(p->torque);
  rbv_free(p->wrench);
  *p = (rbv_poses){0};
}

rbv_status rbv_poses_from_log(rbv_poses *out, const rbv_model *m, rbv_log *log, const int wrench[6],
                              const double *gain) {
  *out = (rbv_poses){.njoint = m->njoint, .nrow = m->nrow};
  const double **q = rbv_alloc((size_t)m->njoint * sizeof *q);
  if (!q) return RBV_EMEM;
  run *r = NULL;
  int count = 0;
  ptrdiff_t longest;
  rbv_status status = RBV_OK;
  for (int j = 0; j < m->njoint && status == RBV_OK; j++) {
    q[j] = rbv_log_channel(log, RBV_CHANNEL_POSITION, j);
    if (!q[j])
      status = rbv_fail(RBV_EINPUT, "%s: the position of joint '%s' is missing", rbv_log_name(log),
                        m->joint[j].name);
  }
  if (status == RBV_OK)
    status = find_runs(&r, &count, &longest, q, m->njoint, rbv_log_samples(log));
  if (status == RBV_OK) {
    out->count = keep_poses(r, count, longest);
    if (out->count > POSES_MAX)
      status = rbv_fail(RBV_EINPUT, "%s: %d poses; is this a recording in motion?",
                        rbv_log_name(log), out->count);
  }
  if (status == RBV_OK) status = fill(out, m, log, q, r, wrench, gain);
  rbv_free(r);
  rbv_free(q);
  if (status != RBV_OK) rbv_poses_free(out);
  return status;
}

/* ---- chosen ---- */

#define CANDIDATES 2000
#define UNKNOWNS 10  // wrist: first moment, mass, bias

/* equations of one pose for first moment and mass (and bias); the number of them */
static rbv_status pose_rows(double *X, int *count, int *width, const rbv_model *m, double *W,
                            const double *q, bool wrist) {
  const double zero[MOVING_JOINTS] = {0};
  if (wrist) {
    *width = UNKNOWNS;
    *count = 6;
    return rbv_wrench_rows_at_rest(X, m, q);
  }
  *width = 4;
  *count = m->nrow;
  RBV_TRY(rbv_model_regressor(W, m, q, zero, zero));
  const int first = m->link_column[m->njoint - 1] + 6;
  for (int r = 0; r < m->nrow; r++)
    for (int i = 0; i < 4; i++) X[r * 4 + i] = W[r + (ptrdiff_t)(first + i) * m->nrow];
  return RBV_OK;
}

/* log det of A + X'X by Cholesky; -infinity: singular */
static double log_det(const double *A, const double *X, int count, int n) {
  double B[UNKNOWNS * UNKNOWNS], sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      B[i + j * n] = A[i + j * n];
      for (int r = 0; r < count; r++) B[i + j * n] += X[r * n + i] * X[r * n + j];
    }
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++) B[j + j * n] -= B[j + k * n] * B[j + k * n];
    if (!(B[j + j * n] > 0)) return -INFINITY;
    B[j + j * n] = sqrt(B[j + j * n]);
    sum += 2 * log(B[j + j * n]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++) B[i + j * n] -= B[i + k * n] * B[j + k * n];
      B[i + j * n] /= B[j + j * n];
    }
  }
  return sum;
}

static void random_pose(double *q, const rbv_model *m, uint64_t seed, int k) {
  for (int j = 0; j < m->njoint; j++) {
    const rbv_limits *l = &m->joint[j].limits;
    const bool bounded = isfinite(l->lower) && isfinite(l->upper);
    // a tenth of the range away from each end
    const double low = bounded ? l->lower : -1.5, high = bounded ? l->upper : 1.5;
    const double u = rbv_random_uniform(seed, (uint64_t)j, (uint64_t)k);
    q[j] = low + (0.1 + 0.8 * u) * (high - low);
  }
}

/* sigma from the information matrix: the first four unknowns */
static rbv_status predict_sigma(double sigma[4], const double *A, int n) {
  double value[UNKNOWNS], V[UNKNOWNS * UNKNOWNS];
  RBV_TRY(rbv_eigen_symmetric(value, V, A, n, n));
  for (int i = 0; i < 4; i++) {
    sigma[i] = 0;
    for (int k = 0; k < n; k++) sigma[i] += V[i + k * n] * V[i + k * n] / fmax(value[k], 1e-300);
    sigma[i] = value[0] > 1e-9 * value[n - 1] ? sqrt(sigma[i]) : INFINITY;
  }
  return RBV_OK;
}

typedef struct {
  double *W, *X, *q;  // nrow x ncolumn; candidates x rows x width; njoint
  double *line;       // 2 x njoint: from the last pose to a candidate; then zeros
  rbv_usage *usage;   // njoint
  bool *taken;        // candidates
} choice_work;

/* can the arm go straight from the last pose (or none) to this one? */
static rbv_status is_free(bool *yes, const rbv_model *m, const rbv_constraints *constraints,
                          const double *last, int stride, choice_work *w) {
  *yes = true;
  if (!constraints) return RBV_OK;
  const int n = m->njoint;
  for (int j = 0; j < n; j++) {
    w->line[2 * j] = last ? last[j * stride] : w->q[j];
    w->line[2 * j + 1] = w->q[j];
  }
  const rbv_motion_info info = {.name = "poses", .njoint = n, .count = 2, .rate_hz = 1};
  const rbv_samples s = {.ld = 2, .q = w->line, .dq = w->line + 2 * n, .ddq = w->line + 2 * n};
  rbv_motion *motion;
  rbv_usage_info used;
  RBV_TRY(rbv_motion_from_arrays(&motion, &info, &s));
  const rbv_status status = rbv_constraints_check_motion(&used, w->usage, m, constraints, motion);
  rbv_motion_free(motion);
  *yes = status == RBV_OK && used.feasible;
  return status;
}

static rbv_status choose(double *out, double sigma[4], const rbv_model *m,
                         const rbv_constraints *constraints, int count, bool wrist, uint64_t seed,
                         choice_work *w) {
  int rows = 0, n = 0;
  const int most = m->nrow > 6 ? m->nrow : 6;
  for (int k = 0; k < CANDIDATES; k++) {
    random_pose(w->q, m, seed, k);
    RBV_TRY(pose_rows(w->X + (ptrdiff_t)k * most * UNKNOWNS, &rows, &n, m, w->W, w->q, wrist));
  }
  // a weak start keeps the determinant positive until four poses are chosen
  double A[UNKNOWNS * UNKNOWNS] = {0};
  for (int i = 0; i < n; i++) A[i + i * n] = 1e-6;
  for (int k = 0; k < count;) {
    int best = -1;
    double largest = -INFINITY;
    for (int c = 0; c < CANDIDATES; c++) {
      if (w->taken[c]) continue;
      const double value = log_det(A, w->X + (ptrdiff_t)c * most * UNKNOWNS, rows, n);
      if (!(value > largest)) continue;
      largest = value;
      best = c;
    }
    if (best < 0) return rbv_fail(RBV_EINPUT, "only %d of %d poses keep the constraints", k, count);
    bool usable;
    w->taken[best] = true;
    random_pose(w->q, m, seed, best);
    RBV_TRY(is_free(&usable, m, constraints, k ? out + k - 1 : NULL, count, w));
    if (!usable) continue;
    const double *X = w->X + (ptrdiff_t)best * most * UNKNOWNS;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int r = 0; r < rows; r++) A[i + j * n] += X[r * n + i] * X[r * n + j];
    for (int j = 0; j < m->njoint; j++) out[k + j * count] = w->q[j];
    k++;
  }
  return predict_sigma(sigma, A, n);
}

rbv_status rbv_poses_choose(double *q, double sigma[4], const rbv_model *m,
                            const rbv_constraints *constraints, int count, bool wrist,
                            uint64_t seed) {
  RBV_TRY(rbv_model_need_chain(m, "The payload at the tip"));
  if (!q || !m || count < 1) return rbv_fail(RBV_EARG, "poses need a model and a number");
  if (m->njoint > MOVING_JOINTS) return rbv_fail(RBV_EUNSUPPORTED, "poses of %d joints", m->njoint);
  const int most = m->nrow > 6 ? m->nrow : 6;
  choice_work w = {0};
  w.W = rbv_alloc((size_t)m->nrow * (size_t)m->ncolumn * sizeof *w.W);
  w.X = rbv_alloc((size_t)CANDIDATES * (size_t)most * UNKNOWNS * sizeof *w.X);
  w.q = rbv_alloc((size_t)m->njoint * sizeof *w.q);
  w.line = rbv_alloc((size_t)(4 * m->njoint) * sizeof *w.line);
  w.usage = rbv_alloc((size_t)m->njoint * sizeof *w.usage);
  w.taken = rbv_alloc(CANDIDATES * sizeof *w.taken);
  const rbv_status status = w.W && w.X && w.q && w.line && w.usage && w.taken
                                ? choose(q, sigma, m, constraints, count, wrist, seed, &w)
                                : RBV_EMEM;
  rbv_free(w.line);
  rbv_free(w.usage);
  rbv_free(w.taken);
  rbv_free(w.W);
  rbv_free(w.X);
  rbv_free(w.q);
  return status;
}
