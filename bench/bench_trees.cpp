/*
 * Regressor of a robot with two arms. Time per structurally non-zero entry beside that of the
 * serial kernel: of its longest chain, which has the same kinds of joints, and of the LWR4+, whose
 * joints are all hinges. The whole regressor beside one inverse dynamics of KDL and of MuJoCo; the
 * torques are compared before the timing.
 */
#include <mujoco/mujoco.h>
#include <roberval/sys/dynamics.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "stopwatch.h"
}

namespace {

// as the batches of excitations: see TILE and TILE_LD; the entries fit into the L2 cache
constexpr int SAMPLES = 128, LD = SAMPLES + 8;
constexpr int REPEAT = 100;  // calls of other programs per run

struct robot {
  rbv_model *model = nullptr;
  rbv_dynamics *dynamics = nullptr;
  int n = 0;
  std::vector<double> q, dq, ddq, W;
};

[[noreturn]] void stop(const std::string &why) {
  std::fprintf(stderr, "bench_trees: %s\n", why.c_str());
  std::exit(1);
}

/* a file without the constraints, so that all joints are coordinates, and without its includes */
std::string plain_text(const char *path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const std::string without = std::regex_replace(text.str(), std::regex("<include[^>]*/>"), "");
  return std::regex_replace(without, std::regex("<equality>[^]*?</equality>"), "");
}

void fill(robot *r) {
  r->n = rbv_model_joint_count(r->model);
  if (rbv_dynamics_new(&r->dynamics, r->model) != RBV_OK) stop(rbv_message());
  const size_t size = static_cast<size_t>(r->n) * SAMPLES;
  for (size_t i = 0; i < size; i++) {
    r->q.push_back(2 * rbv_random_uniform(1, 1, i) - 1);
    r->dq.push_back(2 * rbv_random_uniform(1, 2, i) - 1);
    r->ddq.push_back(6 * rbv_random_uniform(1, 3, i) - 3);
  }
  r->W.resize(static_cast<size_t>(rbv_model_entry_count(r->model)) * LD);
}

robot load_tree(const char *path) {
  robot r;
  rbv_model_options o = rbv_model_defaults();
  o.describe = true;
  const std::string text = plain_text(path);
  if (rbv_model_parse(&r.model, path, text.c_str(), text.size(), &o) != RBV_OK) stop(rbv_message());
  fill(&r);
  return r;
}

/* the serial chain with the same joints: from the base to the tip with the most joints */
robot load_chain(const char *path, const robot &tree) {
  int tip = 0, most = 0;
  for (int i = 0; i < rbv_model_tip_count(tree.model); i++) {
    int depth = 0;
    for (int b = rbv_model_tip_body(tree.model, i); b >= 0; b = rbv_model_parent(tree.model, b))
      depth++;
    if (depth > most) tip = rbv_model_tip_body(tree.model, i);
    most = depth > most ? depth : most;
  }
  const char *link = nullptr;
  for (int i = 0; rbv_model_frame_name(tree.model, i) && !link; i++)
    if (rbv_model_frame_link(tree.model, i) == tip + 1) link = rbv_model_frame_name(tree.model, i);
  robot r;
  rbv_model_options o = rbv_model_defaults();
  o.describe = true;
  o.tip = link;
  const std::string text = plain_text(path);
  if (rbv_model_parse(&r.model, path, text.c_str(), text.size(), &o) != RBV_OK) stop(rbv_message());
  fill(&r);
  return r;
}

robot load_serial(const char *path) {
  robot r;
  if (rbv_model_load(&r.model, path, nullptr) != RBV_OK) stop(rbv_message());
  fill(&r);
  return r;
}

/* ---- contestants ---- */

struct regressor {
  robot *r;
  int width;
};

void run_regressor(void *self) {
  const regressor *c = static_cast<regressor *>(self);
  robot *r = c->r;
  if (rbv_dynamics_width(r->dynamics) != c->width) rbv_dynamics_limit_width(r->dynamics, c->width);
  rbv_states s = {};
  s.count = s.ld = SAMPLES;
  s.q = r->q.data();
  s.dq = r->dq.data();
  s.ddq = r->ddq.data();
  for (int i = 0; i < 8; i++) rbv_regressor_batch(r->W.data(), LD, r->dynamics, &s, false);
}

/* per entry, or the whole regressor */
contestant regressor_of(regressor *self, const char *name, bool per_entry) {
  contestant c = {};
  c.name = name;
  c.run = run_regressor;
  c.self = self;
  c.calls = 8.0 * SAMPLES * (per_entry ? rbv_model_entry_count(self->r->model) : 1);
  return c;
}

/* ---- the same tree in KDL and MuJoCo ---- */

struct body {
  KDL::Frame pose;   // in the parent, at q = 0
  KDL::Vector axis;  // in its own frame
  double p[RBV_INERTIAL];
};

KDL::Frame frame_at_zero(robot *r, int i) {
  std::vector<double> zero(static_cast<size_t>(r->n));
  double R[9], p[3];
  rbv_dynamics_pose(R, p, r->dynamics, zero.data(), i);
  return KDL::Frame(KDL::Rotation(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]),
                    KDL::Vector(p[0], p[1], p[2]));
}

