/* The task check: errors in recordings, and parameters that their motion cannot identify. */
#include <math.h>

#include "control/control.h"
#include "document/document.h"
#include "dynamics/resonance.h"
#include "log/log.h"
#include "result/result.h"
#include "signal/signal.h"
#include "task/task_internal.h"

#define BAD_SHOWN 1000  // in JSON
#define TASK rbv_check_task

static const rbv_option rows[] = {
    TASK_ROW("map", TEXT, map, "COLUMNS.yaml", "column map of the logs"),
    TASK_ROW("loaded", FILES, loaded, "LOG",
             "a recording with the payload of the robot; may be repeated"),
    TASK_ROW("controller", FILE, controller, "FILE",
             "control laws of recordings without torques: are there two sets of gains?"),
    TASK_ROW("tolerance", REAL, check.tolerance, "X",
             "excitation below this fraction counts as zero (default 1e-3)",
             RBV_SHARE_ABOVE(0, 0.99)),
    TASK_ROW("drop-bad-rows", FLAG, check.drop_bad_rows, NULL,
             "corrupt, missing and unreadable rows are dropped: no error"),
    {0}};

static void defaults(void *data) {
  rbv_check_task *t = data;
  t->robot = rbv_robot_defaults();
  t->recording = rbv_recording_defaults();
  t->check = rbv_check_defaults();
}

static void groups(rbv_option_group *out, void *data) {
  rbv_check_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_part_rows(), &t->recording};
  out[2] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_check_task *j = data;
  for (int i = 0; i < j->nlog && j->log; i++) rbv_log_free(j->log[i]);
  RBV_FREE_ALL(j->log, j->path, j->with_payload, j->hash);
  rbv_check_free(j->result);
  rbv_model_free(j->model);
}

/* ---- running ---- */

static rbv_status read_logs(rbv_check_task *j) {
  const size_t n = (size_t)j->nlog;
  const int empty = j->common.ninput - 1;
  j->log = rbv_alloc(n * sizeof *j->log);
  j->path = rbv_alloc(n * sizeof *j->path);
  j->with_payload = rbv_alloc(n * sizeof *j->with_payload);
  j->hash = rbv_alloc((n + 1) * sizeof *j->hash);
  if (!j->log || !j->path || !j->with_payload || !j->hash) return RBV_EMEM;
  for (int i = 0; i < j->nlog; i++) {
    j->with_payload[i] = i >= empty;
    j->path[i] = j->with_payload[i] ? j->loaded.item[i - empty] : j->common.input[i + 1];
  }
  rbv_log_map *map = NULL;
  rbv_status status = j->map ? rbv_log_map_load(&map, j->map) : RBV_OK;
  for (int i = 0; i < j->nlog && status == RBV_OK; i++) {
    const rbv_log_input in =
        i < empty ? rbv_task_input(&j->common, i + 1) : (rbv_log_input){.path = j->path[i]};
    status =
        rbv_recordings_read(&j->log[i], j->model, &j->recording, map, true, &in, &j->common.notes);
    if (status == RBV_OK) status = rbv_log_input_hash(j->hash[i], &in);
  }
  rbv_log_map_free(map);
  return status;
}

/* different laws of the recordings; 0: they are not given, or not those of regular recordings */
static rbv_status count_laws(int *out, const rbv_check_task *j) {
  const int n = rbv_model_joint_count(j->model);
  rbv_control **law = rbv_alloc((size_t)(j->nlog + 1) * sizeof *law);
  rbv_status status = law ? RBV_OK : RBV_EMEM;
  *out = 0;
  for (int i = 0; i < j->nlog && j->controller && status == RBV_OK; i++) {
    const rbv_log_rate rate = rbv_log_get_rate(j->log[i]);
    const rbv_control_options wanted = {
        .njoint = n, .rate_hz = rate.regular ? 1 / rate.period : 0, .recording = j->path[i]};
    status = rbv_control_load(&law[i], j->controller, &wanted);
    bool same = false;
    for (int k = 0; k < i && status == RBV_OK; k++) same = same || rbv_control_same(law[k], law[i]);
    *out += status == RBV_OK && !same;
  }
  for (int i = 0; i < j->nlog && law; i++) rbv_control_free(law[i]);
  rbv_free(law);
  return status;
}

