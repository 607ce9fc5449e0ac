/*
 * Robots: what was read from a robot file. Stable. Every function accepts NULL and an index out of
 * range: it then returns 0, NaN or NULL.
 */
#ifndef ROBERVAL_ROBOT_H
#define ROBERVAL_ROBOT_H

#include <stdbool.h>
#include <stddef.h>

#include <roberval/status.h>

RBV_BEGIN_C

/* A robot; never changes after it was loaded, so many threads may read it. */
typedef struct rbv_model rbv_model;

/* Load a robot: path of a URDF, MJCF or YAML file, or the name of a built-in robot. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_open(rbv_model **out, const char *robot);

/*
 * The same with options, as they are typed for the tool ("true" or "false" for flags).
 *
 *   options  in  name, value, name, value, ..., NULL; NULL: none
 *
 * RBV_EOPTION: an unknown name, a value of another kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_open_with(rbv_model **out, const char *robot,
                                                      const char *const *options);

/* Options that there are: name of option i and what it does; NULL past the last. */
RBV_API const char *rbv_model_option_name(int i);
RBV_API const char *rbv_model_option_text(int i);
RBV_API void rbv_model_free(rbv_model *model);

/* Name of built-in robot i, NULL past the last. */
RBV_API const char *rbv_model_builtin(int i);

RBV_API const char *rbv_model_name(const rbv_model *model);
RBV_API bool rbv_model_has_payload(const rbv_model *model);

/* ---- joints ---- */

RBV_API int rbv_model_joint_count(const rbv_model *model);
RBV_API const char *rbv_model_joint_name(const rbv_model *model, int joint);
RBV_API bool rbv_model_joint_is_prismatic(const rbv_model *model, int joint);

/* Limits [rad or m, rad/s or m/s, N m or N]; infinite: not known. */
RBV_API double rbv_model_joint_lower(const rbv_model *model, int joint);
RBV_API double rbv_model_joint_upper(const rbv_model *model, int joint);
RBV_API double rbv_model_joint_velocity(const rbv_model *model, int joint);
RBV_API double rbv_model_joint_effort(const rbv_model *model, int joint);

/* ---- topology ---- */

/*
 * Every moving joint moves one body. Bodies are numbered from 0 in depth-first order: a body, then
 * everything behind it. Joints above are coordinates; joints that mimic others follow them:
 * position of the joint of a body = offset + sum over the coordinates of factor * position.
 * The parameters of body i end with the number i + 1.
 */
RBV_API int rbv_model_body_count(const rbv_model *model);
RBV_API const char *rbv_model_body_joint(const rbv_model *model, int body); /* name of its joint */
RBV_API const char *rbv_model_body_link(const rbv_model *model,
                                        int body); /* of its link; NULL: the file names none */
RBV_API int rbv_model_parent(const rbv_model *model, int body); /* body that carries it; -1: base */
RBV_API int rbv_model_joint_body(const rbv_model *model,
                                 int joint); /* body that a coordinate moves */

/* True if the joint of a body is not driven: its position follows from closed loops. */
RBV_API bool rbv_model_is_passive(const rbv_model *model, int body);

/* Factor of a coordinate in the position of a body's joint, and the offset (NULL: not wanted). With
 * closed loops: 1 where the joint can depend on the coordinate, otherwise 0. */
RBV_API double rbv_model_map(double *offset, const rbv_model *model, int body, int joint);

/* Bodies that carry no other body. */
RBV_API int rbv_model_tip_count(const rbv_model *model);
RBV_API int rbv_model_tip_body(const rbv_model *model, int tip);

/* True if the base is not fixed to the ground in the robot file. It is held at rest. */
RBV_API bool rbv_model_has_free_base(const rbv_model *model);

/* True if the base of the model moves: the first six coordinates are its pose. */
RBV_API bool rbv_model_base_moves(const rbv_model *model);

/* ---- parameters ---- */

/* Columns of the regressor: inertial, rotor, friction and offset parameters. */
RBV_API int rbv_model_column_count(const rbv_model *model);
RBV_API const char *rbv_model_column_name(const rbv_model *model, int column); /* "ZZ1" */
RBV_API const char *rbv_model_column_unit(const rbv_model *model, int column); /* "kg m^2" */

/* Column with this name, -1 when there is none. "ZZ1R" (a base parameter) finds ZZ1. */
RBV_API int rbv_model_find(const rbv_model *model, const char *name);

