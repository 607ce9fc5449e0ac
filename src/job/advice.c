/* Advice after an estimate: what the robot file, the options or the checks may lack. */
#include <math.h>
#include <roberval/sys/check.h>

#include "control/control.h"
#include "identify/identify.h"
#include "job/identification_internal.h"

#define POORLY_EXPLAINED 0.2  // relative error of a joint that a coupling is looked for
#define NEGATIVE_SIGMAS 2     // a rotor inertia below zero by this is not explained by noise
#define LEAST_ROTORS 2        // rotor inertias that the estimate must contain
#define NO_WORSE 1.1          // error without rotors over error with them
#define FAR_OFF 0.2      // free run of the robot file over the tracking error: something is wrong
#define OTHER_UNIT 0.2   // free run with gains of another unit over that with the given ones
#define OTHER_ORDER 0.6  // free run with gains of other joints over that with the given ones

/* Send a sentence as a note, and keep it for the result. */
static rbv_status advise(rbv_identification *job, const char *code, const char *option,
                         const char *sentence) {
  rbv_tell(&job->notes, option, "%s", sentence);
  const size_t n = (size_t)job->nadvice;
  rbv_result_finding *longer =
      rbv_realloc(job->advice, n * sizeof *longer, (n + 1) * sizeof *longer);
  if (!longer) return RBV_EMEM;
  job->advice = longer;
  const char *copy = rbv_pool_keep(&job->advice_texts, sentence);
  if (!copy) return RBV_EMEM;
  longer[job->nadvice++] = (rbv_result_finding){code, copy, option};
  return RBV_OK;
}

/* ---- recordings without checks ---- */

/* the quick questions need a recording as a whole */
static rbv_status advise_checks(rbv_identification *job) {
  const rbv_recordings *sets[] = {&job->fit, &job->others};
  rbv_text names = {0};
  int count = 0;
  for (int k = 0; k < RBV_COUNT(sets); k++)
    for (int i = 0; i < sets[k]->count; i++)
      if (!sets[k]->check[i])
        rbv_text_print(&names, "%s%s", count++ ? ", " : "", sets[k]->input[i].path);
  rbv_text text = {0};
  rbv_text_print(&text,
                 "%s: read in pieces, so that corrupt rows, units and the order of the joints were "
                 "not questioned; allow more memory, or check a part of the recording",
                 names.data ? names.data : "");
  rbv_status status = names.failed || text.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK && count > 0) status = advise(job, "not questioned", "memory", text.data);
  rbv_text_free(&names);
  rbv_text_free(&text);
  return status;
}

/* ---- coupled drives ---- */

static bool is_poorly_explained(const rbv_fit *fit) {
  for (int r = 0; r < fit->nrow; r++)
    if (fit->row[r].relative_error > POORLY_EXPLAINED) return true;
  return false;
}

static bool names_joint(const rbv_fit *fit, const rbv_coupling *c) {
  for (int r = 0; r < fit->nrow; r++)
    if (fit->row[r].relative_error > POORLY_EXPLAINED &&
        (fit->row[r].joint == c->motor || fit->row[r].joint == c->joint))
      return true;
  return false;
}

static rbv_status advise_coupling(rbv_identification *job) {
  const rbv_fit *fit = &job->estimate->fit;
  if (!is_poorly_explained(fit)) return RBV_OK;
  RBV_NEW(rbv_coupling, found, (size_t)rbv_model_joint_count(job->model));
  int count = 0;
  rbv_status status =
      rbv_find_couplings(found, &count, job->model, job->fit.motion, job->fit.count);
  // a search that fails is no reason to lose the estimate
  if (status != RBV_OK && status != RBV_EMEM) status = RBV_OK;
  for (int i = 0; status == RBV_OK && i < count; i++) {
    char sentence[RBV_COUPLING_TEXT];
    if (!names_joint(fit, &found[i])) continue;
    status = rbv_coupling_describe(sentence, job->model, found, count, i);
    if (status == RBV_OK) status = advise(job, "coupling", NULL, sentence);
  }
  rbv_free(found);
  return status;
}

