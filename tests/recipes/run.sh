#!/bin/sh
# run.sh SOURCE JOBS: apply every tests/recipes/NAME.patch to one scratch copy of the source tree,
# build the tool once, without optimisation, and run every tests/recipes/NAME.sh.
#
#   NAME.patch  an addition as docs/how-to-add.md describes it; made with scripts/recipe
#   NAME.sh     arguments BUILD SOURCE (of the scratch copy); runs in an empty directory; prints what
#               is wrong and exits with another code than 0
#
# The patches are independent additions: they are applied together.
set -eu
source=$1 jobs=$2
recipes=$source/tests/recipes
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset CMAKE_C_COMPILER_LAUNCHER MAKEFLAGS 2>/dev/null || true

# tracked files, as they are in the working tree
mkdir "$scratch/source"
(cd "$source" && git ls-files -z | tar c --null --ignore-failed-read -T - 2>/dev/null) | tar x -C "$scratch/source"
cd "$scratch/source"
# a repository around the scratch directory must not change what git apply does
GIT_CEILING_DIRECTORIES=$scratch
export GIT_CEILING_DIRECTORIES

failed=""
for patch in "$recipes"/*.patch; do
  name=$(basename "$patch" .patch)
  [ -f "$recipes/$name.sh" ] || { echo "recipe $name: there is no tests/recipes/$name.sh"; failed="$failed $name"; }
  if ! git apply --whitespace=nowarn "$patch" 2>"$scratch/log"; then
    cat "$scratch/log"
    echo "recipe $name: the patch does not apply. The code around it has changed: do what the patch does"
    echo "  in your working tree, run 'scripts/recipe $name' and undo the change."
    failed="$failed $name"
  fi
done
[ -z "$failed" ] || { echo "recipes that do not apply:$failed"; exit 1; }

cmake -S . -B "$scratch/build" -DCMAKE_BUILD_TYPE=Quick -DCMAKE_C_FLAGS=-O0 -DROBERVAL_WEB=OFF -DROBERVAL_WERROR=ON \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build" -j "$jobs" --target roberval_cli manual >"$scratch/log" 2>&1 ||
  { grep -E -A 5 'error|warning|Error' "$scratch/log" || tail -n 40 "$scratch/log"; echo "the recipes do not compile"; exit 1; }

for script in "$recipes"/*.sh; do
  name=$(basename "$script" .sh)
  [ "$name" != run ] || continue
  [ -f "$recipes/$name.patch" ] || { echo "recipe $name: there is no tests/recipes/$name.patch"; failed="$failed $name"; continue; }
  mkdir "$scratch/$name"
  if (cd "$scratch/$name" && sh "$script" "$scratch/build" "$scratch/source") >"$scratch/log" 2>&1; then
    echo "recipe $name: passed"
  else
    cat "$scratch/log"
    echo "recipe $name: FAILED"
    failed="$failed $name"
  fi
done
[ -z "$failed" ] || { echo "recipes that failed:$failed"; exit 1; }
