#!/bin/sh
# release.sh SOURCE: scripts/release refuses before it builds anything: changes, a missing tag, an unreleased version, tests, slow tests or
# pages that were not run for this commit or failed, no maintainer.
set -eu
source=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
unset DEBEMAIL DEBFULLNAME RELEASE_KEY
mkdir -p "$here/tree/scripts" "$here/tree/include/roberval"
cp "$source/scripts/release" "$here/tree/scripts"
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

touch new && refuses "changes that are not committed" && rm new
refuses "does not have the tag v$version"
git tag "v$version"
refuses "still calls $version unreleased"
printf '## %s\n' "$version" >CHANGELOG.md
git commit -qam second && git tag -f "v$version" >/dev/null
refuses "make nightly has not been run for this commit"
night "$(git rev-parse HEAD~1)" test sanitizers slow web packages
refuses "make nightly has not been run for this commit"
night "$(head) with changes" test sanitizers slow web packages
refuses "make nightly has not been run for this commit"
for missing in test sanitizers slow web packages; do
  night "$(head)" $(echo test sanitizers slow web packages | tr ' ' '\n' | grep -v "^$missing$")
  refuses "has no step $missing"
done
night "$(head)" test sanitizers slow web packages
sed -i 's/^slow.*/slow FAILED 1 s/' build/nightly/2026-01-01.txt
refuses "has failures"
night "$(head)" test sanitizers slow web packages
refuses "set DEBFULLNAME and DEBEMAIL"
echo "releases without tests and pages of their commit are refused"
