#include "identify/surviving_columns.h"

rbv_status rbv_identify_survivors(rbv_estimate **out, const rbv_model *model,
                                  rbv_motion *const *motions, int nmotion,
                                  const rbv_identify_options *options) {
  rbv_identify_options select = *options, rest = *options;
  select.method = "wls";
  select.loop = NULL;
  select.bootstrap = 0;
  select.progress = NULL;
  rbv_estimate *first;
  RBV_TRY(rbv_identify(&first, model, motions, nmotion, &select));
  bool *columns = rbv_alloc((size_t)rbv_model_column_count(model) * sizeof *columns);
  for (int k = 0; k < first->base->count && columns; k++)
    columns[first->base->kept[k]] = first->status[k] != RBV_STATUS_NOT_ESSENTIAL &&
                                    first->status[k] != RBV_STATUS_NOT_IDENTIFIABLE;
  rbv_estimate_free(first);
  rest.essential = false;
  rest.columns = columns;
  RBV_FINISH(columns ? rbv_identify(out, model, motions, nmotion, &rest) : RBV_EMEM,
             rbv_free(columns));
}
