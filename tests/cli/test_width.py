"""Lines of sources and documentation have at most 100 columns. In Markdown this excludes tables,
blocks of code and output, and the targets of links."""
import os
import re

import harness
from harness import ROOT

MAX_COLUMNS = 100
TAB_COLUMNS = 4
ENDINGS = (".c", ".h", ".js", ".py", ".md", ".css")


def sources():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(name for name in folders
                            if not name.startswith((".", "build")) and name != "node_modules")
        for name in sorted(files):
            if name.endswith(ENDINGS):
                yield os.path.join(folder, name)


def prose_lines(lines):
    """The lines of a Markdown page that can be broken, without the targets of links."""
    is_block = False
    for number, line in lines:
        is_fence = line.lstrip().startswith("```")
        if is_fence:
            is_block = not is_block
        if is_fence or is_block or line.startswith("|"):
            continue
        if re.fullmatch(r"!?\[[^\]]*\]\([^)]*\)", line):
            continue
        yield number, re.sub(r"\]\([^)]*\)", "]", line)


def long_lines(path):
    with open(path, encoding="utf-8") as file:
        lines = enumerate(file.read().splitlines(), 1)
    if path.endswith(".md"):
        lines = prose_lines(lines)
    return [number for number, line in lines if len(line.expandtabs(TAB_COLUMNS)) > MAX_COLUMNS]


def test_lines_have_at_most_100_columns():
    found = [f"{os.path.relpath(path, ROOT)}:{number}"
             for path in sources() for number in long_lines(path)]
    text = "\n".join(found)
    assert not found, f"{len(found)} lines have more than {MAX_COLUMNS} columns:\n{text}"


harness.main()
