/* The identification workflow: options, inputs, estimate, validation. */
#include <math.h>
#include <string.h>

#include "job/identification_internal.h"
#include "job/recording_check.h"

/* ---- the option table ---- */

/* values of options that are not the names of files */
static bool is_robot(const char *text) { return strcmp(text, "robot") == 0; }
static bool is_auto(const char *text) { return strcmp(text, "auto") == 0; }
static bool is_start(const char *text) { return is_robot(text) || strcmp(text, "regular") == 0; }
static bool is_weights(const char *text) {
  return strcmp(text, "residual") == 0 || strcmp(text, "periods") == 0 || rbv_numbers_typed(text);
}

static const char *stop_choice(int i) {
  static const char *const word[] = {"rest", "printed", NULL};
  return word[i];
}

static const char *scaling_choice(int i) {
  static const char *const word[] = {"start", "always", NULL};
  return word[i];
}

static const char *observe_choice(int i) {
  static const char *const word[] = {"positions", "both", NULL};
  return word[i];
}

static const char *search_choice(int i) {
  static const char *const word[] = {"local", "global", NULL};
  return word[i];
}

#define KS_LEAST 0.01  // p of the Kolmogorov-Smirnov test below which residuals are not normal

#define AT(field) offsetof(rbv_identification_options, field)

static const rbv_option rows[] = {
    {.name = "method",
     .topic = "method",
     .letter = 'm',
     .kind = RBV_OPTION_TEXT,
     .offset = AT(method),
     .value = "NAME",
     .help = "estimator (default wls)",
     .choice = rbv_identify_method},
    {.name = "friction",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(friction),
     .value = "LIST",
     .help = "friction beside the robot file's: plain (default), auto, or terms such as "
             "Fl,Fp3=0.01,Fcw=auto"},
    {.name = "weights",
     .kind = RBV_OPTION_FILE,
     .offset = AT(weights),
     .value = "KIND",
     .help = "residual (default), periods, or a list or file of sigmas per torque row",
     .is_word = is_weights,
     RBV_ABOVE(0, 1e12)},
    {.name = "prior",
     .letter = 'p',
     .kind = RBV_OPTION_FILE,
     .offset = AT(prior),
     .value = "FILE",
     .help = "a-priori values for what the motion does not determine; robot: the robot file's",
     .is_word = is_robot},
    {.name = "prior-weight",
     .kind = RBV_OPTION_REAL,
     .offset = AT(prior_weight),
     .value = "W",
     .help = "strength of a prior without sigma (default: by cross-validation)",
     RBV_FROM(0, 1e12)},
    {.name = "essential",
     .kind = RBV_OPTION_FLAG,
     .offset = AT(essential),
     .help =
         "drop parameters that do not improve the fit (F-statistic); iv, piv, slide: by wls first"},
    {.name = "only",
     .kind = RBV_OPTION_FILE,
     .offset = AT(only),
     .value = "NAMES",
     .help = "estimate only these base parameters: names with commas, or a result",
     .is_word = rbv_only_is_list},
    {.name = "consistent",
     .topic = "bodies",
     .kind = RBV_OPTION_FLAG,
     .offset = AT(consistent),
     .help = "physically consistent bodies near the robot file; also write standard parameters"},
    {.name = "known-total-mass",
     .kind = RBV_OPTION_REAL,
     .offset = AT(total_mass),
     .value = "KG",
     .help = "with consistent: mass of all moving links together",
     RBV_ABOVE(0, 1e6)},
    {.name = "bounds",
     .kind = RBV_OPTION_FILE,
     .offset = AT(bounds),
     .value = "FILE",
     .help = "with consistent: ellipsoids that contain the links; robot: its collision shapes",
     .is_word = is_robot},
    {.name = "holdout",
     .topic = "validation",
     .kind = RBV_OPTION_REAL,
     .offset = AT(holdout),
     .value = "SHARE",
     .help = "keep the end of each recording for validation",
     RBV_FROM(0, 0.99)},
    {.name = "validate",
     .kind = RBV_OPTION_FILES,
     .offset = AT(validate),
     .value = "LOG",
     .help = "validate on this recording (repeatable)"},
    {.name = "bootstrap",
     .kind = RBV_OPTION_COUNT,
     .offset = AT(bootstrap),
     .value = "N",
     .help = "a second estimate of sigma from N draws of blocks",
     RBV_FROM(1, 100000)},
    {.name = "loaded",
     .topic = "payload",
     .kind = RBV_OPTION_FILES,
     .offset = AT(loaded),
     .value = "LOG",
     .help = "with payload: a recording with the payload (repeatable)"},
    {.name = "known-mass",
     .kind = RBV_OPTION_REAL,
     .offset = AT(known_mass),
     .value = "KG",
     .help = "with payload: find the drive gains first, from the payload's mass",
     RBV_ABOVE(0, 1e6)},
    {.name = "back-emf",
     .kind = RBV_OPTION_FILE,
     .offset = AT(back_emf),
     .value = "LOG",
     .help = "find the drive gains first, from qm and emf with open terminals"},
    {.name = "unchecked",
     .topic = "method",
     .kind = RBV_OPTION_FLAG,
     .offset = AT(unchecked),
     .help = "accept recordings that look wrong (exit 0): the reasons become notes"},
    {.name = "seed",
     .topic = "general",
     .kind = RBV_OPTION_SEED,
     .offset = AT(seed),
     .value = "N",
     .help = "seed of all random numbers (default 1)"},
    {.name = "threads",
     .kind = RBV_OPTION_COUNT,
     .offset = AT(threads),
     .value = "N",
     .help = "threads to use (default 1)",
     .unrecorded = true,
     RBV_THREADS},
    {0}};

