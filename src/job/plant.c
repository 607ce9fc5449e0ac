/* The simulated robot in its closed loop: parameters, reference, controller, defects. */
#include <roberval/sys/plant.h>

#include <math.h>
#include <roberval/sys/result.h>
#include <string.h>
#include "log/log.h"
#include "signal/signal.h"

#include "control/control.h"
#include "job/job_internal.h"

#define BANDWIDTH_HZ "10"  // of a tuned controller by default

#define AUTO_INTEGRATOR "auto"

/* ---- options ---- */

rbv_plant_options rbv_plant_defaults(void) {
  rbv_plant_options o = {.sim = rbv_sim_defaults(),
                         .integrator = AUTO_INTEGRATOR,
                         .controller = "auto",
                         .integral = 0.2,
                         .roll_off = 10,
                         .seed = 1};
  o.sim.defects.disturbance_hz = 20;
  o.sim.defects.ripple_periods = 1;
  o.sim.defects.drift_s = 600;
  return o;
}

static const char *integrator_choice(int i) {
  rbv_integrator known;
  if (i == 0) return AUTO_INTEGRATOR;
  const char *name = rbv_integrator_name((rbv_integrator)(i - 1));
  return rbv_integrator_parse(&known, name) ? name : NULL;
}

/* name, letter, kind, field, value in help, help, choices and, for numbers, their range */
#define ROW(name_, letter_, kind_, field, value_, help_, ...)                       \
  RBV_ROW(rbv_plant_options, name_, kind_, field, value_, help_, .letter = letter_, \
          .choice = __VA_ARGS__)