std::vector<body> bodies_of(robot *r) {
  std::vector<body> all;
  for (int i = 0; i < r->n; i++) {
    const KDL::Frame own = frame_at_zero(r, i);
    const int parent = rbv_model_parent(r->model, i);
    std::vector<double> zero(static_cast<size_t>(r->n)), J(static_cast<size_t>(6 * r->n));
    const double origin[3] = {0, 0, 0};
    rbv_dynamics_jacobian(J.data(), r->dynamics, zero.data(), i, origin);
    const double *a = &J[static_cast<size_t>(6 * i)];
    if (!rbv_model_joint_is_prismatic(r->model, i)) a += 3;
    body b = {parent < 0 ? own : frame_at_zero(r, parent).Inverse() * own,
              own.M.Inverse() * KDL::Vector(a[0], a[1], a[2]),
              {}};
    const int first = rbv_model_find(r->model, ("XX" + std::to_string(i + 1)).c_str());
    for (int c = 0; c < RBV_INERTIAL; c++) b.p[c] = rbv_model_parameters(r->model)[first + c];
    all.push_back(b);
  }
  return all;
}

KDL::Tree kdl_tree(robot *r, const std::vector<body> &all) {
  KDL::Tree tree("root");
  for (int i = 0; i < r->n; i++) {
    const body &b = all[static_cast<size_t>(i)];
    const int parent = rbv_model_parent(r->model, i);
    const double *p = b.p, m = p[9];
    const KDL::Vector h(p[6], p[7], p[8]);
    const KDL::Vector c = m > 0 ? h / m : KDL::Vector::Zero();
    // about the centre of mass
    const double cc = KDL::dot(c, c);
    const KDL::RotationalInertia I(p[0] - m * (cc - c.x() * c.x()), p[3] - m * (cc - c.y() * c.y()),
                                   p[5] - m * (cc - c.z() * c.z()), p[1] + m * c.x() * c.y(),
                                   p[2] + m * c.x() * c.z(), p[4] + m * c.y() * c.z());
    const auto kind =
        rbv_model_joint_is_prismatic(r->model, i) ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    const KDL::Joint joint("j" + std::to_string(i), b.pose.p, b.pose.M * b.axis, kind);
    // names in the order of the bodies: KDL numbers joints as they are added
    tree.addSegment(
        KDL::Segment("s" + std::to_string(i), joint, b.pose, KDL::RigidBodyInertia(m, c, I)),
        parent < 0 ? "root" : "s" + std::to_string(parent));
  }
  return tree;
}