#undef AT
#define AT(field) offsetof(rbv_loop_options, field)

static const rbv_option loop_rows[] = {
    {.name = "controller",
     .topic = "loop",
     .kind = RBV_OPTION_FILE,
     .offset = AT(controller),
     .value = "FILE",
     .help = "simulated loop: the control law, as YAML; auto: identified first",
     .is_word = is_auto},
    {.name = "start",
     .kind = RBV_OPTION_FILE,
     .offset = AT(start),
     .value = "FILE",
     .help = "simulated loop: first parameters; robot, regular, or a file (default: from wls)",
     .is_word = is_start},
    {.name = "skip",
     .kind = RBV_OPTION_REAL,
     .offset = AT(skip_s),
     .value = "S",
     .help = "simulated loop: transient that is left out (default 5 / w of the slowest loop)",
     RBV_FROM(0, 1e6)},
    {.name = "stop",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(stop),
     .value = "RULE",
     .help = "simulated loop: stop when parameters rest (default), or by the rule as printed",
     .choice = stop_choice},
    {.name = "stop-residual",
     .kind = RBV_OPTION_REAL,
     .offset = AT(stop_residual),
     .value = "SHARE",
     .help = "simulated loop: change of the residual at which it stops (default 0.025)",
     RBV_ABOVE(0, 1)},
    {.name = "stop-step",
     .kind = RBV_OPTION_REAL,
     .offset = AT(stop_step),
     .value = "SIGMAS",
     .help = "simulated loop: change of a parameter at which it stops (default 0.1)",
     RBV_ABOVE(0, 1e6)},
    {.name = "inertia",
     .kind = RBV_OPTION_FILE,
     .offset = AT(inertia),
     .value = "LIST|FILE",
     .help = "simulated loop, start regular: inertia of each joint that the gains were tuned for",
     .is_word = rbv_numbers_typed,
     RBV_ABOVE(0, 1e9)},
    {.name = "scaling",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(scaling),
     .value = "STEPS",
     .help = "simulated loop: iterations in which gains follow the model's inertia (default start)",
     .choice = scaling_choice},
    {.name = "unknown",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(unknown),
     .value = "LIST",
     .help = "cloe: also estimate delay, delays (per joint), bias, gains (k_p, ...), upper_limit, "
             "lower_limit, shapes of friction (stribeck, ...), stiffness and damping of joints"},
    {.name = "joint-stiffness",
     .kind = RBV_OPTION_FILE,
     .offset = AT(joint_stiffness),
     .value = "LIST|FILE",
     .help = "cloe: elastic joints, encoders on the motors: stiffness, or its start [N m/rad]",
     .is_word = rbv_numbers_typed,
     RBV_ABOVE(0, 1e12)},
    {.name = "joint-damping",
     .kind = RBV_OPTION_FILE,
     .offset = AT(joint_damping),
     .value = "LIST|FILE",
     .help = "cloe: damping of elastic joints, or its start [N m s/rad] (default 0)",
     .is_word = rbv_numbers_typed,
     RBV_FROM(0, 1e12)},
    {.name = "observe",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(observe),
     .value = "WHAT",
     .help = "cloe: fit positions (default), or both positions and torques",
     .choice = observe_choice},
    {.name = "actuator-delay",
     .kind = RBV_OPTION_REAL,
     .offset = AT(delay_s),
     .value = "S",
     .help = "cloe: delay of the torque behind the controller; start value if it is unknown",
     RBV_FROM(0, 0.1)},
    {.name = "known-links",
     .kind = RBV_OPTION_FLAG,
     .offset = AT(known_links),
     .help = "cloe: the links are those of the robot file; estimate drives and friction only"},
    {.name = "starts",
     .kind = RBV_OPTION_COUNT,
     .offset = AT(starts),
     .value = "N",
     .help = "cloe: search from N start values, N - 1 of them random (default 1)",
     RBV_FROM(1, 1000)},
    {.name = "search",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(search),
     .value = "WHAT",
     .help = "cloe: local (default), or global: from the best of a population of candidates",
     .choice = search_choice},
    {.name = "population",
     .kind = RBV_OPTION_COUNT,
     .offset = AT(population),
     .value = "N",
     .help = "cloe, global search: candidates (default 256, on a device 32768)",
     RBV_FROM(4, 1000000)},
    {.name = "generations",
     .kind = RBV_OPTION_COUNT,
     .offset = AT(generations),
     .value = "N",
     .help = "cloe, global search: generations at most (default 40)",
     RBV_FROM(1, 100000)},
    {.name = "device",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(device),
     .value = "NAME",
     .help = "cloe, global search: simulate candidates on cpu (default), cuda, or auto",
     .choice = rbv_device_choice},
    {.name = "segment",
     .kind = RBV_OPTION_REAL,
     .offset = AT(segment_s),
     .value = "S",
     .help = "cloe: simulate recordings in segments of about S seconds (default: whole)",
     RBV_FROM(0, 1e6)},
    {0}};

