/* The closed loop of a recording, for methods that simulate it. */
#ifndef CLI_LOOP_OPTIONS_H
#define CLI_LOOP_OPTIONS_H

#include <roberval/sys/identify.h>

#include "recordings.h"

typedef struct {
  const char *controller, *start, *stop, *scaling;
  double skip_s;
} cli_loop_options;

#define CLI_LOOP(l)                                                                              \
  {"controller",    0,      OPT_TEXT,                                                            \
   &(l).controller, "FILE", "simulated loop: the control law, as YAML; auto: identified first"}, \
      {"start",                                                                                  \
       0,                                                                                        \
       OPT_TEXT,                                                                                 \
       &(l).start,                                                                               \
       "FILE",                                                                                   \
       "simulated loop: first parameters; robot, regular, or a file (default: those of wls)"},   \
      {"skip", 0, OPT_REAL, &(l).skip_s, "S", "simulated loop: leave the transient out"},        \
      {"stop",   0,                                                                              \
       OPT_TEXT, &(l).stop,                                                                      \
       "RULE",   "simulated loop: rest (default), or printed: when the error no longer grows"},  \
  {                                                                                              \
    "scaling", 0, OPT_TEXT, &(l).scaling, "STEPS",                                               \
        "simulated loop: gains follow the model's inertia at the start (default), or always"     \
  }

/* What the library borrows; start from zero, free at the end. */
typedef struct {
  rbv_closed_loop loop;
  rbv_control *control;
  double *start, *inertia;
} cli_loop;

/*
 * Controller, references and first parameters for these motions; how tells the filter with which
 * the first estimate is made, recording how the logs are read when the controller is found in them.
 * -1 to go on.
 */
int cli_loop_load(cli_loop *out, const char *command, const cli_loop_options *options,
                  const rbv_model *model, const cli_motions *motions,
                  const cli_recording *recording, const rbv_identify_options *how,
                  const cli_common *common);
void cli_loop_free(cli_loop *loop);

#endif
