"""War of Life, written independently from the description and as plainly as possible.

A board is a list of eight strings of b, r and . ; cells and moves count from 1."""

OTHER = {"b": "r", "r": "b"}
EMPTY = ["........"] * 8


def board_of(blue, red):
    cells = {(r, c): "b" for r, c in blue} | {(r, c): "r" for r, c in red}
    return ["".join(cells.get((r, c), ".") for c in range(1, 9)) for r in range(1, 9)]


def cells_of(board, side):
    return [[r, c] for r in range(1, 9) for c in range(1, 9) if board[r - 1][c - 1] == side]


def neighbours(r, c):
    return [(i, j) for i in range(r - 1, r + 2) for j in range(c - 1, c + 2)
            if (i, j) != (r, c) and 1 <= i <= 8 and 1 <= j <= 8]


def crank(board):
    def turned(r, c):
        around = [board[i - 1][j - 1] for i, j in neighbours(r, c)]
        n_blue, n_red = around.count("b"), around.count("r")
        here = board[r - 1][c - 1]
        if here != ".":
            return here if n_blue + n_red in (2, 3) else "."
        return "." if n_blue + n_red != 3 else "b" if n_blue > n_red else "r"
    return ["".join(turned(r, c) for c in range(1, 9)) for r in range(1, 9)]


def moves(board, side):
    return [[r, c, i, j]
            for r, c in cells_of(board, side)
            for i, j in neighbours(r, c)
            if board[i - 1][j - 1] == "."]


def slide(board, move):
    cells = [list(row) for row in board]
    r, c, i, j = move
    cells[i - 1][j - 1], cells[r - 1][c - 1] = cells[r - 1][c - 1], "."
    return ["".join(row) for row in cells]


def play(board, move):
    return crank(slide(board, move))


def outcome(board, side, n_made):
    """blue, red, draw, stalemate or exhausted; None while the game goes on."""
    n_blue, n_red = len(cells_of(board, "b")), len(cells_of(board, "r"))
    if n_blue == 0 or n_red == 0:
        return "blue" if n_blue else "red" if n_red else "draw"
    if n_made >= 250:
        return "exhausted"
    return None if moves(board, side) else "stalemate"


def measure(board, side, own_weight, other_weight):
    return own_weight * len(cells_of(board, side)) + other_weight * len(cells_of(
        board, OTHER[side]))


WEIGHTS = {"bloodlust": (0, -1), "self-preservation": (1, 0), "land-grab": (1, -1)}


def values(strategy, board, side):
    """Every move with its value, in the order of moves."""
    if strategy in WEIGHTS:
        return [(m, measure(play(board, m), side, *WEIGHTS[strategy])) for m in moves(board, side)]
    assert strategy == "minimax"

    def after(move):
        then, other = play(board, move), OTHER[side]
        if outcome(then, other, 0):
            return measure(then, side, 1, -1)
        return min(measure(play(then, reply), side, 1, -1) for reply in moves(then, other))
    return [(m, after(m)) for m in moves(board, side)]


def best(strategy, board, side):
    valued = values(strategy, board, side)
    top = max(value for _, value in valued)
    return [m for m, value in valued if value == top], top


def whole_game(board, strategies):
    """Plays strategies that take the first best move; the outcome and the number of moves."""
    n_made = 0
    while not outcome(board, "br"[n_made % 2], n_made):
        side = "br"[n_made % 2]
        board = play(board, best(strategies[n_made % 2], board, side)[0][0])
        n_made += 1
    return outcome(board, "br"[n_made % 2], n_made), n_made


CROSS = board_of([(i, i) for i in range(1, 9)], [(i, 9 - i) for i in range(1, 9)])
CHECKERS = board_of([(3 if c % 2 else 4, c) for c in range(1, 9)],
                    [(5 if c % 2 else 6, c) for c in range(1, 9)])
GLIDERS = board_of([(1, 3), (2, 1), (2, 3), (3, 2), (3, 3)], [(6, 6), (6, 7), (6, 8), (7, 6),
                                                              (8, 7)])
STARTS = {"cross": CROSS, "checkers": CHECKERS, "gliders": GLIDERS}