/* ---- sensing ---- */

/* rotor inertias of an estimate */
typedef struct {
  int all, negative;
  double lowest;   // smallest value over its sigma
  rbv_text names;  // of the negative ones
} rotors;

static rotors examine_rotors(const rbv_model *m, const rbv_estimate *e) {
  rotors r = {0};
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *column = rbv_model_column(m, e->base->kept[k]);
    if (!rbv_column_has_law(column, "Ia") || e->status[k] != RBV_STATUS_IDENTIFIED) continue;
    r.all++;
    // consistent bodies have no negative one
    const double value = e->standard ? e->free_value[k] : e->value[k];
    if (value >= 0) continue;
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
    rbv_text_print(&r.names, "%s%s", r.negative++ ? ", " : "", e->base->name[k]);
    r.lowest = fmin(r.lowest, value / sigma);
  }
  return r;
}

/* the model of the job with this sensing and without further friction terms */
static rbv_status plain_model(rbv_model **out, const rbv_identification *job, rbv_sensing sensing) {
  rbv_model_terms terms = rbv_model_get_terms(job->model);
  terms.sensing = (int)sensing;
  terms.gamma = job->options.robot.model.gamma;
  terms.nfriction = terms.nshape = 0;
  terms.smooth = NULL;
  return rbv_model_variant(out, job->model, &terms);
}

static rbv_status plain_estimate(rbv_estimate **out, const rbv_identification *job,
                                 const rbv_model *m, bool rough) {
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = job->how.filter;
  how.holdout = job->how.holdout;
  how.rough = rough;
  how.brief = true;
  return rbv_identify(out, m, job->fit.motion, job->fit.count, &how);
}

static rbv_status plain_error(double *error, const rbv_identification *job, rbv_sensing sensing) {
  rbv_model *m;
  rbv_estimate *e = NULL;
  RBV_TRY(plain_model(&m, job, sensing));
  const rbv_status status = plain_estimate(&e, job, m, true);
  if (status == RBV_OK) *error = e->iteration[e->iterations - 1].residual;
  rbv_estimate_free(e);
  rbv_model_free(m);
  return status;
}

/* errors of plain fits with and without the columns of the motor side */
static rbv_status compare_sensing(double *with, double *without, const rbv_identification *job) {
  RBV_TRY(plain_error(without, job, RBV_SENSING_JOINT));
  return plain_error(with, job, rbv_model_sensing(job->model));
}

/* Rotor inertias of the estimate; a pipeline with more terms or with consistent bodies hides
 * negative ones, so that a plain estimate is made beside it. */
static rbv_status find_rotors(rotors *out, const rbv_identification *job) {
  rbv_model *m = NULL;
  rbv_estimate *e = NULL;
  rbv_status status = RBV_OK;
  if (job->cross.chosen > 0) {
    status = plain_model(&m, job, rbv_model_sensing(job->model));
    if (status == RBV_OK) status = plain_estimate(&e, job, m, false);
  }
  *out = (rotors){0};
  if (status == RBV_OK) *out = examine_rotors(m ? m : job->model, e ? e : job->estimate);
  rbv_estimate_free(e);
  rbv_model_free(m);
  return status;
}

/*
 * Torques of joint sensors contain no rotor inertia. If most rotor inertias of an estimate are
 * negative, at least one of them beyond its uncertainty, and the fit without them is not worse, the
 * torques may be of that kind. Torques before the gear cannot. Rotor inertias that are positive but
 * uncertain are no evidence: a short recording of motor torques gives them too.
 */
