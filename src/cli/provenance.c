#include "provenance.h"

#include <string.h>

void cli_provenance_add(cli_provenance *p, const char *role, const char *path) {
  if (path && p->count < CLI_SOURCES_MAX) p->source[p->count++] = (cli_source){role, path};
}

static bool is_among(const cli_opt *o, const char *const *names) {
  for (; *names; names++)
    if (strcmp(o->name, *names) == 0) return true;
  return false;
}

static void put_option(rbv_json *json, const cli_opt *o) {
  rbv_json_key(json, o->name);
  switch (o->kind) {
    case OPT_FLAG: rbv_json_bool(json, *(const bool *)o->target); break;
    case OPT_OFF: rbv_json_bool(json, !*(const bool *)o->target); break;
    case OPT_REAL: rbv_json_real(json, *(const double *)o->target); break;
    case OPT_COUNT: rbv_json_int(json, *(const int *)o->target); break;
    case OPT_SEED: rbv_json_int(json, (long long)*(const uint64_t *)o->target); break;
    case OPT_FILE:
    case OPT_OUTPUT:
    case OPT_TEXT: rbv_json_string(json, *(const char *const *)o->target); break;
    case OPT_LIST: {
      const cli_list *list = o->target;
      rbv_json_flat_list(json);
      for (int i = 0; i < list->count; i++) rbv_json_string(json, list->item[i]);
      rbv_json_end(json);
    }
  }
}

void cli_put_options(rbv_json *json, const cli_opt *table, const char *const *but) {
  rbv_json_put_map(json, "options");
  for (const cli_opt *o = table; o->name; o++)
    if (!is_among(o, but)) put_option(json, o);
  rbv_json_end(json);
}

static void put_file(rbv_json *json, const char *path) {
  char hash[65];
  rbv_json_put_string(json, "path", path);
  rbv_json_key(json, "sha256");
  if (rbv_hash_file(hash, path) == RBV_OK) {
    rbv_json_string(json, hash);
    return;
  }
  rbv_json_null(json);
  rbv_json_put_string(json, "reason", rbv_message());
}

static void put_robot(rbv_json *json, const rbv_model *model, const char *path) {
  rbv_json_put_string(json, "name", rbv_model_name(model));
  rbv_json_put_string(json, "path", path);
  rbv_json_put_string(json, "sha256", rbv_model_sha256(model));
}

void cli_put_sources(rbv_json *json, const cli_provenance *p) {
  rbv_json_put_map(json, "robot");
  put_robot(json, p->model, p->robot);
  rbv_json_end(json);
  rbv_json_put_list(json, "inputs");
  for (int i = 0; i < p->count; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "role", p->source[i].role);
    put_file(json, p->source[i].path);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

void cli_put_provenance(rbv_json *json, const cli_provenance *p) {
  cli_put_sources(json, p);
  // options of the output format do not change the results
  static const char *const manners[] = {"json", "quiet", "verbose", NULL};
  cli_put_options(json, p->options, manners);
}
