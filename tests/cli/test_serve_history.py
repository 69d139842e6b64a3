"""turf serve: the history and tournaments, as docs/api.md has them."""
import json
import os
import sqlite3
import time

import harness
from harness import TURF
from web import Stream, play_out, serving

GAMES = harness.games()
SHORT = {"ai-battleground": {"config": {"maxGameIterations": 12}}, "amoeba-wars": {"start": "5x5"}}


def test_a_rematch_does_not_change_when_the_game_ended():
    def ended_ms():
        with sqlite3.connect(os.path.join(server.folder, "games.db")) as db:
            return db.execute("SELECT updated FROM sittings WHERE is_over").fetchone()[0]

    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}"
        server.post(path + "/resign", {}, tokens[0])
        before, ended = ended_ms(), server.get("/api/history")["games"][0]["finished_at"]
        time.sleep(0.005)  # so that another moment is another
        server.ask("PUT", path + "/seat", {"name": "Anna"}, tokens[0], status=200)
        server.post(path + "/rematch", {}, tokens[0])
        assert ended_ms() == before
        server.end()
        server.start()
        server.ask("PUT", path + "/seat", {"name": "Robert"}, tokens[1], status=200)
        listed = server.get("/api/history")["games"][0]
        assert ended_ms() == before and listed["players"] == ["Anna", "Robert"], listed
        assert listed["finished_at"] == ended, listed
        assert server.get("/api/history/s-" + live["id"])["finished_at"] == ended
        assert server.get(path)["updated_at"] == ended


def test_damaged_games_are_left_out_of_the_history():
    with serving() as server:
        path = os.path.join(server.folder, "games.db")
        harness.turf("match", "sw", "random", "greedy", "-n", "6", "--record", "6", "--db", path,
                     "-q")
        with sqlite3.connect(path) as db:
            ids = [row[0] for row in db.execute("SELECT id FROM games ORDER BY id DESC")]
            for bad in ids[1:4]:
                db.execute("UPDATE games SET moves = '[' WHERE id = ?", (bad,))
        readable = [f"r-{n}" for n in ids if n not in ids[1:4]]
        for limit in (1, 2, 50):
            seen, before = [], ""
            while before is not None:
                page = server.get(f"/api/history?limit={limit}"
                                  + (f"&before={before}" if before else ""))
                seen, before = seen + [game["id"] for game in page["games"]], page["next"]
            assert seen == readable, (limit, seen, readable)


def test_runs_and_live_games_of_an_unknown_game_hide_no_others():
    with serving() as server:
        path = os.path.join(server.folder, "games.db")
        for game in ("sw", "wol"):
            harness.turf("match", game, "random", "greedy", "-n", "2", "--record", "2", "--db",
                         path, "-q")
        ids = {}
        for game in ("sw", "wol"):
            for is_over in (True, False):
                live, tokens = server.sit(game, "@Ann", "@Bob")
                ids[game, is_over] = live["id"]
                if is_over:
                    server.post(f"/api/live-games/{live['id']}/resign", {}, tokens[0])
        assert server.end() == 0
        with sqlite3.connect(path) as db:  # as a later turf would leave it
            db.execute("UPDATE runs SET game = 'go', plan = replace(plan, 'squirrel-war', 'go') "
                       "WHERE game = 'squirrel-war'")
            db.execute("UPDATE sittings SET game = 'go' WHERE game = 'squirrel-war'")
        server.start()
        history = server.get("/api/history")["games"]
        assert {game["game"] for game in history} == {"war-of-life"} and len(history) == 3, history
        assert [run["id"] for run in server.get("/api/tournaments")["tournaments"]] == ["2"]
        assert [live["id"]
                for live in server.get("/api/live-games")["live_games"]] == [ids["wol", False]]
        assert server.get(f"/api/live-games/{ids['wol', False]}")["game"] == "war-of-life"
        assert server.get("/api/tournaments/2")["game"] == "war-of-life"
        for gone in ("/api/tournaments/1", "/api/history/r-1",
                     f"/api/live-games/{ids['sw', False]}"):
            server.refused("GET", gone, 500, "store")
        runs = json.loads(harness.turf("runs", "--db", path, "--json").out)
        assert [run["game"] for run in runs] == ["go", "war-of-life"], runs


def test_a_finished_shard_counts_all_its_games():
    with serving() as server:
        path = os.path.join(server.folder, "games.db")
        harness.turf("tournament", "sw", "random", "greedy", "-n", "8", "--shard", "1/4", "--db",
                     path, "-q")
        (run,) = server.get("/api/tournaments")["tournaments"]
        assert run["state"] == "done" and run["n_played"] == run["n_total"] == 8, run


