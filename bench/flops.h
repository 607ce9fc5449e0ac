/* Number of additions and multiplications of the batched regressor, and the peak speed of this
 * processor. */
#ifndef BENCH_FLOPS_H
#define BENCH_FLOPS_H

#include "peer.h"

/* per sample, counted from the formulas in src/dynamics; a fused multiply-add counts as two */
int regressor_flops(const peer_chain *chain);

#define PEAK_KFLOPS 4800  // thousands of flops in one run

/* True if this processor has 256-bit fused multiply-adds; a run of these instructions only. */
int peak_known(void);
void peak_run(void *unused);

#endif
