#!/bin/busybox sh
# The first program of the virtual machine of cgroup_vm.sh: tries the limits of bots, prints TAP.
PATH=/bin
export PATH
if [ -d /new ]; then # bubblewrap cannot leave an initramfs, but any other file system
    /bin/busybox mount -t tmpfs -o mode=0755 tmpfs /new
    /bin/busybox cp -a /bin /etc /init /lib /lib64 /sbin /usr /new/
    /bin/busybox mkdir /new/proc /new/sys /new/dev
    exec /bin/busybox switch_root /new /init
fi
/bin/busybox --install -s /bin 2>/dev/null
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /tmp /work /dev/pts /dev/shm /root
chmod 1777 /tmp /work
echo 'root:x:0:0::/root:/bin/sh' >/etc/passwd
cp /usr/bin/probe /work/probe
cd /work

n=0
check() { # check WORDS COMMAND...: one line of TAP
    local words=$1
    n=$((n + 1))
    shift
    if "$@"; then echo "ok $n - $words"; else
        echo "not ok $n - $words"
        tail -n 5 out | sed 's/^/# /'
    fi
}

# By its path: the shell would run its own setpriv.
as_user="/usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups --"
limits="--bot-memory 100 --bot-processes 20 --move-cap 30000 --db none"

play() { # play [PREFIX...] : RESOURCE SANDBOX [OPTION...]: the output is in the file out
    local before="" resource sandbox
    while [ "$1" != : ]; do before="$before $1"; shift; done
    resource=$2 sandbox=$3
    shift 3
    $before turf match sw "x=bot:./probe $resource" random -n 1 --sandbox "$sandbox" $limits "$@" >out 2>&1
}
forfeits() { # forfeits REASON ARGUMENTS-OF-PLAY...
    local reason=$1
    shift
    play "$@"
    grep -q "x forfeited game 1 ($reason)" out && nobody_is_left
}
plays_on() { play "$@" && ! grep -q "x forfeited" out && nobody_is_left; }
nobody_is_left() {
    pidof probe >/dev/null && sleep 1
    pidof probe >/dev/null || return 0
    echo "left: $(pidof probe)" >>out
    kill -9 $(pidof probe)
    false
}
says() { # says WORDS PREFIX...: what check-bot says of the limits
    local words=$1
    shift
    "$@" turf check-bot sw --sandbox require -- ./probe "" >out 2>&1
    grep -q "$words" out
}
is_clean() {
    find /sys/fs/cgroup -name 'turf-*' >out
    [ ! -s out ]
}
holds() { # holds PREFIX...: all of probe.c's attempts fail
    rm -rf logs
    "$@" turf match sw x=bot:./probe random -n 1 --sandbox require --db none --bot-logs logs >out 2>&1
    cat logs/x.log >>out
    grep -q '^probes: [0-9]' out && ! grep -q broken out
}

everything() { # everything WORDS PREFIX...: each resource, in the sandbox and without
    local words=$1 sandbox
    shift
    for sandbox in require off; do
        check "$words, sandbox $sandbox: memory" forfeits memory "$@" : memory $sandbox
        check "$words, sandbox $sandbox: memory of children" forfeits memory "$@" : children $sandbox
        check "$words, sandbox $sandbox: processes" forfeits crash "$@" : processes $sandbox
        check "$words, sandbox $sandbox: threads" forfeits crash "$@" : threads $sandbox
        check "$words, sandbox $sandbox: memory of daemons" forfeits memory "$@" : "orphans 20" $sandbox
        check "$words, sandbox $sandbox: daemons do not live on" plays_on "$@" : daemons $sandbox --bot-memory 500
    done
}

printf "\n1..73\n"
# ---- without cgroups ---------------------------------------------------------------------------
check "without cgroups check-bot names the monitor" says "kept by the monitor" env
everything "root without cgroups" env
everything "user without cgroups" $as_user
check "nothing is reached as root" holds env
check "nothing is reached as a user" holds $as_user

says_not_kept() { play env : "" require --bot-cores 1; grep -q "bot-cores is not kept here" out; }
check "without cgroups it is said that processors are not limited" says_not_kept

