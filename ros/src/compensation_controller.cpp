#include "compensation_controller.hpp"

#include <algorithm>
#include <cmath>

#include "hardware_interface/types/hardware_interface_type_values.hpp"
#include "pluginlib/class_list_macros.hpp"

namespace roberval_compensation {

std::vector<std::string> CompensationController::names(const char *interface) const {
  std::vector<std::string> all;
  for (const std::string &joint : joints_) all.push_back(joint + "/" + interface);
  return all;
}

controller_interface::InterfaceConfiguration
CompensationController::command_interface_configuration() const {
  return {controller_interface::interface_configuration_type::INDIVIDUAL,
          names(hardware_interface::HW_IF_EFFORT)};
}

// positions of all joints, then their velocities
controller_interface::InterfaceConfiguration CompensationController::state_interface_configuration()
    const {
  std::vector<std::string> all = names(hardware_interface::HW_IF_POSITION);
  for (const std::string &name : names(hardware_interface::HW_IF_VELOCITY)) all.push_back(name);
  return {controller_interface::interface_configuration_type::INDIVIDUAL, all};
}

CallbackReturn CompensationController::on_init() {
  auto_declare<std::vector<std::string>>("joints", {});
  auto_declare<std::vector<double>>("effort_limits", {});
  auto_declare<double>("gravity_share", 1.0);
  auto_declare<double>("friction_share", 0.5);
  return CallbackReturn::SUCCESS;
}

CallbackReturn CompensationController::on_configure(const rclcpp_lifecycle::State &) {
  joints_ = get_node()->get_parameter("joints").as_string_array();
  limits_ = get_node()->get_parameter("effort_limits").as_double_array();
  gravity_share_ = get_node()->get_parameter("gravity_share").as_double();
  friction_share_ = get_node()->get_parameter("friction_share").as_double();
  if (joints_.size() != kJoints || limits_.size() != kJoints) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "joints and effort_limits need %d values, in the order of the robot file",
                 kJoints);
    return CallbackReturn::ERROR;
  }
  const bool limited = std::all_of(limits_.begin(), limits_.end(),
                                   [](double limit) { return std::isfinite(limit) && limit > 0; });
  if (!limited || !(gravity_share_ >= 0 && gravity_share_ <= 1) ||
      !(friction_share_ >= 0 && friction_share_ <= 1)) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "effort_limits must be positive, and shares between 0 and %d", 1);
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

CallbackReturn CompensationController::on_activate(const rclcpp_lifecycle::State &) {
  if (command_interfaces_.size() != kJoints || state_interfaces_.size() != 2 * kJoints) {
    RCLCPP_ERROR(get_node()->get_logger(),
                 "the hardware does not have effort, position and velocity of %d joints", kJoints);
    return CallbackReturn::ERROR;
  }
  bad_cycles_ = 0;
  if (!read()) return CallbackReturn::ERROR;
  compute();
  return CallbackReturn::SUCCESS;
}

// gravity alone: an arm that is let go does not fall before its brakes close
CallbackReturn CompensationController::on_deactivate(const rclcpp_lifecycle::State &) {
  write(gravity_);
  return CallbackReturn::SUCCESS;
}

bool CompensationController::read() {
  std::array<double, kJoints> q, dq;
  for (int j = 0; j < kJoints; j++) {
    q[j] = state_interfaces_[j].get_value();
    dq[j] = state_interfaces_[j + kJoints].get_value();
    if (!std::isfinite(q[j]) || !std::isfinite(dq[j])) return false;
  }
  q_ = q;
  dq_ = dq;
  return true;
}

void CompensationController::compute() {
  std::array<double, kJoints> gravity, offset, friction;
  const std::array<double, kJoints> rest{};
  arm_gravity(gravity.data(), q_.data());
  arm_friction(offset.data(), rest.data());
  arm_stiction(friction.data(), dq_.data(), dq_.data());
  for (int j = 0; j < kJoints; j++) {
    const auto within = [&](double effort) { return std::clamp(effort, -limits_[j], limits_[j]); };
    const double hold = gravity_share_ * (gravity[j] + offset[j]);
    if (!std::isfinite(hold + friction[j])) continue;  // angles beyond ARM_ANGLE: as before
    gravity_[j] = within(hold);
    command_[j] = within(hold + friction_share_ * friction[j]);
  }
}

void CompensationController::write(const std::array<double, kJoints> &effort) {
  for (int j = 0; j < kJoints; j++) command_interfaces_[j].set_value(effort[j]);
}

controller_interface::return_type CompensationController::update(const rclcpp::Time &,
                                                                 const rclcpp::Duration &) {
  if (read()) {
    bad_cycles_ = 0;
    compute();
  } else if (++bad_cycles_ > kMostBadCycles) {
    write(gravity_);
    return controller_interface::return_type::ERROR;
  }
  write(command_);
  return controller_interface::return_type::OK;
}

}  // namespace roberval_compensation

PLUGINLIB_EXPORT_CLASS(roberval_compensation::CompensationController,
                       controller_interface::ControllerInterface)
