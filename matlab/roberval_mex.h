/*
 * The parts of roberval_mex, the function of MATLAB and GNU Octave: values of the language to and
 * from the library. One source for both, with the C Matrix API only.
 */
#ifndef ROBERVAL_MEX_H
#define ROBERVAL_MEX_H

#include <mex.h>
#include <roberval/roberval.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_RECORDINGS = 64 }; /* in memory, of one call */

/*
 * Objects of the library of this call. An error leaves the function by a long jump, so that nothing
 * on the stack is freed: everything that must be freed is here.
 */
typedef struct {
  rbv_model *model;
  rbv_base *base;
  rbv_report *report;
  rbv_identification *job;
  rbv_task *task;
  rbv_log *logs[MOST_RECORDINGS];
  int nlog;
  char **notes;
  int nnote;
} mex_held;
extern mex_held mex_holds;
void mex_release(void);

/* Leave with an error of the language. The identifier is "roberval:" and the name of the status. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
void mex_fail(const char *name, const char *format, ...);

/* The same with the sentence of the library, if a call of it failed. */
void mex_check(rbv_status status);

/* ---- arguments ---- */

/* A text; what: "a robot", for messages. It belongs to the interpreter. */
const char *mex_text(const mxArray *value, const char *what);

/* A real matrix of doubles, rows x columns; a number below 0: any. Returns its elements. */
const double *mex_matrix(const mxArray *value, const char *what, ptrdiff_t rows, ptrdiff_t columns);

/* A value of an option as it is typed for the tool. */
const char *mex_option_text(const mxArray *value, const char *name);

/* Call for each option of the arguments: pairs of name and value, or structures. '_' is '-'. */
typedef void mex_option(void *self, const char *name, const mxArray *value);
void mex_each_option(int n, const mxArray **arguments, mex_option *each, void *self);

/* A recording in memory from a structure with t, q, dq, ddq, tau, ...; mex_holds has it. */
rbv_log *mex_recording(const mxArray *value);

/* ---- values ---- */

mxArray *mex_column(ptrdiff_t n);                      /* zeros, n x 1 */
mxArray *mex_texts(int n, const char *(*text)(int i)); /* cell column */
mxArray *mex_json(const char *text);                   /* structures and arrays of a JSON text */

#endif
