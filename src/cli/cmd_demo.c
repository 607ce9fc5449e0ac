/* roberval demo: all steps of an identification of the built-in TX40, as commands of a user. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "demo_table.h"

#define FOLDER "roberval-demo"
#define SCRIPT "commands.sh"
#define MARK "# roberval demo:"  // first words of the script; identifies the folder of a demo
#define LOOP "--controller pid.yaml --skip 0.2 --validate second.csv"
#define SENSORS "--loop-encoder 20000 --disturbance 1% --torque-noise 1%"

static const char cell[] =
    "# The cell of the demo, for --constraints. The arm's base frame is at its shoulder.\n"
    "collision:  # capsules in the frames of links, 0 is the base; neighbours may touch\n"
    "  - {link: 0, from: [0, 0, -0.3], to: [0, 0, 0], radius: 0.08}     # foot\n"
    "  - {link: 3, from: [0, 0, 0], to: [0, -0.225, 0], radius: 0.06}   # forearm\n"
    "planes: [{normal: [0, 0, -1], offset: 0.3}]                        # floor\n";

/* ---- the steps ---- */

typedef struct {
  const char *title, *command;
  const char *output;  // stdout goes to this file
  int seed;            // 1: the seed of the demo, 2: the next one; 0: no random numbers
  bool designs;        // a search whose time depends on --quick
  bool silent;         // run with -q; the demo prints a summary
  const char *method;  // has a column in the final table
} step;

static const step steps[] = {
    {.title = "Design a motion that excites all parameters. It keeps the limits of the joints and\n"
              "the cell of cell.yaml, and begins and ends at rest",
     .command = "excite tx40 --constraints cell.yaml --acceleration 200 --tool-speed 5 --blend 0.5 "
                "--threads 2 -o exciting.csv",
     .output = "exciting.txt",
     .seed = 1,
     .designs = true},
    {.title = "Design another motion, for validation",
     .command = "excite tx40 --constraints cell.yaml --acceleration 200 --tool-speed 5 --blend 0.5 "
                "--threads 2 -o other.csv",
     .output = "other.txt",
     .seed = 2,
     .designs = true},
    {.title =
         "Record the motion. Your robot does this; here it is simulated under a PID, with encoder\n"
         "counts that the controller sees too, a torque that is not recorded, and torque noise",
     .command = "simulate tx40 exciting.csv --rate 1000 --bandwidth 12,12,16,24,24,40 " SENSORS
                " --save-controller pid.yaml -o log.csv",
     .seed = 1},
    {.title = "Record the other motion",
     .command = "simulate tx40 other.csv --controller pid.yaml " SENSORS " -o second.csv",
     .seed = 2},
    {.title = "Check the recording", .command = "check tx40 log.csv"},
    {.title = "Identify by weighted least squares: positions and torques are enough",
     .command = "identify tx40 log.csv --method wls --validate second.csv -o wls.json",
     .silent = true,
     .method = "wls"},
    {.title = "By instrumental variables: the simulated loop gives a motion without noise, so "
              "without bias",
     .command = "identify tx40 log.csv --method iv " LOOP " -o iv.json",
     .silent = true,
     .method = "iv"},
    {.title = "By DIDIM, which does not need positions",
     .command = "identify tx40 log.csv --method didim " LOOP " -o didim.json",
     .silent = true,
     .method = "didim"},
    {.title =
         "By prefiltered instrumental variables: all samples, filtered by a model of their noise.\n"
         "Derivatives are those of an integrated random walk, because a band-pass limits the rows",
     .command = "identify tx40 log.csv --method piv " LOOP " -o piv.json",
     .silent = true,
     .method = "piv"},
    {.title = "By instrumental variables on equations with less weight where joints do not move",
     .command = "identify tx40 log.csv --method slide " LOOP " -o slide.json",
     .silent = true,
     .method = "slide"},
    {.title = "Validate on another motion",
     .command = "validate iv.json second.csv --max-error 5%"},
    {.title = "Find physically consistent links, for simulators. The published values of this arm, "
              "mostly\n"
              "zero, are physically inconsistent: the nearest consistent ones fit slightly worse",
     .command = "identify tx40 log.csv --method iv --consistent " LOOP " -o consistent.json",
     .silent = true},
    {.title = "Export as URDF; each exported file is read back and compared",
     .command = "export consistent.json --format urdf -o arm.urdf",
     .silent = true},
    {.title = "Export for MuJoCo",
     .command = "export consistent.json --format mjcf -o arm.xml",
     .silent = true},
    {.title = "Export C code for a controller (arm.c, arm.h)",
     .command = "export consistent.json --format c -o arm.c",
     .silent = true},
    {.title = "Write the report", .command = "report iv.json -o report.html", .silent = true},
};

