/* Fleets: the manifest, and the identification of each robot as a job. */
#include <roberval/sys/storage.h>
#include <string.h>
#include "document/document.h"
#include "job/job.h"

#include "job/identification_internal.h"

typedef struct {
  const char *name;         // in the manifest's or the description's document
  rbv_identification *job;  // NULL: only taken, not made
  char *text;               // result as JSON, or the reason why there is none
  size_t size;
  rbv_result *result;
} member;

struct rbv_fleet_plan {
  rbv_document *doc;
  int count;
  member *robot;
  char *description;
  rbv_jobs jobs;
};

void rbv_fleet_plan_free(rbv_fleet_plan *p) {
  if (!p) return;
  for (int i = 0; i < p->count; i++) {
    rbv_identification_free(p->robot[i].job);
    rbv_free(p->robot[i].text);
    rbv_result_free(p->robot[i].result);
  }
  rbv_free(p->robot);
  rbv_free(p->description);
  rbv_document_free(p->doc);
  rbv_free(p);
}

/* ---- the manifest: options ---- */

/* "method: wls" sets one, "essential: true" a flag, a list an option that may be given often */
static rbv_status set_option(rbv_identification *job, const char *key, const rbv_node *value) {
  if (rbv_node_get_kind(value) == RBV_NODE_LIST) {
    for (int i = 0; i < rbv_node_count(value); i++)
      RBV_TRY(set_option(job, key, rbv_node_at(value, i)));
    return RBV_OK;
  }
  const char *text;
  RBV_TRY(rbv_node_string(&text, value));
  return rbv_identification_set(job, key, text);
}

static rbv_status set_options(rbv_identification *job, const rbv_node *map) {
  if (!map) return RBV_OK;
  if (rbv_node_get_kind(map) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, map, "options are a map, such as {method: wls}");
  for (int i = 0; i < rbv_node_count(map); i++)
    RBV_TRY(set_option(job, rbv_node_key(map, i), rbv_node_at(map, i)));
  return RBV_OK;
}

/* ---- the manifest: files ---- */

/* relative to the manifest's directory, unless it begins with a slash; rbv_free it */
static rbv_status resolve(char **out, const rbv_document *doc, const rbv_node *node) {
  const char *text, *manifest = rbv_document_name(doc);
  RBV_TRY(rbv_node_string(&text, node));
  if (!*text) return rbv_node_fail(RBV_EINPUT, node, "a file needs a name");
  const char *slash = strrchr(manifest, '/');
  rbv_text path = {0};
  if (slash && *text != '/') rbv_text_add(&path, manifest, (size_t)(slash + 1 - manifest));
  rbv_text_put(&path, text);
  *out = path.data;
  return path.failed ? RBV_EMEM : RBV_OK;
}

static rbv_status new_job(rbv_identification **out, const rbv_document *doc,
                          const rbv_node *robot) {
  const char *name = rbv_node_text(robot);
  if (name && rbv_robot_is_built_in(name)) return rbv_identification_new(out, name);
  char *path;
  RBV_TRY(resolve(&path, doc, robot));
  RBV_FINISH(rbv_identification_new(out, path), rbv_free(path));
}

static rbv_status add_file(rbv_identification *job, const rbv_document *doc, const rbv_node *node,
                           bool map) {
  char *path;
  RBV_TRY(resolve(&path, doc, node));
  RBV_FINISH(map ? rbv_identification_set(job, "map", path) : rbv_identification_add_log(job, path),
             rbv_free(path));
}

/* ---- the manifest: robots ---- */

/* results become files of this name, which has no control characters */
static rbv_status name_robot(rbv_fleet_plan *p, int i, const rbv_node *node) {
  const rbv_node *name = rbv_node_find(node, "name");
  if (!name) return rbv_node_fail(RBV_EINPUT, node, "a robot of the fleet needs a name");
  RBV_TRY(rbv_node_string(&p->robot[i].name, name));
  const char *text = p->robot[i].name;
  if (!*text || *text == '.' || strchr(text, '/') || strcmp(text, rbv_node_text(name)) != 0)
    return rbv_node_fail(RBV_EINPUT, name, "'%s' cannot be the name of a file", text);
  for (int before = 0; before < i; before++)
    if (strcmp(p->robot[before].name, text) == 0)
      return rbv_node_fail(RBV_EINPUT, name, "there are two robots '%s'", text);
  return RBV_OK;
}

/* options of the whole manifest, of the robot, of the caller: later ones replace earlier ones */
static rbv_status configure(rbv_identification *job, const rbv_fleet_plan *p, const rbv_node *node,
                            const rbv_option_value *given, int ngiven) {
  RBV_TRY(set_options(job, rbv_node_find(rbv_document_root(p->doc), "options")));
  RBV_TRY(set_options(job, rbv_node_find(node, "options")));
  for (int i = 0; i < ngiven; i++)
    RBV_TRY(rbv_identification_set(job, given[i].name, given[i].value));
  return rbv_identification_check(rbv_identification_get_options(job));
}

