/*
 * The task payload: identify a payload from a recording without it and a recording with it, against
 * an identified robot, from static poses, or from a force/torque sensor.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/report.h>

#include "job/spring_fit.h"
#include "payload/payload.h"
#include "task/task_internal.h"

#define TASK rbv_payload_task

static const rbv_option rows[] = {
    TASK_ROW("method", TEXT, method, "NAME", "estimator (default wls)", .letter = 'm',
             .choice = rbv_identify_method, .basic = true),
    TASK_ROW("frame", TEXT, frame, "LINK",
             "frame of the values: a link that is fixed to the last one, such as tool0",
             .basic = true),
    TASK_ROW("at", TEXT, at, "LINK",
             "a robot with several tips: the link (YAML: the joint) that carries the payload"),
    TASK_ROW("static", FLAG, at_rest, NULL, "the recordings are poses at rest: mass and centre",
             .basic = true),
    TASK_ROW("wrist", TEXT, wrist, "LINK", "a force/torque sensor at this link was recorded",
             .basic = true),
    TASK_ROW("wrench", TEXT, wrench, "COLUMNS",
             "columns of the sensor, comma-separated: force x, y, z, torque x, y, z (default: fx "
             "... tz)"),
    TASK_ROW("tilted", FLAG, tilted, NULL,
             "wrist sensor: the base is not level, find the direction of gravity"),
    TASK_ROW("output", OUTPUT, output, "FILE.json", "write the payload here", .letter = 'o',
             .basic = true),
    TASK_ROW("report", OUTPUT, report, "FILE.html", "write an HTML report", .basic = true),
    TASK_ROW("known-mass", REAL, known_mass, "KG",
             "known mass of the payload: identify the drive gains instead", RBV_ABOVE(0, 1e6),
             .basic = true),
    {0}};

static void defaults(void *data) {
  rbv_payload_task *t = data;
  t->robot = rbv_robot_defaults();
  t->recording = rbv_recording_defaults();
  t->filter = rbv_filter_defaults();
  t->method = "wls";
}

static void groups(rbv_option_group *out, void *data) {
  rbv_payload_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_filter_rows(), &t->filter};
  out[2] = (rbv_option_group){rbv_recording_rows(), &t->recording};
  out[3] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_payload_task *j = data;
  rbv_free(j->gain);
  rbv_free(j->gain_sigma);
  rbv_known_arm_free(&j->arm);
  rbv_body_estimate_free(&j->body);
  rbv_wrist_estimate_free(&j->wrist_estimate);
  rbv_poses_free(&j->empty);
  rbv_poses_free(&j->loaded);
  rbv_estimate_free(j->estimate);
  rbv_recordings_free(&j->motions);
  if (j->fitted.result)
    rbv_result_model_free(&j->fitted);
  else
    rbv_model_free(j->model);
}

/* ---- drive gains with a payload of known mass ---- */

static rbv_status find_gains(rbv_payload_task *j, const rbv_row_filter *filter) {
  const size_t bytes = (size_t)rbv_model_joint_count(j->model) * sizeof(double);
  j->gain = rbv_alloc(bytes);
  j->gain_sigma = rbv_alloc(bytes);
  if (!j->gain || !j->gain_sigma) return RBV_EMEM;
  RBV_TRY(rbv_identify_gains(j->gain, j->gain_sigma, j->model, j->motions.motion, j->motions.count,
                             filter, j->known_mass, j->common.seed));
  j->common.answer = true;
  return RBV_OK;
}

/* ---- frames ---- */

/* the frame of a name, which must be fixed to the link with the payload; NULL: that link's own */
static rbv_status find_frame(double R[9], double p[3], const rbv_payload_task *j,
                             const char *name) {
  const rbv_model *m = j->model;
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(R, identity, sizeof identity);
  memset(p, 0, 3 * sizeof *p);
  if (!name) return RBV_OK;
  const int link = rbv_model_frame(R, p, m, name);
  const int last = j->arm.at > 0 ? j->arm.at : rbv_model_body_count(m);
  if (link == last) return RBV_OK;
  char known[512] = "";
  for (int i = 0; rbv_model_frame_name(m, i); i++)
    if (rbv_model_frame_link(m, i) == last)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "",
               rbv_model_frame_name(m, i));
  return rbv_fail(RBV_EINPUT,
                  link < 0
                      ? "the robot has no frame '%s'; frames of the last link: %s"
                      : "the frame '%s' is not fixed to the last link; frames of the last link: %s",
                  name, *known ? known : "none");
}

