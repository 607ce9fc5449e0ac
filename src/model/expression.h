/*
 * Formulas of the robot file, compiled once to a program over registers, without branches. A
 * register is an array over the samples of a chunk, so that an instruction is one loop.
 *
 *   sum     = product {(+ | -) product}
 *   product = unary {(* | /) unary}
 *   unary   = (- | +) unary | power
 *   power   = value [(^ | **) unary]            so -x^2 is -(x^2), and 2^3^2 is 2^9
 *   value   = number | pi | name | function(sum {, sum}) | (sum) | q2 | q[joint] | dq.. | ddq..
 */
#ifndef MODEL_EXPRESSION_H
#define MODEL_EXPRESSION_H

#include <stdint.h>

#include <roberval/sys/document.h>

#include "base/support.h"

#define EXPRESSION_CHUNK 64      // samples evaluated at a time
#define EXPRESSION_DEPTH 64      // nested brackets, signs and powers
#define EXPRESSION_LENGTH 4096   // bytes of one formula
#define EXPRESSION_REGISTERS 96  // intermediate values at the same time
#define EXPRESSION_NAMES 64      // constants and let's of a column
#define EXPRESSION_NAME_SIZE 64  // bytes of a name, including the final 0

typedef struct {
  double value;       // of a constant
  uint8_t operation;  // a row of the table in expression.c
  uint8_t to, a, b;   // registers; a is the joint of q, dq, ddq
} instruction;

typedef struct {
  instruction *code;  // owned; NULL: none
  int count;
  int result;     // register
  int nregister;  // in use
  bool uses_ddq;
} expression;

void rbv_expression_free(expression *e);

/*
 * out[k] = value for count samples, joint j of q, dq, ddq at [k + j * ld]; no ddq: zero. Each value
 * depends on its own sample alone, to the last bit. Undefined values (the root of -1) are NaN.
 *
 *   scratch  nregister x EXPRESSION_CHUNK
 */
void rbv_expression_eval(double *out, const expression *e, double *scratch, const double *q,
                         const double *dq, const double *ddq, ptrdiff_t ld, ptrdiff_t count);

/*
 * What an instruction does, for code that writes formulas in another language: "constant" (its
 * value), "q", "dq", "ddq" (of joint a), "+", "-", "*", "/", "pow", "neg" or the name of a
 * function; *arity is the number of registers (a, then b) that it reads.
 */
const char *rbv_instruction_name(int *arity, const instruction *s);

/* ---- compiling ---- */

/* A value while it is compiled: a number, or a register. */
typedef struct {
  bool known;
  double value;
  int place;
} operand;

typedef struct {
  const char *name;
  operand is;
} named_value;

/*
 * One formula during compilation, with the names that it can use. joint() returns the index of a
 * joint from its name or its number as text, or -1.
 */
typedef struct {
  int (*joint)(const void *robot, const char *name);
  const void *robot;
  int njoint;
  int nname;
  named_value name[EXPRESSION_NAMES];
  expression program;
  int capacity;          // instructions
  int kept;              // registers that hold let's; those above are temporary
  int used;              // registers
  const rbv_node *node;  // of the text that is being read
  const char *text, *at;
  int depth;
} compiler;

/* Give a name to a number, or to a value of the motion that is computed once per sample. */
RBV_MUST_CHECK rbv_status rbv_compile_constant(compiler *c, const char *name, const rbv_node *node);
RBV_MUST_CHECK rbv_status rbv_compile_let(compiler *c, const char *name, const rbv_node *node);

/* The formula itself. The caller owns the program afterwards; on failure it is freed. */
RBV_MUST_CHECK rbv_status rbv_compile_result(expression *out, compiler *c, const rbv_node *node);

/* letters, digits and _, not beginning with a digit, not too long */
bool rbv_is_identifier(const char *name);

#endif
