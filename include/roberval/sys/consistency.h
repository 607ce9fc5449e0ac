/*
 * physical: can such a body exist? Consistency of inertial and drive parameters, and standard
 * parameters that are consistent and keep to a base estimate as well as consistency allows.
 *
 * A body with parameters XX XY XZ YY YZ ZZ MX MY MZ M at its frame's origin exists when its
 * pseudo-inertia (Wensing, Kim and Slotine, 2018, eq. 9)
 *
 *     P = [ S  h ]     h = (MX MY MZ),  S = (tr(I)/2) 1 - I:  second moments, integral of x x' dm
 *         [ h' M ]
 *
 * is positive definite: mass positive, inertia about the centre of mass positive definite and its
 * principal values obeying the triangle inequality. Equations: docs/theory/physical-consistency.md.
 */
#ifndef ROBERVAL_SYS_CONSISTENCY_H
#define ROBERVAL_SYS_CONSISTENCY_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- consistency ---- */

typedef enum {
  RBV_BODY_CONSISTENT,
  RBV_BODY_NOT_FINITE,
  RBV_BODY_MASS,     /* the mass is not positive */
  RBV_BODY_INERTIA,  /* the inertia about the centre of mass is not positive definite */
  RBV_BODY_TRIANGLE, /* it is, but one principal inertia exceeds the sum of the others */
  RBV_BODY_FLAT      /* on the boundary to rounding: a point, a rod or a plate */
} rbv_body_fault;

RBV_API const char *rbv_body_fault_name(rbv_body_fault fault); /* "triangle" */
RBV_API const char *rbv_body_fault_text(rbv_body_fault fault); /* in words */

typedef struct {
  rbv_body_fault fault;
  /*
   * Smallest second moment about the centre of mass over the mean size of the three: 1 for a
   * sphere, 0 for a plate, negative when no body is like that; the same in every frame and unit.
   * Not larger than zero when the mass is not positive; NaN when a parameter is not finite.
   */
  double margin;
  double mass;
  double centre[3];    /* of mass [m]; NaN unless the mass is positive */
  double principal[3]; /* inertia about it, ascending [kg m^2]; NaN unless the mass is positive */
} rbv_body;

/* Pseudo-inertia, 4 x 4, of ten inertial parameters; and back. */
RBV_API void rbv_body_pseudo(double P[16], const double phi[RBV_INERTIAL]);
RBV_API void rbv_body_parameters(double phi[RBV_INERTIAL], const double P[16]);

/* Judge one body. Allocates scratch for the call. */
RBV_API RBV_MUST_CHECK rbv_status rbv_body_check(rbv_body *out, const double phi[RBV_INERTIAL]);

/*
 * A drive column that cannot be negative: Ia, Fv, Fc and their kin. Where a motor turns several
 * joints, it is the symmetric matrix of the coupled columns that may not have a negative
 * eigenvalue.
 */
typedef struct {
  int column;
  double value;
  bool coupled;
  bool consistent;
} rbv_drive;

typedef struct {
  int nbody; /* joints, and one for the payload */
  rbv_body *body;
  int ndrive;
  rbv_drive *drive;
  int faults; /* bodies and drives that are not consistent */
  void *memory;
} rbv_consistency;

/* Judge standard parameters, one per column of the model. */
RBV_API RBV_MUST_CHECK rbv_status rbv_consistency_new(rbv_consistency **out, const rbv_model *model,
                                                      const double *chi);
RBV_API void rbv_consistency_free(rbv_consistency *consistency);

/* ---- from base to standard parameters ---- */

/* All mass within an ellipsoid: centre + axes z, |z| <= 1. All axes zero: not known. */
typedef struct {
  double centre[3]; /* in the body's frame [m] */
  double axes[9];   /* columns are the half axes [m] */
} rbv_ellipsoid;

/*
 * Ellipsoids around the links' capsules (rbv_model_capsule): through the corners of the box that
 * holds them, along the longest. One per body, joints first; without capsules, and of a payload:
 * not known.
 */
