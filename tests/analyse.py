"""Static analysis of src/ and bench/ with clang-tidy, cppcheck and gcc -fanalyzer, in parallel.

    python3 tests/analyse.py BUILD [FILE...]

BUILD is a configured build folder; its compile_commands.json has the compiler flags. Prints each
finding once; the exit status is 1 if there are any. .clang-tidy selects the checks of clang-tidy,
tests/analyse.txt lists the exceptions."""
import concurrent.futures
import fnmatch
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import time

# gcc's analyser: what it is told besides the flags of the build. It sees more at -O1 than at -O2,
# where calls are inlined away before it looks.
GCC = ["-O1", "-fanalyzer", "-Wno-error", "-fdiagnostics-plain-output", "-fanalyzer-verbosity=0"]
# A third of clang's usual patience with a function: 1.4 instead of 3.5 seconds for
# src/store/spans.c.
CLANG_TIDY = [
    "clang-tidy", "--quiet",
    *(f"--extra-arg={word}"
      for word in ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=75000"))
]
CPPCHECK = ["cppcheck", "--quiet", "--std=c11", "--language=c", "--library=posix", "--library=gnu",
            "--enable=warning,style,performance,portability",
            "-D_Noreturn=__attribute__((noreturn))", # it knows this one only
            "--template={file}:{line}:{column}: {severity}: {message} [{id}]"]


class Exceptions:
    """Lines of 'check | file | reason'; both may have a *. One that nothing needs is a finding
    itself."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            rows = [line.split("|") for line in lines if line.strip() and not line.startswith("#")]
        self.path, self.unused = path, {(check.strip(), file.strip()) for check, file, _ in rows}
        self.rows = sorted(self.unused)

    def allow(self, finding):
        file, checks = finding.split(":", 1)[0], re.findall(r"\[([^][]+)\]$", finding)
        for row in self.rows:
            if any(
                    fnmatch.fnmatch(check.removesuffix(",-warnings-as-errors"), row[0])
                    for check in checks) and fnmatch.fnmatch(file, row[1]):
                self.unused.discard(row)
                return True
        return False


def sources(build, wanted):
    """(file, the words that compile it), each file once: the kernels are the same file for several
    processors."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as commands:
        commands = json.load(commands)
    found = {}
    for entry in commands:
        file = os.path.relpath(os.path.join(entry["directory"], entry["file"]))
        if file.startswith(("src/", "bench/")) and (not wanted or file in wanted):
            found.setdefault(file, shlex.split(entry["command"]))
    return found


def gcc(words, build):
    """The command of the build, made to look instead of to compile."""
    # the compiler, perhaps behind ccache
    kept, words = [], itertools.dropwhile(lambda word: not word.startswith("-"), words)
    for word in words:
        if word in ("-o", "-MF", "-MQ"):
            next(words)
        elif word not in ("-c", "-MD", "-Werror",
                          "-fdiagnostics-color=always") and not re.match(r"-O\d", word):
            kept.append(word)
    return ["gcc", *kept, *GCC, "-S", "-o", "/dev/null"], build


def jobs(build, files):
    """(tool, command, folder), those that take long first, so that no processor is idle at the
    end."""
    for file in files:
        yield "clang-tidy", [*CLANG_TIDY, "-p", build, file], "."
    for words in files.values():
        yield "gcc", *gcc(words, build)
    for file, words in files.items():
        flags = [word for word in words if re.match(r"-[DU]", word)]
        yield "cppcheck", [*CPPCHECK, *flags, "-Iinclude", "-Isrc", file], "."


def run(job):
    tool, words, folder = job
    begun = time.monotonic()
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    text = done.stdout + ("" if tool == "clang-tidy" and done.returncode == 0 else done.stderr)
    findings = re.findall(r"^\S+:\d+:.*(?:warning|error|style|performance|portability): .*$", text,
                          re.MULTILINE)
    if done.returncode and not findings:
        findings = [f"{tool} failed on {words[-1]}: {text.strip()}"]
    return tool, [from_here(finding) for finding in findings], time.monotonic() - begun


def from_here(finding):
    """The tools are started in different folders; the same finding in a header is to be the same
    line."""
    return re.sub(r"^\S*?\b(src|include)/", r"\1/", finding)


def main():
    build, *wanted = sys.argv[1:]
    files = sources(build, wanted)
    if not files:
        sys.exit(
            f"analyse.py: {build}/compile_commands.json has none of {' '.join(wanted) or 'src/'}")
    seconds, found = {}, set()
    exceptions = Exceptions("tests/analyse.txt")
    n_cores = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(n_cores) as pool:
        for done in concurrent.futures.as_completed(
            [pool.submit(run, job) for job in jobs(build, files)]):
            tool, findings, taken = done.result()
            seconds[tool] = seconds.get(tool, 0) + taken
            for finding in findings:
                if finding not in found and not exceptions.allow(finding):
                    found.add(finding)
                    print(finding, flush=True)
    for row in sorted(exceptions.unused if not wanted else []):
        found.add(row)
        print(f"{exceptions.path}: nothing needs the exception '{row[0]} | {row[1]}' any more")
    times = ", ".join(f"{tool} {taken:.0f} s" for tool, taken in seconds.items())
    print(f"{len(files)} files, {len(found)} findings ({times}; {n_cores} at a time)")
    sys.exit(1 if found else 0)


main()