void rbv_identification_groups(rbv_option_group groups[RBV_IDENTIFICATION_GROUPS],
                               rbv_identification_options *o) {
  groups[0] = (rbv_option_group){rows, o};
  groups[1] = (rbv_option_group){rbv_filter_rows(), &o->filter};
  groups[2] = (rbv_option_group){loop_rows, &o->loop};
  groups[3] = (rbv_option_group){rbv_recording_rows(), &o->recording};
  groups[4] = (rbv_option_group){rbv_robot_rows(), &o->robot};
  groups[5] = (rbv_option_group){0};
}

rbv_identification_options rbv_identification_defaults(void) {
  return (rbv_identification_options){.method = "wls",
                                      .filter = rbv_filter_defaults(),
                                      .robot = rbv_robot_defaults(),
                                      .recording = rbv_recording_defaults(),
                                      .loop = {.skip_s = NAN},
                                      .seed = 1,
                                      .threads = 1};
}

/* row i over all groups; NULL past the last */
static const rbv_option *row_at(int i) {
  rbv_identification_options unused = rbv_identification_defaults();
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &unused);
  return rbv_option_at(groups, i);
}

const char *rbv_identification_option_name(int i) {
  const rbv_option *o = row_at(i);
  return o ? o->name : NULL;
}

bool rbv_identification_has_option(const char *name) {
  const rbv_option *o;
  for (int i = 0; name && (o = row_at(i)); i++)
    if (strcmp(o->name, name) == 0) return true;
  return false;
}

const char *rbv_identification_option_text(int i) {
  const rbv_option *o = row_at(i);
  return o ? o->help : NULL;
}

const char *rbv_identification_option_choice(const char *name, int i) {
  const rbv_option *o = NULL;
  for (int k = 0; name && i >= 0 && (o = row_at(k)) && strcmp(o->name, name) != 0; k++) continue;
  if (!o || !o->choice) return NULL;
  for (int k = 0; k <= i; k++)
    if (!o->choice(k)) return NULL;
  return o->choice(i);
}

/* ---- the object ---- */

void rbv_identification_forget(rbv_identification *job) {
  rbv_identification_drop_result(job);
  rbv_prediction_free(job->prediction);
  rbv_check_free(job->check);
  rbv_pool_free(&job->advice_texts);
  rbv_free(job->advice);
  rbv_estimate_free(job->estimate);
  rbv_identification_free_loop(&job->loop);
  rbv_free(job->bound);
  rbv_free(job->columns);
  rbv_free(job->gain);
  rbv_numbers_free(job->row_sigma);
  rbv_prior_free(&job->prior);
  rbv_recordings_free(&job->fit);
  rbv_recordings_free(&job->others);
  rbv_recording_files_free(&job->files);
  rbv_model_free(job->model);
  rbv_model_free(job->plain_model);
  rbv_friction_choice_free(job->friction);
  rbv_free(job->friction_term);
  job->plain_model = NULL;
  job->friction = NULL;
  job->friction_term = NULL;
  job->shape_list = NULL;
  job->prediction = NULL;
  job->check = NULL;
  job->advice = NULL;
  job->nadvice = 0;
  job->estimate = NULL;
  job->bound = NULL;
  job->columns = NULL;
  job->gain = job->gain_sigma = job->row_sigma = NULL;
  job->model = NULL;
}