/* Values that the robot file gives, one per column; NULL: it gives none. */
RBV_API const double *rbv_model_parameters(const rbv_model *model);

/* ---- dynamics, for n samples ---- */

/*
 * Arrays are column-major: sample k of joint j is at [k + j n]. Positions [rad or m], their
 * derivatives, torques of the drives [N m or N].
 *
 *   chi  in  parameters, one per column; NULL: those of the robot file
 *
 * Refused: NULL for an array, no parameter values, and for accelerations a mass matrix that is not
 * positive definite. These functions allocate; for calls in a loop use <roberval/sys/dynamics.h>.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_torques(double *tau, const rbv_model *model,
                                                    const double *chi, ptrdiff_t n, const double *q,
                                                    const double *dq, const double *ddq);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_accelerations(double *ddq, const rbv_model *model,
                                                          const double *chi, ptrdiff_t n,
                                                          const double *q, const double *dq,
                                                          const double *tau);

/* Mass matrix with rotors at one position, njoint x njoint, column-major. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_mass_matrix(double *M, const rbv_model *model,
                                                        const double *chi, const double *q);

/*
 * Regressor at one sample, tau = W chi.
 *
 *   W  out  torque rows x columns, column-major; rows are rbv_model_row_count
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_regressor(double *W, const rbv_model *model,
                                                      const double *q, const double *dq,
                                                      const double *ddq);
RBV_API int rbv_model_row_count(const rbv_model *model);

/* ---- dynamics, for n samples, sample by sample ---- */

/*
 * The same with row-major arrays, as they lie in a C program that records: joint j of sample k is
 * at [k njoint + j]. chi as above.
 *
 *   M  out  n matrices of njoint x njoint, one after the other (symmetric)
 *   W  out  n matrices of torque rows x columns, row-major, one after the other: column c of row r
 *           of sample k is at [(k rows + r) columns + c], zeros included
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_torques_by_sample(double *tau, const rbv_model *model,
                                                              const double *chi, ptrdiff_t n,
                                                              const double *q, const double *dq,
                                                              const double *ddq);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_accelerations_by_sample(
    double *ddq, const rbv_model *model, const double *chi, ptrdiff_t n, const double *q,
    const double *dq, const double *tau);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_mass_matrices(double *M, const rbv_model *model,
                                                          const double *chi, ptrdiff_t n,
                                                          const double *q);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_regressors(double *W, const rbv_model *model,
                                                       ptrdiff_t n, const double *q,
                                                       const double *dq, const double *ddq);

/* ---- kinematics, for n samples, sample by sample ---- */

/*
 * Frame of the joint of a body, which moves with the body, in the base.
 *
 *   T      out  n homogeneous matrices of 4 x 4, row-major, one after the other
 *   J      out  n matrices of 6 x joints, row-major: velocity of the point, then angular velocity,
 *               in base axes, per joint velocity
 *   tau    out  torques that hold the bodies at rest, row-major; friction, offsets and springs are
 *               not part of them
 *   point  in   fixed in the frame [m]; NULL: its origin
 *   q      in   row-major: joint j of sample k is at [k njoint + j]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_poses(double *T, const rbv_model *model, int body,
                                                  ptrdiff_t n, const double *q);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_jacobians(double *J, const rbv_model *model, int body,
                                                      const double *point, ptrdiff_t n,
                                                      const double *q);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_gravity_torques(double *tau, const rbv_model *model,
                                                            const double *chi, ptrdiff_t n,
                                                            const double *q);

/* ---- base parameters ---- */

/* The smallest set of combinations of parameters that determines every torque. Read-only. */
typedef struct rbv_base rbv_base;

/* Base parameters of the structure: for every motion. RBV_ENUM: their number is not clear. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_base(rbv_base **out, const rbv_model *model);
RBV_API void rbv_base_free(rbv_base *base);

RBV_API int rbv_base_count(const rbv_base *base);
RBV_API const char *rbv_base_name(const rbv_base *base, int i); /* "ZZ1R" */
RBV_API int rbv_base_column(const rbv_base *base, int i);       /* column it is named after; -1 */

/* Factor of a column in base parameter i: chi_base = relation * chi. NaN: there is none. */
RBV_API double rbv_base_relation(const rbv_base *base, int i, int column);

RBV_END_C
#endif
