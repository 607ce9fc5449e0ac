/*
 * A controller that uses the code of `roberval export --format c` for the robot of
 * docs/tutorial.md: a PD controller plus the torque of the model. The plant is the same model with
 * an additional inertia at the elbow that the controller does not know. On a real robot, call
 * `step` in each tick.
 *
 *   cc -O2 track.c two_link.c -lm -o track && ./track
 */
#include <math.h>
#include <stdio.h>

#include "two_link.h"

#define N 2

/* Compute the torques of one tick from reference and measurement. Allocates nothing. */
static void step(double tau[N], const double qr[N], const double dqr[N], const double ddqr[N],
                 const double q[N], const double dq[N], double model) {
  static const double stiff[N] = {60, 15}, damp[N] = {8, 2};
  double known[N];
  two_link_inverse_dynamics(known, qr, dqr, ddqr);
  for (int j = 0; j < N; j++)
    tau[j] = model * known[j] + stiff[j] * (qr[j] - q[j]) + damp[j] * (dqr[j] - dq[j]);
}

/* Acceleration of the plant: M ddq = tau - h. */
static void move(double ddq[N], const double tau[N], const double q[N], const double dq[N]) {
  const double rest[N] = {0}, unknown = 0.01;
  double h[N], M[N * N];
  two_link_inverse_dynamics(h, q, dq, rest);
  two_link_mass_matrix(M, q);
  for (int i = 0; i < N * N; i++) M[i] += unknown;
  const double det = M[0] * M[3] - M[1] * M[2], a = tau[0] - h[0], b = tau[1] - h[1];
  ddq[0] = (M[3] * a - M[2] * b) / det;
  ddq[1] = (M[0] * b - M[1] * a) / det;
}

/* Largest tracking error in a simulated motion of 10 s [rad]. */
static double run(double model) {
  const double tick = 1e-3, amplitude[N] = {0.8, 1.0}, omega[N] = {2, 3};
  double q[N] = {0}, dq[N] = {1.6, 3.0}, largest = 0;
  for (int k = 0; k < 10000; k++) {
    double qr[N], dqr[N], ddqr[N], tau[N], ddq[N];
    for (int j = 0; j < N; j++) {
      const double phase = omega[j] * tick * k;
      qr[j] = amplitude[j] * sin(phase);
      dqr[j] = amplitude[j] * omega[j] * cos(phase);
      ddqr[j] = -amplitude[j] * omega[j] * omega[j] * sin(phase);
      largest = fmax(largest, fabs(qr[j] - q[j]));
    }
    step(tau, qr, dqr, ddqr, q, dq, model);
    for (int sub = 0; sub < 10; sub++) {
      move(ddq, tau, q, dq);
      for (int j = 0; j < N; j++) dq[j] += 0.1 * tick * ddq[j];
      for (int j = 0; j < N; j++) q[j] += 0.1 * tick * dq[j];
    }
  }
  return largest;
}

int main(void) {
  const double without = run(0), with = run(1);
  printf("largest tracking error: %.4f rad without the model, %.4f rad with it\n", without, with);
  return with < 0.2 * without ? 0 : 1;
}
