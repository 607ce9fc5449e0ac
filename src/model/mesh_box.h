/* Mesh files: bounding boxes of STL (text and binary), OBJ and COLLADA (DAE), bodies of the first
 * two.
 */
#ifndef MODEL_MESH_BOX_H
#define MODEL_MESH_BOX_H

#include "model/geometry.h"

/* Bounding box of the vertices of a mesh in memory; data ends with 0. *found is false if the data
 * is not one of these formats. */
RBV_MUST_CHECK rbv_status rbv_mesh_box(double low[3], double high[3], bool *found, const char *data,
                                       size_t size);

/*
 * The same from a file that a robot file names, each coordinate multiplied by scale.
 *
 *   robot     in  path of the robot file: relative names start in its folder
 *   name      in  path, file://path or package://package/path
 *   packages  in  folders that contain packages, separated by ':'; NULL: none. Before these, a
 *                 package is looked for in the folders above the robot file
 *   solid     out  inertial parameters of the closed mesh for a density of 1 kg/m^3, about its
 *                  origin; mass 0 if the format has none, or the mesh no volume. May be NULL
 */
RBV_MUST_CHECK rbv_status rbv_mesh_find(double low[3], double high[3], double *solid, bool *found,
                                        const char *robot, const char *name, const char *packages,
                                        const double scale[3]);

#endif
