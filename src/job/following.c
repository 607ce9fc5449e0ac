#include "job/job.h"

#include <inttypes.h>
#include <math.h>
#include <roberval/sys/log.h>
#include <string.h>
#include "storage/storage.h"

#include "document/document.h"
#include "job/job_internal.h"
#include "payload/payload.h"
#include "prepare/prepare.h"

/* ---- options ---- */

#define ROW(...) RBV_ROW(rbv_follow_options, __VA_ARGS__)

static const rbv_option rows[] = {
    ROW("alarms", REAL, alarms_per_hour, "PER_HOUR",
        "false alarms per hour, all joints together (default 1)", RBV_ABOVE(0, 3600)),
    ROW("observer", REAL, observer_hz, "HZ",
        "poles of the filter of the residual (default 40; at most 0.075 of the rate)",
        RBV_ABOVE(0, 1e4)),
    ROW("estimates", REAL, estimate_hz, "HZ",
        "poles of the filter of the equations for payload and drift (default 10)",
        RBV_ABOVE(0, 1e4)),
    ROW("no-payload", OFF, payload, NULL, "do not look for a payload"),
    ROW("mass-and-centre", OFF, inertia, NULL,
        "report mass and centre of a payload, not its inertia"),
    ROW("loaded", FLAG, carries, NULL, "an unknown payload is carried from the start"),
    ROW("at", TEXT, at, "LINK",
        "a robot with several tips: the link (YAML: the joint) that carries the payload"),
    ROW("payload-memory", REAL, payload_s, "SECONDS",
        "forgetting of the payload (default 10; 0: none)", RBV_FROM(0, 1e9)),
    ROW("drift-memory", REAL, drift_s, "SECONDS",
        "forgetting of friction in seconds of motion (default 30; 0: no drift)", RBV_FROM(0, 1e9)),
    ROW("dead-zone", REAL, dead_zone, "SIGMAS",
        "a drift is used when it differs by more than this (default 1)", RBV_FROM(0, 100)),
    ROW("reach", REAL, reach, "M",
        "largest distance of a payload's centre from the last frame (default 0.5)",
        RBV_ABOVE(0, 100)),
    ROW("radius", REAL, radius, "M", "largest radius of gyration of a payload (default 0.15)",
        RBV_ABOVE(0, 100)),
    ROW("least-mass", REAL, least_mass, "KG", "a lighter payload is none (default 0.1)",
        RBV_ABOVE(0, 1e4)),
    {0}};

const rbv_option *rbv_follow_rows(void) { return rows; }

/* ---- from a result ---- */

static rbv_status read_clean(rbv_signals *out, const rbv_result_model *k, const char *path,
                             const rbv_log_map *map, const rbv_notes *notes) {
  rbv_recording_options how = k->options.recording;
  how.from = how.to = NULL;
  rbv_differentiate_options as = rbv_differentiate_defaults();
  as.gains = k->gain;
  rbv_log *log;
  RBV_TRY(
      rbv_recordings_read(&log, k->model, &how, map, true, &(rbv_log_input){.path = path}, notes));
  RBV_FINISH(rbv_signals_from_log(out, k->model, log, &as), rbv_log_free(log));
}

static const struct {
  const char *name, *text;
} sources[] = {
#define X(name, key, text) [name] = {key, text},
    RBV_LIMITS_LIST(X)
#undef X
};

const char *rbv_limits_name(rbv_limits_source source) {
  return (int)source >= 0 && source < RBV_LIMITS_SOURCES ? sources[source].name : NULL;
}

const char *rbv_limits_text(rbv_limits_source source) {
  return (int)source >= 0 && source < RBV_LIMITS_SOURCES ? sources[source].text : NULL;
}

/* how the recordings of a result can be judged by parameters that do not know them */
static rbv_limits_source source_of(const rbv_result_model *k) {
  const rbv_recording_options *part = &k->options.recording;
  const rbv_result *r = k->result;
  if (r->ninput > 1 && r->jackknife.nrecording == r->ninput) return RBV_LIMITS_RECORDINGS;
  return r->ninput == 1 && r->jackknife.nblock > 1 && !part->from && !part->to &&
                 !(k->options.holdout > 0)
             ? RBV_LIMITS_PARTS
             : RBV_LIMITS_FITTED;
}

