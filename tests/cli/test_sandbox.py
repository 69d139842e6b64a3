"""What a sandboxed bot can reach: attacks that worked once, each tried as root and as a user."""
import json
import os
import shlex
import shutil
import subprocess
import tempfile
import time

import harness
import web
from harness import TURF

# Runs the attack in the variable ATTACK's place, writes what it found to standard error, and plays.
BOT = """
import ctypes, glob, json, os, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def can(action):
    try:
        action()
        return True
    except OSError:
        return False
print(json.dumps(attack()), file=sys.stderr, flush=True)
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def has_sandbox():
    probe = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--unshare-net",
             "true"]
    if not shutil.which("bwrap"):
        return False
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def users():
    """Prefixes of commands that run them as root, if that is who we are, and as a plain user."""
    if os.geteuid() != 0:
        return [[]]
    return [[], ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]]


def attack(body, *options, before="", rival="random", run=subprocess.run):
    """What attack() returned inside a bot, once for each kind of user."""
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    found = []
    for prefix in users():
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            with open(f"{folder}/mine.py", "w") as file:
                file.write(f"def attack():\n{body}\n{BOT}")
            with open(f"{folder}/rival.py", "w") as file:
                file.write("secret = 1")
            logs = f"{folder}/logs"
            command = [*prefix, TURF, "match", "sw", "x=bot:/usr/bin/python3 mine.py", rival,
                       "-n", "1", "--sandbox", "require", "--bot-logs", logs, "--quiet",
                       "--db", "turf.db", *options]
            line = before + shlex.join(command)
            done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "SECRET": "password"}, check=False)
            assert done.returncode == 0, done.stderr
            with open(f"{logs}/x.log") as file:
                found.append(json.loads(file.read().split("\n")[0]))
    return found


def test_a_bot_sees_the_system_and_its_own_folder_and_nothing_else():
    body = """
    return {"root": sorted(os.listdir("/")), "etc": sorted(os.listdir("/etc")),
            "home": glob.glob("/home/*") + glob.glob("/root/*"), "here": sorted(os.listdir("."))}
    """
    for found in attack(body, rival="y=bot:/usr/bin/python3 rival.py"):
        allowed = {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "tmp",
                   "usr"}
        assert set(found["root"]) <= allowed, found
        assert "passwd" not in found["etc"] and "shadow" not in found["etc"], found
        assert found["home"] == [] and found["here"] == ["mine.py"], found


def test_a_bot_is_never_root_and_cannot_become_it():
    body = """
    status = open("/proc/self/status").read()
    return {"uid": os.getuid(), "gid": os.getgid(), "becomes root": can(lambda: os.setuid(0)),
            "capabilities": [l.split()[1] for l in status.split("\\n")
                             if l.startswith(("CapEff", "CapPrm"))],
            "core pattern": can(lambda: open("/proc/sys/kernel/core_pattern", "w"))}
    """
    for found in attack(body):
        assert found["uid"] != 0 and found["gid"] != 0 and not found["becomes root"], found
        assert not found["core pattern"], found
        assert all(int(c, 16) == 0 for c in found["capabilities"]), found


def test_a_bot_writes_to_its_tmp_only_and_that_has_a_size():
    body = """
    def fill():
        with open("/tmp/file", "wb") as file:
            for _ in range(300):
                file.write(bytes(1 << 20))
    paths = ("/x", "x", "/etc/x", "/usr/x", "/dev/x", "/tmp/x", os.environ["TMPDIR"] + "/y")
    return {"writes": [p for p in paths if can(lambda: open(p, "w").close())], "fills": can(fill)}
    """
    for found in attack(body):
        assert found == {"writes": ["/tmp/x", "/tmp/y"], "fills": False}, found


def test_the_environment_is_clean_but_for_what_is_named():
    body = """
    return {k: v for k, v in os.environ.items() if not k.startswith("TURF_BOT")}
    """
    for found in attack(body):
        assert set(found) <= {"PATH", "LANG", "HOME", "TMPDIR", "PWD", "LC_CTYPE"}, found
    for found in attack(body, "--bot-env", "SECRET"):
        assert found["SECRET"] == "password", found


def test_open_descriptors_of_the_arena_are_not_inherited():
    body = """
    return [fd for fd in range(3, 1000) if can(lambda: os.fstat(fd))]
    """
    for found in attack(body, before="exec 8</ 9>>file; "):
        assert found == [], found


def test_there_is_no_network_and_no_other_process():
    body = """
    return {"interfaces": [n for _, n in socket.if_nameindex()],
            "connects": can(lambda: socket.create_connection(("127.0.0.1", 22), 1)),
            "processes": sum(n.isdigit() for n in os.listdir("/proc"))}
    """
    for found in attack(body):
        assert found["interfaces"] == ["lo"] and not found["connects"], found
        assert found["processes"] <= 3, found


def test_keyrings_namespaces_and_mounts_are_denied():
    body = """
    def call(number, *args):
        return 0 if libc.syscall(number, *args) >= 0 else ctypes.get_errno()
    return {"add_key": call(248, b"user", b"note", b"x", 1, -3), "unshare": call(272, 0x10000000),
            "mount": call(165, b"x", b"/tmp", b"tmpfs", 0, 0), "ptrace": call(101, 0, 0, 0, 0),
            "io_uring": call(425, 1, 0), "bpf": call(321, 0, 0, 0)}
    """
    if os.uname().machine != "x86_64":
        raise harness.Skip("the numbers are those of x86-64")
    for found in attack(body):
        assert found == {"add_key": 1, "unshare": 1, "mount": 1, "ptrace": 1, "io_uring": 38,
                         "bpf": 1}, found


def test_threads_count_as_processes():
    body = """
    for _ in range(100):
        try:
            threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        except RuntimeError:
            break
    time.sleep(1)
    return "it plays on"
    """
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    for options in (["--sandbox", "require"], ["--sandbox", "off"]):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/mine.py", "w") as file:
                file.write(f"def attack():\n{body}\n{BOT}")
            os.chmod(folder, 0o755)
            done = harness.turf("match", "sw", "x=bot:/usr/bin/python3 mine.py", "random",
                                "-n", "1", "--bot-processes", "8", "--json", "--quiet", *options,
                                cwd=folder)
            assert json.loads(done.out)["forfeits"][0] == {"crash": 1}, (options, done.out)


def test_daemons_do_not_escape_the_limits_without_the_sandbox():
    code = ("import os,sys,time,json\n"
            "if os.fork() == 0:\n"
            "    os.setsid()\n"
            "    if os.fork() == 0:\n"
            "        x = os.urandom(1) * (300 << 20)\n"
            "        time.sleep(20)\n"
            "    os._exit(0)\n"
            "os.wait()\n"
            "time.sleep(3)\n"
            "for line in sys.stdin:\n"
            "    print(json.dumps({'move': json.loads(line)['moves'][0]}), flush=True)")
    mine = "x=bot:" + shlex.join(["/usr/bin/python3", "-c", code])
    done = harness.turf("match", "sw", mine, "random", "-n", "1", "--bot-memory", "100", "--json",
                        "--quiet", "--sandbox", "off")
    assert json.loads(done.out)["forfeits"][0] == {"memory": 1}, done.out


def test_a_folder_that_is_named_can_be_read():
    with tempfile.TemporaryDirectory() as extra:
        os.chmod(extra, 0o755)
        with open(f"{extra}/weights", "w") as file:
            file.write("42")
        body = f"""
    return [can(lambda: open("{extra}/weights").close())]
    """
        for found in attack(body):
            assert found == [False], found
        for found in attack(body, "--allow-read", extra):
            assert found == [True], found


def test_links_lead_nowhere_that_is_not_shown():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    code = ("import json,os,sys\n"
            "def read(p):\n"
            "    try: return open(p).read()\n"
            "    except OSError: return None\n"
            "found = [p for p in ('home/key2', 'db', 'rival/b.py', 'self', 'note', 'beside')\n"
            "         if read('alice/' + p)] + [p for p in ('home/key2', 'bob/b.py') if read(p)]\n"
            "print(json.dumps(found), file=sys.stderr, flush=True)\n"
            "for line in sys.stdin: print(json.dumps({'move': json.loads(line)['moves'][0]}),"
            " flush=True)\n")
    for prefix in users():
        with tempfile.TemporaryDirectory() as folder:
            for name in ("alice", "bob", "home"):
                os.mkdir(f"{folder}/{name}")
                os.chmod(f"{folder}/{name}", 0o755)
            os.chmod(folder, 0o777)
            for name, text in (("alice/a.py", code), ("bob/b.py", "x"), ("home/key", "secret"),
                               ("home/key2", "secret"), ("alice/beside", "x")):
                with open(f"{folder}/{name}", "w") as file:
                    file.write(text)
            for name, target in (("home", "../home"), ("db", "../turf.db"), ("rival", "../bob"),
                                 ("self", "self"), ("note", "../home/key")):
                os.symlink(target, f"{folder}/alice/{name}")
            command = [*prefix, TURF, "match", "sw", "x=bot:/usr/bin/python3 alice/a.py alice/note",
                       "y=bot:/usr/bin/python3 bob/b.py", "-n", "1", "--sandbox", "require", "-q",
                       "--bot-logs", f"{folder}/logs", "--db", "turf.db"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            with open(f"{folder}/logs/x.log") as file:
                line = file.readline()
                assert json.loads(line) == ["note", "beside"], (prefix, line)


def test_virtual_environments_start():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        made = subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", f"{folder}/venv"],
                              capture_output=True, check=False)
        if made.returncode != 0:
            raise harness.Skip("there is no venv module")
        os.mkdir(f"{folder}/work")
        os.chmod(f"{folder}/work", 0o755)
        with open(f"{folder}/work/mine.py", "w") as file:
            file.write(BOT.replace("print(json.dumps(attack()), file=sys.stderr, flush=True)", ""))
        for python in ("../venv/bin/python3", f"{folder}/venv/bin/python3", "../venv/bin/python"):
            done = harness.turf("match", "sw", f"x=bot:{python} mine.py", "random", "-n", "1", "-q",
                                "--json", "--sandbox", "require", cwd=f"{folder}/work")
            assert json.loads(done.out)["forfeits"] == [{}, {}], (python, done.err)


def test_commands_without_files_see_the_folder_they_run_in():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        with open(f"{folder}/mine.py", "w") as file:
            file.write(BOT.replace("print(json.dumps(attack()), file=sys.stderr, flush=True)", ""))
        by_shell = "sh -c 'cd . && exec /usr/bin/python3 mine.py'"
        for command in ("/usr/bin/python3 -m mine", by_shell):
            done = harness.turf("match", "sw", f"x=bot:{command}", "random", "-n", "1", "-q",
                                "--json", "--sandbox", "require", cwd=folder)
            assert json.loads(done.out)["forfeits"] == [{}, {}], (command, done.err)


def test_writable_folders_may_not_hold_the_database():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        harness.refused("match", "sw", "x=bot:true", "random", "--allow-write", folder, "--db",
                        f"{folder}/turf.db", saying="the database")


def without_bubblewrap(*command):
    """Runs turf where bubblewrap cannot be executed."""
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    hidden = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", "/dev/null", "/usr/bin/bwrap", "--"]
    return subprocess.run([*hidden, TURF, *command], capture_output=True, text=True, check=False,
                          timeout=60)


def test_without_a_sandbox_the_server_runs_no_bots_and_commands_say_so():
    bot = "x=bot:/usr/bin/python3 -c pass"
    served = without_bubblewrap("serve", "--port", "0", "--allow", "sw/" + bot)
    assert served.returncode == 2 and "--sandbox off" in served.stderr, served
    played = without_bubblewrap("match", "sw", bot, "random", "-n", "1", "-q", "--db", "none")
    assert played.returncode == 0 and "without a sandbox" in played.stderr, played
    quiet = without_bubblewrap("match", "sw", bot, "random", "-n", "1", "-q", "--db", "none",
                               "--sandbox", "off")
    assert "sandbox" not in quiet.stderr, quiet


def test_a_bot_that_tries_everything_gets_nowhere():
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not has_sandbox() or not compiler:
        raise harness.Skip("there is no bubblewrap, or no C compiler")
    source = os.path.join(harness.ROOT, "tests", "hostile", "probe.c")
    for prefix in users():
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            subprocess.run([compiler, "-O1", "-pthread", "-o", f"{folder}/probe", source],
                           check=True)
            line = "exec 8</ 9>>file; " + shlex.join([
                *prefix, TURF, "match", "sw", "x=bot:./probe", "random", "-n", "1", "--sandbox",
                "require", "--bot-logs", "logs", "--quiet", "--db", "none"])
            done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True,
                                  check=False)
            assert done.returncode == 0, done.stderr
            with open(f"{folder}/logs/x.log") as file:
                found = file.read()
            assert "broken" not in found and "probes: 4" in found, found


def test_no_keys_are_described():
    body = """
    return [can(lambda: open(p).read(1)) for p in ("/proc/keys", "/proc/key-users")]
    """
    for found in attack(body):
        assert found == [False, False], found


def test_tmp_is_no_larger_than_the_memory_limit():
    body = """
    return os.statvfs("/tmp").f_blocks * os.statvfs("/tmp").f_frsize >> 20
    """
    assert set(attack(body, "--bot-memory", "100")) == {100}
    assert set(attack(body)) == {256}


def test_the_machines_own_folders_are_not_shown_by_naming_a_file_in_them():
    body = """
    return {"processes": sum(n.isdigit() for n in os.listdir("/proc")),
            "run": os.path.exists("/run")}
    """
    for found in attack(body, "--allow-read", "/proc/version", "--allow-read", "/run"):
        assert found["processes"] <= 3 and not found["run"], found


LINK_BOT = """
import json, os, sys
def read(path):
    try:
        return open(path).read()
    except OSError:
        return None