# ---- with cgroups, as root in the root cgroup --------------------------------------------------
mount -t cgroup2 cgroup2 /sys/fs/cgroup
check "root has cgroups" says "kept by the kernel (cgroups)" env
everything "root with cgroups" env
check "files in /tmp are memory" forfeits memory env : tmp require
check "all processes share their CPU time" forfeits crash env : spin require --bot-cpu 3
keeps_cores() { # keeps_cores PREFIX...: three processes that spin get one processor
    "$@" turf match sw "x=bot:./probe spin" random -n 1 --sandbox off --db none --bot-cores 1 --move-cap 8000 >out 2>&1 &
    local arena=$! folder="" i
    for i in 1 2 3 4 5 6; do
        sleep 1
        folder=$(find /sys/fs/cgroup -name 'bot-*' | head -n 1)
        if [ -n "$folder" ] && grep -q 'nr_throttled [1-9]' "$folder/cpu.stat"; then break; fi
    done
    cat "$folder/cpu.max" "$folder/cpu.stat" >cores
    wait $arena
    cat cores >>out
    grep -q '^100000 100000$' cores && grep -q 'nr_throttled [1-9]' cores && ! grep -q 'not kept' out
}
check "three processes share one processor" keeps_cores env
check "nothing is reached as root with cgroups" holds env
check "cgroups are removed" is_clean
check "a user without a delegated cgroup has the monitor" says "kept by the monitor" $as_user

# ---- a user in a delegated scope, as systemd makes one -----------------------------------------
echo "+memory +pids +cpu" >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/scope
chown 1000:1000 /sys/fs/cgroup/scope /sys/fs/cgroup/scope/cgroup.procs /sys/fs/cgroup/scope/cgroup.subtree_control /sys/fs/cgroup/scope/cgroup.threads
cat >/bin/in_scope <<'T'
#!/bin/sh
echo $$ >/sys/fs/cgroup/scope/cgroup.procs
exec /usr/bin/setpriv --reuid=1000 --regid=1000 --clear-groups -- "$@"
T
chmod +x /bin/in_scope
check "a user in a delegated scope has cgroups" says "kept by the kernel (cgroups)" in_scope
everything "user in a delegated scope" in_scope
check "files in /tmp are memory for a user" forfeits memory in_scope : tmp require
check "three processes share one processor in a scope" keeps_cores in_scope
check "nothing is reached in a delegated scope" holds in_scope
check "the scope is as it was" is_clean
is_as_before() { [ -z "$(cat /sys/fs/cgroup/scope/cgroup.subtree_control)" ]; }
check "it hands no controllers down" is_as_before

# ---- kill -9 -------------------------------------------------------------------------------------
start_resting() { # start_resting PREFIX...: a game whose bot rests; its pid is in $arena
    "$@" turf match sw "x=bot:./probe rest" random -n 1 --sandbox off --db none --move-cap 60000 >out 2>&1 &
    arena=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do
        if pidof probe >/dev/null; then return; fi
        sleep 1
    done
}
kill_turf() { # kill_turf PREFIX...: kill -9; the watchdog does the rest
    start_resting "$@"
    pidof probe >/dev/null || return 1
    kill -9 $arena
    sleep 2
    ! pidof probe >/dev/null
}
check "kill -9 leaves no bot of root" kill_turf env
check "kill -9 leaves no cgroup of root" is_clean
check "kill -9 leaves no bot in a scope" kill_turf in_scope
kill_both() { # with the watchdog
    start_resting env
    kill -9 $(pidof turf)
    sleep 1
    ! pidof probe >/dev/null && ! is_clean && plays_on env : "" require && is_clean
}
check "the next start removes what a killed turf and watchdog left" kill_both

# ---- a session with other programs in it ---------------------------------------------------------
mkdir /sys/fs/cgroup/slice /sys/fs/cgroup/slice/session
echo "+memory +pids +cpu" >/sys/fs/cgroup/slice/cgroup.subtree_control
sleep 1000 &
echo $! >/sys/fs/cgroup/slice/session/cgroup.procs
cat >/bin/in_session <<'T'
#!/bin/sh
echo $$ >/sys/fs/cgroup/slice/session/cgroup.procs
exec "$@"
T
chmod +x /bin/in_session
check "root in a session makes cgroups beside it" says "kept by the kernel (cgroups)" in_session
check "they limit" forfeits memory in_session : memory require
echo 500M >/sys/fs/cgroup/slice/session/memory.max
check "bots do not leave the limits of a session" says "kept by the monitor" in_session
check "in the end no cgroup is left" is_clean
echo "# the end: $n tests"
poweroff -f
