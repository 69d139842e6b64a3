"""turf's bot protocol for Python: you write a function that answers a question, play() does the
rest.

    import turf_bot

    def choose(question):
        return turf_bot.move(question.moves[0])

    turf_bot.play(choose)

A question has the keys of docs/protocol.md as attributes: question.board, question.you,
question.moves, and in AI Battleground question.field, question.cellsRemaining and so on;
question.game is the name of the game."""
import json
import sys
from types import SimpleNamespace


def move(chosen):
    """The answer in War of Life, Amoeba Wars and SquirrelWar: one of question.moves."""
    return {"move": chosen}


def cells(chosen):
    """The answer in AI Battleground: a list of (row, column) to colonise, from 0, or []."""
    return {"cells": [list(cell) for cell in chosen]}


def play(choose):
    """Answers questions until the game is over.

    If choose() raises an exception, Python prints it to standard error and exits: turf then counts
    the game as lost and shows the last line of it."""
    wire = sys.stdout
    sys.stdout = sys.stderr  # so that a forgotten print() is not taken for an answer
    for line in sys.stdin:  # the end of the input is the end of the game
        keys = json.loads(line)
        if "error" in keys:  # turf says why we have lost
            print("turf:", keys["error"])
            break
        if "new_game" in keys:  # a message of --reuse, not a question
            continue
        # AI Battleground's protocol, that of its original server, does not name the game.
        game = keys.get("game_name", "ai-battleground")
        answer = choose(SimpleNamespace(game=game, **keys))
        # turf waits for the answer: flush Python's buffer.
        print(json.dumps(answer, separators=(",", ":")), file=wire, flush=True)
