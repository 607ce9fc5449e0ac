/* The command line: one argument per line, parsed with a table that has an option of every kind. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fuzz.h"

#define ARGUMENTS_MAX 200

static void print_nothing(const cli_command *command, const cli_opt *options) {
  (void)command;
  (void)options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cli_print_options = print_nothing;
  char *text = malloc(size + 1), *argv[ARGUMENTS_MAX + 1], name[] = "identify";
  FUZZ_CHECK(text);
  memcpy(text, data, size);
  text[size] = 0;
  int argc = 1;
  argv[0] = name;
  for (char *at = text; argc < ARGUMENTS_MAX; at++) {
    argv[argc++] = at;
    at += strcspn(at, "\n");
    if (!*at) break;
    *at = 0;
  }
  argv[argc] = NULL;

  cli_common common = CLI_COMMON_DEFAULTS;
  cli_robot robot = {.model = rbv_model_defaults()};
  const char *output = NULL;
  cli_list list = {0};
  const cli_opt table[] = {{"output", 'o', OPT_TEXT, &output, "FILE", "a text"},
                           {"validate", 0, OPT_LIST, &list, "LOG", "a list"},
                           CLI_ROBOT(robot),
                           CLI_COMMON(common),
                           {0}};
  int count = -1;
  const int code = cli_parse(&count, argc, argv, "identify", table);
  FUZZ_CHECK(code == -1 || code == EXIT_DONE || code == EXIT_USAGE);
  if (code == -1) {
    FUZZ_CHECK(count >= 0 && count < argc);
    FUZZ_CHECK(common.threads >= 1 && list.count >= 0 && list.count <= CLI_LIST_MAX);
    for (int i = 1; i <= count; i++) FUZZ_CHECK(argv[i] >= text && argv[i] <= text + size);
  }
  free(text);
  return 0;
}
