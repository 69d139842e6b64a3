"""--device: the same games on a device (here PoCL, if it is installed) as on the processor."""
import functools
import json
import os
import signal
import subprocess
import tempfile
import time

import harness
from harness import Skip, TURF, one_line, refused, turf

PLAYERS = ["random", "land-grab", "bloodlust:ties=random"]


@functools.cache
def device():
    """The name of a device that is not the processor."""
    rows = json.loads(turf("devices", "--json").out)
    names = [row["name"] for row in rows if row["kind"] != "cpu" and row["games_per_second"]]
    if not names:
        raise Skip("there is no OpenCL device; install pocl-opencl-icd")
    return names[0]


def test_devices_lists_the_processor_and_what_speaks_opencl():
    rows = json.loads(turf("devices", "--json").out)
    assert rows[0]["name"] == "cpu" and rows[0]["games_per_second"] > 0
    assert turf("devices").out.splitlines()[2].startswith("cpu ")


def test_the_device_changes_nothing_but_the_speed():
    name = device()
    for args in (["tournament", "wol", *PLAYERS], ["match", "wol", "random", "random", "--swap"],
                 ["match", "aw", "random", "random"],
                 ["match", "wol", "random", "minimax"]):
        args += ["-n", "300", "--no-times", "--json", "--db", "none"]
        assert turf(*args, "--device", name).out == turf(*args, "--device", "cpu").out


def test_the_worksheet_is_the_same_to_the_byte():
    sheet = ["worksheet", "-n", "20", "--no-times", "--quiet"]
    wanted = turf(*sheet, "--device", "cpu").out
    assert "minimax" in wanted
    assert turf(*sheet, "--device", device(), timeout=240).out == wanted


def test_recorded_games_and_reports_are_the_same():
    name = device()
    pages = []
    for where in (name, "cpu"):
        with tempfile.TemporaryDirectory() as folder:
            db = os.path.join(folder, "games.db")
            turf("tournament", "wol", *PLAYERS, "-n", "200", "--record", "2", "--db", db,
                 "--no-times", "--device", where)
            turf("report", "--db", db, "--no-times", "-o", os.path.join(folder, "page.html"))
            with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
                pages.append((file.read(), turf("export", "--db", db, "--no-times").out))
    assert pages[0] == pages[1]


def test_shards_on_different_devices_merge_into_the_same_result():
    name = device()
    plan = ["tournament", "wol", *PLAYERS, "-n", "500", "--no-times"]
    whole = turf(*plan, "--db", "none", "--json").out
    with tempfile.TemporaryDirectory() as folder:
        parts = [os.path.join(folder, f"{k}.db") for k in (1, 2, 3)]
        for k, part in enumerate(parts, 1):
            turf(*plan, "--db", part, "--shard", f"{k}/3", "--device", "cpu" if k == 2 else name)
        merged = turf("merge", "-o", os.path.join(folder, "all.db"), *parts, "--json", "--no-times")
    assert merged.out == whole


def test_interrupted_run_goes_on_elsewhere():
    name = device()
    plan = ["match", "wol", "self-preservation", "self-preservation:ties=random", "--no-times"]
    n_games = 20000
    with tempfile.TemporaryDirectory() as folder:
        db = os.path.join(folder, "games.db")
        with subprocess.Popen([TURF, *plan, "-n", str(n_games), "--db", db, "--device", name],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            harness.wait_until_it_heeds(run, signal.SIGINT)
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline and run.poll() is None:
                runs = json.loads(turf("runs", "--db", db, "--json").out) if os.path.exists(
                    db) else []
                if runs and runs[0]["games"] > 0:
                    break
                time.sleep(0.05)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=60)
        if run.returncode == 0:
            raise Skip("it was over before it could be interrupted")
        assert run.returncode == 130 and b"plays the rest" in err, err
        rest = turf("resume", "--db", db, "--json", "--no-times", "--device", "cpu", timeout=120)
    assert rest.out == turf(*plan, "-n", str(n_games), "--db", "none", "--json", timeout=120).out


def test_without_a_device_one_line_says_so_and_the_processor_plays():
    match = ["match", "wol", "random", "random", "-n", "100", "--no-times", "--db", "none"]
    wanted = turf(*match).out
    with tempfile.TemporaryDirectory() as folder:
        # A loader without drivers, and a loader that is broken.
        empty = dict(os.environ, OCL_ICD_VENDORS=folder, OPENCL_VENDOR_PATH=folder)
        broken = dict(os.environ, LD_LIBRARY_PATH=folder)
        with open(os.path.join(folder, "libOpenCL.so.1"), "w", encoding="ascii") as file:
            file.write("no library\n")
        for env in (empty, broken):
            for where in ("gpu", "nvidia"):
                result = turf(*match, "--device", where, env=env)
                assert result.out == wanted
                assert one_line(result.err).endswith("; the processor plays")
            listed = turf("devices", env=env)
            assert "cpu" in listed.out and "docs/gpu.md" in one_line(listed.err)
        assert turf(*match, "--device", "gpu", "-q", env=broken).err == ""


def test_games_that_no_device_plays_are_played_by_the_processor():
    name = device()
    result = turf("match", "squirrel-war", "random", "random", "-n", "10", "--db", "none",
                  "--device", name)
    assert one_line(result.err) == "turf: no device can play these games; the processor plays"


def test_wrong_devices_are_refused():
    match = ["match", "wol", "random", "random", "-n", "10", "--db", "none"]
    refused(*match, "--device", "", saying="--device must be")
    device()
    refused(*match, "--device", "nosuch", saying=["no device 'nosuch'", "turf devices"])


def test_selfplay_says_that_it_needs_the_processor():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.jsonl")
        play = ["selfplay", "wol", "land-grab", "-n", "1", "-o", path]
        refused(*play, "--device", "gpu", saying="remove --device")
        turf(*play, "--device", "cpu")


harness.main()
