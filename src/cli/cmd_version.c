#include <roberval/sys/document.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/log.h>
#include <roberval/sys/storage.h>
#include <stdio.h>

#include "cli.h"

/* Each module that uses an external library provides its name and version. */
static bool library(int i, const char **name, char version[64]) {
  static const char *(*const modules[])(int, char[64]) = {rbv_linalg_library, rbv_document_library,
                                                          rbv_storage_library, rbv_log_library};
  for (size_t m = 0; m < sizeof modules / sizeof *modules; m++)
    for (int k = 0; (*name = modules[m](k, version)); k++)
      if (i-- == 0) return true;
  return false;
}

static int print_text(bool build) {
  printf("roberval %s\n", rbv_version());
  char version[64];
  const char *name;
  for (int i = 0; build && library(i, &name, version); i++) printf("  %-10s %s\n", name, version);
  return EXIT_DONE;
}

int cli_run_version(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  bool build = false;
  const cli_opt table[] = {
      {"build", 0, OPT_FLAG, &build, NULL, "also show the libraries in use and their versions"},
      CLI_COMMON(common),
      {0}};
  int count;
  const int code = cli_parse(&count, argc, argv, "version", table);
  if (code >= 0) return code;
  if (!common.json) return print_text(build);
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_schema(json, "roberval.version/1");
  if (build) {
    rbv_json_put_map(json, "libraries");
    char version[64];
    const char *name;
    for (int i = 0; library(i, &name, version); i++) rbv_json_put_string(json, name, version);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}
