/*
 * What a device computes: flat records that C and CUDA sources share, and the table of functions of
 * a device. Records hold numbers only. Matrices of a plant and of the implicit operator are packed:
 * entry (i, j), i >= j, of the lower triangle at [i (i + 1) / 2 + j].
 *
 * Plants are neighbours in memory: value v of plant p at [v * plants + p].
 */
#ifndef DEVICE_DEVICE_TYPES_H
#define DEVICE_DEVICE_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEVICE_VERSION 4     /* of the table and of the records; both sides must agree */
#define DEVICE_JOINTS 8      /* largest number of joints */
#define DEVICE_PAIRS 36      /* entries of a lower triangle */
#define DEVICE_DIRECTIONS 12 /* of friction: one per joint, then those of coupled motors */
#define DEVICE_COLUMNS 64    /* largest number of columns of a Gram matrix */
#define DEVICE_LAWS 6        /* friction laws of one joint, except sign laws */
#define DEVICE_STAGES 4      /* of an integrator */
#define DEVICE_GAINS 4       /* of a plant of its own: k_p, k_i, k_d, k_x */

/* ---- the chain, in frames that suit a simulation ---- */

/*
 * Every joint turns about z or slides along z of its own frame: R = C Rz(sign q + angle) for a
 * turning joint, R = C for a sliding one. `quarter` of the chain: no joint slides and every C is 1
 * or the quarter turn that puts z on the y axis of the parent; C is then given by `tilted`.
 */
typedef struct {
  int tilted;      /* C is the quarter turn */
  int slides;      /* the joint is prismatic */
  double sign;     /* 1 or -1: direction of the joint about or along z */
  double angle;    /* angle = sign * q + angle; a sliding joint: 0 */
  double C[9];     /* row-major */
  double p[3];     /* origin in the parent's frame */
  double slide[3]; /* per unit of q; zero for a turning joint */
} device_joint;

typedef struct {
  int njoint;
  int quarter;
  double up[3]; /* minus gravity, in the base frame */
  device_joint joint[DEVICE_JOINTS];
} device_chain;

/* ---- friction ---- */

/* Laws of the speed of one joint, except sign laws. */
typedef struct {
  int law;         /* its number: LAW_... of point_law.h */
  double shape[4]; /* its shape parameters */
} device_law;

/*
 * Masks have one bit per joint. Sign laws act along directions: direction d < njoint is joint d,
 * the others are sums of joints. The smoothed sign is (2/pi) atan(gamma v), or v / sqrt(v^2 +
 * speed^2) where gamma is 0.
 */
typedef struct {
  int ndirection; /* at least njoint */
  double weight[DEVICE_DIRECTIONS][DEVICE_JOINTS];
  double gamma[DEVICE_DIRECTIONS], speed[DEVICE_DIRECTIONS];
  int signs[DEVICE_DIRECTIONS]; /* joints with a sign law along it */
  int whole[DEVICE_DIRECTIONS]; /* joints whose slope along it is wholly implicit, and the bit above
                                   the joints */
  int viscous[DEVICE_JOINTS];   /* row i: joints with a viscous coefficient */
  int drag[DEVICE_JOINTS];      /* row i, lower triangle: its implicit part */
  int rotor[DEVICE_JOINTS];     /* row i, lower triangle: rotor inertias */
  int implicit[DEVICE_JOINTS];  /* row i, lower triangle: where D is not zero */
  int nlaw[DEVICE_JOINTS];
  device_law law[DEVICE_JOINTS][DEVICE_LAWS];
} device_friction;

/* Places of the parameters of a plant. */
#define DEVICE_LINK(j) (10 * (j))                   /* XX XY XZ YY YZ ZZ MX MY MZ M of link j */
#define DEVICE_ROTOR (10 * DEVICE_JOINTS)           /* packed */
#define DEVICE_DRAG (DEVICE_ROTOR + DEVICE_PAIRS)   /* packed */
#define DEVICE_VISCOUS (DEVICE_DRAG + DEVICE_PAIRS) /* row i, joint j at i * DEVICE_JOINTS + j */
#define DEVICE_CONSTANT                                                    \
  (DEVICE_VISCOUS + DEVICE_JOINTS * DEVICE_JOINTS) /* offset of the torque \
                                                    */
#define DEVICE_SIGN \
  (DEVICE_CONSTANT + DEVICE_JOINTS) /* direction d, joint j at d * DEVICE_JOINTS + j */
#define DEVICE_LAW \
  (DEVICE_SIGN + DEVICE_DIRECTIONS * DEVICE_JOINTS) /* joint j, law l at j * DEVICE_LAWS + l */
