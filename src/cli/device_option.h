/* The option --device of the commands that can compute populations on a device. */
#ifndef CLI_DEVICE_OPTION_H
#define CLI_DEVICE_OPTION_H

#include <roberval/sys/device.h>

#include "cli.h"

/* choice: a const char * that starts as RBV_DEVICE_DEFAULT */
#define CLI_DEVICE(choice)                                                                  \
  {                                                                                         \
    "device", 0, OPT_TEXT, &(choice), "NAME",                                               \
        "compute on cpu (default), cuda, or auto: cuda if there is one", rbv_device_choice, \
        .topic = CLI_WORK                                                                   \
  }

/* Open the device; NULL: the CPU. Returns -1 to continue, or an exit code. */
int cli_open_device(rbv_device **out, const char *choice, const cli_common *common);

#endif
