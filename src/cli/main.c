#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <malloc.h>
#endif
#include <roberval/sys/linalg.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "terminal.h"

/* Name, arguments, their least and largest number, function, summary, examples. */
#define COMMAND(name_, arguments_, least_, most_, run_, summary_, ...) \
  {                                                                    \
    name_, arguments_, summary_, least_, most_, run_, { __VA_ARGS__ }  \
  }

const cli_command cli_commands[] = {
    COMMAND("model", "ROBOT", 1, 1, cli_run_model,
            "show a robot, its identifiable parameters and their regroupings",
            "model tx40 --base --json", "model lwr4+ --payload --sensing both --base"),
    COMMAND("regressor", "ROBOT MOTION.csv", 2, 2, cli_run_regressor,
            "compute the regressor of a motion, a row per sample and joint",
            "regressor tx40 motion.csv -o regressor.csv",
            "regressor tx40 motion.csv --base -o base.csv"),
    COMMAND("dynamics", "ROBOT MOTION.csv", 2, 2, cli_run_dynamics,
            "compute torques, accelerations, mass matrix or energy of a motion",
            "dynamics tx40 motion.csv -o torque.csv",
            "dynamics tx40 motion.csv --mass -o mass.csv"),
    COMMAND("excite", "ROBOT", 1, 1, cli_run_excite,
            "design an exciting trajectory, or evaluate one",
            "excite tx40 --period 4 --harmonics 3 --starts 1 --rate 100 --report design.html",
            "excite a460 --columns inertial --evaluate trajectory.csv"),
    COMMAND("play", "ROBOT MOTION.yaml", 2, 2, cli_run_play,
            "play a designed motion on a robot, watch it, and stop it",
            "play tx40 motion.yaml --link-radius 0.04",
            "play tx40 motion.yaml --link-radius 0.04 --json"),
    COMMAND("record", "ROBOT", 1, 1, cli_run_record,
            "record joint states of a running robot, and say when the motion is enough",
            "record --help", "record --help all"),
    COMMAND("map", "ROBOT LOG", 2, 2, cli_run_map,
            "guess what the columns of a recording mean, as a column map",
            "map two_link.urdf driver.csv", "map two_link.urdf driver.csv -o driver.yaml"),
    COMMAND("check", "ROBOT LOG...", 2, 1000, cli_run_check,
            "find errors in recordings and parameters they cannot identify", "check tx40 log.csv",
            "check two_link.urdf log.csv --map two_link_map.yaml"),
    COMMAND(
        "simulate", "ROBOT TRAJ.csv", 2, 2, cli_run_simulate,
        "simulate the closed loop with realistic sensor errors",
        "simulate tx40 motion.csv --rate 2000 -o log.csv",
        "simulate lwr4+ seven.csv --sensing both --torque-noise 0.5% --encoder 65536 -o lwr.csv"),
    COMMAND("identify", "ROBOT LOG...", 0, 1000, cli_run_identify,
            "estimate the parameters of one robot or a fleet from recordings",
            "identify tx40 log.csv other.csv -o result.json",
            "identify --fleet fleet.yaml --threads 2 -o results"),
    COMMAND("controller", "ROBOT LOG...", 2, 1000, cli_run_controller,
            "identify the control law of every joint", "controller tx40 log.csv -o found.yaml",
            "controller tx40 log.csv -o found.yaml -q --plots law"),
    COMMAND("validate", "RESULT|ROBOT LOG...", 2, 1000, cli_run_validate,
            "measure how well a result predicts other recordings",
            "validate result.json other.csv --max-error 5%", "validate tx40 other.csv"),
    COMMAND("payload", "ROBOT|RESULT [EMPTY.csv] LOADED.csv", 2, 3, cli_run_payload,
            "identify a payload, or the drive gains if its mass is known",
            "payload arm.json loaded.csv -o payload.json", "payload tx40 empty.csv loaded.csv"),
    COMMAND("follow", "ROBOT RESULT [LOG|-]", 2, 3, cli_run_follow,
            "watch a robot at work: contact, payload and drift along a stream",
            "follow two_link.urdf result.json log.csv -o history.csv",
            "follow two_link.urdf result.json log.csv --alarms 0.1 --json"),
    COMMAND("compare", "RESULT RESULT...", 2, 100, cli_run_compare,
            "compare results: parameters that disagree, outliers, best run",
            "compare motor.json joint.json both.json difference.json --table",
            "compare a.json b.json --no-logs --max-change 6"),
    COMMAND("fleet", "FOLDER", 1, 1, cli_run_fleet_history,
            "find robots that changed, in results of a fleet over months",
            "fleet history --report fleet.html", "fleet history --alarm 0.001 --json"),
    COMMAND("export", "RESULT|ROBOT", 1, 1, cli_run_export,
            "write a model file or C code for other programs, and verify it",
            "export consistent.json --format urdf -o identified.urdf",
            "export consistent.json --format c -o two_link.c"),
    COMMAND(
        "montecarlo", "ROBOT", 1, 1, cli_run_montecarlo,
        "compute bias, variance and coverage of each method in simulation",
        "montecarlo tx40 --mode offline --methods wls,didim --runs 2 --threads 2 -o offline.json",
        "montecarlo tx40 --mode offline --methods wls --runs 8 --shard 1/2 -o part1 -q"),
    COMMAND(
        "sweep", "ROBOT RESULT", 2, 2, cli_run_sweep,
        "simulate a controller over plants that a result's sigma allows",
        "sweep tx40 result.json --reference motion.csv --rate 1000 --plants 16 --threads 2",
        "sweep tx40 result.json --reference motion.csv --rate 1000 --plants 8 --spread 2 --plots "
        "figures"),
    COMMAND("merge", "SHARD...", 1, 1000, cli_run_merge, "merge the files that --shard I/N wrote",
            "merge second first", "merge part1 part2 -o study.csv"),
    COMMAND("show", "RESULT", 1, 1, cli_run_show,
            "print what a result contains: errors, parameters, advice", "show result.json",
            "show result.json --json"),
    COMMAND("report", "RESULT", 1, 1, cli_run_report,
            "write an HTML report of a result: verdict, figures, 3D view",
            "report result.json -o again.html", "report result.json --plots figures"),
    COMMAND("reproduce", "[NAME]", 0, 1, cli_run_reproduce,
            "repeat experiments of published papers and compare the numbers", "reproduce",
            "reproduce a460 -o a460.html --plots a460-figures"),
    COMMAND("studio", "[ROBOT] [LOG...]", 0, 100, cli_run_studio,
            "open a local page: recordings, findings, fits, parameters", NULL),
    COMMAND("demo", "", 0, 0, cli_run_demo,
            "run all steps of an identification on a built-in robot", "demo --quick -o tour"),
    COMMAND("help", "[COMMAND]", 0, 1, cli_run_help,
            "list the commands, or the options of one command", NULL),
    COMMAND("version", "", 0, 0, cli_run_version, "the version", NULL),
    {0}};

