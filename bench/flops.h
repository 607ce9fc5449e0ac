/* Additions and multiplications of the batched regressor, and how fast this processor can do any.
 */
#ifndef BENCH_FLOPS_H
#define BENCH_FLOPS_H

#include "peer.h"

/* per sample, by the algebra as it is written in src/dynamics; a fused pair counts as two */
int regressor_flops(const peer_chain *chain);

#define PEAK_KFLOPS 4800  // thousands in one run

/* Whether fused multiply-adds on 256 bits run here, and a run of nothing else. */
int peak_known(void);
void peak_run(void *unused);

#endif
