"""Draws the positions in docs/pictures.

    TURF=build/turf python3 tests/pictures.py

A picture is a row of boards with captions. Positions after a move come from 'turf step'.
tests/cli/test_docs.py checks that the files are up to date."""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "docs", "pictures")
STYLE = (
    "text{font:11px sans-serif;text-anchor:middle;fill:#333}.w{fill:#fff}.g{fill:#888}"
    ".c{font-size:12px}.a{fill:#2f6fde}.b{fill:#d6453d}"
    ".k{fill:#555}.f{fill:#f6f4ee;stroke:#c9c4b8}.l{stroke:#c9c4b8}.s{fill:#cfe6bd}"
    ".n{fill:none;stroke:#ffd43b;stroke-width:3}.x{stroke:#111;stroke-width:2}"
)
SIDES = {"b": "a", "r": "b", "O": "a", "X": "b", "1": "a", "2": "b"}
GAP, TOP, BOTTOM = 40, 18, 26


def turf(*args, given=""):
    program = os.path.abspath(os.environ.get("TURF") or os.path.join(ROOT, "build", "turf"))
    return subprocess.run([program, *args], input=given, capture_output=True, text=True,
                          check=True).stdout


def step(game, position, move=None):
    """The position after a move, or after the crank or the step of Life alone."""
    return json.loads(
        turf("step", game, given=json.dumps({**position, **({"move": move} if move else {})})))


# ---- boards


