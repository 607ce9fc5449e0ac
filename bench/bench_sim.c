/*
 * Closed loop of 6.9 s at 5 kHz: against MuJoCo with the same Runge-Kutta scheme, sub-steps,
 * controller and friction law; and four simulations in parallel lanes against four in sequence. The
 * motions are compared before the timing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/sim.h>

#include "arm.h"
#include "stopwatch.h"

#define TICKS 34500
#define RATE 5000.0
#define SUBSTEPS 4
#define ROUNDS 11  // a round takes seconds
#define AGREE 1e-6
#define N PEER_JOINTS

typedef struct {
  const arm *arm;
  const rbv_sim_reference *reference;
  rbv_sim *sim;
  int lanes;
  rbv_sim_trace trace[4];
  rbv_sim_outcome outcome[4];
  // for the peer
  mujoco_peer *mujoco;
  const peer_drives *drives;
  rbv_control_state *state;
  double *q;
} job;

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

static void run_ours(void *self) {
  job *j = self;
  check(rbv_sim_run(j->outcome, j->sim, j->reference, j->trace));
}

static void control(double *tau, const double *q, int tick, void *self) {
  job *j = self;
  double qr[N];
  for (int i = 0; i < j->arm->chain.njoint; i++) qr[i] = j->reference->q[tick + i * TICKS];
  const rbv_control_input in = {.qr = qr, .qm = q};
  rbv_control_step(tau, j->state, &in);
}

static void run_mujoco(void *self) {
  job *j = self;
  double start[N];
  for (int i = 0; i < j->arm->chain.njoint; i++) start[i] = j->reference->q[i * TICKS];
  rbv_control_reset(j->state);
  mujoco_peer_simulate(j->q, j->mujoco, j->drives, 1 / (RATE * SUBSTEPS), SUBSTEPS, TICKS, start,
                       control, j);
}

/* ---- set-up ---- */

/* typical drives for an arm of this size; the bodies are those of the benchmark */
static void set_drives(peer_drives *out, const arm *a) {
  static const char *const stem[] = {"Ia", "Fv", "Fc"};
  static const double value[3][6] = {
      {1, 1, 0.5, 0.1, 0.1, 0.05}, {8, 5, 2, 1, 1.5, 0.6}, {8, 9, 7.5, 3.5, 3.7, 2.6}};
  out->gamma = 150;
  double *const to[] = {out->inertia, out->viscous, out->coulomb};
  for (int s = 0; s < 3; s++)
    for (int j = 0; j < a->chain.njoint; j++) {
      char name[16];
      snprintf(name, sizeof name, "%s%d", stem[s], j + 1);
      a->chi[rbv_model_find(a->model, name)] = to[s][j] = value[s][j % 6];
    }
}

static double *make_reference(int n) {
  double *q = need((size_t)(n * TICKS), sizeof *q);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < TICKS; k++)
      q[k + j * TICKS] = 0.5 * (1 - cos(2 * M_PI * (0.3 + 0.07 * j) * k / RATE)) +
                         0.2 * sin(2 * M_PI * 0.8 * k / RATE) * sin(0.0002 * k);
  return q;
}

static rbv_control *make_control(const arm *a, const rbv_sim_reference *r) {
  const int n = a->chain.njoint;
  double J[N];
  rbv_control_joint joint[N];
  check(rbv_sim_inertia(J, a->model, a->chi, false, r, 50));
  for (int j = 0; j < n; j++) joint[j] = rbv_control_tune(J[j], 2 * M_PI * 12, 0.2, 10);
  rbv_control *c;
  check(rbv_control_new(&c, "bench", RATE, RBV_FEEDFORWARD_NONE, joint, n));
  return c;
}

static job ours(const arm *a, const rbv_sim_reference *r, const rbv_control *c,
                rbv_integrator integrator, int lanes) {
  job j = {.arm = a, .reference = r, .lanes = lanes};
  rbv_sim_options o = rbv_sim_defaults();
  o.integrator = integrator;
  o.substeps = integrator == RBV_INTEGRATOR_RK4 ? SUBSTEPS : 0;
  o.gamma = 150;
  check(rbv_sim_new(&j.sim, a->model, c, &o, lanes));
  const rbv_sim_lane lane = {.chi = a->chi};
  for (int i = 0; i < lanes; i++) {
    const size_t size = (size_t)(a->chain.njoint * TICKS);
    check(rbv_sim_set(j.sim, i, &lane));
    j.trace[i] = (rbv_sim_trace){.ld = TICKS, .q = need(size, sizeof(double))};
  }
  return j;
}

