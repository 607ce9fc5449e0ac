/* Joints of all kinds, and all laws that a device has. */
#ifndef TESTS_EXCITE_ODD_ARM_H
#define TESTS_EXCITE_ODD_ARM_H

static const char odd_arm[] =
    "name: odd\n"
    "gravity: [0.5, -1, -9.7]\n"
    "friction: {gamma: 200, stribeck: 0.2, knee: 0.3}\n"
    "joints:\n"
    "  - {mdh: {alpha: 0.3, d: 0.1, theta: 0.2, r: 0.3}, drive: [Ia, Fv, Fc, Fs, off]}\n"
    "  - {type: prismatic, mdh: {alpha: 1.1, d: 0.2, theta: -0.4, r: 0.1}, drive: [Ia, Fv, Fc]}\n"
    "  - {mdh: {alpha: -0.8, d: 0.15, theta: 0.1, r: -0.2}, drive: [Ia, Fv, Fc, Fsq]}\n"
    "  - {mdh: {alpha: pi/2, d: 0.05, theta: 0.6, r: 0.1}, drive: [Ia, Fv, Fcp, Fcn, Fcu]}\n";

#endif
