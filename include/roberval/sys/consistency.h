/*
 * consistency: physical consistency of inertial and drive parameters, and computation of consistent
 * standard parameters that agree with a base estimate as closely as consistency permits.
 *
 * A body with parameters XX XY XZ YY YZ ZZ MX MY MZ M at the origin of its frame can exist if its
 * pseudo-inertia (Wensing, Kim and Slotine, 2018, eq. 9)
 *
 *     P = [ S  h ]     h = (MX MY MZ),  S = (tr(I)/2) 1 - I:  second moments, integral of x x' dm
 *         [ h' M ]
 *
 * is positive definite. That is: the mass is positive, the inertia about the centre of mass is
 * positive definite, and its principal values satisfy the triangle inequality. Equations:
 * docs/theory/physical-consistency.md.
 */
#ifndef ROBERVAL_SYS_CONSISTENCY_H
#define ROBERVAL_SYS_CONSISTENCY_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

RBV_BEGIN_C

/* ---- consistency ---- */

typedef enum {
  RBV_BODY_CONSISTENT,
  RBV_BODY_NOT_FINITE,
  RBV_BODY_MASS,     /* the mass is not positive */
  RBV_BODY_INERTIA,  /* the inertia about the centre of mass is not positive definite */
  RBV_BODY_TRIANGLE, /* positive definite, but one principal inertia exceeds the sum of the others
                      */
  RBV_BODY_FLAT      /* on the boundary to rounding: a point, a rod or a plate */
} rbv_body_fault;

typedef struct {
  rbv_body_fault fault;
  /*
   * Smallest second moment about the centre of mass divided by the mean of the three magnitudes: 1
   * for a sphere, 0 for a plate, negative if no such body exists; independent of frame and units.
   * Zero or negative if the mass is not positive; NaN if a parameter is not finite.
   */
  double margin;
  double mass;
  double centre[3];    /* of mass [m]; NaN unless the mass is positive */
  double principal[3]; /* inertia about it, ascending [kg m^2]; NaN unless the mass is positive */
} rbv_body;

/* ---- from base to standard parameters ---- */

/* Ellipsoid that contains all mass of a body: centre + axes z, |z| <= 1. All axes
 * zero: not known. */
typedef struct {
  double centre[3]; /* in the body's frame [m] */
  double axes[9];   /* columns are the half axes [m] */
} rbv_ellipsoid;

typedef struct {
  double weight;       /* mu, of the divergence of a body from its prior; > 0 */
  double mass_weight;  /* nu, of the divergence of the mass alone; 0: none */
  double drive_weight; /* of the divergence of a drive column; > 0 */
  double variance;     /* factor of the covariance of the estimate; > 0 */
  double gap;          /* certified bound of objective - optimum at which the iteration ends; > 0 */
  int iterations;      /* largest number of steps; 10 to 60 are usual */
  double total_mass;   /* of all links without payload [kg]; 0: not known */
  const rbv_ellipsoid *bound; /* one per body, NULL: none */
} rbv_consistency_options;

/* A base estimate, as in rbv_estimate and rbv_base. */
typedef struct {
  int count;                /* base parameters */
  const double *value;      /* count */
  const double *covariance; /* count square; a row with infinite or NaN variance is not used. NULL:
                               sigma of every value is 1 % of the typical size of its kind */
  const double *relation;   /* count x columns, column-major: value = relation * chi. Every row has
                               its own column, with 1 in that row and 0 in the others */
} rbv_consistency_input;

typedef enum {
  RBV_PRIOR_GIVEN,
  RBV_PRIOR_ASSUMED, /* none was given: a solid of the size of the link, with half the weights */
  RBV_PRIOR_REPLACED /* the given one is not consistent: a solid with its mass */
} rbv_prior_kind;

/* Consistent standard parameters and the certificate of the solution; read-only for the user. */
typedef struct {
  int ncolumn, count, nbody;
  double *chi;         /* ncolumn: standard parameters, consistent */
  double *value;       /* count: base values computed from chi */
  double *moved_sigma; /* count: change of the base values in sigma; 0 where there is no sigma */
  double largest_move; /* largest magnitude of moved_sigma */
  double chi2;         /* (x - K chi)' inv(C) (x - K chi) */
  double variance;     /* factor of C */
  double prior_cost; /* weighted divergences, summed over bodies and drives; includes the terms for
                        columns that neither the estimate nor a bound determines */
  double objective;  /* chi2 / variance + prior_cost */
  double gap;        /* objective - optimum is at most this */
  double weight, mass_weight; /* mu, nu */
  /*
   * Posterior standard deviation of each parameter, and the share of it that the data know:
   * 1 - posterior variance / prior variance, with the curvature of the prior at the result. 0: the
   * value is that of the prior; 1: the prior has no influence. Infinite sigma: nothing is known.
   */
  double *sigma, *known;               /* ncolumn */
  double *covariance;                  /* count square: posterior, of the base values */
  double *centre_sigma, *centre_known; /* nbody x 3, row by row: of the centres of mass */
  int *of;                             /* nbody: body of the model; some have no parameters */
  int *mass_column;           /* nbody: column of the mass; the other nine parameters precede it */
  rbv_body *body;             /* nbody */
  bool *body_active;          /* nbody: consistency (or the ellipsoid) changes the estimate */
  bool *active;               /* ncolumn: the drive column is at its bound */
  int nactive;                /* number of active bodies and drive columns */
  double *prior;              /* ncolumn: the prior that was used */
  rbv_prior_kind *prior_kind; /* nbody */
  int iterations;
  bool converged;
} rbv_standard;

/*
 * Minimise (x - K chi)' inv(C) (x - K chi) / variance + sum of weight D(chi | prior) over
 * consistent parameters. D is the log-det divergence tr(P0^-1 P) - log det(P0^-1 P) - 4 of every
 * body (entropic; Lee, Wensing and Park 2020) and its scalar form for masses and drive columns. The
 * method is a primal-dual interior-point method; its steps do not depend on the units. The result
 * is also the constrained weighted least-squares estimate: if C is the covariance of a fit, the
 * first term is the increase of its cost.
 *
 * A drive column without effect on the estimate keeps the value of the prior, or 0 if there is
 * none.
 *
 *   prior    in  one value per column (CAD, URDF), NULL: none. Gyration radii of the bodies are
 *                limited to sizes that a link of this robot can have
 *   options  in  NULL: the defaults
 *
 * If the iteration does not converge, RBV_OK is returned with converged = false, and the parameters
 * are still consistent. RBV_ENUM if the covariance is not positive definite, RBV_EINPUT if the
 * input is contradictory.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_consistency_solve(rbv_standard **out, const rbv_model *model,
                                                        const rbv_consistency_input *input,
                                                        const double *prior,
                                                        const rbv_consistency_options *options);
RBV_API void rbv_standard_free(rbv_standard *standard);

RBV_END_C
#endif
