#!/bin/sh
# run.sh PROJECT BUILD VERSION FLAGS: install a build below a temporary prefix, build the consumer
# against it by find_package and by pkg-config, run both, and look at what the library exports.
set -eu
project=$1 build=$2 version=$3 flags=$4
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
log=$here/log

quietly() { "$@" >"$log" 2>&1 || { echo "failed: $*"; cat "$log"; exit 1; }; }

quietly cmake --install "$build" --prefix "$here/first"
# an installation may move
mv "$here/first" "$here/prefix"
prefix=$here/prefix
library=$(find "$prefix" -name 'libroberval.so' | head -n 1)
libdir=$(dirname "$library")

echo "== find_package"
quietly cmake -S "$project" -B "$here/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$flags"
quietly cmake --build "$here/by_cmake"
"$here/by_cmake/consumer"

echo "== pkg-config"
cp -r "$project" "$here/by_pkgconfig"
export PKG_CONFIG_PATH="$libdir/pkgconfig"
quietly make -C "$here/by_pkgconfig" CFLAGS="$flags"
"$here/by_pkgconfig/consumer"

echo "== the installed tool"
"$prefix/bin/roberval" version

echo "== names"
soname=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
[ "$soname" = "libroberval.so.$version" ] || { echo "soname is $soname"; exit 1; }
# what the sanitizer adds is not ours
nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^__odr_asan' >"$here/names"
[ "$(wc -l <"$here/names")" -gt 100 ] || { echo "too few symbols"; exit 1; }
if grep -v '^rbv_' "$here/names"; then echo "exported without the prefix"; exit 1; fi
# every exported name is declared in a public header
while read -r name; do
  grep -rqw "$name" "$prefix/include/roberval" || { echo "$name is exported, but in no header"; exit 1; }
done <"$here/names"
echo "$(wc -l <"$here/names") names, all rbv_"
