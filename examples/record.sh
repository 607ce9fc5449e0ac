#!/bin/sh
# record.sh START LOG.csv [OPTION...]: writes a recording of 10 s of the built-in tx40. The motion is
# that of waves.awk from START [s] on. Options are passed to `roberval dynamics`.
set -eu
start=$1; log=$2; shift 2
awk -v start="$start" -f waves.awk >"$log.motion"
roberval dynamics tx40 "$log.motion" "$@" -o "$log.torque"
paste -d, "$log.motion" "$log.torque" >"$log"
rm -f "$log.motion" "$log.torque"