class Board:
    """Rows of letters, with what is to be seen besides: values and labels in cells, cells that are
    shaded, born or dying."""

    def __init__(self, rows, caption, cell=20, columns=None, lines=None):
        self.rows, self.caption, self.cell = rows, caption, cell
        self.columns = columns or [str(i + 1) for i in range(len(rows[0]))]
        self.lines = lines or [str(i + 1) for i in range(len(rows))]
        self.labels, self.shaded, self.born, self.dying, self.arrow = {}, set(), set(), set(), None

    def size(self):
        return len(self.rows[0]) * self.cell + 16, len(self.rows) * self.cell + TOP + BOTTOM

    def draw(self, left):
        """The boards are drawn from their top left corner, with room for the names of lines and
        columns."""
        cell, n_rows, n_columns = self.cell, len(self.rows), len(self.rows[0])
        grid = "".join(f"M{i * cell} 0v{n_rows * cell}"
                       for i in range(1, n_columns)) + "".join(f"M0 {i * cell}h{n_columns * cell}"
                                                               for i in range(1, n_rows))
        parts = [f'<g transform="translate({left + 16} {TOP})">',
                 f'<path class="f" d="M0 0h{n_columns * cell}v{n_rows * cell}H0z"/>']
        parts += [
            f'<path class="s" d="M{c * cell} {r * cell}h{cell}v{cell}h-{cell}z"/>'
            for r, c in sorted(self.shaded)
        ]
        parts.append(f'<path class="l" d="{grid}"/>')
        for c, name in enumerate(self.columns):
            parts.append(f'<text class="g" x="{c * cell + cell // 2}" y="-6">{name}</text>')
        for r, row in enumerate(self.rows):
            parts.append(
                f'<text class="g" x="-10" y="{r * cell + cell // 2 + 4}">{self.lines[r]}</text>')
            for c, letter in enumerate(row):
                parts += self.draw_cell(letter, (r, c), c * cell + cell // 2, r * cell + cell // 2)
        if self.arrow:
            (r1, c1), (r2, c2) = [(r * cell + cell // 2, c * cell + cell // 2)
                                  for r, c in self.arrow]
            parts.append(
                f'<path class="x" d="M{c1} {r1}L{c2} {r2}"/><circle cx="{c2}" cy="{r2}" r="3"/>')
        parts.append(
            f'<text class="c" x="{n_columns * cell // 2}" y="{n_rows * cell + 18}">'
            f'{self.caption}</text></g>'
        )
        return parts

    def draw_cell(self, letter, at, x, y):
        parts, radius, arm = [], self.cell // 2 - 2, self.cell // 2 - 6
        if letter == "#":
            parts.append(
                f'<path class="k" d="M{x - radius} {y - radius}h{2 * radius}v{2 * radius}'
                f'h-{2 * radius}z"/>'
            )
        if letter in SIDES:
            parts.append(f'<circle class="{SIDES[letter]}" cx="{x}" cy="{y}" r="{radius}"/>')
        if at in self.born:
            parts.append(f'<circle class="n" cx="{x}" cy="{y}" r="{radius - 1}"/>')
        if at in self.labels:
            kind = ' class="w"' if letter in SIDES or letter == "#" else ""
            parts.append(f'<text{kind} x="{x}" y="{y + 4}">{self.labels[at]}</text>')
        if at in self.dying:
            parts.append(
                f'<path class="x" d="M{x - arm} {y - arm}l{2 * arm} {2 * arm}m0-{2 * arm}'
                f'l-{2 * arm} {2 * arm}"/>'
            )
        return parts


def cells(rows, letters):
    return {(r, c)
            for r, row in enumerate(rows)
            for c, letter in enumerate(row)
            if letter in letters}


def mark_life(before, after, empty="."):
    """What dies is crossed out on the board before, what is born has a ring on the board after."""
    before.dying = cells(after.rows, empty) - cells(before.rows, empty)
    after.born = cells(before.rows, empty) - cells(after.rows, empty)


def picture(*boards):
    widths = [board.size()[0] for board in boards]
    height = max(board.size()[1] for board in boards)
    total = sum(widths) + GAP * (len(boards) - 1) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{height}" '
        f'viewBox="0 0 {total} {height}">',
        f"<style>{STYLE}</style>", f'<rect width="{total}" height="{height}" fill="#fff"/>'
    ]
    left = 0
    for board, width in zip(boards, widths):
        parts += board.draw(left)
        left += width + GAP
    return "\n".join(parts + ["</svg>"]) + "\n"


# ---- War of Life

QUESTION_1 = [
    "b......r", ".r...b.r", "...bb.rb", "bb...r..", "..r...b.", ".b...r..", "b.b.brrr", "..r...r."
]


def war_of_life_turn():
    """Blue moves 3,8 to 2,7, and the crank turns."""
    position, move = {"board": QUESTION_1, "to_move": "b", "moves_made": 0}, [3, 8, 2, 7]
    start = Board(QUESTION_1, "blue moves 3,8 to 2,7")
    start.arrow = ((2, 7), (1, 6))
    moved = [list(row) for row in QUESTION_1]
    moved[2][7], moved[1][6] = ".", "b"
    moved = Board(["".join(row) for row in moved], "crossed out: about to die")
    after = Board(step("war-of-life", position, move)["board"], "ringed: just born")
    # The crank alone, on the board between, is the same as the whole move.
    assert step("war-of-life", {**position, "board": moved.rows})["board"] == after.rows
    mark_life(moved, after)
    return picture(start, moved, after)


def war_of_life_starts():
    boards = []
    for name in ("cross", "checkers", "gliders"):
        lines = turf("choose", "war-of-life", "land-grab", "--start", name,
                     "--explain").splitlines()
        boards.append(Board(["".join(line.split()[1:]) for line in lines[1:9]], name, cell=16))
    return picture(*boards)


# ---- Amoeba Wars

OPENING = ["B2", "G7", "F6", "E5", "C3", "D4", "E5"]


def amoeba_board(position, caption):
    n = len(position["board"])
    return Board(position["board"], caption, columns=[chr(65 + i) for i in range(n)],
                 lines=[str(n - i) for i in range(n)])


def amoeba_cell(name, n=8):
    return n - int(name[1:]), ord(name[0]) - 65


def amoeba_wars_opening():
    """The start with the cells that O may go to, and the board after the description's opening,
    numbered."""
    position = {
        "board": [".......X"] + ["........"] * 6 + ["O......."], "to_move": "O", "moves_left": 1,
        "killed": {"O": 0, "X": 0}
    }
    start = amoeba_board(position, "the start; green: O's moves")
    for name in ("A2", "B2", "B1"):
        step("amoeba-wars", position, name)  # a move that is refused ends this
        start.shaded.add(amoeba_cell(name))
    for move in OPENING:
        position = step("amoeba-wars", position, move)
    end = amoeba_board(position, "seven moves later")
    for number, move in enumerate(OPENING, 1):
        end.labels[amoeba_cell(move)] = number
    return picture(start, end)


# ---- AI Battleground


def battleground_step():
    """Each side places a cell, both want one, and the world takes its step."""
    board = ["........", ".11.....", ".1....2.", ".....22.", "........", "........"]
    position = {
        "config": {"rows": 6, "cols": 8, "maxGameIterations": 10}, "board": board, "cells": [3, 3],
        "iteration": 0
    }
    counted = {"columns": [str(i) for i in range(8)], "lines": [str(i) for i in range(6)]}
    move = {"1": [[2, 2], [2, 4]], "2": [[4, 7], [2, 4]]}
    start = Board(board, "what both sides place", **counted)
    start.labels = {(2, 2): "1", (4, 7): "2", (2, 4): "1, 2"}
    between = [list(row) for row in board]
    between[2][2], between[4][7] = "1", "2"
    between = Board(["".join(row) for row in between], "crossed out: about to die", **counted)
    after = Board(step("ai-battleground", position, move)["board"], "ringed: just born", **counted)
    assert step("ai-battleground", {**position, "board": between.rows})["board"] == after.rows
    mark_life(between, after)
    return picture(start, between, after)


# ---- SquirrelWar


def squirrel_board(position, caption):
    board = Board([row.replace("*", ".") for row in position["board"]], caption, cell=28,
                  columns="ABCDE")
    board.labels = {(r, c): value
                    for r, row in enumerate(position["values"])
                    for c, value in enumerate(row)}
    return board


def squirrel_war_moves():
    """The coursework's sample position, a raid and a sneak from it."""
    position = {
        "values": [[20, 16, 1, 32, 30], [20, 12, 2, 11, 8], [28, 48, 9, 1, 1], [20, 12, 10, 6, 2],
                   [25, 30, 23, 21, 10]], "board": ["**XX*", "**XOX", "***O*", "**OO*", "*****"],
        "to_move": "X"
    }
    boards = [squirrel_board(position, "X (red) is to move")]
    for move, caption in (("E3", "a raid at E3 takes D3"), ("D5", "a sneak at D5")):
        board = squirrel_board(step("squirrel-war", position, move), caption)
        board.born = {(r, c)
                      for r in range(5)
                      for c in range(5)
                      if board.rows[r][c] != boards[0].rows[r][c]}
        boards.append(board)
    return picture(*boards)


PICTURES = {
    "war-of-life-turn": war_of_life_turn, "war-of-life-starts": war_of_life_starts,
    "amoeba-wars-opening": amoeba_wars_opening, "ai-battleground-step": battleground_step,
    "squirrel-war-moves": squirrel_war_moves
}


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for name, draw in PICTURES.items():
        with open(os.path.join(FOLDER, name + ".svg"), "w", encoding="utf-8") as file:
            file.write(draw())
        print(os.path.join("docs", "pictures", name + ".svg"), file=sys.stderr)