static void agree(const char *what, const job *a, const job *b) {
  const int n = a->arm->chain.njoint;
  double error = 0;
  for (int k = 0; k < TICKS; k++)
    for (int j = 0; j < n; j++) {
      const double x = a->trace[0].q[k + j * TICKS];
      const double y = b->q ? b->q[k * n + j] : b->trace[0].q[k + j * TICKS];
      error = fmax(error, isfinite(x) && isfinite(y) ? fabs(x - y) : INFINITY);
    }
  if (error <= AGREE) return;
  fprintf(stderr, "bench: %s differs by %.3g rad; the comparison is stopped\n", what, error);
  exit(4);
}

enum { RK4, MUJOCO, DEFAULT, RK4_LANES, DEFAULT_LANES, ROS2, ROS2_LANES, CONTESTANTS };

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  if (w.rounds > ROUNDS) w.rounds = ROUNDS;
  arm a;
  peer_drives drives = {.gamma = 0};
  arm_load(&a, "tx40_uncoupled", 8);
  set_drives(&drives, &a);
  double *q = make_reference(a.chain.njoint);
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = q};
  rbv_control *c = make_control(&a, &r);

  job all[CONTESTANTS] = {ours(&a, &r, c, RBV_INTEGRATOR_RK4, 1),
                          {.arm = &a, .reference = &r, .drives = &drives},
                          ours(&a, &r, c, RBV_INTEGRATOR_ROSENBROCK, 1),
                          ours(&a, &r, c, RBV_INTEGRATOR_RK4, 4),
                          ours(&a, &r, c, RBV_INTEGRATOR_ROSENBROCK, 4),
                          ours(&a, &r, c, RBV_INTEGRATOR_ROS2, 1),
                          ours(&a, &r, c, RBV_INTEGRATOR_ROS2, 4)};
  all[MUJOCO].mujoco = mujoco_peer_new(&a.chain);
  all[MUJOCO].q = need((size_t)(a.chain.njoint * TICKS), sizeof(double));
  check(rbv_control_state_new(&all[MUJOCO].state, c, 1));
  static contestant field[CONTESTANTS] = {{.name = "closed loop, rk4 x 4"},
                                          {.name = "closed loop, MuJoCo RK4 x 4"},
                                          {.name = "closed loop, default integrator"},
                                          {.name = "closed loop, rk4 x 4, four lanes, per run"},
                                          {.name = "closed loop, default, four lanes, per run"},
                                          {.name = "closed loop, ros2"},
                                          {.name = "closed loop, ros2, four lanes, per run"}};
  for (int i = 0; i < CONTESTANTS; i++) {
    field[i].self = &all[i];
    field[i].run = i == MUJOCO ? run_mujoco : run_ours;
    field[i].calls = i == MUJOCO ? 1 : all[i].lanes;
    field[i].run(&all[i]);
    if (i > 0) agree(field[i].name, &all[0], &all[i]);
  }
  stopwatch_run(&w, field, CONTESTANTS);
  print_times(&w, "6.9 s at 5 kHz, six joints with friction", field, CONTESTANTS);
  print_ratio_head();
  print_ratio(&w, "closed loop rk4 x 4 : MuJoCo", &field[RK4], &field[MUJOCO], 0.5);
  print_ratio(&w, "closed loop, default integrator : MuJoCo RK4 x 4", &field[DEFAULT],
              &field[MUJOCO], 0);
  print_ratio(&w, "four lanes : four single runs, rk4 x 4", &field[RK4_LANES], &field[RK4],
              1 / 2.5);
  print_ratio(&w, "four lanes : four single runs, default integrator", &field[DEFAULT_LANES],
              &field[DEFAULT], 1 / 2.5);
  print_ratio(&w, "closed loop, ros2 : default integrator", &field[ROS2], &field[DEFAULT], 0.6);
  print_ratio(&w, "four lanes, ros2 : default integrator", &field[ROS2_LANES],
              &field[DEFAULT_LANES], 0.6);

  for (int i = 0; i < CONTESTANTS; i++) {
    rbv_sim_free(all[i].sim);
    for (int l = 0; l < 4; l++) free(all[i].trace[l].q);
    free(all[i].q);
  }
  rbv_control_state_free(all[MUJOCO].state);
  mujoco_peer_free(all[MUJOCO].mujoco);
  rbv_control_free(c);
  free(q);
  arm_free(&a);
  stopwatch_close(&w);
  return 0;
}
