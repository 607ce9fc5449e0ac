#!/bin/sh
# nightly.sh SOURCE: scripts/nightly in a scratch repository whose steps are replaced by short ones: its file can be made in
# pieces, a failing step fails, another commit begins a new file.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir scripts bench
cp "$source/scripts/nightly" scripts
for step in test coverage mutate fuzz test-web; do
  printf '#!/bin/sh\necho "src 99.0 %%"\necho "%s is done"\n[ ! -e fail-%s ]\n' $step $step >scripts/$step
  chmod +x scripts/$step
done
printf '.PHONY: bench\nbench: ; @echo "one 1/2.5"\nwheel tarball packages: ; @echo packed\n' >Makefile
# cmake, for the step of the sanitizers
mkdir bin
printf '#!/bin/sh\nexit 0\n' >bin/cmake
chmod +x bin/cmake
PATH=$work/bin:$PATH
printf 'build\nfail-*\nout\n' >.gitignore
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q . && git add . && git commit -qm one

fail() { echo "$*"; cat build/nightly/*.txt; exit 1; }
file() { ls build/nightly/????-??-??.txt; }
passed() { grep -cE "^[a-z]+ +passed " "$(file)"; }

scripts/nightly coverage slow >out || fail "two steps fail: $(cat out)"
[ "$(passed)" -eq 2 ] || fail "two steps are not two lines"
grep -q "^commit $(git rev-parse HEAD)\$" "$(file)" || fail "the commit is not named"
touch fail-mutate
if scripts/nightly mutation bench >out; then fail "a failing step is no failure"; fi
grep -q "^mutation *FAILED" "$(file)" || fail "the failing step is not named"
[ "$(passed)" -eq 3 ] || fail "a later piece does not continue the file"
grep -q "one 1/2.5" bench/history/"$(git rev-parse --short HEAD)".txt || fail "no history of bench"
rm fail-mutate
scripts/nightly mutation test sanitizers fuzz web packages >out || fail "the rest fails: $(cat out)"
for step in $(scripts/nightly --steps); do
  [ "$(grep -cE "^$step +passed " "$(file)")" -eq 1 ] || fail "the step $step has not one line"
done
! grep -q FAILED "$(file)" || fail "a failure that was repaired stays"
git commit -qm two --allow-empty
scripts/nightly coverage >out || fail "coverage fails"
[ "$(passed)" -eq 1 ] || fail "another commit does not begin a new file"
