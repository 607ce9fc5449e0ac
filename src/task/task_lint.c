/* The task lint: a robot file alone. */
#include "task/task_internal.h"

#define TASK rbv_lint_task

static void defaults(void *data) {
  rbv_lint_task *t = data;
  t->robot = rbv_robot_defaults();
  t->robot.model.describe = true;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_lint_task *t = data;
  out[0] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_lint_task *t = data;
  rbv_lint_free(t->lint);
  rbv_model_free(t->model);
}

static rbv_status run(void *data) {
  rbv_lint_task *t = data;
  RBV_TRY(rbv_robot_load(&t->model, t->common.input[0], &t->robot, &t->common.notes));
  RBV_TRY(rbv_lint_new(&t->lint, t->model, &t->robot.model));
  t->common.answer = t->lint->nfinding == 0;
  return RBV_OK;
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_lint_task *t = data;
  const rbv_lint *l = t->lint;
  rbv_json_put_string(json, "schema", "roberval.lint/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_key(json, "robot");
  rbv_json_map(json);
  rbv_task_put_robot(json, t->model, t->common.input[0]);
  rbv_json_end(json);
  rbv_json_put_real(json, "mass_kg", l->mass);
  rbv_json_put_real(json, "moving_mass_kg", l->moving_mass);
  rbv_json_key(json, "links");
  rbv_json_list(json);
  for (int i = 0; i < l->nlink; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", l->link[i].name);
    rbv_json_put_real(json, "mass_kg", l->link[i].mass);
    rbv_json_put_real(json, "density_kg_per_m3", l->link[i].density);
    rbv_json_put_bool(json, "moves", l->link[i].moves);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "findings");
  rbv_json_list(json);
  for (int i = 0; i < l->nfinding; i++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "rule", l->finding[i].rule);
    rbv_json_put_string(json, "where", l->finding[i].where);
    rbv_json_put_string(json, "text", l->finding[i].text);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  return RBV_OK;
}

const task_kind rbv_lint_kind = {.name = "lint",
                                 .inputs = "ROBOT",
                                 .least = 1,
                                 .most = 1,
                                 .size = sizeof(rbv_lint_task),
                                 .made = offsetof(rbv_lint_task, model),
                                 .defaults = defaults,
                                 .groups = groups,
                                 .run = run,
                                 .forget = forget,
                                 .put = put};
