/*
 * roberval payload: identify a payload from a recording without it and a recording with it, against
 * an identified robot, from static poses, or from a force/torque sensor.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/payload.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify_output.h"
#include "library_calls.h"
#include "payload_output.h"

typedef struct {
  cli_common common;
  cli_robot robot;
  rbv_recording_options recording;
  rbv_filter_options filter;
  const char *method, *frame, *wrist, *wrench, *output, *report;
  double known_mass;
  bool at_rest, tilted;
} options;

typedef struct {
  rbv_result_model fitted;  // of a result
  rbv_model *model;         // of a robot, or that of the result
  rbv_known_arm arm;
  rbv_recordings motions;
  rbv_estimate *estimate;
  rbv_poses empty, loaded;
  rbv_body_estimate body;
  rbv_wrist_estimate wrist;
  double *gain, *gain_sigma;
} job;

static void free_job(job *j) {
  free(j->gain);
  free(j->gain_sigma);
  rbv_known_arm_free(&j->arm);
  rbv_body_estimate_free(&j->body);
  rbv_wrist_estimate_free(&j->wrist);
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

static int run_gains(job *j, const options *o, const rbv_row_filter *filter) {
  const int n = rbv_model_joint_count(j->model);
  j->gain = calloc((size_t)n, sizeof *j->gain);
  j->gain_sigma = calloc((size_t)n, sizeof *j->gain_sigma);
  if (!j->gain || !j->gain_sigma) return cli_out_of_memory();
  const rbv_status status =
      rbv_identify_gains(j->gain, j->gain_sigma, j->model, j->motions.motion, j->motions.count,
                         filter, o->known_mass, o->common.seed);
  if (status != RBV_OK) return cli_fail(status);
  if (!o->common.json) {
    printf("%-14s %12s %12s\n", "drive", "gain", "sigma");
    for (int i = 0; i < n; i++)
      printf("%-14s %12.5g %12.3g\n", rbv_model_joint(j->model, i)->name, j->gain[i],
             j->gain_sigma[i]);
    return EXIT_DONE;
  }
  rbv_json *json;
  const rbv_status made = rbv_json_new(&json);
  if (made != RBV_OK) return cli_fail(made);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.gains/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_real(json, "known_mass_kg", o->known_mass);
  rbv_json_key(json, "drives");
  rbv_json_list(json);
  for (int i = 0; i < n; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "joint", rbv_model_joint(j->model, i)->name);
    rbv_json_put_real(json, "gain", j->gain[i]);
    rbv_json_put_real(json, "sigma", j->gain_sigma[i]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- frames ---- */

/* the frame of a name, which must be fixed to the last link; NULL: the last link's own. Returns -1
 * to continue. */
static int find_frame(double R[9], double p[3], const rbv_model *m, const char *name) {
  static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(R, identity, sizeof identity);
  memset(p, 0, 3 * sizeof *p);
  if (!name) return -1;
  const int link = rbv_model_frame(R, p, m, name), last = rbv_model_joint_count(m);
  if (link == last) return -1;
  char known[512] = "";
  for (int i = 0; rbv_model_frame_name(m, i); i++)
    if (rbv_model_frame_link(m, i) == last)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "",
               rbv_model_frame_name(m, i));
  cli_error(link < 0 ? "the robot has no frame '%s'; frames of the last link: %s"
                     : "the frame '%s' is not fixed to the last link; frames of the last link: %s",
            name, *known ? known : "none");
  return EXIT_INPUT;
}

