"""Checks the documentation. Every command in README.md and docs/ is run and its output compared
with the page (pages.py explains the format); commands in the text exist and have the options
shown; links resolve; and the pictures match what turf says about their positions."""
import difflib
import functools
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import harness
import pages
from harness import ROOT, TURF, turf

PAGES = ["README.md", "HACKING.md", os.path.join("bots", "README.md")] + sorted(
    os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs", "*.md")))
PROGRAMS = ("turf", "build/turf", "turf-mpi")
KINDS = {"console", "text", "json", "python", "c", "sh", "caddyfile", "nginx"}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "TURF_DB"} | {
    "PATH": os.path.dirname(TURF) + os.pathsep + os.environ["PATH"],
    "PYTHONDONTWRITEBYTECODE": "1",
    "LC_ALL": "C.UTF-8",
}
# With a /proc of its own, or turf would take other processes for its bots.
BWRAP = [
    "bwrap", "--dev-bind", "/", "/", "--proc", "/proc", "--unshare-net", "--unshare-pid",
    "--die-with-parent"
]


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


@functools.cache
def can_isolate():
    try:
        return subprocess.run([*BWRAP, "true"], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


# ---- commands


def type_commands(commands, folder, isolated=False):
    """Runs them in one shell; returns the exit status, standard output and error of each."""
    with tempfile.TemporaryDirectory(prefix="turf-docs-") as notes:
        script = ""
        for number, command in enumerate(commands):
            out, err, status = (os.path.join(notes, f"{number}.{what}")
                                for what in ("out", "err", "status"))
            # Not { ...; } >out: dash then loses the redirection of a subshell inside.
            script += f"exec >{out} 2>{err}\n{command}\necho $? >{status}\n"
            if command.endswith("&"):  # wait for its first output, as a person would
                script += f"for _ in $(seq 200); do [ -s {out} ] || [ -s {err} ] || "
                script += "sleep 0.05; done\n"
        wrapper = BWRAP if isolated else []
        shell = subprocess.Popen([*wrapper, "sh", "-c", script], cwd=folder, env=ENVIRONMENT,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            shell.wait(timeout=400)
        finally:
            try:
                os.killpg(shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            shell.wait()
        results = []
        for number in range(len(commands)):
            texts = []
            for what in ("status", "out", "err"):
                path = os.path.join(notes, f"{number}.{what}")
                with open(path, "rb") as file:
                    texts.append(harness.text_of(file.read()))
            results.append((int(texts[0]), texts[1], texts[2]))
        return results


def compare(where, command, shown, result):
    status, out, err = result
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    if not shown:
        assert status == 0, f"{where}: '{command}' exited with status {status}: {err[-1000:]}"
        return
    if any(pages.matches(shown, text) for text in (out, err + out, out + err)):
        return
    difference = "\n".join(
        difflib.unified_diff(shown, (err + out).splitlines(), "page", "output", lineterm=""))
    raise AssertionError(f"{where}: '{command}' does not print what the page shows\n{difference}")


def prepare(folder):
    """Makes the folder look like the top of the tree, without being writable through it."""
    for name in ("bots", "docs", "examples", "include", "src", "tests"):
        os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    os.symlink(os.path.dirname(TURF), os.path.join(folder, "build"))


def rehearse(where, commands, folder):
    """Plays a few games of commands that take too long; returns how many commands there were."""
    shorter = [short for short in map(pages.rehearsal, commands) if short]
    for short, (status, _, err) in zip(shorter, type_commands(shorter, folder)):
        assert status == 0, f"{where}: '{short}' exited with status {status}: {err[-1000:]}"
    return len(shorter)


def missing_for(block):
    needs = []
    if block.mark == "needs":
        needs = re.split(r", ?", block.why)
    elif block.mark == "own network":
        needs = ["bwrap", "curl"]
    return [name for name in needs
            if not shutil.which(name) or name == "bwrap" and not can_isolate()]


class Tally:
    def __init__(self):
        self.n_run = self.n_rehearsed = self.n_left_out = 0


def check_console(page, block, folder, tally):
    where = f"{page}, line {block.number}"
    pairs = block.commands()
    commands = [command for command, _ in pairs]
    missing = missing_for(block)
    if block.mark == "not run" or missing:
        why = f"no {', '.join(missing)}" if missing else block.why
        assert why, f"{where}: say why it is not run"
        print(f"# {where}: {len(commands)} not run: {why}")
        tally.n_left_out += len(commands)
        tally.n_rehearsed += rehearse(where, commands, folder) if not missing else 0
        return
    results = type_commands(commands, folder, block.mark == "own network")
    for (command, shown), result in zip(pairs, results):
        compare(where, command, shown, result)
    tally.n_run += len(commands)


def check_commands(page):
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="turf-docs-") as folder:
        prepare(folder)
        for block in pages.read_blocks(read(page)):
            where = f"{page}, line {block.number}"
            assert block.kind in KINDS, f"{where}: name the kind of block: {sorted(KINDS)}"
            if block.mark == "file":
                with open(os.path.join(folder, block.why), "w", encoding="utf-8") as file:
                    file.write("\n".join(block.lines) + "\n")
            elif block.kind == "console":
                check_console(page, block, folder, tally)
            else:
                has_command = any(line.startswith(("$ ", "turf ", "./do ")) for line in block.lines)
                assert not has_command, f"{where}: put commands into a console block"
    return f"{tally.n_run} run, {tally.n_left_out} not run ({tally.n_rehearsed} rehearsed)"


for page_ in PAGES:
    globals()[f"test_commands_in_{page_}"] = functools.partial(check_commands, page_)


# ---- commands and links in the text


@functools.cache
def options_of(command):
    help_text = turf("help", command).out
    found = re.findall(r"^  (?:(-[a-z]), |    )(--[a-z-]+)", help_text, re.MULTILINE)
    return {name for names in found for name in names if name}


def test_commands_in_the_text_exist_and_have_the_options_shown():
    names = set(re.findall(r"^  turf ([a-z-]+)", turf("help").out, re.MULTILINE)) | {"--version"}
    usage = subprocess.run([os.path.join(ROOT, "do")], capture_output=True, text=True).stdout
    errands = set(re.findall(r"^\./do ([a-z-]+)", usage, re.MULTILINE))
    n_checked = 0
    for page in PAGES:
        for span in pages.spans(read(page)):
            words = span.split()
            if words[0] == "./do" and len(words) > 1:
                assert words[1] in errands, f"{page}: no such command: '{span}'"
            elif words[0] in PROGRAMS and len(words) > 1 and words[1] != "COMMAND":
                assert words[1] in names, f"{page}: no such command: '{span}'"
                for word in words[2:]:
                    if word in ("--", "|"):  # the rest is for a bot or another program
                        break
                    if re.fullmatch(r"-[a-z]|--[a-z-]+", word):
                        has_it = word in options_of(words[1])
                        assert has_it, f"{page}: '{span}': {words[1]} has no {word}"
            else:
                continue
            n_checked += 1
    assert n_checked > 50
    return f"{n_checked} commands"


def test_matches_in_tables_can_be_played():
    """The tables of docs/strength*.md show matches as the words after 'turf match'."""
    commands = set()
    for page in PAGES:
        for span in pages.spans(read(page)):
            if re.match(r"(wol|aw|sw|bg) [a-z]+", span):
                commands.add(f"turf match {span}")
    assert commands
    with tempfile.TemporaryDirectory(prefix="turf-docs-") as folder:
        prepare(folder)
        return f"{rehearse('a table', sorted(commands), folder)} matches"


def anchors(page):
    titles = re.findall(r"^#+ (.*)$", pages.prose(read(page)), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_resolve():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)]+)\)", pages.prose(read(page))):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            other = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            assert os.path.exists(os.path.join(ROOT, other)), f"{page}: {target} does not exist"
            has_anchor = not anchor or anchor in anchors(other)
            assert has_anchor, f"{page}: {other} has no heading '{anchor}'"


