/* Search for coupled drives in recordings on a regular grid. */
#ifndef CHECK_COUPLING_SEARCH_H
#define CHECK_COUPLING_SEARCH_H

#include <roberval/sys/check.h>

#include "check/coupling_equations.h"

/* The couplings that the recordings confirm and the model lacks: at most one less than joints.
 * None is found if the torques are not those of the motors. */
rbv_status rbv_coupling_search(rbv_coupling *out, int *count, const rbv_model *m, const signals *s,
                               int ns);

#endif
