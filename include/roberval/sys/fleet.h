/*
 * fleet: identification of many robots of one kind, each an indexed job (module job). The results
 * are compared by rbv_compare_fleet.
 */
#ifndef ROBERVAL_SYS_FLEET_H
#define ROBERVAL_SYS_FLEET_H

#include <roberval/sys/identification.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rbv_fleet_plan rbv_fleet_plan;

/* An option by its name, as it is typed. */
typedef struct {
  const char *name, *value;
} rbv_option_value;

/*
 * Read a manifest (docs/files.md). Robot files, logs and maps are looked for in its directory.
 * Options of the manifest come first, then those of each robot, then the given ones.
 *
 *   given  in  ngiven options that apply to all robots
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_fleet_plan_load(rbv_fleet_plan **out, const char *manifest,
                                                      const rbv_option_value *given, int ngiven);

/* From the description that jobs of such a plan were stored with: results can be taken, not made.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_fleet_plan_recall(rbv_fleet_plan **out,
                                                        const char *description);
RBV_API void rbv_fleet_plan_free(rbv_fleet_plan *plan);

/* Name of the kind of jobs. */
#define RBV_FLEET_KIND "fleet"

/* One job per robot, to be run with rbv_jobs_run; results are taken into the plan. */
RBV_API const rbv_jobs *rbv_fleet_plan_jobs(rbv_fleet_plan *plan);

RBV_API int rbv_fleet_plan_count(const rbv_fleet_plan *plan);
RBV_API const char *rbv_fleet_plan_name(const rbv_fleet_plan *plan, int robot);

/* The result of a robot, NULL when it has none. */
RBV_API const rbv_result *rbv_fleet_plan_result(const rbv_fleet_plan *plan, int robot);

/* Its JSON, or the reason why there is no result; NULL when the job was not done. */
RBV_API const char *rbv_fleet_plan_text(size_t *size, const rbv_fleet_plan *plan, int robot);

#ifdef __cplusplus
}
#endif
#endif
