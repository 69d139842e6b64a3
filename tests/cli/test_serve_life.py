"""How a server of turf comes and goes: killed in mid-game and started again, asked to leave, left
by its bots."""
import contextlib
import json
import os
import resource
import signal
import socket
import sqlite3
import sys
import threading
import time

import harness
from web import LONG, Stream, choose, play_out, serving, wait_until

SILENT_BOT = "import sys\nfor line in sys.stdin: pass\n"
DYING_BOT = ("import sys\nsys.stdin.readline()\n"
             "sys.stderr.write('no more squirrels\\n')\nsys.exit(3)\n")
FIRST_MOVE_BOT = """import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def write_bot(server, name, text):
    path = os.path.join(server.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return f"bot:{sys.executable} {path}"


def restart_with(server, *options):
    assert server.end() == 0, server.errors
    server.options = options
    server.start()


def test_games_left_alone_are_not_listed_until_they_go_on():
    if os.environ.get("TURF_HOSTILE") == "wall":
        raise harness.Skip("how long a game was left alone is told by the time of day")
    with serving() as server:
        fresh, _ = server.sit("sw", "@Ann", "@Bob")
        old, tokens = server.sit("sw", "@Ann", "@Bob")
        listed = lambda: {live["id"] for live in server.get("/api/live-games")["live_games"]}
        assert listed() == {fresh["id"], old["id"]}
        assert server.end() == 0, server.errors
        with contextlib.closing(sqlite3.connect(os.path.join(server.folder, "games.db"))) as store:
            store.execute("UPDATE sittings SET updated = updated - 700000 WHERE id = ?",
                          (old["id"],))
            store.commit()
        server.start()
        assert listed() == {fresh["id"]}
        server.post(f"/api/live-games/{old['id']}/moves", {"move": "C3"}, tokens[0])
        assert listed() == {fresh["id"], old["id"]}


def test_a_killed_server_restores_every_game():
    with serving() as server:
        live_games = []
        for game, more in (("wol", {}), ("aw", {"start": "6x6"}), ("sw", {}),
                           ("bg", {"config": {"maxGameIterations": 9}})):
            live, tokens = server.sit(game, "@Ann", "@Bob", seed=3,
                                      clock={"initial_ms": 900000, "gain_ms": 0}, **more)
            path = f"/api/live-games/{live['id']}"
            for _ in range(3):
                view = server.get(path + "/moves")
                for side in [0, 1] if view["mover"] == "both" else [view["mover"]]:
                    server.ask("POST", path + "/moves", {"move": choose(view, side)}, tokens[side])
            live_games.append((server.get(path), tokens))
        ended, tokens = server.sit("sw", "@Ann", "@Bob")
        server.post(f"/api/live-games/{ended['id']}/resign", {}, tokens[0])
        stream = Stream(server, f"/api/live-games/{live_games[0][0]['id']}/events")
        seen = stream.wait(lambda events: events)[-1].id
        server.end(signal.SIGKILL)
        stream.wait_for_end()
        server.start()
        assert server.get("/api/server")["n_open_games"] == 4, [s["over"] for s, _ in live_games]
        for before, tokens in live_games:
            path = f"/api/live-games/{before['id']}"
            after = server.get(path)
            for key in ("start", "moves", "position", "mover", "scores", "moves_left", "over",
                        "n_moves", "seed", "created_at"):
                assert after[key] == before[key], (key, before[key], after[key])
            assert [s["name"] for s in after["seats"]] == ["Ann", "Bob"]
            assert after["clock"]["left_ms"][0] <= before["clock"]["left_ms"][0]
            play_out(server, after, tokens)
        snapshot = Stream(server, f"/api/live-games/{live_games[0][0]['id']}/events",
                          last=seen).wait(lambda events: events)[0]
        assert snapshot.type == "snapshot", "an id of the server before means nothing here"
        assert snapshot.data["over"], "an id of the server before means nothing here"
        assert server.get(f"/api/live-games/{ended['id']}")["over"]["reason"] == "resigned"
        assert len(server.get("/api/history")["games"]) == 5


def test_a_player_continues_after_a_restart():
    with serving() as server:
        live, tokens = server.sit("aw", "@Ann", "land-grab", start="6x6", delay_ms=10000)
        path = f"/api/live-games/{live['id']}"
        view = server.post(path + "/moves", {"move": "B2"}, tokens[0])
        assert view["mover"] == 1
        server.end(signal.SIGKILL)
        server.start()
        stream = Stream(server, path + "/events")
        assert stream.wait(lambda events: events)[0].data["n_moves"] == 1
        server.post(path + "/undo", {}, tokens[0])
        assert stream.wait(lambda events: len(events) == 2)[1].type == "undo"


def test_shutdown_says_bye_and_keeps_everything():
    for number in (signal.SIGTERM, signal.SIGINT):
        with serving() as server:
            live, tokens = server.sit("sw", "@Ann", "minimax", seed=1)
            path = f"/api/live-games/{live['id']}"
            streams = [Stream(server, path + "/events")
                       for _ in range(5)] + [Stream(server, "/api/live")]
            server.post(path + "/moves", {"move": "C3"}, tokens[0])
            wait_until(lambda: server.get(path)["n_moves"] == 2, "the player moves")
            idle = server.raw()
            assert server.end(number) == 0 and server.errors == "", server.errors
            idle.close()
            for stream in streams:
                assert stream.wait_for_end()[-1].type == "bye"
            server.start()
            assert [m["side"] for m in server.get(path)["moves"]] == [0, 1]


def test_shutdown_while_streams_are_being_opened():
    body = {"game": "sw", "games": 1, "seed": 4,
            "players": [{"player": "random"}, {"player": "land-grab"}]}
    for _ in range(3):
        with serving() as server:
            run = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]["id"]
            wait_until(lambda: server.get(f"/api/tournaments/{run}")["state"] == "done",
                       "it is played")
            lines = [server.raw() for _ in range(100)]
            for line in lines:
                request = f"GET /api/tournaments/{run}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                line.sendall(request.encode())
        for line in lines:
            line.close()


def test_an_interrupted_tournament_resumes_to_the_same_result():
    with serving() as server:
        body = {"game": "sw", "games": 60, "seed": 4,
                "players": [{"player": "random"}, {"player": "land-grab"}, {"player": "minimax"}]}
        whole = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]["id"]
        wait_until(lambda: server.get(f"/api/tournaments/{whole}")["state"] == "done",
                   "it is played")
        cut = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]["id"]
        server.end()
        server.start()
        if server.get(f"/api/tournaments/{cut}")["state"] == "stopped":
            server.post_as_owner(f"/api/tournaments/{cut}/resume", {})
            wait_until(lambda: server.get(f"/api/tournaments/{cut}")["state"] == "done",
                       "it is resumed")
        tables = [server.get(f"/api/tournaments/{run}")["table"] for run in (cut, whole)]
        assert tables[0] == tables[1]


def held_tournament(server, n_games):
    """The path of a tournament whose bot waits until there is a file, and the file."""
    gate = os.path.join(server.folder, "gate")
    waiting = f"import os, time\nwhile not os.path.exists({gate!r}): time.sleep(0.01)\n"
    waiting += FIRST_MOVE_BOT
    restart_with(server, "--allow", "mine=" + write_bot(server, "waiting.py", waiting))
    body = {"game": "sw", "games": n_games, "players": [{"player": "mine"}, {"player": "random"}]}
    made = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]
    return gate, f"/api/tournaments/{made['id']}"


def test_a_tournament_played_by_another_program_is_shown():
    with serving() as server:
        gate, path = held_tournament(server, n_games=2)
        # stays, so that the tournament is looked at all the time
        first = Stream(server, path + "/events")
        first.wait(lambda events: events)
        server.post_as_owner(path + "/stop", {})
        first.wait(lambda events: events[-1].data["state"] == "stopped")
        assert Stream(server, path + "/events").wait(lambda events: events)[0].data["n_played"] < 8
        with open(gate, "w", encoding="utf-8"):
            pass
        harness.turf("resume", path.split("/")[-1], "--db", os.path.join(server.folder, "games.db"))
        shown = Stream(server, path + "/events").wait(lambda events: events)[0].data
        assert (shown["n_played"], shown["state"]) == (8, "done"), shown["state"]


def test_the_error_of_a_tournament_is_cleared_once_it_is_finished():
    with serving() as server:
        gate, path = held_tournament(server, n_games=1)
        server.post_as_owner(path + "/stop", {})
        restart_with(server)
        server.post_as_owner(path + "/resume", {})
        wait_until(lambda: server.get(path)["state"] == "failed", "the bot is not allowed here")
        assert "allow" in server.get(path)["error"]
        with open(gate, "w", encoding="utf-8"):
            pass
        harness.turf("resume", path.split("/")[-1], "--db", os.path.join(server.folder, "games.db"))
        for shown in (server.get(path), server.get("/api/tournaments")["tournaments"][0]):
            assert (shown["state"], shown["error"]) == ("done", None)


def test_a_busy_database_rejects_changes_with_retry_after_but_can_be_read():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}"
        tournament = {"game": "sw", "games": 1,
                      "players": [{"player": "minimax"}, {"player": "random"}]}
        other = sqlite3.connect(os.path.join(server.folder, "games.db"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            refused = server.ask("POST", path + "/moves", {"move": "C3"}, tokens[0], status=503)
            assert refused.json["error"] == "in-use", refused.json
            assert int(refused.headers["Retry-After"]) > 0, refused.json
        body = {"game": "sw", "seats": [{"kind": "person"}, {"kind": "person"}]}
        server.refused("POST", "/api/live-games", 503, "in-use", body)
        server.refused("POST", "/api/tournaments", 503, "in-use", tournament,
                       token=server.owner)
        assert server.get("/api/server")["n_open_games"] == 1
        assert server.get(path)["n_moves"] == 0 and not server.get(path)["seats"][0]["is_taken"]
        other.execute("ROLLBACK")
        other.close()
        assert server.post(path + "/moves", {"move": "C3"}, tokens[0])["n_moves"] == 1
        server.post_as_owner("/api/tournaments", tournament, status=201)


def test_a_bot_plays_and_a_dying_one_loses():
    with serving() as server:
        good, dying = (write_bot(server, *bot) for bot in (("good.py", FIRST_MOVE_BOT),
                                                           ("dying.py", DYING_BOT)))
        restart_with(server, "--sandbox", "off", "--allow", "good=" + good, "--allow",
                     "dying=" + dying)
        live, tokens = server.sit("sw", "@Ann", "good", seed=2)
        assert play_out(server, live, tokens)["over"]["reason"] == "rules"
        live, tokens = server.sit("sw", "dying", "@Bob", seed=2)
        assert live["seats"][0] == {"kind": "player", "name": "dying", "player": "dying",
                                    "options": {}, "held_up": None, "is_taken": True}
        over = Stream(server, f"/api/live-games/{live['id']}/events").wait(
            lambda events: events and events[-1].data["over"])[-1].data["over"]
        # Its output may be seen to close before it is seen to end.
        assert over["winner"] == 1 and over["reason"] in ("crash", "disconnected"), over
        assert "no more squirrels" in over["text"], over
        shown = str(server.get(f"/api/live-games/{live['id']}"))
        assert sys.executable not in shown, "the command stays with the server"


def test_a_bot_with_a_long_utf8_name_can_lose():
    with serving("--sandbox", "off", "--allow", "bad=bot:false") as server:
        seats = [{"kind": "player", "player": "bad", "name": "a" + 39 * "é"}, {"kind": "person"}]
        live = server.post("/api/live-games", {"game": "sw", "seats": seats},
                           status=201)["live_game"]
        over = Stream(server, f"/api/live-games/{live['id']}/events").wait(
            lambda events: events and events[-1].data["over"])[-1].data["over"]
        assert over["winner"] == 1 and over["text"].startswith("aéé"), over


class KnockingBot:
    """A bot that connects, and comes again whenever it is let go; it plays the first move that
    there is."""

    def __init__(self, port):
        self.port, self.is_done = port, threading.Event()
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self):
        while not self.is_done.wait(0.02):
            with contextlib.suppress(OSError), \
                    socket.create_connection(("127.0.0.1", self.port), timeout=LONG) as door:
                for line in door.makefile("r", encoding="utf-8"):
                    if "moves" in line:
                        door.sendall(json.dumps({"move": json.loads(line)["moves"][0]}).encode()
                                     + b"\n")

    def end(self):
        self.is_done.set()
        self.thread.join(LONG)


class LeavingBot(KnockingBot):
    """One that closes its connection after every move."""

    def play(self):
        while not self.is_done.wait(0.02):
            with contextlib.suppress(OSError), \
                    socket.create_connection(("127.0.0.1", self.port), timeout=LONG) as door:
                line = door.makefile("r", encoding="utf-8").readline()
                if "moves" in line:
                    door.sendall(json.dumps({"move": json.loads(line)["moves"][0]}).encode()
                                 + b"\n")


def wait_until_held_up(server, path, side):
    def is_held_up():
        live = server.get(path)
        assert live["over"] is None, live["over"]
        return live["seats"][side]["held_up"]
    wait_until(is_held_up, "the player is held up")
    return server.get(path)


def test_a_bot_on_a_port_joins_the_next_game_after_this_one():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving("--allow", f"remote=tcp:{port}") as server:
        bot = KnockingBot(port)
        first, tokens = server.sit("sw", "remote", "@Ann", seed=1)
        wait_until(lambda: server.get(f"/api/live-games/{first['id']}")["n_moves"] == 1,
                   "the bot plays the first game")
        second, others = server.sit("sw", "remote", "@Bob", seed=1, clock={"initial_ms": 3600000})
        path = f"/api/live-games/{second['id']}"
        server.ask("PUT", path + "/seat", {}, others[1], status=200)
        held = wait_until_held_up(server, path, 0)
        assert held["clock"]["running"] == [False, False], held["clock"]
        assert str(port) in held["seats"][0]["held_up"], held["clock"]
        server.post(f"/api/live-games/{first['id']}/resign", {}, tokens[1])
        wait_until(lambda: server.get(path)["n_moves"] == 1, "the bot plays the second game")
        after = server.get(path)
        assert after["seats"][0]["held_up"] is None and after["clock"]["running"] == [False, True]
        server.end()  # and the bot finds nobody any more
        bot.end()


def test_a_bot_that_leaves_frees_its_port_for_another_game():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with serving("--allow", f"remote=tcp:{port}") as server:
        bot = LeavingBot(port)
        first, tokens = server.sit("sw", "remote", "@Ann", seed=1)
        path = f"/api/live-games/{first['id']}"
        wait_until(lambda: server.get(path)["n_moves"] == 1, "the bot plays one move and leaves")
        second, _ = server.sit("sw", "remote", "@Bob", seed=1)
        wait_until(lambda: server.get(f"/api/live-games/{second['id']}")["n_moves"] == 1,
                   "the bot plays in the second game while the first is open")
        assert server.get(path)["over"] is None
        moves = server.get(path + "/moves")["moves"]
        server.post(path + "/moves", {"move": moves[0]["move"]}, tokens[1])
        wait_until(lambda: server.get(path)["n_moves"] == 3, "it comes back to the first game")
        server.end()
        bot.end()


def test_a_bot_that_lacks_file_descriptors_plays_later():
    with serving() as server:
        restart_with(server, "--allow", "mine=" + write_bot(server, "first.py", FIRST_MOVE_BOT))
        files = f"/proc/{server.process.pid}/fd"
        if not hasattr(resource, "prlimit") or not os.path.isdir(files):
            raise harness.Skip("what a process may open cannot be changed from outside here")
        live, tokens = server.sit("sw", "@Ann", "mine", seed=1)
        path = f"/api/live-games/{live['id']}"
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        # Enough for a request, and not for the pipes of a bot.
        taken = {int(name) for name in os.listdir(files)}
        free = [number for number in range(max(taken) + 4) if number not in taken]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (free[2], limits[1]))
        server.post(path + "/moves", {"move": "C3"}, tokens[0])
        held = wait_until_held_up(server, path, 1)
        assert "open files" in held["seats"][1]["held_up"], held["seats"]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, limits)
        wait_until(lambda: server.get(path)["n_moves"] == 2, "the bot plays")
        assert server.get(path)["seats"][1]["held_up"] is None


def test_a_hanging_bot_does_not_delay_other_games():
    with serving() as server:
        restart_with(server, "--sandbox", "off", "--allow",
                     "silent=" + write_bot(server, "silent.py", SILENT_BOT))
        hanging = [server.sit("sw", "@Ann", "silent", seed=2, clock={"initial_ms": 2000})
                   for _ in range(20)]
        streams = []
        for live, tokens in hanging:
            path = f"/api/live-games/{live['id']}"
            server.ask("PUT", path + "/seat", {}, tokens[0], status=200)
            streams.append(Stream(server, path + "/events"))
            server.post(path + "/moves", {"move": "C3"}, tokens[0])
        begin = time.monotonic()
        quick, tokens = server.sit("sw", "@Ann", "minimax", seed=2)
        assert play_out(server, quick, tokens)["over"]
        assert time.monotonic() - begin < LONG / 2
        for stream in streams:
            over = stream.wait(lambda events: events[-1].data.get("over"))[-1].data["over"]
            assert over["winner"] == 0 and over["reason"] in ("time", "timeout"), over


def test_a_player_no_longer_allowed_loses():
    with serving() as server:
        restart_with(server, "--sandbox", "off", "--allow",
                     "good=" + write_bot(server, "good.py", FIRST_MOVE_BOT))
        live, tokens = server.sit("sw", "@Ann", "good", seed=2)
        restart_with(server)
        path = f"/api/live-games/{live['id']}"
        stream = Stream(server, path + "/events")
        server.post(path + "/moves", {"move": "C3"}, tokens[0])
        over = stream.wait(lambda events: any(e.data.get("over") for e in events))[-1].data["over"]
        assert over["winner"] == 0 and "not allowed" in over["text"], over


def test_a_database_allows_one_server_and_other_commands():
    with serving() as server:
        database = os.path.join(server.folder, "games.db")
        restart_with(server, "--sandbox", "off", "--allow",
                     "good=" + write_bot(server, "good.py", FIRST_MOVE_BOT))
        live, tokens = server.sit("sw", "@Ann", "good", seed=2)
        server.post(f"/api/live-games/{live['id']}/moves", {"move": "C3"}, tokens[0])
        for _ in range(2):
            harness.refused("serve", "--port", "0", "--db", database,
                            saying=["another 'turf serve'", "games.db", "--db"])
            harness.turf("match", "sw", "random", "random", "-n", "2", "--db", database)
            assert "squirrel-war" in harness.turf("runs", "--db", database).out
            assert server.get(f"/api/live-games/{live['id']}")["n_moves"] >= 1
            server.end(signal.SIGKILL)
            server.start()


def test_history_keeps_the_latest_games():
    with serving() as server:
        ids = []
        for _ in range(4):
            game, tokens = server.sit("sw", "@Ann", "@Bob")
            server.post(f"/api/live-games/{game['id']}/resign", {}, tokens[0])
            ids.append(f"s-{game['id']}")
        assert server.end() == 0
        server.options = ("--max-history", "2")
        server.start()
        while len(server.get("/api/history")["games"]) > 2:
            time.sleep(0.05)
        kept = [game["id"] for game in server.get("/api/history")["games"]]
        assert set(kept) <= set(ids) and len(kept) == 2, (kept, ids)
        server.refused("GET", f"/api/history/{(set(ids) - set(kept)).pop()}", 404, "not-found")


if __name__ == "__main__":
    harness.main()