// clang-format off
static const rbv_option rows[] = {
    ROW("controller", 'k', FILE, controller, "FILE",
        "controller, or auto (default)", NULL, .topic = "loop", .basic = true),
    ROW("bandwidth", 0, TEXT, bandwidth, "HZ",
        "auto: of all joints, or a list (default 10)", NULL, RBV_ABOVE(0, 1e6)),
    ROW("integral", 0, REAL, integral, "X",
        "auto: k_i = X w k_p (default 0.2)", NULL, RBV_FROM(0, 1e6)),
    ROW("roll-off", 0, REAL, roll_off, "X",
        "auto: derivative filter 1/(X w) (default 10)", NULL, RBV_ABOVE(0, 1e6)),
    ROW("rate", 'r', REAL, rate_hz, "HZ",
        "control rate (default: of the controller, else of the trajectory)", NULL, RBV_FROM(1, 1e6), .basic = true),
    ROW("parameters", 'p', FILE, parameters, "FILE",
        "parameter set or result (default: the robot's own)", NULL, .topic = "plant"),
    ROW("map", 0, FILE, map, "COLUMNS.yaml",
        "what the trajectory's columns mean", NULL),
    ROW("integrator", 0, TEXT, integrator, "NAME",
        "method of integration (default auto: ros2 if its error is below a tenth of an encoder step, "
        "else rosenbrock)", integrator_choice),
    ROW("substeps", 0, COUNT, sim.substeps, "N",
        "steps per tick (default: from the rate)", NULL, RBV_FROM(1, 10000)),
    ROW("encoder", 'e', REAL, sim.defects.record_counts, "COUNTS",
        "per turn, in the recording only", NULL, RBV_FROM(0, 1e15), .topic = "sensors", .basic = true),
    ROW("loop-encoder", 0, REAL, sim.defects.loop_counts, "COUNTS",
        "per turn, also for the controller", NULL, RBV_FROM(0, 1e15)),
    ROW("loop-noise", 0, REAL, sim.defects.loop_noise, "RAD",
        "on positions that the controller sees", NULL, RBV_FROM(0, 1e3)),
    ROW("loop-delay", 0, COUNT, sim.defects.loop_delay, "N",
        "the controller sees positions N samples late", NULL, RBV_FROM(1, 100000)),
    ROW("actuator-delay", 0, REAL, sim.defects.actuator_delay_s, "S",
        "the torque acts late, also by parts of a sample", NULL, RBV_FROM(0, 0.1)),
    ROW("encoder-bias", 0, TEXT, encoder_bias, "RAD",
        "the encoders read too much; one number, or one per joint", NULL, RBV_FROM(-10, 10)),
    ROW("disturbance", 0, TEXT, disturbance, "NM",
        "torque that is not recorded; or 2% of the joint's own", NULL, RBV_FROM(0, 1e12)),
    ROW("disturbance-hz", 0, REAL, sim.defects.disturbance_hz, "HZ",
        "its corner (default 20; 0 white)", NULL, RBV_FROM(0, 1e6)),
    ROW("torque-noise", 0, TEXT, torque_noise, "NM",
        "in the recorded torque; or percent", NULL, RBV_FROM(0, 1e12), .basic = true),
    ROW("torque-noise-hz", 0, REAL, sim.defects.torque_noise_hz, "HZ",
        "its corner (default 0: white)", NULL, RBV_FROM(0, 1e6)),
    ROW("torque-offset", 0, TEXT, torque_offset, "NM",
        "of the recorded torque; or percent", NULL, RBV_FROM(-1e12, 1e12)),
    ROW("ripple", 0, TEXT, ripple, "NM",
        "of the recorded torque, amplitude; or percent", NULL, RBV_FROM(0, 1e12)),
    ROW("ripple-periods", 0, REAL, sim.defects.ripple_periods, "X",
        "per turn of the joint (default 1)", NULL, RBV_FROM(0, 1e6)),
    ROW("torque-delay", 0, COUNT, sim.defects.torque_delay, "N",
        "torques are recorded N samples late", NULL, RBV_FROM(1, 100000)),
    ROW("jitter", 0, REAL, sim.defects.jitter_s, "S",
        "of the time stamps", NULL, RBV_FROM(0, 1e3)),
    ROW("drop", 0, REAL, sim.defects.drop, "SHARE",
        "of the samples that are missing", NULL, RBV_SHARE_FROM(0, 0.99)),
    ROW("drift", 0, REAL, sim.defects.drift, "SHARE",
        "of friction, when warm: -0.2 is a fifth less", NULL, RBV_SHARE_ABOVE(-1, 1e3)),
    ROW("drift-time", 0, REAL, sim.defects.drift_s, "S",
        "its time constant (default 600)", NULL, RBV_ABOVE(0, 1e9)),
    {0}};
// clang-format on

const rbv_option *rbv_plant_rows(void) { return rows; }

bool rbv_plant_add_noise(rbv_plant_options *o) {
  rbv_sim_defects *d = &o->sim.defects;
  if (d->record_counts > 0 || d->loop_counts > 0 || d->loop_noise > 0 || o->disturbance ||
      o->torque_noise)
    return false;
  d->record_counts = RBV_PLANT_COUNTS;
  o->torque_noise = RBV_PLANT_TORQUE_NOISE;
  return true;
}

rbv_status rbv_plant_check(rbv_plant_options *o) {
  const rbv_option_group group[] = {{rows, o}, {0}};
  RBV_TRY(rbv_option_set(group, "integrator", o->integrator));
  (void)rbv_integrator_parse(&o->sim.integrator, o->integrator);
  rbv_plant_options usual = rbv_plant_defaults();
  const rbv_option_group usual_group[] = {{rows, &usual}, {0}};
  return rbv_option_check(group, usual_group);
}

/* ---- making one ---- */

/* what is needed while a plant is made */
typedef struct {
  rbv_plant *p;
  const rbv_plant_options *o;
  const rbv_notes *notes;
  double own_rate_hz;  // of the reference, 0: not known
} maker;