#define DEVICE_SCALE (DEVICE_LAW + DEVICE_JOINTS * DEVICE_LAWS) /* of the feedback */
#define DEVICE_SHIFT (DEVICE_SCALE + DEVICE_JOINTS)             /* of the reference */
#define DEVICE_BIAS (DEVICE_SHIFT + DEVICE_JOINTS)              /* of the encoder */
#define DEVICE_INTEGRAL (DEVICE_BIAS + DEVICE_JOINTS)  /* of the controller at the first tick */
#define DEVICE_DELAY (DEVICE_INTEGRAL + DEVICE_JOINTS) /* of the torque, in samples */
#define DEVICE_GAIN \
  (DEVICE_DELAY + DEVICE_JOINTS) /* factor on gain g of joint j at g * DEVICE_JOINTS + j */
#define DEVICE_WHOLE \
  (DEVICE_GAIN + DEVICE_GAINS * DEVICE_JOINTS) /* `whole` of this plant, see device_friction */
#define DEVICE_PARAMETERS (DEVICE_WHOLE + DEVICE_DIRECTIONS)

/* ---- controller, sensors, integrator ---- */

typedef struct {
  int cascade;    /* otherwise pid */
  int antiwindup; /* 0 none, 1 clamp, 2 tracking */
  int delay;      /* samples between computing the torque and applying it */
  double k_p, k_d, k_x, reference_velocity;
  double pole, difference; /* of the filtered difference */
  double step;             /* k_i T */
  double pull;             /* T / tracking_s */
  double velocity_gain, acceleration_gain;
  double lower, upper;
} device_law_of_control;

typedef struct {
  double position_noise;             /* of the position that the controller reads */
  double step[DEVICE_JOINTS];        /* of its encoder; 0: exact */
  double record_step[DEVICE_JOINTS]; /* of the recorder's encoder */
  int disturbed;                     /* joints with a torque disturbance */
  double disturbance[DEVICE_JOINTS];
  double disturbance_pole;
} device_sensors;

/* (I - h gamma J) k_i = h f(y + sum a_ij k_j) + h J sum g_ij k_j, y <- y + sum b_i k_i. J is that
 * of the first stage; own_mass: its mass matrix is that of each stage. */
typedef struct {
  int stages, own_mass;
  double gamma;
  double a[DEVICE_STAGES][DEVICE_STAGES], g[DEVICE_STAGES][DEVICE_STAGES], b[DEVICE_STAGES];
} device_scheme;

/* ---- a population of closed loops ---- */

/* Sums over the ticks of a run, for each joint; then the outcome of the plant. */
enum {
  DEVICE_SUM_TRACKING,   /* (q - q_r)^2 */
  DEVICE_MAX_TRACKING,   /* |q - q_r| */
  DEVICE_SUM_TORQUE,     /* tau^2 */
  DEVICE_MAX_TORQUE,     /* |tau| */
  DEVICE_SUM_DIFFERENCE, /* (position that is recorded - `recorded`)^2 */
  DEVICE_SUMS
};
enum { DEVICE_DONE, DEVICE_AWAY, DEVICE_FAST, DEVICE_NOT_FINITE, DEVICE_SINGULAR };

typedef struct {
  int verdict;   /* DEVICE_DONE ... */
  int joint;     /* -1: none */
  int64_t ticks; /* that are good */
  double value;
} device_outcome;

typedef struct {
  device_chain chain;
  device_friction friction;
  device_law_of_control control[DEVICE_JOINTS];
  device_sensors sensors;
  device_scheme scheme;
  double rate_hz;
  double escape;
  double fastest[DEVICE_JOINTS]; /* speed above which a joint has diverged */
  int substeps;
  int late; /* length of the ring of torques: longest delay of a plant in samples + 2; 0: none */
  int loop_delay; /* samples: of the position that the controller reads */
  int own_gains;  /* plants have factors on the gains */
  int own_whole;  /* plants differ in `whole` */
  int64_t ticks;
  int64_t plants;
  int64_t every; /* ticks between two samples of the traces; 0: no traces */
} device_loop;

/* Traces of one plant: sample s of joint j at [j * samples + s], s = tick / every, NaN after the
 * end of the run. NULL: not wanted. */
enum {
  DEVICE_TRACE_Q,
  DEVICE_TRACE_DQ,
  DEVICE_TRACE_DDQ,
  DEVICE_TRACE_TAU,      /* of the controller */
  DEVICE_TRACE_MEASURED, /* position that the encoder reads */
  DEVICE_TRACES
};

