"""Runs fuzz targets and prints their progress.

    run.py BUILD TARGET|all SECONDS

BUILD/corpus/TARGET keeps the inputs that reach new code, BUILD/findings those that fail."""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Room for boards and records; an input that takes minutes is a finding even on a busy machine.
OPTIONS = [
    "-max_len=20000", "-timeout=120", "-rss_limit_mb=3000", "-malloc_limit_mb=2000000",
    "-print_final_stats=1", "-verbosity=1"
]

# The server keeps something of almost every request, so libFuzzer would run its leak check each
# time, a hundred times slower than the request. './do check' checks the seeds for leaks.
MORE = {"http": ["-detect_leaks=0"], "database": ["-detect_leaks=0", "-max_len=400"]}


def fuzz(build, target, seconds, folder):
    corpus, findings = os.path.join(build, "corpus", target), os.path.join(build, "findings", "")
    os.makedirs(corpus, exist_ok=True)
    os.makedirs(findings, exist_ok=True)
    program = os.path.join(build, "tests", "fuzz", "fuzz_" + target)
    inputs = [corpus, os.path.join(folder, "seeds", target)]
    regressions = os.path.join(HERE, "regressions", target)
    inputs += [regressions] if os.path.isdir(regressions) else []
    words = os.path.join(folder, "seeds", target + ".dict")
    dictionary = ["-dict=" + words] if os.path.getsize(words) else []
    log = os.path.join(build, f"fuzz-{target}.log")
    with open(log, "wb") as file:
        status = subprocess.run([
            program, *OPTIONS, *MORE.get(target, []), *dictionary, f"-max_total_time={seconds}",
            f"-artifact_prefix={findings}{target}-", *inputs
        ], stdin=subprocess.DEVNULL, stdout=file, stderr=file, env={**os.environ, "TMPDIR": folder},
                                check=False).returncode
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    runs = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text) or re.findall(
        r"^#(\d+)", text, re.MULTILINE) or ["0"]
    covered = re.findall(r"cov: (\d+)", text) or ["0"]
    print(
        f"{target:10} {int(runs[-1]):>12,} {int(covered[-1]):>9,} {len(os.listdir(corpus)):>7,}   ",
        end="")
    if status == 0:
        print("nothing", flush=True)
        return True
    found = re.findall(r"Test unit written to (\S+)", text)
    print(found[-1] if found else f"see {log}", flush=True)
    if found:
        print(f"  replay it with: {program} {found[-1]}\n  what it did is in {log}",
              file=sys.stderr)
    return False


def main():
    build, wanted, seconds = sys.argv[1:]
    targets = sorted(name[5:-2]
                     for name in os.listdir(HERE)
                     if name.startswith("fuzz_") and name.endswith(".c"))
    if wanted != "all" and wanted not in targets:
        sys.exit(f"there is no target '{wanted}'; choose from {', '.join(targets)}")
    # On tmpfs if possible: the server's database goes there.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="turf-fuzz-", dir=place) as folder:
        subprocess.run([
            sys.executable,
            os.path.join(HERE, "seeds.py"),
            os.path.join(build, "turf"),
            os.path.join(folder, "seeds")
        ], check=True)
        print(f"{'target':10} {'executions':>12} {'branches':>9} {'corpus':>7}   found", flush=True)
        results = [
            fuzz(build, target, seconds, folder)
            for target in ([wanted] if wanted != "all" else targets)
        ]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
