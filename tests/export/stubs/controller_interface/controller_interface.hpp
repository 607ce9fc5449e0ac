// Stub of ros2_control for tests: what a controller uses of it, with the types and names of the
// headers of ROS 2 Humble.
#pragma once
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#define RCLCPP_ERROR(logger, ...) ((void)(logger), std::fprintf(stderr, __VA_ARGS__), std::fputc('\n', stderr))

namespace rclcpp {
class Time {};
class Duration {};
class Logger {};
using Value = std::variant<double, std::vector<double>, std::vector<std::string>>;
class Parameter {
 public:
  explicit Parameter(Value value) : value_(std::move(value)) {}
  double as_double() const { return std::get<double>(value_); }
  std::vector<double> as_double_array() const { return std::get<std::vector<double>>(value_); }
  std::vector<std::string> as_string_array() const { return std::get<std::vector<std::string>>(value_); }

 private:
  Value value_;
};
}  // namespace rclcpp

namespace rclcpp_lifecycle {
class State {};
namespace node_interfaces {
class LifecycleNodeInterface {
 public:
  enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
  virtual ~LifecycleNodeInterface() = default;
  virtual CallbackReturn on_configure(const State &) { return CallbackReturn::SUCCESS; }
  virtual CallbackReturn on_activate(const State &) { return CallbackReturn::SUCCESS; }
  virtual CallbackReturn on_deactivate(const State &) { return CallbackReturn::SUCCESS; }
};
}  // namespace node_interfaces
class LifecycleNode {
 public:
  rclcpp::Parameter get_parameter(const std::string &name) const { return rclcpp::Parameter(values.at(name)); }
  rclcpp::Logger get_logger() const { return {}; }
  std::map<std::string, rclcpp::Value> values;
};
}  // namespace rclcpp_lifecycle

namespace hardware_interface {
class LoanedStateInterface {
 public:
  double get_value() const { return value; }
  double value = 0;
};
class LoanedCommandInterface {
 public:
  void set_value(double x) { value = x; }
  double value = 0;
};
}  // namespace hardware_interface

namespace controller_interface {
enum class return_type { OK, ERROR };
enum class interface_configuration_type { ALL, INDIVIDUAL, NONE };
struct InterfaceConfiguration {
  interface_configuration_type type;
  std::vector<std::string> names;
};
class ControllerInterface : public rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface {
 public:
  virtual InterfaceConfiguration command_interface_configuration() const = 0;
  virtual InterfaceConfiguration state_interface_configuration() const = 0;
  virtual CallbackReturn on_init() = 0;
  virtual return_type update(const rclcpp::Time &time, const rclcpp::Duration &period) = 0;
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> get_node() const { return node_; }
  std::vector<hardware_interface::LoanedStateInterface> state_interfaces_;
  std::vector<hardware_interface::LoanedCommandInterface> command_interfaces_;

 protected:
  template <typename T>
  void auto_declare(const std::string &name, const T &value) {
    node_->values.emplace(name, value);
  }

 private:
  std::shared_ptr<rclcpp_lifecycle::LifecycleNode> node_ = std::make_shared<rclcpp_lifecycle::LifecycleNode>();
};
}  // namespace controller_interface
