#!/bin/sh
# Runs the script of docs/cluster.md on a Slurm of its own on this machine (munged, slurmctld and slurmd, in a folder
# that goes away), and the line for GNU parallel, and compares both with one process. Needs root, as slurmd does.
#   tests/slurm/check.sh TURF
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
turf=$1
[ "$(id -u)" -eq 0 ] || { echo "check-slurm needs root: slurmd starts jobs as other users" >&2; exit 2; }
folder=$(mktemp -d /tmp/turf-slurm-XXXXXX)
chmod 755 "$folder"
pids=""

# Ends those that were started here, and nobody else.
finish() {
    status=$?
    for pid in $pids; do kill "$pid" 2>/dev/null || true; done
    for pid in $pids; do wait "$pid" 2>/dev/null || true; done
    [ $status -eq 0 ] || { tail -n 20 "$folder"/*.log >&2 || true; }
    rm -rf "$folder"
    exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM

# wait_for WHAT COMMAND...: up to a minute.
wait_for() {
    what=$1
    shift
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 240 ] || { echo "check-slurm: $what did not come up" >&2; exit 1; }
        sleep 0.25
    done
}

# The first block of a section of the page: what users copy.
block() {
    awk -v section="## $1" -v wanted="$2" '
        /^## / { inside = $0 == section }
        inside && /^```(sh|console)/ { n++; reading = n == wanted; next }
        /^```/ { reading = 0 }
        reading { sub(/^\$ /, ""); print }' "$here/docs/cluster.md"
}

mkdir "$folder/bin" "$folder/work" "$folder/spool" "$folder/state"
ln -s "$turf" "$folder/bin/turf"
PATH="$folder/bin:$PATH"
unset TURF_DB
export PATH

# ---- munge and Slurm ----
mkdir -m 755 "$folder/munge"
dd if=/dev/urandom of="$folder/munge/key" bs=64 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
munged --foreground --force --socket="$folder/munge/socket" --key-file="$folder/munge/key" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge.log" \
    >"$folder/munged.log" 2>&1 &
pids="$pids $!"
wait_for munged test -S "$folder/munge/socket"

host=$(hostname -s)
cpus=$(nproc)
base=$((20000 + $$ % 20000))
cat >"$folder/slurm.conf" <<CONF
ClusterName=turf
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$base
SlurmdPort=$((base + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
SLURM_CONF="$folder/slurm.conf"
export SLURM_CONF
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out.log" 2>&1 &
pids="$pids $!"
slurmd -D -f "$SLURM_CONF" -N "$host" >"$folder/slurmd.out.log" 2>&1 &
pids="$pids $!"
is_idle() { sinfo -h -o %t | grep -q '^idle'; }
wait_for "the node" is_idle

# ---- the array, as the page has it ----
cd "$folder/work"
block Slurm 1 >turf.sh
block Slurm 2 >then.sh
turf tournament war-of-life -n 1000 --seed 1 --no-times --db none --quiet >expected.txt
sed -i 's/^turf merge /&--no-times /' then.sh
sh -eu then.sh >merged.txt
# sbatch says which job it was, and then comes the report.
tail -n +2 merged.txt | cmp - expected.txt
echo "check-slurm: the report of $(ls turf-*-of-8.db | wc -l) array tasks is that of one process"

# ---- GNU parallel ----
mkdir ../parallel
cd ../parallel
block "GNU parallel" 1 | sed 's/^turf merge /&--no-times /' >run.sh
sh -eu run.sh >merged.txt
cmp merged.txt ../work/expected.txt
echo "check-slurm: so is that of GNU parallel"
