/* The result of an identification with its provenance, and the way back from a result to a job. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "storage/storage.h"

#include "check/judge.h"
#include "document/document.h"
#include "equations/equations.h"
#include "job/filter_scan.h"
#include "job/identification_internal.h"
#include "job/spring_fit.h"
#include "result/result.h"

/* ---- provenance ---- */

/* drive gains that were found, as the option gains takes them */
static rbv_status write_gains(rbv_identification *job) {
  size_t used = 0;
  for (int i = 0; i < rbv_model_joint_count(job->model); i++) {
    char number[32];
    rbv_format_double(number, job->gain[i]);
    const int more = snprintf(job->gain_text + used, sizeof job->gain_text - used, "%s%s",
                              i > 0 ? "," : "", number);
    if (more < 0 || used + (size_t)more >= sizeof job->gain_text)
      return rbv_fail(RBV_EUNSUPPORTED, "the robot has too many drives for a list of their gains");
    used += (size_t)more;
  }
  return RBV_OK;
}

/* what the run chose from the data, or computed before the estimate */
static rbv_status record_choices(rbv_identification *job) {
  const rbv_row_filter *f = &job->how.filter;
  int n = 0;
  job->chosen[n++] = (rbv_setting){.key = "decimate", .number = f->decimate};
  job->chosen[n++] =
      (rbv_setting){.key = "decimate_band", .number = rbv_row_filter_decimation(f).cutoff_ratio};
  job->chosen[n++] = (rbv_setting){.key = "mask_rad_per_s", .number = f->mask};
  job->chosen[n++] = (rbv_setting){.key = "trim_samples", .number = (double)f->trim};
  job->chosen[n++] = (rbv_setting){.key = "prior_weight", .number = job->estimate->prior_weight};
  if (job->fit.loop_step > 0)
    job->chosen[n++] = (rbv_setting){.key = "loop_encoder_step", .number = job->fit.loop_step};
  if (rbv_motion_get_origin(job->fit.motion[0])->from_reference)
    job->chosen[n++] = (rbv_setting){.key = "from_reference", .number = 1};
  if (job->fit.computed == job->fit.count)
    job->chosen[n++] = (rbv_setting){.key = "positions_only", .number = 1};
  if (job->loop.loop.sim)
    job->chosen[n++] = (rbv_setting){
        .key = "integrator", .text = rbv_integrator_name(job->loop.sim.integrator), .number = NAN};
  if (job->loop.bandwidth > 0)
    job->chosen[n++] = (rbv_setting){.key = "w_dyn_rad_per_s", .number = job->loop.bandwidth};
  if (job->loop.reference_hz > 0)
    job->chosen[n++] =
        (rbv_setting){.key = "reference_cutoff_hz", .number = job->loop.reference_hz};
  const char *friction = rbv_identification_friction_list(job);
  if (friction)
    job->chosen[n++] = (rbv_setting){.key = "friction", .text = friction, .number = NAN};
  if (job->gain) {
    RBV_TRY(write_gains(job));
    job->chosen[n++] = (rbv_setting){.key = "drive_gains", .text = job->gain_text, .number = NAN};
  }
  job->result.nchosen = n;
  job->result.chosen = job->chosen;
  return RBV_OK;
}

/* the URDF that a robot file names; 0: there is none beside the robot file */
static int record_urdf(rbv_result_file *out, rbv_identification *job) {
  const rbv_xml *urdf = rbv_model_document(job->model);
  const char *path = urdf ? rbv_xml_name(urdf) : job->robot;
  if (strcmp(path, job->robot) == 0) return 0;
  size_t size;
  const char *text = rbv_xml_text(urdf, &size);
  rbv_hash_bytes(job->urdf_hash, text, size);
  *out = (rbv_result_file){"robot", path, job->urdf_hash};
  return 1;
}

static rbv_status record_options(rbv_identification *job) {
  const int count = rbv_option_record(NULL, job->groups);
  job->setting = rbv_alloc((size_t)(count + 1) * sizeof *job->setting);
  if (!job->setting) return RBV_EMEM;
  job->result.nsetting = rbv_option_record(job->setting, job->groups);
  job->result.setting = job->setting;
  // recordings have entries of their own
  rbv_option_file now[OPTION_FILES_MAX];
  int n;
  RBV_TRY(rbv_option_files(&n, now, OPTION_FILES_MAX - 1, job->groups, false));
  for (int i = 0; i < n; i++)
    if (i >= job->nfile || strcmp(now[i].sha256, job->file[i].sha256) != 0)
      return rbv_fail(RBV_EINPUT, "%s: the file has changed while it was used", now[i].path);
  for (int i = 0; i < n; i++)
    job->result_file[i] =
        (rbv_result_file){job->file[i].option, job->file[i].path, job->file[i].sha256};
  n += record_urdf(&job->result_file[n], job);
  job->result.nfile = n;
  job->result.file = job->result_file;
  return RBV_OK;
}

