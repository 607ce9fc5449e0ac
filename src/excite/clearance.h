/* Distances of the bodies of a robot from each other, from planes and from boxes, in one pose. */
#ifndef EXCITE_CLEARANCE_H
#define EXCITE_CLEARANCE_H

#include <roberval/sys/excite.h>

#include "base/support.h"

/* Two bodies that must not touch. */
typedef struct {
  int a, b;
  double need;  // smallest distance of their segments [m]
  bool guess;   // no shape is exact: they are not compared if they overlap in every pose
} body_pair;

/* An end of a body and a plane that it must not pass. */
typedef struct {
  int end;                  // of 2 nbody
  double normal[3], limit;  // unit vector: the gap is limit - normal . x
  bool base;                // the mounting plane
} plane_end;

typedef struct {
  const rbv_model *model;
  const rbv_constraints *given;
  int nbody, npair, nplane_end;
  int noverlap;       // pairs that are not compared: they follow the others in `pair`
  bool points;        // there are no capsules: bodies are joint origins and the tool
  rbv_capsule *body;  // nbody
  body_pair *pair;
  plane_end *plane_end;
  double *half;   // nbody: half length of the segments
  double *lanes;  // scratch of the kernel
  const struct gap_kernel *kernel;
  int nitem;      // ends at planes, then bodies at boxes, then pairs
  double *reach;  // njoint x nitem: how far one of the two parts moves per rad or m of a joint, at
                  // most, seen from the other part
} clearance;

typedef struct {
  double between;    // smallest distance of two bodies, minus what they need
  double outside;    // smallest distance from planes and boxes, minus what is needed
  const char *what;  // plane or box that is closest
  bool base;         // it is the mounting plane
  int part;          // link that is closest to it
  int link[2];       // the two that are closest to each other
  bool assumed;      // the shape of one of them is assumed
} gaps;

/* Arrays; measures without a base. The counts of c are upper bounds until rbv_clearance_fill. */
void rbv_clearance_layout(clearance *c, const rbv_model *m, const rbv_constraints *given,
                          rbv_arena *a);

/* Select bodies, pairs and planes. limits: njoint; q: njoint, scratch. */
void rbv_clearance_fill(clearance *c, const rbv_limits *limits, double *q);

/* True if there is anything to measure. */
bool rbv_clearance_any(const clearance *c);

/*
 * Distances in a pose. Allocates nothing.
 *
 *   gap  out  nitem: exact if small, otherwise a lower bound; may be NULL
 */
gaps rbv_clearance_eval(clearance *c, double *gap, const double *q);

/*
 * Distances in several poses at once, as rbv_clearance_eval. Arrays over poses have room for a
 * multiple of GAP_LANES.
 *
 *   gap    out    item i in pose k at [i * ld + k]
 *   least  out    the smallest distance between bodies at [k], from planes and boxes at [ld + k],
 *                 minus what is needed
 *   q      inout  joint j in pose k at [j * ldq + k]; poses after the last are filled
 */
void rbv_clearance_batch(clearance *c, double *gap, double *least, ptrdiff_t ld, double *q,
                         ptrdiff_t ldq, int count);

/*
 * How fast the gap of every item can change, from bounds of the speeds of the joints. Layout and
 * room as for rbv_clearance_batch.
 */
void rbv_clearance_change(double *change, ptrdiff_t ld, const clearance *c, const double *speed,
                          ptrdiff_t ldspeed, int count);

/*
 * Between two poses with gaps a and b that change by at most S per second, no gap is smaller than
 * (a + b - S h) / 2: the smallest a + b - S h of all items, for each of count intervals.
 */
void rbv_clearance_margin(double *margin, const clearance *c, const double *a, const double *b,
                          ptrdiff_t ld, const double *change, ptrdiff_t ldchange, const double *h,
                          int count);

/* "self-collision of links 0 and 2: a gap of -1.0 mm"; returns as snprintf. */
int rbv_gap_name(char *text, size_t size, const gaps *g);

/* Position of a joint: a random one within its limits; the middle of them. */
double rbv_draw_position(const rbv_limits *l, rbv_joint_type type, uint64_t stream, uint64_t joint,
                         uint64_t draw, double share);
double rbv_middle_position(const rbv_limits *l);

/* Limits of the joint of a body, from those of the coordinates. */
rbv_limits rbv_body_limits(const rbv_model *m, const rbv_limits *limits, int body);

/* Origin of the joint of a body in the frame of the link that carries it; of a slide, at its
 * position next to zero. */
void rbv_least_origin(double p[3], const rbv_model *m, const rbv_limits *limits, int body);

/* The point of a body whose speed is limited: of a tip, as it is given for the last link, or its
 * farthest fixed frame or shape; zero for other bodies. */
void rbv_tool_point(double p[3], const rbv_model *m, const rbv_constraints *c, int body);

/* False: body i of the clearance is a part of the base. */
bool rbv_part_moves(const clearance *c, int i);

/* Upper bound of |q| of a slide. */
double rbv_stroke(const rbv_limits *l);

#endif
