/* Output of `payload`: text, JSON, and lines for the controllers of robots. */
#ifndef CLI_PAYLOAD_OUTPUT_H
#define CLI_PAYLOAD_OUTPUT_H

#include <roberval/sys/payload.h>

#include "cli.h"

typedef struct {
  const rbv_model *model;
  const char *frame;   // name of the frame of the values; NULL: of the last link
  const char *source;  // "two recordings", "result", "static poses", "wrist sensor"
  rbv_payload payload;
  double relative_error;
  int poses;                        // 0: none
  const rbv_estimate *estimate;     // of two recordings; NULL otherwise
  const rbv_wrist_estimate *wrist;  // NULL: none
} cli_payload;

/* Print, and write JSON and an HTML page (NULL: not). Returns an exit code. */
int cli_put_payload(const cli_payload *p, const char *path, const char *report,
                    const cli_common *common);

#endif
