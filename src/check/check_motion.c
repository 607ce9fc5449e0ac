/* Defects of the motion: units, sample rate, standstill, speed, shared waveforms. */
#include <math.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>
#include "signal/signal.h"

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_MOTION);

static double sample_time(const view *v, ptrdiff_t k) {
  return v->stamps.start + (double)k / v->rate_hz;
}

/* ---- units ---- */

/* how far beyond its limits a joint is, as a factor of the span; at most 1 inside */
static double excess(const rbv_limits *l, double low, double high, double scale) {
  const double span = l->upper - l->lower;
  if (!isfinite(span) || !(span > 0)) return (high - low) * scale / TURNED_FAR;
  const double middle = (l->upper + l->lower) / 2;
  return 2 * fmax(high * scale - middle, middle - low * scale) / span;
}

typedef struct {
  double low, high, fast;  // positions and speed (99 %)
} reach;

static rbv_status measure_reach(reach *r, const view *v, int j, double *work) {
  const double p[] = {0.005, 0.995, 0.99};
  double q[2];
  RBV_TRY(rbv_stats_quantiles(q, work, v->raw + j * v->count, v->count, p, 2));
  for (ptrdiff_t k = 0; k < v->count; k++) work[k] = fabs(v->dq[k + j * v->count]);
  RBV_TRY(rbv_stats_quantiles(&r->fast, work, work, v->count, p + 2, 1));
  r->low = q[0];
  r->high = q[1];
  return RBV_OK;
}

/* the larger of position and speed, relative to their limits */
static double demand(const rbv_joint *joint, const reach *r, double scale) {
  const double fast = isfinite(joint->limits.velocity) && joint->limits.velocity > 0
                          ? joint->limits.velocity
                          : TURNED_FAST;
  return fmax(excess(&joint->limits, r->low, r->high, scale), r->fast * scale / fast);
}

/*
 * True if a joint jumps from pose to pose: it rests at half of the samples, and most of its travel
 * is in steps that are faster than its limit.
 */
static bool jumps(const view *v, int j, double limit) {
  const double *q = v->raw + j * v->count;
  double travel = 0, jumped = 0;
  ptrdiff_t still = 0, count = 0;
  for (ptrdiff_t k = 1; k < v->count; k++) {
    const double step = fabs(q[k] - q[k - 1]), speed = step * v->rate_hz;
    travel += step;
    still += speed < REST_SPEED * limit;
    if (speed <= BEYOND * limit || step < JUMP_COUNTS * v->resolution[j]) continue;
    jumped += step;
    count++;
  }
  return count >= LEAST_JUMPS && 2 * still > v->count && jumped > JUMPED_SHARE * travel;
}

static bool detect_poses(examination *x, view *v) {
  int moving = 0, jumping = 0;
  for (int j = 0; j < v->njoint; j++) {
    const double limit = rbv_model_joint(x->model, j)->limits.velocity;
    moving += v->speed[j] > 0;
    jumping += jumps(v, j, isfinite(limit) && limit > 0 ? limit : TURNED_FAST);
  }
  if (jumping == 0 || 2 * jumping < moving) return false;
  v->unreliable = true;
  rbv_add_finding(
      x, finding_of(RBV_FINDING_LIMITS, RBV_SEVERITY_WARNING, v, -1, (double)jumping),
      "%s: %d joints jump from pose to pose, faster than they can move, and rest between. Such a "
      "recording has no velocities and accelerations, so only gravity and offsets can be "
      "identified. Record the motion between the poses",
      rbv_log_name(v->log), jumping);
  return true;
}

