/* What to write into a robot file whose drives are coupled. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"
#include "document/document.h"

double rbv_coupling_rotor_ratio(const rbv_model *m, const rbv_coupling *c) {
  const double own = rbv_model_transmission(m)[c->motor * (rbv_model_joint_count(m) + 1)];
  return own * c->ratio;
}

/* the entry of the robot file, with the couplings that it has already */
static void put_entry(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  bool geared = false;
  for (int j = 0; j < n; j++) geared |= K[j + j * n] != 1;
  rbv_text_put(out, "transmission: {");
  for (int j = 0; j < n && geared; j++)
    rbv_text_print(out, "%s%.6g%s", j ? ", " : "ratios: [", K[j + j * n], j < n - 1 ? "" : "], ");
  rbv_text_put(out, "couplings: [");
  int listed = 0;
  for (int motor = 0; motor < n; motor++)
    for (int joint = 0; joint < n; joint++)
      if (motor != joint && K[motor + joint * n] != 0)
        rbv_text_print(out, "%s{motor: %d, joint: %d, ratio: %.6g}", listed++ ? ", " : "",
                       motor + 1, joint + 1, K[motor + joint * n]);
  for (int i = 0; i < count; i++)
    rbv_text_print(out, "%s{motor: %d, joint: %d, ratio: %.4g}", listed++ ? ", " : "",
                   c[i].motor + 1, c[i].joint + 1, rbv_coupling_rotor_ratio(m, &c[i]));
  rbv_text_put(out, "]}");
}

/* true without ratios and couplings, as every robot that is a URDF alone */
static bool is_direct(const rbv_model *m) {
  const int n = rbv_model_joint_count(m);
  const double *K = rbv_model_transmission(m);
  for (int i = 0; i < n * n; i++)
    if (K[i] != (i % (n + 1) == 0)) return false;
  return true;
}

/* what to write, and where */
static void put_advice(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count) {
  const rbv_xml *document = rbv_model_document(m);
  const char *path = document ? rbv_xml_name(document) : NULL,
             *slash = path ? strrchr(path, '/') : NULL;
  if (path && is_direct(m)) {
    const char *file = slash ? slash + 1 : path;
    rbv_text_print(out, "Beside %s, write a robot file with the lines `%s: %s` and `", file,
                   rbv_model_format(m), file);
    put_entry(out, m, c, count);
    rbv_text_put(out, "`, and identify with that file");
  } else {
    rbv_text_put(out, "Write in the robot file `");
    put_entry(out, m, c, count);
    rbv_text_put(out, "`");
  }
}

static void put_sentence(rbv_text *out, const rbv_model *m, const rbv_coupling *c, int count,
                         int i) {
  const double unit = rbv_coupling_rotor_ratio(m, &c[i]) / fabs(c[i].ratio);
  rbv_text_print(out,
                 "the drives of joint %d (%.40s) and joint %d (%.40s) are coupled: motor %d also "
                 "turns with joint %d, ratio %.4g (%.3g to %.3g are possible). With the coupling, "
                 "the error on data "
                 "that were left out falls from %.3g to %.3g %% of the torque of joint %d and from "
                 "%.3g to %.3g %% of joint %d. ",
                 c[i].motor + 1, rbv_model_joint(m, c[i].motor)->name, c[i].joint + 1,
                 rbv_model_joint(m, c[i].joint)->name, c[i].motor + 1, c[i].joint + 1,
                 rbv_coupling_rotor_ratio(m, &c[i]), c[i].range[c[i].ratio < 0] * unit,
                 c[i].range[c[i].ratio > 0] * unit, 100 * c[i].without[0], 100 * c[i].with[0],
                 c[i].motor + 1, 100 * c[i].without[1], 100 * c[i].with[1], c[i].joint + 1);
  put_advice(out, m, c, count);
}

rbv_status rbv_coupling_describe(char out[RBV_COUPLING_TEXT], const rbv_model *model,
                                 const rbv_coupling *coupling, int count, int i) {
  if (!out || !model || !coupling || i < 0 || i >= count)
    return rbv_fail(RBV_EARG, "a model, its couplings and a place for the text are needed");
  rbv_text text = {0};
  put_sentence(&text, model, coupling, count, i);
  const rbv_status status = text.failed ? RBV_EMEM : RBV_OK;
  if (status == RBV_OK) snprintf(out, RBV_COUPLING_TEXT, "%s", text.data);
  rbv_text_free(&text);
  return status;
}