#define COMMANDS (sizeof cli_commands / sizeof *cli_commands)

const cli_command *cli_find_command(const char *name) {
  for (const cli_command *c = cli_commands; c->name; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static int refuse_command(const char *name) {
  const char *known[COMMANDS] = {0};
  for (int i = 0; cli_commands[i].name; i++) known[i] = cli_commands[i].name;
  const char *near = rbv_nearest_word(name, known);
  if (near)
    cli_error("there is no command '%s'; did you mean '%s'? See roberval help", name, near);
  else
    cli_error("there is no command '%s'; see roberval help", name);
  return EXIT_USAGE;
}

int cli_run(const char *name, int argc, char **argv) {
  const cli_command *c = cli_find_command(name);
  rbv_inputs_protect(true);
  return c ? c->run(argc, argv) : refuse_command(name);
}

/* ---- help ---- */

/* --help of a command, which passes its option table to cli_print_options */
static int ask_for_help(char *command) {
  char flag[] = "--help", *forward[] = {command, flag, NULL};
  return cli_run(command, 2, forward);
}

static rbv_json *listing;  // of help --json

static void list_command(const cli_command *command, const cli_opt *options) {
  rbv_json_map(listing);
  rbv_json_put_string(listing, "name", command->name);
  rbv_json_put_string(listing, "arguments", command->arguments);
  rbv_json_put_string(listing, "summary", command->summary);
  rbv_json_put_list(listing, "options");
  for (const cli_opt *o = options; o->name; o++) {
    const char letter[2] = {o->letter, 0};
    rbv_json_map(listing);
    rbv_json_put_string(listing, "name", o->name);
    if (o->letter) rbv_json_put_string(listing, "letter", letter);
    rbv_json_put_string(listing, "kind", rbv_option_kind_name(o->kind));
    if (o->value) rbv_json_put_string(listing, "value", o->value);
    rbv_json_put_string(listing, "help", o->help);
    if (o->range.least != 0 || o->range.most != 0) {
      rbv_json_put_real(listing, o->range.open ? "above" : "least", o->range.least);
      rbv_json_put_real(listing, "most", o->range.most);
    }
    if (o->choice) {
      rbv_json_put_flat_list(listing, "choices");
      for (int i = 0; o->choice(i); i++) rbv_json_string(listing, o->choice(i));
      rbv_json_end(listing);
    }
    rbv_json_end(listing);
  }
  rbv_json_end(listing);
  rbv_json_end(listing);
}

/* all commands, or one, with their options */
static int list_commands(const char *only) {
  const rbv_status status = rbv_json_new(&listing);
  if (status != RBV_OK) return cli_fail(status);
  cli_help_printer *const printer = cli_print_options;
  cli_print_options = list_command;
  rbv_json_map(listing);
  rbv_json_put_schema(listing, "roberval.commands/1");
  rbv_json_put_list(listing, "commands");
  int code = EXIT_DONE;
  for (const cli_command *c = cli_commands; c->name && code == EXIT_DONE; c++) {
    char name[64];
    snprintf(name, sizeof name, "%s", c->name);
    if (!only || strcmp(only, c->name) == 0) code = ask_for_help(name);
  }
  rbv_json_end(listing);
  rbv_json_end(listing);
  cli_print_options = printer;
  if (code == EXIT_DONE) return cli_write_json(NULL, listing);
  rbv_json_free(listing);
  return code;
}

int cli_run_help(int argc, char **argv) {
  bool json = false;
  const cli_opt table[] = {
      {"json", 0, OPT_FLAG, &json, NULL, "print commands and options as one JSON object"}, {0}};
  int count;
  const int code = cli_parse(&count, argc, argv, "help", table);
  if (code >= 0) return code;
  if (count == 1 && !cli_find_command(argv[1])) return refuse_command(argv[1]);
  if (json) return list_commands(count == 1 ? argv[1] : NULL);
  if (count == 1) return ask_for_help(argv[1]);
  printf(
      "roberval %s identifies the dynamic parameters of robot arms.\n\nusage: roberval COMMAND "
      "...\n\n",
      rbv_version());
  cli_print_commands();
  printf("\nROBOT is a URDF, an MJCF, a YAML file, or the name of a built-in robot:");
  for (int i = 0; rbv_model_builtin(i); i++) printf(" %s", rbv_model_builtin(i));
  printf(".\nroberval COMMAND --help shows the options of a command.\n");
  return EXIT_DONE;
}

/* ---- the process ---- */

/* If the caller closed a standard stream, open /dev/null in its place, read-only: otherwise the
 * next file that is opened would get its descriptor. Writing to such a stream fails. */
static void hold_streams(void) {
  int fd;
  do fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}

/* folders of packages from the environment of ROS 2 and ROS 1 */
static void find_packages(void) {
  const char *prefixes = getenv("AMENT_PREFIX_PATH"), *folders = getenv("ROS_PACKAGE_PATH");
  const size_t room = 16 + (prefixes ? 8 * strlen(prefixes) : 0) + (folders ? strlen(folders) : 0);
  char *list = calloc(room, 1);
  if (!list) return;
  size_t n = 0;
  while (prefixes && *prefixes) {
    const size_t length = strcspn(prefixes, ":");
    if (length) n += (size_t)snprintf(list + n, room - n, "%.*s/share:", (int)length, prefixes);
    prefixes += length + (prefixes[length] == ':');
  }
  if (folders) snprintf(list + n, room - n, "%s", folders);
  // without memory, meshes of packages are not found, which is said where it matters
  if (rbv_robot_set_packages(list) != RBV_OK) list[0] = 0;
  free(list);
}

#define HEAP_BLOCK (32 << 20)  // smaller blocks come from the heap [bytes]
#define HEAP_FREE (1 << 30)    // free memory that the heap may hold [bytes]

/* Iterations allocate the same blocks again and again: the system would zero their pages each time.
 */
static void keep_memory(void) {
#ifdef __GLIBC__
  (void)mallopt(M_MMAP_THRESHOLD, HEAP_BLOCK);
  (void)mallopt(M_TRIM_THRESHOLD, HEAP_FREE);
#endif
}

int cli_main(int argc, char **argv) {
  keep_memory();
  rbv_linalg_end_threads();
  cli_libraries_are_loaded();
  find_packages();
  hold_streams();
  cli_fit_terminals();
  signal(SIGXFSZ, SIG_IGN);  // report the file size limit as a write error
  int code;
  if (argc < 2) {
    // no results: the list is a message
    dup2(STDERR_FILENO, STDOUT_FILENO);
    code = cli_run_help(1, argv);
    if (code == EXIT_DONE) code = EXIT_USAGE;
  } else if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    code = cli_run_help(1, argv + 1);
  } else if (strcmp(argv[1], "--version") == 0) {
    code = cli_run_version(1, argv + 1);
  } else {
    code = cli_run(argv[1], argc - 1, argv + 1);
  }
  // for example, the disk is full
  if (fclose(stdout) != 0 && code <= EXIT_NO) {
    fprintf(stderr, "roberval: the output cannot be written: %s\n", strerror(errno));
    code = EXIT_FAILED;
  }
  return code;
}