print(json.dumps(read("data/book")), file=sys.stderr, flush=True)
if not os.path.islink("data/book"):
    os.unlink("data/book")
    os.symlink(SECRET, "data/book")
    os.rename("data/inner", "data/old")
    os.symlink(os.path.dirname(SECRET), "data/inner")
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def test_links_that_a_bot_leaves_in_a_writable_folder_open_nothing():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    for prefix in users():
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
            for path in (folder, other, f"{folder}/data", f"{folder}/data/inner"):
                os.makedirs(path, exist_ok=True)
                os.chmod(path, 0o777)
            # Not as a word of the command: the sandbox shows what that names.
            code = LINK_BOT.replace("SECRET", repr(f"{other}/secret"))
            for path, text in ((f"{folder}/mine.py", code), (f"{folder}/data/book", "book"),
                               (f"{other}/secret", "secret")):
                with open(path, "w") as file:
                    file.write(text)
                os.chmod(path, 0o666)
            command = [*prefix, TURF, "match", "sw", "x=bot:/usr/bin/python3 mine.py data/book",
                       "random", "-n", "2", "--jobs", "1", "--sandbox", "require", "--quiet",
                       "--allow-write", "data", "--allow-write", "data/inner", "--allow-read",
                       "data/inner", "--bot-logs", "logs", "--db", "none"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            with open(f"{folder}/logs/x.log") as file:
                assert file.read().split("\n")[:2] == ['"book"', "null"], prefix


def test_writable_folders_may_not_hold_a_rivals_program():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        for name in ("a.py", "b.py"):
            with open(f"{folder}/{name}", "w") as file:
                file.write("pass")
        harness.refused("match", "sw", f"x=bot:/usr/bin/python3 {folder}/a.py",
                        f"y=bot:/usr/bin/python3 {folder}/b.py", "--allow-write", folder, "--db",
                        "none", saying=["--allow-write", "files of bots"])


SPY = """
import json, os, sys
names = os.listdir(".")
seen = [n for n in ("games.db", "games.db-wal", "games.db-shm", "games.db.owner")
        if n in names or os.path.exists(n)]
with open(sys.argv[1] + "/seen", "w") as file:
    json.dump({"here": names, "seen": seen}, file)
for line in sys.stdin:
    print(json.dumps({"cells": []}), flush=True)
"""


def test_a_bot_of_a_server_sees_neither_its_database_nor_the_owners_token():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as notes:
        os.chmod(folder, 0o755)
        os.chmod(notes, 0o777)
        with open(f"{folder}/spy.py", "w") as file:
            file.write(SPY)
        server = web.Server(folder, "--allow", f"bg/spy=bot:/usr/bin/python3 spy.py {notes}",
                            "--allow-write", notes)
        try:
            server.sit("ai-battleground", "@Ann", "spy", start="8x8")
            for _ in range(600):
                if os.path.exists(f"{notes}/seen") and os.path.getsize(f"{notes}/seen"):
                    break
                time.sleep(0.1)
            with open(f"{notes}/seen") as file:
                found = json.load(file)
        finally:
            server.end()
        assert os.path.exists(f"{folder}/games.db")
        assert found == {"here": ["spy.py"], "seen": []}, found


def build_bots(folder):
    """The example bots of every language there is a compiler or interpreter for; to commands."""
    bots = os.path.join(harness.ROOT, "bots")
    commands = {"python": f"/usr/bin/python3 {bots}/python/example.py"}
    made = {"c": ["cc", "-O1", "-o", f"{folder}/c", f"{bots}/c/example.c", "-ljansson"],
            "cpp": ["c++", "-O1", "-std=c++17", "-o", f"{folder}/cpp", f"{bots}/cpp/example.cpp"],
            "java": ["javac", "-d", folder, f"{bots}/java/TurfBot.java",
                     f"{bots}/java/Example.java"]}
    for name, command in made.items():
        if shutil.which(command[0]):
            done = subprocess.run(command, capture_output=True, check=False)
            if done.returncode == 0:
                commands[name] = f"java -cp {folder} Example" if name == "java" else \
                    f"{folder}/{name}"
    if shutil.which("swipl"):
        commands["prolog"] = (f"{bots}/prolog/wol {harness.ROOT}/tests/prolog/my_wol.pl "
                              "land_grab")
    return commands


def test_every_helper_language_and_prolog_start_in_the_sandbox():
    if not has_sandbox():
        raise harness.Skip("bubblewrap is missing, or may not do its work here")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        commands = build_bots(folder)
        for name, command in commands.items():
            for prefix in users():
                done = subprocess.run([*prefix, TURF, "match", "wol", f"x=bot:{command}", "random",
                                       "-n", "1", "--json", "--quiet", "--sandbox", "require",
                                       "--db", "none"], cwd=folder, capture_output=True, text=True,
                                      check=False)
                assert done.returncode == 0, (name, done.stderr)
                assert json.loads(done.stdout)["forfeits"] == [{}, {}], (name, prefix, done.stderr)
        return ", ".join(sorted(commands))


harness.main()
