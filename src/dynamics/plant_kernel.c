#include "dynamics/plant_kernel.h"

const plant_kernel *rbv_plant_kernel(int width) {
  return width == 8   ? &rbv_plant_kernel_w8
         : width == 4 ? &rbv_plant_kernel_w4
         : width == 2 ? &rbv_plant_kernel_w2
                      : &rbv_plant_kernel_w1;
}