static rbv_status advise_sensing(rbv_identification *job) {
  if (rbv_model_sensing(job->model) != RBV_SENSING_MOTOR) return RBV_OK;
  const int n = rbv_model_joint_count(job->model);
  for (int i = 0; i < n * n; i++)
    if (rbv_model_transmission(job->model)[i] != (i % (n + 1) == 0)) return RBV_OK;
  rotors r;
  RBV_TRY(find_rotors(&r, job));
  rbv_status status = r.names.failed ? RBV_EMEM : RBV_OK;
  double with = NAN, without = NAN;
  const bool absent =
      r.all >= LEAST_ROTORS && 2 * r.negative > r.all && r.lowest < -NEGATIVE_SIGMAS;
  // a comparison that fails is no reason to lose the estimate
  if (status == RBV_OK && absent && compare_sensing(&with, &without, job) == RBV_OK &&
      without <= NO_WORSE * with) {
    rbv_text text = {0};
    rbv_text_print(
        &text,
        "%d of %d rotor inertias are negative (%s), and the fit without rotors is as "
        "good (error %.3g %% with them, %.3g %% without). The torques look like those of "
        "joint torque sensors. If they are, identify with sensing joint",
        r.negative, r.all, r.names.data, 100 * with, 100 * without);
    status = text.failed ? RBV_EMEM : advise(job, "sensing", "sensing", text.data);
    rbv_text_free(&text);
  }
  rbv_text_free(&r.names);
  return status;
}

/* ---- gains of the wrong joints, or of another unit ---- */

/* rms over all joints of the free run of the robot file along the first recording */
static rbv_status try_laws(double *rms, const rbv_identification *job,
                           const rbv_control_joint *law) {
  const int n = rbv_model_joint_count(job->model);
  const rbv_control *given = job->loop.controls[0];
  char sentence[256];
  ptrdiff_t rows;
  rbv_control *other = NULL;
  RBV_NEW(double, memory, 2 * n);
  double *error = memory + n;
  rbv_status status = rbv_control_variant(&other, given, law);
  const rbv_free_loop how = {.control = other,
                             .reference = &job->fit.reference[0],
                             .measured = job->fit.position[0],
                             .known = rbv_model_parameters(job->model),
                             .delay = memory,
                             .bias = memory,
                             .command_s = rbv_control_command_delay(given)};
  if (status == RBV_OK)
    status = rbv_free_run(error, &rows, sentence, sizeof sentence, job->model, job->fit.motion[0],
                          how.known, &how);
  double sum = 0;
  for (int j = 0; j < n && status == RBV_OK; j++) sum += error[j] / (double)(n * rows);
  *rms = sqrt(sum);
  rbv_control_free(other);
  rbv_free(memory);
  return status;
}

static bool same_gains(const rbv_control_joint *a, const rbv_control_joint *b) {
  return a->k_p == b->k_p && a->k_d == b->k_d && a->k_i == b->k_i && a->k_x == b->k_x;
}

/* is the free run of the robot file so far off that the gains may be those of other joints? */
static bool doubts_gains(const rbv_identification *job) {
  const rbv_result_loop *l = &job->estimate->loop;
  double before = 0, tracking = 0;
  for (int j = 0; j < l->noutput; j++) {
    before += l->output[j].before * l->output[j].before;
    tracking += l->output[j].tracking * l->output[j].tracking;
  }
  return l->noutput > 0 && job->fit.computed > 0 && job->loop.controls && job->fit.position &&
         !job->loop.loop.stiffness && before > FAR_OFF * FAR_OFF * tracking;
}

static void exchange(rbv_control_joint *a, rbv_control_joint *b) {
  const rbv_control_joint c = *a;
  *a = *b;
  *b = c;
}

/* the pair of joints whose exchange makes the free run best; *best is then smaller */
static rbv_status exchange_pair(double *best, rbv_control_joint *law,
                                const rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  int a = -1, b = -1;
  for (int i = 0; i < n * n; i++) {
    const int x = i / n, y = i % n;
    if (x >= y || same_gains(&law[x], &law[y])) continue;
    double rms;
    exchange(&law[x], &law[y]);
    const rbv_status status = try_laws(&rms, job, law);
    exchange(&law[x], &law[y]);
    if (status != RBV_OK) return status;
    if (!(rms < *best)) continue;
    *best = rms;
    a = x;
    b = y;
  }
  if (a >= 0) exchange(&law[a], &law[b]);
  return RBV_OK;
}

/*
 * Gains in the order of other joints fit positions as well: rotors and friction take the factor.
 * Gravity of the robot file does not. Gains are exchanged in pairs as long as its free run becomes
 * better by that.
 */