void rbv_identification_free(rbv_identification *job) {
  if (!job) return;
  rbv_identification_forget(job);
  rbv_pool_free(&job->texts);
  rbv_free(job->log);
  rbv_free(job->robot);
  rbv_free(job);
}

rbv_status rbv_identification_new(rbv_identification **out, const char *robot) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the job");
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "an identification needs a robot");
  rbv_identification *job = rbv_alloc(sizeof *job);
  if (!job) return RBV_EMEM;
  job->robot = rbv_strdup(robot);
  job->options = rbv_identification_defaults();
  rbv_identification_groups(job->groups, &job->options);
  if (!job->robot) {
    rbv_identification_free(job);
    return RBV_EMEM;
  }
  *out = job;
  return RBV_OK;
}

rbv_status rbv_identification_set(rbv_identification *job, const char *name, const char *value) {
  if (!job || !name || !value) return rbv_fail(RBV_EARG, "a job, a name and a value are needed");
  const char *copy = rbv_pool_keep(&job->texts, value);
  return copy ? rbv_option_set(job->groups, name, copy) : RBV_EMEM;
}

rbv_status rbv_identification_set_number(rbv_identification *job, const char *name, double value) {
  char text[32];
  if (!job || !name) return rbv_fail(RBV_EARG, "a job and a name are needed");
  rbv_option_format(text, job->groups, name, value);
  return rbv_identification_set(job, name, text);
}

static rbv_status add_path(rbv_identification *job, rbv_files *files, const char *path) {
  if (!path || !*path) return rbv_fail(RBV_EARG, "a recording needs a path");
  if (files->count == RBV_FILES_MAX)
    return rbv_fail(RBV_EOPTION, "there can be at most %d such recordings", RBV_FILES_MAX);
  const char *copy = rbv_pool_keep(&job->texts, path);
  if (!copy) return RBV_EMEM;
  files->item[files->count++] = copy;
  return RBV_OK;
}

rbv_status rbv_identification_add_log(rbv_identification *job, const char *path) {
  if (!job || !path || !*path) return rbv_fail(RBV_EARG, "a job and a path are needed");
  const char **longer = rbv_realloc(job->log, (size_t)job->nlog * sizeof *longer,
                                    (size_t)(job->nlog + 1) * sizeof *longer);
  if (!longer) return RBV_EMEM;
  job->log = longer;
  const char *copy = rbv_pool_keep(&job->texts, path);
  if (!copy) return RBV_EMEM;
  job->log[job->nlog++] = copy;
  return RBV_OK;
}

rbv_status rbv_identification_add_loaded_log(rbv_identification *job, const char *path) {
  return job ? add_path(job, &job->options.loaded, path) : rbv_fail(RBV_EARG, "there is no job");
}

rbv_status rbv_identification_add_validation_log(rbv_identification *job, const char *path) {
  return job ? add_path(job, &job->options.validate, path) : rbv_fail(RBV_EARG, "there is no job");
}

rbv_identification_options *rbv_identification_get_options(rbv_identification *job) {
  return job ? &job->options : NULL;
}

void rbv_identification_on_note(rbv_identification *job, rbv_identification_listener *listener,
                                void *self) {
  if (job) job->notes = (rbv_notes){listener, self};
}

void rbv_identification_on_progress(rbv_identification *job, rbv_identify_progress *progress,
                                    void *self) {
  if (!job) return;
  job->progress = progress;
  job->progress_self = self;
}

const rbv_model *rbv_identification_model(const rbv_identification *job) {
  return job ? job->model : NULL;
}
const rbv_estimate *rbv_identification_estimate(const rbv_identification *job) {
  return job ? job->estimate : NULL;
}
const rbv_prediction *rbv_identification_prediction(const rbv_identification *job) {
  return job ? job->prediction : NULL;
}
const rbv_recordings *rbv_identification_recordings(const rbv_identification *job) {
  return job ? &job->fit : NULL;
}
const rbv_recordings *rbv_identification_validation(const rbv_identification *job) {
  return job ? &job->others : NULL;
}
const rbv_row_filter *rbv_identification_filter(const rbv_identification *job) {
  return job ? &job->how.filter : NULL;
}
const rbv_friction_choice *rbv_identification_friction(const rbv_identification *job) {
  return job ? job->friction : NULL;
}
const rbv_prior_values *rbv_identification_prior(const rbv_identification *job) {
  return job ? &job->prior : NULL;
}

