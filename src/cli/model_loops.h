/* Closed loops of a robot, for roberval model. */
#ifndef CLI_MODEL_LOOPS_H
#define CLI_MODEL_LOOPS_H

#include <roberval/sys/model.h>

/* Nothing for a robot without loops. */
void cli_print_loops(const rbv_model *m);
void cli_put_loops(rbv_json *json, const rbv_model *m);

#endif
