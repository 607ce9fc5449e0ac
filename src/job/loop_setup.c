/* The simulated loop of an identification: its controller, references and first parameters. */
#include <math.h>
#include <roberval/sys/population.h>
#include <string.h>

#include "control/control.h"
#include "device/device.h"
#include "equations/equations.h"
#include "job/identification_internal.h"
#include "model/law.h"

#define INERTIA_STEP 50      // every so many samples of the reference
#define TIME_CONSTANTS 5.0   // of the slowest loop, after which its transient has decayed
#define TRANSIENT_MOST 0.05  // of the shortest recording

void rbv_identification_free_loop(closed_loop *l) {
  if (!l->borrowed) rbv_control_free(l->control);
  for (int i = 1; i < l->ncontrol; i++) rbv_control_free(l->controls[i]);  // the first is `control`
  RBV_FREE_ALL(l->controls, l->start, l->inertia);
  rbv_numbers_free(l->stiffness);
  rbv_numbers_free(l->damping);
  rbv_free(l->unknown);
  rbv_device_close(l->device);
  *l = (closed_loop){0};
}

/* ---- the controller ---- */

static void tell_controller(const rbv_control_found *found, const rbv_model *model,
                            const rbv_notes *notes) {
  for (int j = 0; j < rbv_model_joint_count(model); j++) {
    const rbv_control_found *f = &found[j];
    rbv_text t = {0};
    rbv_text_print(&t, "controller of %s: %s by %s,", rbv_model_joint(model, j)->name, f->structure,
                   rbv_control_id_method_name(f->method));
    for (int i = 0; i < f->ngain; i++)
      rbv_text_print(&t, " %s %.5g", f->gain[i].name, f->gain[i].value);
    if (f->law.delay > 0) rbv_text_print(&t, ", late by %d samples", f->law.delay);
    rbv_text_print(&t, ", fit %.2f %% of the %s", 100 * f->fit,
                   f->backwards ? "tracking error" : "torque");
    if (!t.failed) rbv_tell(notes, NULL, "%s", t.data);
    rbv_text_free(&t);
  }
}

/* logs that were kept; a recording that is read in pieces has none and is loaded here */
static rbv_status load_missing(rbv_identification *job) {
  for (int i = 0; i < job->fit.count; i++)
    if (!job->fit.log[i])
      RBV_TRY(rbv_recordings_read(&job->fit.log[i], job->model, &job->options.recording,
                                  job->files.map, false,
                                  &(rbv_log_input){.path = job->fit.input[i].path}, NULL));
  return RBV_OK;
}

/* the law that the recordings themselves show */
static rbv_status find_controller(rbv_identification *job) {
  if (job->law) {
    job->loop.control = job->law;
    job->loop.borrowed = true;
    return RBV_OK;
  }
  rbv_control_id_options id = rbv_control_id_defaults();
  id.rate_hz = job->fit.input[0].rate_hz;
  id.threads = job->options.threads;
  rbv_control_found *found;
  RBV_TRY(load_missing(job));
  RBV_TRY(rbv_controller_find_in(&job->loop.control, &found, job->model, job->fit.log,
                                 job->fit.count, job->gain ? job->gain : job->files.gains,
                                 job->options.recording.delay_s, &id));
  rbv_recordings_drop_logs(&job->fit);
  tell_controller(found, job->model, &job->notes);
  char sentence[512], first[512] = "";
  int joint = -1;
  while ((joint = rbv_controller_unexplained(sentence, sizeof sentence, found, job->model,
                                             joint + 1)) >= 0) {
    if (*first)
      rbv_tell(&job->notes, NULL, "%s", sentence);
    else
      memcpy(first, sentence, sizeof first);
  }
  rbv_control_found_free(found);
  return *first ? rbv_fail(RBV_EDATA, "%s", first) : RBV_OK;
}

