"""Bots of the tests: the hostile ones, and what they leave behind."""
import os
import shlex
import shutil
import subprocess
import sys

HOSTILE = shlex.join([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                                   "hostile.py")])


def bot(mode, turns=0):
    return f"x=bot:{HOSTILE} '{mode}' {turns}"


MARK = f"TURF_TEST_RUN={os.getpid()}"
# for everything that is started from here, and for all that it starts
os.environ.update([MARK.split("=")])


def survivors():
    """Processes that were started from here and are still there."""
    found = []
    if not os.path.exists("/proc/self/environ"):
        return found  # nobody could tell
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if MARK.encode() in file.read().split(b"\0"):
                    found.append(pid)
        except OSError:
            pass
    return found


FIRST_BOT = """import json, sys
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"move": question["moves"][0]}), flush=True)
"""


def has_sandbox():
    probe = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid",
             "--unshare-net", "true"]
    return bool(shutil.which("bwrap")) and subprocess.run(probe,
                                                          capture_output=True).returncode == 0
