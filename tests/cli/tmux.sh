#!/bin/sh
# tmux.sh SOURCE TOOL: what the tool shows under tmux at 60, 80 and 120 columns. No line is wider than the terminal, no word is
# broken (the words are those of a pipe, where messages may come earlier), colours appear, and NO_COLOR removes them.
set -eu
source=$1 tool=$2
command -v tmux >/dev/null || { echo "tmux is missing (scripts/setup test)"; exit 77; }
scratch=$(mktemp -d)
export TMUX_TMPDIR="$scratch"
server=:
trap '$server kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT
cp -r "$source/examples" "$scratch/work"
cd "$scratch/work"
ln -s "$tool" "$scratch/roberval"
PATH=$scratch:$PATH
export PATH
unset NO_COLOR COLUMNS
TERM=screen-256color LC_ALL=C.UTF-8
export TERM LC_ALL
sh record.sh 0 log.csv >/dev/null 2>&1
roberval identify tx40 log.csv -q -o result.json >/dev/null
bad=0
complain() { echo "$*"; bad=1; }

# shown WIDTH COMMAND OUT [VARIABLE=VALUE]: the screen after a command, with all that scrolled away; OUT.e has the colours.
# A line that follows the output tells when the screen is complete, however slow the machine is. Each screen has a server of
# its own; one that ends by itself ("server exited unexpectedly") says nothing about the tool, and the screen is made again.
mark=end-of-the-output
screens=0
capture() { $server capture-pane -t one -p "$@" -S - >"$scratch/captured" && sed "/^$mark/d" "$scratch/captured"; }
screen() {
  screens=$((screens + 1))
  server="tmux -L roberval-$$-$screens -f /dev/null"
  $server start-server \; set-option -g history-limit 5000 \; \
    new-session -d -s one -x "$1" -y 50 "env ${4:-} sh -c '$2' 2>&1; echo; echo $mark; sleep 100000" || return 1
  tries=0
  until capture >/dev/null && grep -q "^$mark" "$scratch/captured"; do
    tries=$((tries + 1))
    [ $tries -lt 3000 ] && $server has-session -t one || return 1
    sleep 0.1
  done
  capture >"$3" && capture -J >"$3.joined" && capture -e >"$3.e" || return 1
  $server kill-server || true
}
shown() {
  screen "$@" || screen "$@" || screen "$@" || { echo "no end: $2"; exit 1; }
}

words() { tr -s ' \n' '\n\n' <"$1" | sed '/^$/d' | sort; }
blanks() { sed -e 's/ *$//' -e '/^$/d' "$1"; }

n=0
for command in "roberval help" "roberval identify --help" "roberval model tx40 --base" "roberval check tx40 log.csv" \
  "roberval identify tx40 log.csv -o again.json" "roberval show result.json" "roberval identfy"; do
  n=$((n + 1))
  sh -c "$command" >"$scratch/pipe" 2>&1 || true
  words "$scratch/pipe" >"$scratch/pipe.words"
  for width in 60 80 120; do
    shown $width "$command" "$scratch/screen"
    # tmux joins lines that were wider than the screen: nothing may change
    blanks "$scratch/screen" >"$scratch/a"
    blanks "$scratch/screen.joined" >"$scratch/b"
    cmp -s "$scratch/a" "$scratch/b" || { complain "$command: a line is wider than $width columns:"; diff "$scratch/a" "$scratch/b" | head -4; }
    words "$scratch/screen" >"$scratch/words"
    cmp -s "$scratch/words" "$scratch/pipe.words" ||
      { complain "$command: other words at $width columns than in a pipe"; diff "$scratch/words" "$scratch/pipe.words" | head -6; }
  done
done

esc=$(printf '\033')
for command in "roberval identfy" "roberval check tx40 log.csv" "roberval identify tx40 log.csv -o again.json"; do
  shown 80 "$command" "$scratch/screen"
  grep -q "$esc\[3[1236]m\|$esc\[1m" "$scratch/screen.e" || complain "$command has no colour"
  shown 80 "$command" "$scratch/screen" NO_COLOR=1
  ! grep -q "$esc\[" "$scratch/screen.e" || complain "$command has colours with NO_COLOR"
  sh -c "$command" >"$scratch/pipe" 2>&1 || true
  ! grep -q "$esc" "$scratch/pipe" || complain "$command has colours in a pipe"
done
echo "$n commands at 60, 80 and 120 columns"
exit $bad
