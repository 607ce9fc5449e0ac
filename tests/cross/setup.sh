#!/bin/sh
# setup.sh SOURCE: run scripts/setup with programs of the same names in place of apt-get, dpkg-query, id,
# sudo and sleep. It says in one line what it installs, waits for the lock, and asks nobody.
set -eu
source=$1
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
bin=$here/bin
mkdir "$bin"
program() { cat >"$bin/$1"; chmod +x "$bin/$1"; }
fail() { echo "failed: $*"; cat "$here/out" "$here/err" "$here/calls" 2>/dev/null; exit 1; }

program dpkg-query <<'P'
#!/bin/sh
for last; do :; done
[ "$last" = cmake ] && exit 1
echo "install ok installed"
P
program apt-get <<P
#!/bin/sh
echo "apt-get \$*" >>$here/calls
if read -r line; then echo "somebody was asked" >>$here/calls; fi
n=\$(cat $here/locked)
if [ "\$n" -gt 0 ]; then
  echo \$((n - 1)) >$here/locked
  echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)" >&2
  exit 100
fi
[ ! -e $here/broken ] || { echo "E: no network" >&2; exit 100; }
P
program sleep <<P
#!/bin/sh
echo "sleep \$*" >>$here/calls
P
run() { : >"$here/calls"; echo "$1" >"$here/locked"; shift
  code=0; PATH="$bin:$PATH" "$@" "$source/scripts/setup" core >"$here/out" 2>"$here/err" </dev/null || code=$?; }

# as root: one line, lists and packages, waits while the lock is held
printf '#!/bin/sh\necho 0\n' | program id
run 3 sh
[ "$code" -eq 0 ] || fail "exit code $code"
[ "$(cat "$here/out" "$here/err")" = "scripts/setup: about to install by apt-get, as root: cmake" ] || fail "not one line"
[ "$(grep -c '^sleep' "$here/calls")" -eq 3 ] || fail "did not wait"
[ "$(grep -c 'DPkg::Lock::Timeout' "$here/calls")" -eq 5 ] || fail "no time limit for the lock of dpkg"
grep -q 'install -y --no-install-recommends cmake$' "$here/calls" || fail "not installed"
! grep -q asked "$here/calls" || fail "reads stdin"

# another failure is told at once
: >"$here/broken"
run 0 sh
[ "$code" -eq 1 ] && grep -q 'no network' "$here/err" && ! grep -q '^sleep' "$here/calls" || fail "failure not told"
rm "$here/broken"

# a user whose sudo wants a password is told the command, not asked
printf '#!/bin/sh\necho 1000\n' | program id
printf '#!/bin/sh\n[ "$1" = -n ] || { echo "asked for a password"; exit 0; }\nexit 1\n' | program sudo
run 0 sh
[ "$code" -eq 1 ] && grep -q 'need root to install: apt-get install cmake' "$here/err" || fail "not told"
! grep -q 'apt-get' "$here/calls" || fail "apt-get was called"

# a user whose sudo needs none
printf '#!/bin/sh\n[ "$1" = -n ] || exit 1\nshift\nexec "$@"\n' | program sudo
run 0 sh
[ "$code" -eq 0 ] && grep -q 'install -y' "$here/calls" || fail "sudo -n was not used"