def test_every_page_and_picture_is_linked():
    linked = set()
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", pages.prose(read(page))):
            linked.add(os.path.normpath(os.path.join(os.path.dirname(page), target)))
    for path in glob.glob(os.path.join(ROOT, "docs", "**", "*.*"), recursive=True):
        assert os.path.relpath(path, ROOT) in linked, f"no link to {os.path.relpath(path, ROOT)}"


def test_tests_that_are_named_exist():
    known = set()
    for path in glob.glob(os.path.join(ROOT, "tests", "**", "*.py"), recursive=True):
        known.add(os.path.basename(path))
        text = read(os.path.relpath(path, ROOT))
        known.update(re.findall(r"^def (test_\w+)", text, re.MULTILINE))
    named = {name for page in PAGES
             for name in re.findall(r"`(?:tests/\w+/)?(test_[\w.]+)`", read(page))}
    assert len(named) > 20 and named <= known, named - known


def test_pictures_match_what_turf_says():
    sys.path.insert(0, os.path.join(ROOT, "tests"))
    import pictures
    os.environ["TURF"] = TURF
    for name, draw in pictures.PICTURES.items():
        is_current = read(os.path.join("docs", "pictures", name + ".svg")) == draw()
        assert is_current, f"{name}.svg differs from what tests/pictures.py draws"
    return f"{len(pictures.PICTURES)} pictures"


harness.main()
