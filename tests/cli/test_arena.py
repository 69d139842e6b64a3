"""The arena: schedules, files of entrants and starts, the database, and what is printed."""
import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile

import harness
from harness import Skip, TURF, one_line, refused, turf

BOT = f"bot:{shlex.quote(TURF)} bot sw land-grab"
QUIET = ["--sandbox", "off", "--no-times"]


def tournament(*args, n="20"):
    return json.loads(turf("tournament", *args, "-n", n, "--json", "--no-times", "-q").out)


def rows(path, query):
    with sqlite3.connect(path) as db:
        return db.execute(query).fetchall()


# ---- schedules -----------------------------------------------------------------------------------


def test_gauntlet_has_the_first_row_and_column_of_the_round_robin():
    players = ["land-grab", "random", "bloodlust:ties=random"]
    everything = tournament("wol", *players)["pairings"]
    gauntlet = tournament("wol", *players, "--schedule", "gauntlet")["pairings"]
    assert [row["players"] for row in gauntlet] == [
        ["land-grab", "random"],
        ["random", "land-grab"],
        ["land-grab", "bloodlust:ties=random"],
        ["bloodlust:ties=random", "land-grab"],
    ]
    for row in gauntlet:
        assert row in everything


def test_swiss_rounds_pair_everybody_once_with_any_number_of_jobs():
    names = [f"p{i}={'random' if i % 3 else 'land-grab'}" for i in range(9)]
    outs = {
        turf(
            "tournament",
            "wol",
            *names,
            "--schedule",
            "swiss",
            "-n",
            "4",
            "--no-times",
            "--json",
            "--jobs",
            jobs,
        ).out
        for jobs in "125"
    }
    assert len(outs) == 1
    pairings = json.loads(outs.pop())["pairings"]
    assert len(pairings) == 5 * 4 and {row["round"] for row in pairings} == {1, 2, 3, 4, 5}
    for number in range(1, 6):
        players = [name for row in pairings if row["round"] == number for name in row["players"]]
        assert len(players) == len(set(players)) == 8
    assert len({frozenset(row["players"]) for row in pairings}) == 20, "nobody meets anybody twice"
    assert (
        "A Swiss event of 3 rounds"
        in turf("tournament", "wol", *names, "--schedule", "swiss", "--rounds", "3").out
    )


def swiss_points(pairings, names, n_games):
    """Points, Buchholz and byes of every player, from the pairings alone."""
    points, byes, opponents = dict.fromkeys(names, 0), dict.fromkeys(names, 0), {}
    for number in {row["round"] for row in pairings}:
        rows = [row for row in pairings if row["round"] == number]
        for row in rows:
            for i in (0, 1):
                draws = row["games"] - sum(row["wins"])
                points[row["players"][i]] += row["wins"][i] + draws / 2
                opponents.setdefault(row["players"][i], []).append(row["players"][1 - i])
        for name in set(names) - {name for row in rows for name in row["players"]}:
            points[name] += n_games
            byes[name] += 1
    buchholz = {name: sum(points[other] for other in opponents.get(name, []))
                + byes[name] * points[name] for name in names}
    return points, buchholz, byes


def test_swiss_standings_are_by_points_then_buchholz_with_the_rating_beside():
    for n_players, n_rounds in [(9, 5), (6, 3), (3, 1)]:
        check_swiss_standings(n_players, n_rounds)


def check_swiss_standings(n_players, n_rounds):
    names = [f"p{i}" for i in range(n_players)]
    players = [f"{name}={'random' if i % 3 else 'land-grab'}" for i, name in enumerate(names)]
    args = ["tournament", "wol", *players, "--schedule", "swiss", "--rounds", str(n_rounds),
            "-n", "4"]
    result = json.loads(turf(*args, "--json").out)
    points, buchholz, byes = swiss_points(result["pairings"], names, 4)
    standings = result["standings"]
    assert sorted(row["player"] for row in standings) == names
    for row in standings:
        name = row["player"]
        assert (row["points"], row["buchholz"], row["byes"]) == (
            points[name], buchholz[name], byes[name])
    order = [(row["points"], row["buchholz"]) for row in standings]
    assert order == sorted(order, reverse=True)
    text = turf(*args, "--no-times").out.split("Score in percent")[0]
    rows = re.findall(r"^ +(\d+)  (p\d) +([\d.]+) +([\d.]+) ", text, re.MULTILINE)
    assert [(int(place), name, float(score), float(tie)) for place, name, score, tie in rows] == [
        (i + 1, row["player"], row["points"], row["buchholz"]) for i, row in enumerate(standings)]
    assert "Standings by points" in text and "Buchholz: the points of all opponents" in text