static rbv_status find_parameters(maker *k) {
  rbv_plant *p = k->p;
  const double *given = rbv_model_parameters(p->model);
  const size_t bytes = (size_t)rbv_model_column_count(p->model) * sizeof *p->chi;
  p->chi = rbv_alloc(bytes);
  if (!p->chi) return RBV_EMEM;
  if (k->o->parameters) {
    rbv_parameters *set;
    RBV_TRY(rbv_parameters_load(&set, k->o->parameters));
    RBV_FINISH(rbv_parameters_apply(p->chi, NULL, set, p->model), rbv_parameters_free(set));
  }
  if (!given)
    return rbv_fail_option(RBV_EINPUT, "parameters", "the robot '%s' has no parameter values",
                           rbv_model_name(p->model));
  memcpy(p->chi, given, bytes);
  return RBV_OK;
}

/* Stribeck friction as a share of Coulomb friction */
static void add_excess(maker *k) {
  rbv_plant *p = k->p;
  for (int j = 0; k->o->stribeck_excess != 0 && j < p->njoint; j++) {
    char stribeck[32], coulomb[32];
    snprintf(stribeck, sizeof stribeck, "Fs%d", j + 1);
    snprintf(coulomb, sizeof coulomb, "Fc%d", j + 1);
    const int at = rbv_model_find(p->model, stribeck), of = rbv_model_find(p->model, coulomb);
    if (at >= 0) p->chi[at] = of >= 0 ? k->o->stribeck_excess * p->chi[of] : 0;
  }
}

/* ---- reference ---- */

static rbv_status load_reference(rbv_log **log, double **q, const rbv_plant *p, const char *path) {
  rbv_log_map *map = NULL;
  const int n = p->njoint;
  if (p->map) RBV_TRY(rbv_log_map_load(&map, p->map));
  const rbv_status status = rbv_log_load(log, path, map);
  rbv_log_map_free(map);
  if (status != RBV_OK) return status;
  const bool reference = rbv_log_channel_count(*log, RBV_CHANNEL_REFERENCE_POSITION) == n;
  if (!reference && rbv_log_channel_count(*log, RBV_CHANNEL_POSITION) != n)
    return rbv_fail_option(RBV_EINPUT, "map",
                           "%s: there is no reference for the %d joints of '%s': columns "
                           "qr1 ... qr%d, or q1 ... q%d, are needed",
                           path, n, rbv_model_name(p->model), n, n);
  return rbv_log_block(q, *log, reference ? RBV_CHANNEL_REFERENCE_POSITION : RBV_CHANNEL_POSITION,
                       n);
}

/* A row per second at 5 kHz is a slow trajectory; more samples per row, beyond some minutes in all,
 * are stamps in another unit. */
#define SAMPLES_PER_ROW 5000.0
#define LEAST_LIMIT 1e6

/* to the control rate, in place of what was read */
static rbv_status resample(rbv_sim_reference *r, double **q, const rbv_plant *p, const rbv_log *log,
                           const rbv_notes *notes) {
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const rbv_log_rate stamps = rbv_log_get_rate(log);
  const double rate_hz = rbv_control_rate_hz(p->control);
  const ptrdiff_t raw = rbv_log_samples(log);
  *r = (rbv_sim_reference){.count = raw, .ld = raw, .q = *q};
  if (!t || !stamps.known) return RBV_OK;
  if (!stamps.increasing)
    return rbv_fail(RBV_EINPUT, "%s: time does not increase from sample to sample",
                    rbv_log_name(log));
  if (stamps.regular && fabs(stamps.period * rate_hz - 1) < 1e-6) return RBV_OK;
  rbv_resampler *resampler;
  RBV_TRY(rbv_resampler_new(&resampler, t, raw, rate_hz));
  const ptrdiff_t count = rbv_resampler_count(resampler);
  if ((double)count > SAMPLES_PER_ROW * (double)raw + LEAST_LIMIT) {
    rbv_resampler_free(resampler);
    return rbv_fail(RBV_EINPUT,
                    "%s: its time stamps cover %.6g s in %td rows, which are %td samples at %g Hz: "
                    "they are not in seconds, or they jump. Name their unit in a column map",
                    rbv_log_name(log), stamps.duration, raw, count, rate_hz);
  }
  double *fine = rbv_alloc((size_t)count * (size_t)p->njoint * sizeof *fine);
  const rbv_status status = fine ? rbv_resample(fine, count, NULL, resampler, *q, raw, p->njoint,
                                                RBV_RESAMPLE_CUBIC, INFINITY)
                                 : RBV_EMEM;
  rbv_resampler_free(resampler);
  rbv_free(*q);
  *q = fine;
  if (status != RBV_OK) return status;
  rbv_tell(notes, NULL, "%s: resampled from %.6g to %g Hz, %td samples", rbv_log_name(log),
           1 / stamps.period, rate_hz, count);
  *r = (rbv_sim_reference){.count = count, .ld = count, .q = fine};
  return RBV_OK;
}

