#include "end_signals.h"

#include <roberval/sys/base.h>
#include <signal.h>
#include <stddef.h>

static int stop;
static volatile sig_atomic_t ended_by;

static void on_signal(int number) {
  ended_by = number;
  rbv_cancel(&stop);
}

void cli_catch_ends(void) {
  const int ends[] = {SIGTERM, SIGINT, SIGHUP};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    sigaction(ends[i], &(struct sigaction){.sa_handler = on_signal}, NULL);
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
}

int *cli_end_flag(void) { return &stop; }

void cli_end_code(int *code) {
  if (ended_by > 0) *code = 128 + ended_by;
}
