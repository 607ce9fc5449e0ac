// Stub of a ROS 2 header for tests: only what the example names.
#pragma once
#include <memory>
namespace rclcpp {
namespace node_interfaces {
struct NodeParametersInterface {
  using ConstSharedPtr = std::shared_ptr<const NodeParametersInterface>;
};
}  // namespace node_interfaces
}  // namespace rclcpp
