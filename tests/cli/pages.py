"""Reads a page of the documentation: its blocks, its commands with their output, its code spans.

A 'console' block is a terminal session: commands after '$ ', their output below. In the output a
line '...' matches any lines, '...' or '…' within a line matches anything; times, speeds, memory and
dates match any others. A comment above a block, invisible to readers, adds:

    <!-- not run: why -->     do not run its commands; matches and tournaments are rehearsed instead
    <!-- file: NAME -->       write the block to a file for the commands below it
    <!-- needs: swipl, cc --> skip it if one of these programs is missing
    <!-- own network -->      run it in a network namespace: it listens on a port"""
import re
import shlex

FENCE = re.compile(r"^```(\w*)$")
COMMENT = re.compile(r"^<!-- (not run|file|needs|own network)(?:: (.*))? -->$")
# Figures that vary: times, dates, and numbers with a unit.
TIME = r"\d[\d,]*(?:\.\d+)? ?(?:ns|us|µs|ms|s|minutes)(?![\w])"
DATE = r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?"
RATES = r"(?:games|positions|nodes|moves|steps) a second"
OTHER = rf"\d[\d,]*(?:\.\d+)?(?= (?:MiB|GiB|{RATES}))|(?<=Move\":)\d+"
FIGURES = re.compile(f"({TIME})|({DATE})|({OTHER})")
STAND_INS = (r"[\d,.]+\s?(?:ns|us|µs|ms|s|minutes)", r"[\d:TZ\s-]+", r"[\d,.]+")


class Block:
    def __init__(self, kind, mark, why, lines, number):
        self.kind, self.mark, self.why = kind, mark, why
        self.lines, self.number = lines, number

    def commands(self):
        """Pairs of a command, with its continuation lines, and the output shown below it."""
        pairs = []
        continues = False
        for line in self.lines:
            if line.startswith("$ "):
                pairs.append([line[2:], []])
            elif continues:
                pairs[-1][0] += "\n" + line
            elif pairs:
                pairs[-1][1].append(line)
            else:
                raise AssertionError(f"line {self.number}: output before the first '$ '")
            continues = bool(pairs) and not pairs[-1][1] and line.endswith("\\")
        return pairs


def read_blocks(text):
    blocks, block, above = [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line.strip())
        if block is not None:
            if line.strip() == "```":
                blocks.append(block)
                block, above = None, ""
            else:
                block.lines.append(line)
        elif fence:
            mark = COMMENT.match(above)
            block = Block(fence[1], mark and mark[1], mark and mark[2], [], number)
        elif line.strip():
            above = line.strip()
    assert block is None, "unterminated block"
    return blocks


def prose(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def spans(text):
    """The code spans in the text."""
    return [" ".join(span.split()).replace("\\|", "|")
            for span in re.findall(r"`([^`]+)`", prose(text))]


def line_pattern(line):
    figures = list(FIGURES.finditer(line))
    pieces = re.split(r"(\.\.\.|…)", FIGURES.sub("\0", line.rstrip()))
    pattern = "".join(".*" if piece in ("...", "…") else re.escape(piece)
                      for piece in pieces)
    for figure in figures:
        pattern = pattern.replace(re.escape("\0"), STAND_INS[figure.lastindex - 1], 1)
    # A column is as wide as the widest figure in it.
    return re.sub(r"(\\ )+", r"\\s+", pattern) if figures else pattern


def matches(shown, text):
    parts = [r"(?:.*\n)*?" if line.strip() in ("...", "…") else line_pattern(line) + r"\s*\n"
             for line in shown]
    return re.fullmatch("".join(parts) + r"\s*", text.rstrip("\n") + "\n") is not None


def rehearsal(command):
    """A short version of a command that plays games; None for other commands."""
    words = shlex.split(command, comments=True)
    if words[:1] != ["turf"] or words[1:2] not in (["match"], ["tournament"]):
        return None
    words = [re.sub(r"\b(time|nodes|sims)=\d+", r"\1=1", word) for word in words]
    if words[2] in ("bg", "ai-battleground"):
        board = '["......",".11...",".11...","...22.","...22.","......"]'
        small = ["--start", '{"config":{"maxGameIterations":5},"board":%s}' % board]
    elif words[2] in ("aw", "amoeba-wars") and "--size" not in words:
        small = ["--size", "4"]
    else:
        small = []
    # The last value of an option wins; two games are one from each side.
    return shlex.join(words + small + ["-n", "2" if "--swap" in words else "1", "--db", "none"])