rbv_status rbv_plant_reference(rbv_sim_reference *out, double **q, const rbv_plant *p,
                               const char *path, const rbv_notes *notes) {
  rbv_log *log = NULL;
  *q = NULL;
  rbv_status status = load_reference(&log, q, p, path);
  if (status == RBV_OK) status = resample(out, q, p, log, notes);
  rbv_log_free(log);
  return status;
}

static rbv_status read_builtin(maker *k) {
  rbv_plant *p = k->p;
  ptrdiff_t count;
  int njoint;
  const rbv_status status =
      rbv_sim_reference_builtin(&p->q, &count, &njoint, &k->own_rate_hz, rbv_model_name(p->model));
  if (status == RBV_EMEM) return status;
  if (status != RBV_OK || njoint != p->njoint)
    return rbv_fail_option(RBV_EOPTION, "reference", "there is no built-in reference for '%s'",
                           rbv_model_name(p->model));
  p->reference = (rbv_sim_reference){.count = count, .ld = count, .q = p->q};
  return RBV_OK;
}

/* rate of a log; a period of 0.000199999 s is 5000 Hz */
static double log_rate(const rbv_log *log) {
  const rbv_log_rate stamps = rbv_log_get_rate(log);
  if (!stamps.known || !(stamps.period > 0)) return 0;
  const double rate_hz = 1 / stamps.period, whole = nearbyint(rate_hz);
  return fabs(rate_hz - whole) < 1e-6 * rate_hz ? whole : rate_hz;
}

/* ---- controller ---- */

/* one number for all joints, or a list of them; *relative: the text ended with % */
static rbv_status read_sizes(double **out, bool *relative, int n, const char *option,
                             const char *text) {
  *out = NULL;
  if (!text) return RBV_OK;
  char line[4096];
  const size_t length = strlen(text);
  if (length >= sizeof line) return rbv_fail(RBV_EOPTION, "%s is too long", option);
  memcpy(line, text, length + 1);
  if (relative && length > 1 && line[length - 1] == '%') {
    line[length - 1] = 0;
    *relative = true;
  }
  return rbv_numbers_fill(out, rows, option, line, n);
}

static rbv_status tune(maker *k, const double *inertia, double rate_hz) {
  rbv_plant *p = k->p;
  double *bandwidth;
  RBV_TRY(read_sizes(&bandwidth, NULL, p->njoint, "bandwidth",
                     k->o->bandwidth ? k->o->bandwidth : BANDWIDTH_HZ));
  for (int i = 0; i < p->njoint; i++) bandwidth[i] *= 2 * RBV_PI;
  const rbv_sim_tuning wanted = {.inertia = inertia,
                                 .bandwidth = bandwidth,
                                 .integral = k->o->integral,
                                 .roll_off = k->o->roll_off,
                                 .rate_hz = rate_hz};
  rbv_control_joint *joint = rbv_alloc((size_t)p->njoint * sizeof *joint);
  bool softened = false;
  rbv_status status = joint ? rbv_sim_tune(joint, &softened, p->model, p->chi, k->o->sim.loaded,
                                           &p->reference, &wanted)
                            : RBV_EMEM;
  if (status == RBV_OK)
    status =
        rbv_control_new(&p->control, "auto", rate_hz,
                        softened ? RBV_FEEDFORWARD_MODEL : RBV_FEEDFORWARD_NONE, joint, p->njoint);
  if (status == RBV_OK && softened)
    rbv_tell(k->notes, "controller",
             "the gains are smaller than usual and the torque of the model is fed forward, because "
             "the usual control loop is unstable at %g Hz with these inertias (a robot file "
             "without rotor inertias?)",
             rate_hz);
  rbv_free(joint);
  rbv_numbers_free(bandwidth);
  return status;
}

