#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_manifest_free(cli_manifest *m) {
  for (int i = 0; m->robot && i < m->count; i++) {
    free(m->robot[i].file);
    free(m->robot[i].argv);
  }
  for (int i = 0; i < m->nowned; i++) free(m->owned[i]);
  free(m->owned);
  free(m->robot);
  rbv_document_free(m->doc);
  *m = (cli_manifest){0};
}

/* ---- strings and lists; NULL and false: out of memory ---- */

/* a, b and c in one, kept until the manifest goes */
static char *join(cli_manifest *m, const char *a, size_t length, const char *b, const char *c) {
  char **owned = realloc(m->owned, (size_t)(m->nowned + 1) * sizeof *owned);
  if (!owned) return NULL;
  m->owned = owned;
  const size_t size = length + strlen(b) + strlen(c) + 1;
  char *text = malloc(size);
  if (!text) return NULL;
  snprintf(text, size, "%.*s%s%s", (int)length, a, b, c);
  return m->owned[m->nowned++] = text;
}

static bool push(const char ***list, int *count, const char *text) {
  const char **longer = text ? realloc(*list, (size_t)(*count + 1) * sizeof *longer) : NULL;
  if (!longer) return false;
  *list = longer;
  longer[(*count)++] = text;
  return true;
}

static bool add(cli_manifest_robot *r, const char *text) { return push(&r->argv, &r->argc, text); }

/* ---- options ---- */

/* "method: wls" is --method=wls, "essential: true" --essential, a list an option given often */
static rbv_status add_option(cli_manifest *m, cli_manifest_robot *r, const char *key,
                             const rbv_node *value) {
  if (rbv_node_get_kind(value) == RBV_NODE_LIST) {
    for (int i = 0; i < rbv_node_count(value); i++) {
      const rbv_status status = add_option(m, r, key, rbv_node_at(value, i));
      if (status != RBV_OK) return status;
    }
    return RBV_OK;
  }
  const char *text;
  const rbv_status status = rbv_node_string(&text, value);
  if (status != RBV_OK) return status;
  const bool flag = !rbv_node_is_quoted(value) && strcmp(text, "true") == 0;
  if (!rbv_node_is_quoted(value) && strcmp(text, "false") == 0) return RBV_OK;
  char *option = join(m, "--", 2, key, flag ? "" : "=");
  if (option && !flag) option = join(m, option, strlen(option), text, "");
  return add(r, option) ? RBV_OK : RBV_EMEM;
}

