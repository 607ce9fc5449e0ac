/* Help of a command: its options by topic, and examples. */
#include <stdio.h>
#include <string.h>

#include "cli.h"

int cli_list_topics(const char *topic[CLI_TOPICS_MAX], const cli_opt *options) {
  int count = 0;
  for (int general = 0; general < 2; general++)
    for (const cli_opt *o = options; o->name; o++) {
      bool known = false;
      for (int i = 0; i < count && !known; i++) known = strcmp(topic[i], o->topic) == 0;
      if (!known && count < CLI_TOPICS_MAX && (strcmp(o->topic, CLI_GENERAL) == 0) == general)
        topic[count++] = o->topic;
    }
  return count;
}

/* the help of an option and its accepted values */
static void write_help(char *out, size_t size, const cli_opt *o) {
  int used = snprintf(out, size, "%s", o->help);
  for (int i = 0; o->choice && o->choice(i) && used < (int)size; i++)
    used += snprintf(out + used, size - (size_t)used, "%s%s",
                     i == 0             ? ": "
                     : o->choice(i + 1) ? ", "
                                        : " or ",
                     o->choice(i));
}

static void print_option(const cli_opt *o) {
  char left[64], help[400], letter[8] = "   ";
  if (o->letter) snprintf(letter, sizeof letter, "-%c,", o->letter);
  snprintf(left, sizeof left, "%s --%s%s%s", letter, o->name, o->value ? " " : "",
           o->value ? o->value : "");
  write_help(help, sizeof help, o);
  printf("  %-26s %s\n", left, help);
}

static void print_topic(const cli_opt *options, const char *topic) {
  printf("\n%s:\n", topic);
  for (const cli_opt *o = options; o->name; o++)
    if (strcmp(o->topic, topic) == 0) print_option(o);
}

static void print_head(const cli_command *command) {
  printf("roberval %s %s\n\n%s\n", command->name, command->arguments, command->summary);
  for (int i = 0; i < CLI_EXAMPLES && command->example[i]; i++)
    printf("%s  roberval %s\n", i == 0 ? "\nexamples:\n" : "", command->example[i]);
}

static void print_all(const cli_command *command, const cli_opt *options) {
  const char *topic[CLI_TOPICS_MAX];
  const int count = cli_list_topics(topic, options);
  print_head(command);
  for (int i = 0; i < count; i++) print_topic(options, topic[i]);
  printf("  %-26s %s\n", "-h, --help [TOPIC]", "show this help, or the options of one topic");
}

static void print_help(const cli_command *command, const cli_opt *options) {
  int basic = 0, count = 0;
  for (const cli_opt *o = options; o->name; o++, count++) basic += o->basic;
  if (count <= CLI_SHORT_HELP || basic == 0) {
    print_all(command, options);
    return;
  }
  print_head(command);
  printf("\noptions:\n");
  for (const cli_opt *o = options; o->name; o++)
    if (o->basic) print_option(o);
  printf("  %-26s %d more options, by topic\n", "-h, --help all", count - basic);
}

cli_help_printer *cli_print_options = print_help;

int cli_show_help(const cli_command *command, const cli_opt *options, const char *only) {
  const char *topic[CLI_TOPICS_MAX];
  const int count = cli_list_topics(topic, options);
  if (!only) {
    cli_print_options(command, options);
    return EXIT_DONE;
  }
  if (strcmp(only, "all") == 0) {
    print_all(command, options);
    return EXIT_DONE;
  }
  for (int i = 0; i < count; i++)
    if (strcmp(topic[i], only) == 0) {
      printf("roberval %s %s\n", command->name, command->arguments);
      print_topic(options, only);
      return EXIT_DONE;
    }
  char known[256] = "";
  size_t used = 0;
  for (int i = 0; i < count && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", topic[i]);
  return cli_usage(command->name, "help has no topic '%s' (choose from all, %s)", only, known);
}

void cli_print_commands(void) {
  for (const cli_command *c = cli_commands; c->name; c++)
    printf("  %-10s %s\n", c->name, c->summary);
}
