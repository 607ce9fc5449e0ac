/* Regrouped parameters as a paper prints them, in the paper's own link frames. */
#ifndef PAPERS_PRINTED_PARAMETERS_H
#define PAPERS_PRINTED_PARAMETERS_H

#include <roberval/sys/baseparam.h>

#include "model/geometry.h"
#include "papers/papers_internal.h"

/* One printed combination, "MX2 + 0.700 M3 + 0.700 M4": its first name is the parameter's. */
typedef struct {
  const char *text;
  double value;     // that goes with it in the table; NaN: none
  const char *why;  // where the print is wrong, and
  int matching;     // how many of its terms are then found; without why all are
} printed_relation;

/* A number as printed, and half its last digit. NaN for what is none. */
void rbv_printed_number(double *value, double *rounding, const char *text);

#define PRINTED_JOINTS 6

/* Where a table takes its links, seen from our link frames. */
typedef struct {
  rbv_pose link[PRINTED_JOINTS];  // of each joint: the table's frame in ours
  const int *order;               // of the ten parameters of a link in the table; NULL: ours
} printed_frames;

/* Rot_x in quarter turns, then a shift. */
rbv_pose rbv_printed_frame(int quarters, double x, double z);

/*
 * Base parameters in those frames and that order. Columns of the base are in the table's order:
 * column c of the base is column from[c] of the model.
 *
 *   from  out  column count of the model
 */
RBV_MUST_CHECK rbv_status rbv_printed_base(rbv_base **out, int *from, const rbv_model *m,
                                           const printed_frames *frames, rbv_columns columns);

/* Parameters of the model's links, given in the table's frames; and back. May be the same array. */
void rbv_printed_to_model(double *ours, const double *theirs, const rbv_model *m,
                          const printed_frames *frames);
void rbv_printed_from_model(double *theirs, const double *ours, const rbv_model *m,
                            const printed_frames *frames);

/* Base parameter that stands in the slot of a relation's first name, -1 when there is none. */
int rbv_printed_find(const rbv_base *base, const int *from, const rbv_model *m,
                     const printed_relation *relation);

/*
 * Terms of a printed relation, and how many of them the base has with that factor to half the last
 * printed digit, less one for each term of the base that is not printed. -1: no such parameter.
 */
RBV_MUST_CHECK rbv_status rbv_printed_match(int *terms, int *matching, const rbv_base *base,
                                            const int *from, const rbv_model *m,
                                            const printed_relation *relation);

/* The comparison of one relation, as a row. */
RBV_MUST_CHECK rbv_status rbv_printed_compare(rbv_reproduction *r, const char *where,
                                              const rbv_base *base, const int *from,
                                              const rbv_model *m, const printed_relation *relation);

/*
 * An estimate in the table's frames, with honest sigmas: one per parameter of the table's base.
 */
RBV_MUST_CHECK rbv_status rbv_printed_values(double *value, double *sigma, const rbv_base *table,
                                             const int *from, const rbv_model *m,
                                             const printed_frames *frames, const rbv_estimate *e);

/* ---- tables that tests read too ---- */

extern const printed_relation rbv_printed_001[40];  // Table 2, with pi_C
extern const double rbv_printed_001_f0[6], rbv_printed_001_f1[6];
printed_frames rbv_printed_001_frames(void);

typedef struct {
  const char *label;  // as printed
  const char *name;   // the parameter that it must be
  double value;
  const char *literal;  // what the label says; NULL: the same
} printed_value;

extern const printed_value rbv_printed_002[32];  // Table II
printed_frames rbv_printed_002_frames(void);

#endif
