#!/bin/sh
# run.sh SOURCE JOBS: apply every tests/recipes/NAME.patch to one scratch copy of the source tree,
# build the tool once, without optimisation, and run every tests/recipes/NAME.sh.
#
#   NAME.patch  an addition as docs/how-to-add.md describes it; made with scripts/recipe
#   NAME.sh     arguments BUILD SOURCE (of the scratch copy); runs in an empty directory; prints what
#               is wrong and exits with another code than 0. Its line "# tests: ..." names the tests
#               that run on the patched tree, at least one of each module that the patch changes
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

failed="" tests=""
for patch in "$recipes"/*.patch; do
  name=$(basename "$patch" .patch)
  [ -f "$recipes/$name.sh" ] || { echo "recipe $name: there is no tests/recipes/$name.sh"; failed="$failed $name"; }
  named=$(sed -n 's/^# tests: //p' "$recipes/$name.sh")
  for module in $(sed -n 's|^+++ b/src/\([a-z]*\)/.*|\1|p' "$patch" | sort -u); do
    case " $named" in
      *" $module."*) ;;
      *) echo "recipe $name: $name.sh names no test of the module $module"; failed="$failed $name" ;;
    esac
  done
  tests="$tests $named"
  if ! git apply --whitespace=nowarn "$patch" 2>"$scratch/log"; then
    cat "$scratch/log"
    echo "recipe $name: the patch does not apply. The code around it has changed: do what the patch does"
    echo "  in your working tree, run 'scripts/recipe $name' and undo the change."
    failed="$failed $name"
  fi
done
[ -z "$failed" ] || { echo "recipes that cannot be tried:$failed"; exit 1; }

cmake -S . -B "$scratch/build" -DCMAKE_BUILD_TYPE=Quick -DCMAKE_C_FLAGS=-O0 -DROBERVAL_WEB=OFF -DROBERVAL_WERROR=ON -DROBERVAL_TESTS=ON \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
programs=$(for test in $tests; do echo "test_$test" | tr . _; done | sort -u)
# shellcheck disable=SC2086
cmake --build "$scratch/build" -j "$jobs" --target roberval_cli manual device_plain $programs >"$scratch/log" 2>&1 ||
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

# the tests of the modules that the recipes touch; exit code 77: recordings are missing
pattern=$(echo $tests | tr ' ' '|')
(cd "$scratch/build" && ctest -j "$jobs" -R "^($(echo "$pattern" | sed 's/\./\\./g'))\$" --no-tests=error --output-on-failure) >"$scratch/log" 2>&1 ||
  { tail -n 60 "$scratch/log"; failed="$failed tests"; }
ran=$(sed -n 's/.*tests passed, .* out of \([0-9]*\)$/\1/p' "$scratch/log")
[ "${ran:-0}" -eq "$(echo "$programs" | wc -w)" ] || { echo "ran ${ran:-no} tests of: $tests"; failed="$failed tests"; }
echo "tests on the patched tree: ${ran:-none}"
[ -z "$failed" ] || { echo "recipes that failed:$failed"; exit 1; }
