/* Solids of robot files and the capsules around them, for collision checks. */
#ifndef MODEL_COLLISION_SHAPE_H
#define MODEL_COLLISION_SHAPE_H

#include "model/geometry.h"

/* A solid of revolution or a box around a centre, along an axis (0, 1, 2) of its frame. */
typedef struct {
  int axis;
  double half;    // of its length
  double radius;  // of the cross section
  double center[3];
} rbv_rod;

/* The rod around a box that reaches from low to high: along its longest side. */
rbv_rod rbv_rod_of_box(const double low[3], const double high[3]);

/* The smallest capsule along its axis that holds a rod; pose: the rod's frame in the link's. */
void rbv_rod_capsule(rbv_capsule *out, const rbv_rod *rod, const rbv_pose *pose);

#endif
