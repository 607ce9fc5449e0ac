#define WIDTH 4
#define KERNEL rbv_plant_kernel_w4
#include "dynamics/plant_kernel.inc"
