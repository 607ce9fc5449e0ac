#!/bin/sh
# command.sh BUILD SOURCE: the new command runs, and help, manual page and completion know it.
# tests: cli.help cli.tables
set -eu
tool=$1/roberval pages=$1/generated/pages

"$tool" limits tx40 >table
[ "$(wc -l <table)" -eq 7 ] || { cat table; echo "not one line per joint"; exit 1; }
grep -q '^joint1 .* -3.14 .* 3.14 ' table || { cat table; echo "wrong limits of joint1"; exit 1; }
"$tool" limits tx40 --json | grep -q '"upper": 3.14' || { echo "no upper limit in JSON"; exit 1; }
code=0
"$tool" limits 2>message || code=$?
[ $code -eq 2 ] || { cat message; echo "a missing ROBOT is not wrong usage"; exit 1; }

"$tool" help | grep -q '^  limits ' || { echo "help does not list the command"; exit 1; }
grep -q 'roberval limits tx40' "$pages/roberval-limits.1" || { echo "no manual page with its example"; exit 1; }
bash -c '. "$1/roberval.bash"; COMP_WORDS=(roberval lim); COMP_CWORD=1; _roberval; echo "${COMPREPLY[@]}"' bash "$pages" |
  grep -qx limits || { echo "bash does not complete the command"; exit 1; }