/* the HTML page */
static rbv_status write_page(const rbv_payload_task *j) {
  const rbv_payload_page in = {.model = j->model,
                               .frame = j->of_frame ? j->of_frame : "that of the last link",
                               .source = j->source,
                               .payload = j->payload,
                               .relative_error = j->relative_error,
                               .poses = j->poses,
                               .wrist = j->of_wrist};
  rbv_report *page;
  RBV_TRY(rbv_report_payload(&page, &in));
  RBV_FINISH(rbv_report_write(page, j->report, NULL, &j->common.notes), rbv_report_free(page));
}

/* the payload in the wanted frame; body: in the frame (R, p) of the last link */
static rbv_status finish(rbv_payload_task *j, const rbv_body_estimate *body, const double *R,
                         const double *p) {
  double Rf[9], pf[3], S[9] = {0}, s[3] = {0};
  RBV_TRY(find_frame(Rf, pf, j, j->frame));
  if (R && !j->frame) {
    j->of_frame = j->wrist;
    memcpy(Rf, R, sizeof Rf);
    memcpy(pf, p, sizeof pf);
  } else {
    j->of_frame = j->frame;
  }
  // the wanted frame in that of the body
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      if (!R) {
        S[3 * i + k] = Rf[3 * i + k];
        continue;
      }
      s[i] += R[3 * k + i] * (pf[k] - p[k]);
      for (int l = 0; l < 3; l++) S[3 * i + k] += R[3 * l + i] * Rf[3 * l + k];
    }
  if (!R) memcpy(s, pf, sizeof s);
  RBV_TRY(rbv_body_payload(&j->payload, body, S, s));
  j->relative_error = body->relative_error;
  j->common.answer = isfinite(j->payload.mass_sigma);
  if (j->output) RBV_TRY(rbv_task_save(j->output, &rbv_payload_kind, j));
  return j->report ? write_page(j) : RBV_OK;
}

/* ---- logs of poses ---- */

/* a log with the map, the gains and the order of joints of the options */
static rbv_status load_log(rbv_log **log, const rbv_payload_task *j, const rbv_log_input *in,
                           rbv_recording_files *files) {
  RBV_TRY(rbv_recording_files_load(files, j->model, &j->recording));
  RBV_TRY(rbv_log_input_load(log, in, files->map, false));
  return rbv_recordings_order(*log, j->model);
}

/* the columns of the force/torque sensor */
static rbv_status find_wrench(int wrench[6], const rbv_log *log, const rbv_payload_task *j) {
  if (rbv_wrench_find(wrench, log, j->wrench)) return RBV_OK;
  return rbv_fail_option(
      RBV_EINPUT, "wrench",
      "%s: no columns of a force/torque sensor (fx fy fz tx ty tz); give their names",
      rbv_log_name(log));
}

/* input i */
static rbv_status load_poses(rbv_poses *out, rbv_payload_task *j, int i) {
  const rbv_log_input in = rbv_task_input(&j->common, i);
  rbv_recording_files files = {0};
  rbv_log *log = NULL;
  int wrench[6];
  rbv_status status = load_log(&log, j, &in, &files);
  if (status == RBV_OK && j->wrist) status = find_wrench(wrench, log, j);
  if (status == RBV_OK)
    status = rbv_poses_from_log(out, j->model, log, j->wrist ? wrench : NULL,
                                j->fitted.gain ? j->fitted.gain : files.gains);
  if (status == RBV_OK) rbv_tell(&j->common.notes, NULL, "%s: %d poses", in.path, out->count);
  rbv_log_free(log);
  rbv_recording_files_free(&files);
  return status;
}

/* ---- the four sources ---- */

static rbv_status from_poses(rbv_payload_task *j) {
  const bool empty = j->common.ninput == 3;
  RBV_TRY(load_poses(&j->loaded, j, j->common.ninput - 1));
  if (empty) RBV_TRY(load_poses(&j->empty, j, 1));
  if (!empty && !j->arm.chi)
    return rbv_fail(RBV_EINPUT,
                    "the robot has no parameter values: give a result, or a recording of the same "
                    "poses without the payload");
  if (!empty && !j->fitted.result)
    rbv_tell(&j->common.notes, NULL,
             "the arm is taken as its robot file says; a result is more accurate");
  RBV_TRY(rbv_payload_from_poses(&j->body, &j->arm, &j->loaded, empty ? &j->empty : NULL));
  j->source = "static poses";
  j->poses = j->loaded.count;
  return finish(j, &j->body, NULL, NULL);
}