std::string mjcf_of(robot *r, const std::vector<body> &all) {
  std::string text =
      "<mujoco><compiler angle='radian' balanceinertia='true' boundinertia='1e-9'/><worldbody>";
  std::vector<int> open;
  char line[700];
  for (int i = 0; i < r->n; i++) {
    const int parent = rbv_model_parent(r->model, i);
    for (; !open.empty() && open.back() != parent; open.pop_back()) text += "</body>";
    const body &b = all[static_cast<size_t>(i)];
    double x, y, z, w;
    b.pose.M.GetQuaternion(x, y, z, w);
    const double *p = b.p, m = p[9], c[3] = {p[6] / m, p[7] / m, p[8] / m};
    const double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    std::snprintf(line, sizeof line,
                  "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'><joint type='%s' "
                  "axis='%.17g %.17g %.17g'/><inertial mass='%.17g' pos='%.17g %.17g %.17g' "
                  "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>",
                  b.pose.p.x(), b.pose.p.y(), b.pose.p.z(), w, x, y, z,
                  rbv_model_joint_is_prismatic(r->model, i) ? "slide" : "hinge", b.axis.x(),
                  b.axis.y(), b.axis.z(), m, c[0], c[1], c[2], p[0] - m * (cc - c[0] * c[0]),
                  p[3] - m * (cc - c[1] * c[1]), p[5] - m * (cc - c[2] * c[2]),
                  p[1] + m * c[0] * c[1], p[2] + m * c[0] * c[2], p[4] + m * c[1] * c[2]);
    text += line;
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_back()) text += "</body>";
  return text + "</worldbody></mujoco>";
}

/* largest difference of two torque vectors, of the largest torque */
double difference(const std::vector<double> &a, const double *b) {
  double size = 0, error = 0;
  for (size_t i = 0; i < a.size(); i++) {
    size = std::fmax(size, std::fabs(a[i]));
    error = std::fmax(error, std::fabs(a[i] - b[i]));
  }
  return error / size;
}

struct kdl_call {
  KDL::Tree tree;
  KDL::TreeIdSolver_RNE solver;
  KDL::JntArray q, dq, ddq, torque;
  kdl_call(const KDL::Tree &of, const double *g, const std::vector<double> *x)
      : tree(of),
        solver(tree, KDL::Vector(g[0], g[1], g[2])),
        q(static_cast<unsigned>(x[0].size())),
        dq(q),
        ddq(q),
        torque(q) {
    for (unsigned j = 0; j < x[0].size(); j++) {
      q(j) = x[0][j];
      dq(j) = x[1][j];
      ddq(j) = x[2][j];
    }
  }
};

void run_kdl(void *self) {
  kdl_call *c = static_cast<kdl_call *>(self);
  for (int i = 0; i < REPEAT; i++)
    c->solver.CartToJnt(c->q, c->dq, c->ddq, KDL::WrenchMap(), c->torque);
}

struct mujoco_call {
  mjModel *m;
  mjData *d;
};

mujoco_call mujoco_of(const std::string &text, const std::vector<double> *x) {
  char file[] = "/tmp/bench_trees.XXXXXX";
  const int handle = mkstemp(file);
  if (handle < 0) stop("no temporary file");
  close(handle);
  std::ofstream(file) << text;
  char message[500] = "";
  mjModel *m = mj_loadXML(file, nullptr, message, sizeof message);
  std::remove(file);
  if (!m) stop(message);
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
  mjData *d = mj_makeData(m);
  for (size_t j = 0; j < x[0].size(); j++) {
    d->qpos[j] = x[0][j];
    d->qvel[j] = x[1][j];
    d->qacc[j] = x[2][j];
  }
  return {m, d};
}

void run_mujoco(void *self) {
  mujoco_call *c = static_cast<mujoco_call *>(self);
  for (int i = 0; i < REPEAT; i++) mj_inverse(c->m, c->d);
}

