#define WIDTH 8
#define KERNEL rbv_plant_kernel_w8
#include "dynamics/plant_kernel.inc"
