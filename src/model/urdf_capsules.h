/* Bodies of a URDF (<collision>) as capsules, for collision checks. */
#ifndef MODEL_URDF_CAPSULES_H
#define MODEL_URDF_CAPSULES_H

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

/*
 * Read <geometry> of a URDF: sphere, cylinder, box, or a mesh (STL, text or binary, beside the URDF
 * or in a package folder above it). *found is false for anything else.
 */
RBV_MUST_CHECK rbv_status rbv_rod_read(rbv_rod *out, bool *found, const rbv_xml *urdf,
                                       const rbv_element *geometry);

/* Bounding box of the triangles of an STL file; false if the data is not STL. */
bool rbv_stl_box(double low[3], double high[3], const char *data, size_t size);

#endif
