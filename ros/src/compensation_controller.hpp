// Gravity and friction compensation of an identified arm, from the C code of `roberval export`.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "arm.h"
#include "controller_interface/controller_interface.hpp"

namespace roberval_compensation {

using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;

/*
 * Commands efforts: gravity_share x gravity and offsets, plus friction_share x the dry friction in
 * the direction of the motion, within effort_limits. Reads position and velocity of every joint.
 * A cycle whose state is not finite repeats the last command; after kMostBadCycles of them in
 * succession the controller commands no torque but the last gravity, and reports an error, so that
 * the controller manager stops it.
 */
class CompensationController : public controller_interface::ControllerInterface {
 public:
  static constexpr int kJoints = ARM_JOINTS;
  static constexpr int kMostBadCycles = 10;

  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  CallbackReturn on_init() override;
  CallbackReturn on_configure(const rclcpp_lifecycle::State &previous) override;
  CallbackReturn on_activate(const rclcpp_lifecycle::State &previous) override;
  CallbackReturn on_deactivate(const rclcpp_lifecycle::State &previous) override;
  controller_interface::return_type update(const rclcpp::Time &time,
                                           const rclcpp::Duration &period) override;

 private:
  std::vector<std::string> names(const char *interface) const;
  bool read();     // the state of all joints is finite
  void compute();  // gravity_, command_
  void write(const std::array<double, kJoints> &effort);

  std::vector<std::string> joints_;
  std::vector<double> limits_;
  double gravity_share_ = 1, friction_share_ = 0;
  std::array<double, kJoints> q_{}, dq_{}, gravity_{}, command_{};
  int bad_cycles_ = 0;
};

}  // namespace roberval_compensation
