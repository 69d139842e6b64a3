"""turf squirrel: its output compared with the course's own files."""
import os
import tempfile

import harness
from harness import oracle, refused, turf

VALUES = "20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n"
BOARD = "**XX*\n**XOX\n***O*\n**OO*\n*****\n"


def lines_of(path):
    with open(path, newline="") as file:
        return file.read().replace("\r\n", "\n").rstrip("\n").split("\n")


def compare(given, wanted):
    """Runs one input and compares every file that the course has for it, line by line."""
    with tempfile.TemporaryDirectory() as folder:
        turf("squirrel", given, "-o", folder)
        made = sorted(os.listdir(folder))
        assert made == sorted(wanted), f"{given}: made {made}, not {sorted(wanted)}"
        for name, path in wanted.items():
            assert lines_of(os.path.join(folder,
                                         name)) == lines_of(path), f"{given}: {name} differs"


def test_course_samples_match_line_by_line():
    folder = oracle("squirrel-war", "samples")
    samples = sorted(os.listdir(folder))
    for sample in samples:
        files = [name for name in os.listdir(os.path.join(folder, sample)) if name != "input.txt"]
        compare(os.path.join(folder, sample, "input.txt"),
                {name: os.path.join(folder, sample, name)
                 for name in files})
    assert len(samples) == 5
    return f"{len(samples)} samples"


def test_all_course_cases_match_line_by_line():
    folder = oracle("squirrel-war", "cases")
    numbers = sorted(int(name[6:-4]) for name in os.listdir(folder) if name.startswith("input_"))
    for number in numbers:
        wanted = {kind + ".txt": os.path.join(folder, f"{kind}_{number}.txt")
                  for kind in ("next_state", "traverse_log", "trace_state")
                  if os.path.exists(os.path.join(folder, f"{kind}_{number}.txt"))}
        assert wanted
        compare(os.path.join(folder, f"input_{number}.txt"), wanted)
    assert len(numbers) == 50
    return f"{len(numbers)} cases"


def run_text(text, *options):
    """The files made from an input given as text."""
    with tempfile.TemporaryDirectory() as folder:
        turf("squirrel", "-", "-o", folder, *options, given=text)
        return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}


def test_crlf_changes_only_line_ends():
    text = "3\nX\n2\n" + VALUES + BOARD
    plain, crlf = run_text(text), run_text(text, "--crlf")
    assert sorted(plain) == sorted(crlf) == ["next_state.txt", "traverse_log.txt"]
    for name in plain:
        assert b"\r" not in plain[name]
        assert plain[name].replace(b"\n", b"\r\n") == crlf[name]


def test_full_board_is_unchanged_and_logged_once():
    full = "XXXXX\nOOOOO\nXXXXX\nOOOOO\nXXXXX"
    sides = {"X": 0, "O": 0}
    for row, values in zip(full.split("\n"), VALUES.split("\n")):
        for cell, value in zip(row, values.split()):
            sides[cell] += int(value)
    made = run_text("2\nO\n3\n" + VALUES + full)
    assert made["next_state.txt"].decode() == full
    assert made["traverse_log.txt"].decode(
    ) == f"Node,Depth,Value\nroot,0,{sides['O'] - sides['X']}\n"
    assert run_text("4\nO\n1\n1\nX\n2\n2\n" + VALUES + full) == {"trace_state.txt": b""}


def test_value_of_100_is_accepted_with_a_warning():
    with tempfile.TemporaryDirectory() as folder:
        text = "1\nX\n1\n" + VALUES.replace("48", "100") + BOARD
        done = turf("squirrel", "-", "-o", folder, given=text)
        assert "line 6" in done.err and "100" in harness.one_line(done.err)
        # 100 is more than any other move can gain.
        assert open(os.path.join(folder, "next_state.txt")).read().split("\n")[2][1] == "X"


def test_malformed_files_are_rejected_with_line_and_reason():
    good = ["2", "X", "2"] + VALUES.split("\n")[:5] + BOARD.split("\n")[:5]

    def with_line(number, text):
        return "\n".join(good[:number - 1] + [text] + good[number:])

    def check(text, *saying):
        with tempfile.TemporaryDirectory() as folder:
            refused("squirrel", "-", "-o", os.path.join(folder, "out"), given=text, saying=saying)
            assert not os.path.exists(os.path.join(folder, "out")), "something was written"

    check("", "ends after line 0", "task")
    check(with_line(1, "5"), "line 1", "from 1 to 4", "'5'")
    check(with_line(1, "two"), "line 1", "'two'")
    check(with_line(2, "Z"), "line 2", "X or O", "'Z'")
    check(with_line(3, "0"), "line 3", "depth")
    check(with_line(3, "-1"), "line 3", "depth")
    check(with_line(5, "20 12 2 11"), "line 5", "4 values")
    check(with_line(5, "20 12 2 11 8 9"), "line 5", "five values")
    check(with_line(5, "20 12 0 11 8"), "line 5", "value 3", "1 to 99, not 0")
    check(with_line(5, "20 12 101 11 8"), "line 5", "value 3", "not 101")
    check(with_line(5, "20 12 x 11 8"), "line 5", "five values")
    check(with_line(10, "**QOX"), "line 10", "square 3", "not 'Q'")
    check(with_line(10, "**X"), "line 10", "3 squares")
    check("\n".join(good[:9]), "ends after line 9", "five squares")
    check("\n".join(good + ["", "X"]), "line 15", "unexpected text")
    check("4\nX\n1\n1\nX\n2\n2\n" + VALUES + BOARD, "line 5", "must be O")
    check("4\nX\n4\n1\nO\n2\n2\n" + VALUES + BOARD, "line 3", "algorithm")
    refused("squirrel", "/nowhere/input.txt", saying="cannot be read")


if __name__ == "__main__":
    harness.main()