/* the law of recording i, from a file that may have several */
static rbv_status load_law(rbv_control **out, const rbv_identification *job, int i) {
  const rbv_control_options wanted = {.njoint = rbv_model_joint_count(job->model),
                                      .rate_hz = job->fit.input[i].rate_hz,
                                      .recording = job->fit.input[i].path};
  return rbv_control_load(out, job->options.loop.controller, &wanted);
}

static rbv_status load_controller(rbv_identification *job) {
  closed_loop *l = &job->loop;
  RBV_TRY(load_law(&l->control, job, 0));
  l->controls = rbv_alloc((size_t)job->fit.count * sizeof *l->controls);
  if (!l->controls) return RBV_EMEM;
  bool same = true;
  l->controls[0] = l->control;
  for (l->ncontrol = 1; l->ncontrol < job->fit.count; l->ncontrol++) {
    RBV_TRY(load_law(&l->controls[l->ncontrol], job, l->ncontrol));
    same = same && rbv_control_same(l->control, l->controls[l->ncontrol]);
  }
  const rbv_loop_options *o = &job->options.loop;
  const bool positions = rbv_method_find(job->how.method)->loop == RBV_LOOP_OUTPUT;
  const bool torques = job->fit.computed == 0;
  if (positions && same && torques && !(o->observe && strcmp(o->observe, "both") == 0))
    rbv_tell(&job->notes, "observe",
             "torques were recorded: if the gains are not certain, fit torques together with the "
             "positions, with the gains as unknowns");
  else if (positions && same && !torques)
    rbv_tell(
        &job->notes, "controller",
        "all recordings have the same gains: record the motion with other gains too; if gains or "
        "filter are not those of the robot, the estimates of both differ");
  if (same || positions) return RBV_OK;
  return rbv_fail_option(RBV_EINPUT, "controller",
                         "method %s needs one law for all recordings: recordings with different "
                         "gains need method cloe",
                         job->how.method);
}

/* ---- first parameters ---- */

static rbv_status start_from_wls(double *start, const rbv_identification *job) {
  rbv_identify_options first = job->how;
  first.method = "wls";
  first.bootstrap = 0;
  first.progress = NULL;
  // the values are enough, unless constraints change them
  first.rough = !first.consistent;
  rbv_estimate *e;
  RBV_TRY(rbv_identify(&e, job->model, job->fit.motion, job->fit.count, &first));
  memcpy(start, e->chi, (size_t)rbv_model_column_count(job->model) * sizeof *start);
  rbv_estimate_free(e);
  return RBV_OK;
}

static rbv_status start_from_file(double *start, const rbv_identification *job) {
  rbv_parameters *set;
  RBV_TRY(rbv_parameters_load(&set, job->options.loop.start));
  RBV_FINISH(rbv_parameters_apply(start, NULL, set, job->model), rbv_parameters_free(set));
}

static rbv_status choose_start(rbv_identification *job) {
  const char *from = job->options.loop.start;
  if (from && strcmp(from, "regular") == 0) return RBV_OK;
  const size_t n = (size_t)rbv_model_column_count(job->model);
  const double *own = rbv_model_parameters(job->model);
  double *start = job->loop.start = rbv_alloc(n * sizeof *start);
  if (!start) return RBV_EMEM;
  if (!from) {
    RBV_TRY(start_from_wls(start, job));
    job->loop.loop.start_links = own && rbv_method_find(job->how.method)->loop == RBV_LOOP_OUTPUT;
  } else if (strcmp(from, "robot") == 0) {
    if (!own) return rbv_fail(RBV_EOPTION, "start robot: the robot file gives no parameter values");
    memcpy(start, own, n * sizeof *start);
  } else {
    RBV_TRY(start_from_file(start, job));
  }
  job->loop.loop.start = start;
  return RBV_OK;
}

/* The inertia of each joint for which its gains were tuned; false if a law does not tell it. */
static bool inertia_of_gains(double *inertia, const rbv_control *control, int njoint) {
  double frequency;
  for (int j = 0; j < njoint; j++)
    if (!rbv_control_tuning(&inertia[j], &frequency, control, j)) return false;
  return true;
}

