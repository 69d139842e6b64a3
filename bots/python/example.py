"""An example bot with a simple strategy for each of the four games. Copy it and improve it."""
import functools
import random

import turf_bot

STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


# War of Life: a piece lives on with two or three friends around it, so move to where they are.
def war_of_life(question):
    board = question.board

    def lives_on(move):
        # rows and columns count from 1
        row, col, new_row, new_col = (number - 1 for number in move)
        friends = 0
        for down, right in STEPS:
            r, c = new_row + down, new_col + right
            if 0 <= r < 8 and 0 <= c < 8 and (r, c) != (row, col):  # it has left its old cell
                friends += board[r][c] == question.you
        return friends in (2, 3)

    return max(question.moves, key=lives_on)  # the first of the best


# Amoeba Wars: kill if you can.
def amoeba_wars(question):
    board = question.board

    def is_kill(move):
        row, col = len(board) - int(move[1:]), ord(move[0]) - ord("A")  # row 1 is at the bottom
        return board[row][col] in "OX"

    return max(question.moves, key=is_kill)


# SquirrelWar: the value of the square, plus twice that of the pieces it takes.
def squirrel_war(question):
    def worth(move):
        row, col = int(move[1]) - 1, ord(move[0]) - ord("A")
        is_raid, taken = False, 0
        for down, right in STEPS:
            r, c = row + down, col + right
            if (
                (down == 0 or right == 0)
                and 0 <= r < 5
                and 0 <= c < 5
                and question.board[r][c] != "*"
            ):
                if question.board[r][c] == question.you:
                    is_raid = True
                else:
                    taken += question.values[r][c]
        return question.values[row][col] + (2 * taken if is_raid else 0)

    return max(question.moves, key=worth)


# AI Battleground. A cell is a number, row * cols + col; its owner is 1 for us, -1 for the enemy and
# 0 if dead.
@functools.cache
def neighbours(rows, cols):
    """The eight cells around each cell; the edges are glued together."""
    return [[(row + down) % rows * cols + (col + right) % cols for down, right in STEPS]
            for row in range(rows) for col in range(cols)]


def fate(owner, lead):
    """Who owns a cell after the step. The lead is our number of neighbours minus the enemy's."""
    if owner == 0:
        return lead // 3 if lead in (3, -3) else 0  # born
    return owner if owner * lead in (2, 3) else 0  # lives on or dies


def within_reach(around, owner, distance):
    """The dead cells at most so many steps from a live one of ours, row by row."""
    seen = {cell for cell, who in enumerate(owner) if who == 1}
    edge = seen
    while distance > 0 and edge:
        edge = {next_cell for cell in edge for next_cell in around[cell]} - seen
        seen = seen | edge
        distance -= 1
    return [cell for cell in sorted(seen) if owner[cell] == 0]


def ai_battleground(question):
    """Takes the cells that add the most to our lead: first those that add four, then three..."""
    rows, cols = len(question.field), len(question.field[0])
    around = neighbours(rows, cols)
    owner = ["O.#".index(mark) - 1 for row in question.field for mark in row]
    lead = [sum(owner[cell] for cell in near) for near in around]
    reach = within_reach(around, owner, question.maxColonisationDistance)
    budget = min(question.cellsRemaining, 1000)  # an answer must fit into 64 KiB

    def gain(cell):
        """The effect of colonising a dead cell, on itself and on its neighbours."""
        change = fate(1, lead[cell]) - fate(0, lead[cell])
        for near in around[cell]:
            change += fate(owner[near], lead[near] + 1) - fate(owner[near], lead[near])
        return change

    chosen = []
    for wanted in (4, 3, 2, 1):
        for cell in reach:
            if len(chosen) < budget and owner[cell] == 0 and gain(cell) >= wanted:
                chosen.append(cell)
                owner[cell] = 1
                for near in around[cell]:
                    lead[near] += 1
    return [divmod(cell, cols) for cell in chosen]


# Any other game.
def any_move(question):
    return random.choice(question.moves)


def choose(question):
    if question.game == "ai-battleground":
        return turf_bot.cells(ai_battleground(question))
    choices = {"war-of-life": war_of_life, "amoeba-wars": amoeba_wars, "squirrel-war": squirrel_war}
    return turf_bot.move(choices.get(question.game, any_move)(question))


turf_bot.play(choose)
