/*
 * Roberval: identification of the dynamic parameters of robot arms.
 *
 * This header is the stable tier: within one minor version its functions keep their meaning and
 * signature. The headers under <roberval/sys/> give access to the parts and may change in any
 * minor version.
 */
#ifndef ROBERVAL_ROBERVAL_H
#define ROBERVAL_ROBERVAL_H

#include <roberval/excitation.h>
#include <roberval/export.h>
#include <roberval/follow.h>
#include <roberval/identification.h>
#include <roberval/recording.h>
#include <roberval/report.h>
#include <roberval/result.h>
#include <roberval/robot.h>
#include <roberval/status.h>
#include <roberval/task.h>
#include <roberval/validation.h>
#include <roberval/watch.h>

#endif
