"""The Python package: tournaments, analysis, the solver, symmetries, and data; the training example
runs."""
import json
import os
import re
import subprocess
import sys
import tempfile

import harness
from harness import ROOT, turf as command

os.environ["TURF_LIBRARY"] = os.path.join(os.path.dirname(harness.TURF), "libturf.so")
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402

import turf  # noqa: E402

FOLDER = tempfile.TemporaryDirectory(prefix="turf-python-")
TURNS = ("war-of-life", "amoeba-wars", "squirrel-war")


def path(name):
    return os.path.join(FOLDER.name, name)


def fails(kind, says, call, *args, **more):
    try:
        call(*args, **more)
    except kind as error:
        assert says in str(error), f"{error!r} does not say {says!r}"
        return
    raise AssertionError(f"{call} accepted {args} {more}")


# ---- matches and tournaments


def test_match_agrees_with_turf_match():
    mine = turf.match("wol", "land-grab", "bloodlust", n=60, seed=3, swap=True)
    said = json.loads(command("match", "wol", "land-grab", "bloodlust", "-n", "60", "--seed", "3",
                              "--swap", "--json", "--db", "none").out)
    for key in ("games", "draws", "score", "average_length", "shortest", "longest"):
        assert mine[key] == said[key], key
    assert mine["players"] == tuple(said["players"]) and mine["wins"] == tuple(said["wins"])


def test_tournament_has_a_row_for_each_player_and_each_pair():
    result = turf.tournament("aw", ["random", "land-grab", "x=minimax"], n=10, start="5x5")
    assert [row["games"] for row in result["table"]] == [20, 20, 20]
    assert {row["player"] for row in result["table"]} == {"random", "land-grab", "x"}
    scores = [row["score"] for row in result["table"]]
    assert scores == sorted(scores, reverse=True) and abs(sum(scores) - 1.5) < 1e-9
    alone = turf.match("aw", "random", "land-grab", n=10, start="5x5", swap=True)
    assert result["matches"][0] == alone
    fails(turf.TurfError, "two players or more", turf.tournament, "aw", ["random"])
    fails(turf.TurfError, "there is no player", turf.tournament, "aw", ["random", "nobody"])


# ---- analysis


def test_analysis_tells_value_line_and_moves():
    position = turf.position("war-of-life", "cross")
    found = turf.player("war-of-life", "alphabeta:depth=3").analyse(position)
    assert found.depth == 3 and found.nodes > 0 and found.value is not None
    assert found.text == found.line[0] == found.moves[0].text
    at = position.copy()
    for move in found.line:
        at.play(move)
    tree = turf.player("war-of-life", "mcts:sims=100").analyse(position)
    assert tree.has_chances and sum(move.visits for move in tree.moves) == tree.playouts == 100
    assert len(tree.moves) == len(position.moves())
    assert turf.player("war-of-life", "random").analyse(position).value is None


def test_solver_gives_the_exact_value():
    position = turf.position("squirrel-war", seed=2)
    for _ in range(14):
        position.play(position.moves()[0])
    found = turf.solve(position, threads=1)
    said = json.loads(command("solve", "squirrel-war", "--start", position.json(), "--json").out)
    assert found.is_exact and found.value == said["value"] and found.line == said["line"]
    fails(turf.TurfError, "between", turf.solve, turf.position("squirrel-war"), time_ms=1,
          threads=1)
    fails(turf.TurfError, "only squirrel-war", turf.solve, turf.position("wol"))
    fails(TypeError, "a position", turf.solve, "squirrel-war")


def test_symmetries_turn_boards_masks_and_positions_alike():
    for name in (*TURNS, "ai-battleground"):
        position = turf.position(name, seed=5)
        for symmetry in range(position.n_symmetries):
            image = position.transform(symmetry)
            planes, cells = position.planes(0), position.symmetry_cells(symmetry)
            turned = np.empty_like(planes).reshape(len(planes), -1)
            turned[:, cells] = planes.reshape(len(planes), -1)
            assert (turned.reshape(planes.shape) == image.planes(0)).all(), (name, symmetry)
            mask = np.empty_like(position.mask(0))
            mask[position.symmetry_actions(symmetry)] = position.mask(0)
            assert (mask == image.mask(0)).all(), (name, symmetry)
    fails(turf.TurfError, "from 0 to 7", turf.position("wol").symmetry_cells, 8)


def test_position_reads_the_dict_that_it_gives():
    position = turf.position("amoeba-wars", "5x5").play("B2")
    assert turf.position("amoeba-wars", position.dict()) == position
    fails(turf.TurfError, "JSON", turf.position, "amoeba-wars", {"board": object()})


def test_threads_play_the_same_games():
    for name in (*TURNS, "ai-battleground"):
        one, several = turf.batch(name, 200, seed=4), turf.batch(name, 200, seed=4, threads=3)
        for _ in range(20):
            one.step(one.sample())
            several.step(several.sample())
        assert (one.observations == several.observations).all()
        assert (one.masks == several.masks).all() and (one.lengths == several.lengths).all()
    fails(turf.TurfError, "threads must be", turf.batch, "wol", 2, threads=0)


