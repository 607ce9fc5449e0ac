#include "study/reproduce.h"
rbv_status rbv_reproduce_didim(rbv_reproduction *r, const rbv_reproduce_options *o) { (void)r; (void)o; return RBV_OK; }