/* ---- elastic joints ---- */

/* the cut-off that positions of the first recording suggest; 0: not known */
static double cutoff_of(const rbv_check_task *j) {
  const rbv_log *log = j->log[0];
  const rbv_log_rate rate = rbv_log_get_rate(log);
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  rbv_suggestion s = {0};
  if (!q || !rate.known || !(rate.median > 0)) return 0;
  const ptrdiff_t count = rbv_log_samples(log);
  for (int k = 0; k < rbv_model_joint_count(j->model); k++) {
    rbv_suggestion own = {0};
    q = rbv_log_channel(log, RBV_CHANNEL_POSITION, k);
    if (q && rbv_signal_suggest(&own, q, count, count, 1, 1 / rate.median) == RBV_OK)
      s.cutoff_hz = fmax(s.cutoff_hz, own.cutoff_hz);
  }
  return s.cutoff_hz;
}

/* where the model of rigid joints ends, at the first position of the recording */
static rbv_status find_resonances(rbv_check_task *j) {
  const int n = rbv_model_joint_count(j->model);
  const double *chi = rbv_model_parameters(j->model);
  if (!chi || !rbv_model_has_springs(j->model)) return RBV_OK;
  RBV_NEW(double, q, n);
  for (int k = 0; k < n; k++) {
    const double *x = rbv_log_channel(j->log[0], RBV_CHANNEL_POSITION, k);
    q[k] = x ? x[0] : 0;
  }
  rbv_resonances r;
  const rbv_status status = rbv_resonances_find(&r, j->model, chi, false, q);
  rbv_free(q);
  if (status == RBV_EINPUT || status == RBV_EUNSUPPORTED) {
    rbv_tell(&j->common.notes, NULL, "%s", rbv_message());
    return RBV_OK;
  }
  RBV_TRY(status);
  j->resonance_hz = r.count > 0 ? r.held[0] : NAN;
  j->cutoff_hz = cutoff_of(j);
  if (r.count > 0)
    rbv_tell(&j->common.notes, NULL,
             "elastic joints: the first resonance is at %.3g Hz with held motors, so rigid joints "
             "describe this robot up to %.3g Hz%s",
             j->resonance_hz, RBV_RIGID_SHARE * j->resonance_hz,
             !(j->cutoff_hz > 0) ? ""
             : j->cutoff_hz <= RBV_RIGID_SHARE * j->resonance_hz
                 ? "; the cut-off that the recording suggests is below"
                 : "; the recording suggests a higher cut-off, and the model of rigid joints is "
                   "wrong above");
  rbv_resonances_free(&r);
  return RBV_OK;
}

static rbv_status run(void *data) {
  rbv_check_task *j = data;
  j->nlog = j->common.ninput - 1 + j->loaded.count;
  rbv_robot_options robot = j->robot;
  const rbv_log_input first = rbv_task_input(&j->common, 1);
  rbv_recorded_smoothing recorded;
  // a file that cannot be read is reported later
  (void)!rbv_smoothing_read(&recorded, &first);
  rbv_smoothing_gamma(&robot.model.gamma, &recorded);
  RBV_TRY(rbv_task_open_robot(&j->model, &j->common, &robot));
  if (j->loaded.count > 0 && !rbv_model_has_payload(j->model))
    return rbv_fail_option(RBV_EOPTION, "payload", "a loaded recording needs the payload");
  RBV_TRY(read_logs(j));
  rbv_check_options check = j->check;
  check.loaded = j->with_payload;
  RBV_TRY(count_laws(&check.laws, j));
  RBV_TRY(rbv_check(&j->result, j->model, (const rbv_log *const *)j->log, j->nlog, &check));
  RBV_TRY(find_resonances(j));
  j->common.answer = j->result->verdict.level != RBV_VERDICT_NO;
  return RBV_OK;
}

