/*
 * The dynamics of a robot as a graph: the recursions of the kernels of `dynamics`, with the robot's
 * numbers as constants.
 *
 *   chi  in  all columns of the model; a payload is included if the model has one
 */
#ifndef EXPORT_RECURSION_H
#define EXPORT_RECURSION_H

#include "export/graph.h"
#include "model/model_internal.h"

/* Torque of the motors, njoint outputs. */
rbv_status rbv_write_inverse(node *tau, graph *g, const rbv_model *m, const double *chi);

/* Torque of gravity on the links, njoint outputs. */
rbv_status rbv_write_gravity(node *tau, graph *g, const rbv_model *m, const double *chi);

/* Friction and offsets of the drives, njoint outputs. */
rbv_status rbv_write_friction(node *tau, graph *g, const rbv_model *m, const double *chi);

/*
 * Torque that the links ask for, njoint outputs, and that of the drive of one joint at a position,
 * speed and acceleration of its motor. For laws without states and loads.
 */
rbv_status rbv_write_links(node *tau, graph *g, const rbv_model *m, const double *chi);
node rbv_write_drive(graph *g, const rbv_model *m, const double *chi, int joint,
                     const node motion[3]);

/* True if friction depends on the load of the gears: it then needs the whole motion. */
bool rbv_export_has_load(const rbv_model *m, const double *chi);

/* True if a law depends on the position. */
bool rbv_export_has_position(const rbv_model *m, const double *chi);

/* States of laws after a time at constant velocities, nstate outputs. Each depends on its own state
 * alone, so that the code may write them in place. */
rbv_status rbv_write_step(node *next, graph *g, const rbv_model *m);

/* Mass matrix with rotors, njoint x njoint, column-major. */
rbv_status rbv_write_mass(node *M, graph *g, const rbv_model *m, const double *chi);

/* Regressor of all rows, of these columns: row_count x count, column-major; -1 where it is zero.
 * chi gives the load of the gears. */
rbv_status rbv_write_regressor(node *W, graph *g, const rbv_model *m, const double *chi,
                               const int *column, int count);

/*
 * What a momentum observer needs, 2 njoint outputs: the momentum p = M dq with rotors, then b =
 * C'dq
 * - gravity, so that dp/dt = b + torque of the drives - friction.
 */
rbv_status rbv_write_momentum(node *out, graph *g, const rbv_model *m, const double *chi);

/* The same of a body on the last link near a point c of it (an input): for each first moment about
 * c and for the mass. p of joint i and column k at [4 i + k], b behind all p. */
rbv_status rbv_write_payload_momentum(node *out, graph *g, const rbv_model *m);

/* Pose of the tool in the base, 12 outputs: rotation of the last frame, 3 x 3 column-major, and the
 * point rbv_model_tip. Its Jacobian as rbv_dynamics_jacobian has it, 6 x njoint. */
rbv_status rbv_write_tool_pose(node *pose, graph *g, const rbv_model *m);
rbv_status rbv_write_tool_jacobian(node *J, graph *g, const rbv_model *m);

#endif