/*
 * Without first parameters the gains must follow the model's inertia (Gautier 2011 section III.B).
 * For which inertia they were tuned is given, or follows from the values of the robot file, or from
 * the gains.
 */
static rbv_status choose_inertia(rbv_identification *job) {
  closed_loop *l = &job->loop;
  const char *given = job->options.loop.inertia;
  const double *own = rbv_model_parameters(job->model);
  const int n = rbv_model_joint_count(job->model);
  if (l->loop.start)
    return given ? rbv_fail(RBV_EOPTION,
                            "inertia needs start regular: other starts do not scale "
                            "the gains")
                 : RBV_OK;
  l->inertia = rbv_alloc((size_t)n * sizeof *l->inertia);
  if (!l->inertia) return RBV_EMEM;
  if (given) {
    double *list;
    RBV_TRY(rbv_numbers_read(&list, job->groups[2].rows, "inertia", given, n));
    memcpy(l->inertia, list, (size_t)n * sizeof *list);
    rbv_numbers_free(list);
  } else if (own) {
    RBV_TRY(
        rbv_sim_inertia(l->inertia, job->model, own, false, &job->fit.reference[0], INERTIA_STEP));
  } else if (!inertia_of_gains(l->inertia, l->control, n)) {
    return rbv_fail_option(RBV_EOPTION, "inertia",
                           "start regular: the inertia that the gains were tuned for is not known, "
                           "because the robot file has no values and the control law is a transfer "
                           "function: give it");
  } else {
    rbv_tell(&job->notes, "inertia",
             "the robot file has no values: the inertia of each joint follows from the gains, as "
             "if they were tuned for a double pole");
  }
  l->loop.inertia = l->inertia;
  return RBV_OK;
}

/* bandwidth of the fastest loop [rad/s], and of the slowest one; 0: no law tells it */
static double bandwidth_of(double *slowest, const rbv_identification *job) {
  double fastest = 0, inertia, frequency;
  *slowest = INFINITY;
  for (int j = 0; j < rbv_model_joint_count(job->model); j++) {
    if (!rbv_control_tuning(&inertia, &frequency, job->loop.control, j)) continue;
    fastest = fmax(fastest, frequency);
    *slowest = fmin(*slowest, frequency);
  }
  return fastest;
}

/* the frequencies of the filters beside the bandwidth of the dynamics (Brunot 2018 section 3.1) */
static void tell_bandwidth(rbv_identification *job) {
  double slowest;
  const double fastest = job->loop.bandwidth = bandwidth_of(&slowest, job);
  const double cutoff_hz = job->fit.input[0].cutoff_hz, w = fastest / (2 * RBV_PI);
  const rbv_row_filter *f = &job->how.filter;
  const double rate_hz = job->fit.input[0].rate_hz;
  const double band_hz = rbv_row_filter_decimation(f).cutoff_ratio * rate_hz / (2 * f->decimate);
  if (!(fastest > 0)) return;
  rbv_text t = {0};
  rbv_text_print(&t, "w_dyn, the bandwidth of the loops: %.3g rad/s (%.3g Hz)", fastest, w);
  if (slowest < fastest) rbv_text_print(&t, ", of the slowest one %.3g rad/s", slowest);
  if (cutoff_hz > 0) rbv_text_print(&t, "; the cut-off is %.2g w_dyn", cutoff_hz / w);
  if (f->decimate > 1) rbv_text_print(&t, "; the band of the rows is %.2g w_dyn", band_hz / w);
  if (!t.failed) rbv_tell(&job->notes, RBV_NOTE_DETAIL, "%s (usual are 5 and 2)", t.data);
  rbv_text_free(&t);
}

