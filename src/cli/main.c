#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const cli_command cli_commands[] = {
    {"model", "ROBOT", "show a robot, its identifiable parameters and their regroupings", 1, 1,
     cli_run_model},
    {"regressor", "ROBOT MOTION.csv",
     "compute the regressor of a motion, a row per sample and joint", 2, 2, cli_run_regressor},
    {"dynamics", "ROBOT MOTION.csv",
     "compute torques, accelerations, mass matrix or energy of a motion", 2, 2, cli_run_dynamics},
    {"excite", "ROBOT", "design an exciting trajectory, or evaluate one", 1, 1, cli_run_excite},
    {"check", "ROBOT LOG...", "find errors in recordings and parameters they cannot identify", 2,
     1000, cli_run_check},
    {"simulate", "ROBOT TRAJ.csv", "simulate the closed loop with realistic sensor errors", 2, 2,
     cli_run_simulate},
    {"identify", "ROBOT LOG...", "estimate the parameters of one robot or a fleet from recordings",
     0, 1000, cli_run_identify},
    {"controller", "ROBOT LOG...", "identify the control law of every joint", 2, 1000,
     cli_run_controller},
    {"validate", "RESULT LOG...", "measure how well a result predicts other recordings", 2, 1000,
     cli_run_validate},
    {"payload", "ROBOT EMPTY.csv LOADED.csv",
     "identify a payload, or the drive gains if its mass is known", 3, 3, cli_run_payload},
    {"compare", "RESULT RESULT...", "compare results: parameters that disagree, outliers, best run",
     2, 100, cli_run_compare},
    {"export", "RESULT|ROBOT", "write a model file or C code for other programs, and verify it", 1,
     1, cli_run_export},
    {"montecarlo", "ROBOT", "compute bias, variance and coverage of each method in simulation", 1,
     1, cli_run_montecarlo},
    {"merge", "SHARD...", "merge the files that --shard I/N wrote", 1, 1000, cli_run_merge},
    {"report", "RESULT", "write an HTML report of a result: verdict, figures, 3D view", 1, 1,
     cli_run_report},
    {"reproduce", "[NAME]", "repeat experiments of published papers and compare the numbers", 0, 1,
     cli_run_reproduce},
    {"bench", "[NAME...]", "measure the run time of the main computations on this machine", 0, 100,
     cli_run_bench},
    {"demo", "", "run all steps of an identification on a built-in robot", 0, 0, cli_run_demo},
    {"help", "[COMMAND]", "list the commands, or the options of one command", 0, 1, cli_run_help},
    {"version", "", "the version", 0, 0, cli_run_version},
    {0}};

int cli_run(const char *name, int argc, char **argv) {
  for (const cli_command *c = cli_commands; c->name; c++)
    if (strcmp(c->name, name) == 0) return c->run(argc, argv);
  fprintf(stderr, "roberval: there is no command '%s'; see roberval help\n", name);
  return EXIT_USAGE;
}

int cli_run_help(int argc, char **argv) {
  const cli_opt table[] = {{0}};
  int count;
  const int code = cli_parse(&count, argc, argv, "help", table);
  if (code >= 0) return code;
  if (count == 1) {
    char flag[] = "--help", *forward[] = {argv[1], flag, NULL};
    return cli_run(argv[1], 2, forward);
  }
  printf(
      "roberval %s identifies the dynamic parameters of robot arms.\n\nusage: roberval COMMAND "
      "...\n\n",
      rbv_version());
  cli_print_commands();
  printf("\nROBOT is a URDF, a YAML file, or the name of a built-in robot:");
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

int cli_main(int argc, char **argv) {
  hold_streams();
  signal(SIGXFSZ, SIG_IGN);  // report the file size limit as a write error
  int code;
  if (argc < 2) {
    fprintf(stderr, "usage: roberval COMMAND ...; see roberval help\n");
    code = EXIT_USAGE;
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
