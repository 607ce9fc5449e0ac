/* Identification of the control law: choice of the method, result per joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/law_search.h"

// relative simulation error below which least squares is accepted without comparison
#define EXACT 1e-4
#define SIGNIFICANT 5  // in standard deviations
#define AS_GOOD 1.02   // largest ratio of the errors of ls and sriv at which ls is kept

static const char *const methods[] = {"auto", "ls", "sriv", "pem"};

const char *rbv_control_id_method_name(rbv_control_id_method method) { return methods[method]; }

bool rbv_control_id_method_parse(rbv_control_id_method *out, const char *name) {
  const int i = RBV_FIND_TEXT(methods, RBV_COUNT(methods), name);
  if (i >= 0) *out = (rbv_control_id_method)i;
  return i >= 0;
}

rbv_control_id_options rbv_control_id_defaults(void) {
  return (rbv_control_id_options){.order = ORDER_MAX, .delay = 4, .feedforward = true};
}

/* ---- result ---- */

static void write_structure_name(rbv_control_found *f, const candidate *c) {
  const law_structure *s = &c->structure;
  static const char *const extra[] = {"", ", dq_r", ", dq_r and ddq_r", ""};
  char what[40];
  if (c->gains.kind == RBV_CONTROL_TRANSFER)
    snprintf(what, sizeof what, "transfer function %d/%d%s", s->nb, s->na + s->integrates,
             s->integrates ? " with integrator" : "");
  else if (c->gains.kind == RBV_CONTROL_CASCADE)
    snprintf(what, sizeof what, "cascade%s", s->na ? " with filter" : "");
  else
    snprintf(what, sizeof what, "p%s%s%s", s->integrates ? "i" : "",
             s->nb > s->integrates ? "d" : "", s->na ? " with filter" : "");
  snprintf(f->structure, sizeof f->structure, "%s%s", what, extra[s->extra]);
}

static void take_gains(rbv_control_found *f, const candidate *c, double T) {
  f->ngain = c->gains.count;
  for (int i = 0; i < f->ngain; i++) {
    static const char *const found[] = {"pole", "b", "k_v", "k_a"};
    static const char *const written[] = {"filter_s", "reference_velocity", "velocity_gain",
                                          "acceleration_gain"};
    const char *name = c->gains.name[i];
    f->gain[i].value = c->gains.value[i];
    f->gain[i].sigma = c->gains.sigma[i];
    for (int k = 0; k < RBV_COUNT(found); k++)
      if (strcmp(name, found[k]) == 0) name = written[k];
    if (strcmp(name, "filter_s") == 0) {
      // filter_s = -T / log p
      const double p = f->gain[i].value, slope = T / (p * log(p) * log(p));
      f->gain[i].value = -T / log(p);
      f->gain[i].sigma *= slope;
    }
    snprintf(f->gain[i].name, sizeof f->gain[i].name, "%s", name);
  }
}

/* true if one of these coefficients differs significantly from zero */
static bool is_significant(const candidate *c, int first, int count) {
  for (int i = first; i < first + count; i++)
    if (fabs(c->fit.p[i]) > SIGNIFICANT * sqrt(c->fit.covariance[i + i * c->fit.n])) return true;
  return false;
}

static rbv_status fill_found(rbv_control_found *f, joint_data *d, const candidate *c,
                             law_method method) {
  const law_problem b =
      joint_data_problem(d, &c->structure, c->side == SIDE_EQUATION ? SIDE_TORQUE : c->side);
  const double rms = sqrt((double)d->used);
  f->law = rbv_control_joint_defaults();
  if (c->possible) f->law = structure_joint(&c->gains, &c->structure, d->period_s);
  if (isfinite(d->lower) || isfinite(d->upper)) {
    const double limit =
        fmax(isfinite(d->lower) ? -d->lower : 0, isfinite(d->upper) ? d->upper : 0);
    f->law.lower = isfinite(d->lower) ? d->lower : -limit;
    f->law.upper = isfinite(d->upper) ? d->upper : limit;
    if (!(f->law.lower < f->law.upper)) f->law.lower = -INFINITY, f->law.upper = INFINITY;
  }
  f->backwards = c->side == SIDE_ERROR;
  f->method = method == LAW_LS     ? RBV_CONTROL_ID_LS
              : method == LAW_SRIV ? RBV_CONTROL_ID_SRIV
                                   : RBV_CONTROL_ID_PEM;
  f->integrates = c->structure.integrates;
  f->order = c->structure.na + c->structure.integrates;
  f->criterion = c->criterion;
  f->dependence = c->dependence;
  f->noise_order = c->fit.noise_order;
  f->iterations = c->fit.iterations;
  f->converged = c->fit.converged;
  f->used = d->used;
  f->saturated = d->saturated;
  double error;
  RBV_TRY(search_error(&error, d, c, c->side == SIDE_EQUATION ? SIDE_TORQUE : c->side));
  f->fit = 1 - error;
  f->residual = error * search_norm(&b, b.out, true) / rms;
  f->resolution = d->resolution;
  write_structure_name(f, c);
  take_gains(f, c, d->period_s);
  // the law is accepted if it explains most of the signal, or all that the position resolution
  // permits, and if the coefficients of the input are significant
  const bool fits = f->fit > 0.5 || (f->backwards && f->residual < RESOLVED * f->resolution);
  f->explained = c->possible && fits && is_significant(c, b.nf, b.ng[0]);
  rbv_transfer H = {.nnum = 0};
  rbv_control *one;
  RBV_TRY(rbv_control_new(&one, NULL, 1 / d->period_s, RBV_FEEDFORWARD_NONE, &f->law, 1));
  const rbv_status status = rbv_control_transfer(&H, one, 0);
  rbv_control_free(one);
  double pole;
  if (status == RBV_OK) rbv_transfer_extent(&f->zero, &pole, &H);
  return status;
}