/* the transient of the slowest loop (Gautier 2011 section III.B), of a recording at most a share */
static double transient_of(const rbv_identification *job) {
  double slowest, shortest = INFINITY;
  const double longest = bandwidth_of(&slowest, job) > 0 ? TIME_CONSTANTS / slowest : 0;
  for (int i = 0; i < job->fit.count; i++)
    shortest = fmin(shortest, (double)job->fit.reference[i].count / job->fit.input[i].rate_hz);
  return fmin(longest, TRANSIENT_MOST * shortest);
}

static rbv_status choose_rules(rbv_closed_loop *loop, const rbv_loop_options *o) {
  loop->stop_printed = o->stop && strcmp(o->stop, "printed") == 0;
  if (o->stop && !loop->stop_printed && strcmp(o->stop, "rest") != 0)
    return rbv_fail(RBV_EOPTION, "stop is rest or printed, not '%s'", o->stop);
  const bool always = o->scaling && strcmp(o->scaling, "always") == 0;
  if (o->scaling && !always && strcmp(o->scaling, "start") != 0)
    return rbv_fail(RBV_EOPTION, "scaling is start or always, not '%s'", o->scaling);
  if (always) loop->scaled_steps = -1;
  return RBV_OK;
}

/* ---- unknowns of output error ---- */

/* the words of a list of unknowns */
static const struct {
  const char *word;
  rbv_unknown_kind kind;
  bool each;  // one per joint
} unknown_words[] = {
    {"delay", RBV_UNKNOWN_DELAY, false},           {"delays", RBV_UNKNOWN_DELAY, true},
    {"command_delay", RBV_UNKNOWN_COMMAND, false}, {"bias", RBV_UNKNOWN_BIAS, true},
    {"shapes", RBV_UNKNOWN_SHAPE, true},           {"stiffness", RBV_UNKNOWN_STIFFNESS, true},
    {"damping", RBV_UNKNOWN_DAMPING, true}};

/* shape parameter i of all laws that can be unknown, each name once; NULL past the last */
static const char *free_shape(int i) {
  const char *name[LAW_SHAPE_KINDS];
  int count = 0;
  for (int l = 0; l < rbv_law_count(); l++) {
    const rbv_law_shape *shape = rbv_law_free_shape(rbv_law_at(l));
    int same = 0;
    while (shape && same < count && strcmp(name[same], shape->name) != 0) same++;
    if (!shape || same < count) continue;
    if (count == i) return shape->name;
    name[count++] = shape->name;
  }
  return NULL;
}

static bool parse_unknown(rbv_unknown *out, bool *each, const char *word) {
  *each = true;
  *out = (rbv_unknown){.kind = RBV_UNKNOWN_GAIN, .joint = -1};
  for (int i = 0; i < RBV_COUNT(unknown_words); i++)
    if (strcmp(unknown_words[i].word, word) == 0) {
      out->kind = unknown_words[i].kind;
      *each = unknown_words[i].each;
      return true;
    }
  for (int i = 0; free_shape(i); i++)
    if (strcmp(free_shape(i), word) == 0) {
      out->kind = RBV_UNKNOWN_SHAPE;
      out->shape = free_shape(i);
      return true;
    }
  return rbv_gain_parse(&out->gain, word);
}

static rbv_status refuse_unknown(const char *word) {
  rbv_text known = {0};
  for (int i = 0; i < RBV_COUNT(unknown_words); i++)
    rbv_text_print(&known, " %s", unknown_words[i].word);
  for (int i = 0; free_shape(i); i++) rbv_text_print(&known, " %s", free_shape(i));
  for (int i = 0; rbv_gain_name(i); i++) rbv_text_print(&known, " %s", rbv_gain_name(i));
  RBV_FINISH(rbv_fail(RBV_EOPTION, "unknown: '%s' is not an unknown of the loop (choose from%s)",
                      word, known.data ? known.data : ""),
             rbv_text_free(&known));
}

