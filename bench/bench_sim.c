/*
 * Closed loop of 6.9 s at 5 kHz: against MuJoCo with the same Runge-Kutta scheme, sub-steps,
 * controller and friction law; and four simulations in parallel lanes against four in sequence. The
 * motions are compared before the timing.
 *
 * Sensitivities of such a run to 30 parameters, as output error uses them: of the positions, along
 * the trace of a run. Their peer is a plain run in the lanes: one call simulates as many parameter
 * sets as the widest vector has lanes, and its time is divided by their number. Differences of the
 * simulation would need at least 30 of these runs. The sensitivities are compared with such
 * differences before the timing.
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
#define LANES 8  // at most in one call
#define UNKNOWNS 30
#define SHARE_AGREE 1e-3  // of the largest derivative; the sensitivities have order 2

typedef struct {
  const arm *arm;
  const rbv_sim_reference *reference;
  rbv_sim *sim;
  int lanes;
  rbv_sim_trace trace[LANES];
  rbv_sim_outcome outcome[LANES];
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

/* the sensitivities of one run, whose trace is known */
typedef struct {
  rbv_sensitivities *s;
  rbv_sim_lane lane;
  const rbv_sim_reference *reference;
  const rbv_sim_trace *trace;
  rbv_unknown unknown[UNKNOWNS];
  double *by;  // njoint x UNKNOWNS of a tick
} tangent;

