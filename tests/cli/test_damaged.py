"""Databases that lie (lies.py): turf says what is wrong in one line, and overwrites nothing.
TURF_MUTATIONS says how many random lies are tried; tests/hostile/databases.py tries many more."""
import os
import random
import shutil
import tempfile

import harness
import lies
from harness import refused, turf
from web import Server

N_MUTATIONS = int(os.environ.get("TURF_MUTATIONS", "12"))

# What turned out badly before: a heap overflow, a division by zero, a wild write, no end.
KNOWN = [("pairings", "round", 4294967296), ("pairings", "n_games", 0), ("pairings", "n_games", -1),
         ("runs", "n_shards", 0), ("games", "forfeiter", "draw"), ("chunks", "drawn", -300000)]
# Each cannot be, or contradicts another row.
OTHERS = [("chunks", "n_games", -1), ("chunks", "first_game", 2**62), ("games", "pairing", 77),
          ("pairings", "first", 5), ("games", "ending", "x"), ("chunks", "n_counted", 10**15),
          ("chunks", "longest", 2**32 - 1), ("chunks", "length_sum", 1), ("games", "length", -1),
          ("chunks", "seconds", float("inf")), ("games", "reason", "boredom"),
          ("games", "is_swapped", 1), ("games", "start", b"\xc3\x28"), ("runs", "created", 2**62),
          ("runs", "plan", "[]"), ("runs", "plan_hash", "0"), ("runs", "game", "war-of-life"),
          ("runs", "is_finished", 7), ("entrants", "name", "y"), ("entrants", "spec", "bot:true"),
          ("entrants", "entrant", "entrant+3"), ("pairings", "swaps_sides", 2),
          ("pairings", "pairing", "pairing+1"), ("games", "is_sample", -1)]
LIVE = [("sittings", "winner", 7), ("sittings", "n_moves", -1),
        ("sittings", "updated", -1), ("sittings", "first", b"\xff"),
        ("sittings", "outcome", "won"), ("sittings", "first_score", "x")]
# In JSON: the game is refused, and the others go on.
LIVE_JSON = [("live", '"left_ms":[', '"left_ms":[9223372036854775807,'), ("live", "{", "["),
             ("setup", '"initial_ms":300000', '"initial_ms":-5'), ("setup", '"seats"', '"seat"'),
             ("setup", '"delay_ms":0', '"delay_ms":99999999'),
             ("setup", '"token_hash":"', '"token_hash":"00')]


def change(path, table, column, value, where="1"):
    """Puts a value, or an expression of the column, into all rows."""
    with lies.changing(path) as db:
        if isinstance(value, str) and value.startswith(column):
            db.execute(f"UPDATE {table} SET {column}=-({value})-1")  # apart from all others first
            db.execute(f"UPDATE {table} SET {column}=-{column}-1")
        else:
            db.execute(f"UPDATE OR IGNORE {table} SET {column}=? WHERE {where}", (value,))


def test_known_lies_are_called_damage():
    with tempfile.TemporaryDirectory() as folder:
        original = lies.make_database(folder)
        for table, column, value in KNOWN + OTHERS:
            path = lies.copy(original, f"{folder}/lie.db")
            change(path, table, column, value)
            n_refused = 0
            for run in "126":
                for words in (["report", run, "-o", f"{folder}/page.html"], ["export", run],
                              ["resume", run]):
                    n_refused += lies.run_turf((table, column, value), *words, "--db", path, "-q")
            assert n_refused, (table, column, value)


def test_command_that_refuses_a_database_says_it_is_damaged():
    with tempfile.TemporaryDirectory() as folder:
        path = lies.make_database(folder)
        change(path, "pairings", "round", 4294967296)
        with open(path, "rb") as file:
            before = file.read()
        for words in (["resume", "1"], ["report", "1"], ["export", "1"], ["replay", "1"],
                      ["merge", path, "-o", f"{folder}/merged.db"]):
            more = [] if words[0] == "merge" else ["--db", path]
            refused(*words, *more, saying=["is damaged: ", "pairings.round"])
        with open(path, "rb") as file:
            assert file.read() == before


