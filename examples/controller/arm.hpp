// The generated code of an arm as a C++ class. Make arm.c and arm.h first:
//
//   roberval export result.json --format c -o arm.c
#pragma once

#include <array>

#include "arm.h"

namespace example {

class Arm {
 public:
  static constexpr int joints = ARM_JOINTS;
  using Vector = std::array<double, joints>;
  using Matrix = std::array<double, joints * joints>;  // column-major

  Arm() { arm_observer_start(&observer_); }

  static Vector inverse_dynamics(const Vector &q, const Vector &dq, const Vector &ddq) {
    Vector tau;
    arm_inverse_dynamics(tau.data(), q.data(), dq.data(), ddq.data());
    return tau;
  }

  static Vector gravity(const Vector &q) {
    Vector tau;
    arm_gravity(tau.data(), q.data());
    return tau;
  }

  static Vector friction(const Vector &dq) {
    Vector tau;
    arm_friction(tau.data(), dq.data());
    return tau;
  }

  static Matrix mass(const Vector &q) {
    Matrix M;
    arm_mass_matrix(M.data(), q.data());
    return M;
  }

  // false: the mass matrix is not positive definite
  static bool forward_dynamics(Vector &ddq, const Vector &q, const Vector &dq, const Vector &tau) {
    return arm_forward_dynamics(ddq.data(), q.data(), dq.data(), tau.data()) != 0;
  }

  // one control cycle; the joint with a contact, -1: none, ARM_REFUSED or ARM_RESTARTED: not known
  int observe(const Vector &q, const Vector &dq, const Vector &tau, double dt) {
    return arm_observe(&observer_, q.data(), dq.data(), tau.data(), dt);
  }

  double residual(int joint) const { return observer_.residual[joint]; }
  void set_limit(int joint, double limit) { observer_.limit[joint] = limit; }

 private:
  arm_observer observer_;
};

}  // namespace example
