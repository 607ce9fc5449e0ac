#!/bin/sh
# arrays.sh SOURCE TOOL: a Monte Carlo study in 64 tasks and a fleet in 8 on a real Slurm, which this script starts on the loopback device
# without munge, cgroups and systemd. 8 tasks requeue themselves while they work, 4 are killed by a signal and started again alone, in
# an array of their own. The merged files are, byte for byte, those of one process. Exit code 77: there is no Slurm (scripts/setup slurm).
set -eu
source=$1 tool=$2
for program in slurmctld slurmd sbatch; do
  command -v $program >/dev/null || [ -x /usr/sbin/$program ] || { echo "$program is missing (scripts/setup slurm)"; exit 77; }
done
PATH=$PATH:/usr/sbin
work=$(mktemp -d)
host=$(uname -n) user=$(id -un) port=$((20000 + $$ % 10000 * 2))
stop() {
  for daemon in slurmd slurmctld; do
    [ ! -s "$work/$daemon.pid" ] || kill "$(cat "$work/$daemon.pid")" 2>/dev/null || true
  done
  # slurmctld writes its state at the end
  tries=0
  while [ -e "$work/slurmctld.pid" ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  rm -rf "$work" 2>/dev/null || true
}
trap stop EXIT
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=10000,batch_sched_delay=0
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=2
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF="$work/slurm.conf"
slurmctld
slurmd -N n1
tries=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
  tries=$((tries + 1))
  [ $tries -lt 300 ] || { echo "the cluster does not come up:"; tail -5 "$work"/*.log; exit 1; }
  sleep 0.2
done

# the inputs: a study, and eight robots
cp -r "$source/examples" "$work/run"
cd "$work/run"
ln -s "$tool" "$work/roberval"
PATH=$work:$PATH
export PATH
study="tx40 --mode offline --methods wls --runs 256"
roberval montecarlo $study -q -o whole.json >/dev/null
roberval excite two_link.urdf --period 3 --rate 100 --harmonics 3 --starts 1 --budget 0 -q -o motion.csv >/dev/null
{
  echo "robot: two_link.urdf"
  echo "options: {friction: plain}"
  echo "robots:"
  for i in 1 2 3 4 5 6 7 8; do
    roberval simulate two_link.urdf motion.csv --seed $i -q -o log$i.csv
    echo "  - {name: r$i, logs: [log$i.csv]}"
  done
} >fleet.yaml
roberval identify --fleet fleet.yaml -q -o whole >whole.txt || [ $? -eq 1 ]

# task.sh PART COMMAND...: tasks 5, 13, ... requeue themselves once their file exists; tasks 7, 23, ... are killed
cat >task.sh <<'END'
#!/bin/sh
part=$1.$SLURM_ARRAY_TASK_ID
shift
case $SLURM_ARRAY_TASK_ID in
  5|13|21|29|37|45|53|61) trouble=requeue ;;
  7|23|39|55) trouble=kill ;;
  *) trouble= ;;
esac
if [ -n "$trouble" ] && [ ! -e "$part.was" ]; then
  touch "$part.was"
  "$@" -o "$part" &
  until [ -s "$part" ]; do sleep 0.05; done
  kill -9 $! 2>/dev/null
  [ $trouble = kill ] && kill -9 $$
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
  sleep 600
fi
exec "$@" -o "$part" --resume
END

# submit NAME ARRAY COMMAND...; a requeued task would wait for two minutes
submit() {
  name=$1 array=$2
  shift 2
  sbatch -Q --array="$array" --open-mode=append -o "$name.%a.log" --export=ALL task.sh "$name" "$@"
}
finish() {
  tries=0
  while [ -n "$(squeue -h -r -o %i)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 1200 ] || { echo "tasks do not end:"; squeue -r; exit 1; }
    sleep 0.5
    for task in $(squeue -h -r -t PD -o '%i %r' | sed -n 's/ BeginTime$//p'); do
      [ -e "requeued.$task" ] || { touch "requeued.$task"; continue; }
      scontrol update jobid="$task" StartTime=now 2>/dev/null || true
    done
  done
}

submit part 1-64 roberval montecarlo $study --shard array/64 -q
finish
again=$(for i in 7 23 39 55; do roberval merge part.$i >/dev/null 2>&1 || printf '%s,' $i; done)
echo "killed tasks: 7,23,39,55; requeued: $(ls requeued.* 2>/dev/null | wc -l)"
submit part "${again%,}" roberval montecarlo $study --shard array/64 -q
finish
rm -f part.*.was part.*.log
roberval merge part.* -q -o merged.json >/dev/null
cmp whole.json merged.json && echo "study: 64 tasks give the bytes of one process"

rm -f requeued.*
submit robot 1-8 roberval identify --fleet fleet.yaml --shard array/8 -q
finish
submit robot 7 roberval identify --fleet fleet.yaml --shard array/8 -q
finish
rm -f robot.*.was robot.*.log
roberval merge robot.* -q -o merged >merged.txt || [ $? -eq 1 ]
diff -r whole merged && diff whole.txt merged.txt && echo "fleet: 8 tasks give the bytes of one process"
