"""turf run: config files of the original AI Battleground server."""
import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time

import harness
from harness import TURF, refused, turf

GAME = {"rows": 12, "cols": 12, "cellGainPerTurn": 2, "maxCellCapacity": 9, "startingCells": 4,
        "maxColonisationDistance": 2, "maxGameIterations": 30, "ruleset": "diff"}
BLOCKS = [[[5, 2], [5, 3], [6, 2], [6, 3]], [[5, 8], [5, 9], [6, 8], [6, 9]]]
# Says where it runs and what it was asked first, and does nothing.
SPY = ("import json,os,sys\nfor number, line in enumerate(sys.stdin):\n"
       " if number == 0: print(json.dumps([os.getcwd(), line]), file=sys.stderr, flush=True)\n"
       " print('{\"cells\":[]}', flush=True)")


def config(*players, **more):
    seated = [dict(player, startingCells=cells) for player, cells in zip(players, BLOCKS)]
    return {"players": seated, "game": dict(GAME), "port": 1989, "visualization": True, **more}


def dummy(name="Idle"):
    return {"type": "dummy", "name": name}


def spy(**more):
    return {"type": "process", "name": "Spy", "command": [sys.executable, "-c", SPY], **more}


def run(json_config, *options, folder=None, **more):
    with tempfile.NamedTemporaryFile("w", suffix=".json", dir=folder) as file:
        json.dump(json_config, file)
        file.flush()
        return turf("run", file.name, "--json", "-q", *options, **more)


def spied(json_config, **more):
    """What the spy saw: its folder and its first question."""
    with tempfile.TemporaryDirectory() as logs:
        run(json_config, "--bot-logs", logs, **more)
        with open(os.path.join(logs, "Spy.log"), encoding="utf-8") as file:
            return json.loads(file.readline())


def test_original_config_is_played_unchanged():
    result = json.loads(run(config(dummy("Red"), dummy("Blue"))).out)
    assert result["game"] == "ai-battleground" and result["players"] == ["Red", "Blue"]
    assert result["games"] == 1 and result["draws"] == 1 and result["average_length"] == 30
    with tempfile.NamedTemporaryFile("w", encoding="utf-8-sig") as file:  # as some editors write it
        json.dump(config(dummy("Red"), dummy("Blue")), file)
        file.flush()
        assert json.loads(turf("run", file.name, "--json", "-q").out)["games"] == 1


def test_bot_gets_the_original_wire_byte_for_byte():
    _, question = spied(config(spy(), dummy()))
    rows = ["." * 12] * 5 + ["..##....OO.."] * 2 + ["." * 12] * 5
    field = ",".join(f'"{row}"' for row in rows)
    assert question == ('{"field":[' + field + '],"cellsRemaining":4,'
                        '"cellGainPerTurn":2,"maxCellCapacity":9,'
                        '"maxColonisationDistance":2,"currIteration":0,"maxGameIterations":30}\n')
    _, other = spied(config(dummy(), spy()))
    swapped = [row.replace("#", "x").replace("O", "#").replace("x", "O") for row in rows]
    assert json.loads(other)["field"] == swapped


def test_timer_belongs_to_one_player_and_is_sent_to_it():
    _, question = spied(config(spy(timer={"maxLength": 20000}), dummy()))
    after = question.rstrip().split('"maxGameIterations":30')[1]
    assert after.startswith(',"timeGainPerTurn":20000,"timeLeftForMove":')
    assert 0 < json.loads(question)["timeLeftForMove"] <= 100000
    slow = {"type": "process", "name": "Slow", "timer": {"maxLength": 50},
            "command": [sys.executable, "-c", "import time\ntime.sleep(60)"]}
    for players, forfeits in (((slow, dummy()), [{"timeout": 1}, {}]),
                              ((dummy(), slow), [{}, {"timeout": 1}])):
        assert json.loads(run(config(*players)).out)["forfeits"] == forfeits