def test_a_finished_game_is_in_the_history_and_can_be_replayed():
    with serving() as server:
        for game in GAMES:
            live, tokens = server.sit(game, "@Ann", "@Bob", **SHORT.get(game, {}))
            last = play_out(server, live, tokens)
            listed = server.get(f"/api/history?game={game}")["games"]
            assert [g["id"] for g in listed] == ["s-" + live["id"]]
            assert listed[0]["players"] == ["Ann", "Bob"]
            record = server.get("/api/history/s-" + live["id"])
            assert len(record["moves"]) == last["n_moves"] == listed[0]["n_moves"]
            assert len(record["scores_by_ply"]) == last["n_moves"] + 1
            assert record["scores_by_ply"][-1] == last["scores"]
            frames = []
            while len(frames) <= last["n_moves"]:
                part = server.get(f"/api/history/s-{live['id']}/frames?from={len(frames)}&n=7")
                assert part["n_frames"] == last["n_moves"] + 1
                assert part["frames"][0]["ply"] == len(frames)
                frames += part["frames"]
            assert frames[0]["move"] is None and frames[0]["position"] == record["start"]
            assert frames[-1]["position"] == last["position"] and frames[-1]["over"] == last["over"]
            for before, after in zip(frames, frames[1:]):
                step = server.post("/api/step",
                                   {"game": game, "position": before["position"],
                                    "move": after["move"]["move"]})
                assert step["position"] == after["position"]
                assert step["move"]["effect"] == after["move"]["effect"]
        pages, before = [], ""
        while before is not None:
            page = server.get("/api/history?limit=1" + (f"&before={before}" if before else ""))
            pages, before = pages + [g["game"] for g in page["games"]], page["next"]
        assert pages == GAMES[::-1]
        assert len(server.get("/api/history?player=Ann")["games"]) == len(GAMES)
        assert server.get("/api/history?player=Zoe")["games"] == []


def test_a_tournament_is_played_stopped_resumed_shown_and_exported():
    with serving() as server:
        body = {"game": "wol", "games": 400, "seed": 1,
                "players": [{"player": "random"}, {"player": "minimax"},
                            {"player": "minimax", "options": {"depth": 3}, "name": "deep"}]}
        made = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]
        path = f"/api/tournaments/{made['id']}"
        assert made["players"] == ["random", "minimax", "deep"] and made["n_total"] == 3600
        stream = Stream(server, path + "/events")
        stream.wait(lambda seen: seen and seen[-1].data["n_played"] > 0)
        stopped = server.post_as_owner(path + "/stop", {})["tournament"]
        assert stopped["state"] == "stopped" and 0 < stopped["n_played"] < 3600
        recent = stopped["recent"][0]
        assert len(recent["board"]) == 8
        assert server.get("/api/history/" + recent["id"])["tournament"] == made["id"]
        games = server.get(f"/api/history?tournament={made['id']}&limit=2")["games"]
        assert games[0]["id"] == recent["id"]
        server.refused("POST", "/api/tournaments/99/resume", 404, "not-found", {},
                       token=server.owner)

        small = dict(body, games=20, players=body["players"][:2])
        second = server.post_as_owner("/api/tournaments", small, status=201)["tournament"]
        other = f"/api/tournaments/{second['id']}"
        done = Stream(server, other + "/events").wait(lambda seen: seen
                                                      and seen[-1].data["state"] == "done")[-1].data
        assert done["n_played"] == done["n_total"] == 80
        command = [TURF, "tournament", "wol", "random", "minimax", "-n", "20", "--seed", "1",
                   "--json", "--no-times", "--db", "none"]
        expected = json.loads(harness.turf(*command[1:]).out)
        rows = expected["pairings"] if isinstance(expected, dict) else expected
        assert [row["wins"] for row in done["table"]] == [row["wins"] for row in rows]
        server.refused("POST", other + "/resume", 409, "busy", {}, token=server.owner)
        resumed = server.post_as_owner(path + "/resume", {})["tournament"]
        assert resumed["state"] == "running" and resumed["n_played"] >= stopped["n_played"]
        server.post_as_owner(path + "/stop", {})
        listed = server.get("/api/tournaments")["tournaments"]
        assert [(t["id"], t["state"]) for t in listed] == [(other.split("/")[-1], "done"),
                                                           (made["id"], "stopped")]
        csv = server.ask("GET", other + "/export?format=csv", status=200)
        assert csv.json.startswith(b"first,second,games")
        assert csv.headers["Content-Disposition"].startswith("attachment")
        assert len(csv.json.splitlines()) == 5
        assert server.get(other + "/export?format=json")["standings"] == done["standings"]
        assert server.ask("GET", other + "/export?format=markdown",
                          status=200).json.startswith(b"# War of Life")
        assert b"<svg" in server.ask("GET", other + "/export?format=html", status=200).json
        server.refused("GET", other + "/export?format=exe", 400, "bad-request")


if __name__ == "__main__":
    harness.main()
