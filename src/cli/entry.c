/* main() alone, so that the generator of pages, the fuzzers and tests link all the rest. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* A stream that was closed before we came must not become the next file that is opened; what is
 * written to such a stream fails, as it should. */
static void hold_streams(void) {
  int fd;
  do fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}

int main(int argc, char **argv) {
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