/* a motion whose torques are the wrench of the sensor */
static rbv_status load_wrist_motion(rbv_motion **out, rbv_payload_task *j) {
  const rbv_log_input in = rbv_task_input(&j->common, 1);
  rbv_recording_files files = {0};
  rbv_log *log = NULL;
  int wrench[6];
  rbv_status status = load_log(&log, j, &in, &files);
  if (status == RBV_OK) status = find_wrench(wrench, log, j);
  if (status == RBV_OK) status = rbv_wrist_motion(out, j->model, log, wrench);
  rbv_log_free(log);
  rbv_recording_files_free(&files);
  return status;
}

static rbv_status from_wrist(rbv_payload_task *j) {
  double R[9], p[3];
  rbv_motion *motion = NULL;
  rbv_wrist_estimate *w = &j->wrist_estimate;
  RBV_TRY(find_frame(R, p, j, j->wrist));
  if (j->at_rest)
    RBV_TRY(load_poses(&j->loaded, j, 1));
  else
    RBV_TRY(load_wrist_motion(&motion, j));
  const rbv_status status =
      j->at_rest ? rbv_payload_from_wrist(w, j->model, &j->loaded, R, p, !j->tilted)
                 : rbv_payload_from_wrist_motion(w, j->model, motion, R, p, !j->tilted);
  rbv_motion_free(motion);
  RBV_TRY(status);
  if (w->reversed)
    rbv_tell(&j->common.notes, NULL,
             "the sensor reads the force of the payload on the arm with the opposite sign");
  j->source = "wrist sensor";
  j->poses = j->loaded.count;
  j->of_wrist = w;
  return finish(j, &w->body, R, p);
}

/* a recording with the payload against a result */
static rbv_status from_result(rbv_payload_task *j) {
  rbv_recording_options recording = j->fitted.options.recording;
  if (j->recording.map) recording.map = j->recording.map;
  const rbv_recording_use use = {.gain = j->fitted.gain, .unknown_body = true};
  rbv_log_input in = rbv_task_input(&j->common, 1);
  RBV_TRY(rbv_task_recordings_add(&j->motions, &j->common, j->model, &recording, &use, &in, 1,
                                  &j->common.notes));
  RBV_TRY(rbv_payload_from_motions(&j->body, &j->arm, j->motions.motion, j->motions.count,
                                   &j->fitted.filter));
  j->source = "result";
  return finish(j, &j->body, NULL, NULL);
}

/* a recording without and one with the payload */
static rbv_status from_pair(rbv_payload_task *j) {
  const rbv_task_common *c = &j->common;
  const rbv_recording_use with = {.loaded = true};
  rbv_identify_options how = rbv_identify_defaults();
  rbv_log_input empty = rbv_task_input(c, 1), loaded = rbv_task_input(c, 2);
  rbv_recorded_smoothing recorded;
  RBV_TRY(rbv_smoothing_read(&recorded, &empty));
  RBV_TRY(
      rbv_task_recordings_add(&j->motions, c, j->model, &j->recording, NULL, &empty, 1, &c->notes));
  RBV_TRY(rbv_task_recordings_add(&j->motions, c, j->model, &j->recording, &with, &loaded, 1,
                                  &c->notes));
  if (!(j->robot.model.gamma >= 0))
    RBV_TRY(rbv_recordings_smooth(&j->model, &recorded, &j->motions, c->threads, &c->notes));
  j->arm = (rbv_known_arm){.model = j->model, .chi = rbv_model_parameters(j->model)};
  RBV_TRY(
      rbv_filter_choose(&how.filter, &j->filter, j->model, &j->motions, 1, c->threads, &c->notes));
  if (j->known_mass > 0) return find_gains(j, &how.filter);
  how.method = j->method;
  RBV_TRY(rbv_identify(&j->estimate, j->model, j->motions.motion, j->motions.count, &how));
  RBV_TRY(rbv_body_from_estimate(&j->body, j->estimate, j->model));
  j->source = "two recordings";
  return finish(j, &j->body, NULL, NULL);
}

