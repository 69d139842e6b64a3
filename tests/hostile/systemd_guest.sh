#!/bin/bash
# The test in the virtual machine of systemd_vm.sh: is the unit up, hardened, and does it play?
n=0
check() { # check WORDS COMMAND...: one line of TAP
    local words=$1
    n=$((n + 1))
    shift
    if "$@" >out 2>&1; then echo "ok $n - $words"; else
        echo "not ok $n - $words"
        tail -n 8 out | sed 's/^/# /'
    fi
}
cd /root
printf '\n1..11\n'
ask() { curl -s --max-time 60 "$@"; }
for i in $(seq 60); do ask http://127.0.0.1:8417/api/games >/dev/null && break; sleep 1; done
pid=$(systemctl show -p MainPID --value turf)
is_somebody() { [ "$(stat -c %u "/proc/$pid")" -ge 61184 ]; } # a user that DynamicUser= made
keeps_state() { stat -c '%a' /var/lib/private/turf/turf.db /var/lib/private/turf/turf.db.owner | grep -vq '[1-9]$'; }
has_no_privileges() { grep -q '^NoNewPrivs:.*1' "/proc/$pid/status" && grep -q '^CapEff:.*0000000000000000' "/proc/$pid/status"; }
cannot_write() { ! nsenter -t "$pid" -m touch /usr/x /etc/x 2>/dev/null; }
has_cgroup() { [ -d /sys/fs/cgroup/system.slice/turf.service ]; }
says_kernel() { journalctl -u turf --no-pager; journalctl -u turf --no-pager | grep -q 'kept by the kernel'; }
sit() {
    ask -H 'Content-Type: application/json' -d '{"game":"squirrel-war","seats":[{"kind":"player","player":"probe"},{"kind":"player","player":"random"}],"delay_ms":0}' \
        http://127.0.0.1:8417/api/live-games >made
    cat made
    id=$(grep -o '"id":"[^"]*"' made | head -n 1 | cut -d'"' -f4)
    [ -n "$id" ]
}
plays() {
    for i in $(seq 60); do
        ask "http://127.0.0.1:8417/api/live-games/$id" >live
        grep -q '"over":{' live && break
        sleep 1
    done
    cat live; grep -q '"over":{' live && ! grep -q forfeit live
}
bot_has_cgroup() { # while the game runs, or after it: the cgroups of bots are below that of the unit
    find /sys/fs/cgroup/system.slice/turf.service -type d; find /sys/fs/cgroup/system.slice/turf.service -name 'turf-*' | grep -q .
}
restarts() {
    kill -9 "$pid"
    for i in $(seq 60); do
        sleep 1
        [ "$(systemctl show -p MainPID --value turf)" != "$pid" ] && ask http://127.0.0.1:8417/api/games | grep -q squirrel-war && return 0
    done
    return 1
}
check "the unit is active" systemctl is-active turf
check "it answers" sh -c 'curl -s http://127.0.0.1:8417/api/games | grep -q squirrel-war'
check "it runs as a user of its own" is_somebody
check "it has no capabilities and cannot gain any" has_no_privileges
check "it cannot write to the system" cannot_write
check "its database and the owner's token are for it alone" keeps_state
check "it has a control group" has_cgroup
check "a game against a sandboxed bot begins" sit
check "the bot's limits are kept by the kernel" bot_has_cgroup
check "the game is played to its end without a forfeit" plays
check "it is restarted after kill -9" restarts
systemd-analyze security turf.service --no-pager 2>/dev/null | tail -n 1 | sed 's/^/# /'
journalctl -u turf --no-pager -n 6 | sed 's/^/# /'
echo "# the end"
systemctl poweroff --force