/* whether the file of the controller has its rate */
static rbv_status has_rate(bool *out, const char *path) {
  rbv_document *doc;
  RBV_TRY(rbv_document_load(&doc, path));
  *out = rbv_node_find(rbv_document_root(doc), "rate_hz") != NULL;
  rbv_document_free(doc);
  return RBV_OK;
}

static rbv_status make_controller(maker *k) {
  rbv_plant *p = k->p;
  const rbv_plant_options *o = k->o;
  const bool automatic = !o->controller || strcmp(o->controller, "auto") == 0;
  double rate_hz = o->rate_hz;
  bool has = false;
  if (!automatic) RBV_TRY(has_rate(&has, o->controller));
  if (!(rate_hz > 0) && !has) rate_hz = k->own_rate_hz;
  if (!(rate_hz > 0) && !has)
    return rbv_fail_option(RBV_EOPTION, "rate",
                           "the trajectory has no column t: the control rate is needed");
  RBV_NEW(double, inertia, p->njoint);
  const ptrdiff_t stride = p->reference.count / 1000 + 1;
  rbv_status status =
      rbv_sim_inertia(inertia, p->model, p->chi, o->sim.loaded, &p->reference, stride);
  const rbv_control_options how = {.njoint = p->njoint, .rate_hz = rate_hz, .inertia = inertia};
  if (status == RBV_OK)
    status =
        automatic ? tune(k, inertia, rate_hz) : rbv_control_load(&p->control, o->controller, &how);
  rbv_free(inertia);
  return status;
}

/* ---- defects ---- */

static rbv_status measure_deviation(double *deviation, rbv_plant *p) {
  rbv_sim_options exact = p->sim;
  exact.defects = (rbv_sim_defects){0};
  RBV_TRY(rbv_plant_run(p, &exact));
  rbv_sim_deviation(deviation, &p->trace, p->njoint, p->outcome.samples);
  return RBV_OK;
}

/* defects with a number per joint; percents are of the torque of a run without defects */
static rbv_status prepare_defects(maker *k) {
  rbv_plant *p = k->p;
  rbv_sim_defects *d = &p->sim.defects;
  const struct {
    const char *name, *text;
    const double **to;
  } defect[] = {{"disturbance", k->o->disturbance, &d->disturbance},
                {"torque-noise", k->o->torque_noise, &d->torque_noise},
                {"ripple", k->o->ripple, &d->ripple},
                {"torque-offset", k->o->torque_offset, &d->torque_offset},
                {"encoder-bias", k->o->encoder_bias, &d->encoder_bias}};
  bool relative[RBV_COUNT(defect)] = {false}, any = false;
  for (int i = 0; i < RBV_COUNT(defect); i++) {
    RBV_TRY(read_sizes(&p->size[i], &relative[i], p->njoint, defect[i].name, defect[i].text));
    any = any || relative[i];
    if (relative[i] && defect[i].to == &d->encoder_bias)
      return rbv_fail(RBV_EOPTION, "encoder-bias is an angle or a length, not a percentage");
  }
  if (any) {
    double *deviation = rbv_alloc((size_t)p->njoint * sizeof *deviation);
    const rbv_status status = deviation ? measure_deviation(deviation, p) : RBV_EMEM;
    for (int i = 0; i < RBV_COUNT(defect); i++)
      for (int j = 0; status == RBV_OK && j < p->njoint && relative[i]; j++)
        p->size[i][j] *= deviation[j] / 100;
    rbv_free(deviation);
    if (status != RBV_OK) return status;
  }
  for (int i = 0; i < RBV_COUNT(defect); i++) *defect[i].to = p->size[i];
  return RBV_OK;
}