const rbv_finding *rbv_identification_finding(const rbv_identification *job, int i) {
  if (!job) return NULL;
  const rbv_recordings *sets[] = {&job->fit, &job->others};
  for (int k = 0; k < RBV_COUNT(sets); k++) {
    int n = 0;
    for (const rbv_finding *f; (f = rbv_recordings_finding(sets[k], n)); n++)
      if (n == i) return f;
    i -= n;
  }
  return job->check && i < job->check->nfinding ? &job->check->finding[i] : NULL;
}

/* ---- checks ---- */

bool rbv_identification_simulates(const rbv_identification_options *o) {
  const bool can = strcmp(o->method, "auto") == 0 && o->loop.controller;
  return can || rbv_identify_simulates(o->method);
}

static bool is_method(const char *name) {
  for (int i = 0; rbv_identify_method(i); i++)
    if (strcmp(rbv_identify_method(i), name) == 0) return true;
  return false;
}

static rbv_status refuse_method(const char *name) {
  rbv_text known = {0};
  for (int i = 0; rbv_identify_method(i); i++)
    rbv_text_print(&known, " %s", rbv_identify_method(i));
  const rbv_status status = rbv_fail(RBV_EOPTION, "there is no method '%s' (choose from%s)", name,
                                     known.data ? known.data : "");
  rbv_text_free(&known);
  return status;
}

rbv_status rbv_identification_check(const rbv_identification_options *o) {
  if (!o || !o->method) return rbv_fail(RBV_EARG, "there are no options, or no method in them");
  if (!is_method(o->method)) return refuse_method(o->method);
  rbv_identification_options own = *o, usual = rbv_identification_defaults();
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS], usual_groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_groups(groups, &own);
  rbv_identification_groups(usual_groups, &usual);
  RBV_TRY(rbv_option_check(groups, usual_groups));
  if ((o->known_mass > 0) + (o->back_emf != NULL) + (o->recording.gains != NULL) > 1)
    return rbv_fail(RBV_EOPTION, "only one of known-mass, back-emf and gains can be given");
  if (o->consistent && o->essential)
    return rbv_fail(RBV_EOPTION, "consistent and essential cannot be combined");
  if ((o->total_mass > 0 || o->bounds) && !o->consistent)
    return rbv_fail(RBV_EOPTION, "known-total-mass and bounds need consistent");
  const bool squares =
      !rbv_identify_has_instruments(o->method) && !rbv_identify_fits_positions(o->method);
  if (!squares && o->prior)
    return rbv_fail_option(RBV_EOPTION, "start",
                           "a prior needs least squares; method %s can start from a parameter file",
                           o->method);
  if (rbv_identify_fits_positions(o->method) && !o->loop.controller)
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "method %s simulates the closed loop: give its controller", o->method);
  const bool global = o->loop.search && strcmp(o->loop.search, "global") == 0;
  if (global && !rbv_identify_fits_positions(o->method))
    return rbv_fail(RBV_EOPTION, "search global needs method cloe, not %s", o->method);
  if ((o->loop.population > 0 || o->loop.generations > 0 || o->loop.device) && !global)
    return rbv_fail(RBV_EOPTION, "population, generations and device need search global");
  if (o->consistent && o->only)
    return rbv_fail(RBV_EOPTION, "consistent and only cannot be combined");
  return RBV_OK;
}

/* checks that need the robot */
static rbv_status check_payload(const rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  const bool payload = rbv_model_has_payload(job->model);
  if (payload && o->loaded.count == 0)
    return rbv_fail_option(RBV_EOPTION, "loaded",
                           "a payload is only visible in a recording with it: add a loaded "
                           "recording");
  if (!payload && o->loaded.count > 0)
    return rbv_fail(RBV_EOPTION, "a loaded recording needs the option payload");
  if (!(o->known_mass > 0)) return RBV_OK;
  if (!payload) return rbv_fail(RBV_EOPTION, "known-mass needs the option payload");
  if (rbv_model_sensing(job->model) != RBV_SENSING_MOTOR)
    return rbv_fail(RBV_EOPTION, "known-mass finds gains of motor torques: it needs sensing motor");
  return RBV_OK;
}

/* ---- inputs ---- */

/* the friction law of the option, of the robot file, or of a simulated log */
rbv_status rbv_identification_load_model(rbv_identification *job) {
  rbv_robot_options robot = job->options.robot;
  robot.model.friction = rbv_identification_friction_list(job);
  RBV_TRY(rbv_recorded_gamma(&robot.model.gamma, job->log[0]));
  return rbv_robot_load(&job->model, job->robot, &robot, &job->notes);
}