/* ---- running ---- */

/* the same robot with a payload on the link that was named */
static rbv_status add_payload(rbv_payload_task *j) {
  RBV_TRY(rbv_known_arm_place(&j->arm, j->at));
  rbv_model_terms terms = rbv_model_get_terms(j->model);
  terms.payload = true;
  terms.carrier = j->arm.at;
  rbv_model *with;
  RBV_TRY(rbv_model_variant(&with, j->model, &terms));
  rbv_model_free(j->model);
  j->model = with;
  j->arm = (rbv_known_arm){.model = with, .chi = rbv_model_parameters(with)};
  return RBV_OK;
}

static rbv_status load_arm(rbv_payload_task *j) {
  const char *path = j->common.input[0];
  if (!j->common.robot && !rbv_result_model_is_robot(path)) {
    RBV_TRY(rbv_result_model_load(&j->fitted, path, NULL, &j->common.notes));
    j->fitted.filter.threads = j->common.threads;
    j->model = j->fitted.model;
    rbv_tell_rigid_joints(j->model, j->fitted.chi, "The payload", &j->common.notes);
    return rbv_known_arm_from_result(&j->arm, j->fitted.result, j->model, j->fitted.chi);
  }
  rbv_robot_options robot = j->robot;
  const bool pair = j->common.ninput == 3 && !j->at_rest;
  robot.model.payload = pair && !j->at;
  // a log that cannot be read is named when it is loaded
  const rbv_log_input first = rbv_task_input(&j->common, 1);
  rbv_recorded_smoothing recorded;
  (void)!rbv_smoothing_read(&recorded, &first);
  rbv_smoothing_gamma(&robot.model.gamma, &recorded);
  RBV_TRY(rbv_task_open_robot(&j->model, &j->common, &robot));
  if (j->common.robot && rbv_model_has_payload(j->model) != robot.model.payload)
    return rbv_fail(RBV_EOPTION, "the robot has a payload already: give it without");
  j->arm = (rbv_known_arm){.model = j->model, .chi = rbv_model_parameters(j->model)};
  return pair && j->at ? add_payload(j) : RBV_OK;
}

static rbv_status check_usage(const rbv_payload_task *j) {
  const bool result = j->fitted.result != NULL;
  const int logs = j->common.ninput - 1;
  if (j->wrist && logs != 1)
    return rbv_fail(RBV_EOPTION, "a wrist sensor needs one recording, with the payload");
  if (result && logs != 1)
    return rbv_fail(RBV_EOPTION, "a result replaces the recording without the payload");
  if (!result && logs == 1 && !j->at_rest && !j->wrist)
    return rbv_fail(RBV_EOPTION,
                    "a robot needs a recording without the payload, or use a result, poses at "
                    "rest (static) or a sensor at the wrist");
  if (j->known_mass > 0 && (logs != 2 || j->at_rest || j->wrist))
    return rbv_fail_option(RBV_EOPTION, "known-mass",
                           "known-mass needs a robot and two recordings in motion");
  if (j->known_mass > 0 && rbv_model_sensing(j->model) != RBV_SENSING_MOTOR)
    return rbv_fail_option(RBV_EOPTION, "known-mass",
                           "known-mass identifies gains of motor torques: use the sensing motor");
  if (j->tilted && !j->wrist)
    return rbv_fail_option(RBV_EOPTION, "tilted", "tilted needs the option wrist");
  return RBV_OK;
}

static rbv_status run(void *data) {
  rbv_payload_task *j = data;
  RBV_TRY(load_arm(j));
  RBV_TRY(check_usage(j));
  RBV_TRY(rbv_known_arm_place(&j->arm, j->at));
  rbv_status status;
  if (j->wrist)
    status = from_wrist(j);
  else if (j->at_rest)
    status = from_poses(j);
  else if (j->fitted.result)
    status = from_result(j);
  else
    status = from_pair(j);
  if (rbv_recordings_finding(&j->motions, 0)) j->common.answer = false;
  return status;
}

static const rbv_recordings *recordings(const void *data) {
  const rbv_payload_task *j = data;
  return &j->motions;
}

/* ---- JSON ---- */

static const char *const inertia_name[6] = {"xx", "xy", "xz", "yy", "yz", "zz"};

