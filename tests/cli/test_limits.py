"""Limits of bots: who keeps them, what is loose is killed, and processors of their own.

tests/hostile/cgroup_vm.sh tries the same with cgroups."""
import json
import os
import shutil
import subprocess
import tempfile
import time

import harness
from harness import ROOT, TURF, refused, turf

PROBE = os.path.join(harness.FOLDER, "probe")
USERS = [[]]
if os.geteuid() == 0:
    USERS.append(["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"])


def need_probe():
    """Compiles the bot that uses things up; folder and program are open to every user."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        raise harness.Skip("there is no C compiler")
    if not os.path.exists(PROBE):
        os.chmod(harness.FOLDER, 0o755)
        source = os.path.join(ROOT, "tests", "hostile", "probe.c")
        subprocess.run([compiler, "-O1", "-pthread", "-o", PROBE, source], check=True)
    return PROBE


def running(words):
    """Processes with this command line."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if file.read().split(b"\0")[:-1] == [word.encode() for word in words]:
                    found.append(pid)
        except OSError:
            pass
    return found


def play(prefix, resource, *options, sandbox="off"):
    command = [*prefix, TURF, "match", "sw", f"x=bot:{need_probe()} {resource}", "random", "-n",
               "1", "--db", "none", "--sandbox", sandbox, "--json", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["forfeits"][0]


def test_what_comes_loose_from_a_bot_is_killed():
    for prefix in USERS:
        # It would wait for an answer of the daemons for a second; they do not live that long.
        assert play(prefix, "daemons 1") == {}
        assert running([PROBE, "daemon"]) == [], prefix


def test_daemons_count_as_the_bots_memory():
    for prefix in USERS:
        assert play(prefix, "orphans 20", "--bot-memory", "100") == {"memory": 1}, prefix
        assert running([PROBE, "daemon"]) == [], prefix


def test_threads_and_processes_are_counted_without_the_sandbox():
    for prefix in USERS:
        for resource in ("threads", "processes"):
            assert play(prefix, resource, "--bot-processes", "20") == {"crash": 1}, resource
            assert running([PROBE, resource]) == []


LIMITS = """
import json, sys
limits = {l[:26].strip(): l[26:].split()[0] for l in open("/proc/self/limits")}
print(json.dumps(limits), file=sys.stderr, flush=True)
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def logged(prefix, code, *options, rival="random"):
    """The first line that a bot wrote to its standard error."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        for name in ("x", "y"):
            os.mkdir(f"{folder}/{name}")
            os.chmod(f"{folder}/{name}", 0o755)
            with open(f"{folder}/{name}/bot.py", "w") as file:
                file.write(code)
        command = [*prefix, TURF, "match", "sw", "x=bot:/usr/bin/python3 x/bot.py", rival, "-n",
                   "1", "--db", "none", "--quiet", "--bot-logs", "logs", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        assert done.returncode == 0, done.stderr
        found = []
        for name in sorted(os.listdir(f"{folder}/logs")):
            with open(f"{folder}/logs/{name}") as file:
                found.append(json.loads(file.readline()))
        return found


def test_the_kernel_limits_processes_files_and_core_dumps_without_the_sandbox():
    for prefix in USERS:
        limits, = logged(prefix, LIMITS, "--sandbox", "off")
        assert limits["Max core file size"] == "0" and int(limits["Max open files"]) <= 1024, limits
        assert limits["Max realtime priority"] == "0", limits
        if prefix:
            assert int(limits["Max processes"]) < 100000, limits


def test_check_bot_says_who_keeps_the_limits():
    probe = need_probe()
    words = turf("check-bot", "sw", "--sandbox", "off", "--", probe, "none").out
    line = [l for l in words.splitlines() if l.startswith("It ran ")][0]
    assert "without a sandbox" in line and ("(cgroups)" in line or "the monitor" in line), line
    found = json.loads(turf("check-bot", "sw", "--json", "--sandbox", "off", "--", probe,
                            "none").out)
    assert found["sandbox"] is False and found["limits"] in ("cgroup", "monitor"), found


PROCESSORS = """
import json, os, sys
def widen():
    try:
        os.sched_setaffinity(0, range(os.cpu_count()))
        return True
    except OSError:
        return False
status = open("/proc/self/status").read()
mine = status.split("Cpus_allowed_list:")[1].split()[0]
print(json.dumps([mine, WIDENS]), file=sys.stderr, flush=True)
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def has_sandbox():
    probe = ["bwrap", "--ro-bind", "/", "/", "--unshare-pid", "--unshare-net", "true"]
    return (shutil.which("bwrap") is not None
            and subprocess.run(probe, capture_output=True, check=False).returncode == 0)


def test_pinned_bots_have_a_processor_each_and_keep_to_it():
    if len(os.sched_getaffinity(0)) < 2:
        raise harness.Skip("there is only one processor")
    for sandbox in ["off"] + ["require"] * has_sandbox():
        code = PROCESSORS.replace("WIDENS", "widen()" if sandbox == "require" else "False")
        for prefix in USERS:
            mine, theirs = logged(prefix, code, "--pin", "--sandbox", sandbox,
                                  rival="y=bot:/usr/bin/python3 y/bot.py")
            assert mine[0].isdigit() and theirs[0].isdigit() and mine[0] != theirs[0], (mine,
                                                                                        theirs)
            assert not mine[1] and not theirs[1], (mine, theirs)


def test_pin_says_what_it_needs():
    one = {min(os.sched_getaffinity(0))}
    refused("match", "sw", "x=bot:true", "random", "--pin", "--jobs", "1000", saying=["--jobs"])
    refused("match", "sw", "x=bot:true", "random", "--pin", "--reuse", saying=["--reuse"])
    refused("match", "sw", "x=bot:true", "random", "--pin", saying=["two processors"],
            preexec_fn=lambda: os.sched_setaffinity(0, one))
    turf("match", "sw", "greedy", "random", "-n", "2", "--pin", "--quiet")


def test_many_starts_and_stops_leave_no_zombies():
    probe = need_probe()
    game = subprocess.Popen([TURF, "match", "sw", f"x=bot:{probe} daemons", "random", "-n", "40",
                             "--db", "none", "--sandbox", "off", "--quiet", "--jobs", "1"],
                            stdout=subprocess.DEVNULL)
    most = 0
    while game.poll() is None:
        try:
            with open(f"/proc/{game.pid}/task/{game.pid}/children") as file:
                most = max(most, len(file.read().split()))
        except OSError:
            pass
        time.sleep(0.01)
    assert game.returncode == 0 and most < 30, most
    assert running([PROBE, "daemon"]) == []


harness.main()
