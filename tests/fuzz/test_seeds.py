"""The fuzz targets, fed with their seeds and with all that fuzzing has found so far."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))
import harness  # noqa: E402

TARGETS = sorted(name[5:-2]
                 for name in os.listdir(HERE)
                 if name.startswith("fuzz_") and name.endswith(".c"))
SEEDS = tempfile.mkdtemp(prefix="seeds-", dir=harness.FOLDER)


def feed(target):
    folders = [os.path.join(SEEDS, target)]
    found = os.path.join(HERE, "regressions", target)
    if os.path.isdir(found):
        folders.append(found)
    program = os.path.join(os.environ["FUZZ_TARGETS"], "fuzz_" + target)
    done = subprocess.run([program, *folders], capture_output=True, timeout=600,
                          env={**os.environ, "TMPDIR": harness.FOLDER})
    last = done.stdout.decode().splitlines()[-1:]
    err = done.stderr.decode(errors="replace")[-1500:]
    assert done.returncode == 0, f"{program} fails with {last}: {err}"
    assert os.listdir(folders[0]), "there are no seeds"
    return last[0]


def test_every_target_has_seeds():
    subprocess.run(
        [sys.executable, os.path.join(HERE, "seeds.py"), harness.TURF, SEEDS], check=True,
        timeout=600)
    made = sorted(name for name in os.listdir(SEEDS) if not name.endswith(".dict"))
    assert made == TARGETS, f"seeds are made for {made}, and the targets are {TARGETS}"


for each in TARGETS:
    globals(
    )[f"test_target_{each}_takes_its_seeds_and_all_that_was_found"] = lambda target=each: feed(
        target)

if __name__ == "__main__":
    harness.main()