/* possible: false if no body can have this value */
static void put_value(rbv_json *json, const char *key, double value, double sigma, bool possible,
                      const char *data) {
  const bool known = isfinite(sigma) && possible;
  char reason[64];
  snprintf(reason, sizeof reason, "not identifiable from these %s", data);
  rbv_json_put_map(json, key);
  rbv_json_put_real(json, "value", known ? value : NAN);
  rbv_json_put_real(json, "sigma", sigma);
  if (!isfinite(sigma))
    rbv_json_put_string(json, "reason", reason);
  else if (!possible) {
    rbv_json_put_real(json, "impossible_estimate", value);
    rbv_json_put_string(json, "reason", "no body has the estimated inertia");
  }
  rbv_json_end(json);
}

static void put_wrist(rbv_json *json, const rbv_wrist_estimate *w) {
  static const char *const key[6] = {"force_x_N",   "force_y_N",   "force_z_N",
                                     "torque_x_Nm", "torque_y_Nm", "torque_z_Nm"};
  rbv_json_put_map(json, "bias");
  for (int i = 0; i < 6; i++) put_value(json, key[i], w->bias[i], w->bias_sigma[i], true, "poses");
  rbv_json_end(json);
  rbv_json_put_reals(json, "gravity", w->gravity, 3);
  put_value(json, "tilt_rad", w->tilt, w->tilt_sigma, true, "poses");
  rbv_json_put_bool(json, "sensor_reads_force_on_arm", w->reversed);
}

static void put_commands(rbv_json *json, const rbv_payload *p) {
  char line[512];
  rbv_json_put_map(json, "commands");
  for (int i = 0; rbv_controller_line_at(i); i++)
    if (rbv_controller_line_write(line, sizeof line, i, p))
      rbv_json_put_string(json, rbv_controller_line_at(i)->key, line);
  rbv_json_end(json);
}

static void put_gains(rbv_json *json, const rbv_payload_task *j) {
  rbv_json_put_schema(json, "roberval.gains/1");
  rbv_json_put_real(json, "known_mass_kg", j->known_mass);
  rbv_json_put_list(json, "drives");
  for (int i = 0; i < rbv_model_joint_count(j->model); i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->model, i)->name);
    rbv_json_put_real(json, "gain", j->gain[i]);
    rbv_json_put_real(json, "sigma", j->gain_sigma[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  static const char *const axis[3] = {"centre_x_m", "centre_y_m", "centre_z_m"};
  const rbv_payload_task *all = data;
  const rbv_payload *p = &all->payload;
  const char *data_name = all->poses ? "poses" : "motions";
  if (all->gain) {
    put_gains(json, all);
    return RBV_OK;
  }
  rbv_json_put_schema(json, "roberval.payload/1");
  rbv_json_put_string(json, "robot", rbv_model_name(all->model));
  rbv_json_put_string(json, "frame", all->of_frame ? all->of_frame : "that of the last link");
  rbv_json_put_string(json, "source", all->source);
  put_value(json, "mass_kg", p->mass, p->mass_sigma, true, data_name);
  for (int i = 0; i < 3; i++)
    put_value(json, axis[i], p->centre[i], p->centre_sigma[i], true, data_name);
  for (int i = 0; i < 6; i++) {
    char key[32];
    snprintf(key, sizeof key, "inertia_%s_kg_m2", inertia_name[i]);
    put_value(json, key, p->inertia[i], p->inertia_sigma[i], p->inertia_possible, data_name);
  }
  if (all->poses) rbv_json_put_int(json, "poses", all->poses);
  if (all->of_wrist) put_wrist(json, all->of_wrist);
  if (all->estimate) {
    bool coloured = false;
    for (int i = 0; i < all->estimate->fit.nrow; i++)
      coloured = coloured || all->estimate->fit.row[i].coloured;
    rbv_json_put_bool(json, "residual_coloured", coloured);
    rbv_json_put_real(json, "sigma_inflation", all->estimate->diagnostics.sigma_inflation);
  }
  rbv_json_put_real(json, "relative_error", all->relative_error);
  put_commands(json, p);
  return RBV_OK;
}

const task_kind rbv_payload_kind =
    TASK_KIND("payload", "ROBOT EMPTY LOADED, or RESULT LOADED", 2, 3, fitted, .objects = true,
              .run = run, .recordings = recordings);
