/*
 * export: a robot with its parameters as other programs want it. URDF and MJCF for simulators, YAML
 * for ourselves, C code for controllers.
 *
 * Nothing is handed out that was not read back first: documents by parsing the text that will be
 * written and comparing torques at random states, C code by evaluating the very expressions that
 * were printed.
 */
#ifndef ROBERVAL_SYS_EXPORT_H
#define ROBERVAL_SYS_EXPORT_H

#include <stdbool.h>

#include <roberval/export.h>
#include <roberval/sys/base.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  RBV_EXPORT_URDF, /* the robot's own document, inertial and dynamics changed; or a fresh one */
  RBV_EXPORT_MJCF, /* MuJoCo's, 2.2 and later */
  RBV_EXPORT_YAML, /* a robot file with parameters */
  RBV_EXPORT_C     /* C99: a source and its header */
} rbv_export_format;

/* The formats are a table. Name of format i, from 0; NULL past the last. */
RBV_API const char *rbv_export_format_at(int i);

RBV_API const char *rbv_export_format_name(rbv_export_format format); /* "urdf", ... */
RBV_API const char *rbv_export_format_text(rbv_export_format format); /* one line for pages */
RBV_API bool rbv_export_format_parse(rbv_export_format *out, const char *name);

/* True when an export has a header beside its text: C. */
RBV_API bool rbv_export_format_has_header(rbv_export_format format);

typedef struct {
  rbv_export_format format;
  const char *name; /* C: of the files, and made an identifier of all names; NULL: the robot's */
  bool force;       /* write bodies that no matter can have */
  rbv_model_options loaded; /* how the robot was loaded: its text is read back in the same way */
  uint64_t seed;            /* of the states at which torques are compared */
} rbv_export_options;

RBV_API rbv_export_options rbv_export_defaults(void);

/* Arithmetic of a generated function, beside that of the recursion for any robot. */
typedef struct {
  const char *function; /* "inverse_dynamics", ... */
  int multiplications, additions, calls;
  int generic_multiplications, generic_additions;
} rbv_export_cost;

typedef struct {
  bool refused;       /* the parameters cannot be written like this: text is NULL */
  const char *reason; /* of the refusal, a sentence; NULL otherwise */
  const char *text;   /* the document, or the C source; closed with 0 */
  size_t size;
  const char *header; /* C: the header, NULL otherwise */
  size_t header_size;
  const char *name; /* C: the prefix, made an identifier */
  int nnote;
  const char *const *note; /* what the format cannot say, and what was merged */
  int states;              /* at which it was compared after reading back */
  double difference;       /* largest difference of torque there [N m or N] */
  int ncost;
  const rbv_export_cost *cost; /* C */
} rbv_export;

/*
 * Export a robot with these parameters.
 *
 *   chi  in  all columns of the model; a payload is taken as fixed to the last link
 *
 * URDF and MJCF name mass, centre of mass and inertia of each body, so they need standard
 * parameters of bodies that can exist: each link's 4 x 4 pseudo-inertia positive definite,
 * armature, damping and friction not negative. Otherwise the result is a refusal with its reason,
 * which force lifts, unless the format has no words for such a body (first moment without mass).
 * YAML and C take base parameters in their slots as well.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_export_new(rbv_export **out, const rbv_model *model,
                                                 const double *chi,
                                                 const rbv_export_options *options);
RBV_API void rbv_export_free(rbv_export *e);

/* ---- from a result file ---- */

/*
 * Load a result for an export: its chi has the standard parameters where the result has them, base
 * parameters otherwise. Free with rbv_result_model_free.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_export_load(rbv_result_model *out, const char *result,
                                                  const char *robot, const rbv_notes *notes);

/* How the robot of a result was loaded, for rbv_export_options. */
RBV_API rbv_model_options rbv_export_loaded(const rbv_result_model *fitted);

/* Name and header of C code at this path: "dir/arm.c" gives "arm" and "dir/arm.h"; both have room
 * for size bytes. False when the path does not end in .c. */
RBV_API bool rbv_export_split(char *name, char *header, size_t size, const char *path);

#ifdef __cplusplus
}
#endif
#endif
