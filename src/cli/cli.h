/* The tool: what its commands share. Each command is a file; each has one table of options. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <roberval/sys/base.h>
#include <roberval/sys/document.h>
#include <roberval/sys/model.h>
#include <roberval/sys/option.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes that scripts rely on. */
enum {
  EXIT_DONE = 0,
  EXIT_NO = 1,             // done, and the answer is no
  EXIT_USAGE = 2,          // wrong usage
  EXIT_INPUT = 3,          // bad input
  EXIT_FAILED = 4,         // computation or output failed
  EXIT_INTERRUPTED = 130,  // by Ctrl-C; what was done is kept
};

/* ---- commands ---- */

typedef struct {
  const char *name;
  const char *arguments;  // of the usage line, "ROBOT MOTION.csv"
  const char *summary;
  int least, most;  // positional arguments
  int (*run)(int argc, char **argv);
} cli_command;

extern const cli_command cli_commands[];  // ends with a row of NULL

/* What main does: the code to exit with. Closes stdout. */
int cli_main(int argc, char **argv);

/* Run a command by its name; what it does not find is wrong usage. */
int cli_run(const char *name, int argc, char **argv);

int cli_run_model(int argc, char **argv);
int cli_run_regressor(int argc, char **argv);
int cli_run_dynamics(int argc, char **argv);
int cli_run_excite(int argc, char **argv);
int cli_run_check(int argc, char **argv);
int cli_run_identify(int argc, char **argv);
int cli_run_controller(int argc, char **argv);
int cli_run_validate(int argc, char **argv);
int cli_run_payload(int argc, char **argv);
int cli_run_compare(int argc, char **argv);
int cli_run_simulate(int argc, char **argv);
int cli_run_export(int argc, char **argv);
int cli_run_montecarlo(int argc, char **argv);
int cli_run_merge(int argc, char **argv);
int cli_run_report(int argc, char **argv);
int cli_run_reproduce(int argc, char **argv);
int cli_run_bench(int argc, char **argv);
int cli_run_demo(int argc, char **argv);
int cli_run_version(int argc, char **argv);
int cli_run_help(int argc, char **argv);

/* ---- options ---- */

/* Kinds of options, short for the tables of commands. */
typedef rbv_option_kind cli_kind;
#define OPT_FLAG RBV_OPTION_FLAG
#define OPT_OFF RBV_OPTION_OFF
#define OPT_REAL RBV_OPTION_REAL
#define OPT_COUNT RBV_OPTION_COUNT
#define OPT_SEED RBV_OPTION_SEED
#define OPT_TEXT RBV_OPTION_TEXT
#define OPT_FILE RBV_OPTION_FILE
#define OPT_LIST RBV_OPTION_FILES

#define CLI_LIST_MAX RBV_FILES_MAX
typedef rbv_files cli_list;

typedef struct {
  const char *name;
  char letter;
  cli_kind kind;
  void *target;
  const char *value;  // what the usage calls the argument, NULL for flags
  const char *help;
  const char *(*choice)(int i);  // the words that are accepted, NULL past the last; NULL: any
} cli_opt;

/* What every command understands. */
typedef struct {
  bool json, quiet, verbose;
  uint64_t seed;
  int threads;
} cli_common;

#define CLI_COMMON(c)                                                                  \
  {"json", 0, OPT_FLAG, &(c).json, NULL, "print one JSON object"},                     \
      {"seed", 0, OPT_SEED, &(c).seed, "N", "seed of all random numbers (default 1)"}, \
      {"threads", 0, OPT_COUNT, &(c).threads, "N", "threads to use (default 1)"},      \
      {"quiet", 'q', OPT_FLAG, &(c).quiet, NULL, "no words, results only"}, {          \
    "verbose", 'v', OPT_FLAG, &(c).verbose, NULL, "say more"                           \
  }

#define CLI_COMMON_DEFAULTS \
  { .seed = 1, .threads = 1 }

/* How a robot is loaded. */
typedef struct {
  rbv_model_options model;
  const char *sensing;
} cli_robot;

#define CLI_ROBOT(r)                                                                                 \
  {"tip", 0, OPT_TEXT, &(r).model.tip, "LINK", "URDF: last link of the arm"},                        \
      {"sensing", 0, OPT_TEXT, &(r).sensing, "SIDE", "torque: motor, joint, both or difference"},    \
      {"payload", 0, OPT_FLAG, &(r).model.payload, NULL, "add a payload body to the last link"},     \
      {"gamma", 0, OPT_REAL, &(r).model.gamma, "G", "Coulomb law (2/pi) atan(G dq); 0 is sign(dq)"}, \
      {"stribeck",          0,   OPT_REAL,                                                           \
       &(r).model.stribeck, "V", "Stribeck law: more friction below V rad/s"},                       \
  {                                                                                                  \
    "no-snap", 0, OPT_OFF, &(r).model.snap, NULL,                                                    \
        "keep angles and axes that are almost exact as they are"                                     \
  }

/*
 * Parse the arguments of a command. Positional ones are left in argv[1..*count]. Returns -1 to go
 * on, or the code to exit with: help was asked for, or the usage was wrong and said so.
 */
int cli_parse(int *count, int argc, char **argv, const char *command, const cli_opt *options);

/* What --help does with a command and its table; the generator of manual pages puts its own. */
typedef void cli_teller(const cli_command *command, const cli_opt *options);
extern cli_teller *cli_tell_options;

/*
 * Rows for the options of a library job: its groups, with targets inside their structures.
 * Returns how many rows were added; there must be room.
 */
int cli_add_groups(cli_opt *rows, const rbv_option_group *groups);

/* "model, regressor, ..." and each command with its summary, on stdout. */
void cli_print_commands(void);

/* ---- failing, words, output ---- */

/* Print the library's sentence and give the exit code that belongs to the status. */
int cli_fail(rbv_status status);

/* What went wrong, in one sentence without its end of line. */
void cli_complain(const char *format, ...) RBV_PRINTF(1, 2);

/* From now on the first such sentence of this thread goes here, without "roberval: ", and none to
 * stderr; NULL: to stderr again. */
void cli_keep_sentence(char *to, size_t size);

/* Memory of the tool itself ran out: say so and give the exit code. */
int cli_out_of_memory(void);

/* Wrong usage: one sentence, and where help is. */
int cli_usage(const char *command, const char *format, ...) RBV_PRINTF(2, 3);

/* Words for people: to stderr, unless quiet. */
void cli_say(const cli_common *common, const char *format, ...) RBV_PRINTF(2, 3);

/* A finished text to a file (whole or not at all) or, without path, to stdout. */
int cli_write(const char *path, const char *text, size_t size);

/* A directory that may be there already. -1 to go on. */
int cli_make_directory(const char *directory);

/* A finished text to a file of a directory. */
int cli_write_into(const char *directory, const char *name, const char *text, size_t size);

/* The text of a JSON writer, then free it. */
int cli_write_json(const char *path, rbv_json *json);

/* Load the robot and tell what was snapped or remarkable. -1 to go on, or an exit code. */
int cli_load_robot(rbv_model **out, const char *command, cli_robot *robot, const char *path,
                   const cli_common *common);

/* Width of a column with the names of joints: a usual one, or that of the longest name. */
int cli_name_width(const rbv_model *model);

#endif
