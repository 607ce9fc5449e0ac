/* KDL's estimator of the torque from outside behind a C interface, for comparison in tests. */
#ifndef TEST_KDL_ESTIMATOR_H
#define TEST_KDL_ESTIMATOR_H

#ifdef __cplusplus
extern "C" {
#endif

#define KDL_JOINTS 8

/* A chain of revolute joints. Bodies by their ten parameters about the frame of the joint: inertia
 * (xx xy xz yy yz zz), first moment, mass. */
typedef struct {
  double R[9], p[3];  // pose of the joint frame in its parent's frame at q = 0, R row-major
  double axis[3];
  double body[10];
  double rotor;  // inertia
} kdl_joint;

typedef struct kdl_estimator kdl_estimator;
kdl_estimator *kdl_estimator_new(const kdl_joint *joint, int njoint, const double gravity[3],
                                 double rate_hz, double gain);
void kdl_estimator_free(kdl_estimator *e);

/* One sample; torque from outside on every joint. The first sample sets the momentum. */
void kdl_estimator_push(double *external, kdl_estimator *e, const double *q, const double *dq,
                        const double *tau);

#ifdef __cplusplus
}
#endif
#endif
