// The plug-in through its base class: torques are M ddq + C dq + gravity.
#include <cmath>
#include <cstdio>
#include <inverse_dynamics_solver/inverse_dynamics_solver.hpp>
#include <memory>

std::unique_ptr<inverse_dynamics_solver::InverseDynamicsSolver> make_plugin();

int main() {
  const auto solver = make_plugin();
  solver->initialize(nullptr, "", "");
  const int n = static_cast<int>(solver->getGravityVector(Eigen::VectorXd::Zero(6)).size());
  double worst = 0;
  for (int k = 0; k < 50; k++) {
    Eigen::VectorXd q(n), dq(n), ddq(n);
    for (int j = 0; j < n; j++) {
      q[j] = std::sin(k + j);
      dq[j] = std::cos(2 * k + j);
      ddq[j] = 3 * std::sin(3 * k + j);
    }
    const Eigen::VectorXd sum = solver->getInertiaMatrix(q) * ddq +
                                solver->getCoriolisVector(q, dq) + solver->getGravityVector(q);
    worst = std::fmax(worst, (sum - solver->getTorques(q, dq, ddq)).cwiseAbs().maxCoeff());
  }
  std::printf("largest difference %.2g N m\n", worst);
  return worst < 1e-10 ? 0 : 1;
}