#define STEPS ((int)(sizeof steps / sizeof *steps))
#define LINE 512

typedef struct {
  cli_common common;
  const char *folder;
  bool quick;
} options;

/* what a user types after "roberval" */
static void compose(char line[LINE], const step *s, const options *o) {
  int used = snprintf(line, LINE, "%s", s->command);
  if (s->designs)
    used += snprintf(line + used, (size_t)(LINE - used), "%s",
                     o->quick ? " --starts 2 --period 7" : " --starts 4 --period 8 --budget 20");
  if (s->seed > 0)
    snprintf(line + used, (size_t)(LINE - used), " --seed %llu",
             (unsigned long long)o->common.seed + (unsigned long long)s->seed - 1);
}

/* ---- the folder ---- */

static bool is_ours(const char *folder) {
  char path[4096], *text;
  size_t size;
  snprintf(path, sizeof path, "%s/" SCRIPT, folder);
  if (rbv_file_read(&text, &size, path) != RBV_OK) return false;
  const bool ours = strncmp(text, MARK, strlen(MARK)) == 0;
  rbv_file_free(text);
  return ours;
}

static bool is_empty(const char *folder) {
  DIR *dir = opendir(folder);
  bool empty = dir != NULL;
  for (const struct dirent *e; dir && (e = readdir(dir));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) empty = false;
  if (dir) closedir(dir);
  return empty;
}

/* a new or empty folder, or that of an earlier demo, whose files are replaced; returns -1 to
 * continue */
static int enter(const char *folder) {
  const int code = cli_make_directory(folder);
  if (code >= 0) return code;
  if (!is_empty(folder) && !is_ours(folder))
    return cli_usage(
        "demo", "'%s' exists and was not made by a demo. Choose another folder with -o", folder);
  if (chdir(folder) == 0) return -1;
  cli_error("the directory '%s' cannot be entered: %s", folder, strerror(errno));
  return EXIT_FAILED;
}

/* the script with all commands, which also identifies the folder, and the cell */
static int write_given(const options *o) {
  char *text, line[LINE];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_out_of_memory();
  fputs(MARK " every command, to run again in this folder\n", out);
  for (int i = 0; i < STEPS; i++) {
    const step *s = &steps[i];
    compose(line, s, o);
    fprintf(out, "roberval %s%s%s\n", line, s->output ? " > " : "", s->output ? s->output : "");
  }
  const bool failed = fclose(out) != 0;
  const int code = failed ? cli_out_of_memory() : cli_write(SCRIPT, text, size);
  free(text);
  if (code != EXIT_DONE) return code;
  const int cells = cli_write("cell.yaml", cell, sizeof cell - 1);
  return cells == EXIT_DONE ? -1 : cells;
}

/* ---- one step ---- */

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
  (void)number;
  interrupted = 1;
}

static void announce(int i, const char *line, const options *o) {
  const step *s = &steps[i];
  cli_message(&o->common, "\n");
  if (isatty(STDERR_FILENO)) {
    char bar[STEPS + 1];
    for (int k = 0; k < STEPS; k++) bar[k] = k <= i ? '#' : '-';
    bar[STEPS] = 0;
    cli_message(&o->common, "[%s] ", bar);
  }
  cli_message(&o->common, "%d of %d: %s.\n$ roberval %s%s%s\n", i + 1, STEPS, s->title, line,
              s->output ? " > " : "", s->output ? s->output : "");
}

/* redirect the stdout of a step: to its file, to stderr, or with quiet to nowhere. Returns a copy
 * of stdout, or -1. */