/* values of all columns as they were found without a recording */
static void without_recording(double *chi, const rbv_result_model *k, int recording) {
  const rbv_jackknife *j = &k->result->jackknife;
  const int n = k->result->estimate.count;
  const double *d = j->deviation + (ptrdiff_t)(j->nblock + recording) * n;
  memcpy(chi, k->chi, (size_t)rbv_model_column_count(k->model) * sizeof *chi);
  for (int i = 0; i < n; i++) {
    const int c = rbv_model_find(k->model, k->result->estimate.item[i].name);
    if (c >= 0) chi[c] += d[i];
  }
}

/* recordings that are read for the limits */
typedef struct {
  int count;
  rbv_signals *signals;
  rbv_follow_samples *samples;
  double *chi;  // one set of columns for each
} clean_set;

static void clean_free(clean_set *c) {
  for (int i = 0; i < c->count; i++) rbv_signals_free(&c->signals[i]);
  RBV_FREE_ALL(c->signals, c->samples, c->chi);
}

static rbv_status clean_new(clean_set *c, const rbv_result_model *k, int most) {
  const size_t room = (size_t)(most > 0 ? most : 1);
  *c = (clean_set){
      .signals = rbv_alloc(room * sizeof *c->signals),
      .samples = rbv_alloc(room * sizeof *c->samples),
      .chi = rbv_alloc(room * (size_t)rbv_model_column_count(k->model) * sizeof *c->chi)};
  if (c->signals && c->samples && c->chi) return RBV_OK;
  clean_free(c);
  return RBV_EMEM;
}

static rbv_status clean_add(clean_set *c, const rbv_result_model *k, const char *path,
                            const rbv_log_map *map, const rbv_notes *notes) {
  RBV_TRY(read_clean(&c->signals[c->count], k, path, map, notes));
  const rbv_signals *s = &c->signals[c->count];
  c->samples[c->count++] =
      (rbv_follow_samples){.count = s->count, .t = s->t, .q = s->q, .torque = s->torque};
  return RBV_OK;
}

/* recordings that were given: all of them are needed */
static rbv_status learn_given(rbv_follow *f, clean_set *c, rbv_result_model *k,
                              const rbv_files *clean, const rbv_log_map *map,
                              const rbv_notes *notes) {
  for (int i = 0; i < clean->count; i++) RBV_TRY(clean_add(c, k, clean->item[i], map, notes));
  return rbv_follow_calibrate(f, c->samples, c->count);
}

/* recordings of the result: those that are still there */
static rbv_status learn_own(rbv_follow *f, rbv_limits_source *source, clean_set *c,
                            rbv_result_model *k, const rbv_log_map *map) {
  const int columns = rbv_model_column_count(k->model);
  RBV_TRY(rbv_result_model_find_logs(k, NULL));
  *source = source_of(k);
  for (int i = 0; i < k->result->ninput; i++) {
    if (k->result->input[i].loaded) continue;
    const rbv_status status = clean_add(c, k, k->result->input[i].path, map, NULL);
    if (status == RBV_EMEM) return status;
    if (status != RBV_OK) continue;
    rbv_follow_samples *s = &c->samples[c->count - 1];
    s->identified = *source == RBV_LIMITS_PARTS;
    if (*source != RBV_LIMITS_RECORDINGS) continue;
    double *chi = c->chi + (ptrdiff_t)(c->count - 1) * columns;
    without_recording(chi, k, i);
    s->chi = chi;
  }
  const rbv_status status = c->count > 0 ? rbv_follow_calibrate(f, c->samples, c->count) : RBV_OK;
  if (c->count > 0 && status != RBV_EINPUT) return status;
  *source = RBV_LIMITS_ASSUMED;  // none is there, or they are too short
  return RBV_OK;
}

