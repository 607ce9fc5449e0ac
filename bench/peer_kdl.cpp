/* KDL behind a C interface. */
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <memory>
#include <string>

#include "peer.h"

using namespace KDL;

namespace {

Vector vector(const double *a) { return Vector(a[0], a[1], a[2]); }

Frame pose(const peer_joint &j) {
  const double *R = j.R;
  return Frame(Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), vector(j.p));
}

RigidBodyInertia body(const peer_joint &j) {
  const double *I = j.inertia;
  return RigidBodyInertia(j.mass, vector(j.centre),
                          RotationalInertia(I[0], I[4], I[8], I[1], I[2], I[5]));
}

/* a rotation whose z is the axis */
Frame upright(const double *axis) {
  const Vector z = vector(axis);
  const Vector other = fabs(z.x()) < 0.6 ? Vector(1, 0, 0) : Vector(0, 1, 0);
  Vector y = z * other;
  y.Normalize();
  return z == Vector(0, 0, 1) ? Frame::Identity() : Frame(Rotation(y * z, y, z));
}

/* joint at the root of the segment, tip at the joint frame, as kdl_parser does */
Chain chain_by_axis(const peer_chain &c) {
  Chain chain;
  for (int i = 0; i < c.njoint; i++) {
    const peer_joint &j = c.joint[i];
    const Frame f = pose(j);
    chain.addSegment(Segment(Joint(f.p, f.M * vector(j.axis), Joint::RotAxis), f, body(j)));
  }
  return chain;
}

/* a fixed transform to the first joint, then RotZ and a constant transform to the next joint's
 * frame */
Chain chain_by_z(const peer_chain &c) {
  Chain chain;
  const Frame first = pose(c.joint[0]) * upright(c.joint[0].axis);
  if (!(first == Frame::Identity())) chain.addSegment(Segment(Joint(Joint::Fixed), first));
  for (int i = 0; i < c.njoint; i++) {
    const peer_joint &j = c.joint[i];
    const Frame turned = upright(j.axis).Inverse();
    const Frame tip = i + 1 < c.njoint
                          ? turned * pose(c.joint[i + 1]) * upright(c.joint[i + 1].axis)
                          : Frame::Identity();
    // the body is given in the joint frame; transform it to the tip
    chain.addSegment(Segment("s" + std::to_string(i), Joint("j" + std::to_string(i), Joint::RotZ),
                             tip, tip.Inverse() * (turned * body(j))));
  }
  return chain;
}

}  // namespace

struct kdl_peer {
  kdl_road road;
  Chain chain;
  Tree tree;
  std::unique_ptr<ChainIdSolver_RNE> chain_solver;
  std::unique_ptr<TreeIdSolver_RNE> tree_solver;
  std::unique_ptr<ChainDynParam> param;
  JntArray q, dq, ddq, tau, coriolis, gravity;
  JntSpaceInertiaMatrix mass;
  Wrenches chain_load;
  WrenchMap tree_load;
};

kdl_peer *kdl_peer_new(const peer_chain *c, kdl_road road) {
  kdl_peer *p = new kdl_peer;
  const unsigned n = static_cast<unsigned>(c->njoint);
  const Vector g = vector(c->gravity);
  p->road = road;
  p->chain = road == KDL_CHAIN_AXIS ? chain_by_axis(*c) : chain_by_z(*c);
  p->tree = Tree("root");
  p->q = p->dq = p->ddq = p->tau = p->coriolis = p->gravity = JntArray(n);
  p->mass = JntSpaceInertiaMatrix(c->njoint);
  p->chain_load.resize(p->chain.getNrOfSegments(), Wrench::Zero());
  if (road == KDL_TREE_Z) {
    p->tree.addChain(p->chain, "root");
    p->tree_solver.reset(new TreeIdSolver_RNE(p->tree, g));
  } else if (road == KDL_PARAM_Z) {
    p->param.reset(new ChainDynParam(p->chain, g));
  } else {
    p->chain_solver.reset(new ChainIdSolver_RNE(p->chain, g));
  }
  return p;
}

void kdl_peer_inverse(double *tau, kdl_peer *p, const peer_states *s) {
  const int n = s->njoint;
  typedef Eigen::Map<const Eigen::VectorXd> map;
  for (int k = 0; k < s->count; k++) {
    p->q.data = map(s->q + k * n, n);
    p->dq.data = map(s->dq + k * n, n);
    p->ddq.data = map(s->ddq + k * n, n);
    switch (p->road) {
      case KDL_TREE_Z: p->tree_solver->CartToJnt(p->q, p->dq, p->ddq, p->tree_load, p->tau); break;
      case KDL_PARAM_Z:
        p->param->JntToMass(p->q, p->mass);
        p->param->JntToCoriolis(p->q, p->dq, p->coriolis);
        p->param->JntToGravity(p->q, p->gravity);
        p->tau.data.noalias() = p->mass.data * p->ddq.data;
        p->tau.data += p->coriolis.data + p->gravity.data;
        break;
      default: p->chain_solver->CartToJnt(p->q, p->dq, p->ddq, p->chain_load, p->tau);
    }
    Eigen::Map<Eigen::VectorXd>(tau + k * n, n) = p->tau.data;
  }
}

void kdl_peer_free(kdl_peer *p) { delete p; }
