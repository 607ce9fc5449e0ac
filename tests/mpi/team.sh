#!/bin/sh
# team.sh SOURCE TOOLS MPIRUN: roberval-mpi gives the same bytes as roberval with any number of
# processes, also after one of them was killed.
set -eu
source=$1 tools=$2 mpirun=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fail() { echo "$*"; cat errors 2>/dev/null; exit 1; }
alone() { "$tools/roberval" "$@" 2>errors; }
team() { n=$1; shift; "$mpirun" --oversubscribe --bind-to none -n "$n" "$tools/roberval-mpi" "$@" 2>errors; }
same() { cmp "$1" "$2" || fail "$3: not the same bytes"; }

awk 'BEGIN {
  print "t,q1"
  for (k = 0; k < 1000; k++) { t = k / 400; printf "%.17g,%.17g\n", t, 0.5*(1-cos(4.4*t)) + 0.2*(1-cos(13*t)) }
}' >traj.csv

study() {
  echo "montecarlo $source/examples/pendulum.yaml --reference traj.csv --bandwidth 6 --encoder 3600 --disturbance 2% \
    --cutoff 30 --decimate 10 --mask 0 --methods wls,iv,didim --runs $1 -q --json"
}
search="excite ns16 --class sines --search ga --criterion mixed --population 16 --generations 6 --starts 3 --budget 0 -q"

# ---- any number of processes, threads, shards ----

alone $(study 22) >whole || fail "montecarlo alone"
alone $search -o whole.csv >/dev/null || fail "excite alone"
alone $search --threads 2 -o threads.csv >/dev/null || fail "excite on two threads"
same whole.csv threads.csv "excite on two threads"
for n in 2 4; do
  team $n $(study 22) >ranks || fail "montecarlo on $n processes"
  same whole ranks "montecarlo on $n processes"
  rm -f ranks.csv
  team $n $search -o ranks.csv >/dev/null || fail "excite on $n processes"
  same whole.csv ranks.csv "excite on $n processes"
done
# two shards, each run by a team
for i in 1 2; do team 3 $(study 22) --shard $i/2 -o part$i || fail "shard $i"; done
alone merge part1 part2 --json >merged || fail "merge"
same whole merged "two shards"
# two shards of a search in parallel, one of them run by a team
alone $search --journal shards --shard 1/2 -o shard1.csv >/dev/null &
other=$!
team 2 $search --journal shards --shard 2/2 -o shard2.csv >/dev/null || fail "excite: a shard by a team"
wait $other || fail "excite: a shard"
for i in 1 2; do same whole.csv shard$i.csv "excite: shard $i"; done

# ---- a fleet; exit codes are passed on ----

for i in 1 2 3; do
  alone simulate "$source/examples/pendulum.yaml" traj.csv --gamma 150 --torque-noise 2% --seed $i -q -o log$i.csv || fail simulate
done
cat >fleet.yaml <<EOF
robot: $source/examples/pendulum.yaml
options: {gamma: 150, cutoff: 30, decimate: 10}
robots: [{name: a, logs: [log1.csv]}, {name: b, logs: [log2.csv]}, {name: c, logs: [log3.csv]}, {name: d, logs: [gone.csv]}]
EOF
code=0; alone identify --fleet fleet.yaml --json >fleet || code=$?
[ $code -eq 1 ] || fail "fleet: exit code $code"
code=0; team 3 identify --fleet fleet.yaml --json -o results >ranks || code=$?
[ $code -eq 1 ] || fail "fleet on three processes: exit code $code"
same fleet ranks "fleet on three processes"
[ "$(ls results | tr '\n' ' ')" = "a.json b.json c.json " ] || fail "results of the fleet: $(ls results)"

# ---- commands without jobs run once; errors are printed once ----

[ "$(team 3 version)" = "$(alone version)" ] || fail "the version is printed more than once"
code=0; team 3 montecarlo tx40 --methods magic || code=$?
[ $code -eq 2 ] || fail "wrong usage: exit code $code"
[ "$(grep -c "no method 'magic'" errors)" -eq 1 ] || fail "wrong usage is reported more than once"

# ---- killed, and resumed ----

size_of() { if [ -f "$1" ]; then wc -c <"$1"; else echo 0; fi; }

process_of_rank() {
  for p in $(cat /proc/"$1"/task/"$1"/children); do
    if tr '\0' '\n' 2>/dev/null </proc/"$p"/environ | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then echo "$p"; fi
  done
}

# kill_rank RANK JOURNAL COMMAND...: start on three processes, kill one when the journal has grown
kill_rank() {
  rank=$1 journal=$2; shift 2
  before=$(size_of "$journal")
  "$mpirun" --oversubscribe --bind-to none -n 3 "$tools/roberval-mpi" "$@" --journal "$journal" --resume >/dev/null 2>killed &
  runner=$!
  while [ "$(size_of "$journal")" -le $((before + 2000)) ]; do
    kill -0 $runner 2>/dev/null || fail "the run ended before it could be killed"
    sleep 0.01
  done
  victim=$(process_of_rank $runner "$rank")
  [ -n "$victim" ] || fail "no process of rank $rank"
  kill -9 $victim
  if wait $runner; then fail "the run succeeded although rank $rank was killed"; fi
  grep -q "rank $rank .*signal 9" killed || { cat killed; fail "rank $rank, which was killed, is not named"; }
}

alone $(study 120) >whole || fail "montecarlo alone"
for rank in 0 2; do kill_rank $rank journal $(study 120); done
# what is not lost is told
team 4 $(study 120 | sed 's/ -q / /') --journal journal --resume >ranks || fail "montecarlo resumed"
grep -qE "journal: [1-9][0-9]* of [0-9]+ jobs were done in an earlier run" errors || fail "kept jobs are not told"
same whole ranks "montecarlo killed and resumed"

for rank in 1 0; do kill_rank $rank search $search -o killed.csv; done
[ ! -e killed.csv ] || fail "the run ended before it was killed"
team 2 $search --journal search --resume -o killed.csv >/dev/null || fail "excite resumed"
same whole.csv killed.csv "excite killed and resumed"
alone $search --journal search --resume -o resumed.csv >/dev/null || fail "excite resumed alone"
same whole.csv resumed.csv "excite resumed alone"
echo "the same bytes from 1, 2 and 4 processes, threads and shards, killed or not"
