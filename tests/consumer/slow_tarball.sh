#!/bin/sh
# slow_tarball.sh SOURCE BUILD: make the archive that needs no installation twice, compare the bytes, unpack
# it and run the tool there: every library but those of the C and C++ run time comes from the archive.
set -eu
source=$1 build=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
command -v patchelf >/dev/null || { echo "patchelf is missing"; exit 77; }
wrong() { echo "$*"; exit 1; }
"$source/scripts/tarball" "$build" "$here/one"
"$source/scripts/tarball" "$build" "$here/two"
cmp "$here"/one/*.tar.gz "$here"/two/*.tar.gz || wrong "two archives of one build differ"
mkdir "$here/there"
tar xzf "$here"/one/*.tar.gz -C "$here/there"
set -- "$here"/there/roberval-*
root=$1
ldd "$root/lib/roberval/roberval" | grep '=>' | while read -r name _ path _; do
  case $path in
    "$root"/*) ;;
    *) case $name in
        libc.so* | libm.so* | libdl.so* | librt.so* | libpthread.so* | libgcc_s.so* | libstdc++.so* | libresolv.so* | libutil.so*) ;;
        *) wrong "$name comes from $path" ;;
      esac ;;
  esac
done
(cd "$here" && env -i PATH=/usr/bin:/bin "$root/bin/roberval" demo --quick -q -o demo >/dev/null)
[ -s "$here/demo/report.html" ] || wrong "the demo wrote no report"
for file in README share/man/man1/roberval.1 share/doc/roberval/LICENSE share/bash-completion/completions/roberval; do
  [ -s "$root/$file" ] || wrong "the archive has no $file"
done
"$source/scripts/sbom" "$build" | cmp - "$root/share/doc/roberval/roberval.spdx.json" || wrong "the list of what is inside is another one"
python3 - "$root/share/doc/roberval" <<'END'
import json, os, sys
names = {p["name"] for p in json.load(open(sys.argv[1] + "/roberval.spdx.json"))["packages"]}
assert {"roberval", "three"} <= names and any(n.startswith("libopenblas") for n in names), names
missing = {n for n in names - {"roberval", "three"} if not os.path.exists(f"{sys.argv[1]}/licences/{n}.txt")}
assert not missing, missing
END
