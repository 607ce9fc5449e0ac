#!/bin/sh
# layers.sh SOURCE: modules include only modules below them.
#
# The table of modules in CONTRIBUTING.md is the order, from top to bottom. This test reads it and the
# #include lines. It fails if
#   - the table and the folders of src differ,
#   - a module, or its public header, includes a module above it,
#   - a public header includes a third-party header,
#   - the tool includes a private header of the library,
#   - two modules include the same third-party library.
set -eu
cd "$1"
libraries="cblas yaml libxml matio zlib zstd lz4 sqlite3 openssl microhttpd"
bad=0
complain() { echo "$1"; bad=1; }

modules=$(sed -n '/^## Modules/,/^## [^M]/s/^| `\([a-z]*\)` |.*/\1/p' CONTRIBUTING.md)
[ -n "$modules" ] || { echo "CONTRIBUTING.md has no table of modules"; exit 1; }
listed=$(mktemp)
trap 'rm -f "$listed"' EXIT
echo "$modules" | sort >"$listed"
for folder in src/*/; do basename "$folder"; done | sort | diff "$listed" - >&2 ||
  complain "the table of modules in CONTRIBUTING.md (<) and the folders of src (>) differ"

# position in the table; 0: not in it
rank() {
  n=0
  for module in $modules; do
    n=$((n + 1))
    [ "$module" = "$1" ] && { echo $n; return; }
  done
  echo 0
}

# the module of a public header: the one of its name, or the one that has a source of its name
module_of() {
  if [ "$(rank "$1")" -gt 0 ]; then echo "$1"; return; fi
  for file in src/*/"$1".[ch]; do
    [ ! -f "$file" ] || { basename "$(dirname "$file")"; return; }
  done
}

# names of the public headers that files include: roberval/NAME.h and roberval/sys/NAME.h
public_includes() { sed -n 's|^ *# *include <roberval/\(sys/\)\{0,1\}\([a-z_]*\)\.h>.*|\2|p' "$@" | sort -u; }
private_includes() { sed -n 's|^ *# *include "\([a-z]*\)/.*|\1|p' "$@" | sort -u; }

# check INCLUDER MODULE NAME...: each named header belongs to MODULE or to one below it
check() {
  includer=$1 mine=$(rank "$2")
  shift 2
  for seen in "$@"; do
    theirs=$(module_of "$seen")
    # the umbrella header and its like belong to no module
    if [ -z "$theirs" ] && [ -f "include/roberval/$seen.h" ]; then continue; fi
    if [ -z "$theirs" ]; then
      complain "$includer includes $seen, which belongs to no module"
    elif [ "$(rank "$theirs")" -lt "$mine" ]; then
      complain "$includer includes $seen, which is above it"
    fi
  done
}

for module in $modules; do
  files=$(find "src/$module" -maxdepth 1 \( -name "*.[ch]" -o -name "*.inc" \))
  check "src/$module" "$module" $(public_includes $files) $(private_includes $files)
done
for header in include/roberval/*.h include/roberval/sys/*.h; do
  [ -f "$header" ] || continue
  owner=$(module_of "$(basename "$header" .h)")
  [ -z "$owner" ] || check "$header" "$owner" $(public_includes "$header")
  [ -n "$owner" ] || [ "$(dirname "$header")" = include/roberval ] || complain "$header belongs to no module"
  for library in $libraries; do
    ! grep -nE "#include [<\"]$library" "$header" || complain "$header includes $library"
  done
done

if grep -nE '#include "[a-z]+/' src/cli/*.[ch] | grep -v '"cli/'; then complain "the tool includes a private header"; fi
for library in $libraries; do
  homes=$(grep -lE "#include <$library" src/*/*.[ch] 2>/dev/null | xargs -r -n1 dirname | sort -u | tr '\n' ' ')
  [ "$(echo "$homes" | wc -w)" -le 1 ] || complain "$library is included in several modules: $homes"
done
exit $bad