/* has the law of a joint this gain, and is it used? */
static bool has_gain(const rbv_control *control, int joint, rbv_gain gain) {
  rbv_control_joint law = *rbv_control_get_joint(control, joint);
  const double *value = rbv_gain_of(&law, gain);
  return value && *value != 0;
}

/* the shape parameters of a joint, one of them or all, each once; true if there are any */
static bool add_shapes(rbv_unknown *list, int *count, const rbv_unknown *u, const rbv_model *m) {
  bool any = false;
  for (int i = 0; free_shape(i); i++) {
    if (u->shape && strcmp(u->shape, free_shape(i)) != 0) continue;
    if (!rbv_model_law_of_shape(m, u->joint, free_shape(i))) continue;
    any = true;
    int k = 0;
    while (k < *count && (list[k].kind != RBV_UNKNOWN_SHAPE || list[k].joint != u->joint ||
                          strcmp(list[k].shape, free_shape(i)) != 0))
      k++;
    if (k < *count) continue;
    list[*count] = *u;
    list[(*count)++].shape = free_shape(i);
  }
  return any;
}

/* one word of the list: one unknown, or one per joint */
static rbv_status add_unknown(rbv_unknown *list, int *count, const char *word,
                              const rbv_control *control, const rbv_model *m) {
  rbv_unknown u;
  bool each;
  if (!parse_unknown(&u, &each, word)) return refuse_unknown(word);
  const int njoint = rbv_control_joint_count(control);
  bool any = false;
  for (int j = each ? 0 : -1; j < (each ? njoint : 0); j++) {
    if (u.kind == RBV_UNKNOWN_GAIN && !has_gain(control, j, u.gain)) continue;
    u.joint = j;
    if (u.kind == RBV_UNKNOWN_SHAPE) {
      any = add_shapes(list, count, &u, m) || any;
      continue;
    }
    list[(*count)++] = u;
    any = true;
  }
  if (any) return RBV_OK;
  if (u.kind == RBV_UNKNOWN_SHAPE)
    return rbv_fail_option(RBV_EOPTION, "friction",
                           "unknown: no friction of the robot has %s that can be estimated", word);
  return rbv_fail(RBV_EOPTION, "unknown: no law of the controller has the gain %s", word);
}

rbv_status rbv_unknowns_parse(rbv_unknown **out, int *count, const char *text,
                              const rbv_control *control, const rbv_model *model) {
  const int n = rbv_control_joint_count(control);
  const int most = (RBV_COUNT(unknown_words) + RBV_GAIN_COUNT) * n;
  int shapes = 0;
  while (free_shape(shapes)) shapes++;
  *out = rbv_alloc((size_t)(most + shapes * n) * sizeof **out);
  *count = 0;
  char *list = rbv_strdup(text), *rest = list;
  rbv_status status = *out && list ? RBV_OK : RBV_EMEM;
  for (const char *word; status == RBV_OK && (word = strtok_r(rest, ", ", &rest));)
    status = *count + n <= most ? add_unknown(*out, count, word, control, model)
                                : rbv_fail(RBV_EOPTION, "unknown: the list is too long");
  rbv_free(list);
  return status;
}

/* springs that the robot file has */
static rbv_status springs_of_robot(rbv_identification *job) {
  closed_loop *l = &job->loop;
  const int n = rbv_model_joint_count(job->model);
  const double *chi = rbv_model_parameters(job->model);
  const int elastic = rbv_model_springs(NULL, NULL, NULL, job->model, chi);
  if (elastic == 0) return RBV_OK;
  RBV_NEW(double, cubic, n);
  l->stiffness = rbv_alloc((size_t)n * sizeof *l->stiffness);
  l->damping = rbv_alloc((size_t)n * sizeof *l->damping);
  bool curved = false;
  if (l->stiffness && l->damping)
    (void)rbv_model_springs(l->stiffness, cubic, l->damping, job->model, chi);
  for (int j = 0; j < n; j++) curved = curved || cubic[j] != 0;
  rbv_free(cubic);
  if (!l->stiffness || !l->damping) return RBV_EMEM;
  if (curved)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "springs with a cubic part are not identified from positions: record both "
                    "sides of the joints, or leave `cubic` out");
  l->loop.stiffness = l->stiffness;
  l->loop.damping = l->damping;
  return RBV_OK;
}

