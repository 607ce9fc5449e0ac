/* The tool: declarations shared by its commands. Each command has a file and an option table. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <roberval/sys/base.h>
#include <roberval/sys/document.h>
#include <roberval/sys/model.h>
#include <roberval/sys/option.h>
#include <roberval/sys/recordings.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes that scripts rely on. */
enum {
  EXIT_DONE = 0,
  EXIT_NO = 1,             // done, with a negative outcome
  EXIT_USAGE = 2,          // wrong usage
  EXIT_INPUT = 3,          // bad input
  EXIT_FAILED = 4,         // computation or output failed
  EXIT_INTERRUPTED = 130,  // by Ctrl-C; finished work is kept
};

/* ---- commands ---- */

#define CLI_EXAMPLES 2

typedef struct {
  const char *name;
  const char *arguments;  // as in the usage line, "ROBOT MOTION.csv"
  const char *summary;
  int least, most;  // number of positional arguments
  int (*run)(int argc, char **argv);
  const char *example[CLI_EXAMPLES];  // without "roberval"; each is run by the tests of the docs
} cli_command;

extern const cli_command cli_commands[];  // ends with a row of NULL

/* The body of main: returns the exit code. Closes stdout. */
int cli_main(int argc, char **argv);

/* Call it first: from now on threads and memory that are missing are errors of the tool. */
void cli_libraries_are_loaded(void);

/* The command with this name; NULL: there is none. */
const cli_command *cli_find_command(const char *name);

/* Run a command by its name. An unknown name is wrong usage. */
int cli_run(const char *name, int argc, char **argv);

int cli_run_model(int argc, char **argv);
int cli_run_regressor(int argc, char **argv);
int cli_run_dynamics(int argc, char **argv);
int cli_run_excite(int argc, char **argv);
int cli_run_check(int argc, char **argv);
int cli_run_record(int argc, char **argv);
int cli_run_play(int argc, char **argv);
int cli_run_map(int argc, char **argv);
int cli_run_identify(int argc, char **argv);
int cli_run_controller(int argc, char **argv);
int cli_run_validate(int argc, char **argv);
int cli_run_payload(int argc, char **argv);
int cli_run_compare(int argc, char **argv);
int cli_run_fleet_history(int argc, char **argv);
int cli_run_simulate(int argc, char **argv);
int cli_run_follow(int argc, char **argv);
int cli_run_export(int argc, char **argv);
int cli_run_montecarlo(int argc, char **argv);
int cli_run_sweep(int argc, char **argv);
int cli_run_merge(int argc, char **argv);
int cli_run_show(int argc, char **argv);
int cli_run_report(int argc, char **argv);
int cli_run_reproduce(int argc, char **argv);
int cli_run_studio(int argc, char **argv);
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
#define OPT_OUTPUT RBV_OPTION_OUTPUT
#define OPT_LIST RBV_OPTION_FILES

#define CLI_LIST_MAX RBV_FILES_MAX
typedef rbv_files cli_list;

typedef struct {
  const char *name;
  char letter;
  cli_kind kind;
  void *target;
  const char *value;  // name of the argument in the usage, NULL for flags
  const char *help;
  const char *(*choice)(int i);  // accepted values, NULL past the last; NULL: any
  rbv_range range;               // of numbers
  const rbv_option *rows;        // not NULL: all rows of this table, over the structure at target
  const char *topic;             // heading of help from this row on; NULL: as the row before
  bool basic;                    // one of the few that the short help shows
} cli_opt;

#define CLI_SHORT_HELP 25  // options that the short help shows without a choice
#define CLI_TABLE_MAX 128  // rows of a table, library tables included

/* Options of every command. */
typedef struct {
  bool json, quiet, verbose;
  uint64_t seed;
  int threads;
} cli_common;

/* Topics of help that commands share. */
#define CLI_OPTIONS "options"  // rows without a topic
#define CLI_GENERAL "general"  // options that every command has
#define CLI_FILES "output"     // files that are written
#define CLI_WORK "jobs"        // distribution of the work

/* Without seed and threads, for commands whose job has these in its own table. */
#define CLI_OUTPUT(c)                                                                         \
  {"json",       0, OPT_FLAG, &(c).json, NULL, "print one JSON object", .topic = CLI_GENERAL, \
   .basic = true},                                                                            \
      {"quiet", 'q', OPT_FLAG, &(c).quiet, NULL, "print results only, no messages"}, {        \
    "verbose", 'v', OPT_FLAG, &(c).verbose, NULL, "print more messages"                       \
  }

