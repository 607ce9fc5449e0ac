/* Regrouped parameters as printed in a paper, in the link frames of the paper. */
#ifndef PAPERS_PRINTED_PARAMETERS_H
#define PAPERS_PRINTED_PARAMETERS_H

#include <roberval/sys/baseparam.h>

#include "model/geometry.h"
#include "papers/papers_internal.h"

/* One printed combination, "MX2 + 0.700 M3 + 0.700 M4"; the first name is the parameter. */
typedef struct {
  const char *text;
  double value;     // its value in the table; NaN: none
  const char *why;  // error in the print; NULL: none
  int matching;     // terms that agree despite the error; without an error all agree
} printed_relation;

/* A number as printed, and half of its last digit. NaN: not a number. */
void rbv_printed_number(double *value, double *rounding, const char *text);

#define PRINTED_JOINTS 6

/* Link frames of a table, relative to ours. */
typedef struct {
  rbv_pose link[PRINTED_JOINTS];  // frame of the table in our frame, per joint
  const int *order;               // order of the ten parameters of a link in the table; NULL: ours
} printed_frames;

/* Rotation about x in quarter turns, then a translation. */
rbv_pose rbv_printed_frame(int quarters, double x, double z);

/*
 * Base parameters in the frames and the order of a table: column c of the base is column from[c] of
 * the model.
 *
 *   from  out  column count of the model
 */
RBV_MUST_CHECK rbv_status rbv_printed_base(rbv_base **out, int *from, const rbv_model *m,
                                           const printed_frames *frames, rbv_columns columns);

/* Parameters of the links from the frames of the table to ours, and back. In place is allowed. */
void rbv_printed_to_model(double *ours, const double *theirs, const rbv_model *m,
                          const printed_frames *frames);
void rbv_printed_from_model(double *theirs, const double *ours, const rbv_model *m,
                            const printed_frames *frames);

/* Base parameter of the first name of a relation; -1: none. */
int rbv_printed_find(const rbv_base *base, const int *from, const rbv_model *m,
                     const printed_relation *relation);

/*
 * Number of terms of a printed relation, and how many of them the base has with the same factor to
 * half of the last printed digit, minus one for each term of the base that is not printed. -1: no
 * such parameter.
 */
RBV_MUST_CHECK rbv_status rbv_printed_match(int *terms, int *matching, const rbv_base *base,
                                            const int *from, const rbv_model *m,
                                            const printed_relation *relation);

/* Append the comparison of one relation. */
RBV_MUST_CHECK rbv_status rbv_printed_compare(rbv_reproduction *r, const char *where,
                                              const rbv_base *base, const int *from,
                                              const rbv_model *m, const printed_relation *relation);

/* An estimate and its sigmas in the frames of the table, one per base parameter of the table. */
RBV_MUST_CHECK rbv_status rbv_printed_values(double *value, double *sigma, const rbv_base *table,
                                             const int *from, const rbv_model *m,
                                             const printed_frames *frames, const rbv_estimate *e);

/* ---- tables, also used by tests ---- */

extern const printed_relation rbv_printed_villagrossi[40];  // Table 2, with pi_C
extern const double rbv_printed_villagrossi_f0[6], rbv_printed_villagrossi_f1[6];
printed_frames rbv_printed_villagrossi_frames(void);

typedef struct {
  const char *label;  // as printed
  const char *name;   // the parameter that is meant
  double value;
  const char *literal;  // the parameter that the label says; NULL: the same
} printed_value;

extern const printed_value rbv_printed_radkhah[32];  // Table II
printed_frames rbv_printed_radkhah_frames(void);

#endif
