#!/bin/sh
# run.sh PROJECT BUILD VERSION FLAGS SOURCE: install a build below a temporary prefix, build the
# consumer against it by find_package and by pkg-config, and the examples in C; run all, and look at
# what the library exports.
set -eu
project=$1 build=$2 version=$3 flags=$4 source=$5
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

echo "== examples in C"
cp -r "$source/examples" "$here/examples"
quietly make -C "$here/examples/c" CFLAGS="$flags -Wall -Wextra -Werror"
(cd "$here/examples" && PATH="$prefix/bin:$PATH" sh record.sh 0 log.csv)
"$here/examples/c/weigh" tx40 "$here/examples/log.csv" >"$here/weighed"
[ "$(grep -c ' +- ' "$here/weighed")" -eq 60 ] || { cat "$here/weighed"; exit 1; }
tail -n 1 "$here/weighed"
"$here/examples/c/hold" "$here/examples/pendulum.yaml" 0 >"$here/held"
# 2 kg at 0.3 m, held level: g * 0.6 kg m
grep -Eq 'hinge +5\.88' "$here/held" || { cat "$here/held"; exit 1; }
if "$here/examples/c/weigh" tx40 "$here/examples/record.sh" 2>"$here/said"; then exit 1; fi
[ "$(wc -l <"$here/said")" -eq 1 ] || { cat "$here/said"; exit 1; }

echo "== the installed tool"
[ -f "$prefix/share/man/man1/roberval-identify.1.gz" ] || { echo "no manual page"; exit 1; }
[ -f "$prefix/share/bash-completion/completions/roberval" ] || { echo "no completion"; exit 1; }
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

echo "== uninstall"
sed "s|$here/first|$prefix|" "$build/install_manifest.txt" >"$here/manifest"
mkdir -p "$prefix/share/man/man1" && : >"$prefix/share/man/man1/other.1"
"$source/scripts/uninstall" "$here/manifest"
left=$(find "$prefix" -type f -o -type l)
[ "$left" = "$prefix/share/man/man1/other.1" ] || { echo "left: $left"; exit 1; }
if "$source/scripts/uninstall" "$here/missing" 2>"$here/said"; then exit 1; fi
[ "$(wc -l <"$here/said")" -eq 1 ] || { cat "$here/said"; exit 1; }