/* difference of the criterion if the integrator is replaced by a free pole */
static rbv_status compare_free_pole(rbv_control_found *f, joint_data *d, const candidate *c,
                                    law_method method) {
  f->integrator_gain = NAN;
  if (!c->structure.integrates || c->structure.na + 1 >= LAW_COEFFICIENTS) return RBV_OK;
  law_structure s = c->structure;
  s.integrates = false;
  s.na++;
  if (s.extra == EXTRA_CASCADE) return RBV_OK;
  candidate freed;
  RBV_TRY(search_estimate(&freed, d, &s, c->side, method, NULL));
  if (isfinite(freed.criterion)) f->integrator_gain = freed.criterion - c->criterion;
  return RBV_OK;
}

/*
 * Why refined instruments. Where the recorded positions do not resolve the tracking error, most of
 * it is rounding: what a good law leaves of it can be 40 %, which says nothing about its gains.
 */
static void explain_refined(rbv_control_found *f, const candidate *c,
                            rbv_control_id_method wanted) {
  const char *place = c->side == SIDE_ERROR ? "recorded positions" : "recorded torque";
  char ls[48] = "cannot be simulated";
  if (f->error_ls < 1e6) snprintf(ls, sizeof ls, "is off by %.3g %%", 100 * f->error_ls);
  const bool resolved = !f->backwards || f->residual > RESOLVED * f->resolution;
  if (wanted == RBV_CONTROL_ID_AUTO && !resolved)
    snprintf(
        f->reason, sizeof f->reason,
        "the noise is in the %s, which the controller did not use: the law of least squares "
        "%s, that of refined instruments explains all of the tracking error that the positions "
        "resolve; the sigma of its gains says how good it is",
        place, ls);
  else if (wanted == RBV_CONTROL_ID_AUTO)
    snprintf(
        f->reason, sizeof f->reason,
        "the recorded signals are not those that the controller used, the noise is in the %s: the "
        "law of least squares %s, the law of refined instruments is off by %.3g %%",
        place, ls, 100 * f->error_sriv);
  else
    snprintf(f->reason, sizeof f->reason, "%s was requested; the noise is in the %s",
             rbv_control_id_method_name(wanted), place);
}

static rbv_status identify_joint(rbv_control_found *f, joint_data *d) {
  const rbv_control_id_method wanted = d->o->method;
  candidate ls, sriv;
  f->error_ls = f->error_sriv = NAN;
  const bool compare = wanted == RBV_CONTROL_ID_AUTO;
  if (compare || wanted == RBV_CONTROL_ID_LS) {
    RBV_TRY(search_ls(&ls, d));
    RBV_TRY(search_error(&f->error_ls, d, &ls, SIDE_TORQUE));
    const bool exact = f->error_ls < EXACT;
    if (!compare || exact) {
      snprintf(f->reason, sizeof f->reason,
               exact
                   ? "the recorded signals are those that the controller used: torque simulated "
                     "with the law of "
                     "least squares is off by %.2g %%"
                   : "least squares was requested; torque simulated with its law is off by %.2g %%",
               100 * f->error_ls);
      RBV_TRY(compare_free_pole(f, d, &ls, LAW_LS));
      return fill_found(f, d, &ls, LAW_LS);
    }
  }
  RBV_TRY(search_sriv(&sriv, d));
  RBV_TRY(search_error(&f->error_sriv, d, &sriv, sriv.side));
  if (compare) RBV_TRY(search_error(&f->error_ls, d, &ls, sriv.side));
  if (compare && ls.possible && f->error_ls <= AS_GOOD * f->error_sriv) {
    snprintf(f->reason, sizeof f->reason,
             "least squares simulates as well as refined instruments: off by %.3g %% and %.3g %%",
             100 * f->error_ls, 100 * f->error_sriv);
    RBV_TRY(compare_free_pole(f, d, &ls, LAW_LS));
    return fill_found(f, d, &ls, LAW_LS);
  }
  law_method method = LAW_SRIV;
  if (wanted == RBV_CONTROL_ID_PEM) {
    candidate pem;
    RBV_TRY(search_estimate(&pem, d, &sriv.structure, sriv.side, LAW_PEM, sriv.fit.p));
    if (pem.possible) {
      sriv = pem;
      method = LAW_PEM;
    }
  }
  RBV_TRY(compare_free_pole(f, d, &sriv, LAW_SRIV));
  RBV_TRY(fill_found(f, d, &sriv, method));
  explain_refined(f, &sriv, wanted);
  return RBV_OK;
}

