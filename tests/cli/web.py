"""A server for a test, and a client that knows nothing but HTTP."""
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time

import harness
from harness import TURF

LONG = 60  # seconds until a test gives up; nothing takes that long


class Server:
    """turf serve at a port of its own, with a database in a folder of its own."""

    before_start = None  # called in the new process

    def __init__(self, folder, *options):
        self.folder, self.options, self.process = folder, options, None
        self.start()

    def start(self):
        self.process = subprocess.Popen([
            TURF, "serve", "--port", "0", "--db",
            os.path.join(self.folder, "games.db"), *self.options
        ], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
            preexec_fn=self.before_start)
        line = self.process.stdout.readline().decode()
        assert line.startswith("turf serve: http://"), line + self.process.stderr.read().decode()
        self.host, port = line.split("//")[1].strip("/\n").rsplit(":", 1)
        self.port = int(port)
        with open(os.path.join(self.folder, "games.db.owner"), encoding="ascii") as file:
            self.owner = file.read().strip()

    def end(self, number=signal.SIGTERM):
        """Asks it to leave, and returns how it did; also if it has left already."""
        if self.process.stdout.closed:
            return self.process.returncode
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(LONG)
        self.errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def ask(self, method, path, body=None, token=None, headers=None, status=None, source=None):
        """One request, from an address of this machine; the answer's JSON, with the status and
        headers beside it."""
        sent = {} if body is None else {"Content-Type": "application/json"}
        if token:
            sent["Authorization"] = "Bearer " + token
        sent.update(headers or {})
        data = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        connection = http.client.HTTPConnection(self.host, self.port, timeout=LONG,
                                                source_address=source and (source, 0))
        connection.request(method, path, data, sent)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        is_json = answer.headers.get_content_type() == "application/json"
        result = Answer(answer.status, dict(answer.headers),
                        json.loads(text) if text and is_json else text)
        if status:
            assert (
                result.status == status
            ), f"{method} {path}: {result.status}, not {status}: {text[:500]}"
        return result

    def get(self, path, status=200, **more):
        return self.ask("GET", path, status=status, **more).json

    def post(self, path, body, token=None, status=200, **more):
        return self.ask("POST", path, body, token, status=status, **more).json

    def post_as_owner(self, path, body, status=200):
        return self.post(path, body, self.owner, status=status)

    def refused(self, method, path, status, error, body=None, **more):
        """Insists on an error with this status and code, and a sentence."""
        answer = self.ask(method, path, body, status=status, **more)
        assert answer.json["error"] == error, answer.json
        assert len(answer.json["message"]) > 10, answer.json
        return answer.json["message"]

    def sit(self, game, *seats, source=None, **more):
        """A new live: the live and the tokens."""
        body = {"game": game, "seats": [seat(s) for s in seats], **more}
        made = self.post("/api/live-games", body, status=201, source=source)
        return made["live_game"], made["tokens"]

    def raw(self):
        return socket.create_connection((self.host, self.port), timeout=LONG)


class Answer:
    def __init__(self, status, headers, data):
        self.status, self.headers, self.json = status, headers, data


def seat(who):
    """A person is "@Name", a player its id, with options after it: "minimax depth=3"."""
    if who.startswith("@"):
        return {"kind": "person", "name": who[1:]}
    player, *options = who.split()
    return {
        "kind": "player",
        "player": player,
        "options": {k: int(v) for k, v in (o.split("=") for o in options)},
    }


@contextlib.contextmanager
def serving(*options, kind=Server):
    with tempfile.TemporaryDirectory() as folder:
        server = kind(folder, *options)
        try:
            yield server
        finally:
            status = server.end()
        assert status == 0, f"the server ended with {status}: {server.errors[-2000:]}"


class Stream:
    """Server-sent events, collected by a thread."""

    def __init__(self, server, path, last=None, source=None):
        self.events, self.has_ended, self.changed = [], False, threading.Condition()
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=LONG,
                                                     source_address=source and (source, 0))
        self.connection.request("GET", path, headers={"Last-Event-ID": last} if last else {})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.status
        assert self.answer.headers.get_content_type() == "text/event-stream"
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        fields = {}
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            while line := self.answer.readline():
                line = line.decode().rstrip("\n")
                if line.startswith(":") or line.startswith("retry:"):
                    continue
                if line:
                    key, value = line.split(": ", 1)
                    fields[key] = value
                elif fields:
                    self.add(Event(fields))
                    fields = {}
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def add(self, event):
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()

    def wait(self, is_met):
        """Waits until a function of the list of events is true, and returns the list."""
        with self.changed:
            assert self.changed.wait_for(lambda: is_met(self.events), LONG), [
                e.type for e in self.events
            ]
            return list(self.events)

    def wait_for(self, kind):
        return self.wait(lambda events: any(e.type == kind for e in events))[-1]

    def wait_for_end(self):
        with self.changed:
            assert self.changed.wait_for(lambda: self.has_ended, LONG)
            return list(self.events)

    def close(self):
        with contextlib.suppress(OSError):
            self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)


def other_addresses():
    """Addresses of this machine besides the usual one, for clients that are told apart."""
    addresses = [f"127.0.0.{n}" for n in range(2, 8)]
    try:
        for address in addresses:
            with socket.socket() as probe:
                probe.bind((address, 0))
    except OSError as why:
        raise harness.Skip(f"this machine has one address only: {why}") from why
    return addresses


class Event:
    def __init__(self, fields):
        self.id, self.type, self.data = fields["id"], fields["event"], json.loads(fields["data"])
        self.number = int(self.id.split("-")[1])


def wait_until(is_met, what):
    until = time.monotonic() + LONG
    while not is_met():
        assert time.monotonic() < until, f"waited in vain: {what}"
        time.sleep(0.02)


def read_all(connection):
    """Whatever comes until the other side hangs up."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while more := connection.recv(65536):
            data += more
    return data


def choose(view, side):
    """Some legal move of a side, for a live's view with its moves."""
    if "reach" in view:
        letters = "13" if side == 0 else "23"
        cells = [
            [r, c]
            for r, row in enumerate(view["reach"])
            for c, cell in enumerate(row)
            if cell in letters
        ]
        return cells[: min(2, view["position"]["cells"][side])]
    return view["moves"][len(view["moves"]) // 2]["move"]


def play_out(server, live, tokens):
    """Plays a live to its end with a legal move whenever a person is to move; returns the last
    view."""
    path = f"/api/live-games/{live['id']}"
    while True:
        view = server.get(path + "/moves")
        if view["over"]:
            return view
        sides = [0, 1] if view["mover"] == "both" else [view["mover"]]
        moved = False
        for side in sides:
            if tokens[side]:
                body = {"move": choose(view, side), "n_moves": view["n_moves"]}
                answer = server.ask("POST", path + "/moves", body, tokens[side])
                # The other side, or a clock, may have been quicker.
                assert answer.status in (200, 202) or answer.json["error"] in ("stale",
                                                                               "over"), answer.json
                moved = True
        if not moved:
            time.sleep(0.005)
