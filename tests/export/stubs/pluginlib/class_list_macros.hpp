// Stub of a ROS 2 header for tests: the class must have the base, and a constructor without
// arguments.
#pragma once
#include <memory>
#define PLUGINLIB_EXPORT_CLASS(plugin, base) \
  std::unique_ptr<base> make_plugin() { return std::make_unique<plugin>(); }
