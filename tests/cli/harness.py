"""Shared by the command-line tests: running turf, and printing TAP.

A test file defines functions named test_... and ends with harness.main(). The function's name,
with spaces for underscores, is the name of the test."""
import atexit
import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TURF = os.path.abspath(os.environ.get("TURF") or os.path.join(ROOT, "build", "turf"))
# The default database of the tests, deleted at the end.
FOLDER = tempfile.mkdtemp(prefix="turf-test-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["TURF_DB"] = os.path.join(FOLDER, "turf.db")
# The secret with which the tests' runs are signed.
os.environ["XDG_STATE_HOME"] = os.path.join(FOLDER, "state")


class Skip(Exception):
    pass


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def text_of(data):
    return (data or b"").decode("utf-8", "surrogateescape")


def turf(*args, given="", status=0, timeout=60, **more):
    """Runs turf and checks the exit status."""
    given = given if isinstance(given, bytes) else given.encode("utf-8", "surrogateescape")
    if "stdin" not in more:
        more["input"] = given
    more.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([TURF, *args], stderr=subprocess.PIPE, timeout=timeout, **more)
    result = Result(done.returncode, text_of(done.stdout), text_of(done.stderr))
    assert result.status == status, (
        f"{args}: exit status {result.status}, not {status}: {result.err[:2000]}")
    return result


def as_nobody():
    """Arguments of subprocess.run for a user who may write nothing, if we are root. A build that
    measures coverage would complain that it cannot write its counters: they go to a folder."""
    if os.geteuid() != 0:
        return {}
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o777)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return {"user": 65534, "group": 65534, "extra_groups": [],
            "env": {**os.environ, "GCOV_PREFIX": folder}}


def games():
    """The names of all games."""
    return [game["name"] for game in json.loads(turf("games", "--json").out)]


def wait_until_it_heeds(process, number):
    """Waits until the process has installed its handler for a signal, as /proc shows; before that
    the signal would kill it."""
    while os.path.exists(f"/proc/{process.pid}/status") and process.poll() is None:
        with open(f"/proc/{process.pid}/status") as status:
            masks = dict(line.split(":", 1) for line in status.read().splitlines())
        if (int(masks["SigCgt"], 16) | int(masks["SigBlk"], 16)) >> (number - 1) & 1:
            return
        time.sleep(0.01)


def one_line(text):
    """Checks that a message is one printable line of reasonable length, and returns it."""
    assert text.endswith("\n") and text.count("\n") == 1, f"not one line: {text[:2000]!r}"
    line = text[:-1]
    assert line.strip() and not any(ord(c) < 32 or ord(c) == 127
                                    for c in line), f"not printable: {line[:2000]!r}"
    assert len(line) < 500, f"{len(line)} characters: {line[:200]!r}..."
    return line


def refused(*args, saying=(), quiet_out=True, **more):
    """Checks that turf fails with one line of error that contains every string of `saying`."""
    result = turf(*args, status=2, **more)
    line = one_line(result.err)
    assert line.startswith("turf"), line
    for word in [saying] if isinstance(saying, str) else saying:
        assert word in line, f"{word!r} is not in {line!r}"
    if quiet_out:
        assert result.out == "", f"printed {result.out[:200]!r}"
    return line


def open_terminal():
    """Both ends of a terminal, ours first."""
    try:
        return pty.openpty()
    except OSError as why:  # as in a bare chroot
        raise Skip(f"there is no terminal to be had: {why}") from why


def oracle(*path):
    folder = os.environ.get("TURF_ORACLES")
    if not folder:
        raise Skip("TURF_ORACLES is not set")
    return os.path.join(folder, *path)


def main():
    tests = [(n, f)
             for n, f in vars(sys.modules["__main__"]).items()
             if n.startswith("test_") and callable(f)]
    has_failed = False
    print(f"1..{len(tests)}", flush=True)
    for number, (name, test) in enumerate(tests, 1):
        words = f"{number} - {name[5:].replace('_', ' ')}"
        begin = time.monotonic()
        try:
            note = test()
            print(f"ok {words}" + (f" ({note})" if note else ""))
        except Skip as why:
            print(f"ok {words} # SKIP {why}")
        except Exception:
            has_failed = True
            print(f"not ok {words}")
            # The log of a failure shows only what is printed here.
            print(f"{words}:", *(line[:2000] for line in traceback.format_exc().splitlines()),
                  sep="\n", file=sys.stderr)
        if time.monotonic() - begin > 5:
            print(f"# that took {time.monotonic() - begin:.1f} s")
        sys.stdout.flush()
    sys.exit(1 if has_failed else 0)
