/* What the files of mechanism.h share. */
#ifndef TEST_MECHANISM_INTERNAL_H
#define TEST_MECHANISM_INTERNAL_H

#include "mechanism.h"

#define TURN 6.283185307179586
#define N MECHANISM_JOINTS
#define ROWS MECHANISM_ROWS

typedef struct {
  double R[N][3][3], p[N][3], axis[N][3];      // in the world
  double w[N][3], v[N][3], al[N][3], a[N][3];  // accelerations at ddq = 0, without gravity
} placed;

void mechanism_cross(double o[3], const double a[3], const double b[3]);
double mechanism_dot(const double a[3], const double b[3]);
void mechanism_turn(double o[3], double R[3][3], const double a[3]);
void mechanism_multiply(double o[3][3], double A[3][3], double B[3][3]);
void mechanism_about(double R[3][3], const double axis[3], double angle);
void mechanism_place(placed *x, const mechanism *m, const double *q, const double *dq);

#endif
