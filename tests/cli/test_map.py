"""HACKING.md is the map of the sources: its tables name every file, and a file includes only files
of its own folder and of the layers below."""
import collections
import glob
import os
import re

import harness
from harness import ROOT

# From the lowest layer up.
LAYERS = ["base", "games", "gpu", "search", "bots", "players", "envs", "live", "store", "arena",
          "report", "league", "web", "cmd", "mpi", "wasm"]


def sources(folder):
    return [path for path in sorted(glob.glob(os.path.join(ROOT, "src", folder, "*")))
            if os.path.isfile(path)]


def named_in_tables():
    """The names in the first column of each folder's table."""
    tables, folder = collections.defaultdict(list), None
    with open(os.path.join(ROOT, "HACKING.md"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                heading = re.match(r"### `src/(\w+)`", line)
                folder = heading and heading[1]
            elif folder and line.startswith("| `"):
                tables[folder] += re.findall(r"`([^`]+)`", line.split(" | ")[0])
    return tables


def module(path):
    """A header and its .c are one."""
    return re.sub(r"(\.inc)?\.[ch]$", "", os.path.basename(path))


def test_tables_name_every_file_and_no_other():
    tables = named_in_tables()
    assert sorted(tables) == sorted(LAYERS)
    for folder in LAYERS:
        there = {os.path.basename(path) for path in sources(folder)}
        wrong = [name for name in tables[folder]
                 if not os.path.exists(os.path.join(ROOT, "src", folder, name))]
        assert not wrong, f"HACKING.md names files that src/{folder} does not have: {wrong}"
        twice = [name for name, n in collections.Counter(tables[folder]).items() if n > 1]
        assert not twice, f"HACKING.md names these twice: {twice}"
        named = set(tables[folder]) | {module(name) + ".h" for name in tables[folder]}
        assert there <= named, f"HACKING.md lacks files of src/{folder}: {sorted(there - named)}"


def test_files_include_only_their_own_layer_and_those_below():
    for above, folder in enumerate(LAYERS):
        for path in sources(folder):
            with open(path, encoding="utf-8") as file:
                used = set(re.findall(r'^#include "(\w+)/', file.read(), re.M))
            wrong = used - set(LAYERS[: above + 1])
            assert not wrong, f"{os.path.relpath(path, ROOT)} includes files of {sorted(wrong)}"


def test_no_two_folders_have_a_module_of_the_same_name():
    folders = collections.defaultdict(set)
    for folder in LAYERS:
        for path in sources(folder):
            if path.endswith((".c", ".h")):
                folders[module(path)].add(folder)
    twice = {name: sorted(found) for name, found in folders.items() if len(found) > 1}
    assert not twice, twice


harness.main()