/* smallest step of the encoders in the loop and in the recording; 0: there are none */
static double smallest_step(const rbv_plant *p) {
  const double counts = fmax(p->sim.defects.loop_counts, p->sim.defects.record_counts);
  double step = counts > 0 ? 2 * RBV_PI / counts : 0;
  for (int j = 0; j < p->njoint && counts > 0; j++)
    if (rbv_model_joint(p->model, j)->type == RBV_JOINT_PRISMATIC) step = 1 / counts;
  return step;
}

static rbv_status choose_integrator(maker *k) {
  rbv_plant *p = k->p;
  if (strcmp(k->o->integrator, AUTO_INTEGRATOR) != 0) return RBV_OK;
  const rbv_sim_lane lane = {.chi = p->chi};
  const int steps = p->sim.substeps;
  RBV_TRY(rbv_sim_choose_integrator(&p->sim, NULL, p->model, p->control, &lane, &p->reference,
                                    smallest_step(p)));
  // all steps: with a tenth of a step as error some samples would fall on the next count
  p->sim.substeps = steps;
  return RBV_OK;
}

/* friction for the speeds of the reference, then the integrator and defects: they may need a
 * simulation */
static rbv_status finish(maker *k) {
  rbv_plant *p = k->p;
  if (!(p->sim.gamma > 0)) {
    double *top = rbv_alloc((size_t)p->njoint * sizeof *top);
    rbv_status status =
        top ? rbv_reference_speeds(top, &p->reference, p->njoint, rbv_control_rate_hz(p->control))
            : RBV_EMEM;
    if (status == RBV_OK) status = rbv_smoothing_choose(&p->model, top);
    rbv_free(top);
    if (status != RBV_OK) return status;
  }
  RBV_TRY(choose_integrator(k));
  return prepare_defects(k);
}

static rbv_status make(maker *k, const char *path) {
  rbv_plant *p = k->p;
  RBV_TRY(find_parameters(k));
  add_excess(k);
  if (!path) {
    RBV_TRY(read_builtin(k));
    RBV_TRY(make_controller(k));
    return finish(k);
  }
  rbv_log *log = NULL;
  rbv_status status = load_reference(&log, &p->q, p, path);
  if (status == RBV_OK) {
    const ptrdiff_t count = rbv_log_samples(log);
    p->reference = (rbv_sim_reference){.count = count, .ld = count, .q = p->q};
    k->own_rate_hz = log_rate(log);
    status = make_controller(k);
  }
  if (status == RBV_OK) status = resample(&p->reference, &p->q, p, log, k->notes);
  rbv_log_free(log);
  return status == RBV_OK ? finish(k) : status;
}

/* what the simulation assumes about friction that changes with time or temperature */
static void tell_conditions(const rbv_model *m, const double *chi, const rbv_notes *notes) {
  bool temperature = false;
  for (int c = 0; c < rbv_model_column_count(m) && chi; c++) {
    const rbv_law *law = rbv_model_column(m, c)->law;
    temperature = temperature || (law && rbv_law_uses_temperature(law) && chi[c] != 0);
  }
  if (temperature)
    rbv_tell(notes, NULL,
             "friction that depends on the temperature of the motors is that of the reference "
             "temperature");
}

