/*
 * Formulas as a graph of shared nodes, simplified while they are written: what is computed twice is
 * one node, what is known is a number, and terms that are zero or one are not there.
 *
 * Nodes are numbers in the order of creation, so operands come before what uses them. After memory
 * has run out, failed is set and stays, and every node is 0; check it once at the end.
 */
#ifndef EXPORT_GRAPH_H
#define EXPORT_GRAPH_H

#include "base/support.h"

typedef int node;

typedef enum {
  NODE_CONSTANT,
  NODE_Q,  // the order of q, dq, ddq
  NODE_DQ,
  NODE_DDQ,
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
  bool plain;  // take every operation as it comes: what a program for any robot would do
  bool failed;
} graph;

#define GRAPH_ZERO 0  // these two nodes are always there
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

/* Values of all nodes at one state: count elements. */
void rbv_graph_eval(double *values, const graph *g, const double *q, const double *dq,
                    const double *ddq);

/* What the outputs need, and what that costs. */
typedef struct {
  int multiplications, additions, calls;
  bool uses[3];  // q, dq, ddq
} graph_cost;

/*
 * Straight C99 code: "  out[k] = ...;" for each output that is not -1, the shared parts before it.
 * prefix stands before the names of helper functions.
 */
void rbv_graph_print(rbv_text *text, graph_cost *cost, graph *g, const node *output, int noutput,
                     const char *out, const char *prefix);

/* Count alone. */
void rbv_graph_count(graph_cost *cost, graph *g, const node *output, int noutput);

/* The helper functions that the outputs need, before their code. used[]: what was printed before,
 * kept by the caller, zero at first. */
#define GRAPH_HELPERS 3
void rbv_graph_print_helpers(rbv_text *text, bool used[GRAPH_HELPERS], graph *g, const node *output,
                             int noutput, const char *prefix);

/* A number as C99 and YAML read it, exact: 2.0, -0.5, 1e-3. */
void rbv_put_number(rbv_text *text, double x);

#endif