/* springs of elastic joints */
static rbv_status read_springs(rbv_identification *job) {
  const rbv_loop_options *o = &job->options.loop;
  closed_loop *l = &job->loop;
  const int n = rbv_model_joint_count(job->model);
  const rbv_option *rows = job->groups[2].rows;
  if (!o->joint_stiffness && !o->joint_damping) return springs_of_robot(job);
  if (!o->joint_stiffness)
    return o->joint_damping ? rbv_fail_option(RBV_EOPTION, "joint-stiffness",
                                              "the damping of elastic joints needs their stiffness")
                            : RBV_OK;
  RBV_TRY(rbv_numbers_read(&l->stiffness, rows, "joint-stiffness", o->joint_stiffness, n));
  l->loop.stiffness = l->stiffness;
  if (!o->joint_damping) return RBV_OK;
  RBV_TRY(rbv_numbers_read(&l->damping, rows, "joint-damping", o->joint_damping, n));
  l->loop.damping = l->damping;
  return RBV_OK;
}

static rbv_status choose_unknowns(rbv_identification *job) {
  const rbv_loop_options *o = &job->options.loop;
  closed_loop *l = &job->loop;
  l->loop.start_delay_s = o->delay_s;
  l->loop.segment_s = o->segment_s;
  l->loop.limit_s = o->limit_s;
  l->loop.starts = o->starts;
  l->loop.known_links = o->known_links;
  if (l->ncontrol > 0) l->loop.controls = (const rbv_control *const *)l->controls;
  l->loop.known = rbv_model_parameters(job->model);
  l->loop.measured = (const double *const *)job->fit.position;
  l->loop.torques = o->observe && strcmp(o->observe, "both") == 0;
  RBV_TRY(read_springs(job));
  if (!o->unknown) return RBV_OK;
  const rbv_status status =
      rbv_unknowns_parse(&l->unknown, &l->loop.nunknown, o->unknown, l->control, job->model);
  l->loop.unknown = l->unknown;
  return status;
}

/* ---- the device of a global search ---- */

/* RBV_EUNSUPPORTED with a sentence: the device cannot simulate the loop */
static rbv_status try_device(const rbv_identification *job) {
  const closed_loop *l = &job->loop;
  rbv_population *p;
  if (l->loop.segment_s > 0)
    return rbv_fail(RBV_EUNSUPPORTED, "a device cannot simulate segments of a recording");
  RBV_TRY(rbv_population_new(&p, job->model, l->control, &l->sim, 0, l->device));
  rbv_population_free(p);
  return RBV_OK;
}

static rbv_status choose_device(rbv_identification *job) {
  const rbv_loop_options *o = &job->options.loop;
  closed_loop *l = &job->loop;
  l->loop.global = o->search && strcmp(o->search, "global") == 0;
  l->loop.population = o->population;
  l->loop.generations = o->generations;
  if (!l->loop.global || !o->device) return RBV_OK;
  char text[RBV_DEVICE_TEXT];
  RBV_TRY(rbv_device_open(&l->device, text, o->device));
  if (text[0]) rbv_tell(&job->notes, "device", "%s", text);
  if (l->device) {
    const rbv_status status = try_device(job);
    if (status != RBV_OK && (status != RBV_EUNSUPPORTED || strcmp(o->device, "auto") != 0))
      return status;
    if (status != RBV_OK) {
      rbv_tell(&job->notes, "device", "the CPU is used: %s", rbv_message());
      rbv_device_close(l->device);
      l->device = NULL;
    }
  }
  l->loop.device = l->device;
  return RBV_OK;
}