RBV_API void rbv_consistency_bounds(rbv_ellipsoid *out, const rbv_model *model);

/*
 * The same from a YAML file: `bounds`, a list of {link, centre, half_axes}, link 1 the one that the
 * first joint moves, half axes along those of its frame [m].
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_consistency_load_bounds(rbv_ellipsoid *out,
                                                              const rbv_model *model,
                                                              const char *path);

typedef struct {
  double weight;              /* mu, of the divergence to the prior, in units of chi-square; > 0 */
  double gap;                 /* of objective to optimum that is certified at the end; > 0 */
  int iterations;             /* steps at most; 10 to 60 are usual */
  double total_mass;          /* of all links without payload [kg]; 0: not known */
  const rbv_ellipsoid *bound; /* one per body, NULL: none */
} rbv_consistency_options;

/* weight 1e-4, gap 1e-8: the prior decides only what the estimate leaves open. */
RBV_API rbv_consistency_options rbv_consistency_defaults(void);

/* A base estimate, as rbv_estimate and rbv_base have it. */
typedef struct {
  int count;                /* base parameters */
  const double *value;      /* count */
  const double *covariance; /* count square; a row whose variance is infinite or NaN is left out.
                               NULL: every value known to a hundredth of the typical size of its
                               kind */
  const double *relation;   /* count x columns, column-major: value = relation * chi. Every row has
                               a column of its own, with 1 in that row and 0 in the others */
} rbv_consistency_input;

typedef enum {
  RBV_PRIOR_GIVEN,
  RBV_PRIOR_GEOMETRIC, /* none was given: a solid of the link's own length */
  RBV_PRIOR_REPLACED   /* the one given is not consistent: a solid of its mass instead */
} rbv_prior_kind;

RBV_API const char *rbv_prior_kind_name(rbv_prior_kind kind); /* "given", ... */

/* Standard parameters and their certificate; read-only for the user. */
typedef struct {
  int ncolumn, count, nbody;
  double *chi;         /* ncolumn: standard parameters, consistent */
  double *value;       /* count: the base values that belong to them */
  double *moved_sigma; /* count: by how many sigma they moved; 0 where there is no sigma */
  double largest_move; /* of these in size */
  double chi2;         /* (x - K chi)' inv(C) (x - K chi) */
  double divergence;   /* to the prior, summed over bodies and drives; also what holds columns
                          that neither the estimate nor a bound determines */
  double objective;    /* chi2 + weight * divergence */
  double gap;          /* objective - optimum is not larger */
  double weight;       /* mu that was used */
  rbv_body *body;      /* nbody */
  bool *body_active;   /* nbody: consistency (or its ellipsoid) holds the estimate back */
  bool *active;        /* ncolumn: drive column at its bound */
  int nactive;         /* bodies and drive columns */
  double *prior;       /* ncolumn: as it was used */
  rbv_prior_kind *prior_kind; /* nbody */
  int iterations;
  bool converged;
  void *memory;
} rbv_standard;

/*
 * Minimise (x - K chi)' inv(C) (x - K chi) + mu D(chi | prior) over consistent parameters, D the
 * log-det divergence tr(P0^-1 P) - log det(P0^-1 P) - 4 of every body (entropic; Lee, Wensing and
 * Park 2020) and its scalar form for drive columns. A primal-dual interior-point method; all steps
 * are the same in every unit. The value it returns is at the same time the constrained weighted
 * least-squares estimate: with C of a fit, the first term is what its cost rises by.
 *
 *   prior    in  one value per column (CAD, URDF), NULL: none
 *   options  in  NULL for the defaults
 *
 * Not converged is an outcome; what came so far is consistent all the same. RBV_ENUM when the
 * covariance is not positive definite, RBV_EINPUT when the input contradicts itself.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_consistency_solve(rbv_standard **out, const rbv_model *model,
                                                        const rbv_consistency_input *input,
                                                        const double *prior,
                                                        const rbv_consistency_options *options);
RBV_API void rbv_standard_free(rbv_standard *standard);

#ifdef __cplusplus
}
#endif
#endif
