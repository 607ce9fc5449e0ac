// Gravity compensation and computed torque against a simulated plant, which is the identified arm
// itself. A push on joint 2 during the motion is found by the momentum observer.
//
//   c++ -std=c++17 computed_torque.cpp arm.c -lm && ./a.out
#include <cmath>
#include <cstdio>

#include "arm.hpp"

using example::Arm;

namespace {

constexpr double cycle = 1e-3;  // [s]
constexpr int substeps = 4;

// one control cycle of the plant with constant torque; semi-implicit Euler
bool step(Arm::Vector &q, Arm::Vector &dq, const Arm::Vector &tau) {
  for (int i = 0; i < substeps; i++) {
    Arm::Vector ddq;
    if (!Arm::forward_dynamics(ddq, q, dq, tau)) return false;
    for (std::size_t j = 0; j < q.size(); j++) {
      dq[j] += ddq[j] * cycle / substeps;
      q[j] += dq[j] * cycle / substeps;
    }
  }
  return true;
}

// drift of an arm that is held by gravity compensation with damping alone [rad or m]
double hold() {
  Arm::Vector q, dq{}, start;
  for (std::size_t j = 0; j < q.size(); j++) q[j] = 0.3 + 0.1 * static_cast<double>(j);
  start = q;
  for (int k = 0; k < 1000; k++) {
    Arm::Vector tau = Arm::gravity(q);
    const Arm::Vector rest = Arm::friction(Arm::Vector{});  // offsets
    for (std::size_t j = 0; j < q.size(); j++) tau[j] += rest[j] - 0.5 * dq[j];
    if (!step(q, dq, tau)) return INFINITY;
  }
  double most = 0;
  for (std::size_t j = 0; j < q.size(); j++) most = std::fmax(most, std::fabs(q[j] - start[j]));
  return most;
}

// largest error of computed torque along sines; *found: time until the push is seen [s]
double track(double *found) {
  constexpr double kp = 900, kd = 60;
  Arm arm;
  Arm::Vector q, dq;
  double most = 0;
  *found = INFINITY;
  for (int j = 0; j < Arm::joints; j++) arm.set_limit(j, 2);
  for (int k = 0; k < 3000; k++) {
    const double t = k * cycle;
    Arm::Vector want, wanted_speed, command;
    for (std::size_t j = 0; j < q.size(); j++) {
      const double w = 2 + 0.2 * static_cast<double>(j), phase = static_cast<double>(j);
      want[j] = 0.3 * std::sin(w * t + phase);
      wanted_speed[j] = 0.3 * w * std::cos(w * t + phase);
      command[j] = -0.3 * w * w * std::sin(w * t + phase);
    }
    if (k == 0) {
      q = want;
      dq = wanted_speed;
    }
    for (std::size_t j = 0; j < q.size(); j++)
      command[j] += kp * (want[j] - q[j]) + kd * (wanted_speed[j] - dq[j]);
    const Arm::Vector tau = Arm::inverse_dynamics(q, dq, command);
    const bool pushed = t >= 2 && t < 2.2;
    if (!pushed && t < 2)
      for (std::size_t j = 0; j < q.size(); j++) most = std::fmax(most, std::fabs(want[j] - q[j]));
    Arm::Vector applied = tau;
    if (pushed) applied[1] += 10;  // from outside; the controller does not know it
    if (!step(q, dq, applied)) return INFINITY;
    if (arm.observe(q, dq, tau, cycle) == 1 && pushed && !std::isfinite(*found)) *found = t - 2;
  }
  return most;
}

}  // namespace

int main() {
  double found;
  const double drift = hold(), error = track(&found);
  std::printf("gravity compensation: moved by %.2g in 1 s\n", drift);
  std::printf("computed torque: largest error %.2g; push of 10 N m found after %.0f ms\n", error,
              1e3 * found);
  return drift < 0.05 && error < 5e-3 && found < 0.03 ? 0 : 1;
}