/* A value of the option, even 0, is the user's choice */
static rbv_status choose_smoothing(rbv_identification *job) {
  if (job->options.robot.model.gamma >= 0) return RBV_OK;
  return rbv_recordings_smooth(job->model, job->log[0], &job->fit, job->options.threads,
                               &job->notes);
}

bool rbv_identification_finds_controller(const rbv_identification_options *o) {
  const char *controller = o->loop.controller;
  return rbv_identification_simulates(o) && controller && strcmp(controller, "auto") == 0;
}

const char *rbv_recording_law(const rbv_identification_options *o) {
  const bool given = o->loop.controller && strcmp(o->loop.controller, "auto") != 0;
  return given && rbv_identify_fits_positions(o->method) ? o->loop.controller : NULL;
}

rbv_recording_use rbv_identification_use(const rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  return (rbv_recording_use){
      .files = &job->files,
      .whole = rbv_identify_simulates(o->method) ? "a simulated loop" : NULL,
      .gain = job->gain,
      .keep_logs = o->known_mass > 0 || rbv_identification_finds_controller(o),
      .controller = rbv_recording_law(o),
      .positions = rbv_identify_fits_positions(o->method),
      .question = true,
      .threads = o->threads,
  };
}

static rbv_status load_recordings(rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  rbv_recording_use use = rbv_identification_use(job);
  use.reference = !rbv_identify_needs_positions(o->method);
  RBV_TRY(rbv_recordings_add(&job->fit, job->model, &o->recording, &use, job->log, job->nlog,
                             &job->notes));
  use.loaded = true;
  RBV_TRY(rbv_recordings_add(&job->fit, job->model, &o->recording, &use, o->loaded.item,
                             o->loaded.count, &job->notes));
  use = rbv_identification_use(job);
  use.keep_logs = o->known_mass > 0;
  return rbv_recordings_add(&job->others, job->model, &o->recording, &use, o->validate.item,
                            o->validate.count, &job->notes);
}

/* sigma of every torque row: from the scatter between periods (Radkhah 2007 eq. 6), or given */
static rbv_status read_weights(rbv_identification *job) {
  const char *weights = job->options.weights;
  if (!weights || strcmp(weights, "residual") == 0) return RBV_OK;
  const int nrow = rbv_model_row_count(job->model);
  if (strcmp(weights, "periods") != 0) {
    RBV_TRY(rbv_numbers_read(&job->row_sigma, rows, "weights", weights, nrow));
    job->how.row_sigma = job->row_sigma;
    return RBV_OK;
  }
  job->row_sigma = rbv_alloc((size_t)nrow * sizeof *job->row_sigma);
  if (!job->row_sigma) return RBV_EMEM;
  for (int i = 0; i < job->fit.count; i++) {
    const rbv_motion_origin *origin = rbv_motion_get_origin(job->fit.motion[i]);
    if (!origin || !origin->torque_noise)
      return rbv_fail(RBV_EOPTION,
                      "weights periods needs differentiate fourier and at least two periods");
    for (int r = 0; r < nrow; r++) job->row_sigma[r] += origin->torque_noise[r] / job->fit.count;
  }
  // white noise of the samples, of which a decimation keeps its pass band
  const rbv_decimate_options o = rbv_row_filter_decimation(&job->how.filter);
  const double kept = o.factor > 1 ? o.cutoff_ratio / o.factor : 1;
  for (int r = 0; r < nrow; r++) job->row_sigma[r] = sqrt(kept * job->row_sigma[r]);
  job->how.row_sigma = job->row_sigma;
  return RBV_OK;
}

/* ellipsoids that contain the links: around the robot's capsules, or from a file */
static rbv_status read_bounds(rbv_identification *job) {
  const rbv_model *m = job->model;
  const char *bounds = job->options.bounds;
  if (!bounds) return RBV_OK;
  const int nbody = rbv_model_joint_count(m) + rbv_model_has_payload(m);
  job->bound = rbv_alloc((size_t)nbody * sizeof *job->bound);
  if (!job->bound) return RBV_EMEM;
  job->how.bound = job->bound;
  if (strcmp(bounds, "robot") != 0) return rbv_consistency_load_bounds(job->bound, m, bounds);
  bool any = false;
  for (int i = 0; i < rbv_model_capsule_count(m); i++)
    any = any || rbv_model_capsule(m, i)->link > 0;
  if (!any)
    return rbv_fail(RBV_EOPTION,
                    "bounds robot: the robot file has no shapes that can be read; list capsules "
                    "under 'collision', or give a file of ellipsoids");
  rbv_consistency_bounds(job->bound, m);
  return RBV_OK;
}

