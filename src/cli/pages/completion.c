#include <string.h>

#include "pages.h"

static bool takes_robot(const cli_command *command) {
  return strstr(command->arguments, "ROBOT") != NULL;
}

static void put_commands(FILE *out) {
  for (const cli_command *c = cli_commands; c->name; c++)
    fprintf(out, "%s%s", c == cli_commands ? "" : " ", c->name);
}

static void put_robots(FILE *out) {
  for (int i = 0; rbv_model_builtin(i); i++)
    fprintf(out, "%s%s", i ? " " : "", rbv_model_builtin(i));
}

/* ---- bash: uses only built-in commands of the shell ---- */

void bash_begin(FILE *out) {
  fputs(
      "# bash completion of roberval, generated from its option tables\n"
      "_roberval() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local options= valued= words= choices=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '",
      out);
  put_commands(out);
  fputs("' -- \"$cur\")\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", out);
}

void bash_command(FILE *out, const cli_command *command, const cli_opt *options) {
  fprintf(out, "    %s)\n      options='", command->name);
  for (const cli_opt *o = options; o->name; o++) {
    if (o->letter) fprintf(out, "-%c ", o->letter);
    fprintf(out, "--%s ", o->name);
  }
  fputs("-h --help'\n      valued='", out);
  for (const cli_opt *o = options; o->name; o++) {
    if (!rbv_option_takes_value(o->kind)) continue;
    if (o->letter) fprintf(out, " -%c", o->letter);
    fprintf(out, " --%s", o->name);
  }
  fputs(" '\n      case $prev in\n", out);
  for (const cli_opt *o = options; o->name; o++) {
    if (!o->choice) continue;
    fprintf(out, "        --%s", o->name);
    if (o->letter) fprintf(out, " | -%c", o->letter);
    fputs(") choices='", out);
    put_choices(out, o, " ");
    fputs("' ;;\n", out);
  }
  fputs("      esac\n", out);
  if (takes_robot(command) || strcmp(command->name, "help") == 0) {
    fputs("      words='", out);
    if (takes_robot(command))
      put_robots(out);
    else
      put_commands(out);
    fputs("'\n", out);
  }
  fputs("      ;;\n", out);
}

void bash_end(FILE *out) {
  fputs(
      "  esac\n"
      "  if [ -n \"$choices\" ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$cur\")\n"
      "    return\n"
      "  fi\n"
      "  case $cur in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\"); return ;;\n"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
      "  # the value of any other option may be a file; the first argument may be a name\n"
      "  case $valued in\n"
      "    *\" $prev \"*) ;;\n"
      "    *) mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") "
      ";;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _roberval roberval\n",
      out);
}

/* ---- zsh ---- */

/* escape text inside '...': quotes, and the brackets and colons of a specification */
static void put_zsh(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs("'\\''", out);
      continue;
    }
    if (strchr("[]:\\", *text)) fputc('\\', out);
    fputc(*text, out);
  }
}

void zsh_begin(FILE *out) {
  fputs(
      "#compdef roberval\n"
      "# zsh completion of roberval, generated from its option tables\n"
      "local -a commands\ncommands=(\n",
      out);
  for (const cli_command *c = cli_commands; c->name; c++) {
    fprintf(out, "  '%s:", c->name);
    put_zsh(out, c->summary);
    fputs("'\n", out);
  }
  fputs(
      ")\n"
      "if (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\n"
      "local command=$words[2]\n"
      "shift words\n(( CURRENT-- ))\n"
      "case $command in\n",
      out);
}

static void zsh_option(FILE *out, const cli_opt *o) {
  char dashed[2][80];
  snprintf(dashed[0], sizeof dashed[0], "--%s", o->name);
  snprintf(dashed[1], sizeof dashed[1], "-%c", o->letter);
  for (int i = 0; i < (o->letter ? 2 : 1); i++) {
    // an option with a list may be repeated
    fprintf(out, "      '%s%s[", o->kind == OPT_LIST ? "*" : "", dashed[i]);
    put_zsh(out, o->help);
    fputc(']', out);
    if (rbv_option_takes_value(o->kind)) {
      fputc(':', out);
      put_zsh(out, o->value);
      if (o->choice) {
        fputs(":(", out);
        put_choices(out, o, " ");
        fputc(')', out);
      } else {
        fputs(":_files", out);
      }
    }
    fputs("' \\\n", out);
  }
}

void zsh_command(FILE *out, const cli_command *command, const cli_opt *options) {
  fprintf(out, "  %s)\n    _arguments \\\n", command->name);
  for (const cli_opt *o = options; o->name; o++) zsh_option(out, o);
  fputs("      '(- *)'{-h,--help}'[show this help]' \\\n", out);
  if (takes_robot(command)) {
    fputs("      '1:robot:{_alternative \"names:built-in robot:(", out);
    put_robots(out);
    fputs(")\" \"files:file:_files\"}' \\\n", out);
  }
  if (strcmp(command->name, "help") == 0)
    fputs("      '1:command:{_describe command commands}'\n    ;;\n", out);
  else
    fputs("      '*:file:_files'\n    ;;\n", out);
}

void zsh_end(FILE *out) { fputs("esac\n", out); }
