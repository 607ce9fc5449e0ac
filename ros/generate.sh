#!/bin/sh
# generate.sh RESULT.json [ROBERVAL]: the C code of an identified arm, for this package
set -eu
[ $# -ge 1 ] || { echo "use: sh generate.sh RESULT.json [ROBERVAL]" >&2; exit 2; }
"${2:-roberval}" export "$1" --format c -o "$(dirname "$0")/src/arm.c"