typedef struct {
  double *of[DEVICE_TRACES];
} device_trace;

static inline int64_t device_samples(const device_loop *l) {
  return l->every > 0 ? (l->ticks - 1) / l->every + 1 : 0;
}

/* a plant wants this trace */
static inline int device_wants(const device_trace *trace, int64_t plants, int kind) {
  for (int64_t p = 0; trace && p < plants; p++)
    if (trace[p].of[kind]) return 1;
  return 0;
}

/*
 * Arrays of a population, on the host.
 *   parameters  in   DEVICE_PARAMETERS x plants
 *   seed        in   plants
 *   qr          in   njoint x ticks: joint j of tick k at [k * njoint + j]
 *   ahead       in   as qr, or NULL: torque that the controller adds inside its scale (k_v dq_r +
 *                    k_a ddq_r)
 *   model       in   as qr, or NULL: feed-forward torque of the controller's model
 *   recorded    in   as qr, or NULL: positions that DEVICE_SUM_DIFFERENCE compares with; NaN: not
 *                    compared
 *   q0, dq0     in   njoint, or NULL: state at the first tick
 *   sums        out  (DEVICE_SUMS x njoint) x plants
 *   outcome     out  plants
 *   trace       out  plants, or NULL: none
 */
typedef struct {
  const double *parameters;
  const uint64_t *seed;
  const double *qr, *ahead, *model, *recorded, *q0, *dq0;
  double *sums;
  device_outcome *outcome;
  const device_trace *trace;
} device_loop_arrays;

/* ---- Gram matrices of many motions ---- */

/* A joint in the frames of the model. hinge >= 0: it turns about z, which is plus or minus this
 * axis of the parent; see model_internal.h. */
typedef struct {
  int hinge, slides;
  double axis[3], offset, fixed[9], cosine[9], sine[9], origin[3], slide[3];
} device_frame;

/* A drive column: gain * law(motion along the direction) in one row. own: the direction is that of
 * the joint of the row; otherwise it has weights. */
typedef struct {
  int row, column, law, own;
  double gain, gamma, speed, shape[4];
  double weight[DEVICE_JOINTS];
} device_drive;

#define DEVICE_DRIVES 64

/*
 * Positions are linear in the coefficients of an individual: q_j = sum_p basis[p] x[j][p], with the
 * derivatives of the basis for velocities and accelerations. The basis is the same for all joints
 * and individuals.
 *
 * Rows of the regressor are multiplied by `weight` of the row. Column c of link j is
 * column[j][c], -1: not used. Columns of a row begin at `first`.
 */
typedef struct {
  int njoint, columns, terms;
  double up[3];
  device_frame joint[DEVICE_JOINTS];
  double weight[DEVICE_JOINTS];
  int first[DEVICE_JOINTS];      /* smallest column that is not zero in a row */
  uint64_t clear[DEVICE_JOINTS]; /* columns from there on that are zero in this row */
  int column[DEVICE_JOINTS][10];
  int drives_of[DEVICE_JOINTS + 1]; /* first drive column of a row; those of a row are neighbours */
  device_drive drive[DEVICE_DRIVES];
  int64_t samples, individuals;
} device_gram;

/* Set where each row begins, and which of its columns are zero: the other fields are set. */
static inline void device_find_zeros(device_gram *g) {
  for (int i = 0; i < g->njoint; i++) {
    uint64_t written = 0;
    for (int j = i; j < g->njoint; j++)
      for (int c = 0; c < 10; c++)
        if (g->column[j][c] >= 0) written |= (uint64_t)1 << g->column[j][c];
    for (int d = g->drives_of[i]; d < g->drives_of[i + 1]; d++)
      written |= (uint64_t)1 << g->drive[d].column;
    g->first[i] = DEVICE_COLUMNS;
    for (int c = DEVICE_COLUMNS - 1; c >= 0; c--)
      if (written >> c & 1) g->first[i] = c;
    g->clear[i] = 0;
    for (int c = g->first[i] / 8 * 8; c < (g->columns + 7) / 8 * 8; c++)
      if (!(written >> c & 1)) g->clear[i] |= (uint64_t)1 << c;
  }
}

/*
 *   basis         in   3 x terms x samples: derivative d of term p at sample k at
 *                      [(d * terms + p) * samples + k]
 *   coefficients  in   individual i, joint j, term p at [(i * njoint + j) * terms + p]
 *   gram          out  individual i: columns x columns, both triangles, at [i * columns * columns]
 */
typedef struct {
  const double *basis, *coefficients;
  double *gram;
} device_gram_arrays;

/* ---- repair of many motions ---- */