static int redirect(const step *s, const options *o) {
  const int to = s->output         ? open(s->output, O_WRONLY | O_CREAT | O_TRUNC, 0666)
                 : o->common.quiet ? open("/dev/null", O_WRONLY)
                                   : dup(STDERR_FILENO);
  const int kept = to >= 0 ? dup(STDOUT_FILENO) : -1;
  const bool done = kept >= 0 && dup2(to, STDOUT_FILENO) >= 0;
  if (!done)
    fprintf(stderr, "roberval: %s cannot be opened: %s\n", s->output ? s->output : "stdout",
            strerror(errno));
  if (to >= 0) close(to);
  if (!done && kept >= 0) close(kept);
  return done ? kept : -1;
}

static int restore(int kept) {
  const bool failed = fflush(stdout) != 0;
  if (failed) fprintf(stderr, "roberval: the output cannot be written: %s\n", strerror(errno));
  const bool back = dup2(kept, STDOUT_FILENO) >= 0;
  close(kept);
  return failed || !back ? EXIT_FAILED : EXIT_DONE;
}

static int run_step(int i, const options *o) {
  const step *s = &steps[i];
  char line[LINE], quiet[] = "-q", *argv[64], *rest = line;
  compose(line, s, o);
  announce(i, line, o);
  int argc = 0;
  for (char *word; (word = strtok_r(rest, " ", &rest));) {
    // files of an earlier demo must not be taken for results of this one
    if (argc > 0 && strcmp(argv[argc - 1], "-o") == 0) remove(word);
    argv[argc++] = word;
  }
  if (s->silent || o->common.quiet) argv[argc++] = quiet;
  argv[argc] = NULL;
  fflush(stdout);
  const int kept = redirect(s, o);
  if (kept < 0) return EXIT_FAILED;
  const int code = cli_run(argv[0], argc, argv), output = restore(kept);
  if (output != EXIT_DONE) return output;
  // a loop that cannot be simulated means that the method fails; the demo continues
  return s->method && code == EXIT_INPUT ? EXIT_NO : code;
}

/* ---- all of them ---- */

static int run_steps(cli_demo_table *d, const options *o) {
  int answer = EXIT_DONE;
  for (int i = 0; i < STEPS; i++) {
    const int code = run_step(i, o);
    if (interrupted || code == EXIT_INTERRUPTED) {
      cli_message(&o->common, "\ninterrupted: the finished steps are in %s\n", o->folder);
      return EXIT_INTERRUPTED;
    }
    if (code > EXIT_NO) return code;
    if (code == EXIT_NO) answer = EXIT_NO;
    if (steps[i].method) {
      const int loaded = cli_demo_table_add(d, steps[i].method, &o->common);
      if (loaded >= 0) return loaded;
    }
  }
  return answer;
}

static int print_summary(cli_demo_table *d, const options *o, int answer) {
  cli_message(&o->common,
              "\nThe report is %s/report.html; %s/" SCRIPT
              " has the commands. For your robot, use its URDF\n"
              "instead of tx40 and its recording instead of log.csv.\n\n",
              o->folder, o->folder);
  const int code = o->common.json ? cli_demo_table_write(d, o->folder, o->common.seed, answer)
                                  : cli_demo_table_print(d);
  return code == EXIT_DONE ? answer : code;
}

int cli_run_demo(int argc, char **argv) {
  options o = {.common = CLI_COMMON_DEFAULTS, .folder = FOLDER};
  const cli_opt table[] = {
      {"output", 'o', OPT_OUTPUT, &o.folder, "DIR", "folder for all files (default " FOLDER ")"},
      {"quick", 0, OPT_FLAG, &o.quick, NULL, "use a shorter search for the motion"},
      CLI_COMMON(o.common),
      {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "demo", table);
  if (code < 0) code = enter(o.folder);
  if (code < 0) code = write_given(&o);
  if (code >= 0) return code;
  cli_message(
      &o.common,
      "Roberval identifies the masses, inertias and friction of a robot arm from its motion. The "
      "arm of this\n"
      "demo is a simulated Staubli TX40, so that the true values are known. The commands run in "
      "%s:\n",
      o.folder);
  // the first Ctrl-C ends the demo after the current step, a second one at once
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, old;
  sigaction(SIGINT, &action, &old);
  cli_demo_table d = {0};
  code = cli_demo_table_load(&d, "tx40");
  if (code < 0) code = run_steps(&d, &o);
  if (code == EXIT_DONE || code == EXIT_NO) code = print_summary(&d, &o, code);
  cli_demo_table_free(&d);
  sigaction(SIGINT, &old, NULL);
  return code;
}
