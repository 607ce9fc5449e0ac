/* pages OUT DOCS: write roberval.1, roberval-COMMAND.1, roberval-files.5, roberval.bash and
 * _roberval into OUT. DOCS is docs/cli. */
#include "pages.h"

#include <stdlib.h>

static const char *out_directory, *docs_directory;
static FILE *bash, *zsh;

static FILE *create(const char *format, const char *name) {
  char file[256], path[4096];
  snprintf(file, sizeof file, format, name);
  snprintf(path, sizeof path, "%s/%s", out_directory, file);
  FILE *out = fopen(path, "w");
  if (!out) {
    perror(path);
    exit(1);
  }
  return out;
}

static void finish(FILE *out) {
  if (fclose(out) == 0) return;
  perror("pages");
  exit(1);
}

void put_choices(FILE *out, const cli_opt *option, const char *separator) {
  for (int i = 0; option->choice(i); i++)
    fprintf(out, "%s%s", i ? separator : "", option->choice(i));
}

static void write_command(const cli_command *command, const cli_opt *options) {
  FILE *man = create("roberval-%s.1", command->name);
  man_of_command(man, command, options, docs_directory);
  finish(man);
  bash_command(bash, command, options);
  zsh_command(zsh, command, options);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: pages OUT DOCS\n");
    return 2;
  }
  out_directory = argv[1];
  docs_directory = argv[2];
  FILE *man = create("%s", "roberval.1");
  man_of_tool(man);
  finish(man);
  char path[4096];
  snprintf(path, sizeof path, "%s/../files.md", docs_directory);
  FILE *files = fopen(path, "r");
  if (!files) {
    perror(path);
    return 1;
  }
  man = create("%s", "roberval-files.5");
  man_of_files(man, files);
  finish(man);
  fclose(files);
  bash = create("%s", "roberval.bash");
  zsh = create("%s", "_roberval");
  bash_begin(bash);
  zsh_begin(zsh);
  cli_print_options = write_command;
  for (const cli_command *c = cli_commands; c->name; c++) {
    char name[64], help[] = "--help", *arguments[] = {name, help, NULL};
    snprintf(name, sizeof name, "%s", c->name);
    if (c->run(2, arguments) != EXIT_DONE) return 1;
  }
  bash_end(bash);
  zsh_end(zsh);
  finish(bash);
  finish(zsh);
  return 0;
}
