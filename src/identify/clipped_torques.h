/*
 * Torques that are clipped around one estimate after the other (irls). The torques and the filtered
 * rows of W are stored if they are not too large: each iteration then predicts, clips and filters
 * the torques alone.
 */
#ifndef IDENTIFY_CLIPPED_TORQUES_H
#define IDENTIFY_CLIPPED_TORQUES_H

#include "identify/identify_internal.h"

/* Before the equations are built for the first time: r->clipping. */
RBV_MUST_CHECK rbv_status rbv_clipping_new(identify_run *r);
void rbv_clipping_free(identify_run *r);

/* The estimate around which the torques are clipped next, from those of the last iterations:
 * e->value and e->chi. The first one is kept. */
RBV_MUST_CHECK rbv_status rbv_clipping_next(identify_run *r, rbv_estimate *e);

/* Clip the torques around the estimate and build the equations again; r->slope becomes the share of
 * the torques that are not clipped. The limits follow from the median residual at the full rate,
 * which outliers do not affect. */
RBV_MUST_CHECK rbv_status rbv_clipping_apply(identify_run *r, const rbv_estimate *e);

/* The equations with the measured torques. */
RBV_MUST_CHECK rbv_status rbv_clipping_remove(identify_run *r);

/* Residuals of all samples with this estimate, for the following functions. */
RBV_MUST_CHECK rbv_status rbv_clipping_predict(identify_run *r, const double *chi);

/* Their sigma by rows, which outliers do not affect: nrow, owned by r->clipping. */
const double *rbv_clipping_spread(const identify_run *r);

/* Visit their valid samples, without a filter. mask: samples are left out at which a joint is
 * slower, as in rbv_row_filter. chi: as above. */
RBV_MUST_CHECK rbv_status rbv_clipping_replay(const identify_run *r, const double *chi, double mask,
                                              rbv_replay_visit *visit, void *self);

#endif
