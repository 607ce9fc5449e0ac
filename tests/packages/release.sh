#!/bin/sh
# release.sh SOURCE: scripts/release refuses before it builds anything: changes, a missing tag, an unreleased version, tests, slow tests or
# pages that were not run for this commit or failed, no maintainer.
set -eu
source=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
unset DEBEMAIL DEBFULLNAME RELEASE_KEY
mkdir -p "$here/tree/scripts" "$here/tree/include/roberval"
cp "$source/scripts/release" "$source/scripts/nightly" "$here/tree/scripts"
cp "$source/include/roberval/status.h" "$here/tree/include/roberval"
cd "$here/tree"
version=$(sed -n 's/.*RBV_VERSION_TEXT *"\(.*\)".*/\1/p' include/roberval/status.h)
printf '## %s (unreleased)\n' "$version" >CHANGELOG.md
printf 'build/\n' >.gitignore
git init -q . && git config user.name t && git config user.email t@t
git add -A && git commit -qm first

# refuses WHAT: the release stops with this sentence and has made nothing
refuses() {
  code=0
  scripts/release >"$here/out" 2>&1 || code=$?
  [ "$code" -eq 1 ] && grep -q "$1" "$here/out" && [ ! -e build/dist ] || { cat "$here/out"; echo "not refused: $1"; exit 1; }
}
night() { mkdir -p build/nightly; { echo "commit $1"; shift; printf '%s passed 1 s\n' "$@"; } >build/nightly/2026-01-01.txt; }
head() { git rev-parse HEAD; }
steps=$(scripts/nightly --steps | tr "\n" " ")

touch new && refuses "changes that are not committed" && rm new
refuses "does not have the tag v$version"
git tag "v$version"
refuses "still calls $version unreleased"
printf '## %s\n' "$version" >CHANGELOG.md
git commit -qam second && git tag -f "v$version" >/dev/null
refuses "make nightly has not been run for this commit"
night "$(git rev-parse HEAD~1)" $steps
refuses "make nightly has not been run for this commit"
night "$(head) with changes" $steps
refuses "make nightly has not been run for this commit"
for missing in $steps; do
  night "$(head)" $(echo "$steps" | tr ' ' '\n' | grep -v "^$missing$")
  refuses "the step $missing of make nightly has not passed"
done
night "$(head)" $steps
sed -i 's/^slow.*/slow FAILED 1 s/' build/nightly/2026-01-01.txt
refuses "the step slow of make nightly has not passed"
night "$(head)" $steps
refuses "set DEBFULLNAME and DEBEMAIL"
echo "releases without tests and pages of their commit are refused"