/* errors; sentences are borrowed from the checks */
static rbv_status record_findings(rbv_identification *job) {
  int n = 0, errors = 0;
  while (rbv_identification_finding(job, n)) n++;
  job->finding = rbv_alloc((size_t)(n + 1) * sizeof *job->finding);
  if (!job->finding) return RBV_EMEM;
  for (int i = 0; i < n; i++) {
    const rbv_finding *f = rbv_identification_finding(job, i);
    if (f->severity == RBV_SEVERITY_ERROR)
      job->finding[errors++] =
          (rbv_result_finding){rbv_finding_name(f->code), f->sentence, f->option};
  }
  job->result.nfinding = errors;
  job->result.finding = job->finding;
  return RBV_OK;
}

/* the verdict, from everything that was found */
static rbv_status record_verdict(rbv_identification *job) {
  int n = 0;
  while (rbv_identification_finding(job, n)) n++;
  const rbv_finding **list = rbv_alloc((size_t)(n + 1) * sizeof *list);
  if (!list) return RBV_EMEM;
  for (int i = 0; i < n; i++) list[i] = rbv_identification_finding(job, i);
  rbv_judgement verdict;
  const rbv_status status =
      rbv_judge(&verdict, &(rbv_evidence){.model = job->model,
                                          .nfinding = n,
                                          .finding = list,
                                          .result = &job->result,
                                          .accepted = job->options.unchecked});
  rbv_free(list);
  if (status == RBV_OK) job->result.verdict = verdict;
  return status;
}

void rbv_identification_drop_result(rbv_identification *job) {
  rbv_filter_scan_free(job->scan);
  job->scan = NULL;
  if (job->has_result) rbv_estimate_unreport(&job->result);
  rbv_judgement_free(&job->result.verdict);
  rbv_free(job->finding);
  job->finding = NULL;
  rbv_free(job->setting);
  job->setting = NULL;
  job->result = (rbv_result){0};
  job->has_result = false;
}

rbv_status rbv_identification_make_result(rbv_identification *job) {
  rbv_result *r = &job->result;
  *r =
      (rbv_result){.ninput = job->fit.count,
                   .input = job->fit.input,
                   .nvalidation_input = job->others.count,
                   .validation_input = job->others.input,
                   .nfriction = job->friction ? job->friction->nterm : 0,
                   .friction = job->friction_term,
                   .nfriction_speeds = job->friction_speeds ? rbv_model_joint_count(job->model) : 0,
                   .friction_speeds = job->friction_speeds,
                   .nspring = job->nspring,
                   .spring = job->spring,
                   .cross_validation = job->cross,
                   .nadvice = job->nadvice,
                   .advice = job->advice};
  RBV_TRY(record_options(job));
  RBV_TRY(record_choices(job));
  RBV_TRY(record_findings(job));
  r->robot_file = (rbv_input){.path = job->robot, .sha256 = rbv_model_sha256(job->model)};
  RBV_TRY(rbv_estimate_report(r, job->estimate, job->model));
  if (job->prediction) r->validation = job->prediction->fit;
  job->has_result = true;
  return record_verdict(job);
}

const rbv_result *rbv_identification_result(const rbv_identification *job) {
  return job && job->has_result ? &job->result : NULL;
}

rbv_status rbv_identification_save(const rbv_identification *job, const char *path) {
  if (!job || !path) return rbv_fail(RBV_EARG, "a job and a path are needed");
  if (!job->has_result) return rbv_fail(RBV_EARG, "the job has not run yet");
  return rbv_result_save(&job->result, path);
}

/* ---- from a result back to a job ---- */

static rbv_status same_file(const char *path, const char *sha256) {
  char hash[65];
  if (!*sha256) return RBV_OK;  // a built-in robot
  RBV_TRY(rbv_hash_file(hash, path));
  if (strcmp(hash, sha256) == 0) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "%s: the file has changed since the result was made (SHA-256 %.12s..., now "
                  "%.12s...), so the run cannot be repeated",
                  path, sha256, hash);
}

static rbv_status check_files(const rbv_result *r) {
  RBV_TRY(same_file(r->robot_file.path, r->robot_file.sha256));
  for (int i = 0; i < r->ninput; i++) RBV_TRY(same_file(r->input[i].path, r->input[i].sha256));
  for (int i = 0; i < r->nvalidation_input; i++)
    RBV_TRY(same_file(r->validation_input[i].path, r->validation_input[i].sha256));
  for (int i = 0; i < r->nfile; i++) RBV_TRY(same_file(r->file[i].path, r->file[i].sha256));
  return RBV_OK;
}