rbv_status rbv_plant_new(rbv_plant **out, const rbv_model *m, const char *reference,
                         const rbv_plant_options *options, const rbv_notes *notes) {
  *out = NULL;
  if (!m) return rbv_fail(RBV_EARG, "a plant needs a robot");
  rbv_plant_options o = options ? *options : rbv_plant_defaults();
  RBV_TRY(rbv_plant_check(&o));
  RBV_NEW(rbv_plant, p, 1);
  *p = (rbv_plant){.model = rbv_model_retain(m),
                   .njoint = rbv_model_joint_count(m),
                   .sim = o.sim,
                   .seed = o.seed,
                   .map = o.map};
  maker k = {.p = p, .o = &o, .notes = notes};
  const rbv_status status = make(&k, reference);
  if (status == RBV_OK) {
    tell_conditions(m, p->chi, notes);
    *out = p;
  } else {
    rbv_plant_free(p);
  }
  return status;
}

void rbv_plant_free(rbv_plant *p) {
  if (!p) return;
  for (int i = 0; i < RBV_COUNT(p->size); i++) rbv_numbers_free(p->size[i]);
  rbv_sim_trace_free(&p->trace);
  rbv_sim_free(p->last);
  rbv_control_free(p->control);
  rbv_free(p->q);
  rbv_free(p->chi);
  rbv_model_free(p->model);
  rbv_free(p);
}

/* ---- running ---- */

rbv_status rbv_plant_run(rbv_plant *p, const rbv_sim_options *o) {
  rbv_sim_free(p->last);
  p->last = NULL;
  const rbv_sim_lane lane = {.chi = p->chi, .seed = p->seed};
  if (!p->trace.q) RBV_TRY(rbv_sim_trace_new(&p->trace, p->njoint, p->reference.count));
  RBV_TRY(rbv_sim_new(&p->last, p->model, p->control, o ? o : &p->sim, 1));
  RBV_TRY(rbv_sim_set(p->last, 0, &lane));
  return rbv_sim_run(&p->outcome, p->last, &p->reference, &p->trace);
}

#define CHUNK 256

static rbv_status put_rows(rbv_csv_writer *csv, double *A, const rbv_log *log) {
  const int ncolumn = rbv_log_column_count(log);
  const ptrdiff_t samples = rbv_log_samples(log);
  for (ptrdiff_t k = 0; k < samples; k += CHUNK) {
    const ptrdiff_t count = samples - k < CHUNK ? samples - k : CHUNK;
    for (int c = 0; c < ncolumn; c++)
      memcpy(A + c * CHUNK, rbv_log_column_at(log, c)->values + k, (size_t)count * sizeof *A);
    RBV_TRY(rbv_csv_rows(csv, A, count, CHUNK));
  }
  return rbv_csv_finish(csv);
}

rbv_status rbv_plant_write_log(const rbv_plant *p, const char *path, FILE *stream,
                               const rbv_sim_columns *columns) {
  rbv_log *log;
  if (!p->last) return rbv_fail(RBV_EARG, "the plant was not simulated");
  RBV_TRY(rbv_sim_log(&log, p->last, 0, &p->trace, &p->outcome, columns));
  const int ncolumn = rbv_log_column_count(log);
  const char **names = rbv_alloc((size_t)ncolumn * sizeof *names);
  double *A = rbv_alloc((size_t)ncolumn * CHUNK * sizeof *A);
  rbv_csv_writer *csv = NULL;
  rbv_status status = names && A ? RBV_OK : RBV_EMEM;
  for (int c = 0; c < ncolumn && status == RBV_OK; c++) names[c] = rbv_log_column_at(log, c)->name;
  if (status == RBV_OK)
    status = path ? rbv_csv_create(&csv, path, names, ncolumn)
                  : rbv_csv_stream(&csv, stream, names, ncolumn);
  rbv_text remark = {0};
  rbv_smoothing_remark(&remark, p->last, p->njoint);
  if (status == RBV_OK) status = remark.failed ? RBV_EMEM : rbv_csv_remark(csv, remark.data);
  rbv_text_free(&remark);
  if (status == RBV_OK) status = put_rows(csv, A, log);
  rbv_csv_free(csv);
  rbv_free(A);
  rbv_free(names);
  rbv_log_free(log);
  return status;
}