def test_interrupted_swiss_tournament_resumes_with_the_same_rounds():
    names = [f"p{i}=random" for i in range(6)]
    args = ["tournament", "wol", *names, "--schedule", "swiss", "-n", "4", "--no-times"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        expected = turf(*args, "--db", path).out
        with sqlite3.connect(path) as db:  # as if it had ended in the third round
            (last,) = db.execute("SELECT max(pairing) FROM pairings WHERE round=3").fetchone()
            db.execute("DELETE FROM chunks WHERE pairing>=?", (last,))
            db.execute("DELETE FROM pairings WHERE round>3")
            db.execute("UPDATE runs SET is_finished=0")
        assert turf("resume", "--db", path, "--no-times").out == expected


def test_impossible_schedules_are_rejected():
    refused("tournament", "wol", "--schedule", "knockout", saying=["knockout", "swiss"])
    refused("tournament", "wol", "--schedule", "match", saying="round-robin")
    refused("tournament", "wol", "random", "--schedule", "gauntlet", saying="2 players")
    refused("tournament", "wol", "random", "--schedule", "swiss", saying="2 players")
    refused("tournament", "wol", "--schedule", "swiss", "-n", "3", saying="-n 4")
    refused(
        "tournament", "wol", "--schedule", "swiss", "--rounds", "9", saying="at most 5 rounds"
    )
    refused("tournament", "wol", "--rounds", "3", saying="--schedule swiss")


# ---- files ---------------------------------------------------------------------------------------


def written(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_entrants_file_equals_entrants_on_the_command_line():
    with tempfile.TemporaryDirectory() as folder:
        path = written(
            folder,
            "entrants",
            f"# the class of 1996\n\n  deep = minimax:depth=1\nrandom\r\nmine={BOT}\n",
        )
        given = tournament("sw", "--entrants", path, n="2")
        assert given == tournament("sw", "deep=minimax:depth=1", "random", f"mine={BOT}", n="2")
        assert [row["player"] for row in given["standings"]].count("mine") == 1
        mixed = tournament("sw", "greedy", "--entrants", path, n="2")
        assert (
            mixed["pairings"][0]["players"] == ["land-grab", "land-grab"]
            and len(mixed["pairings"]) == 16
        )
        bad = written(folder, "bad", "random\nfoo=nosuch\n")
        refused("tournament", "wol", "--entrants", bad, saying=["line 2", "nosuch"])
        refused(
            "tournament",
            "wol",
            "--entrants",
            written(folder, "two", "a=random\na=random\n"),
            saying=["line 2", "two players"],
        )
        refused(
            "tournament",
            "wol",
            "--entrants",
            os.path.join(folder, "nosuch"),
            saying="cannot read",
        )
        refused("tournament", "wol", "--entrants", folder, saying="cannot read")
        refused(
            "tournament",
            "wol",
            "--entrants",
            written(folder, "none", "# nobody\n"),
            saying="no players",
        )


def test_starts_of_a_file_are_used_in_turn():
    with tempfile.TemporaryDirectory() as folder:
        path = written(folder, "starts", "# two boards\ncross\n\ngliders\n")
        pair = ["bloodlust", "land-grab"]
        singles = [
            json.loads(turf("match", "wol", *pair, "-n", "1", "--start", start, "--json", "-q").out)
            for start in ("cross", "gliders")
        ]
        both = json.loads(
            turf("match", "wol", *pair, "-n", "4", "--starts", path, "--json", "-q").out
        )
        assert both["games"] == 4
        assert both["outcomes"] == {
            key: 2 * (singles[0]["outcomes"][key] + singles[1]["outcomes"][key])
            for key in both["outcomes"]
        }
        assert (
            both["average_length"]
            == (singles[0]["average_length"] + singles[1]["average_length"]) / 2
        )
        assert turf("match", "wol", *pair, "-n", "2", "--starts", path).err == ""
        assert (
            "deterministic from this start"
            in turf("match", "wol", *pair, "-n", "3", "--starts", path).err
        )
        assert (
            "deterministic from this start"
            in turf(
                "match",
                "wol",
                "bloodlust",
                "alphabeta:depth=2,threads=2",
                "-n",
                "3",
                "--start",
                "cross",
            ).err
        )
        for luck in ("random", "mcts:sims=10", "alphabeta:time=1"):
            assert (
                turf("match", "wol", "bloodlust", luck, "-n", "3", "--start", "cross").err.count(
                    "deterministic from this start"
                )
                == 0
            ), luck
        refused(
            "match",
            "wol",
            *pair,
            "--starts",
            written(folder, "bad", "cross\nnowhere\n"),
            saying=["line 2", "nowhere"],
        )
        refused(
            "match",
            "wol",
            *pair,
            "--starts",
            written(folder, "empty", "# nothing\n"),
            saying="no starts",
        )
        refused("match", "wol", *pair, "--starts", path, "--start", "cross", saying="not both")


def test_byte_order_mark_is_ignored():
    with tempfile.TemporaryDirectory() as folder:
        entrants, starts = written(folder, "entrants", "\ufeffrandom\nmine=bloodlust\n"), written(
            folder, "starts", "\ufeffcross\n"
        )
        assert tournament("wol", "--entrants", entrants, "--starts", starts, n="1") == tournament(
            "wol", "random", "mine=bloodlust", "--start", "cross", n="1"
        )
        database = os.path.join(folder, "games.db")
        turf("match", "wol", "random", "random", "-n", "1", "--record", "1", "--db", database)
        record = turf("export", "--db", database).out
        assert (
            turf("replay", "-", given="\ufeff" + record).out
            == turf("replay", "-", given=record).out
        )
        board = written(folder, "board.json", "\ufeff" + json.dumps(json.loads(record)["start"]))
        turf("match", "wol", "random", "random", "-n", "1", "--start", board)
        assert turf(
            "step", "wol", given='\ufeff{"board":' + json.dumps(["........"] * 8) + "}\n"
        ).out


# ---- where games are kept ------------------------------------------------------------------------


def test_games_are_stored_in_turf_db_unless_another_file_is_named():
    match = ["match", "sw", "greedy", f"mine={BOT}", "-n", "3", "-q", *QUIET]
    env = {key: value for key, value in os.environ.items() if key != "TURF_DB"}
    with tempfile.TemporaryDirectory() as folder:
        turf(*match, cwd=folder, env=env)
        assert os.listdir(folder) == ["turf.db"]
        turf(*match, cwd=folder, env=env | {"TURF_DB": os.path.join(folder, "env.db")})
        turf(
            *match,
            "--db",
            "typed.db",
            cwd=folder,
            env=env | {"TURF_DB": os.path.join(folder, "env.db")},
        )
        turf(*match, "--db", "none", cwd=folder, env=env)
        turf(*match, cwd=folder, env=env | {"TURF_DB": "none"})
        assert sorted(os.listdir(folder)) == ["env.db", "turf.db", "typed.db"]
        for name in os.listdir(folder):
            assert rows(os.path.join(folder, name), "SELECT count(*) FROM games") == [(3,)]
        turf(*TOURNAMENT_SHARD, cwd=folder, env=env)
        assert os.path.exists(os.path.join(folder, "turf-2-of-3.db"))


TOURNAMENT_SHARD = ["tournament", "wol", "random", "bloodlust", "-n", "20", "--shard", "2/3", "-q"]


def test_unwritable_database_is_an_error_only_if_it_was_named():
    match = ["match", "wol", "random", "random", "-n", "10"]
    refused(*match, "--db", "/nosuch/folder/x.db", saying="/nosuch/folder/x.db")
    refused(*match, "--db", "", saying="--db")
    refused(*match, "--db", __file__, saying="not a turf database")
    env = {key: value for key, value in os.environ.items() if key != "TURF_DB"}
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "turf.db"))  # where no file can be
        done = turf(*match, cwd=folder, env=env)
        assert "not stored" in one_line(done.err) and "Games played" in done.out
        assert turf(*match, "-q", cwd=folder, env=env).err == ""