def test_random_lies_harm_nothing():
    chance = random.Random(int(os.environ.get("TURF_MUTATION_SEED", "1")))
    with tempfile.TemporaryDirectory() as folder:
        original = lies.make_database(folder)
        originals = [original, lies.loosen(original)]
        os.mkdir(f"{folder}/lie")
        for _ in range(N_MUTATIONS):
            path = lies.copy(chance.choice(originals), f"{folder}/lie/games.db")
            lie = lies.Lie(chance, path)
            lies.read_everything(path, lie.words, [chance.randint(1, 6)], [chance.randint(1, 20)],
                                 [])


def test_server_does_not_begin_with_rows_of_live_games_that_cannot_be():
    with tempfile.TemporaryDirectory() as folder:
        original = lies.make_database(folder)
        for table, column, value in LIVE:
            path = lies.copy(original, f"{folder}/lie.db")
            change(path, table, column, value, where="NOT is_over")
            refused("serve", "--port", "0", "--db", path,
                    saying=["is damaged: ", f"{table}.{column}"])


def live_games(path):
    with lies.changing(path) as db:
        return [row[0].decode() for row in db.execute("SELECT id FROM sittings WHERE NOT is_over")]


def test_damaged_live_game_is_answered_with_500_and_the_others_go_on():
    with tempfile.TemporaryDirectory() as folder:
        original = lies.make_database(folder)
        shutil.move(original, folder + "/original")
        for column, old, new in LIVE_JSON:
            path = lies.copy(folder + "/original", f"{folder}/games.db")
            with lies.changing(path) as db:
                changed = db.execute(f"UPDATE sittings SET {column}=replace({column}, ?, ?) WHERE "
                                     f"game='war-of-life' AND instr({column}, ?)", (old, new, old))
                assert changed.rowcount == 1, (column, old)
                bad, = db.execute("SELECT id FROM sittings WHERE game='war-of-life'").fetchone()
            server = Server(folder)
            try:
                answer = server.ask("GET", f"/api/live-games/{bad.decode()}")
                assert answer.status == 500 and "is damaged: " in answer.json["message"], (
                    column, new, answer.json)
                for other in live_games(path):
                    if other != bad.decode():
                        server.get(f"/api/live-games/{other}")
            finally:
                assert server.end() == 0


def test_moves_that_do_not_fit_the_row_of_a_live_game_are_damage():
    with tempfile.TemporaryDirectory() as folder:
        original = lies.make_database(folder)
        shutil.move(original, folder + "/original")
        for sql in ("DELETE FROM sitting_moves", "UPDATE sitting_moves SET ply=ply+10",
                    "UPDATE sitting_moves SET move='[9,9,9,9]'", "UPDATE sittings SET n_moves=5",
                    "UPDATE sitting_moves SET ms=-1", "UPDATE sitting_moves SET side=9"):
            path = lies.copy(folder + "/original", f"{folder}/games.db")
            with lies.changing(path) as db:
                db.execute(sql)
                moved, = db.execute("SELECT id FROM sittings WHERE game='war-of-life'").fetchone()
            server = Server(folder)
            try:
                answer = server.ask("GET", f"/api/live-games/{moved.decode()}")
                assert answer.status == 500 and "is damaged: " in answer.json["message"], (
                    sql, answer.json)
            finally:
                assert server.end() == 0


def test_tournament_of_a_damaged_run_is_answered_with_500():
    with tempfile.TemporaryDirectory() as folder:
        change(lies.make_database(folder), "chunks", "drawn", 300000)
        server = Server(folder)
        try:
            for path in ("/api/tournaments/1", "/api/tournaments/1/export?format=html"):
                answer = server.ask("GET", path)
                assert answer.status == 500, answer.json
                assert "is damaged: " in answer.json["message"], answer.json
        finally:
            assert server.end() == 0


def test_rounds_of_a_swiss_tournament_have_all_their_pairings():
    """Two rounds under one number left room for none, and a third was decided: a heap overflow."""
    with tempfile.TemporaryDirectory() as folder:
        path = lies.make_database(folder)
        change(path, "pairings", "round", 1, where="run=3")
        refused("resume", "3", "--db", path, saying=["is damaged: ", "pairings"])


def test_games_are_not_counted_twice():
    with tempfile.TemporaryDirectory() as folder:
        path = lies.make_database(folder)
        with lies.changing(path) as db:
            db.execute("UPDATE games SET is_sample=0 WHERE run=1")  # they are in batches as well
        refused("report", "1", "--db", path, saying=["is damaged: ", "games.is_sample"])
        turf("report", "2", "--db", path, "-q", "-o", f"{folder}/page.html")


harness.main()
