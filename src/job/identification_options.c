/* The options of an identification: their table, their defaults and what they exclude. */
#include <math.h>
#include <string.h>

#include "device/device.h"
#include "job/filter_scan.h"

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

static const char *decimate_choice(int i) {
  static const char *const word[] = {"cutoff", "durbin-watson", NULL};
  return word[i];
}

static const char *reference_choice(int i) {
  static const char *const word[] = {"recorded", "measured", NULL};
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

#define AT(field) offsetof(rbv_identification_options, field)

static const rbv_option rows[] = {
    {.name = "method",
     .topic = "method",
     .letter = 'm',
     .kind = RBV_OPTION_TEXT,
     .offset = AT(method),
     .value = "NAME",
     .help = "estimator (default wls; with a controller auto)",
     .choice = rbv_identify_method,
     .basic = true},
    {.name = "friction",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(friction),
     .value = "LIST",
     .help = "friction beside the robot file's: plain, auto, or terms such as Fl,Fp3=0.01,Fcw=auto "
             "(default: the best pipeline on parts left out)",
     .basic = true},
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
     .help = "physically consistent bodies near the robot file; also write standard parameters",
     .basic = true},
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
     RBV_SHARE_FROM(0, 0.99),
     .basic = true},
    {.name = "validate",
     .kind = RBV_OPTION_FILES,
     .offset = AT(validate),
     .value = "LOG",
     .help = "validate on this recording (repeatable)",
     .basic = true},
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
    {.name = "decimate-by",
     .topic = "filters",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(decimate_by),
     .value = "RULE",
     .help = "decimation from the data: by the cut-off (default), or by durbin-watson: residuals "
             "nearest to white",
     .choice = decimate_choice},
    {.name = "filter-scan",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(filter_scan),
     .value = "METHODS",
     .help = "also estimate by these methods (a list, or all) with other cut-offs and decimations: "
             "which answers stay"},
    {.name = "scan-against",
     .kind = RBV_OPTION_FILE,
     .offset = AT(scan_against),
     .value = "FILE",
     .help =
         "filter-scan: show changes from these values; robot: those of the robot file (default: "
         "the middle of each method)",
     .is_word = is_robot},
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
    {.name = "reference",
     .kind = RBV_OPTION_TEXT,
     .offset = AT(reference),
     .value = "WHAT",
     .help = "simulated loop: recorded (default), or measured: the low-passed positions are the "
             "reference of recordings without one",
     .choice = reference_choice},
    {.name = "reference-cutoff",
     .kind = RBV_OPTION_REAL,
     .offset = AT(reference_cutoff_hz),
     .value = "HZ",
     .help = "reference measured: its low-pass (default: where vibration or noise begins)",
     RBV_ABOVE(0, 1e6)},
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
     RBV_SHARE_ABOVE(0, 1)},
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
    {.name = "limit-s",
     .kind = RBV_OPTION_REAL,
     .offset = AT(limit_s),
     .value = "S",
     .help = "cloe: end the search after this time with the best values (default: 20 s, or more)",
     RBV_ABOVE(0, 1e6)},
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
  return (rbv_identification_options){.filter = rbv_filter_defaults(),
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

/* ---- checks ---- */

const char *rbv_identification_method(const rbv_identification_options *o) {
  return o->method ? o->method : rbv_identification_has_loop(o) ? "auto" : "wls";
}

bool rbv_identification_measures_reference(const rbv_identification_options *o) {
  return o->loop.reference && strcmp(o->loop.reference, "measured") == 0;
}

bool rbv_identification_has_loop(const rbv_identification_options *o) {
  return o->loop.controller || rbv_identification_measures_reference(o);
}

bool rbv_identification_simulates(const rbv_identification_options *o) {
  const rbv_method *method = rbv_method_find(rbv_identification_method(o));
  return (method->chooses && rbv_identification_has_loop(o)) || method->loop != RBV_LOOP_OPEN;
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
  if (!o) return rbv_fail(RBV_EARG, "there are no options");
  const char *name = rbv_identification_method(o);
  if (!is_method(name)) return refuse_method(name);
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
  const rbv_method *method = rbv_method_find(name);
  const bool output = method->loop == RBV_LOOP_OUTPUT;
  if ((method->loop == RBV_LOOP_INSTRUMENTS || output) && o->prior)
    return rbv_fail_option(RBV_EOPTION, "start",
                           "a prior needs least squares; method %s can start from a parameter file",
                           name);
  if (output && !o->loop.controller)
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "method %s simulates the closed loop: give its controller", name);
  const bool measured = rbv_identification_measures_reference(o);
  if (o->loop.reference_cutoff_hz > 0 && !measured)
    return rbv_fail(RBV_EOPTION, "reference-cutoff needs reference measured");
  if (measured && output)
    return rbv_fail(RBV_EOPTION,
                    "method %s fits the positions: they cannot be the reference as well", name);
  if (measured && o->loop.controller && is_auto(o->loop.controller))
    return rbv_fail(RBV_EOPTION,
                    "controller auto needs the recorded reference: with reference measured give a "
                    "file, or leave the controller out (a law is then made)");
  const bool global = o->loop.search && strcmp(o->loop.search, "global") == 0;
  if (global && !output)
    return rbv_fail(RBV_EOPTION, "search global needs method cloe, not %s", name);
  if ((o->loop.population > 0 || o->loop.generations > 0 || o->loop.device) && !global)
    return rbv_fail(RBV_EOPTION, "population, generations and device need search global");
  if (o->consistent && o->only)
    return rbv_fail(RBV_EOPTION, "consistent and only cannot be combined");
  if (o->decimate_by && o->filter.decimate > 0)
    return rbv_fail(RBV_EOPTION, "decimate and decimate-by cannot be combined");
  if (o->scan_against && !o->filter_scan)
    return rbv_fail(RBV_EOPTION, "scan-against needs filter-scan");
  return o->filter_scan ? rbv_filter_scan_check(o) : RBV_OK;
}