#define CLI_COMMON(c)                                                                          \
  {"seed",                                                                                     \
   0,                                                                                          \
   OPT_SEED,                                                                                   \
   &(c).seed,                                                                                  \
   "N",                                                                                        \
   "seed of all random numbers (default 1)",                                                   \
   .topic = CLI_GENERAL},                                                                      \
      {"threads", 0, OPT_COUNT, &(c).threads, "N", "threads to use (default 1)", RBV_THREADS}, \
      CLI_OUTPUT(c)

#define CLI_COMMON_DEFAULTS \
  { .seed = 1, .threads = 1 }

/* How a robot is loaded. */
typedef rbv_robot_options cli_robot;

/* The rows of a library table, over a structure of options. */
#define CLI_ROWS(table, options) \
  { .name = "", .rows = (table), .target = &(options) }
#define CLI_ROBOT(r) CLI_ROWS(rbv_robot_rows(), r)

/*
 * Parse the arguments of a command. Positional ones are left in argv[1..*count]. Returns -1 to
 * continue, or an exit code after --help or after a message about wrong usage.
 */
int cli_parse(int *count, int argc, char **argv, const char *command, const cli_opt *options);

/* Returns the option at argv[*i], or NULL if the table does not have it. value is NULL for a flag.
 * If the value is the next argument, *i is incremented. */
const cli_opt *cli_option_at(const char **value, int *i, int argc, char **argv,
                             const cli_opt *options);

/* The topics of a table in the order of their first option; that of every command comes last. */
#define CLI_TOPICS_MAX 16
int cli_list_topics(const char *topic[CLI_TOPICS_MAX], const cli_opt *options);

/* --help: examples and the basic options of a command, the options of one topic, or "all". Returns
 * an exit code. */
int cli_show_help(const cli_command *command, const cli_opt *options, const char *topic);

/* Called by --help with a command and its table. The generator of manual pages replaces it. */
typedef void cli_help_printer(const cli_command *command, const cli_opt *options);
extern cli_help_printer *cli_print_options;

/*
 * Rows for the options of a library job: its groups, with targets inside their structures.
 * Returns the number of rows added. The caller provides enough room.
 */
int cli_add_groups(cli_opt *rows, const rbv_option_group *groups);

/* Append copies of rows that end with {0}, and the end row. Library tables are expanded row by row.
 * Returns the number of rows added. */
int cli_add_rows(cli_opt *rows, const cli_opt *more);

/* Print each command with its summary on stdout. */
void cli_print_commands(void);

/* ---- errors, messages, output ---- */

/* Print the library's message and return the exit code of the status. */
int cli_fail(rbv_status status);

/* The same for a status of a job: a wrong option is wrong usage of this command. */
int cli_fail_in(const char *command, rbv_status status);

/* Prints the notes of a job. self is a cli_common: no output if it is quiet. */
void cli_note(void *self, const char *sentence, const char *option);
rbv_notes cli_notes(const cli_common *common);

/* Print an error message. format has no newline at its end. */
void cli_error(const char *format, ...) RBV_PRINTF(1, 2);

/* An allocation of the tool failed: print a message and return the exit code. */
int cli_out_of_memory(void);

/* Wrong usage: print the message with a reference to --help. Returns the exit code. */
int cli_usage(const char *command, const char *format, ...) RBV_PRINTF(2, 3);

/* Print a message to stderr, unless quiet. */
void cli_message(const cli_common *common, const char *format, ...) RBV_PRINTF(2, 3);

/* A copy of a path for stdout, without characters that control a terminal. Returns out. */
#define CLI_PLAIN_MAX 1024
const char *cli_plain(char out[CLI_PLAIN_MAX], const char *text);

/* Write a text to a file (completely or not at all) or, if path is NULL, to stdout. */
int cli_write(const char *path, const char *text, size_t size);

/* Write a text to stdout. */
int cli_write_text(const char *text);

/* Create a directory, which may exist already. Returns -1 to continue. */
int cli_make_directory(const char *directory);

/* Write a text to a file in a directory. */
int cli_write_into(const char *directory, const char *name, const char *text, size_t size);

/* Write the text of a JSON writer, then free the writer. */
int cli_write_json(const char *path, rbv_json *json);

/* Load the robot and print the notes of the loader, such as snapped angles. Returns -1 to continue,
 * or an exit code. */
int cli_load_robot(rbv_model **out, const char *command, cli_robot *robot, const char *path,
                   const cli_common *common);

/* A number with so many digits ('g') or decimals ('f'), "-" if it is not finite. Returns out. */
#define CLI_NUMBER_MAX 32
const char *cli_number(char out[CLI_NUMBER_MAX], char kind, int digits, double x);

/* Width of a column with joint names: the usual width, or that of the longest name. */
int cli_name_width(const rbv_model *model);

#endif