rbv_status rbv_detect_limits(examination *x, view *v) {
  if (detect_poses(x, v)) return RBV_OK;
  double *work = rbv_alloc((size_t)v->count * sizeof *work);
  reach *r = rbv_alloc((size_t)v->njoint * sizeof *r);
  rbv_status status = work && r ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < v->njoint && status == RBV_OK; j++) status = measure_reach(&r[j], v, j, work);
  int turning = 0, beyond = 0, far_beyond = 0, inside = 0;
  double largest = 0;
  for (int j = 0; j < v->njoint && status == RBV_OK; j++) {
    const rbv_joint *joint = rbv_model_joint(x->model, j);
    if (joint->type != RBV_JOINT_REVOLUTE || !(r[j].high > r[j].low)) continue;
    const double as_radians = demand(joint, &r[j], 1), as_degrees = demand(joint, &r[j], DEGREE);
    const double turned = excess(&joint->limits, r[j].low, r[j].high, DEGREE);
    const double far = excess(&joint->limits, r[j].low, r[j].high, 1);
    turning++;
    largest = fmax(largest, far);
    beyond += as_radians > BEYOND;
    // a jump from pose to pose is fast, but not in degrees
    far_beyond += far > FAR_BEYOND;
    // limits of speed are often those of a controller, and too low
    inside += turned <= BEYOND && as_degrees <= FAR_BEYOND;
  }
  // most joints impossible as radians, all of them possible as degrees
  if (status == RBV_OK && 2 * far_beyond > turning && inside == turning) {
    v->unreliable = true;
    rbv_add_finding(
        x,
        finding_with(finding_of(RBV_FINDING_DEGREES, RBV_SEVERITY_ERROR, v, -1, 1 / DEGREE), "map"),
        "%s: the positions look like degrees: %d of %d joints exceed their limits (up to %.3g "
        "times), and none does after division by 57.3. Write `unit: deg` in a column map",
        rbv_log_name(v->log), far_beyond, turning, largest);
  } else if (status == RBV_OK && beyond > 0) {
    for (int j = 0; j < v->njoint; j++) {
      const rbv_joint *joint = rbv_model_joint(x->model, j);
      if (!(demand(joint, &r[j], 1) > BEYOND)) continue;
      char words[JOINT_LABEL];
      rbv_joint_label(words, x, j);
      rbv_add_finding(
          x, finding_of(RBV_FINDING_LIMITS, RBV_SEVERITY_WARNING, v, j, r[j].high),
          "%s: %s moves from %.4g to %.4g at up to %.4g per second, %.3g times its limits. Check "
          "unit and gear ratio of its positions, and the limits of the robot",
          rbv_log_name(v->log), words, r[j].low, r[j].high, r[j].fast, demand(joint, &r[j], 1));
    }
  }
  rbv_free(work);
  rbv_free(r);
  return status;
}

/* recorded velocities against the slope of the positions */
rbv_status rbv_detect_velocity(examination *x, view *v) {
  if (v->count != rbv_log_samples(v->log)) return RBV_OK;  // the grid is not the log's
  for (int j = 0; j < v->njoint; j++) {
    const double *recorded = rbv_log_channel(v->log, RBV_CHANNEL_VELOCITY, j);
    const double *slope = v->dq + j * v->count;
    if (!recorded) return RBV_OK;
    double xy = 0, xx = 0, yy = 0;
    for (ptrdiff_t k = 0; k < v->count; k++) {
      if (!v->keep[k] || !isfinite(recorded[k])) continue;
      xy += slope[k] * recorded[k];
      xx += slope[k] * slope[k];
      yy += recorded[k] * recorded[k];
    }
    const double gain = xx > 0 ? xy / xx : 1, fit = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
    if (fit > VELOCITY_FIT && gain < VELOCITY_FACTOR && gain > 1 / VELOCITY_FACTOR) continue;
    if (!(v->speed[j] > v->still[j]) || yy == 0) continue;
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, j);
    rbv_add_finding(
        x, finding_of(RBV_FINDING_VELOCITY, RBV_SEVERITY_WARNING, v, j, gain),
        "%s: the recorded velocity of %s is %.3g times the slope of its position (correlation "
        "%.2f). Check unit, sign and gear ratio of both",
        rbv_log_name(v->log), words, gain, fit);
  }
  return RBV_OK;
}

/* ---- rate ---- */

/* share of the velocity's energy above a quarter of the sample rate, without the noise floor */
static double fast_share(const double *psd, double *work, ptrdiff_t half) {
  // noise floor of the positions: low quantile of the upper half band; more than FLOOR_FACTOR times
  // that is signal
  double floor_level = 0;
  if (rbv_stats_quantiles(&floor_level, work, psd + half / 2, half / 2, &FLOOR_QUANTILE, 1) !=
      RBV_OK)
    return 0;
  double all = 0, fast = 0;
  for (ptrdiff_t k = 1; k <= half; k++) {
    const double power = fmax(psd[k] - FLOOR_FACTOR * floor_level, 0) * (double)k * (double)k;
    all += power;
    if (2 * k > half) fast += power;
  }
  return all > 0 ? fast / all : 0;
}