static rbv_status check_arguments(int njoint, const rbv_control_record *r, int nrecord,
                                  const rbv_control_id_options *o) {
  if (!r || nrecord < 1 || njoint < 1)
    return rbv_fail(RBV_EARG, "at least one recording and one joint are needed");
  if (!(o->rate_hz > 0) || !isfinite(o->rate_hz))
    return rbv_fail(RBV_EINPUT,
                    "the sample rate of the recording is not known: add a time column t");
  if (o->order < 1 || o->order > ORDER_MAX)
    return rbv_fail(RBV_EARG, "the order of a control law must be 1 to %d", ORDER_MAX);
  if (o->delay < 0 || o->delay > DELAY_MAX)
    return rbv_fail(RBV_EARG, "the largest delay must be 0 to %d samples", DELAY_MAX);
  for (int i = 0; i < nrecord; i++) {
    const char *name = r[i].name ? r[i].name : "record";
    if (!r[i].qr)
      return rbv_fail(
          RBV_EINPUT,
          "%s: a control law cannot be identified without the reference: record it as qr1, "
          "qr2, ...",
          name);
    if (!r[i].qm || !r[i].tau)
      return rbv_fail(
          RBV_EINPUT,
          "%s: a control law computes torque from position: record both, as q1, ... and "
          "tau1, ...",
          name);
  }
  return RBV_OK;
}

/* the joints as jobs */
typedef struct {
  const rbv_control_record *record;
  int nrecord;
  const rbv_control_id_options *o;
  rbv_control_found *found;
} all_joints;

static rbv_status run_joint(rbv_bytes *out, void *worker, void *self, ptrdiff_t j) {
  (void)worker;
  const all_joints *a = self;
  joint_data d = {.o = a->o,
                  .number = (int)j + 1,
                  .period_s = 1 / a->o->rate_hz,
                  .lower = -INFINITY,
                  .upper = INFINITY};
  rbv_control_found found = {0};
  rbv_status status = joint_data_load(&d, a->record, a->nrecord, (int)j);
  if (status == RBV_OK) status = identify_joint(&found, &d);
  joint_data_free(&d);
  if (status == RBV_OK) rbv_bytes_add(out, &found, sizeof found);
  return status;
}

static rbv_status take_joint(void *self, ptrdiff_t j, const void *data, size_t size) {
  const all_joints *a = self;
  memcpy(&a->found[j], data, size);
  return RBV_OK;
}

rbv_status rbv_control_identify(rbv_control **out, rbv_control_found *found, int njoint,
                                const rbv_control_record *record, int nrecord,
                                const rbv_control_id_options *options) {
  *out = NULL;
  rbv_control_id_options chosen = options ? *options : rbv_control_id_defaults();
  if (chosen.order == 0) chosen.order = ORDER_MAX;
  RBV_TRY(check_arguments(njoint, record, nrecord, &chosen));
  all_joints a = {.record = record, .nrecord = nrecord, .o = &chosen, .found = found};
  const rbv_jobs jobs = {.name = "control laws of joints",
                         .count = njoint,
                         .self = &a,
                         .run = run_joint,
                         .take = take_joint,
                         .shared = true};
  RBV_TRY(rbv_jobs_run(NULL, &jobs, &(rbv_jobs_options){.threads = chosen.threads}));
  RBV_NEW(rbv_control_joint, joint, njoint);
  bool all = true;
  for (int j = 0; j < njoint; j++) {
    joint[j] = found[j].law;
    all = all && found[j].explained;
  }
  rbv_status status = RBV_OK;
  if (all)
    status =
        rbv_control_new(out, "identified", chosen.rate_hz, RBV_FEEDFORWARD_NONE, joint, njoint);
  rbv_free(joint);
  return status;
}
