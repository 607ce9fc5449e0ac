#!/bin/sh
# The benchmarks are not built with the tests. Every C file of them must still compile without a
# warning; files that need the headers of another program are left out where these are missing.
# usage: benchmarks.sh SOURCE_DIR CC
set -eu
source=$1 cc=$2
failed=0
for file in "$source"/bench/*.c; do
  case $file in
    */peer_mujoco.c) needs='#include <mujoco/mujoco.h>' ;;
    */bench_qr.c) needs='#include <lapacke.h>' ;;
    */bench_consistency.c) needs='#include <dsdp/dsdp5.h>' ;;
    *) needs='' ;;
  esac
  if [ "$needs" ] && ! echo "$needs" | $cc -fsyntax-only -x c - 2>/dev/null; then continue; fi
  $cc -std=c17 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -fsyntax-only -Wall -Wextra -Werror -I"$source/include" -I"$source/src" \
    -I"$source/tests/support" -I"$source/bench" -isystem /usr/include/dsdp -isystem /usr/local/include/dsdp \
    -DBENCH_ROBOTS='""' -DBENCH_SOURCE='""' -DBENCH_ROBERVAL='""' -DTEST_DATA='""' \
    -DROBERVAL_SOURCE='""' "$file" || failed=1
done
exit $failed
