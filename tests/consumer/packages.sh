#!/bin/sh
# packages.sh PROJECT BUILD VERSION: make the Debian packages of a build, look at what they hold and
# depend on, unpack them, and build and run the consumer and the tool from what was unpacked.
set -eu
project=$1 build=$2 version=$3
minor=${version%.*}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
wrong() { echo "$*"; exit 1; }

(cd "$build" && cpack -B "$here/made") >"$here/log" 2>&1 || { cat "$here/log"; exit 1; }
deb() { set -- "$here/made/$1"_*.deb; [ -f "$1" ] || wrong "there is no $1"; echo "$1"; }
field() { dpkg-deb -f "$(deb "$1")" "$2"; }
for package in "libroberval$minor" libroberval-dev roberval python3-roberval; do
  echo "$package depends on $(field $package Depends)"
  [ "$(field $package Version)" = "$version" ] || wrong "$package has version $(field $package Version)"
  dpkg-deb -x "$(deb $package)" "$here/root"
done

# libraries are those that the binaries need, by their packages
for package in "libroberval$minor" roberval; do
  for needed in libc6 libxml2 libyaml-0-2 zlib1g libzstd1 liblz4-1 libsqlite3-0; do
    field $package Depends | grep -q "$needed" || wrong "$package does not depend on $needed"
  done
  field $package Recommends | grep -q libmatio11 || wrong "$package does not recommend libmatio11"
done
field libroberval-dev Depends | grep -q "libroberval$minor (= $version)" || wrong "dev without its library"

field python3-roberval Depends | grep -q "libroberval$minor (= $version)" || wrong "python3-roberval without its library"

# each file in its package
holds() { dpkg-deb -c "$(deb "$1")" | grep -q " \./usr/$2" || wrong "$1 does not hold $2"; }
holds "libroberval$minor" "lib.*/libroberval.so.$version"
holds libroberval-dev "lib.*/libroberval.so ->"
holds libroberval-dev include/roberval/sys/model.h
holds libroberval-dev "lib.*/pkgconfig/roberval.pc"
holds libroberval-dev "lib.*/cmake/roberval/robervalConfig.cmake"
holds roberval bin/roberval
holds roberval share/man/man1/roberval-identify.1.gz
holds python3-roberval lib/python3/dist-packages/roberval/py.typed
holds roberval share/bash-completion/completions/roberval

# what was unpacked works
cmake -S "$project" -B "$here/consumer" -DCMAKE_PREFIX_PATH="$here/root/usr" >"$here/log" 2>&1 &&
  cmake --build "$here/consumer" >>"$here/log" 2>&1 || { cat "$here/log"; exit 1; }
"$here/consumer/consumer"
"$here/root/usr/bin/roberval" version --build

# the Python package finds the library and the tool of the system, and needs no other package
library=$(dirname "$(find "$here/root" -name "libroberval.so.$version")")
PATH="$here/root/usr/bin:$PATH" LD_LIBRARY_PATH="$library" PYTHONPATH="$here/root/usr/lib/python3/dist-packages" \
  PYTHONDONTWRITEBYTECODE=1 python3 -c '
import roberval
assert roberval.Robot("tx40").njoint == 6
assert "runs" in [o.name for o in roberval.options("montecarlo")]
print(roberval.__version__, roberval.__file__)'