# ---- data


def test_selfplay_files_are_arrays():
    for name in TURNS:
        file = path(name + ".bin")
        command("selfplay", name, "minimax", "-n", "5", "-o", file)
        lines = path(name + ".jsonl")
        command("selfplay", name, "minimax", "-n", "5", "-o", lines)
        with open(lines, encoding="utf-8") as text:
            expected = [json.loads(line) for line in text]
        data = turf.read_selfplay(file)
        assert len(data) == len(expected) and data.game.name == name
        for i in range(0, len(data), 7):
            position = turf.position(name, expected[i]["position"])
            n_planes = 2 + (name == "amoeba-wars")
            assert (data.planes[i][:n_planes] == position.planes(0)[:n_planes]).all()
            assert data.side[i] == position.to_move and data.result[i] == expected[i]["result"]
            assert abs(data.value[i] - expected[i]["value"]) < 1e-3
            assert int(data.move[i]) in position.moves()


def test_wrong_selfplay_files_are_rejected():
    with open(path("other"), "wb") as file:
        file.write(b"TURFPLAY" + bytes(20))
    fails(turf.TurfError, "was not written by", turf.read_selfplay, path("other"))
    fails(OSError, "No such file", turf.read_selfplay, path("missing"))
    with open(path("other"), "wb") as file:
        file.write(b"TURFPLAY\1\0\0\0" + bytes(52))
    fails(turf.TurfError, "damaged", turf.read_selfplay, path("other"))


def test_database_gives_runs_results_and_games():
    base = path("runs.db")
    command("tournament", "squirrel-war", "random", "land-grab", "-n", "20", "--db", base)
    said = json.loads(command("match", "wol", "random", "land-grab", "-n", "30", "--swap",
                              "--record", "4", "--db", base, "--json").out)
    data = turf.database(base)
    runs = data.runs()
    assert [run["game"] for run in runs] == ["squirrel-war", "war-of-life"]
    assert runs[0]["players"] == ["random", "land-grab"] and runs[1]["plan"]["swap"] is True
    result = data.results(2)[0]
    assert result["wins"] == tuple(said["wins"]) and result["draws"] == said["draws"]
    assert sum(row["games"] for row in data.results(1)) == 80
    games = list(data.games(2))
    assert len(games) == 4 and games[1]["players"] == ("land-grab", "random")
    for game in games:
        position = turf.position(game["game"], game["start"])
        for move in game["moves"]:
            position.play(json.dumps(move))
        assert position.is_over and len(game["moves"]) == game["length"]
    fails(turf.TurfError, "there is no database", turf.database, path("missing.db"))
    with open(path("text.db"), "w", encoding="utf-8") as file:
        file.write("no database at all" * 100)
    fails(turf.TurfError, "cannot be read", turf.database, path("text.db"))


def test_dataset_has_the_games_of_turf_match():
    for name in TURNS:
        data = turf.write_dataset(name, path("set-" + name), 150, seed=7, places=40)
        said = json.loads(command("match", name, "random", "random", "-n", "150", "--seed", "7",
                                  "--json", "--db", "none").out)
        assert [int((data.results == k).sum()) for k in (1, -1)] == said["wins"], name
        lengths = np.bincount(data.games, minlength=150)
        assert (lengths.max(), lengths.min()) == (said["longest"], said["shortest"]), name
        planes, masks, results = data.unpack(slice(None))
        assert masks[np.arange(len(data)), data.actions].all()
        first = turf.batch(name, 40, seed=7)
        n_planes = planes.shape[1]
        assert (planes[:40] == first.observations[:, :n_planes]).all()
        assert (masks[:40] == first.masks).all() and set(results) <= {-1, 0, 1}
    fails(turf.TurfError, "no data set", turf.read_dataset, FOLDER.name)
    fails(turf.TurfError, "games with turns", turf.write_dataset, "bg", path("set-bg"), 1)


def python(*words):
    env = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "python"), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env,
                          check=False)


def test_dataset_command_writes_and_reads():
    done = python("-m", "turf", "dataset", "squirrel-war", path("command"), "100")
    assert re.match(r"100 games, 2500 positions, \d+ legal", done.stdout), done.stderr[-500:]
    done = python("-m", "turf", "dataset", "chess", path("command"), "100")
    assert done.returncode == 1 and "there is no game 'chess'" in done.stderr
    assert "type: python3 -m turf" in python("-m", "turf").stderr


def test_training_example_runs():
    done = python(os.path.join(ROOT, "examples", "learning", "war_of_life.py"), "3", "4")
    score = r"score [01]\.\d+ ± \d.\d+ of 4 games against land-grab"
    assert re.search(score, done.stdout), done.stderr


harness.main()