/* ---- identifiability ---- */

/* as in JSON */
static const char *const fate_name[] = {"alone", "combined", "lost", "never"};

rbv_fate rbv_fate_of(const rbv_identifiability *i, int column) {
  if (i->structure->category[column] == RBV_CATEGORY_UNIDENTIFIABLE) return RBV_FATE_NEVER;
  switch (i->base->category[column]) {
    case RBV_CATEGORY_UNIDENTIFIABLE: return RBV_FATE_LOST;
    case RBV_CATEGORY_ALONE: return RBV_FATE_ALONE;
    case RBV_CATEGORY_BASE:
    case RBV_CATEGORY_COMBINED: return RBV_FATE_COMBINED;
  }
  return RBV_FATE_COMBINED;
}

/* ---- JSON ---- */

static void put_inputs(rbv_json *json, const rbv_check_task *j) {
  rbv_json_put_map(json, "robot");
  rbv_task_put_robot(json, j->model, j->common.input[0]);
  rbv_json_end(json);
  rbv_json_put_list(json, "inputs");
  for (int i = 0; i < j->nlog; i++) {
    const rbv_log_rate rate = rbv_log_get_rate(j->log[i]);
    rbv_json_map(json);
    rbv_json_put_string(json, "path", j->path[i]);
    rbv_json_put_string(json, "sha256", j->hash[i]);
    rbv_json_put_bool(json, "loaded", j->with_payload[i]);
    rbv_json_put_int(json, "samples", rbv_log_samples(j->log[i]));
    rbv_json_put_real(json, "rate_hz", rate.known && rate.median > 0 ? 1 / rate.median : NAN);
    if (rbv_log_held(j->log[i]) > 0)
      rbv_json_put_real(json, "rows_per_value", rbv_log_held(j->log[i]));
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_place(rbv_json *json, const char *key, long long value) {
  rbv_json_key(json, key);
  if (value < 0)
    rbv_json_null(json);
  else
    rbv_json_int(json, value);
}

static void put_finding(rbv_json *json, const rbv_check_task *j, const rbv_finding *f) {
  rbv_json_map(json);
  rbv_json_put_string(json, "code", rbv_finding_name(f->code));
  rbv_json_put_string(json, "severity", rbv_severity_name(f->severity));
  put_place(json, "input", f->log);
  put_place(json, "joint", f->joint < 0 ? -1 : f->joint + 1);
  if (f->joint >= 0)
    rbv_json_put_string(json, "joint_name", rbv_model_joint(j->model, f->joint)->name);
  if (f->code == RBV_FINDING_REPEATED)
    put_place(json, "other_input", f->other);
  else if (f->other >= 0)
    put_place(json, "other_joint", f->other + 1);
  put_place(json, "sample", f->sample < 0 ? -1 : (long long)f->sample + 1);
  if (f->sample >= 0 && f->log >= 0) put_place(json, "line", f->line);
  rbv_json_put_real(json, "value", f->value);
  if (isnan(f->value)) rbv_json_put_string(json, "value_reason", "the finding has no number");
  if (f->sigma > 0) rbv_json_put_real(json, "value_sigma", f->sigma);
  rbv_json_put_string(json, "value_unit", rbv_finding_unit(f->code));
  rbv_json_put_string(json, "sentence", f->sentence);
  if (f->option) rbv_json_put_string(json, "option", f->option);
  if (f->option_value[0]) rbv_json_put_string(json, "option_value", f->option_value);
  rbv_json_end(json);
}

/* bad values, each with its place; at most BAD_SHOWN of them */
static void put_bad(rbv_json *json, const rbv_check_result *r) {
  rbv_json_put_int(json, "bad_value_count", r->nbad);
  rbv_json_put_list(json, "bad_values");
  for (int i = 0; i < r->nbad && i < BAD_SHOWN; i++) {
    const rbv_check_bad *b = &r->bad[i];
    rbv_json_map(json);
    rbv_json_put_int(json, "input", b->log);
    rbv_json_put_int(json, "sample", (long long)b->sample + 1);
    if (b->line > 0) rbv_json_put_int(json, "line", b->line);
    if (b->column[0]) rbv_json_put_string(json, "column", b->column);
    rbv_json_put_string(json, "reason", rbv_bad_name(b->kind));
    if (isfinite(b->value)) rbv_json_put_real(json, "value", b->value);
    if (isfinite(b->expected)) rbv_json_put_real(json, "expected", b->expected);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

static void put_identifiability(rbv_json *json, const rbv_check_task *j) {
  const rbv_identifiability *i = &j->result->identifiability;
  rbv_json_put_map(json, "identifiability");
  rbv_json_put_bool(json, "known", i->known);
  if (!i->known) {
    rbv_json_put_string(json, "reason", i->reason);
    rbv_json_end(json);
    return;
  }
  rbv_json_put_int(json, "base_count", i->base->count);
  rbv_json_put_int(json, "base_count_any_motion", i->structure->count);
  rbv_json_put_real(json, "condition_number", i->condition);
  rbv_json_put_real(json, "condition_number_scaled", i->condition_scaled);
  rbv_json_put_list(json, "base");
  for (int k = 0; k < i->base->count; k++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", i->base->name[k]);
    rbv_json_put_string(json, "unit", rbv_model_column(j->model, i->base->kept[k])->unit);
    rbv_json_put_real(json, "sigma", i->sigma[k]);
    rbv_json_put_real(json, "relative_sigma", i->relative[k]);
    if (!isfinite(i->relative[k]))
      rbv_json_put_string(json, "relative_sigma_reason", "no prior value");
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_put_list(json, "parameters");
  for (int c = 0; c < i->base->ncolumn; c++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", rbv_model_column(j->model, c)->name);
    rbv_json_put_string(json, "identifiable", fate_name[rbv_fate_of(i, c)]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_check_task *j = data;
  rbv_json_put_schema(json, "roberval.check/1");
  put_inputs(json, j);
  rbv_json_put_map(json, "options");
  rbv_json_put_string(json, "sensing", rbv_sensing_name(rbv_model_sensing(j->model)));
  rbv_json_put_real(json, "tolerance", j->check.tolerance);
  rbv_json_put_bool(json, "drop_bad_rows", j->check.drop_bad_rows);
  if (j->map) rbv_json_put_string(json, "map", j->map);
  if (j->recording.from) rbv_json_put_string(json, "from", j->recording.from);
  if (j->recording.to) rbv_json_put_string(json, "to", j->recording.to);
  if (j->recording.log_rate_hz > 0)
    rbv_json_put_real(json, "log_rate_hz", j->recording.log_rate_hz);
  rbv_json_end(json);
  rbv_json_put_bool(json, "unwise", j->result->has_errors);
  rbv_judgement_put(json, &j->result->verdict);
  rbv_json_put_list(json, "findings");
  for (int i = 0; i < j->result->nfinding; i++) put_finding(json, j, &j->result->finding[i]);
  rbv_json_end(json);
  if (j->resonance_hz > 0) {
    rbv_json_put_map(json, "elastic_joints");
    rbv_json_put_real(json, "first_resonance_hz", j->resonance_hz);
    rbv_json_put_real(json, "rigid_up_to_hz", RBV_RIGID_SHARE * j->resonance_hz);
    if (j->cutoff_hz > 0) rbv_json_put_real(json, "suggested_cutoff_hz", j->cutoff_hz);
    rbv_json_end(json);
  }
  put_bad(json, j->result);
  put_identifiability(json, j);
  return RBV_OK;
}

const task_kind rbv_check_kind =
    TASK_KIND("check", "ROBOT LOG [LOG ...]", 2, 0, model, .objects = true, .run = run);