void compare_peers(const stopwatch *w, robot *r, const char *text) {
  const size_t n = static_cast<size_t>(r->n);
  const std::vector<body> all = bodies_of(r);
  // the torque of the links alone
  std::vector<double> chi(static_cast<size_t>(rbv_model_column_count(r->model))), tau(n), x[3];
  for (int c = 0; c < rbv_model_column_count(r->model); c++)
    if (rbv_model_column(r->model, c)->basis == RBV_BASIS_INERTIAL)
      chi[static_cast<size_t>(c)] = rbv_model_parameters(r->model)[c];
  if (rbv_dynamics_set(r->dynamics, chi.data(), false) != RBV_OK) stop(rbv_message());
  for (size_t j = 0; j < n; j++) {
    x[0].push_back(r->q[j * SAMPLES]);
    x[1].push_back(r->dq[j * SAMPLES]);
    x[2].push_back(r->ddq[j * SAMPLES]);
  }
  rbv_dynamics_inverse(tau.data(), r->dynamics, x[0].data(), x[1].data(), x[2].data());

  kdl_call kdl(kdl_tree(r, all), rbv_model_gravity(r->model), x);
  run_kdl(&kdl);
  const double kdl_error = difference(tau, kdl.torque.data.data());
  mujoco_call mujoco = mujoco_of(mjcf_of(r, all), x);
  run_mujoco(&mujoco);
  const double mujoco_error = difference(tau, mujoco.d->qfrc_inverse);
  if (!(kdl_error < 1e-9 && mujoco_error < 1e-9)) stop("the torques differ");

  regressor own = {r, 8};
  static contestant c[3];
  c[0] = regressor_of(&own, "roberval, regressor", false);
  c[1].name = "KDL TreeIdSolver_RNE";
  c[1].run = run_kdl;
  c[1].self = &kdl;
  c[2].name = "MuJoCo mj_inverse";
  c[2].run = run_mujoco;
  c[2].self = &mujoco;
  c[1].calls = c[2].calls = REPEAT;
  stopwatch_run(w, c, 3);
  print_times(w, text, c, 3);
  print_ratio_head();
  print_ratio(w, "tree regressor / KDL inverse dynamics", &c[0], &c[1], 0);
  print_ratio(w, "tree regressor / mj_inverse", &c[0], &c[2], 0);
  mj_deleteData(mujoco.d);
  mj_deleteModel(mujoco.m);
}

void compare_serial(const stopwatch *w, robot *tree, robot *chain, robot *lwr, int width) {
  regressor of[3] = {{tree, width}, {chain, width}, {lwr, width}};
  static contestant c[3];
  c[0] = regressor_of(&of[0], "tree", true);
  c[1] = regressor_of(&of[1], "its longest chain", true);
  c[2] = regressor_of(&of[2], "LWR4+", true);
  stopwatch_run(w, c, 3);
  const std::string lanes = std::to_string(width);
  print_times(w, ("regressor per entry, " + lanes + " lanes").c_str(), c, 3);
  print_ratio_head();
  print_ratio(w, ("tree / its longest chain, " + lanes + " lanes").c_str(), &c[0], &c[1], 1.4);
  print_ratio(w, ("tree / LWR4+, " + lanes + " lanes").c_str(), &c[0], &c[2], 1.4);
}

/* the robot is no part of the repository */
std::string tree_file() {
  const char *data = std::getenv("ROBERVAL_DATA");
  return std::string(data ? data : BENCH_SOURCE "/../shared/data") + "/models/trees/aloha.xml";
}

}  // namespace

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  const std::string path = tree_file();
  if (access(path.c_str(), R_OK) != 0) {
    std::printf("\ntrees: left out, %s does not exist\n", path.c_str());
    return 0;
  }
  robot tree = load_tree(path.c_str()), chain = load_chain(path.c_str(), tree);
  robot lwr = load_serial(BENCH_SOURCE "/bench/robots/lwr4_rigid.yaml");
  robot *const all[3] = {&tree, &chain, &lwr};
  for (int width = 1; width <= 8; width *= 2) {
    rbv_dynamics_limit_width(tree.dynamics, width);
    if (rbv_dynamics_width(tree.dynamics) == width) compare_serial(&w, &tree, &chain, &lwr, width);
  }
  compare_peers(&w, &tree, "robot with two arms, 16 joints");
  for (robot *r : all) {
    rbv_dynamics_free(r->dynamics);
    rbv_model_free(r->model);
  }
  stopwatch_close(&w);
  return 0;
}