static rbv_status read_prior(rbv_identification *job) {
  if (!job->options.prior) return RBV_OK;
  RBV_TRY(rbv_prior_load(&job->prior, job->options.prior, job->model));
  job->how.prior = job->prior.value;
  job->how.prior_sigma = job->prior.sigma;
  return RBV_OK;
}

static void take_options(rbv_identification *job) {
  const rbv_identification_options *o = &job->options;
  job->how = rbv_identify_defaults();
  job->how.method = o->method;
  job->how.prior_weight = o->prior_weight;
  job->how.consistent = o->consistent;
  job->how.essential = o->essential;
  job->how.total_mass = o->total_mass;
  job->how.holdout = o->holdout;
  job->how.bootstrap = o->bootstrap;
  job->how.seed = o->seed;
  job->how.progress = job->progress;
  job->how.progress_self = job->progress_self;
}

/* ---- the run ---- */

/* a failure whose cause was found in a recording is reported as that */
static rbv_status blame(rbv_status status, const rbv_identification *job) {
  for (int i = 0; i < job->fit.count; i++)
    if (job->fit.check[i] && job->fit.check[i]->has_errors)
      return rbv_recording_blame(status, job->fit.check[i]);
  return status;
}

static rbv_status load_inputs(rbv_identification *job) {
  RBV_TRY(rbv_identification_load_model(job));
  RBV_TRY(check_payload(job));
  RBV_TRY(rbv_identification_gains_from_emf(job));
  RBV_TRY(rbv_recording_files_load(&job->files, job->model, &job->options.recording));
  RBV_TRY(load_recordings(job));
  RBV_TRY(choose_smoothing(job));
  // a mask interrupts the sequence of rows that a noise model needs
  rbv_filter_options filter = job->options.filter;
  if (isnan(filter.mask) && rbv_identify_whitens(job->options.method)) filter.mask = 0;
  RBV_TRY(blame(rbv_filter_choose(&job->how.filter, &filter, job->model, &job->fit,
                                  1 - job->options.holdout, job->options.threads, &job->notes),
                job));
  RBV_TRY(rbv_identification_gains_from_mass(job));
  RBV_TRY(rbv_identification_choose_friction(job));
  RBV_TRY(rbv_identification_choose_columns(job));
  RBV_TRY(read_prior(job));
  RBV_TRY(read_weights(job));
  RBV_TRY(read_bounds(job));
  return rbv_identification_simulates(&job->options) ? rbv_identification_prepare_loop(job)
                                                     : RBV_OK;
}

/* the errors that are defined alike for all methods; a motion without positions has none */
static rbv_status compare_errors(rbv_identification *job) {
  rbv_estimate *e = job->estimate;
  e->fit.comparable = e->validation.comparable = NAN;
  e->fit.baseline = e->validation.baseline = NAN;
  for (int i = 0; i < job->fit.count; i++)
    if (rbv_motion_get_origin(job->fit.motion[i])->from_reference) return RBV_OK;
  const struct {
    const double *chi;
    double *used, *held;
  } by[] = {{e->chi, &e->fit.comparable, &e->validation.comparable},
            {rbv_model_parameters(job->model), &e->fit.baseline, &e->validation.baseline}};
  for (int i = 0; i < RBV_COUNT(by); i++)
    if (by[i].chi)
      RBV_TRY(rbv_comparable_error(by[i].used, by[i].held, job->model, job->fit.motion,
                                   job->fit.count, by[i].chi, job->options.holdout,
                                   job->options.threads));
  return RBV_OK;
}

/* the F-test assumes normal residuals (Jubien 2014 section 3.4 tests that first) */
static void doubt_normality(const rbv_identification *job) {
  const rbv_fit *fit = &job->estimate->fit;
  int failing = 0;
  for (int r = 0; r < fit->nrow; r++) failing += fit->row[r].ks_p < KS_LEAST;
  if (!job->options.essential || failing == 0) return;
  rbv_tell(
      &job->notes, NULL,
      "the residuals of %d of %d torques are not normal (Kolmogorov-Smirnov, p < %g): the level "
      "of the F-test, 5 %%, is only a guide for which parameters are essential",
      failing, fit->nrow, KS_LEAST);
}

