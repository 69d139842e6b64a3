"""turf-mpi: any number of ranks print the report of one machine; a dead rank loses only its
uncommitted batch."""
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import harness
from harness import turf

TOURNAMENT = ["tournament", "wol", "random", "bloodlust", "land-grab", "-n", "3000", "--no-times"]
# For Open MPI, which warns of it; and for sanitizers, which would blame us for what MPI leaks.
AS_ROOT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "ASAN_OPTIONS": "detect_leaks=0"
}


def mpi(n_ranks):
    program = os.environ.get("TURF_MPI")
    if not program or not shutil.which("mpiexec"):
        raise harness.Skip("there is no MPI")
    more = ["--oversubscribe"] if "Open MPI" in subprocess.run(
        ["mpiexec", "--version"], capture_output=True, text=True).stdout else []
    return ["mpiexec", *more, "-n", str(n_ranks), program]


def over_ranks(n_ranks, *args, status=0):
    done = subprocess.run([*mpi(n_ranks), *args], capture_output=True, timeout=120,
                          env=os.environ | AS_ROOT, stdin=subprocess.DEVNULL)
    assert done.returncode == status, done
    return done


def test_ranks_print_the_report_of_one_machine():
    for args in (
        TOURNAMENT,
        ["match", "wol", "random", "random", "-n", "300001", "--record", "40", "--no-times"],
        [
            "tournament",
            "wol",
            *[f"p{i}=random" for i in range(5)],
            "--schedule",
            "swiss",
            "-n",
            "200",
            "--no-times",
            "--json",
        ],
    ):
        expected = turf(*args, "--db", "none", "-q").out
        for n_ranks in (1, 2, 4):
            assert over_ranks(n_ranks, *args, "-q").stdout.decode() == expected, (n_ranks, args)


def ranks_with(mark):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/cmdline",
                                                                     "rb") as command:
                if mark.encode() in environ.read().split(b"\0") and command.read().split(
                        b"\0")[0] == os.environ["TURF_MPI"].encode():
                    found.append(int(pid))
        except OSError:
            pass
    return sorted(found)


def played(path):
    try:
        with sqlite3.connect(path) as db:
            return db.execute("SELECT coalesce(sum(n_counted),0) FROM chunks").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def test_run_resumes_after_a_rank_was_killed():
    if not os.path.exists("/proc/self/environ"):
        raise harness.Skip("there is no /proc to find a rank in")
    args = TOURNAMENT[:-2] + ["20000", "--no-times"]
    expected = turf(*args, "--db", "none", "-q", timeout=120).out
    for resume in (lambda *more: turf("resume", "--no-times", *more, timeout=120).out,
                   lambda *more: over_ranks(2, "resume", "--no-times", *more).stdout.decode()):
        with tempfile.TemporaryDirectory() as folder:
            path, mark = os.path.join(folder, "x.db"), f"TURF_TEST_RANKS={os.getpid()}"
            env = os.environ | AS_ROOT | dict([mark.split("=")])
            with subprocess.Popen([*mpi(4), *args, "-q", "--db", path], env=env,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                limit = time.monotonic() + 60
                while played(path) == 0 and process.poll() is None and time.monotonic() < limit:
                    time.sleep(0.01)
                for pid in ranks_with(mark)[-1:]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                try:
                    process.communicate(timeout=60)
                except subprocess.TimeoutExpired:
                    process.kill()
            before = played(path)
            assert 0 < before
            if process.returncode != 0:
                assert resume("--db", path, "-q") == expected
            assert (
                turf("resume", "1", "--db", path, "--no-times").out == expected
                and played(path) >= before
            )


def test_errors_are_one_line_and_all_ranks_exit():
    for args, words in (
        (["match", "wol", "random", "nosuch"], "nosuch"),
        (["games"], "mpiexec"),
        ([], "mpiexec"),
        (["match", "sw", "random", "bot:cat"], "--shard"),
        (["match", "wol", "random", "random", "--time", "100"], "--shard"),
    ):
        done = over_ranks(3, *args, status=2)
        lines = [line for line in done.stderr.decode().splitlines() if line.startswith("turf")]
        assert len(lines) == 1 and words in lines[0] and done.stdout == b"", done


harness.main()
