/* The work object of the module. */
#ifndef DYNAMICS_DYNAMICS_INTERNAL_H
#define DYNAMICS_DYNAMICS_INTERNAL_H

#include <roberval/sys/dynamics.h>

#include "dynamics/tree_kernel.h"

#define LANES_MAX 8
#define DRIVE_PIECE 64  // samples: whole vectors of any width

typedef struct projection projection;

struct rbv_dynamics {
  const rbv_model *model;
  const rbv_kernel *kernel;  // of the batches
  kernel_chain chain;        // of all bodies
  kernel_tree tree;          // of a model that is no chain
  bool is_tree;
  int nsaved;               // lane quantities of the stored states of branches
  int *path, *tree_int;     // memory of the tree: of path; 4 nbody: first, depth, slot, last
  joint_geometry *ordered;  // of the tree
  double *saved;            // nsaved lanes
  double *composite;        // nbody x TREE_BODY lanes
  double *body_state;  // 3 nbody lanes: positions, velocities, accelerations of the bodies' joints
  double *body_tau;    // nbody lanes
  double *body_mass;   // 3 nbody x nbody lanes
  double *body_W;      // of the regressor of bodies: RBV_INERTIAL lanes per element of path
  int *body_entry;     // per element of path
  projection *projection;  // of closed loops, NULL: none
  double *rates;           // their G: nbody x njoint lanes
  double *chi;             // ncolumn
  double *link;            // nbody x 10: inertial parameters, the payload's in the last link
  double *link_lanes;      // the same values in every lane
  double *rotor;           // njoint x njoint: the rotors' part of the mass matrix
  double *scratch;         // njoint x (KERNEL_SCRATCH + KERNEL_DERIVATIVES) lanes
  double *mass;            // njoint x njoint lanes
  double *state;           // 4 njoint lanes: the padded end of a batch
  double *pad;             // nstate lanes: states of the padded end
  double *tail;            // nentry lanes
  double *row;             // njoint lanes
  double *term;            // DRIVE_PIECE: one term
  double *piece;           // njoint x DRIVE_PIECE: torque of the links, also the load of the gears
  double *registers;       // of the model's expressions, each EXPRESSION_CHUNK
  char *adjoint;           // memory of the gradient's sweeps
  double *derivative;      // 3 njoint x njoint lanes: by q, dq, ddq
  double *contact_q, *contact_J, *contact_own;  // njoint, 6 njoint, njoint: one sample
  double *contact_basis;                        // 3 ncontact x njoint lanes
  char *loaded;                                 // memory of forward dynamics with loads
  int *swap;                                    // njoint: row exchanges of a factorisation

  int *block;         // nchannel x njoint x (njoint + 1): first entry of link j in row i, -1: none
  kernel_chain used;  // the links up to the last one whose columns the regressor computes
  int *entry;         // used.njoint x used.njoint: the block table in the order of the kernel
  int *repeat;        // pairs of entries of equal blocks; those of the payload last
  int nrepeat;        // pairs without the payload's
  int npayload;       // pairs of the payload
  int *term_entry;    // nchannel x nterm: entry of a drive term, -1: it does not act there
  int nchannel;
  int rigid;      // the channel that the kernel writes, -1: no channel includes the links
  int nonlinear;  // column that prevents forward dynamics, -1: none
  int nload;      // terms that depend on the load and whose parameter is not zero
  rbv_torque channel[2];
};

/* Where drives are evaluated: joint j of sample k of q, dq and ddq at [k + j * ld], of the load at
 * [k + j * ldload], state i at [k + i * ldstate]. */
typedef struct {
  const double *q, *dq, *ddq;  // ddq NULL: zero acceleration
  ptrdiff_t ld;
  const double *load;  // NULL: zero
  ptrdiff_t ldload;
  const double *state;  // NULL: steady
  ptrdiff_t ldstate;
} drive_motion;

/*
 * out[k] = gain * law of a drive term, or its expression, for count samples. kernel: computes the
 * smoothed sign.
 */
void rbv_drive_eval(double *out, rbv_dynamics *d, const rbv_kernel *kernel, const drive_term *t,
                    const drive_motion *at, ptrdiff_t count);

