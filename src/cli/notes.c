#include "notes.h"

#include <stdio.h>

static void say(void *self, const char *sentence, const char *option) {
  (void)self;
  fprintf(stderr, option ? "%s (see --%s)\n" : "%s\n", sentence, option);
}

rbv_notes cli_notes(const cli_common *common) {
  return (rbv_notes){.note = common->quiet ? NULL : say};
}