/* True if the positions vary by more than the rounding of an encoder above a quarter of the sample
 * rate. The variance of rounding is resolution^2 / 12; a slow encoder has it at single frequencies.
 */
static bool exceeds_rounding(const double *psd, ptrdiff_t half, double rate_hz, double resolution) {
  double fast = 0;
  for (ptrdiff_t k = half / 2 + 1; k <= half; k++) fast += psd[k] * rate_hz / (2 * (double)half);
  return fast > ROUNDING_FACTOR * resolution * resolution / 12;
}

rbv_status rbv_detect_aliasing(examination *x, view *v) {
  ptrdiff_t segment = 128;
  while (segment < 1024 && 4 * segment < v->count) segment *= 2;
  const ptrdiff_t half = segment / 2;
  rbv_spectrum *s = NULL;
  double *psd = rbv_alloc((size_t)(half + 1) * sizeof *psd);
  double *work = rbv_alloc((size_t)(half + 1) * sizeof *work);
  rbv_status status = psd && work ? rbv_spectrum_new(&s, segment) : RBV_EMEM;
  double worst = 0;
  int joint = -1;
  for (int j = 0; j < v->njoint && status == RBV_OK; j++) {
    status = rbv_spectrum_welch(psd, s, v->raw + j * v->count, v->count, v->rate_hz);
    const double share = status == RBV_OK ? fast_share(psd, work, half) : 0;
    // a joint that the mask removes does not matter
    if (v->speed[j] <= ALIASED_SPEED || share <= worst ||
        !exceeds_rounding(psd, half, v->rate_hz, v->resolution[j]))
      continue;
    worst = share;
    joint = j;
  }
  if (status == RBV_OK && worst > ALIASED_SHARE) {
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, joint);
    const bool badly = worst > ALIASED_BADLY;
    v->unreliable = v->unreliable || badly;
    rbv_add_finding(
        x,
        finding_of(RBV_FINDING_ALIASING, badly ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING, v,
                   joint, worst),
        "%s: %.3g Hz is too low for this motion: %.2g %% of the velocity's energy of %s is above "
        "%.3g Hz, with less than four samples per period, and energy above %.3g Hz is aliased. "
        "Record faster, or move more slowly",
        rbv_log_name(v->log), v->rate_hz, 100 * worst, words, v->rate_hz / 4, v->rate_hz / 2);
  }
  rbv_spectrum_free(s);
  rbv_free(psd);
  rbv_free(work);
  return status;
}

/* ---- standstill ---- */

static bool all_rest(const view *v, ptrdiff_t k) {
  for (int j = 0; j < v->njoint; j++)
    if (fabs(v->dq[k + j * v->count]) > v->still[j]) return false;
  return true;
}

/* the longest standstill of all joints, and the total */
static void find_rest(ptrdiff_t *first, ptrdiff_t *longest, ptrdiff_t *total, const view *v) {
  const ptrdiff_t least = (ptrdiff_t)(REST_LEAST * v->rate_hz);
  *first = -1;
  *longest = *total = 0;
  for (ptrdiff_t k = 0; k < v->count; k++) {
    ptrdiff_t end = k;
    while (end < v->count && all_rest(v, end)) end++;
    const ptrdiff_t run = end - k;
    if (run >= least) *total += run;
    if (run >= least && run > *longest) {
      *longest = run;
      *first = k;
    }
    k = end;
  }
}

/* A recording of a pose: no sample of a joint is faster than the noise of its encoder explains. */
rbv_status rbv_detect_standstill(examination *x, view *v) {
  for (int j = 0; j < v->njoint; j++) {
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t k = 0; k < v->count; k++) {
      low = fmin(low, v->q[k + j * v->count]);
      high = fmax(high, v->q[k + j * v->count]);
      if (fabs(v->dq[k + j * v->count]) > NOISE_PEAK * v->still[j]) return RBV_OK;
    }
    // what alternates from sample to sample is no noise either
    if (high - low > POSE_TRAVEL) return RBV_OK;
  }
  v->unreliable = true;
  rbv_add_finding(x, finding_of(RBV_FINDING_CONSTANT, RBV_SEVERITY_ERROR, v, -1, NAN),
                  "%s: no joint moves, so nothing can be identified. Record a motion, for instance "
                  "one of `roberval excite`",
                  rbv_log_name(v->log));
  return RBV_OK;
}