/* tau += sign * torque of the drives in a torque channel, for at most DRIVE_PIECE samples. kernel:
 * as above. */
void rbv_drives_add(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_kernel *kernel,
                    rbv_torque channel, double sign, const drive_motion *at, int count);

/* Derivatives of gain * law of a term by the speed or acceleration, with steady states, and by the
 * load. */
typedef struct {
  double motion, load;
} term_slope;
term_slope rbv_term_slope(const drive_term *term, double motion, double load);

/* Speed or acceleration along the direction of a term; joint j of x at [j * ld]. */
static inline double term_motion(const rbv_model *m, const drive_term *t, const double *x,
                                 ptrdiff_t ld) {
  double v = 0;
  for (int k = t->first; k < t->first + t->count; k++)
    v += m->direction_weight[k] * x[m->direction_joint[k] * ld];
  return v;
}

/* True if an active law depends on the load: forward dynamics then needs rbv_forward_loaded. */
static inline bool has_load(const rbv_dynamics *d) { return d->nload > 0; }

/* Bytes of its memory. */
size_t rbv_loaded_room(int njoint);

/*
 * Forward dynamics of one sample whose gears have friction that depends on their load.
 *
 *   at  in  the sample; its ddq and its load are not used
 */
void rbv_forward_loaded(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                        const drive_motion *at, const double *tau, ptrdiff_t ldtau);

/* LU factors of a square matrix in place, and x <- inverse x; false: it is singular. */
bool rbv_lu_factor(double *A, int *swap, int n);
void rbv_lu_solve(double *x, const double *A, const int *swap, int n);

/* The structurally non-zero entries of the regressor of one sample (s->count 1), until the next
 * call. */
const double *rbv_regressor_entries(rbv_dynamics *d, const rbv_states *s, bool loaded);

/* Bytes that rbv_regressor_adjoint uses. */
size_t rbv_adjoint_room(const rbv_model *m);

/* entry of body j (nbody: the payload) in the row of coordinate i of a channel */
static inline int block_of(const rbv_dynamics *d, int channel, int i, int j) {
  return d->block[(channel * d->model->njoint + i) * (d->model->nbody + 1) + j];
}

/*
 * Rigid bodies in coordinates: the serial kernel, or the kernel of trees with the coordinate map.
 * The arguments are those of kernel.h; quantities of joints are of coordinates, those of links of
 * bodies.
 */
void rbv_rigid_inverse(double *tau, ptrdiff_t ldtau, rbv_dynamics *d, const rbv_kernel *kernel,
                       const double *link, const double *q, const double *dq, const double *ddq,
                       ptrdiff_t ld);
void rbv_rigid_mass(double *M, rbv_dynamics *d, const rbv_kernel *kernel, const double *link,
                    const double *q, ptrdiff_t ld);
void rbv_rigid_system(double *M, double *bias, rbv_dynamics *d, const rbv_kernel *kernel,
                      const double *link, const double *q, const double *dq, ptrdiff_t ld);
void rbv_rigid_forward(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                       const rbv_kernel *kernel, const double *link, const double *q,
                       const double *dq, ptrdiff_t ld, const double *tau, ptrdiff_t ldtau);
void rbv_rigid_derivatives(double *const by[3], const ptrdiff_t ldby[3], rbv_dynamics *d,
                           const rbv_kernel *kernel, const double *link, const double *q,
                           const double *dq, const double *ddq, ptrdiff_t ld);
/* the blocks of the bodies from first to end, which rbv_rigid_part has returned */
void rbv_rigid_regressor(double *W, ptrdiff_t ldw, rbv_dynamics *d, int first, int end,
                         const double *q, const double *dq, const double *ddq, ptrdiff_t ld);
/* End of the part of the regressor that begins with a body: all bodies on the same one at the base;
 * all bodies of chains and of models with a map. */
int rbv_rigid_part(const rbv_dynamics *d, int first);

void rbv_contacts_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a);

/* Memory of the tree, and its tables. */
void rbv_rigid_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a);
void rbv_rigid_set(rbv_dynamics *d);

#endif