#define DEVICE_UNITS 128 /* of the factor of a motion: multiples of 1 / 128 */
#define DEVICE_BODIES 16
#define DEVICE_BODY_PAIRS 96
#define DEVICE_PLANE_ENDS 64
#define DEVICE_VALUES (10 * DEVICE_JOINTS + DEVICE_DRIVES) /* of the parameters of a robot */

/* A capsule without its radius: the segment between two points of a link (0: the base). */
typedef struct {
  double from[3], to[3];
} device_body;

/* Two bodies. need: smallest distance of the segments; far: distance of their middles from which on
 * they are farther apart than that [m]. */
typedef struct {
  int a, b;
  double need, far;
} device_body_pair;

/* End `end % 2` of body end / 2 stays at normal . x <= limit. */
typedef struct {
  int end;
  double normal[3], limit;
} device_plane_end;

/*
 * Constraints on motions that are linear in their coefficients, as those of device_gram. A motion
 * is repaired in two steps:
 *
 *   1  each joint alone is scaled about its mean, or the centre if it has none, into its limits;
 *   2  the whole motion is scaled by a factor of k / DEVICE_UNITS about the means, and if it then
 *      has less than least_share units, about the centre. k is the largest that keeps torques,
 *      distances and the speed of the tool at all samples, found from above.
 *
 * Constraints hold at the samples. Everything that is needed between them is part of the limits and
 * of `margin`: extrema of the samples are increased by this share.
 */
typedef struct {
  int njoint, terms;
  int mean;        /* term that is the mean of a joint; -1: there is none */
  int about_mean;  /* the whole motion is scaled about the means first */
  int least_share; /* units */
  int robots;      /* sets of parameters whose torques are limited; 0: torques are not */
  double margin;
  double up[3];
  device_frame joint[DEVICE_JOINTS];
  double center[DEVICE_JOINTS];
  double lower[DEVICE_JOINTS], upper[DEVICE_JOINTS];
  double rate[3][DEVICE_JOINTS]; /* largest velocity, acceleration, jerk; infinite: any */
  double torque[DEVICE_JOINTS];
  double tool[3], tool_speed;       /* point of the last link; infinite: any speed */
  double rest;                      /* distance beyond `need` that the means must have [m] */
  int bodies_of[DEVICE_JOINTS + 2]; /* first body of a link; those of a link are neighbours */
  device_body body[DEVICE_BODIES];
  int pairs, plane_ends;
  device_body_pair pair[DEVICE_BODY_PAIRS];
  device_plane_end plane_end[DEVICE_PLANE_ENDS];
  int drives_of[DEVICE_JOINTS + 1]; /* first drive term of a row; those of a row are neighbours */
  device_drive drive[DEVICE_DRIVES];
  int64_t samples, individuals;
} device_repair;

/* How a motion is repaired. */
typedef struct {
  double own[DEVICE_JOINTS]; /* factor of each joint */
  int share;                 /* units of the whole motion; 0: none keeps the constraints */
  int about_mean;            /* otherwise about the centre */
} device_repaired;

/*
 *   basis         in   4 x terms x samples: as device_gram_arrays, with the third derivative
 *   coefficients  in   as device_gram_arrays; means are within the limits
 *   values        in   robots x DEVICE_VALUES: XX XY XZ YY YZ ZZ MX MY MZ M of link j at 10 j, then
 *                      those of the drive terms
 *   repaired      out  individuals
 */
typedef struct {
  const double *basis, *coefficients, *values;
  device_repaired *repaired;
} device_repair_arrays;

/* ---- the table ---- */

/* Called between two slices of work of at most 0.2 s. 0: stop. */
typedef int device_continue(void *self);

typedef struct {
  int version; /* DEVICE_VERSION */
  /* One sentence about the device, or why there is none, into text. 0: there is one. */
  int (*open)(char *text, size_t size);
  /* 0: done; 1: stopped; 2: failed, with a sentence in text. */
  int (*loop)(const device_loop *loop, const device_loop_arrays *arrays, device_continue *go,
              void *self, char *text, size_t size);
  int (*gram)(const device_gram *gram, const device_gram_arrays *arrays, device_continue *go,
              void *self, char *text, size_t size);
  int (*repair)(const device_repair *repair, const device_repair_arrays *arrays,
                device_continue *go, void *self, char *text, size_t size);
  /* Seconds that the device computed in the last call, without transfers. */
  double (*seconds)(void);
  void (*close)(void);
} device_table;

/* The only symbol of a device library. */
#define DEVICE_SYMBOL "rbv_device_table"

#ifdef __cplusplus
}
#endif
#endif
