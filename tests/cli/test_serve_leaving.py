"""turf serve leaves, asked to or killed, while everything is in flight: what was answered is there
when it comes back."""
import contextlib
import json
import os
import random
import signal
import sqlite3
import threading

import harness
from web import LONG, Stream, choose, serving, wait_until

CLOCK = {"initial_ms": 3600000, "gain_ms": 0}
# What may come instead of an answer from a server that leaves.
GONE = (OSError, json.JSONDecodeError)


class Writer(threading.Thread):
    """Writes until the server is gone, and notes what was answered."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.n_answered, self.failure = server, 0, None

    def run(self):
        try:
            with contextlib.suppress(*GONE):
                while self.write():
                    self.n_answered += 1
        except Exception as why:  # told by the test
            self.failure = why

    def post(self, path, body, token, statuses=(200,)):
        """The answer if it is good, or None if the server is leaving, or has had enough."""
        answer = self.server.ask("POST", path, body, token)
        assert answer.status in (*statuses, 429, 503), (path, answer.json)
        return answer if answer.status in statuses else None


class Mover(Writer):
    """Plays games of two people one after the other, with an undo now and then."""

    def __init__(self, server, game, **more):
        super().__init__(server)
        self.game, self.more, self.games, self.moves = game, more, [], []
        self.rng = random.Random(len(game))
        self.pending = None

    def write(self):
        if not self.games or self.is_over:
            body = {"game": self.game, "seats": [{"kind": "person"}] * 2, **self.more}
            made = self.post("/api/live-games", body, None, (201,))
            if not made:
                return False
            self.moves, self.is_over = [], False
            self.games.append((made.json["live_game"]["id"], self.moves))
            self.tokens = made.json["tokens"]
        path = f"/api/live-games/{self.games[-1][0]}"
        view = self.server.get(path + "/moves")
        if view["mover"] == "both":
            return self.commit(path, view)
        if self.game == "aw" and self.moves and view["moves_left"] < 3 and self.rng.random() < 0.2:
            undone = self.server.ask("POST", path + "/undo", {}, self.tokens[view["mover"]])
            if undone.status == 200:
                del self.moves[undone.json["n_moves"]:]
            return undone.status in (200, 409)
        answer = self.post(path + "/moves", {"move": self.rng.choice(view["moves"])["move"]},
                           self.tokens[view["mover"]])
        return answer and self.note(answer.json)

    def note(self, moved):
        self.moves.append(moved["move"])
        self.is_over = moved["over"] is not None
        return True

    def commit(self, path, view):
        first = choose(view, 0)
        if not self.post(path + "/moves", {"move": first}, self.tokens[0], (202,)):
            return False
        self.pending = (self.games[-1][0], len(self.moves))
        answer = self.post(path + "/moves", {"move": choose(view, 1)}, self.tokens[1])
        if answer:
            self.pending = None
        return answer and self.note(answer.json)

    def check(self):
        for name, moves in self.games:
            after = self.server.get(f"/api/live-games/{name}")
            made = [move["move"] for move in after["moves"]]
            # What was asked last may have been done, or undone, without an answer.
            is_last = name == self.games[-1][0]
            if is_last and len(made) < len(moves):
                if self.game == "aw" and len(moves) - len(made) == 1:
                    moves = moves[: len(made)]
            assert made[: len(moves)] == moves, (self.game, moves, made)
            assert len(made) <= len(moves) + is_last, (self.game, moves, made)
            if self.pending and self.pending[0] == name and len(made) == self.pending[1]:
                assert after["pending"] == [True, False], after["pending"]


class Namer(Writer):
    """Calls itself something else again and again."""

    def __init__(self, server):
        super().__init__(server)
        live, self.tokens = server.sit("sw", "@Ann", "@Bob")
        self.path, self.n_tried = f"/api/live-games/{live['id']}", 0

    def write(self):
        self.n_tried += 1
        return self.server.ask("PUT", self.path + "/seat", {"name": f"Ann {self.n_tried}"},
                               self.tokens[0]).status == 200

    def check(self):
        name = self.server.get(self.path)["seats"][0]["name"]
        assert name in (f"Ann {self.n_answered}",
                        f"Ann {self.n_tried}"), (name, self.n_answered, self.n_tried)


class Resigner(Writer):
    """Begins games against players that think, moves, resigns, and asks for the next one."""

    def __init__(self, server):
        super().__init__(server)
        live, tokens = server.sit("sw", "@Ann", "minimax")
        self.games, self.token = [[live["id"], "playing"]], tokens[0]

    def write(self):
        path = f"/api/live-games/{self.games[-1][0]}"
        if self.games[-1][1] == "playing":
            resigned = self.post(path + "/resign", {}, self.token)
            if resigned:
                self.games[-1][1] = "over"
            return resigned
        answer = self.post(path + "/rematch", {}, self.token)
        if not answer:
            return False
        self.games[-1][1] = "rematch"
        self.games.append([answer.json["rematch"]["id"], "playing"])
        return True

    def check(self):
        for number, (name, state) in enumerate(self.games):
            after = self.server.get(f"/api/live-games/{name}")
            has_resigned = state != "playing" and after["over"]["reason"] == "resigned"
            assert state == "playing" or has_resigned, (number, state, after["over"])
            assert state != "rematch" or after["rematch"]["id"] == self.games[number + 1][0]


class Looker(Writer):
    """Opens streams, asks for moves, and looks things up; keeps nothing."""

    def __init__(self, server, run):
        super().__init__(server)
        self.start_position = server.post("/api/start", {"game": "sw", "seed": 1})["position"]
        self.paths, self.streams = ["/api/live", f"/api/tournaments/{run}/events"], []

    def write(self):
        self.server.ask("POST", "/api/choose",
                        {"game": "sw", "position": self.start_position, "player": "minimax",
                         "options": {"depth": 4}})
        self.server.ask("GET", "/api/history")
        line = self.server.raw()
        path = self.paths[self.n_answered % 2]
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.streams = self.streams[-20:] + [line]
        return True

    def check(self):
        for line in self.streams:
            line.close()


def write_until(server, number):
    """Everything at once; then the signal; then a new start, and a look at what is there."""
    body = {"game": "wol", "games": 100000, "seed": 4,
            "players": [{"player": "random"}, {"player": "minimax"}]}
    run = server.post_as_owner("/api/tournaments", body, status=201)["tournament"]["id"]
    for _ in range(3):
        server.sit("aw", "alphabeta time=1000", "minimax depth=3", start="12x12", delay_ms=0)
    writers = [Mover(server, "sw"), Mover(server, "wol", clock=CLOCK),
               Mover(server, "aw", start="6x6"), Mover(server, "bg"),
               Mover(server, "bg", clock=CLOCK), Namer(server), Resigner(server),
               Looker(server, run)]
    for writer in writers:
        writer.start()
    wait_until(lambda: min(w.n_answered for w in writers) >= 5 or any(w.failure for w in writers),
               "everything is in flight")
    n_played = server.get(f"/api/tournaments/{run}")["n_played"]
    status = server.end(number)
    assert number == signal.SIGKILL or (status == 0
                                        and server.errors == ""), (status, server.errors)
    for writer in writers:
        writer.join(LONG)
        assert not writer.is_alive() and not writer.failure, (type(writer).__name__, writer.failure)
    server.start()
    for writer in writers:
        writer.check()
    after = server.get(f"/api/tournaments/{run}")
    assert after["state"] == "stopped", (after["state"], after["n_played"], n_played)
    assert after["n_played"] >= n_played, (after["state"], after["n_played"], n_played)
    server.post_as_owner(f"/api/tournaments/{run}/resume", {})
    server.post_as_owner(f"/api/tournaments/{run}/stop", {})


def test_shutdown_under_load_loses_no_acknowledged_move():
    with serving() as server:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            write_until(server, number)


def test_kill_under_load_loses_no_acknowledged_move():
    with serving() as server:
        for _ in range(3):
            write_until(server, signal.SIGKILL)


def test_requests_before_a_shutdown_are_answered():
    with serving() as server:
        start = server.post("/api/start", {"game": "aw", "start": "12x12"})["position"]
        body = {"game": "aw", "position": start, "player": "alphabeta", "options": {"time": 5000}}
        answers = []
        thread = threading.Thread(
            target=lambda: answers.append(server.ask("POST", "/api/choose", body)))
        stopping = threading.Thread(target=server.end)
        thread.start()
        wait_until(lambda: server.get("/api/server")["n_answering"] >= 2, "the question is there")
        stopping.start()
        thread.join(LONG)
        stopping.join(LONG)
        assert [answer.status for answer in answers] in ([200], [503]), answers


def left(server, path, side=0):
    return server.get(path)["clock"]["left_ms"][side]


def begin_with_clock(server):
    live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1, clock=CLOCK)
    path = f"/api/live-games/{live['id']}"
    for token in tokens:
        server.ask("PUT", path + "/seat", {}, token, status=200)
    assert server.get(path)["clock"]["running"] == [True, False]
    return live["id"], path


def test_a_restart_does_not_refill_clocks():
    with serving() as server:
        _, path = begin_with_clock(server)
        wait_until(lambda: left(server, path) < CLOCK["initial_ms"] - 100, "the clock runs")
        before = left(server, path)
        server.end()
        server.start()
        assert left(server, path) <= before


def test_running_clocks_are_saved():
    with serving() as server:
        name, path = begin_with_clock(server)
        updated = server.get(path)["updated_at"]

        def kept():
            with contextlib.closing(sqlite3.connect(os.path.join(server.folder, "games.db"))) as db:
                return json.loads(db.execute("SELECT live FROM sittings WHERE id = ?",
                                             (name,)).fetchone()[0])["left_ms"][0]

        first = kept()
        wait_until(lambda: kept() < first, "the clock is written though nobody moves")
        assert server.get(path)["updated_at"] == updated, "that is no news"
        before = kept()
        server.end(signal.SIGKILL)
        server.start()
        assert left(server, path) <= before


def test_a_commitment_survives_a_restart():
    for number in (signal.SIGTERM, signal.SIGKILL):
        with serving() as server:
            live, tokens = server.sit("bg", "@Ann", "@Bob", clock=CLOCK)
            path = f"/api/live-games/{live['id']}"
            view = server.get(path + "/moves")
            cells = [choose(view, side) for side in (0, 1)]
            expected = server.post("/api/step",
                                   {"game": "bg", "position": view["position"],
                                    "move": {"1": cells[0], "2": cells[1]}})
            server.post(path + "/moves", {"move": []}, tokens[0], status=202)
            server.post(path + "/moves", {"move": cells[0]}, tokens[0], status=202)
            server.end(number)
            server.start()
            after = server.get(path)
            assert after["pending"] == [True, False] and after["n_moves"] == 0
            assert str(cells[0]) not in str(after), "what one side chose is not shown to the other"
            moved = server.post(path + "/moves", {"move": cells[1]}, tokens[1])
            assert moved["position"] == expected["position"] and moved["pending"] == [False, False]
            server.end(number)
            server.start()
            again = server.get(path)
            assert again["pending"] == [False, False] and again["position"] == expected["position"]


def test_a_player_replies_to_a_commitment_after_a_restart():
    with serving("--sandbox", "off", "--allow", "late=bot:sleep 1000") as server:
        live, tokens = server.sit("bg", "@Ann", "late")
        path = f"/api/live-games/{live['id']}"
        server.post(path + "/moves", {"move": []}, tokens[0], status=202)
        server.end(signal.SIGKILL)
        server.options = ("--allow", "late=random")
        server.start()
        events = Stream(server,
                        path + "/events").wait(lambda seen: any(e.data.get("n_moves", 0) > 0
                                                                for e in seen))
        assert [e.data["n_moves"] for e in events if e.data.get("n_moves")] == [1]


if __name__ == "__main__":
    harness.main()
