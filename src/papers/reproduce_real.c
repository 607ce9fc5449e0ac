/* Public recordings of real robots: the TX40 of two papers, and the benchmark EMPS. */
#include <math.h>

#include "papers/papers_internal.h"

rbv_status rbv_reproduce_tx40(rbv_reproduction *r, const rbv_reproduce_options *o) {
  (void)o;
  return rbv_reproduction_cannot(r, "-", NAN, NAN, "", "no recording", "recording");
}
rbv_status rbv_reproduce_emps(rbv_reproduction *r, const rbv_reproduce_options *o) {
  (void)o;
  return rbv_reproduction_cannot(r, "-", NAN, NAN, "", "no recording", "recording");
}
