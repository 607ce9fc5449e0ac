#include "device_option.h"

int cli_open_device(rbv_device **out, const char *choice, const cli_common *common) {
  char text[RBV_DEVICE_TEXT];
  const rbv_status status = rbv_device_open(out, text, choice);
  if (status != RBV_OK) return cli_fail(status);
  if (text[0]) cli_message(common, "%s\n", text);
  return -1;
}