static rbv_status read_robot(rbv_fleet_plan *p, int i, const rbv_node *node,
                             const rbv_option_value *given, int ngiven) {
  static const char *const keys[] = {"name", "robot", "logs", "map", "options", NULL};
  const rbv_node *root = rbv_document_root(p->doc);
  RBV_TRY(rbv_node_only_keys(node, keys));
  RBV_TRY(name_robot(p, i, node));
  const rbv_node *robot = rbv_node_find(node, "robot"), *logs = rbv_node_find(node, "logs");
  const rbv_node *map = rbv_node_find(node, "map");
  if (!robot) robot = rbv_node_find(root, "robot");
  if (!map) map = rbv_node_find(root, "map");
  if (!robot)
    return rbv_node_fail(RBV_EINPUT, node,
                         "the robot is missing: name a file or a built-in robot, here or for all");
  if (!logs || rbv_node_get_kind(logs) != RBV_NODE_LIST || rbv_node_count(logs) < 1)
    return rbv_node_fail(RBV_EINPUT, logs ? logs : node, "logs are a list of at least one file");
  rbv_identification **job = &p->robot[i].job;
  RBV_TRY(new_job(job, p->doc, robot));
  const rbv_status status = configure(*job, p, node, given, ngiven);
  if (status == RBV_EOPTION)
    return rbv_fail(RBV_EINPUT, "robot '%s' of the fleet: %s", p->robot[i].name, rbv_message());
  if (status != RBV_OK) return status;
  if (map) RBV_TRY(add_file(*job, p->doc, map, true));
  for (int k = 0; k < rbv_node_count(logs); k++)
    RBV_TRY(add_file(*job, p->doc, rbv_node_at(logs, k), false));
  return RBV_OK;
}

/* ---- jobs: 'R' and the result, or 'F' and why there is none ---- */

static rbv_status run(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  (void)worker;
  const rbv_fleet_plan *p = self;
  rbv_identification *job = p->robot[index].job;
  if (!job) return rbv_fail(RBV_EARG, "this plan has only the names of its robots");
  char *json = NULL;
  size_t size = 0;
  rbv_status status = rbv_identification_run(job);
  if (status == RBV_OK) status = rbv_result_write(&json, &size, rbv_identification_result(job));
  if (status == RBV_EMEM) return status;
  rbv_bytes_add(out, status == RBV_OK ? "R" : "F", 1);
  if (status == RBV_OK)
    rbv_bytes_add(out, json, size);
  else
    rbv_bytes_add(out, rbv_message(), strlen(rbv_message()));
  rbv_text_release(json);
  rbv_identification_forget(job);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  rbv_fleet_plan *p = self;
  member *m = &p->robot[index];
  if (size < 1) return rbv_fail(RBV_EINPUT, "the result of robot '%s' is empty", m->name);
  rbv_free(m->text);
  rbv_result_free(m->result);
  m->result = NULL;
  m->text = rbv_strndup((const char *)data + 1, size - 1);
  if (!m->text) return RBV_EMEM;
  m->size = size - 1;
  // a reason is only shown
  if (*(const char *)data != 'R') {
    rbv_clean(m->text);
    return RBV_OK;
  }
  return rbv_result_parse(&m->result, m->name, m->text, m->size);
}

/* ---- the description: everything that the results depend on ---- */

/* a built-in robot has no hash */
static void describe_file(rbv_json *json, const char *path, bool built_in) {
  char hash[65] = "";
  // a file that cannot be read makes the job of its robot fail, not the fleet
  const bool hashed = built_in || rbv_hash_file(hash, path) == RBV_OK;
  rbv_json_map(json);
  rbv_json_put_string(json, "path", path);
  rbv_json_key(json, "sha256");
  if (hashed)
    rbv_json_string(json, hash);
  else
    rbv_json_null(json);
  rbv_json_end(json);
}

static rbv_status describe_robot(rbv_json *json, const member *m) {
  const rbv_identification *job = m->job;
  rbv_json_map(json);
  rbv_json_put_string(json, "name", m->name);
  rbv_json_key(json, "robot");
  describe_file(json, job->robot, rbv_robot_is_built_in(job->robot));
  rbv_json_put_list(json, "inputs");
  for (int i = 0; i < job->nlog; i++) describe_file(json, job->log[i].path, false);
  rbv_json_end(json);
  rbv_setting *setting =
      rbv_alloc((size_t)(rbv_option_record(NULL, job->groups) + 1) * sizeof *setting);
  if (!setting) return RBV_EMEM;
  rbv_json_put_map(json, "options");
  rbv_option_write(json, setting, rbv_option_record(setting, job->groups));
  rbv_json_end(json);
  rbv_free(setting);
  rbv_option_file file[2 * RBV_FILES_MAX + OPTION_FILES_MAX];
  int nfile;
  // the job of the robot reports a file that cannot be read
  const bool readable =
      rbv_option_files(&nfile, file, RBV_COUNT(file), job->groups, true) == RBV_OK;
  rbv_json_put_list(json, "option_files");
  for (int i = 0; i < nfile; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "option", file[i].option);
    rbv_json_put_string(json, "path", file[i].path);
    rbv_json_put_string(json, "sha256", file[i].sha256);
    rbv_json_end(json);
  }
  if (!readable) rbv_json_null(json);
  rbv_json_end(json);
  rbv_json_end(json);
  return RBV_OK;
}

