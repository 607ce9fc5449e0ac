// Stub of the ROS 2 interface for tests, written for this test: the virtual functions that a plug-in
// has to provide.
#pragma once
#include <Eigen/Core>
#include <rclcpp/node_interfaces/node_parameters_interface.hpp>
#include <string>
namespace inverse_dynamics_solver {
struct InverseDynamicsSolver {
  using Parameters = rclcpp::node_interfaces::NodeParametersInterface::ConstSharedPtr;
  using Vector = Eigen::VectorXd;
  virtual ~InverseDynamicsSolver() = default;
  virtual void initialize(Parameters, const std::string &, const std::string &) = 0;
  virtual Eigen::MatrixXd getInertiaMatrix(const Vector &) const = 0;
  virtual Vector getCoriolisVector(const Vector &, const Vector &) const = 0;
  virtual Vector getGravityVector(const Vector &) const = 0;
  virtual Vector getFrictionVector(const Vector &) const = 0;
  virtual Vector getTorques(const Vector &, const Vector &, const Vector &) const = 0;
};
}  // namespace inverse_dynamics_solver
