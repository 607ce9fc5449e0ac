#include "kdl_estimator.h"

#include <kdl/chain.hpp>
#include <kdl/chainexternalwrenchestimator.hpp>
#include <memory>

using namespace KDL;

struct kdl_estimator {
  Chain chain;
  std::unique_ptr<ChainExternalWrenchEstimator> solver;
  JntArray q, dq, tau, external;
  bool started;
};

/* KDL takes mass, centre and inertia; sums of such bodies have any ten parameters */
static RigidBodyInertia body(const double *b) {
  const Vector h(b[6], b[7], b[8]);
  const RotationalInertia I(b[0], b[3], b[5], b[1], b[2], b[4]);
  // unit mass at h has the first moment h; its inertia about the origin is taken off again
  const RigidBodyInertia moment(1, h);
  const double hh = dot(h, h);
  const RotationalInertia own(hh - h.x() * h.x(), hh - h.y() * h.y(), hh - h.z() * h.z(),
                              -h.x() * h.y(), -h.x() * h.z(), -h.y() * h.z());
  return moment + RigidBodyInertia(0, Vector::Zero(), I) +
         (-1.0) * RigidBodyInertia(0, Vector::Zero(), own) +
         (b[9] - 1) * RigidBodyInertia(1, Vector::Zero());
}

kdl_estimator *kdl_estimator_new(const kdl_joint *joint, int n, const double g[3], double rate_hz,
                                 double gain) {
  kdl_estimator *e = new kdl_estimator;
  for (int i = 0; i < n; i++) {
    const kdl_joint &j = joint[i];
    const double *R = j.R;
    const Frame f(Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                  Vector(j.p[0], j.p[1], j.p[2]));
    const Vector axis = f.M * Vector(j.axis[0], j.axis[1], j.axis[2]);
    e->chain.addSegment(Segment(Joint(f.p, axis, Joint::RotAxis, 1, 0, j.rotor), f, body(j.body)));
  }
  e->solver.reset(
      new ChainExternalWrenchEstimator(e->chain, Vector(g[0], g[1], g[2]), rate_hz, gain, 0));
  const unsigned count = static_cast<unsigned>(n);
  e->q = e->dq = e->tau = e->external = JntArray(count);
  e->started = false;
  return e;
}

void kdl_estimator_free(kdl_estimator *e) { delete e; }

void kdl_estimator_push(double *external, kdl_estimator *e, const double *q, const double *dq,
                        const double *tau) {
  const long n = static_cast<long>(e->q.rows());
  for (long i = 0; i < n; i++) {
    e->q.data[i] = q[i];
    e->dq.data[i] = dq[i];
    e->tau.data[i] = tau[i];
  }
  if (!e->started) e->solver->setInitialMomentum(e->q, e->dq);
  e->started = true;
  Wrench at_tool;
  e->solver->JntToExtWrench(e->q, e->dq, e->tau, at_tool);
  e->solver->getEstimatedJntTorque(e->external);
  for (long i = 0; i < n; i++) external[i] = e->external.data[i];
}