rbv_status rbv_detect_rest(examination *x, view *v) {
  ptrdiff_t first, longest, total;
  find_rest(&first, &longest, &total, v);
  const double share = (double)total / (double)v->count;
  if (share > REST_ALL) {
    rbv_finding f =
        finding_with(finding_of(RBV_FINDING_REST, RBV_SEVERITY_WARNING, v, -1, share), "mask");
    f.sample = first;
    rbv_add_finding(
        x, f,
        "%s: all joints stand still for %.0f %% of the time, longest from t = %.3f to %.3f s. At "
        "standstill the friction is undefined. Remove this part, or mask slow rows",
        rbv_log_name(v->log), 100 * share, sample_time(v, first),
        sample_time(v, first + longest - 1));
  }
  for (int j = 0; j < v->njoint; j++) {
    ptrdiff_t rest = 0;
    for (ptrdiff_t k = 0; k < v->count; k++) rest += fabs(v->dq[k + j * v->count]) <= v->still[j];
    const double own = (double)rest / (double)v->count;
    if (!(own - share > REST_ONE)) continue;
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, j);
    rbv_add_finding(
        x, finding_with(finding_of(RBV_FINDING_REST, RBV_SEVERITY_WARNING, v, j, own), "mask"),
        "%s: %s stands still for %.0f %% of the time, so less data determine its friction. "
        "Mask slow rows, or move it while the other joints move",
        rbv_log_name(v->log), words, 100 * own);
  }
  return RBV_OK;
}

rbv_status rbv_detect_slow(examination *x, view *v) {
  for (int j = 0; j < v->njoint; j++) {
    const rbv_joint *joint = rbv_model_joint(x->model, j);
    const bool slides = joint->type == RBV_JOINT_PRISMATIC;
    const double limit = joint->limits.velocity, *dq = v->dq + j * v->count;
    const double least =
        fmax(slides ? SLOW_SLIDE : SLOW_ANGLE, isfinite(limit) ? SLOW_SHARE * limit : 0);
    double fastest = 0;
    ptrdiff_t up = 0, down = 0;
    for (ptrdiff_t k = 0; k < v->count; k++) {
      fastest = fmax(fastest, fabs(dq[k]));
      up += dq[k] > v->still[j];
      down += dq[k] < -v->still[j];
    }
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, j);
    if (fastest < least) {
      rbv_add_finding(
          x, finding_of(RBV_FINDING_SLOW, RBV_SEVERITY_WARNING, v, j, fastest),
          "%s: %s never exceeds %.3g %s, so its friction and inertia cannot be identified. "
          "Move it faster than %.3g %s",
          rbv_log_name(v->log), words, fastest, slides ? "m/s" : "rad/s", least,
          slides ? "m/s" : "rad/s");
      continue;
    }
    const double rarer = (double)(up < down ? up : down) / (double)(up + down + 1);
    if (rarer > ONE_WAY_SHARE) continue;
    rbv_add_finding(
        x, finding_of(RBV_FINDING_ONE_WAY, RBV_SEVERITY_WARNING, v, j, rarer),
        "%s: %s moves %s for %.0f %% of its moving time, so Coulomb friction and offset "
        "cannot be separated. Move it in both directions",
        rbv_log_name(v->log), words, up > down ? "upwards" : "downwards", 100 * (1 - rarer));
  }
  return RBV_OK;
}

/* ---- equal signals ---- */

static double correlation(const double *a, const double *b, ptrdiff_t n) {
  double sa = 0, sb = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    sa += a[k];
    sb += b[k];
  }
  sa /= (double)n;
  sb /= (double)n;
  double ab = 0, aa = 0, bb = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    ab += (a[k] - sa) * (b[k] - sb);
    aa += (a[k] - sa) * (a[k] - sa);
    bb += (b[k] - sb) * (b[k] - sb);
  }
  return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* true if joints i and j have the same waveform */
static bool same_waveform(const view *v, int i, int j, double *least) {
  const double r = fabs(correlation(v->dq + i * v->count, v->dq + j * v->count, v->count));
  if (!(r > SAME_WAVEFORM)) return false;
  *least = fmin(*least, r);
  return true;
}

