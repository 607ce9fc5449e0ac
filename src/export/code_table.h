/*
 * The functions of generated C code: a table with the graph of each one and the same values from
 * the library; the robot's numbers that they are made of.
 */
#ifndef EXPORT_CODE_TABLE_H
#define EXPORT_CODE_TABLE_H

#include <roberval/sys/baseparam.h>

#include "export/export_internal.h"
#include "export/recursion.h"

/* Inputs of the code, and the library objects with which it is compared. */
typedef struct {
  export_job *e;
  const rbv_model *m;
  rbv_base *base;
  double *values;          // base.count
  double *chi;             // regrouped, ncolumn
  rbv_dynamics *full;      // with the parameters as they were given
  rbv_dynamics *links;     // the same without drives
  rbv_dynamics *friction;  // friction and offsets alone
  rbv_dynamics *drives;    // drives alone, without springs; NULL: joints are rigid
  double *spring;          // 3 njoint: stiffness, cubic, damping; NULL: joints are rigid
  rbv_dynamics *body;      // one parameter of the last link
  double *unit;            // ncolumn: that parameter
  dry_friction *dry;       // njoint
  graph g, plain;
  node *output;    // of the function being written
  double *value;   // of all nodes
  double *extra;   // inputs behind the motion, in a comparison
  double *square;  // 3 njoint x njoint: scratch memory
  bool helpers[GRAPH_HELPERS];
  char upper[64];
} coder;

/* When a function takes an input: never, always, if friction depends on loads, if laws have states.
 */
typedef enum { NO, YES, WITH_LOAD, WITH_STATES } input_use;

typedef struct {
  const char *name, *out, *what;
  input_use takes[GRAPH_INPUTS];
  int (*count)(const coder *c);
  rbv_status (*write)(node *out, graph *g, const coder *c);
  /* the same values from the library: the torque of the output, or the output itself */
  void (*want)(double *out, coder *c, const graph_inputs *at);
} code_function;

extern const code_function rbv_code_functions[EXPORT_FUNCTIONS];

bool rbv_code_is_regressor(const code_function *f);

/* True if this robot does not have the function, or it was not asked for. */
bool rbv_code_is_absent(const code_function *f, const coder *c);

/* A note for the user about functions that are absent; an empty one adds nothing. */
RBV_MUST_CHECK rbv_status rbv_code_notes(const coder *c);

/* True if the function takes this input. */
bool rbv_code_takes(const code_function *f, const coder *c, int input);

/* Number of values by which a function is compared. */
int rbv_code_compared(const code_function *f, const coder *c);

/* The mass matrix is known: there are momentum, observer and forward dynamics. */
bool rbv_code_has_mass(const coder *c);

/* The robot ends in one tip: there are pose, Jacobian, wrench and payload of its tool. */
bool rbv_code_has_tool(const coder *c);

/* Elastic joints: are there any, and does their function exist (see code_elastic.c)? */
bool rbv_code_is_elastic(const coder *c);
bool rbv_code_has_elastic(const coder *c);
rbv_status rbv_code_write_elastic(node *out, graph *g, const coder *c);
void rbv_code_want_elastic(double *out, coder *c, const graph_inputs *at);
RBV_MUST_CHECK rbv_status rbv_code_prepare_elastic(coder *c);

/* Parameters, base parameters and the objects of the library. */
RBV_MUST_CHECK rbv_status rbv_code_prepare(coder *c);
void rbv_code_free(coder *c);

#endif
