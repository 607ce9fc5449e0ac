// A plug-in for the ROS 2 interface inverse_dynamics_solver::InverseDynamicsSolver, around the
// generated code. Register it in a plug-in description with the base class of that name.
#include <Eigen/Core>
#include <inverse_dynamics_solver/inverse_dynamics_solver.hpp>
#include <stdexcept>
#include <string>

#include "arm.hpp"

namespace example {

class IdentifiedSolver : public inverse_dynamics_solver::InverseDynamicsSolver {
 public:
  using Vector = Eigen::VectorXd;

  // the parameters are in the code: there is nothing to read, but the code must be intact
  void initialize(rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr,
                  const std::string &, const std::string &) override {
    if (arm_table_crc() != ARM_TABLE_CRC)
      throw std::runtime_error("the parameter table is damaged");
  }

  Eigen::MatrixXd getInertiaMatrix(const Vector &q) const override {
    const Arm::Matrix M = Arm::mass(array(q));
    return Eigen::Map<const Eigen::MatrixXd>(M.data(), Arm::joints, Arm::joints);
  }

  Vector getCoriolisVector(const Vector &q, const Vector &dq) const override {
    const Vector still = Vector::Zero(Arm::joints);
    return torque(q, dq, still) - getGravityVector(q) - getFrictionVector(dq);
  }

  Vector getGravityVector(const Vector &q) const override { return vector(Arm::gravity(array(q))); }

  Vector getFrictionVector(const Vector &dq) const override {
    return vector(Arm::friction(array(dq)));
  }

  // without friction, as the interface defines it
  Vector getTorques(const Vector &q, const Vector &dq, const Vector &ddq) const override {
    return torque(q, dq, ddq) - getFrictionVector(dq);
  }

 private:
  static Arm::Vector array(const Vector &x) {
    if (x.size() != Arm::joints) throw std::invalid_argument("wrong number of joints");
    Arm::Vector out;
    for (int j = 0; j < Arm::joints; j++) out[static_cast<std::size_t>(j)] = x[j];
    return out;
  }

  static Vector vector(const Arm::Vector &x) {
    return Eigen::Map<const Vector>(x.data(), Arm::joints);
  }

  static Vector torque(const Vector &q, const Vector &dq, const Vector &ddq) {
    return vector(Arm::inverse_dynamics(array(q), array(dq), array(ddq)));
  }
};

}  // namespace example

#include <pluginlib/class_list_macros.hpp>
PLUGINLIB_EXPORT_CLASS(example::IdentifiedSolver, inverse_dynamics_solver::InverseDynamicsSolver)
