#include <stdio.h>
#include <string.h>

#include "cli.h"

int cli_add_groups(cli_opt *rows, const rbv_option_group *groups) {
  int count = 0;
  for (const rbv_option_group *g = groups; g->rows; g++) {
    const char *topic = CLI_OPTIONS;
    for (const rbv_option *o = g->rows; o->name; o++) {
      if (o->topic) topic = o->topic;
      rows[count++] = (cli_opt){.name = o->name,
                                .letter = o->letter,
                                .kind = o->kind,
                                .target = (char *)g->options + o->offset,
                                .value = o->value,
                                .help = o->help,
                                .choice = o->choice,
                                .range = o->range,
                                .topic = topic,
                                .basic = o->basic};
    }
  }
  return count;
}

int cli_add_rows(cli_opt *rows, const cli_opt *more) {
  int count = 0;
  const char *topic = CLI_OPTIONS;
  for (; more->name; more++) {
    const rbv_option_group group[] = {{more->rows, more->target}, {0}};
    if (more->rows) {
      count += cli_add_groups(rows + count, group);
      continue;
    }
    if (more->topic) topic = more->topic;
    rows[count] = *more;
    rows[count++].topic = topic;
  }
  rows[count] = (cli_opt){0};
  return count;
}

/* ---- parsing ---- */

static const cli_opt *find_long(const cli_opt *options, const char *name, size_t length) {
  for (const cli_opt *o = options; o->name; o++)
    if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
  return NULL;
}

static const cli_opt *find_letter(const cli_opt *options, char letter) {
  for (const cli_opt *o = options; o->name; o++)
    if (o->letter && o->letter == letter) return o;
  return NULL;
}

/* "ols, wls, ..." of an option with choices */
static void list_choices(char *out, size_t size, const cli_opt *o) {
  size_t used = 0;
  *out = 0;
  for (int i = 0; o->choice(i) && used < size; i++)
    used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", o->choice(i));
}

static int check_choice(const char *command, const cli_opt *o, const char *value) {
  if (!o->choice) return -1;
  for (int i = 0; o->choice(i); i++)
    if (strcmp(o->choice(i), value) == 0) return -1;
  char known[256];
  list_choices(known, sizeof known, o);
  return cli_usage(command, "--%s cannot be '%s' (choose from %s)", o->name, value, known);
}

static int bad_value(const char *command, const cli_opt *o, const char *text) {
  char needs[RBV_NEEDS_MAX];
  rbv_option_needs(needs, o->kind, o->range);
  return cli_usage(command, "--%s needs %s, not '%s'", o->name, needs, text);
}

const cli_opt *cli_option_at(const char **value, int *i, int argc, char **argv,
                             const cli_opt *options) {
  const char *arg = argv[*i];
  const cli_opt *o = NULL;
  *value = NULL;
  if (arg[0] != '-' || !arg[1]) return NULL;
  if (arg[1] == '-') {
    const size_t length = strcspn(arg + 2, "=");
    o = find_long(options, arg + 2, length);
    if (arg[2 + length] == '=') *value = arg + 3 + length;
  } else {
    o = find_letter(options, arg[1]);
    if (o && arg[2]) *value = arg + 2;
  }
  if (o && rbv_option_takes_value(o->kind) && !*value && *i + 1 < argc) *value = argv[++*i];
  return o;
}

static int refuse_option(const char *command, const char *arg, const cli_opt *options) {
  const char *known[CLI_TABLE_MAX + 2] = {0}, *near = NULL;
  int count = 0;
  for (const cli_opt *o = options; o->name; o++) known[count++] = o->name;
  known[count] = "help";
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)strcspn(arg, "="), arg);
  if (strncmp(word, "--", 2) == 0) near = rbv_nearest_word(word + 2, known);
  if (!near) return cli_usage(command, "there is no option '%s'", arg);
  return cli_usage(command, "there is no option '%s'; did you mean --%s?", arg, near);
}

/* parse the option at argv[*i]; increments *i if the value is the next argument */
static int parse_option(int *i, int argc, char **argv, const char *command,
                        const cli_opt *options) {
  const char *arg = argv[*i], *value;
  const cli_opt *o = cli_option_at(&value, i, argc, argv, options);
  if (!o) return refuse_option(command, arg, options);
  if (!rbv_option_takes_value(o->kind)) {
    if (value) return cli_usage(command, "--%s takes no value", o->name);
    return rbv_option_store(o->kind, o->range, o->target, "") ? -1 : EXIT_USAGE;
  }
  if (!value) return cli_usage(command, "--%s needs a value (%s)", o->name, o->value);
  if (!rbv_option_store(o->kind, o->range, o->target, value)) return bad_value(command, o, value);
  return check_choice(command, o, value);
}

#define OUTPUTS_MAX 32  // of one command

/* An output is never an input: refuse it before anything is read. */
static int check_outputs(const char *command, const cli_opt *options, int count, char **argv) {
  const char *input[CLI_TABLE_MAX];
  rbv_output output[OUTPUTS_MAX];
  int ninput = 0, noutput = 0;
  rbv_status status = RBV_OK;
  for (const cli_opt *o = options; o->name; o++) {
    const char *const *path = o->target;
    if (o->kind == OPT_OUTPUT && *path && noutput < OUTPUTS_MAX)
      output[noutput++] = (rbv_output){o->name, *path};
    if (o->kind == OPT_FILE && *path) input[ninput++] = *path;
  }
  if (noutput == 0) return -1;
  status = rbv_outputs_check(output, noutput, input, ninput);
  if (status == RBV_OK)
    status = rbv_outputs_check(output, noutput, (const char *const *)argv + 1, count);
  for (const cli_opt *o = options; o->name && status == RBV_OK; o++) {
    const cli_list *list = o->target;
    if (o->kind == OPT_LIST) status = rbv_outputs_check(output, noutput, list->item, list->count);
  }
  return status == RBV_OK ? -1 : cli_fail_in(command, status);
}

int cli_parse(int *count, int argc, char **argv, const char *command, const cli_opt *table) {
  const cli_command *self = cli_find_command(command);
  cli_opt options[CLI_TABLE_MAX];
  cli_add_rows(options, table);
  bool only_positional = false;
  *count = 0;
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    if (!only_positional && strcmp(arg, "--") == 0) {
      only_positional = true;
    } else if (!only_positional && (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0)) {
      const char *topic = i + 1 < argc && argv[i + 1][0] != '-' ? argv[i + 1] : NULL;
      return cli_show_help(self, options, topic);
    } else if (!only_positional && arg[0] == '-' && arg[1]) {
      const int code = parse_option(&i, argc, argv, command, options);
      if (code >= 0) return code;
    } else {
      argv[++*count] = argv[i];
    }
  }
  if (*count < self->least)
    return cli_usage(command, "an argument is missing: expected %s", self->arguments);
  if (*count > self->most)
    return cli_usage(command, "unexpected argument '%s'", argv[self->most + 1]);
  return check_outputs(command, options, *count, argv);
}