static rbv_status learn(rbv_follow *f, rbv_limits_source *source, rbv_result_model *k,
                        const rbv_files *clean, const char *map, const rbv_notes *notes) {
  rbv_recording_options how = k->options.recording;
  if (map) how.map = map;
  const bool given = clean && clean->count > 0;
  rbv_recording_files files = {0};
  RBV_TRY(rbv_recording_files_load(&files, k->model, &how));
  clean_set c;
  rbv_status status = clean_new(&c, k, given ? clean->count : k->result->ninput);
  if (status == RBV_OK) {
    *source = RBV_LIMITS_CLEAN;
    status = given ? learn_given(f, &c, k, clean, files.map, notes)
                   : learn_own(f, source, &c, k, files.map);
    clean_free(&c);
  }
  rbv_recording_files_free(&files);
  if (status == RBV_OK) rbv_tell(notes, "clean", "limits from %s", rbv_limits_text(*source));
  return status;
}

rbv_status rbv_following_new(rbv_follow **out, rbv_limits_source *source, rbv_result_model *k,
                             const rbv_follow_options *options, const rbv_files *clean,
                             const char *map, const rbv_notes *notes) {
  *out = NULL;
  if (!k->result) return rbv_fail(RBV_EARG, "following needs a result");
  const int n = rbv_model_joint_count(k->model);
  rbv_follow_options o = *options;
  o.mask = k->filter.mask > 0 ? k->filter.mask : 0;
  rbv_known_arm arm;
  const bool several = rbv_model_tip_count(k->model) > 1 && !o.at;
  if (o.payload && several)
    rbv_tell(notes, "at", "the robot has several tips: no payload is looked for");
  o.payload = o.payload && !several;
  RBV_TRY(rbv_known_arm_from_result(&arm, k->result, k->model, k->chi));
  double *rms = rbv_alloc((size_t)n * sizeof *rms);
  rbv_status status = rms ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < n && status == RBV_OK; j++)
    for (int r = 0; r < k->result->fit.nrow; r++)
      if (k->result->fit.row[r].joint == j && rms[j] == 0) rms[j] = k->result->fit.row[r].rms;
  rbv_follow *f = NULL;
  if (status == RBV_OK && o.payload) status = rbv_known_arm_place(&arm, o.at);
  if (status == RBV_OK) status = rbv_follow_new(&f, &arm, rms, &o);
  rbv_free(rms);
  if (status == RBV_OK) status = learn(f, source, k, clean, map, notes);
  rbv_known_arm_free(&arm);
  if (status != RBV_OK) {
    rbv_follow_free(f);
    return status;
  }
  *out = f;
  return RBV_OK;
}

/* ---- the state in a file ---- */

rbv_status rbv_following_key(char out[65], const rbv_result_model *k,
                             const rbv_follow_options *options) {
  rbv_text t = {0};
  rbv_text_print(&t, "%s %s", rbv_version(), rbv_model_sha256(k->model));
  for (int c = 0; c < rbv_model_column_count(k->model); c++) rbv_text_print(&t, " %a", k->chi[c]);
  const rbv_follow_options *o = options;
  rbv_text_print(&t, " %a %a %a %a %a %a %a %a %a %d %d %d", o->observer_hz, o->estimate_hz,
                 o->alarms_per_hour, o->payload_s, o->drift_s, o->dead_zone, o->reach, o->radius,
                 o->least_mass, o->payload, o->inertia, o->carries);
  if (o->at) rbv_text_print(&t, " at %s", o->at);
  if (!t.failed) rbv_hash_bytes(out, t.data, t.size);
  RBV_FINISH(t.failed ? RBV_EMEM : RBV_OK, rbv_text_free(&t));
}

rbv_status rbv_following_save(const char *path, const rbv_follow *f, const rbv_follow_place *place,
                              const char *key) {
  int count;
  const double *state = rbv_follow_state(f, &count);
  rbv_text t = {0};
  rbv_text_print(&t, "{\n  \"schema\": \"roberval.follow-state/1\",\n  \"key\": \"%s\",\n", key);
  rbv_text_print(&t, "  \"line\": %lld,\n  \"output\": %lld,\n", place->line, place->output);
  rbv_text_print(&t, "  \"rate_hz\": %.17g,\n  \"t\": %.17g,\n  \"next\": %.17g,\n", place->rate_hz,
                 place->t, place->next);
  rbv_text_print(&t, "  \"first\": \"%016" PRIx64 "\",\n", place->first);
  // bits of the numbers, which may be infinite
  rbv_text_print(&t, "  \"count\": %d,\n  \"state\": \"", count);
  for (int i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &state[i], sizeof bits);
    rbv_text_print(&t, "%016" PRIx64, bits);
  }
  rbv_text_put(&t, "\"\n}\n");
  RBV_FINISH(t.failed ? RBV_EMEM : rbv_file_write(path, t.data, t.size), rbv_text_free(&t));
}

