#define WIDTH 1
#define KERNEL rbv_plant_kernel_w1
#include "dynamics/plant_kernel.inc"