static rbv_status advise_order_of_gains(rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  if (!doubts_gains(job)) return RBV_OK;
  RBV_NEW(rbv_control_joint, law, n);
  for (int j = 0; j < n; j++) law[j] = *rbv_control_get_joint(job->loop.controls[0], j);
  double before = 0, best, last = INFINITY;
  rbv_status status = try_laws(&before, job, law);
  best = before;
  for (int i = 0; i < n && best < last && status == RBV_OK; i++) {
    last = best;
    status = exchange_pair(&best, law, job);
  }
  rbv_text text = {0};
  rbv_text_put(&text, "with the gains in another order (k_p");
  for (int j = 0; j < n; j++) rbv_text_print(&text, "%s %g", j ? "," : "", law[j].k_p);
  rbv_text_print(
      &text,
      ") the free run of the robot file is off by %.3g mrad, with that of the controller "
      "file by %.3g mrad: check which gains belong to which joint",
      1e3 * best, 1e3 * before);
  if (status == RBV_OK && text.failed) status = RBV_EMEM;
  if (status == RBV_OK && best < OTHER_ORDER * before)
    status = advise(job, "order of gains", "controller", text.data);
  rbv_text_free(&text);
  rbv_free(law);
  return status;
}

/* a noise model sees the torque above the cut-off */
static rbv_status advise_cutoff(rbv_identification *job) {
  rbv_text text = {0};
  rbv_status status = rbv_identification_doubt_cutoff(&text, job);
  if (status == RBV_OK && text.data) status = advise(job, "cut-off", "cutoff", text.data);
  rbv_text_free(&text);
  return status;
}

/* Gains of another unit of angle: with their factor the free run of the robot file is much nearer.
 */
static rbv_status advise_unit_of_gains(rbv_identification *job) {
  static const struct {
    double factor;
    const char *unit;
  } units[] = {{180 / RBV_PI, "per degree"},
               {RBV_PI / 180, "per radian times 57.3"},
               {1 / (2 * RBV_PI), "per turn"}};
  const int n = rbv_model_joint_count(job->model);
  if (!doubts_gains(job)) return RBV_OK;
  RBV_NEW(rbv_control_joint, law, n);
  double before = 0, best = INFINITY;
  int nearest = 0;
  for (int j = 0; j < n; j++) law[j] = *rbv_control_get_joint(job->loop.controls[0], j);
  rbv_status status = try_laws(&before, job, law);
  for (int i = 0; i < RBV_COUNT(units) && status == RBV_OK; i++) {
    double rms;
    for (int j = 0; j < n; j++) {
      law[j] = *rbv_control_get_joint(job->loop.controls[0], j);
      for (int g = 0; g < RBV_GAIN_UPPER; g++) {
        double *gain = rbv_gain_of(&law[j], (rbv_gain)g);
        // the gain of a position loop that commands a speed has no unit of angle
        if (gain && g != RBV_GAIN_KX) *gain *= units[i].factor;
      }
    }
    status = try_laws(&rms, job, law);
    if (!(rms < best)) continue;
    best = rms;
    nearest = i;
  }
  rbv_free(law);
  if (status != RBV_OK || !(best < OTHER_UNIT * before)) return status;
  rbv_text text = {0};
  rbv_text_print(&text,
                 "with all gains times %.3g the free run of the robot file is off by %.3g mrad, "
                 "with those of the controller file by %.3g mrad: the gains look as if they were "
                 "%s, and they must be per radian",
                 units[nearest].factor, 1e3 * best, 1e3 * before, units[nearest].unit);
  status = text.failed ? RBV_EMEM : advise(job, "unit of gains", "controller", text.data);
  rbv_text_free(&text);
  return status;
}

rbv_status rbv_identification_advise(rbv_identification *job) {
  RBV_TRY(advise_cutoff(job));
  RBV_TRY(advise_checks(job));
  RBV_TRY(advise_coupling(job));
  RBV_TRY(advise_order_of_gains(job));
  RBV_TRY(advise_unit_of_gains(job));
  return advise_sensing(job);
}
