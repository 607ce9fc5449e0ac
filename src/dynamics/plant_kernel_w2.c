#define WIDTH 2
#define KERNEL rbv_plant_kernel_w2
#include "dynamics/plant_kernel.inc"
