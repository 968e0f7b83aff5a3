#!/usr/bin/env bash
# A worker and a class on a real Slurm: one node with munge, in the test's folder, ended with it.
. "$(dirname "$0")/common.sh" "$@"
for each in slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client srun:slurm-client munged:munge; do
  need "${each%:*}" "${each#*:}"
done
[ -n "$(ls /sys/fs/cgroup 2>/dev/null)" ] || skip "no control groups are mounted, which slurmd needs"
cd "$folder" || exit 1
node=$(hostname -s)
mkdir -m 0700 munge state spool
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null
chmod 0400 munge/key
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
  >munge.out 2>&1 &
daemons+=($!)
wait_for 10 test -S munge/socket || { cat munge.out munge/log; echo "munged does not start"; exit 1; }

cat >slurm.conf <<END
ClusterName=warpshop
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 Gres=gpu:1 State=UNKNOWN
PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
echo "NodeName=$node Name=gpu File=/dev/null" >gres.conf
echo "CgroupAutomount=no" >cgroup.conf
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -c -f slurm.conf >slurmctld.log 2>&1 &
daemons+=($!)
slurmd -D -f slurm.conf >slurmd.log 2>&1 &
daemons+=($!)
idle() { [ "$(sinfo -h -o %T)" = idle ]; }
wait_for 60 idle || { tail slurmctld.log slurmd.log; echo "Slurm does not start"; exit 1; }

"$program" check fixture/scale --solution --worker "srun --quiet --gres=gpu:1 $fake_worker" \
  --worker-wait 120 >out 2>&1
status=$?
expect "a worker that srun starts" 0 out "Measured on Fake GPU" "✓ Result correct on the GPU"
"$program" check fixture/scale --solution --worker "srun --partition=none $fake_worker" >out 2>&1
status=$?
expect "a partition that there is not" 3 out "Invalid partition" "sinfo lists them"
"$program" check fixture/scale --solution --worker "srun --gres=gpu:9 $fake_worker" >out 2>&1
status=$?
expect "more GPUs than a node has" 3 out "Requested node configuration is not available" "sinfo"
scontrol update NodeName="$node" State=DRAIN Reason=full
"$program" check fixture/scale --solution --worker "srun --quiet $fake_worker" --worker-wait 4 \
  >out 2>&1
status=$?
expect "a partition that is full" 3 out "the job may still be queued"
scontrol update NodeName="$node" State=RESUME
wait_for 60 idle

# Compile servers for a class in browsers: docs/serve/compile-servers.sbatch.
port=$(free_port)
job=$(PORT=$port WARPSHOP=$program sbatch --parsable --nodes=1 --output=servers.log \
  "$source_dir/docs/serve/compile-servers.sbatch" "$folder/servers.conf")
health() { python3 -c "import urllib.request as u; print(u.urlopen('http://127.0.0.1:$port/api/health').read())"; }
wait_for 90 health
health >out 2>&1
status=$?
expect "a compile server on a node" 0 out "compilers"
cp servers.conf out
expect "the list of compile servers" 0 out "server $node:$port max_fails=2"
scancel "$job"
wait_for 60 grep -q "down;" servers.conf
cp servers.conf out
status=$?
expect "the list after the lesson" 0 out "server 127.0.0.1:9 down;"
wait_for 60 idle

# A class of nine in three groups; one of their tasks is lost.
for n in 1 2 3 4 5 6 7 8 9; do
  mkdir -p "class/s$n/fixture"
  grep -v '^ *//!' data/solutions/fixture/scale.cu >"class/s$n/fixture/scale.cu"
  [ $((n % 3)) -ne 0 ] || sed -i 's/2.0f/3.0f/' "class/s$n/fixture/scale.cu"
done
"$program" grade class --out grades --device emulator --slurm=--exclusive --groups 3 \
  --jobs 1 >out 2>&1 &
grading=$!
# The tasks take turns; one that still waits is cancelled, so that its group is left over.
waiting() { squeue -h -r -t PD -o %i | grep -q _; }
wait_for 60 waiting && scancel "$(squeue -h -r -t PD -o %i | tail -n 1)"
wait "$grading"
status=$?
expect "a class as a job array, although a task is lost" 0 out \
  "6 passed, 3 failed" "incomplete; running them again" "grades/index.html"
