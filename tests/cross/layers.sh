#!/bin/sh
# A room looks down, never up. Reads the #include lines of src/, fails on an upward edge, on a room
# that is not in the list, on a public header that includes a third-party one, and when the tool
# includes a private header.
set -eu
root=$1
# top to bottom
rooms="cli papers report export montecarlo compare job check identify excite equations sim control consistency stats baseparam dynamics trajectory prepare signal log motion result model linalg document storage base"

rank() {
  n=0
  for r in $rooms; do
    n=$((n + 1))
    [ "$r" = "$1" ] && { echo $n; return; }
  done
  echo 0
}

# headers of one module under several names
module_of() {
  case $1 in
    option | recordings | identification | design | plant) echo job ;;
    law) echo model ;;
    *) echo "$1" ;;
  esac
}

bad=0
complain() { echo "$1"; bad=1; }
for dir in "$root"/src/*/; do
  room=$(basename "$dir")
  mine=$(rank "$room")
  [ "$mine" -gt 0 ] || complain "src/$room is no room of the design"
  for seen in $(cat "$dir"*.[ch] "$dir"*.inc 2>/dev/null | sed -n \
      -e 's|^ *# *include <roberval/sys/\([a-z]*\)\.h>.*|\1|p' -e 's|^ *# *include "\([a-z]*\)/.*|\1|p' | sort -u); do
    theirs=$(rank "$(module_of "$seen")")
    [ "$theirs" -gt 0 ] || complain "src/$room includes '$seen', which is no room"
    [ "$theirs" -ge "$mine" ] || complain "src/$room looks up to $seen"
  done
done
if grep -nE '#include "(base|document|linalg|model|dynamics)/' "$root"/src/cli/*.[ch]; then complain "the tool uses a private header"; fi
if grep -nE '#include <(lapacke|cblas|yaml|libxml|matio|nlopt|zlib)' "$root"/include/roberval/sys/*.h; then
  complain "a public header includes a third-party one"
fi
for header in "$root"/include/roberval/sys/*.h; do
  mine=$(rank "$(module_of "$(basename "$header" .h)")")
  for seen in $(sed -n 's|^#include <roberval/sys/\([a-z]*\)\.h>.*|\1|p' "$header"); do
    [ "$(rank "$(module_of "$seen")")" -ge "$mine" ] || complain "$header looks up to $seen"
  done
done
# each library we depend on lives in one room
for library in lapacke cblas yaml libxml matio nlopt zlib; do
  homes=$(grep -lE "#include <$library" "$root"/src/*/*.[ch] 2>/dev/null | xargs -r -n1 dirname | sort -u | wc -l)
  [ "$homes" -le 1 ] || complain "$library is included in $homes rooms"
done
exit $bad
