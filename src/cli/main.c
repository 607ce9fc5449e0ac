#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const cli_command cli_commands[] = {
    {"model", "ROBOT", "what a robot is, what can be identified, regrouping relations", 1, 1,
     cli_run_model},
    {"regressor", "ROBOT MOTION.csv", "the regressor of a motion, a row per sample and joint", 2, 2,
     cli_run_regressor},
    {"dynamics", "ROBOT MOTION.csv", "torques of a motion; --forward, --mass, --energy", 2, 2,
     cli_run_dynamics},
    {"excite", "ROBOT", "design an exciting trajectory; --evaluate scores one", 1, 1,
     cli_run_excite},
    {"check", "ROBOT LOG...", "what is wrong with recordings, and what they cannot identify", 2,
     1000, cli_run_check},
    {"simulate", "ROBOT TRAJ.csv", "the closed loop, recorded by sensors that lie as real ones do",
     2, 2, cli_run_simulate},
    {"identify", "ROBOT LOG...", "estimate the parameters from recordings; --fleet of many robots",
     0, 1000, cli_run_identify},
    {"controller", "ROBOT LOG...", "identify the control law of every joint", 2, 1000,
     cli_run_controller},
    {"validate", "RESULT LOG...", "how well a result predicts other recordings", 2, 1000,
     cli_run_validate},
    {"payload", "ROBOT EMPTY.csv LOADED.csv",
     "what is in the gripper; with a known mass, drive gains", 3, 3, cli_run_payload},
    {"compare", "RESULT RESULT...", "which parameters disagree, and which run to trust", 2, 100,
     cli_run_compare},
    {"export", "RESULT|ROBOT", "write a file for other programs, read back and compared", 1, 1,
     cli_run_export},
    {"montecarlo", "ROBOT", "bias, variance and coverage of every method, in simulation", 1, 1,
     cli_run_montecarlo},
    {"merge", "SHARD...", "join what --shard i/N wrote", 1, 1000, cli_run_merge},
    {"report", "RESULT", "a result as a page that people read: verdict, figures, the arm", 1, 1,
     cli_run_report},
    {"reproduce", "[NAME]", "the papers' experiments, our numbers beside theirs", 0, 1,
     cli_run_reproduce},
    {"bench", "[NAME...]", "how long this machine takes for each step", 0, 100, cli_run_bench},
    {"demo", "", "all of it on a built-in robot, in a folder to look around in", 0, 0,
     cli_run_demo},
    {"help", "[COMMAND]", "this list, or the options of a command", 0, 1, cli_run_help},
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
  printf("roberval %s weighs a robot arm by moving it.\n\nusage: roberval COMMAND ...\n\n",
         rbv_version());
  cli_print_commands();
  printf("\nROBOT is a URDF, a YAML file, or the name of a built-in robot:");
  for (int i = 0; rbv_model_builtin(i); i++) printf(" %s", rbv_model_builtin(i));
  printf(".\nroberval COMMAND --help shows the options of a command.\n");
  return EXIT_DONE;
}

/* ---- the process ---- */

/* A stream that was closed before we came must not become the next file that is opened; what is
 * written to such a stream fails, as it should. */
static void hold_streams(void) {
  int fd;
  do fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}

int cli_main(int argc, char **argv) {
  hold_streams();
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like any other, with a sentence
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
  // a full disk is not success
  if (fclose(stdout) != 0 && code <= EXIT_NO) {
    fprintf(stderr, "roberval: the output cannot be written: %s\n", strerror(errno));
    code = EXIT_FAILED;
  }
  return code;
}
