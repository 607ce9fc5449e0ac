/* Coupled drives in recordings and in motions: read the signals, search, add the findings. */
#include <math.h>
#include "signal/signal.h"

#include "check/check_internal.h"
#include "check/coupling_search.h"

RBV_THRESHOLDS(CHECK_COUPLING);

/* signals of a view */
static signals signals_of(const view *v) {
  return (signals){.count = v->count,
                   .rate_hz = v->rate_hz,
                   .reach = (ptrdiff_t)(v->rate_hz / v->cutoff_hz / 2) + 1,
                   .q = v->q,
                   .dq = v->dq,
                   .ddq = v->ddq,
                   .torque = v->smooth,
                   .keep = v->keep,
                   .loaded = v->loaded};
}

static rbv_status add_finding(examination *x, const rbv_coupling *c, int count, int i) {
  char sentence[RBV_COUPLING_TEXT];
  RBV_TRY(rbv_coupling_describe(sentence, x->model, c, count, i));
  rbv_finding f = finding_in(RBV_FINDING_COUPLING, RBV_SEVERITY_WARNING, -1, c[i].motor,
                             rbv_coupling_rotor_ratio(x->model, &c[i]));
  f.other = c[i].joint;
  rbv_add_finding(x, f, "%s", sentence);
  return RBV_OK;
}

rbv_status rbv_detect_coupling(examination *x) {
  const int n = rbv_model_joint_count(x->model);
  rbv_coupling *found = rbv_alloc((size_t)n * sizeof *found);
  signals *s = rbv_alloc((size_t)x->nlog * sizeof *s);
  rbv_status status = found && s ? RBV_OK : RBV_EMEM;
  int ns = 0, count = 0;
  for (int i = 0; i < x->nlog && status == RBV_OK; i++)
    if (x->view[i].usable && !x->view[i].unreliable) s[ns++] = signals_of(&x->view[i]);
  if (status == RBV_OK) status = rbv_coupling_search(found, &count, x->model, s, ns);
  for (int i = 0; i < count && status == RBV_OK; i++) status = add_finding(x, found, count, i);
  rbv_free(found);
  rbv_free(s);
  return status;
}

/* read a motion; torques get the low-pass of its positions. memory holds everything. */
static rbv_status read_motion(signals *s, void **memory, rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_motion_origin *origin = rbv_motion_get_origin(motion);
  const ptrdiff_t count = info->count < LONGEST ? info->count : LONGEST;
  const size_t block = (size_t)count * (size_t)info->njoint;
  const size_t torques = (size_t)count * (size_t)info->ntorque;
  double *x = rbv_alloc((3 * block + 2 * torques) * sizeof *x + (size_t)count * sizeof(bool));
  *memory = x;
  if (!x) return RBV_EMEM;
  double *raw = x + 3 * block, *smooth = raw + torques;
  bool *keep = (bool *)(smooth + torques);
  const rbv_samples out = {
      .ld = count, .q = x, .dq = x + block, .ddq = x + 2 * block, .torque = raw, .valid = keep};
  RBV_TRY(rbv_motion_read(motion, &out, 0, count));
  const double limit = 0.2 * info->rate_hz;
  const double cutoff =
      origin && origin->cutoff_hz > 0 ? fmin(origin->cutoff_hz, limit) : fmin(CUTOFF, limit);
  const ptrdiff_t padding = rbv_filter_padding(cutoff, info->rate_hz);
  rbv_sos sos;
  rbv_filter_work *w;
  RBV_TRY(rbv_sos_butterworth(&sos, FILTER_ORDER, cutoff, info->rate_hz));
  RBV_TRY(rbv_filter_work_new(&w, count, padding));
  const rbv_status status =
      rbv_filter_zero_phase(smooth, count, w, &sos, raw, count, count, info->ntorque, padding);
  rbv_filter_work_free(w);
  *s = (signals){.count = count,
                 .rate_hz = info->rate_hz,
                 .reach = (ptrdiff_t)(info->rate_hz / cutoff / 2) + 1,
                 .q = out.q,
                 .dq = out.dq,
                 .ddq = out.ddq,
                 .torque = smooth,
                 .keep = keep,
                 .loaded = info->loaded};
  return status;
}

rbv_status rbv_find_couplings(rbv_coupling *out, int *count, const rbv_model *model,
                              rbv_motion *const *motions, int nmotion) {
  if (!out || !count || !model || !motions || nmotion < 1)
    return rbv_fail(RBV_EARG, "a robot, motions and a place for the couplings are needed");
  *count = 0;
  signals *s = rbv_alloc((size_t)nmotion * sizeof *s);
  void **memory = rbv_alloc((size_t)nmotion * sizeof *memory);
  rbv_status status = s && memory ? RBV_OK : RBV_EMEM;
  int ns = 0;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(motions[i]);
    if (info->ntorque != rbv_model_row_count(model) || info->count < SHORTEST) continue;
    status = read_motion(&s[ns], &memory[i], motions[i]);
    ns++;
  }
  if (status == RBV_OK) status = rbv_coupling_search(out, count, model, s, ns);
  for (int i = 0; i < nmotion && memory; i++) rbv_free(memory[i]);
  rbv_free(memory);
  rbv_free(s);
  return status;
}