/* the faster integrator if its error cannot be seen in the recorded positions */
static rbv_status choose_integrator(rbv_identification *job) {
  closed_loop *l = &job->loop;
  l->sim = rbv_sim_defaults();
  l->loop.sim = &l->sim;
  // didim uses no positions: their encoder is no measure of its errors
  if (!l->loop.start || rbv_method_find(job->how.method)->loop == RBV_LOOP_DIDIM) return RBV_OK;
  // the reference has one sample per row
  if (rbv_control_ticks(l->control) > 1) return RBV_OK;
  const rbv_sim_lane lane = {.chi = l->loop.start};
  RBV_TRY(rbv_sim_choose_integrator(&l->sim, NULL, job->model, l->control, &lane,
                                    &job->fit.reference[0], job->fit.encoder_step));
  // errors of instruments add no bias; otherwise all steps: torques without noise show errors that
  // positions do not
  const rbv_method *method = rbv_method_find(job->how.method);
  if (method->loop != RBV_LOOP_INSTRUMENTS && !method->chooses) l->sim.substeps = 0;
  return RBV_OK;
}

/* reference and control law; RBV_EDATA: the recordings do not show them, or auto lacks them */
static rbv_status find_loop(rbv_identification *job) {
  const bool chooses = rbv_method_find(job->how.method)->chooses;
  if (rbv_identification_measures_reference(&job->options)) {
    RBV_TRY(rbv_identification_take_reference(job));
    if (job->options.loop.controller) return load_controller(job);
    // the law is tuned for the start values
    RBV_TRY(choose_start(job));
    return rbv_identification_make_controller(job);
  }
  for (int i = 0; i < job->fit.count; i++)
    if (!job->fit.reference[i].q)
      return rbv_fail_option(
          chooses ? RBV_EDATA : RBV_EINPUT, "reference",
          "%s: the loop cannot be simulated without its reference: record it as qr1, "
          "qr2, ..., at regular time stamps, or use the measured positions as reference",
          job->fit.input[i].path);
  return strcmp(job->options.loop.controller, "auto") == 0 ? find_controller(job)
                                                           : load_controller(job);
}

rbv_status rbv_identification_prepare_loop(rbv_identification *job) {
  const rbv_loop_options *o = &job->options.loop;
  closed_loop *l = &job->loop;
  l->loop = rbv_closed_loop_defaults();
  if (!rbv_identification_has_loop(&job->options))
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "method %s simulates the closed loop: give its controller",
                           job->how.method);
  const rbv_status status = find_loop(job);
  // auto then tests what it can without a loop
  if (status == RBV_EDATA && rbv_method_find(job->how.method)->chooses) {
    rbv_tell(&job->notes, "method", "the closed loop is not used: %s", rbv_message());
    return RBV_OK;
  }
  RBV_TRY(status);
  l->loop.control = l->control;
  l->loop.reference = job->fit.reference;
  const double skip_s = isnan(o->skip_s) ? transient_of(job) : o->skip_s;
  l->loop.skip = (ptrdiff_t)(skip_s * job->fit.input[0].rate_hz);
  l->loop.stop_residual = o->stop_residual;
  l->loop.stop_step = o->stop_step;
  if (isnan(o->skip_s) && l->loop.skip > 0)
    rbv_tell(&job->notes, "skip",
             "the first %.3g s of each recording are left out: the transient of the slowest loop",
             skip_s);
  if (!rbv_identification_measures_reference(&job->options) || o->controller) tell_bandwidth(job);
  RBV_TRY(choose_rules(&l->loop, o));
  if (rbv_method_find(job->how.method)->loop == RBV_LOOP_OUTPUT) RBV_TRY(choose_unknowns(job));
  if (!l->start) RBV_TRY(choose_start(job));
  RBV_TRY(choose_inertia(job));
  RBV_TRY(choose_integrator(job));
  RBV_TRY(choose_device(job));
  job->how.loop = &l->loop;
  return RBV_OK;
}
