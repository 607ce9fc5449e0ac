#include "excite/flat_chain.h"

#include <string.h>

rbv_status rbv_flat_frames(device_frame *joint, double *up, const rbv_model *m) {
  RBV_TRY(rbv_model_need_chain(m, "The device"));
  if (m->njoint > DEVICE_JOINTS)
    return rbv_fail(RBV_EUNSUPPORTED, "a device scores at most %d joints, the robot has %d",
                    DEVICE_JOINTS, m->njoint);
  if (m->payload || m->nrow != m->njoint || m->sensing != RBV_SENSING_MOTOR)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device cannot score robots with a payload or with joint torque sensors");
  for (int i = 0; i < 3; i++) up[i] = -m->gravity[i];
  for (int j = 0; j < m->njoint; j++) {
    const joint_geometry *from = &m->geometry[j];
    device_frame *to = &joint[j];
    to->hinge = from->hinge;
    to->slides = from->type == RBV_JOINT_PRISMATIC;
    to->offset = from->offset;
    memcpy(to->axis, from->axis, sizeof to->axis);
    memcpy(to->fixed, from->fixed, sizeof to->fixed);
    memcpy(to->cosine, from->cosine, sizeof to->cosine);
    memcpy(to->sine, from->sine, sizeof to->sine);
    memcpy(to->origin, from->origin, sizeof to->origin);
    memcpy(to->slide, from->slide, sizeof to->slide);
  }
  return RBV_OK;
}

rbv_status rbv_flat_drive(device_drive *d, const rbv_model *m, const drive_term *t) {
  const rbv_law *law = t->law;
  RBV_TRY(rbv_law_require(m, t, LAW_IN_GRAM));
  *d = (device_drive){.row = t->joint,
                      .law = law->number,
                      .gain = t->gain,
                      .gamma = t->smoothing.gamma,
                      .speed = t->smoothing.speed};
  memcpy(d->shape, t->shape, sizeof d->shape);
  for (int k = t->first; k < t->first + t->count; k++)
    d->weight[m->direction_joint[k]] = m->direction_weight[k];
  d->own = t->count == 1 && m->direction_joint[t->first] == t->joint &&
           m->direction_weight[t->first] == 1;
  // constants do not use the motion: that of the row's joint is as good as any
  if (t->count == 0) {
    d->own = 1;
    d->weight[t->joint] = 1;
  }
  return RBV_OK;
}