static rbv_status estimate(rbv_identification *job) {
  RBV_TRY(blame(
      rbv_identify(&job->estimate, job->model, job->fit.motion, job->fit.count, &job->how), job));
  RBV_TRY(rbv_identification_adopt_shapes(job));
  RBV_TRY(rbv_identification_widen(job));
  RBV_TRY(compare_errors(job));
  doubt_normality(job);
  if (job->fit.loop_step > 0 && rbv_identify_feels_encoder(job->estimate->method))
    rbv_tell(&job->notes, "method",
             "the controller reacts to the steps of a coarse encoder (%.3g rad): friction may be "
             "several sigma off, and sigma does not show it; the method slide is not affected",
             job->fit.loop_step);
  job->check = rbv_alloc(sizeof *job->check);
  if (!job->check) return RBV_EMEM;
  const bool elastic = job->loop.loop.stiffness != NULL;
  if (elastic)
    rbv_tell(&job->notes, "joint-stiffness",
             "errors of torques are those of rigid joints, which these are not: the errors of "
             "positions count");
  // a chosen set of parameters may leave out most of the torque, as springs do
  if (!job->options.only && !elastic)
    RBV_TRY(rbv_check_fit(job->check, job->model, &job->estimate->fit, job->how.prior != NULL));
  if (job->others.count == 0) return RBV_OK;
  return rbv_predict(&job->prediction, job->model, job->others.motion, job->others.count,
                     job->estimate->chi, &job->how.filter);
}

/* the differentiation that the method needs; a cut-off that is given belongs to the band-pass */
static const char *suitable_differentiation(const rbv_identification_options *o) {
  const bool any = rbv_identify_whitens(o->method) && strcmp(o->recording.cutoff, "auto") == 0;
  return rbv_differentiation_name(any ? RBV_DIFFERENTIATION_IRW : RBV_DIFFERENTIATION_BANDPASS);
}

static rbv_status run_complete(rbv_identification *job) {
  take_options(job);
  RBV_TRY(rbv_option_files(&job->nfile, job->file, OPTION_FILES_MAX - 1, job->groups, false));
  RBV_TRY(load_inputs(job));
  RBV_TRY(estimate(job));
  RBV_TRY(rbv_identification_advise(job));
  return rbv_identification_make_result(job);
}

rbv_status rbv_identification_run(rbv_identification *job) {
  if (!job) return rbv_fail(RBV_EARG, "there is no job");
  if (job->nlog == 0) return rbv_fail(RBV_EARG, "an identification needs at least one recording");
  rbv_identification_forget(job);
  RBV_TRY(rbv_identification_check(&job->options));
  // the result records what was used; the options of the job stay as they were given
  const char **const how = &job->options.recording.method, *const given = *how;
  if (!given) *how = suitable_differentiation(&job->options);
  const rbv_status status = run_complete(job);
  *how = given;
  return status;
}

/* ---- sensitivity to the row filter ---- */

/* largest change of an estimated parameter, in its sigma */
static double largest_move(const rbv_estimate *a, const rbv_estimate *b) {
  double largest = 0;
  for (int k = 0; k < a->base->count; k++) {
    const double sigma = sqrt(a->covariance[k + (ptrdiff_t)k * a->base->count]);
    if (isfinite(sigma) && sigma > 0)
      largest = fmax(largest, fabs(a->value[k] - b->value[k]) / sigma);
  }
  return largest;
}

rbv_status rbv_identification_sensitivity(rbv_sensitivity out[RBV_SENSITIVITY_ROWS],
                                          const rbv_identification *job) {
  static const double factor[] = {0.5, 1, 2};
  if (!job || !job->estimate) return rbv_fail(RBV_EARG, "the job has not run yet");
  for (int i = 0; i < RBV_SENSITIVITY_ROWS; i++) {
    rbv_identify_options other = job->how;
    const double decimate = rint(factor[i / 3] * job->how.filter.decimate);
    other.filter.decimate = decimate < 1 ? 1 : (int)decimate;
    other.filter.mask = factor[i % 3] * job->how.filter.mask;
    other.bootstrap = 0;
    rbv_estimate *e;
    RBV_TRY(rbv_identify(&e, job->model, job->fit.motion, job->fit.count, &other));
    out[i] = (rbv_sensitivity){.decimate = other.filter.decimate,
                               .mask = other.filter.mask,
                               .error = e->fit.relative_error,
                               .durbin_watson = {INFINITY, -INFINITY},
                               .largest_move = largest_move(job->estimate, e)};
    for (int r = 0; r < e->fit.nrow; r++) {
      double *dw = out[i].durbin_watson;
      dw[0] = fmin(dw[0], e->fit.row[r].durbin_watson);
      dw[1] = fmax(dw[1], e->fit.row[r].durbin_watson);
    }
    rbv_estimate_free(e);
  }
  return RBV_OK;
}
