// The controller of the package ros, through its base class: torques, limits, bad states,
// parameters.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "compensation_controller.hpp"

std::unique_ptr<controller_interface::ControllerInterface> make_plugin();

namespace {

constexpr int joints = ARM_JOINTS;
using roberval_compensation::CallbackReturn;

void check(bool right, const char *what) {
  if (right) return;
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

struct Fixture {
  std::unique_ptr<controller_interface::ControllerInterface> c = make_plugin();
  std::array<double, joints> q{}, dq{};

  Fixture() {
    check(c->on_init() == CallbackReturn::SUCCESS, "on_init");
    std::vector<std::string> names;
    for (int j = 0; j < joints; j++) names.push_back("joint" + std::to_string(j + 1));
    set("joints", names);
    set("effort_limits", std::vector<double>(joints, 1000.0));
    c->command_interfaces_.resize(joints);
    c->state_interfaces_.resize(2 * joints);
    for (int j = 0; j < joints; j++) {
      q[j] = 0.3 + 0.2 * j;
      dq[j] = 0.4 - 0.1 * j;
    }
  }

  void set(const char *name, rclcpp::Value value) {
    c->get_node()->values[name] = std::move(value);
  }
  bool configure() { return c->on_configure({}) == CallbackReturn::SUCCESS; }
  void sense() {
    for (int j = 0; j < joints; j++) {
      c->state_interfaces_[j].value = q[j];
      c->state_interfaces_[joints + j].value = dq[j];
    }
  }
  bool update() {
    sense();
    return c->update({}, {}) == controller_interface::return_type::OK;
  }
  double effort(int j) const { return c->command_interfaces_[j].value; }
};

void gravity_and_friction(double share) {
  Fixture f;
  std::array<double, joints> gravity, offset, friction;
  const std::array<double, joints> rest{};
  f.set("friction_share", share);
  check(f.configure(), "parameters are refused");
  check(f.c->command_interface_configuration().names[0] == "joint1/effort", "name of a command");
  check(f.c->state_interface_configuration().names[joints] == "joint1/velocity", "name of a state");
  f.sense();
  check(f.c->on_activate({}) == CallbackReturn::SUCCESS && f.update(), "a good cycle fails");
  arm_gravity(gravity.data(), f.q.data());
  arm_friction(offset.data(), rest.data());
  arm_stiction(friction.data(), f.dq.data(), f.dq.data());
  bool moved = false;
  for (int j = 0; j < joints; j++) {
    const double want = gravity[j] + offset[j] + share * friction[j];
    check(std::fabs(f.effort(j) - want) <= 1e-12 * (1 + std::fabs(want)),
          "the effort is another one");
    moved = moved || std::fabs(share * friction[j]) > 0.01;
  }
  check(moved || share == 0, "there is no friction to compensate");
  // what is left when it stops is gravity alone
  f.c->on_deactivate({});
  for (int j = 0; j < joints; j++)
    check(std::fabs(f.effort(j) - gravity[j] - offset[j]) < 1e-9, "deactivated");
}

void limits() {
  Fixture f;
  f.set("effort_limits", std::vector<double>(joints, 0.5));
  check(f.configure(), "parameters are refused");
  f.sense();
  check(f.c->on_activate({}) == CallbackReturn::SUCCESS && f.update(), "a good cycle fails");
  double most = 0;
  for (int j = 0; j < joints; j++) most = std::fmax(most, std::fabs(f.effort(j)));
  check(most == 0.5, "the limit is not kept, or not reached");
}

// a bad state repeats the last command, and too many end the controller; a good one goes on
void bad_states() {
  const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity()};
  for (const double value : bad) {
    Fixture f;
    check(f.configure(), "parameters are refused");
    f.sense();
    check(f.c->on_activate({}) == CallbackReturn::SUCCESS && f.update(), "a good cycle fails");
    const double before = f.effort(1), good = f.q[1];
    f.q[1] = value;
    for (int i = 0; i < roberval_compensation::CompensationController::kMostBadCycles; i++)
      check(f.update() && f.effort(1) == before, "a bad cycle changes the effort");
    check(!f.update() && std::isfinite(f.effort(1)), "bad cycles never end the controller");
    f.q[1] = good;
    check(f.update() && f.effort(1) == before, "the controller does not go on");
    f.q[1] = value;
    f.sense();
    check(f.c->on_activate({}) == CallbackReturn::ERROR, "it starts without a state");
  }
}

void parameters() {
  const auto refused = [](const char *name, rclcpp::Value value) {
    Fixture f;
    f.set(name, std::move(value));
    check(!f.configure(), name);
  };
  refused("joints", std::vector<std::string>{"joint1"});
  refused("effort_limits", std::vector<double>(joints, 0.0));
  refused("effort_limits", std::vector<double>(joints, std::nan("")));
  refused("friction_share", 1.2);
  refused("gravity_share", std::nan(""));
  Fixture f;
  check(f.configure(), "parameters are refused");
  f.c->command_interfaces_.resize(joints - 1);
  check(f.c->on_activate({}) == CallbackReturn::ERROR, "a joint is missing");
}

}  // namespace

int main() {
  gravity_and_friction(0);
  gravity_and_friction(0.5);
  limits();
  bad_states();
  parameters();
  std::puts("the controller compensates gravity and friction");
  return 0;
}
