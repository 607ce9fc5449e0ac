/*
 * plant: the simulated robot in its closed loop (module job). From a robot, a reference motion,
 * parameters, a controller (read from a file, or tuned for the robot) and defects of its sensors
 * comes everything that a simulation needs.
 */
#ifndef ROBERVAL_SYS_PLANT_H
#define ROBERVAL_SYS_PLANT_H

#include <stdio.h>

#include <roberval/sys/control.h>
#include <roberval/sys/model.h>
#include <roberval/sys/option.h>
#include <roberval/sys/sim.h>

RBV_BEGIN_C

/* Texts are borrowed until the plant is made. */
typedef struct {
  rbv_sim_options sim;     /* of the arrays in sim.defects, those below take the place */
  const char *parameters;  /* file of parameters or a result; NULL: the robot's own */
  const char *map;         /* what the columns of the reference file mean; NULL: their names */
  const char *integrator;  /* name of rbv_integrator_name, or auto (rbv_sim_choose_integrator) */
  const char *controller;  /* file, or "auto": a PID for each joint, tuned for its inertia */
  const char *bandwidth;   /* auto: [Hz], one number or one per joint; NULL: 10 */
  double integral;         /* auto: k_i = integral * w * k_p, w = 2 pi bandwidth */
  double roll_off;         /* auto: the derivative filter has the time constant 1/(roll_off w) */
  double rate_hz;          /* control rate; 0: of the controller's file, else of the reference */
  const char *disturbance; /* these four: one number or one per joint [N m], or with % at the end
                              in percent of the standard deviation of the joint's torque */
  const char *torque_noise, *torque_offset, *ripple;
  const char *encoder_bias; /* one number or one per joint [rad or m] */
  double stribeck_excess;   /* value of Stribeck columns, as a share of Coulomb friction; 0: as the
                               parameters have it */
  uint64_t seed;            /* of all random numbers; has no row in the table */
} rbv_plant_options;

RBV_API rbv_plant_options rbv_plant_defaults(void);

/* The options as a table (offsets of rbv_plant_options). */
RBV_API const rbv_option *rbv_plant_rows(void);

/* Noise of a good robot for options that have none at all: an encoder of the recorder, and white
 * noise in the recorded torque. Returns true if it was added. */
#define RBV_PLANT_COUNTS 65536 /* per turn */
#define RBV_PLANT_TORQUE_NOISE "2%"
RBV_API bool rbv_plant_add_noise(rbv_plant_options *options);

/* RBV_EOPTION with a sentence when an option is out of range; sets sim.integrator. */
RBV_API RBV_MUST_CHECK rbv_status rbv_plant_check(rbv_plant_options *options);

typedef struct {
  rbv_model *model; /* that of the caller, or its variant with smoothed signs */
  int njoint;
  double *chi; /* parameters of all columns */
  rbv_control *control;
  rbv_sim_reference reference; /* at the control rate */
  rbv_sim_options sim;         /* with defects in N m */
  uint64_t seed;

  /* of the last run; NULL before */
  rbv_sim *last;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;

  /* memory of the reference and of defects with a number per joint */
  double *q, *size[5];
  const char *map;
} rbv_plant;

/*
 * A plant. Defects that are relative to the torque take it from a run without defects.
 *
 *   model      in  signs of its friction laws that nothing smooths are smoothed in the plant's
 * model, for the speeds of this reference reference  in  file with columns qr1 ... or q1 ...;
 * resampled by a cubic if its rate is not the control rate. NULL: the built-in reference of a
 * built-in robot options    in  NULL: the defaults notes      in  listener for what was done to the
 * reference; may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_plant_new(rbv_plant **out, const rbv_model *model,
                                                const char *reference,
                                                const rbv_plant_options *options,
                                                const rbv_notes *notes);
RBV_API void rbv_plant_free(rbv_plant *plant);

/* Simulate into last, trace and outcome. options NULL: plant->sim. */
RBV_API RBV_MUST_CHECK rbv_status rbv_plant_run(rbv_plant *plant, const rbv_sim_options *options);

/*
 * Read a further reference for the same controller and rate.
 *
 *   q  out  memory of the reference; rbv_sim_reference_release it
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_plant_reference(rbv_sim_reference *out, double **q,
                                                      const rbv_plant *plant, const char *path,
                                                      const rbv_notes *notes);

/* The recording of the last run as CSV: to a file, or without path to a stream. */
RBV_API RBV_MUST_CHECK rbv_status rbv_plant_write_log(const rbv_plant *plant, const char *path,
                                                      FILE *stream, const rbv_sim_columns *columns);

RBV_END_C
#endif
