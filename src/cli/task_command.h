/* Commands that are tasks of the library: parse, run, print. */
#ifndef CLI_TASK_COMMAND_H
#define CLI_TASK_COMMAND_H

#include <roberval/sys/task.h>

#include "cli.h"

typedef struct {
  const char *command;  // also the kind of the task
  const cli_opt *own;   // options of the tool alone, ends with {0}; NULL: none
  // results as text
  void (*print)(const rbv_task *task, const cli_common *common, const void *self);
  const void *self;  // for these functions
  // JSON or text, whatever common asks for; returns EXIT_DONE or another exit code. NULL: JSON as
  // it is, and text by print
  int (*show)(const rbv_task *task, const cli_common *common, const void *self);
  // how the task runs, returns -1 to continue; NULL: as the library does. An outcome other than
  // EXIT_DONE is the exit code after the output
  int (*run)(int *outcome, rbv_task *task, const cli_common *common, const void *self);
} cli_task;

/* Parse the arguments, run the task, print text or JSON. Returns the exit code. */
int cli_run_task(int argc, char **argv, const cli_task *how);

/* The same with a task that has options already. It is freed. */
int cli_finish_task(rbv_task *task, int argc, char **argv, const cli_task *how);

/* Run a task that has inputs and options, and print. The task is not freed. */
int cli_present_task(rbv_task *task, const cli_common *common, const cli_task *how);

#endif
