/* What other modules of the library use of consistency, beside its public header. */
#ifndef CONSISTENCY_CONSISTENCY_H
#define CONSISTENCY_CONSISTENCY_H

#include <roberval/sys/consistency.h>

/* ---- consistency ---- */

/* True if the drive column must not be negative, alone or in a coupled matrix. */
bool rbv_drive_bounded(const rbv_column *column);

const char *rbv_body_fault_name(rbv_body_fault fault); /* "triangle" */
const char *rbv_body_fault_text(rbv_body_fault fault); /* as a phrase */

/* Pseudo-inertia, 4 x 4, of ten inertial parameters, and back. */
void rbv_body_pseudo(double P[16], const double phi[RBV_INERTIAL]);
void rbv_body_parameters(double phi[RBV_INERTIAL], const double P[16]);

/* Check one body. Allocates working memory for the call. */
RBV_MUST_CHECK rbv_status rbv_body_check(rbv_body *out, const double phi[RBV_INERTIAL]);

/*
 * A drive column that must not be negative: Ia, Fv, Fc and similar. If a motor turns several
 * joints, the columns are coupled: then their symmetric matrix must not have a negative eigenvalue.
 */
typedef struct {
  int column;
  double value;
  bool coupled;
  bool consistent;
} rbv_drive;

typedef struct {
  int nbody; /* bodies with parameters, plus one for the payload */
  rbv_body *body;
  int ndrive;
  rbv_drive *drive;
  int faults; /* number of bodies and drives that are not consistent */
} rbv_consistency;

/* Check standard parameters, one per column of the model. */
RBV_MUST_CHECK rbv_status rbv_consistency_new(rbv_consistency **out, const rbv_model *model,
                                              const double *chi);
void rbv_consistency_free(rbv_consistency *consistency);

/* ---- from base to standard parameters ---- */

/*
 * Ellipsoids around the capsules of the links (rbv_model_capsule): each passes through the corners
 * of the box that contains the capsules and is aligned with the longest one. out: one per body,
 * joints first; not known for a link without capsules and for a payload.
 */
void rbv_consistency_bounds(rbv_ellipsoid *out, const rbv_model *model);

/*
 * The same from a YAML file with the key `bounds`, a list of {link, centre, half_axes}. Link 1 is
 * the link that the first joint moves; half axes are along the axes of the link frame [m].
 */
RBV_MUST_CHECK rbv_status rbv_consistency_load_bounds(rbv_ellipsoid *out, const rbv_model *model,
                                                      const char *path);

/* Weights 1e-4, 0 and 1e-4, variance 1, gap 1e-8, 1000 iterations. With these weights the prior
 * decides only what the estimate leaves undetermined: the nearest consistent parameters. */
rbv_consistency_options rbv_consistency_defaults(void);

const char *rbv_prior_kind_name(rbv_prior_kind kind); /* "given", ... */

/*
 * The same with weights that mean a tolerance of the prior: mass +-26 %, centre of mass +-0.32
 * gyration radii; +-37 % and +-0.45 for assumed bodies. The variance is inflation^2, or larger if
 * no consistent parameters fit the estimate that well: the misfit of the nearest consistent
 * parameters divided by the number of base parameters. Active constraints are those of these
 * parameters.
 *
 *   inflation  in  factor of the standard deviations of the estimate, for coloured residuals; >= 1
 *   options    in  gap, iterations, total_mass and bound are used; NULL: the defaults
 *
 * moved_sigma is in units of inflation times the sigma of the estimate.
 */
RBV_MUST_CHECK rbv_status rbv_consistency_bodies(rbv_standard **out, const rbv_model *model,
                                                 const rbv_consistency_input *input,
                                                 double inflation, const double *prior,
                                                 const rbv_consistency_options *options);

#endif