def test_process_runs_in_its_working_directory_or_beside_its_program():
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        bots, elsewhere = os.path.join(folder, "bots"), os.path.join(folder, "elsewhere")
        os.mkdir(bots)
        os.mkdir(elsewhere)
        with open(os.path.join(bots, "mine"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {shlex.join(['/usr/bin/python3', '-c', SPY])}\n")
        os.chmod(os.path.join(bots, "mine"), 0o755)
        mine = {"type": "process", "name": "Spy", "command": ["bots/mine"]}
        assert spied(config(mine, dummy()), cwd=folder)[0] == bots
        there = config(dict(mine, workingDirectory="elsewhere"), dummy())
        assert spied(there, cwd=folder)[0] == elsewhere
        beside = os.path.dirname(os.path.realpath(sys.executable))
        assert spied(config(spy(), dummy()), cwd=elsewhere)[0] in (elsewhere, beside)
        nowhere = config(dict(mine, workingDirectory="nowhere"), dummy())
        refused_or_lost = json.loads(run(nowhere, cwd=folder).out)
        assert refused_or_lost["forfeits"] == [{"crash": 1}, {}]


def test_two_players_connect_to_one_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    firsts = []

    def play():
        begin = time.monotonic()
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                if connection.getsockname() != connection.getpeername():
                    break
                connection.close()  # where nobody listens yet, TCP may connect one with itself
            except ConnectionRefusedError:
                assert time.monotonic() - begin < 20, "turf does not listen"
                time.sleep(0.02)
        with connection, connection.makefile("rw") as wire:
            for number, line in enumerate(wire):
                if number == 0:
                    firsts.append(json.loads(line)["field"])
                wire.write('{"cells":[]}\n')
                wire.flush()

    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        players = ({"type": "tcp", "name": name} for name in ("Ann", "Bob"))
        json.dump(config(*players, port=port), file)
        file.flush()
        threads = [threading.Thread(target=play) for _ in range(2)]
        command = [TURF, "run", file.name, "--json", "-q"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            for thread in threads:
                thread.start()
            out, _ = process.communicate(timeout=60)
        for thread in threads:
            thread.join()
    result = json.loads(out)
    assert result["players"] == ["Ann", "Bob"] and result["forfeits"] == [{}, {}]
    assert result["draws"] == 1
    # Each sees its own cells as '#'.
    assert sorted(field[5] for field in firsts) == ["..##....OO..", "..OO....##.."]


def test_several_games_and_both_rulesets():
    for ruleset in ("diff", "classic"):
        settler = {"type": "process", "name": "Settler",
                   "command": [TURF, "bot", "ai-battleground", "settler"]}
        plan = config(settler, dummy())
        plan["game"]["ruleset"] = ruleset
        result = json.loads(run(plan, "-n", "2", "--reuse").out)
        assert result["games"] == 2 and result["wins"] == [2, 0], (ruleset, result)


def test_config_errors_are_one_line():
    def mistaken(change, *saying):
        plan = config(dummy(), dummy())
        change(plan)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(plan, file)
            file.flush()
            refused("run", file.name, saying=saying)

    mistaken(lambda plan: plan.pop("players"), '"players"')
    mistaken(lambda plan: plan["players"].pop(), "a list of two")
    mistaken(lambda plan: plan["players"][1].update(type="human"), "player 2",
             "dummy, process or tcp")
    mistaken(lambda plan: plan["players"][0].update(type="process"), "player 1", '"command"')
    mistaken(lambda plan: plan["players"][0].update(type="process", command=["/nowhere/bot"]),
             "/nowhere/bot")
    mistaken(lambda plan: plan["players"][0].update(type="process", command=[7]), "list of strings")
    mistaken(lambda plan: plan["players"][0].update(startingCells=[[1, 2], [99, 1]]),
             "cell 2", "player 1")
    mistaken(lambda plan: plan["players"][0].update(startingCells=5), "startingCells")
    mistaken(lambda plan: plan["players"][0].update(startingCells=[[5, 8]]),
             "both players", "[5,8]")
    mistaken(lambda plan: plan["players"][1].update(timer={"maxLength": -3}), "maxLength")
    mistaken(lambda plan: plan["game"].pop("rows"), '"rows"')
    mistaken(lambda plan: plan["game"].update(rows=1000), "128")
    mistaken(lambda plan: plan["game"].update(ruleset="odd"), "diff")
    mistaken(lambda plan: plan.update(
        port="x", players=[dict(player, type="tcp") for player in plan["players"]]), '"port"')
    refused("run", "/nowhere/config.json", saying="cannot be read")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{\n"players": [,]}')
        file.flush()
        refused("run", file.name, saying=["line 2", "not JSON"])


harness.main()