/* every setting by its name, as a copy that belongs to the job */
static rbv_status take_settings(rbv_identification *job, const rbv_result *r) {
  RBV_TRY(rbv_option_recall(job->groups, r->setting, r->nsetting));
  for (int i = 0; i < r->nsetting; i++)
    if (r->setting[i].text)
      RBV_TRY(rbv_identification_set(job, r->setting[i].key, r->setting[i].text));
  return RBV_OK;
}

static rbv_status take_inputs(rbv_identification *job, const rbv_result *r) {
  for (int i = 0; i < r->ninput; i++)
    RBV_TRY(r->input[i].loaded ? rbv_identification_add_loaded_log(job, r->input[i].path)
                               : rbv_identification_add_log(job, r->input[i].path));
  for (int i = 0; i < r->nvalidation_input; i++)
    RBV_TRY(rbv_identification_add_validation_log(job, r->validation_input[i].path));
  return RBV_OK;
}

rbv_status rbv_identification_again(rbv_identification **out, const char *result_path) {
  if (!out || !result_path) return rbv_fail(RBV_EARG, "the path of a result is needed");
  *out = NULL;
  rbv_result *r;
  rbv_identification *job = NULL;
  text_pool places = {0};
  RBV_TRY(rbv_result_load(&r, result_path));
  rbv_status status = rbv_result_find_options(r, &places, result_path);
  if (status == RBV_OK) status = rbv_result_find_logs(r, &places, result_path, NULL);
  if (status == RBV_OK) status = check_files(r);
  if (status == RBV_OK) status = rbv_identification_new(&job, r->robot_file.path);
  if (status == RBV_OK) status = take_settings(job, r);
  if (status == RBV_OK) status = take_inputs(job, r);
  rbv_result_free(r);
  rbv_pool_free(&places);
  if (status == RBV_OK)
    *out = job;
  else
    rbv_identification_free(job);
  return status;
}

/* ---- a result with its robot ---- */

void rbv_result_model_free(rbv_result_model *m) {
  rbv_free(m->chi);
  rbv_numbers_free(m->gain);
  rbv_model_free(m->model);
  rbv_result_free(m->result);
  if (m->places) rbv_pool_free(m->places);
  rbv_free(m->places);
  rbv_free(m->path);
  *m = (rbv_result_model){0};
}

#define MOST 1e9  // of numbers of a result that are counts or limits

static rbv_status load_with(rbv_result_model *out, const char *path, const char *robot,
                            const rbv_model_options *options) {
  const rbv_result *r = out->result;
  char hash[65];
  if (r->gamma > MOST || !(r->stribeck >= 0 && r->stribeck <= MOST))
    return rbv_fail(RBV_EINPUT, "%s: the robot cannot have gamma %g and stribeck %g", path,
                    r->gamma, r->stribeck);
  if (robot == r->robot_file.path && *r->robot_file.sha256 && rbv_hash_file(hash, robot) != RBV_OK)
    return rbv_fail(RBV_EINPUT,
                    "%s: the robot file of the result %s is neither here nor beside the result",
                    robot, path);
  return rbv_model_load(&out->model, robot, options);
}

/* the robot with the terms of the result, and the springs that it has found */
static rbv_status load_model(rbv_result_model *out, const char *path, const char *robot,
                             const rbv_notes *notes) {
  const rbv_result *r = out->result;
  rbv_model_options options = out->options.robot.model;
  options.sensing = (int)r->sensing;
  options.payload = r->payload;
  options.gamma = r->gamma;
  options.stribeck = r->stribeck;
  rbv_text friction = {0};
  rbv_springs_list(&friction, r, rbv_result_chosen_text(r, "friction"));
  options.friction = friction.size > 0 ? friction.data : NULL;
  const rbv_status status = friction.failed ? RBV_EMEM : load_with(out, path, robot, &options);
  rbv_text_free(&friction);
  RBV_TRY(status);
  RBV_TRY(rbv_robot_turn(&out->model, &out->options.robot));
  if (r->smooth && r->njoint == rbv_model_joint_count(out->model))
    RBV_TRY(rbv_model_smooth(&out->model, r->smooth));
  char hash[65];
  if (r->robot_file.sha256[0] && rbv_hash_file(hash, robot) == RBV_OK &&
      strcmp(hash, r->robot_file.sha256) != 0)
    rbv_tell(notes, NULL, "%s: the robot file has changed since the result was made", path);
  return RBV_OK;
}

