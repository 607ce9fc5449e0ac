/* Parts of the C code that are the same for all robots, and its single-precision form. */
#ifndef EXPORT_EXPORT_CONTROL_H
#define EXPORT_EXPORT_CONTROL_H

#include "base/support.h"

#define CONTROL_GAIN 60.0  // default gain of the observer [1/s]: a step is seen to 83 % after 30 ms
#define HUGE_LIMIT 1e9     // of an observer whose limits are not known

typedef struct {
  const char *name, *upper;  // prefix of all names, and in capitals
  int njoint;
  bool mass;            // the mass matrix is known
  bool tool;            // there is one tip
  int nstate;           // states of laws of friction
  bool position;        // friction depends on the position
  bool load;            // friction depends on the load of the gears
  bool single;          // float instead of double
  const double *limit;  // njoint: of the observer; NULL: not known
  const double *tip;    // 3: point of the tool in the last frame
  const double *base;   // nbase: the table
  int nbase;
} control_code;

/* Text of the code, with words that depend on the robot. */
void rbv_control_put(rbv_text *t, const control_code *c, const char *text);

void rbv_control_declare(rbv_text *header, const control_code *c);
void rbv_control_write(rbv_text *source, const control_code *c);

/* Estimator of a payload in motion, of robots with a mass matrix. */
void rbv_payload_declare(rbv_text *header, const control_code *c);
void rbv_payload_write(rbv_text *source, const control_code *c);

/* Lines of the self-test: s is a state, failed counts. */
void rbv_control_test(rbv_text *source, const control_code *c);

/* Sine and cosine without branches in place of libm's, for the code from `before` on; their own
 * code is inserted there if they are used, with that of NAME_angles for robots with a mass matrix.
 */
RBV_MUST_CHECK rbv_status rbv_control_own(rbv_text *text, size_t before, const control_code *c);

/* Turn C code with double into the same with float. */
RBV_MUST_CHECK rbv_status rbv_control_single(rbv_text *text);

#endif
