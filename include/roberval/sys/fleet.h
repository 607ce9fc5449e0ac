/*
 * fleet: identification of many robots of one kind, each an indexed job (module job). The results
 * are compared by rbv_compare_fleet.
 */
#ifndef ROBERVAL_SYS_FLEET_H
#define ROBERVAL_SYS_FLEET_H

#include <roberval/sys/identification.h>

RBV_BEGIN_C

typedef struct rbv_fleet_plan rbv_fleet_plan;

/* An option by its name, as it is typed. */
typedef struct {
  const char *name, *value;
} rbv_option_value;

RBV_API int rbv_fleet_plan_count(const rbv_fleet_plan *plan);
RBV_API const char *rbv_fleet_plan_name(const rbv_fleet_plan *plan, int robot);

/* The result of a robot, NULL when it has none. */
RBV_API const rbv_result *rbv_fleet_plan_result(const rbv_fleet_plan *plan, int robot);

RBV_END_C
#endif
