/*
 * export: a robot with its parameters as a file for other programs: URDF and MJCF for simulators,
 * YAML for this program, C code for controllers.
 *
 * Every export is checked before it is returned. The text of a document is parsed again and torques
 * at random states are compared. For C code the printed expressions are evaluated and compared.
 */
#ifndef ROBERVAL_SYS_EXPORT_H
#define ROBERVAL_SYS_EXPORT_H

#include <stdbool.h>

#include <roberval/export.h>
#include <roberval/sys/base.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/model.h>

RBV_BEGIN_C

typedef enum {
  RBV_EXPORT_URDF,     /* the robot's own document with new inertial and dynamics elements, or a new
                          document */
  RBV_EXPORT_MJCF,     /* MuJoCo's, 2.2 and later */
  RBV_EXPORT_YAML,     /* a robot file with parameters */
  RBV_EXPORT_C,        /* C99: a source and its header */
  RBV_EXPORT_BANDS,    /* CSV: torque along a motion with its standard deviation */
  RBV_EXPORT_RANGES,   /* ranges from sigma, for randomisation: YAML */
  RBV_EXPORT_ISAACLAB, /* actuators of Isaac Lab: a Python dict */
  RBV_EXPORT_ISAACLAB_YAML, /* the same as YAML */
  RBV_EXPORT_FRICTION,      /* friction of each joint: YAML */
} rbv_export_format;

RBV_API const char *rbv_export_format_name(rbv_export_format format); /* "urdf", ... */
RBV_API const char *rbv_export_format_text(rbv_export_format format); /* one line for pages */
RBV_API bool rbv_export_format_parse(rbv_export_format *out, const char *name);

/* True when an export has a header beside its text: C. */
RBV_API bool rbv_export_format_has_header(rbv_export_format format);

/* True when an export needs a result (BANDS, RANGES), and when it needs a motion (BANDS). */
RBV_API bool rbv_export_format_of_result(rbv_export_format format);
RBV_API bool rbv_export_format_needs_motion(rbv_export_format format);

typedef struct {
  rbv_export_format format;
  const char *name; /* C: name of the files and, made an identifier, prefix of all names; NULL: name
                       of the robot */
  bool force;       /* also write bodies that are not physically consistent */
  rbv_model_options
      loaded;    /* how the robot was loaded; the text is read back with the same options */
  uint64_t seed; /* of the states at which torques are compared */
  const rbv_result_standard *standard; /* what the data know about the parameters: written as
                                          comments; NULL: not known */
  bool single;                         /* C: float instead of double */
  bool derivatives;                    /* C: derivatives of the inverse dynamics, too */
  const double *limit;            /* C: njoint limits of the observer [N m or N]; NULL: not known */
  const rbv_result_model *fitted; /* BANDS: the result; NULL: none */
  const char *motion;             /* BANDS: file of a motion, designed or recorded */
  const rbv_result *result;       /* sigma, unknowns of the loop; NULL: not known */
  const rbv_control *control;     /* law of the recordings, with gains that were found; NULL: not
                                     known */
  double delay_s;                 /* of the torque, if the result has none; 0: not known */
} rbv_export_options;

RBV_API rbv_export_options rbv_export_defaults(void);

/* Operations of a generated function, and of the general recursion for comparison. */
typedef struct {
  const char *function; /* "inverse_dynamics", ... */
  int multiplications, additions, calls;
  int generic_multiplications, generic_additions;
  int temporaries; /* numbers that the function keeps: a bound of its stack */
} rbv_export_cost;

typedef struct {
  bool refused;       /* the parameters cannot be written in this format: text is NULL */
  const char *reason; /* reason of the refusal, a sentence; NULL otherwise */
  const char *text;   /* the document or the C source; ends with 0 */
  size_t size;
  const char *header; /* C: the header, NULL otherwise */
  size_t header_size;
  const char *name; /* C: the prefix, made an identifier */
  int nnote;
  const char *const *note; /* what the format cannot express, and what was merged */
  int states;              /* number of states compared after reading back */
  double difference;       /* largest difference of torque there [N m or N] */
  int ncost;
  const rbv_export_cost *cost; /* C */
} rbv_export;

/*
 * Export a robot with these parameters.
 *
 *   chi  in  all columns of the model; a payload is part of the last link
 *
 * URDF and MJCF give mass, centre of mass and inertia of each body. They need standard parameters
 * of physically consistent bodies: the 4 x 4 pseudo-inertia of each link is positive definite;
 * armature, damping and friction are not negative. Otherwise the export is refused with a reason.
 * force overrides this, except for a body that the format cannot describe (first moment without
 * mass). YAML and C also accept base parameters at their columns.
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

/* The control law that a result names, for rbv_export_options; NULL in *out: it names none. */
RBV_API RBV_MUST_CHECK rbv_status rbv_export_control(rbv_control **out,
                                                     const rbv_result_model *fitted);

/* How a robot was loaded with the given options, for rbv_export_options. */
RBV_API rbv_model_options rbv_export_loaded(const rbv_model *model, const rbv_model_options *given);

/* Limits of the observer of C code from the residual of the fit, njoint: normal noise, one false
 * alarm per hour. */
RBV_API void rbv_export_limits(double *limit, const rbv_result_model *fitted);

/* Name and header of C code at this path: "dir/arm.c" gives "arm" and "dir/arm.h"; both have room
 * for size bytes. False when the path does not end in .c. */
RBV_API bool rbv_export_split(char *name, char *header, size_t size, const char *path);

RBV_END_C
#endif
