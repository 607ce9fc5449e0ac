/*
 * Formulas as a graph of shared nodes that is simplified while it is built: equal expressions are
 * one node, constant expressions are numbers, and terms of zero and factors of one are removed.
 *
 * Nodes are numbered in the order of creation, so operands come before their users. When memory is
 * exhausted, failed is set and every further node is 0; check it once at the end.
 */
#ifndef EXPORT_GRAPH_H
#define EXPORT_GRAPH_H

#include "base/support.h"

typedef int node;

typedef enum {
  NODE_CONSTANT,
  NODE_Q,  // inputs, in the order of graph_inputs
  NODE_DQ,
  NODE_DDQ,
  NODE_STATE,
  NODE_TIME,
  NODE_SINE,
  NODE_COSINE,
  NODE_POINT,
  NODE_JERK,
  NODE_SNAP,
  NODE_BEND,
  NODE_NEGATE,
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_CALL
} node_kind;

typedef struct {
  node_kind kind;
  int function;  // of a call: row of the table in graph.c
  int a, b;      // operands; a is the joint of a variable
  double value;
  node next;  // with the same hash
} graph_item;

typedef struct {
  graph_item *item;
  int count, capacity;
  node *bucket;
  int nbucket;
  bool plain;   // no simplification: the operations of a program for any robot
  bool angles;  // sines and cosines of the positions are inputs
  bool failed;
} graph;

#define GRAPH_ZERO 0  // these two nodes always exist
#define GRAPH_ONE 1

void rbv_graph_start(graph *g, bool plain);
void rbv_graph_free(graph *g);

node rbv_graph_number(graph *g, double value);
node rbv_graph_variable(graph *g, node_kind kind, int joint);
node rbv_graph_negate(graph *g, node a);
node rbv_graph_add(graph *g, node a, node b);
node rbv_graph_subtract(graph *g, node a, node b);
node rbv_graph_multiply(graph *g, node a, node b);

/* A function by its name in formulas ("abs", "min", "/"); b is ignored by those with one argument.
 */
node rbv_graph_call(graph *g, const char *function, node a, node b);

/* Operands of an operation or call: 1 or 2. */
int rbv_graph_arity(const graph_item *item);

/*
 * Derivatives of outputs by one input, as nodes of the same graph. Steps have no slope.
 *
 *   out    out  noutput
 *   input  in   number of the input of this kind
 */
RBV_MUST_CHECK rbv_status rbv_graph_derivative(node *out, graph *g, const node *output, int noutput,
                                               node_kind kind, int input);

/* Derivatives of outputs by the time, along a motion whose velocities, accelerations and two
 * further derivatives are inputs. */
RBV_MUST_CHECK rbv_status rbv_graph_time_derivative(node *out, graph *g, const node *output,
                                                    int noutput);

/* The inputs: joint positions, velocities and accelerations, states of laws, time of a step, sines
 * and cosines of the positions, a point of the last link, third and fourth derivatives of the
 * positions, deflections of elastic joints. */
#define GRAPH_INPUTS 11
typedef struct {
  const double *x[GRAPH_INPUTS];  // NULL: zero
} graph_inputs;

/* Name of an input in the code: "q", "dq", "ddq", "z", "dt", "sine", "cosine", "c", "d3q", "d4q",
 * "bend". */
const char *rbv_graph_input(int i);

/* Values of all nodes for these inputs: count elements. */
void rbv_graph_eval(double *values, const graph *g, const graph_inputs *in);

/* Operations and variables that the outputs need. */
typedef struct {
  int multiplications, additions, calls;
  bool uses[GRAPH_INPUTS];
} graph_cost;

/*
 * C99 code without branches: temporaries, and "  out[k] = ...;" for each output that is not -1, as
 * soon as its value is known. So an output must not overlap an input that another output needs.
 * prefix is the prefix of the names of helper functions.
 */
void rbv_graph_print(rbv_text *text, graph_cost *cost, graph *g, const node *output, int noutput,
                     const char *out, const char *prefix);

/* Count alone. */
void rbv_graph_count(graph_cost *cost, graph *g, const node *output, int noutput);

/* Print the helper functions that the outputs need. used[]: functions printed before; the caller
 * keeps it, false at first. */
#define GRAPH_HELPERS 3
void rbv_graph_print_helpers(rbv_text *text, bool used[GRAPH_HELPERS], graph *g, const node *output,
                             int noutput, const char *prefix);

/* A number as C99 and YAML read it, exact: 2.0, -0.5, 1e-3. */
void rbv_put_number(rbv_text *text, double x);

#endif
