/* roberval studio: a local page for the way from a robot and recordings to a result. */
#include <signal.h>
#include <stdio.h>

#include "cli.h"
#include "studio.h"

#define UPLOAD_MIB 2048

int cli_run_studio(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const char *folder = "roberval-studio";
  int port = 0, most = UPLOAD_MIB;
  const cli_opt table[] = {
      {"folder", 0, OPT_TEXT, &folder, "DIR",
       "folder of the work: uploads and runs (default roberval-studio)", .basic = true},
      {"port", 0, OPT_COUNT, &port, "N", "port of 127.0.0.1 (default: any that is free)",
       .basic = true},
      {"most-mib", 0, OPT_COUNT, &most, "N",
       "largest file that the page may upload (default 2048)"},
      CLI_OUTPUT(common),
      {0}};
  int count;
  const int code = cli_parse(&count, argc, argv, "studio", table);
  if (code >= 0) return code;
  if (port > 65535) return cli_usage("studio", "a port is at most 65535");
  // the threads of the server leave the signals to this one
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &ends, NULL);
  studio *s;
  const studio_options options = {folder, (const char *const *)(argv + 1), count, port, most};
  const rbv_status status = studio_new(&s, &options);
  if (status != RBV_OK) return cli_fail_in("studio", status);
  printf("%s\n", studio_url(s));
  fflush(stdout);
  cli_message(&common, "the work is in %s; Ctrl-C ends the studio\n", studio_folder(s));
  int which = 0;
  sigwait(&ends, &which);
  studio_free(s);
  return EXIT_DONE;
}
