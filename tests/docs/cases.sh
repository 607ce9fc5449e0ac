#!/bin/sh
# cases.sh SOURCE TOOL: the worked cases show what the tool prints today. Needs the recordings (ROBERVAL_DATA).
set -eu
source=$1 tool=$2
: "${ROBERVAL_DATA:=$source/../shared/data}"
[ -d "$ROBERVAL_DATA/panda" ] || { echo "the recordings are not available"; exit 77; }
exec "$source/scripts/cases" --check "$tool" "$ROBERVAL_DATA"
