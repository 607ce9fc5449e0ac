/* Columns by their content; guess_content.c explains it. */
#ifndef LOG_GUESS_CONTENT_H
#define LOG_GUESS_CONTENT_H

#include "log/guess_parts.h"

/* Columns of all joints that may be one quantity. */
typedef struct {
  int *column;          // of each joint
  const family *f;      // of these columns; NULL: neighbours
  bool sorted;          // the joints are in alphabetical order
  bool open;            // the names do not say what it is
  rbv_channel channel;  // by the names
  double *x;            // knots x joints: value, then first and second derivative
} content_block;

/* Positions in a unit, and torques. */
typedef struct {
  int position, torque;  // blocks
  double turn, slide;    // units of the positions of joints that turn, or slide
  double error, scale;   // see rbv_log_explained
} content_reading;

typedef struct {
  search *s;
  clock_guess *clock;
  const rbv_log_physics *physics;
  double rate_hz;
  bool *timed;   // columns that increase evenly
  bool counter;  // the time counts the rows
  double *t;     // rows [s]
  content_block *blocks;
  int nblock, room;
  int position, torque;  // blocks that names say; -1: none
  double stated[2];      // units of the positions that names say; 0: none
  int nknot, used;       // room, and number of knots
  double *scratch;       // 4 x knots x joints
  content_reading *readings;
  int nreading;
  bool possible;  // positions have a unit that is known
} content;

/* ---- blocks (content_blocks.c) ---- */

/* Correlations of block b with a derivative of block a (less block c), of joints that move in a:
 * the middle one and the smallest. low, high: slopes. */
typedef struct {
  double middle, least, low, high;
  int joints;
} likeness;

/* The column of time that increases evenly, if the names do not say one, and all times. */
rbv_status content_find_clock(content *x);
void content_fill_times(content *x);

rbv_status content_list_blocks(content *x);

/* Values and derivatives of all blocks at evenly spread samples without gaps. enough: there are
 * so many samples that they say something. */
rbv_status content_fill_knots(bool *enough, content *x);
const double *content_at(const content *x, const content_block *b, int joint, int derivative);
double content_range(const double *v, int n);

/* c may be NULL. */
likeness content_compare(const content *x, const content_block *a, int derivative,
                         const content_block *c, const content_block *b);
bool content_overlap(const content *x, const content_block *a, const content_block *b);
bool content_is_same(const content *x, const content_block *a, const content_block *b);
bool content_is_speed(likeness *out, const content *x, const content_block *q,
                      const content_block *b);

/* Speed, acceleration, reference or following error of positions q, or what looks like it. */
bool content_is_derived(const content *x, const content_block *q, const content_block *b);

/* Does block b lead block a (1), or lag behind it (-1)? 0: not certain: most joints must say so,
 * and none may say the opposite. */
int content_lead(const content *x, const content_block *a, const content_block *b);

#endif