/* the payload in the wanted frame; body: in the frame (R, p) of the last link */
static int put_payload(job *j, const options *o, const rbv_body_estimate *body, const double *R,
                       const double *p, cli_payload *out) {
  double Rf[9], pf[3], S[9] = {0}, s[3] = {0};
  int code = find_frame(Rf, pf, j->model, o->frame);
  if (code >= 0) return code;
  if (R && !o->frame) {
    out->frame = o->wrist;
    memcpy(Rf, R, sizeof Rf);
    memcpy(pf, p, sizeof pf);
  } else {
    out->frame = o->frame;
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
  const rbv_status status = rbv_body_payload(&out->payload, body, S, s);
  if (status != RBV_OK) return cli_fail(status);
  out->model = j->model;
  out->relative_error = body->relative_error;
  code = cli_put_payload(out, o->output, o->report, &o->common);
  if (code != EXIT_DONE) return code;
  return cli_doubt_recordings(&j->motions, &o->common,
                              isfinite(out->payload.mass_sigma) ? EXIT_DONE : EXIT_NO);
}

/* ---- logs of poses ---- */

/* a log with the map, the gains and the order of joints of the options; wrench: NULL for joint
 * torques */
static int load_log(rbv_log **log, job *j, const options *o, const char *path,
                    rbv_recording_files *files) {
  rbv_status status = rbv_recording_files_load(files, j->model, &o->recording);
  if (status == RBV_OK) status = rbv_log_load(log, path, files->map);
  if (status == RBV_OK) status = rbv_recordings_order(*log, j->model);
  return status == RBV_OK ? -1 : cli_fail_in("payload", status);
}

static int load_poses(rbv_poses *out, job *j, const options *o, const char *path) {
  rbv_recording_files files = {0};
  rbv_log *log = NULL;
  int wrench[6];
  int code = load_log(&log, j, o, path, &files);
  if (code < 0 && o->wrist && !rbv_wrench_find(wrench, log, o->wrench)) {
    cli_error(
        "%s: no columns of a force/torque sensor (fx fy fz tx ty tz); name them with --wrench",
        path);
    code = EXIT_INPUT;
  }
  if (code < 0) {
    const rbv_status status = rbv_poses_from_log(out, j->model, log, o->wrist ? wrench : NULL,
                                                 j->fitted.gain ? j->fitted.gain : files.gains);
    if (status != RBV_OK) code = cli_fail(status);
  }
  if (code < 0) cli_message(&o->common, "%s: %d poses\n", path, out->count);
  rbv_log_free(log);
  rbv_recording_files_free(&files);
  return code;
}

/* ---- the four sources ---- */

static int run_poses(job *j, const options *o, const char *empty, const char *loaded) {
  int code = load_poses(&j->loaded, j, o, loaded);
  if (code < 0 && empty) code = load_poses(&j->empty, j, o, empty);
  if (code >= 0) return code;
  if (!empty && !j->arm.chi) {
    cli_error(
        "the robot has no parameter values: give a result, or a recording of the same poses "
        "without the payload");
    return EXIT_INPUT;
  }
  if (!empty && !j->fitted.result)
    cli_message(&o->common, "the arm is taken as its robot file says; a result is more accurate\n");
  const rbv_status status =
      rbv_payload_from_poses(&j->body, &j->arm, &j->loaded, empty ? &j->empty : NULL);
  if (status != RBV_OK) return cli_fail(status);
  cli_payload out = {.source = "static poses", .poses = j->loaded.count};
  return put_payload(j, o, &j->body, NULL, NULL, &out);
}

/* a motion whose torques are the wrench of the sensor */
static int load_wrist_motion(rbv_motion **out, job *j, const options *o, const char *path) {
  rbv_recording_files files = {0};
  rbv_log *log = NULL;
  int wrench[6];
  int code = load_log(&log, j, o, path, &files);
  if (code < 0 && !rbv_wrench_find(wrench, log, o->wrench)) {
    cli_error(
        "%s: no columns of a force/torque sensor (fx fy fz tx ty tz); name them with --wrench",
        path);
    code = EXIT_INPUT;
  }
  if (code < 0) {
    const rbv_status status = rbv_wrist_motion(out, j->model, log, wrench);
    if (status != RBV_OK) code = cli_fail_in("payload", status);
  }
  rbv_log_free(log);
  rbv_recording_files_free(&files);
  return code;
}

static int run_wrist(job *j, const options *o, const char *loaded) {
  double R[9], p[3];
  rbv_motion *motion = NULL;
  int code = find_frame(R, p, j->model, o->wrist);
  if (code < 0)
    code = o->at_rest ? load_poses(&j->loaded, j, o, loaded)
                      : load_wrist_motion(&motion, j, o, loaded);
  if (code >= 0) return code;
  const rbv_status status =
      o->at_rest ? rbv_payload_from_wrist(&j->wrist, j->model, &j->loaded, R, p, !o->tilted)
                 : rbv_payload_from_wrist_motion(&j->wrist, j->model, motion, R, p, !o->tilted);
  rbv_motion_free(motion);
  if (status != RBV_OK) return cli_fail(status);
  if (j->wrist.reversed)
    cli_message(&o->common,
                "the sensor reads the force of the payload on the arm with the opposite "
                "sign\n");
  cli_payload out = {.source = "wrist sensor", .poses = j->loaded.count, .wrist = &j->wrist};
  return put_payload(j, o, &j->wrist.body, R, p, &out);
}

/* a recording with the payload against a result */
static int run_result(job *j, const options *o, const char *loaded) {
  rbv_recording_options recording = j->fitted.options.recording;
  if (o->recording.map) recording.map = o->recording.map;
  const rbv_recording_use use = {.gain = j->fitted.gain};
  int code = cli_recordings_add(&j->motions, "payload", j->model, &recording, &use, &loaded, 1,
                                &o->common);
  if (code >= 0) return code;
  const rbv_status status = rbv_payload_from_motions(&j->body, &j->arm, j->motions.motion,
                                                     j->motions.count, &j->fitted.filter);
  if (status != RBV_OK) return cli_fail(status);
  cli_payload out = {.source = "result"};
  return put_payload(j, o, &j->body, NULL, NULL, &out);
}

/* a recording without and one with the payload */
static int run_pair(job *j, const options *o, char **argv) {
  const char *const empty[] = {argv[2]}, *const loaded[] = {argv[3]};
  const rbv_recording_use with = {.loaded = true};
  const rbv_notes notes = cli_notes(&o->common);
  int code = cli_recordings_add(&j->motions, "payload", j->model, &o->recording, NULL, empty, 1,
                                &o->common);
  if (code < 0)
    code = cli_recordings_add(&j->motions, "payload", j->model, &o->recording, &with, loaded, 1,
                              &o->common);
  rbv_identify_options how = rbv_identify_defaults();
  if (code < 0) {
    rbv_status chosen = RBV_OK;
    if (!(o->robot.model.gamma >= 0))
      chosen = rbv_recordings_smooth(j->model, argv[2], &j->motions, o->common.threads, &notes);
    if (chosen == RBV_OK)
      chosen = rbv_filter_choose(&how.filter, &o->filter, j->model, &j->motions, 1,
                                 o->common.threads, &notes);
    if (chosen != RBV_OK) code = cli_fail_in("payload", chosen);
  }
  if (code >= 0) return code;
  if (o->known_mass > 0)
    return cli_doubt_recordings(&j->motions, &o->common, run_gains(j, o, &how.filter));
  how.method = o->method;
  rbv_status status =
      rbv_identify(&j->estimate, j->model, j->motions.motion, j->motions.count, &how);
  if (status == RBV_OK) status = rbv_body_from_estimate(&j->body, j->estimate, j->model);
  if (status != RBV_OK) return cli_fail(status);
  cli_message(&o->common, "%s: error %.2f %% of the torque norm\n", o->method,
              100 * j->estimate->fit.relative_error);
  cli_describe_sigma(j->estimate, j->model, &o->common);
  cli_payload out = {.source = "two recordings", .estimate = j->estimate};
  return put_payload(j, o, &j->body, NULL, NULL, &out);
}

/* ---- the command ---- */

static int load_arm(job *j, const options *o, const char *path, const char *log) {
  if (!rbv_result_model_is_robot(path)) {
    const int code = cli_load_result(&j->fitted, path, NULL, &o->common);
    if (code >= 0) return code;
    j->model = j->fitted.model;
    const rbv_status status =
        rbv_known_arm_from_result(&j->arm, j->fitted.result, j->model, j->fitted.chi);
    return status == RBV_OK ? -1 : cli_fail(status);
  }
  // a log that cannot be read is named when it is loaded
  cli_robot robot = o->robot;
  (void)!rbv_recorded_gamma(&robot.model.gamma, log);
  const int code = cli_load_robot(&j->model, "payload", &robot, path, &o->common);
  if (code < 0) j->arm = (rbv_known_arm){.model = j->model, .chi = rbv_model_parameters(j->model)};
  return code;
}

static int check_usage(const options *o, const job *j, int count) {
  const bool result = j->fitted.result != NULL;
  if (o->wrist && count != 2)
    return cli_usage("payload", "a wrist sensor needs one recording, with the payload");
  if (result && count != 2)
    return cli_usage("payload", "a result replaces the recording without the payload");
  if (!result && count == 2 && !o->at_rest && !o->wrist)
    return cli_usage("payload", "a robot needs a recording without the payload, or use a result");
  if (o->known_mass > 0 && (count != 3 || o->at_rest || o->wrist))
    return cli_usage("payload", "--known-mass needs a robot and two recordings in motion");
  if (o->known_mass > 0 && rbv_model_sensing(j->model) != RBV_SENSING_MOTOR)
    return cli_usage("payload",
                     "--known-mass identifies gains of motor torques: use --sensing motor");
  if (o->tilted && !o->wrist) return cli_usage("payload", "--tilted needs --wrist");
  return -1;
}

int cli_run_payload(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS,
               .robot = rbv_robot_defaults(),
               .recording = rbv_recording_defaults(),
               .filter = rbv_filter_defaults(),
               .method = "wls"};
  const cli_opt table[] = {
      {"method", 'm', OPT_TEXT, &o.method, "NAME", "estimator (default wls)", rbv_identify_method},
      {"frame", 0, OPT_TEXT, &o.frame, "LINK",
       "frame of the values: a link that is fixed to the last one, such as tool0"},
      {"static", 0, OPT_FLAG, &o.at_rest, NULL,
       "the recordings are poses at rest: mass and centre"},
      {"wrist", 0, OPT_TEXT, &o.wrist, "LINK", "a force/torque sensor at this link was recorded"},
      {"wrench", 0, OPT_TEXT, &o.wrench, "COLUMNS",
       "columns of the sensor, comma-separated: force x, y, z, torque x, y, z (default: fx ... "
       "tz)"},
      {"tilted", 0, OPT_FLAG, &o.tilted, NULL,
       "wrist sensor: the base is not level, find the direction of gravity"},
      {"output", 'o', OPT_TEXT, &o.output, "FILE.json", "write the payload here"},
      {"report", 0, OPT_TEXT, &o.report, "FILE.html", "write an HTML report"},
      {"known-mass", 0, OPT_REAL, &o.known_mass, "KG",
       "known mass of the payload: identify the drive gains instead", RBV_ABOVE(0, 1e6)},
      CLI_ROWS(rbv_filter_rows(), o.filter),
      CLI_ROWS(rbv_recording_rows(), o.recording),
      CLI_ROBOT(o.robot),
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "payload", table);
  if (code >= 0) return code;
  job j = {0};
  o.robot.model.payload = count == 3 && !o.at_rest;
  code = load_arm(&j, &o, argv[1], argv[2]);
  if (code < 0) code = check_usage(&o, &j, count);
  if (code < 0 && o.wrist)
    code = run_wrist(&j, &o, argv[2]);
  else if (code < 0 && o.at_rest)
    code = run_poses(&j, &o, count == 3 ? argv[2] : NULL, argv[count]);
  else if (code < 0 && j.fitted.result)
    code = run_result(&j, &o, argv[2]);
  else if (code < 0)
    code = run_pair(&j, &o, argv);
  free_job(&j);
  return code;
}