/* the row filter that the result was made with */
static rbv_status read_filter(rbv_row_filter *out, const rbv_result *r, const char *path) {
  static const struct {
    const char *key;
    double usual, least;
  } row[] = {{"decimate", 1, 1},
             {"decimate_band", 0, 0},
             {"mask_rad_per_s", 0, 0},
             {"trim_samples", 0, 0}};
  double value[RBV_COUNT(row)];
  for (int i = 0; i < RBV_COUNT(row); i++) {
    value[i] = rbv_result_chosen(r, row[i].key, row[i].usual);
    if (!(value[i] >= row[i].least && value[i] <= MOST))
      return rbv_fail(RBV_EINPUT, "%s: '%s' cannot be %g", path, row[i].key, value[i]);
  }
  *out = (rbv_row_filter){
      .decimate = (int)value[0], .band = value[1], .mask = value[2], .trim = (ptrdiff_t)value[3]};
  return RBV_OK;
}

static rbv_status load_parts(rbv_result_model *out, const char *path, const char *robot,
                             const rbv_notes *notes) {
  RBV_TRY(rbv_result_load(&out->result, path));
  out->path = rbv_strdup(path);
  out->places = rbv_alloc(sizeof(text_pool));
  if (!out->path || !out->places) return RBV_EMEM;
  RBV_TRY(rbv_result_find_options(out->result, out->places, path));
  const rbv_result *r = out->result;
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  out->options = rbv_identification_defaults();
  rbv_identification_groups(groups, &out->options);
  RBV_TRY(rbv_option_recall(groups, r->setting, r->nsetting));
  RBV_TRY(load_model(out, path, robot ? robot : r->robot_file.path, notes));
  if (out->options.loop.joint_stiffness && !rbv_model_has_springs(out->model))
    rbv_tell(notes, NULL, "%s: the joints were elastic in the identification; here they are rigid",
             path);
  RBV_TRY(rbv_numbers_read(&out->gain, rbv_recording_rows(), "gains",
                           rbv_result_chosen_text(r, "drive_gains"),
                           rbv_model_joint_count(out->model)));
  out->chi = rbv_alloc((size_t)rbv_model_column_count(out->model) * sizeof *out->chi);
  if (!out->chi) return RBV_EMEM;
  RBV_TRY(read_filter(&out->filter, r, path));
  RBV_TRY(rbv_parameters_apply(out->chi, NULL, &r->estimate, out->model));
  rbv_springs_apply(out->chi, out->model, r);
  return RBV_OK;
}

rbv_status rbv_result_model_load(rbv_result_model *out, const char *path, const char *robot,
                                 const rbv_notes *notes) {
  if (!out || !path) return rbv_fail(RBV_EARG, "the path of a result is needed");
  *out = (rbv_result_model){0};
  const rbv_status status = load_parts(out, path, robot, notes);
  if (status != RBV_OK) rbv_result_model_free(out);
  return status;
}

static rbv_status load_robot(rbv_result_model *out, const rbv_model *given, const char *robot,
                             const rbv_robot_options *options, const rbv_notes *notes) {
  out->options = rbv_identification_defaults();
  out->options.robot = *options;
  RBV_TRY(rbv_robot_open(&out->model, given, robot, options, notes));
  const double *file = rbv_model_parameters(out->model);
  if (!file)
    return rbv_fail(RBV_EINPUT,
                    "%s: the robot file has no parameters (masses, or a `parameters` list)", robot);
  const size_t bytes = (size_t)rbv_model_column_count(out->model) * sizeof *out->chi;
  out->path = rbv_strdup(robot);
  out->chi = rbv_alloc(bytes);
  if (!out->path || !out->chi) return RBV_EMEM;
  memcpy(out->chi, file, bytes);
  out->filter = (rbv_row_filter){.decimate = 1};
  return RBV_OK;
}

rbv_status rbv_result_model_of_robot(rbv_result_model *out, const rbv_model *given,
                                     const char *robot, const rbv_robot_options *options,
                                     const rbv_notes *notes) {
  *out = (rbv_result_model){0};
  const rbv_status status = load_robot(out, given, robot, options, notes);
  if (status != RBV_OK) rbv_result_model_free(out);
  return status;
}

bool rbv_result_model_is_robot(const char *path) {
  const char *name;
  for (int i = 0; path && (name = rbv_model_builtin(i)); i++)
    if (strcmp(path, name) == 0) return true;
  rbv_document *document;
  if (!path || rbv_document_load(&document, path) != RBV_OK) {
    // XML, or a file that cannot be read: only its name is known
    const char *end = path ? strrchr(path, '.') : NULL;
    return !end || strcmp(end, ".json") != 0;
  }
  // every document of this library says what it is, except robots
  const rbv_node *schema = rbv_node_find(rbv_document_root(document), "schema");
  const char *text = schema ? rbv_node_text(schema) : NULL;
  const bool own = text && strncmp(text, "roberval.", 9) == 0;
  rbv_document_free(document);
  return !own;
}

rbv_status rbv_result_model_find_logs(rbv_result_model *m, const rbv_notes *notes) {
  if (!m || !m->result) return rbv_fail(RBV_EARG, "a loaded result is needed");
  return rbv_result_find_logs(m->result, m->places, m->path, notes);
}