rbv_status rbv_detect_waveform(examination *x, view *v) {
  bool *listed = rbv_alloc((size_t)v->njoint * sizeof *listed);
  if (!listed) return RBV_EMEM;
  for (int i = 0; i < v->njoint; i++) {
    // one finding for all joints with this waveform
    char list[256];
    size_t used = (size_t)snprintf(list, sizeof list, "%d", i + 1);
    double least = 1;
    rbv_finding f = finding_of(RBV_FINDING_WAVEFORM, RBV_SEVERITY_WARNING, v, i, 1);
    for (int j = i + 1; j < v->njoint; j++) {
      if (listed[i] || listed[j] || !same_waveform(v, i, j, &least)) continue;
      listed[j] = true;
      if (f.other < 0) f.other = j;
      if (used + 8 < sizeof list)
        used += (size_t)snprintf(list + used, sizeof list - used, ", %d", j + 1);
    }
    if (f.other < 0) continue;
    f.value = least;
    rbv_add_finding(
        x, f,
        "%s: joints %s share one waveform (their velocities have a correlation of at least %.3f), "
        "so their effects are hard to separate. Use different frequencies for each joint",
        rbv_log_name(v->log), list, least);
  }
  rbv_free(listed);
  return RBV_OK;
}

/* correlation of all joints' positions at the lag where the fastest joint agrees best */
static rbv_status compare(double *agreement, const view *a, const view *b) {
  *agreement = 0;
  if (fabs(a->rate_hz / b->rate_hz - 1) > SAME_RATE) return RBV_OK;
  const ptrdiff_t n = a->count < b->count ? a->count : b->count;
  int fastest = 0;
  for (int j = 1; j < a->njoint; j++)
    if (a->speed[j] > a->speed[fastest]) fastest = j;
  rbv_delay_info d;
  // starts differ by up to two seconds; a subset of the samples keeps the search short
  const ptrdiff_t stride = 1 + n / 2000, m = n / stride;
  double *x = rbv_alloc(2 * (size_t)m * sizeof *x);
  if (!x) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < m; k++) {
    x[k] = a->q[k * stride + fastest * a->count];
    x[m + k] = b->q[k * stride + fastest * b->count];
  }
  ptrdiff_t lag = (ptrdiff_t)(2 * a->rate_hz) / stride;
  if (lag > m / 3) lag = m / 3;
  rbv_status status = rbv_delay_estimate(&d, x, x + m, m, lag, a->rate_hz / (double)stride);
  rbv_free(x);
  if (status != RBV_OK) return status;
  const ptrdiff_t shift = (ptrdiff_t)lrint(d.delay * a->rate_hz);
  const ptrdiff_t from_a = shift > 0 ? 0 : -shift, from_b = shift > 0 ? shift : 0;
  const ptrdiff_t overlap = n - (shift > 0 ? shift : -shift);
  *agreement = 1;
  for (int j = 0; j < a->njoint; j++) {
    const double *qa = a->q + from_a + j * a->count, *qb = b->q + from_b + j * b->count;
    // joints that hardly move are not compared
    if (a->speed[j] <= HARDLY_MOVES * a->still[j] && b->speed[j] <= HARDLY_MOVES * b->still[j])
      continue;
    *agreement = fmin(*agreement, correlation(qa, qb, overlap));
  }
  return RBV_OK;
}

rbv_status rbv_detect_repeated(examination *x) {
  for (int b = 1; b < x->nlog; b++)
    for (int a = 0; a < b; a++) {
      if (!x->view[a].usable || !x->view[b].usable) continue;
      double r;
      RBV_TRY(compare(&r, &x->view[a], &x->view[b]));
      if (!(r > SAME_FILE)) continue;
      rbv_finding f = finding_of(RBV_FINDING_REPEATED, RBV_SEVERITY_WARNING, &x->view[b], -1, r);
      f.other = a;
      rbv_add_finding(
          x, f,
          "%s repeats the trajectory of %s (the positions of each joint have a correlation "
          "of at least %.4f). It reduces noise but excites no further parameters, and one "
          "cannot validate the other",
          rbv_log_name(x->view[b].log), rbv_log_name(x->view[a].log), r);
      break;
    }
  return RBV_OK;
}