def test_bot_games_are_recorded_with_moves_times_and_forfeits():
    code = (
        "import sys,json\nfor i,line in enumerate(sys.stdin):\n q=json.loads(line)\n"
        " print(json.dumps({'move': q['moves'][0] if i<2 else 'Z9'}), flush=True)"
    )
    bad = f"bad=bot:{shlex.join([sys.executable, '-c', code])}"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        turf("match", "sw", "greedy", bad, "-n", "2", "--swap", "-q", *QUIET, "--db", path)
        found = rows(
            path,
            "SELECT is_swapped, ending, length, forfeiter, reason, start, moves, times FROM games "
            "ORDER BY game",
        )
        assert [row[:5] for row in found] == [
            (0, "first", 5, "second", "garbage"),
            (1, "second", 4, "first", "garbage"),
        ]
        for _, _, length, _, _, start, moves, times in found:
            position = json.loads(start)
            for move in json.loads(moves):
                position = json.loads(
                    turf("step", "sw", given=json.dumps(position | {"move": move}) + "\n").out
                )
            assert len(json.loads(moves)) == len(json.loads(times)) == length


def test_recording_built_in_games_does_not_change_the_results():
    start = json.dumps(
        {
            "config": {"maxGameIterations": 20},
            "board": ["11....", "1.....", "......", "......", ".....2", "....22"],
        }
    )
    args = ["match", "bg", "settler", "random", "-n", "30", "--start", start, "--no-times"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        assert turf(*args, "--record", "5", "--db", path).out == turf(*args, "--db", "none").out
        assert rows(path, "SELECT game, is_sample FROM games ORDER BY game") == [
            (i, 1) for i in range(5)
        ]
        assert rows(path, "SELECT sum(n_counted) FROM chunks") == [(30,)]
        ((start, moves),) = rows(path, "SELECT start, moves FROM games WHERE game=0")
        position = json.loads(start)
        for move in json.loads(moves):
            position = json.loads(
                turf("step", "bg", given=json.dumps(position | {"move": move}) + "\n").out
            )
        assert position["over"]


def test_resume_explains_its_errors():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        refused("resume", "--db", path, saying="no database")
        out = turf("match", "wol", "random", "random", "-n", "10", "--no-times", "--db", path).out
        refused("resume", "--db", path, saying=["finished", "turf resume 1"])
        refused("resume", "7", "--db", path, saying="no run 7")
        for number in ("first", "9" * 22, "-1"):
            refused("resume", "--db", path, "--", number, saying=f"'{number}'")
        refused("resume", "--db", "none", saying="none")
        assert turf("resume", "1", "--db", path, "--no-times").out == out


def test_finished_run_is_shown_again_from_a_read_only_file():
    nobody = harness.as_nobody()  # root may write everything
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        out = turf("match", "wol", "random", "random", "-n", "10", "--no-times", "--db", path).out
        os.chmod(path, 0o444)
        os.chmod(folder, 0o555)
        try:
            assert turf("resume", "1", "--db", path, "--no-times", **nobody).out == out
        except PermissionError as why:
            raise Skip(f"turf is where nobody else may run it: {why}") from why
        finally:
            os.chmod(folder, 0o755)


# ---- what is told --------------------------------------------------------------------------------


def test_bot_games_are_printed_line_by_line_in_a_pipe():
    done = turf("match", "sw", "greedy", f"mine={BOT}", "-n", "3", *QUIET)
    lines = [line for line in done.err.splitlines() if ", game " in line]
    assert len(lines) == 3 and all(
        line.startswith("land-grab against mine, game ") for line in lines
    )
    assert all("after 25 moves" in line or "wins after" in line or "draw" in line for line in lines)
    assert (
        ", game " not in turf("match", "sw", "greedy", f"mine={BOT}", "-n", "3", "-q", *QUIET).err
    )


def test_json_lines_print_every_game_and_the_result_last():
    lines = [
        json.loads(line)
        for line in turf(
            "match", "sw", "greedy", f"mine={BOT}", "-n", "3", "--json-lines", "-q", *QUIET
        ).out.splitlines()
    ]
    assert [line["type"] for line in lines] == ["game"] * 3 + ["result"]
    assert sorted(line["game"] for line in lines[:3]) == [0, 1, 2]
    assert sum(line["winner"] == "mine" for line in lines[:3]) == lines[3]["wins"][1]
    lines = [
        json.loads(line)
        for line in turf(
            "tournament", "wol", "random", "bloodlust", "-n", "300", "--json-lines"
        ).out.splitlines()
    ]
    assert lines[-1]["type"] == "result" and {line["type"] for line in lines[:-1]} == {"games"}
    for number, row in enumerate(lines[-1]["pairings"]):
        parts = [line for line in lines[:-1] if line["pairing"] == number]
        assert sum(part["games"] for part in parts) == 300
        assert [sum(part["wins"][i] for part in parts) for i in (0, 1)] == row["wins"]


def test_arena_delay_is_reported_for_bots():
    done = turf("match", "sw", "greedy", f"mine={BOT}", "-n", "2", "--sandbox", "off", "--json")
    assert "the arena's own delay was" in done.err
    delay = json.loads(done.out)["arena_delay_ms"]
    assert 0 < delay["average"] <= delay["worst"]
    assert (
        "delay" not in turf("match", "sw", "greedy", f"mine={BOT}", "-n", "2", "--json", *QUIET).out
    )


def test_more_jobs_than_processors_give_a_warning_with_bots():
    many = str(2 * (os.cpu_count() or 1) + 1)
    assert (
        "processors"
        in turf("match", "sw", "greedy", f"mine={BOT}", "-n", "2", "--jobs", many, *QUIET).err
    )
    assert turf("match", "sw", "greedy", "random", "-n", "2", "--jobs", many).err == ""


def test_fewer_jobs_play_when_file_descriptors_are_short():
    script = 'ulimit -n 80; exec "$0" "$@"'
    done = subprocess.run(
        [
            "sh",
            "-c",
            script,
            TURF,
            "match",
            "sw",
            "greedy",
            f"mine={BOT}",
            "-n",
            "20",
            "--jobs",
            "20",
            "--json",
            *QUIET,
        ],
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0 and b"ulimit" in done.stderr, done.stderr
    assert json.loads(done.stdout)["forfeits"] == [{}, {}]


harness.main()