once() {  # NAME FOLDER COUNT: a line for each student
  local lines different
  lines=$(cat "$2"/group-*.jsonl | wc -l)
  different=$(cat "$2"/group-*.jsonl | grep -o '"student":"[^"]*"' | sort -u | wc -l)
  if [ "$lines" -eq "$3" ] && [ "$different" -eq "$3" ]; then
    echo "ok: $1: nothing is graded twice or lost"
  else
    echo "FAILED: $1: $lines grades of $different students, wanted $3 of $3"
    failures=$((failures + 1))
  fi
}
once "a task that was cancelled" grades 9
"$program" grade class --out grades --device emulator --slurm --groups 3 >out 2>&1
status=$?
expect "a class that is graded is not submitted again" 0 out "6 passed, 3 failed"
if grep -q "^job " out; then echo "FAILED: it was submitted"; failures=$((failures + 1)); fi

# A larger class, so that each task takes a while.
for n in $(seq 1 60); do
  mkdir -p "many/s$n/fixture"
  cp "class/s$((n % 9 + 1))/fixture/scale.cu" "many/s$n/fixture/scale.cu"
done
# One of the groups of twenty has grades, and half of them at the most.
in_a_group() {
  local group lines
  for group in "$1"/group-*.jsonl; do
    lines=$(wc -l <"$group" 2>/dev/null) && [ "$lines" -ge 2 ] && [ "$lines" -le 10 ] && return
  done
  return 1
}
kill_running_task() {
  local task
  task=$(squeue -h -r -t R -o %i | head -n 1)
  [ -n "$task" ] && scancel --signal=KILL --full "$task"
}

# A task is killed in the middle of its group: the group is run again and goes on where it stood.
"$program" grade many --out killed --device emulator --slurm=--exclusive --groups 3 --jobs 1 \
  >out 2>&1 &
grading=$!
wait_for 90 in_a_group killed && kill_running_task
wait "$grading"
status=$?
expect "a class of which a running task is killed" 0 out \
  "40 passed, 20 failed" "incomplete; running them again"
once "a task that was killed" killed 60

# The node dies with all that runs there, and comes back: its tasks are run again.
ours() {  # processes of this test's tasks, and their keepers
  local pid environment
  for pid in /proc/[0-9]*; do
    environment=$(tr '\0' '\n' <"$pid/environ" 2>/dev/null)
    case $environment in *"SLURM_CONF=$folder/slurm.conf"*) ;; *) continue ;; esac
    if [ "$(cat "$pid/comm" 2>/dev/null)" = slurmstepd ]; then echo "${pid#/proc/}"; continue; fi
    case $environment in *SLURM_ARRAY_TASK_ID=*) echo "${pid#/proc/}" ;; esac
  done 2>/dev/null
}
"$program" grade many --out crashed --device emulator --slurm=--exclusive --groups 3 --jobs 1 \
  >out 2>&1 &
grading=$!
wait_for 90 in_a_group crashed
kill -9 "${daemons[2]}"
for pid in $(ours); do kill -9 "$pid" 2>/dev/null; done
wait "${daemons[2]}" 2>/dev/null
if [ "$(cat crashed/group-*.jsonl | wc -l)" -ge 60 ]; then
  echo "FAILED: the node died too late"
  failures=$((failures + 1))
fi
slurmd -D -f slurm.conf >slurmd2.log 2>&1 &
daemons[2]=$!
(sleep 200; kill "$grading" 2>/dev/null) &
watch=$!
wait "$grading"
status=$?
kill "$watch" 2>/dev/null
expect "a class whose node dies" 0 out "40 passed, 20 failed"
once "a node that died" crashed 60

"$program" grade class --out other --device emulator --slurm=--partition=none --groups 3 >out 2>&1
status=$?
expect "a class for a partition that there is not" 3 out "nvalid partition" "sinfo lists"
kill "${daemons[1]}"
wait "${daemons[1]}" 2>/dev/null
"$program" check fixture/scale --solution --worker "srun --quiet $fake_worker" --worker-wait 60 \
  >out 2>&1 &
checking=$!
(sleep 50; kill "$checking" 2>/dev/null) &
watch=$!
wait "$checking"
status=$?
kill "$watch" 2>/dev/null
expect "Slurm is down" 3 out "contact slurm controller" "Slurm is down"
exit $((failures > 0))