static void run_sensitivities(void *self) {
  tangent *t = self;
  check(rbv_sensitivities_start(t->s, &t->lane, t->reference, t->trace));
  for (int k = 0; k < TICKS; k++) rbv_sensitivities_next(t->by, NULL, t->s);
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

static void free_job(job *j) {
  rbv_sim_free(j->sim);
  for (int i = 0; i < LANES; i++) {
    free(j->trace[i].q);
    free(j->trace[i].dq);
    free(j->trace[i].applied);
  }
  rbv_control_state_free(j->state);
  mujoco_peer_free(j->mujoco);
  free(j->q);
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

/* ---- sensitivities ---- */

static tangent new_tangent(const arm *a, const rbv_control *c, const rbv_sim_reference *r,
                           const rbv_sim_trace *trace) {
  static const char *const stem[] = {"ZZ", "MX", "Ia", "Fv", "Fc"};
  tangent t = {.lane = {.chi = a->chi}, .reference = r, .trace = trace};
  const int n = a->chain.njoint;
  for (int i = 0; i < UNKNOWNS; i++) {
    char name[16];
    snprintf(name, sizeof name, "%s%d", stem[i / n], i % n + 1);
    t.unknown[i].kind = RBV_UNKNOWN_COLUMN;
    t.unknown[i].column = rbv_model_find(a->model, name);
  }
  t.by = need((size_t)(n * UNKNOWNS), sizeof *t.by);
  check(rbv_sensitivities_new(&t.s, a->model, c, NULL, t.unknown, UNKNOWNS));
  return t;
}

/* change the parameter of each lane of a pair by a step up and down; past the last: no change */
static void set_pairs(job *lanes, const tangent *t, int first, double step) {
  const int nc = rbv_model_column_count(lanes->arm->model);
  double *chi = need((size_t)nc, sizeof *chi);
  for (int i = 0; i < lanes->lanes; i++) {
    const int u = first + i / 2;
    memcpy(chi, lanes->arm->chi, (size_t)nc * sizeof *chi);
    if (u < UNKNOWNS) chi[t->unknown[u].column] += i % 2 ? -step : step;
    check(rbv_sim_set(lanes->sim, i, &(rbv_sim_lane){.chi = chi}));
  }
  free(chi);
}

/* unknown `first` and those after it against the pairs of lanes */
static void agree_pairs(tangent *t, const job *lanes, int first, double step) {
  const int n = lanes->arm->chain.njoint;
  double error[LANES] = {0}, size[LANES] = {0};
  check(rbv_sensitivities_start(t->s, &t->lane, t->reference, t->trace));
  for (int k = 0; k < TICKS; k++) {
    rbv_sensitivities_next(t->by, NULL, t->s);
    for (int i = 0; i < lanes->lanes / 2 && first + i < UNKNOWNS; i++)
      for (int j = 0; j < n; j++) {
        const double *up = lanes->trace[2 * i].q, *down = lanes->trace[2 * i + 1].q;
        const double want = (up[k + j * TICKS] - down[k + j * TICKS]) / (2 * step);
        const double got = t->by[j * UNKNOWNS + first + i];
        error[i] = fmax(error[i], isfinite(got) ? fabs(got - want) : INFINITY);
        size[i] = fmax(size[i], fabs(want));
      }
  }
  for (int i = 0; i < lanes->lanes / 2; i++) {
    if (error[i] <= SHARE_AGREE * size[i]) continue;
    fprintf(stderr, "bench: sensitivity %d differs by %.3g of %.3g; the comparison is stopped\n",
            first + i, error[i], size[i]);
    exit(4);
  }
}

static void agree_sensitivities(tangent *t, job *lanes) {
  const double step = 1e-4;
  for (int first = 0; first < UNKNOWNS; first += lanes->lanes / 2) {
    set_pairs(lanes, t, first, step);
    run_ours(lanes);
    agree_pairs(t, lanes, first, step);
  }
  set_pairs(lanes, t, UNKNOWNS, 0);
}

/* runs with the integrators that output error chooses from; friction as it smooths it */
static void bench_sensitivities(const stopwatch *w, const rbv_sim_reference *r) {
  enum { TANGENT, ONE, ALL, ALL_ROS2, COUNT };
  arm a;
  peer_drives drives;
  arm_load(&a, "tx40_uncoupled", 8);
  set_drives(&drives, &a);
  double speed[64];
  for (int j = 0; j < a.chain.njoint; j++) speed[j] = 1 / drives.gamma;
  check(rbv_model_smooth(&a.model, speed));
  rbv_control *c = make_control(&a, r);
  job run[COUNT] = {[ONE] = ours(&a, r, c, RBV_INTEGRATOR_ROSENBROCK, 1),
                    [ALL] = ours(&a, r, c, RBV_INTEGRATOR_ROSENBROCK, LANES),
                    [ALL_ROS2] = ours(&a, r, c, RBV_INTEGRATOR_ROS2, LANES)};
  // the motors' velocities and torques are needed too
  const size_t size = (size_t)(a.chain.njoint * TICKS);
  run[ONE].trace[0].dq = need(size, sizeof(double));
  run[ONE].trace[0].applied = need(size, sizeof(double));
  run_ours(&run[ONE]);
  tangent t = new_tangent(&a, c, r, &run[ONE].trace[0]);
  agree_sensitivities(&t, &run[ALL]);
  static contestant field[COUNT] = {{.name = "sensitivities to 30 parameters"},
                                    {.name = "plain run, default integrator, one lane"},
                                    {.name = "plain run, default integrator, lanes, per run"},
                                    {.name = "plain run, ros2, lanes, per run"}};
  for (int i = 0; i < COUNT; i++) {
    field[i].self = i == TANGENT ? (void *)&t : &run[i];
    field[i].run = i == TANGENT ? run_sensitivities : run_ours;
    field[i].calls = i == TANGENT ? 1 : run[i].lanes;
  }
  stopwatch_run(w, field, COUNT);
  print_times(w, "the same motion, friction smoothed as in output error", field, COUNT);
  print_ratio_head();
  print_ratio(w, "sensitivities to 30 parameters : plain run, lanes", &field[TANGENT], &field[ALL],
              8);
  print_ratio(w, "sensitivities to 30 parameters : plain run, lanes, ros2", &field[TANGENT],
              &field[ALL_ROS2], 0);
  print_ratio(w, "sensitivities to 30 parameters : plain run, one lane", &field[TANGENT],
              &field[ONE], 0);

  for (int i = 0; i < COUNT; i++) free_job(&run[i]);
  rbv_sensitivities_free(t.s);
  free(t.by);
  rbv_control_free(c);
  arm_free(&a);
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

  for (int i = 0; i < CONTESTANTS; i++) free_job(&all[i]);
  bench_sensitivities(&w, &r);
  rbv_control_free(c);
  free(q);
  arm_free(&a);
  stopwatch_close(&w);
  return 0;
}
