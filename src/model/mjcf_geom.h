/* Primitive shapes of MJCF (<geom>): inertial parameters from size and density, and rods. */
#ifndef MODEL_MJCF_GEOM_H
#define MODEL_MJCF_GEOM_H

#include "model/mjcf_document.h"

typedef enum { GEOM_NO_BODY, GEOM_PRIMITIVE, GEOM_MESH } geom_kind;

typedef struct {
  geom_kind kind;
  bool collides;
  int group;
  double inertial[RBV_INERTIAL];  // of a primitive about its centre, in its axes
  rbv_rod rod;                    // of a primitive
  const char *mesh;               // name of its mesh, NULL: none
  bool of_mesh;                   // its body is the mesh, not a shape that is fitted to it
  double mass, density;           // of a mesh; NaN: the density decides
  bool has_ends;                  // placed by `fromto`; the next three lines are then its pose
  rbv_pose ends;
} mjcf_geom;

/* Read type, size, mass or density, and `fromto` of a geom. */
RBV_MUST_CHECK rbv_status rbv_mjcf_geom(mjcf_geom *out, const mjcf_levels *levels);

/* The rotation that turns z to a direction about the axis that is orthogonal to both. */
void rbv_rotation_of_z(double R[9], const double direction[3]);

#endif
