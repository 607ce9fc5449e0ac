#include <ctype.h>
#include <string.h>

#include "pages.h"

/* escape text for roff: hyphens stay hyphens; no accidental requests or escapes */
static void put(FILE *out, const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  for (; *text; text++) {
    if (*text == '-')
      fputs("\\-", out);
    else if (*text == '\\')
      fputs("\\e", out);
    else
      fputc(*text, out);
  }
}

static void title(FILE *out, const char *name, int section) {
  fputs(".TH \"", out);
  for (; *name; name++) fputc(toupper((unsigned char)*name), out);
  fprintf(out, "\" %d \"\" \"Roberval %s\" \"Roberval\"\n", section, rbv_version());
}

static void exit_codes(FILE *out) {
  static const char *const meaning[] = {"done", "done, with a negative outcome", "wrong usage",
                                        "bad input", "the computation or the output failed"};
  fputs(".SH EXIT STATUS\n", out);
  for (int code = EXIT_DONE; code <= EXIT_FAILED; code++)
    fprintf(out, ".TP\n.B %d\n%s\n", code, meaning[code]);
}

static void option(FILE *out, char letter, const char *name, const char *value, const char *help) {
  fputs(".TP\n\\fB", out);
  if (letter) fprintf(out, "\\-%c\\fR, \\fB", letter);
  fputs("\\-\\-", out);
  put(out, name);
  fputs("\\fR", out);
  if (value) {
    fputs(" \\fI", out);
    put(out, value);
    fputs("\\fR", out);
  }
  fputc('\n', out);
  put(out, help);
  fputc('\n', out);
}

void man_of_tool(FILE *out) {
  title(out, "roberval", 1);
  fputs(".SH NAME\nroberval \\- identifies the dynamic parameters of robot arms\n", out);
  fputs(".SH SYNOPSIS\n.B roberval\n.I COMMAND\n.RI [ ARGUMENTS ]\n", out);
  fputs(
      ".SH DESCRIPTION\nFrom the geometry of an arm and recordings of its motion,\n.B "
      "roberval\n"
      "estimates inertias, first moments, masses, rotor inertias, friction and offsets, each with "
      "its uncertainty.\n.I ROBOT\nis a URDF, an MJCF, a YAML file, or the name of a built\\-in "
      "robot:\n",
      out);
  for (int i = 0; rbv_model_builtin(i); i++) {
    put(out, rbv_model_builtin(i));
    fputs(rbv_model_builtin(i + 1) ? ",\n" : ".\n", out);
  }
  fputs(".SH COMMANDS\n", out);
  for (const cli_command *c = cli_commands; c->name; c++) {
    fprintf(out, ".TP\n.BR roberval\\-%s (1)\n", c->name);
    put(out, c->summary);
    fputc('\n', out);
  }
  exit_codes(out);
  fputs(".SH SEE ALSO\n.BR roberval\\-files (5)\n", out);
}

void man_of_files(FILE *out, FILE *page) {
  title(out, "roberval-files", 5);
  fputs(".SH NAME\nroberval\\-files \\- files that roberval reads and writes\n.SH DESCRIPTION\n",
        out);
  man_of_markdown(out, page, false);
  fputs(".SH SEE ALSO\n.BR roberval (1)\n", out);
}

/* the first paragraph of the command's page */
static void description(FILE *out, const cli_command *command, const char *docs) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.md", docs, command->name);
  FILE *page = fopen(path, "r");
  if (!page) return;
  fputs(".SH DESCRIPTION\n", out);
  man_of_markdown(out, page, true);
  fclose(page);
}

static void options_of_topic(FILE *out, const cli_opt *options, const char *topic) {
  for (const cli_opt *o = options; o->name; o++) {
    if (strcmp(o->topic, topic) != 0) continue;
    option(out, o->letter, o->name, o->value, o->help);
    if (!o->choice) continue;
    fputs(".br\nOne of: ", out);
    put_choices(out, o, ", ");
    fputs(".\n", out);
  }
}

/* the lines "$ ..." of the command's page in docs/cli, which the tests run */
static void examples(FILE *out, const cli_command *command, const char *docs) {
  char path[4096], line[4096];
  snprintf(path, sizeof path, "%s/%s.md", docs, command->name);
  FILE *page = fopen(path, "r");
  if (!page) return;
  bool any = false, inside = false;
  while (fgets(line, sizeof line, page)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "```", 3) == 0) inside = strcmp(line, "```console") == 0;
    if (!inside || strncmp(line, "$ ", 2) != 0) continue;
    if (!any) fputs(".SH EXAMPLES\n.nf\n", out);
    any = true;
    put(out, line + 2);
    fputc('\n', out);
  }
  if (any) fputs(".fi\n", out);
  fclose(page);
}

void man_of_command(FILE *out, const cli_command *command, const cli_opt *options,
                    const char *docs) {
  char name[128];
  snprintf(name, sizeof name, "roberval-%s", command->name);
  title(out, name, 1);
  fputs(".SH NAME\n", out);
  put(out, name);
  fputs(" \\- ", out);
  put(out, command->summary);
  fprintf(out, "\n.SH SYNOPSIS\n.B roberval %s\n", command->name);
  if (*command->arguments) {
    fputs(".I ", out);
    put(out, command->arguments);
    fputc('\n', out);
  }
  fputs(".RI [ OPTIONS ]\n", out);
  description(out, command, docs);
  fputs(".SH OPTIONS\n", out);
  const char *topic[CLI_TOPICS_MAX];
  const int count = cli_list_topics(topic, options);
  for (int i = 0; i < count; i++) {
    if (count > 1) fprintf(out, ".SS %s\n", topic[i]);
    options_of_topic(out, options, topic[i]);
  }
  option(out, 'h', "help", NULL, "this list");
  exit_codes(out);
  examples(out, command, docs);
  fputs(".SH SEE ALSO\n.BR roberval (1),\n.BR roberval\\-files (5)\n", out);
}