static rbv_status add_options(cli_manifest *m, cli_manifest_robot *r, const rbv_node *map) {
  if (!map) return RBV_OK;
  if (rbv_node_get_kind(map) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, map, "options are a map, such as {method: wls}");
  for (int i = 0; i < rbv_node_count(map); i++) {
    const rbv_status status = add_option(m, r, rbv_node_key(map, i), rbv_node_at(map, i));
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

/* ---- files ---- */

static bool is_built_in(const char *name) {
  for (int i = 0; rbv_model_builtin(i); i++)
    if (strcmp(rbv_model_builtin(i), name) == 0) return true;
  return false;
}

/* beside the manifest, unless it begins with a slash */
static rbv_status resolve(char **out, cli_manifest *m, const rbv_node *node) {
  const char *text, *manifest = rbv_document_name(m->doc);
  const rbv_status status = rbv_node_string(&text, node);
  if (status != RBV_OK) return status;
  if (!*text) return rbv_node_fail(RBV_EINPUT, node, "a file has a name");
  const char *slash = strrchr(manifest, '/');
  const size_t directory = slash && *text != '/' ? (size_t)(slash + 1 - manifest) : 0;
  *out = join(m, manifest, directory, text, "");
  return *out ? RBV_OK : RBV_EMEM;
}

static rbv_status add_files(cli_manifest *m, cli_manifest_robot *r, const rbv_node *own) {
  const rbv_node *root = rbv_document_root(m->doc);
  const rbv_node *robot = rbv_node_find(own, "robot"), *logs = rbv_node_find(own, "logs");
  const rbv_node *map = rbv_node_find(own, "map");
  if (!robot) robot = rbv_node_find(root, "robot");
  if (!map) map = rbv_node_find(root, "map");
  if (!robot)
    return rbv_node_fail(RBV_EINPUT, own, "no robot: a file or a built-in name, here or for all");
  if (!logs || rbv_node_get_kind(logs) != RBV_NODE_LIST || rbv_node_count(logs) < 1)
    return rbv_node_fail(RBV_EINPUT, logs ? logs : own, "logs are a list of at least one file");
  rbv_status status = resolve(&r->robot, m, robot);
  if (status == RBV_OK && is_built_in(rbv_node_text(robot)) &&
      !(r->robot = join(m, "", 0, rbv_node_text(robot), "")))
    status = RBV_EMEM;
  char *file;
  if (status == RBV_OK && map) status = resolve(&file, m, map);
  if (status == RBV_OK && map) {
    char *option = join(m, "--map=", 6, file, "");
    if (!add(r, option) || !push(&r->file, &r->nfile, file)) status = RBV_EMEM;
  }
  if (status == RBV_OK && (!add(r, "--") || !add(r, r->robot))) status = RBV_EMEM;
  for (int i = 0; i < rbv_node_count(logs) && status == RBV_OK; i++) {
    status = resolve(&file, m, rbv_node_at(logs, i));
    if (status == RBV_OK && (!add(r, file) || !push(&r->file, &r->nfile, file))) status = RBV_EMEM;
  }
  return status;
}

/* ---- robots ---- */

/* results become files of this name */
static rbv_status name_robot(cli_manifest *m, int i, const rbv_node *node) {
  const rbv_node *name = rbv_node_find(node, "name");
  if (!name) return rbv_node_fail(RBV_EINPUT, node, "a robot of the fleet needs a name");
  const rbv_status status = rbv_node_string(&m->robot[i].name, name);
  if (status != RBV_OK) return status;
  const char *text = m->robot[i].name;
  if (!*text || *text == '.' || strchr(text, '/'))
    return rbv_node_fail(RBV_EINPUT, name, "'%s' cannot be the name of a file", text);
  for (int before = 0; before < i; before++)
    if (strcmp(m->robot[before].name, text) == 0)
      return rbv_node_fail(RBV_EINPUT, name, "there are two robots '%s'", text);
  return RBV_OK;
}

static rbv_status read_robot(cli_manifest *m, int i, const rbv_node *node, int argc, char **argv) {
  static const char *const keys[] = {"name", "robot", "logs", "map", "options", NULL};
  cli_manifest_robot *r = &m->robot[i];
  rbv_status status = rbv_node_only_keys(node, keys);
  if (status == RBV_OK) status = name_robot(m, i, node);
  if (status == RBV_OK && !add(r, "identify")) status = RBV_EMEM;
  if (status == RBV_OK)
    status = add_options(m, r, rbv_node_find(rbv_document_root(m->doc), "options"));
  if (status == RBV_OK) status = add_options(m, r, rbv_node_find(node, "options"));
  for (int k = 1; k < argc && status == RBV_OK; k++)
    if (!add(r, argv[k])) status = RBV_EMEM;
  return status == RBV_OK ? add_files(m, r, node) : status;
}

static rbv_status read_all(cli_manifest *m, const char *path, int argc, char **argv) {
  static const char *const keys[] = {"robots", "robot", "map", "options", NULL};
  rbv_status status = rbv_document_load(&m->doc, path);
  if (status != RBV_OK) return status;
  const rbv_node *root = rbv_document_root(m->doc);
  status = rbv_node_only_keys(root, keys);
  if (status != RBV_OK) return status;
  const rbv_node *robots = rbv_node_find(root, "robots");
  const int count = robots ? rbv_node_count(robots) : 0;
  if (count < 1 || rbv_node_get_kind(robots) != RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, robots ? robots : root, "robots are a list of at least one");
  m->robot = calloc((size_t)count, sizeof *m->robot);
  if (!m->robot) return RBV_EMEM;
  m->count = count;
  for (int i = 0; i < count && status == RBV_OK; i++)
    status = read_robot(m, i, rbv_node_at(robots, i), argc, argv);
  return status;
}

int cli_manifest_load(cli_manifest *out, const char *path, int argc, char **argv) {
  *out = (cli_manifest){0};
  const rbv_status status = read_all(out, path, argc, argv);
  return status == RBV_OK ? -1 : cli_fail(status);
}