static rbv_status find(const rbv_node **out, const rbv_document *doc, const char *key) {
  *out = rbv_node_find(rbv_document_root(doc), key);
  if (*out) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, rbv_document_root(doc),
                       "this is not a state of following: '%s' is missing", key);
}

static rbv_status open_state(rbv_document **doc, const char *path, const char *key) {
  RBV_TRY(rbv_document_load(doc, path));
  const rbv_node *node;
  const char *text;
  rbv_status status = find(&node, *doc, "key");
  if (status == RBV_OK) status = rbv_node_string(&text, node);
  if (status == RBV_OK && strcmp(text, key) != 0)
    status = rbv_node_fail(RBV_EINPUT, node,
                           "the state belongs to another result, or other options: delete it to "
                           "start again");
  // it is written again
  if (status == RBV_OK) rbv_input_release(path);
  if (status != RBV_OK) {
    rbv_document_free(*doc);
    *doc = NULL;
  }
  return status;
}

static rbv_status read_number(double *out, const rbv_document *doc, const char *key) {
  const rbv_node *node;
  RBV_TRY(find(&node, doc, key));
  return rbv_node_real(out, node);
}

static bool read_bits(uint64_t *out, const char *text) {
  uint64_t bits = 0;
  for (int i = 0; i < 16; i++) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return false;
    bits = bits << 4 | (uint64_t)digit;
  }
  *out = bits;
  return true;
}

rbv_status rbv_following_place(rbv_follow_place *place, const char *path, const char *key) {
  rbv_document *doc;
  RBV_TRY(open_state(&doc, path, key));
  double line = 0, output = 0;
  rbv_status status = read_number(&line, doc, "line");
  if (status == RBV_OK) status = read_number(&output, doc, "output");
  if (status == RBV_OK) status = read_number(&place->rate_hz, doc, "rate_hz");
  if (status == RBV_OK) status = read_number(&place->t, doc, "t");
  if (status == RBV_OK) status = read_number(&place->next, doc, "next");
  if (status == RBV_OK && !(line >= 0 && line < 1e15 && output >= 0 && output < 1e15))
    status = rbv_fail(RBV_EINPUT, "%s: line or output is out of range", path);
  const rbv_node *node;
  const char *text;
  if (status == RBV_OK) status = find(&node, doc, "first");
  if (status == RBV_OK) status = rbv_node_string(&text, node);
  if (status == RBV_OK && (strlen(text) != 16 || !read_bits(&place->first, text)))
    status = rbv_node_fail(RBV_EINPUT, node, "the state is damaged: delete it to start again");
  place->line = (long long)line;
  place->output = (long long)output;
  rbv_document_free(doc);
  return status;
}

rbv_status rbv_following_load(rbv_follow *f, const char *path, const char *key) {
  rbv_document *doc;
  RBV_TRY(open_state(&doc, path, key));
  int count;
  (void)rbv_follow_state(f, &count);
  const rbv_node *node = NULL;
  const char *text = NULL;
  double *state = rbv_alloc((size_t)count * sizeof *state);
  rbv_status status = state ? find(&node, doc, "state") : RBV_EMEM;
  if (status == RBV_OK) status = rbv_node_string(&text, node);
  bool good = status == RBV_OK && strlen(text) == 16 * (size_t)count;
  for (int i = 0; i < count && good; i++) {
    uint64_t one = 0;
    good = read_bits(&one, text + 16 * i);
    memcpy(&state[i], &one, sizeof one);
  }
  if (status == RBV_OK && !good)
    status = rbv_node_fail(RBV_EINPUT, node, "the state is damaged: delete it to start again");
  if (status == RBV_OK) status = rbv_follow_load(f, state, count);
  rbv_free(state);
  rbv_document_free(doc);
  return status;
}