static rbv_status describe(rbv_fleet_plan *p) {
  rbv_json *json;
  RBV_TRY(rbv_json_new(&json));
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_list(json, "robots");
  rbv_status status = RBV_OK;
  for (int i = 0; i < p->count && status == RBV_OK; i++)
    status = describe_robot(json, &p->robot[i]);
  rbv_json_end(json);
  rbv_json_end(json);
  const char *text;
  size_t size;
  if (status == RBV_OK) status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK && !(p->description = rbv_strndup(text, size))) status = RBV_EMEM;
  rbv_json_free(json);
  return status;
}

/* ---- plans ---- */

static rbv_status make_room(rbv_fleet_plan *p, const rbv_node *robots) {
  const int count = robots ? rbv_node_count(robots) : 0;
  if (count < 1 || rbv_node_get_kind(robots) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, robots ? robots : rbv_document_root(p->doc),
                         "robots are a list of at least one");
  p->robot = rbv_alloc((size_t)count * sizeof *p->robot);
  if (!p->robot) return RBV_EMEM;
  p->count = count;
  return RBV_OK;
}

static rbv_status read_manifest(rbv_fleet_plan *p, const char *path, const rbv_option_value *given,
                                int ngiven) {
  static const char *const keys[] = {"robots", "robot", "map", "options", NULL};
  RBV_TRY(rbv_document_load(&p->doc, path));
  const rbv_node *root = rbv_document_root(p->doc);
  RBV_TRY(rbv_node_only_keys(root, keys));
  const rbv_node *robots = rbv_node_find(root, "robots");
  RBV_TRY(make_room(p, robots));
  for (int i = 0; i < p->count; i++)
    RBV_TRY(read_robot(p, i, rbv_node_at(robots, i), given, ngiven));
  return describe(p);
}

/* a plan that was read, or the failure */
static rbv_status finish(rbv_fleet_plan **out, rbv_fleet_plan *p, rbv_status status) {
  if (status != RBV_OK) {
    rbv_fleet_plan_free(p);
    return status;
  }
  p->jobs = (rbv_jobs){.name = RBV_FLEET_KIND,
                       .description = p->description,
                       .count = p->count,
                       .self = p,
                       .run = run,
                       .take = take};
  *out = p;
  return RBV_OK;
}

rbv_status rbv_fleet_plan_load(rbv_fleet_plan **out, const char *manifest,
                               const rbv_option_value *given, int ngiven) {
  if (!out || !manifest) return rbv_fail(RBV_EARG, "the path of a manifest is needed");
  *out = NULL;
  RBV_NEW(rbv_fleet_plan, p, 1);
  return finish(out, p, read_manifest(p, manifest, given, ngiven));
}

static rbv_status read_description(rbv_fleet_plan *p, const char *description) {
  p->description = rbv_strdup(description);
  if (!p->description) return RBV_EMEM;
  RBV_TRY(rbv_document_parse(&p->doc, "fleet", description, strlen(description)));
  const rbv_node *robots = rbv_node_find(rbv_document_root(p->doc), "robots");
  RBV_TRY(make_room(p, robots));
  for (int i = 0; i < p->count; i++) RBV_TRY(name_robot(p, i, rbv_node_at(robots, i)));
  return RBV_OK;
}

rbv_status rbv_fleet_plan_recall(rbv_fleet_plan **out, const char *description) {
  if (!out || !description) return rbv_fail(RBV_EARG, "a description is needed");
  *out = NULL;
  RBV_NEW(rbv_fleet_plan, p, 1);
  return finish(out, p, read_description(p, description));
}

const rbv_jobs *rbv_fleet_plan_jobs(rbv_fleet_plan *p) { return p ? &p->jobs : NULL; }
int rbv_fleet_plan_count(const rbv_fleet_plan *p) { return p ? p->count : 0; }

static const member *robot_at(const rbv_fleet_plan *p, int i) {
  return p && i >= 0 && i < p->count ? &p->robot[i] : NULL;
}

const char *rbv_fleet_plan_name(const rbv_fleet_plan *p, int robot) {
  const member *m = robot_at(p, robot);
  return m ? m->name : NULL;
}

const rbv_result *rbv_fleet_plan_result(const rbv_fleet_plan *p, int robot) {
  const member *m = robot_at(p, robot);
  return m ? m->result : NULL;
}

const char *rbv_fleet_plan_text(size_t *size, const rbv_fleet_plan *p, int robot) {
  const member *m = robot_at(p, robot);
  if (size) *size = m ? m->size : 0;
  return m ? m->text : NULL;
}
