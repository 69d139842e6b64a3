"""turf join: a bot at home in a league that a server plays; connections that lag, break, lie."""
import contextlib
import csv
import http.client
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import harness
from harness import TURF, refused, turf
from web import LONG, serving, wait_until

BOT = """
import json, os, sys, time
for line in sys.stdin:
    question = json.loads(line)
    if "moves" in question:
        if len(sys.argv) > 1:
            open(sys.argv[1], "a").write("question\\n")
        time.sleep(float(os.environ.get("THINKING", "0")))
        print(json.dumps({"move": question["moves"][0]}), flush=True)
"""


@contextlib.contextmanager
def league(*players, options=()):
    """A server with a league in its database, and a bot in its folder."""
    with serving() as server:
        file = os.path.join(server.folder, "games.db")
        turf("league", "new", file, "squirrel-war", "--quiet", *options)
        if players:
            turf("league", "add", file, "--quiet", *players)
        with open(os.path.join(server.folder, "bot.py"), "w", encoding="ascii") as bot:
            bot.write(BOT)
        server.joined = []
        try:
            yield server
        finally:
            for process in server.joined:
                process.kill()
                process.wait()
                process.stderr.close()


def invite(server, team="anna", port=None):
    made = server.post_as_owner(f"/api/league/teams/{team}/invite", {})
    if port:
        made["link"] = made["link"].replace(f":{server.port}/", f":{port}/")
    return made["link"]


def join(server, link, *more, options=(), env=None, team="anna"):
    """A client that is connected."""
    process = subprocess.Popen(
        [TURF, "join", link, *options, "--", "python3", "bot.py", *more], cwd=server.folder,
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
    server.joined.append(process)
    line = process.stderr.readline().decode()
    assert " plays squirrel-war at " in line, line + process.stderr.read().decode()
    process.first_line = line
    wait_until(lambda: row(server, team)["is_connected"], "the bot is connected")
    return process


def row(server, team="anna"):
    return next(r for r in server.get("/api/league")["table"] if r["team"] == team)


def play(server, n_games=None):
    server.post_as_owner("/api/league/play", {"max_games": n_games, "for_s": None})


def forfeits(server, team="anna"):
    """How often each kind happened to the version that plays."""
    text = turf("league", "table", os.path.join(server.folder, "games.db"), "--format", "csv").out
    line = next(line for line in csv.DictReader(text.splitlines()) if line["team"] == team)
    kinds = ("timeout", "crash", "disconnected", "illegal", "garbage", "flood", "memory")
    return {kind: int(line[kind]) for kind in kinds if int(line[kind])}


def leave(process):
    process.send_signal(signal.SIGINT)
    text = process.stderr.read().decode()
    assert process.wait(LONG) == 0, text
    return text


# ---- a bot at home --------------------------------------------------------------------------


def test_a_bot_at_home_plays_in_the_league():
    with league("b=random", "c=land-grab") as server:
        process = join(server, invite(server))
        assert row(server)["is_home"] and row(server)["version"] == 1
        assert not row(server, "b")["is_home"] and row(server, "b")["is_connected"] is None
        play(server, 24)
        wait_until(lambda: row(server)["games"] >= 8, "it plays")
        text = leave(process)
        assert row(server)["forfeited"] == 0, text
        assert len(re.findall(r"game \d+ is over: \d+ turns", text)) >= 8, text
        assert "left after" in text
        wait_until(lambda: not row(server)["is_connected"], "it has left")


def test_it_leaves_after_as_many_games_as_it_was_told():
    with league("b=random") as server:
        process = join(server, invite(server), options=["-n", "3"])
        play(server)
        assert process.wait(LONG) == 0
        n_games = row(server)["games"]
        assert n_games >= 3 and row(server)["forfeited"] == 0
        wait_until(lambda: not row(server)["is_connected"], "it has left")


def test_a_bot_that_is_gone_loses_only_the_game_it_was_in():
    with league("b=random", "c=land-grab") as server:
        link = invite(server)
        process = join(server, link, "asked", env={"THINKING": "0.2"})
        play(server)
        wait_until(lambda: os.path.exists(os.path.join(server.folder, "asked")), "it is asked")
        process.kill()
        wait_until(lambda: row(server)["games"] > 0 and not row(server)["is_connected"],
                   "its game is lost")
        n_games, n_others = row(server)["games"], row(server, "b")["games"]
        wait_until(lambda: row(server, "b")["games"] > n_others + 10, "the others play on")
        assert row(server)["games"] == n_games
        assert forfeits(server) == {"disconnected": 1}
        join(server, link)
        wait_until(lambda: row(server)["games"] > n_games + 4, "it plays again")
        assert row(server)["n_versions"] == 1, "coming back is no new version"
        assert forfeits(server) == {"disconnected": 1}


def test_two_bots_at_home_play_each_other():
    with league() as server:
        first, second = invite(server, "anna"), invite(server, "bert")
        join(server, first, options=["--reuse"])
        join(server, second, options=["--jobs", "3"])
        play(server)
        wait_until(lambda: row(server)["games"] >= 20, "they play")
        assert row(server)["forfeited"] == row(server, "bert")["forfeited"] == 0


def test_the_bot_runs_in_a_sandbox_if_one_asks_for_it():
    works = ["bwrap", "--ro-bind", "/", "/", "true"]
    if not shutil.which("bwrap") or subprocess.run(works, check=False).returncode:
        raise harness.Skip("bubblewrap does not work here")
    with league("b=random") as server:
        with open(os.path.join(server.folder, "bot.py"), "w", encoding="ascii") as bot:
            bot.write("import os\nassert not os.path.exists('/etc/passwd')\n" + BOT)
        join(server, invite(server), options=["--sandbox", "require"])
        play(server)
        wait_until(lambda: row(server)["games"] >= 2, "it plays")
        assert row(server)["forfeited"] == 0


def test_a_bot_that_crashes_forfeits_and_is_told_why():
    with league("b=random") as server:
        with open(os.path.join(server.folder, "bot.py"), "w", encoding="ascii") as bot:
            bot.write("import sys\nsys.stdin.readline()\nraise SystemError('all is lost')\n")
        process = join(server, invite(server))
        play(server, 2)
        wait_until(lambda: row(server)["games"] >= 2, "it plays")
        text = leave(process)
        assert "all is lost" in text, text
        assert forfeits(server) == {"crash": row(server)["games"]}


def test_a_file_that_is_handed_in_and_a_bot_at_home_take_turns_as_versions():
    with league("anna=random", "b=random") as server:
        link = invite(server)
        process = join(server, link)
        assert row(server)["version"] == 2 and row(server)["is_home"]
        leave(process)
        file = os.path.join(server.folder, "games.db")
        turf("league", "add", file, "anna=land-grab", "--quiet")
        wait_until(lambda: row(server)["version"] == 3, "the new version")
        assert not row(server)["is_home"]
        process = join(server, link)
        assert row(server)["version"] == 4


def test_league_play_in_a_terminal_leaves_bots_at_home_out():
    with league("b=random", "c=land-grab") as server:
        leave(join(server, invite(server)))
        done = turf("league", "play", os.path.join(server.folder, "games.db"), "-n", "4")
        assert "1 bot at home cannot play here" in done.err
        assert row(server)["games"] == 0 and row(server, "b")["games"] == 4


def test_a_final_has_the_bots_at_home_that_are_connected():
    with league("b=random", "c=random") as server:
        join(server, invite(server))
        gone = join(server, invite(server, "dora"), team="dora")
        play(server, 40)
        wait_until(lambda: not server.get("/api/league")["is_playing"], "the rounds are over")
        leave(gone)
        wait_until(lambda: not row(server, "dora")["is_connected"], "dora has left")
        server.post_as_owner("/api/league/final",
                             {"schedule": "round-robin", "best": 4, "games": 2})
        wait_until(lambda: not server.get("/api/league")["is_playing"], "the final is over")
        text = turf("export", "--what", "games", "--db",
                    os.path.join(server.folder, "games.db")).out
        players = {name for line in text.splitlines() for name in
                   (json.loads(line)["first"], json.loads(line)["second"])}
        assert players == {"anna", "b", "c"}, text[:500]


# ---- the link -------------------------------------------------------------------------------


def test_a_wrong_link_is_one_line():
    with league("b=random") as server:
        link = invite(server)
        base, bad = link.split("#")[0], "0" * 32
        refused("join", base + "#/league/join/" + bad, "--", "cat", saying=["token of no team"])
        refused("join", base + "#/league/join/" + bad[1:], "--", "cat", saying=["32 digits"])
        refused("join", base, "--", "cat", saying=["no token", "--token-file"])
        refused("join", link[7:], "--", "cat", saying=["http://"])
        refused("join", link, "--", "no-such-program", saying=["no-such-program"])
        refused("join", link, "--jobs", "65", "--", "cat", saying=["--jobs 64"])
        refused("join", link.replace("http:", "https:"), "--", "cat", saying=["SSL"])
        refused("join", base + "x/#/league/join/" + bad, "--", "cat", saying=["no such"])
    refused("join", link, "--", "cat", saying=["connect"])
    with serving() as server:
        refused("join", f"http://127.0.0.1:{server.port}/#/league/join/{bad}", "--", "cat",
                saying=["no league"])


def test_the_token_is_not_in_the_list_of_processes():
    with league("b=random") as server:
        link = invite(server)
        token = link.split("/")[-1]
        process = join(server, link)
        with open(f"/proc/{process.pid}/cmdline", "rb") as file:
            line = file.read().decode()
        assert token not in line and "*" * 32 in line and "bot.py" in line
        leave(process)
        for text, typed in ((link, "-"), (token, link.split("#")[0]), (link, link.split("#")[0])):
            path = os.path.join(server.folder, "token")
            with open(path, "w", encoding="ascii") as file:
                file.write(text + "\n")
            options = [] if typed == "-" else ["--token-file", path]
            with open(path, encoding="ascii") as given:
                process = subprocess.Popen(
                    [TURF, "join", typed, *options, "--", "python3", "bot.py"], stdin=given,
                    stderr=subprocess.PIPE, cwd=server.folder)
                server.joined.append(process)
                assert " plays " in process.stderr.readline().decode()
            leave(process)


def test_the_last_one_to_join_takes_over():
    with league("b=random") as server:
        link = invite(server)
        first = join(server, link)
        second = join(server, link)
        assert first.wait(LONG) == 2
        assert "another 'turf join' of this team has taken over" in first.stderr.read().decode()
        assert second.poll() is None
        invite(server)
        assert second.wait(LONG) == 2, "a new link ends the old one"


def test_it_comes_back_to_a_server_that_was_started_again():
    with league("b=random") as server:
        process = join(server, invite(server))
        port = server.port
        server.end()
        server.options = ("--port", str(port))
        server.start()
        wait_until(lambda: row(server)["is_connected"], "it is back")
        assert row(server)["n_versions"] == 1 and process.poll() is None


# ---- connections ----------------------------------------------------------------------------


class Proxy:
    """Passes bytes on, later; and can break all connections."""

    def __init__(self, port, delay):
        self.port_behind, self.delay, self.open = port, delay, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                behind = self.connect(client)
                self.open += [client, behind]
                for one, other in ((client, behind), (behind, client)):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    parcels = queue.Queue()
                    threading.Thread(target=self.read, args=(one, parcels), daemon=True).start()
                    threading.Thread(target=self.write, args=(other, parcels), daemon=True).start()

    def connect(self, _):
        return socket.create_connection(("127.0.0.1", self.port_behind))

    def read(self, source, parcels):
        data = b"?"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            parcels.put((time.monotonic() + self.delay, data))

    def write(self, to, parcels):
        with contextlib.suppress(OSError):
            while True:
                due, data = parcels.get()
                time.sleep(max(0, due - time.monotonic()))
                if not data:
                    to.shutdown(socket.SHUT_RDWR)
                    return
                to.sendall(data)

    def cut(self):
        for each in self.open:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.open = []

    def close(self):
        self.listener.close()
        self.cut()


class Tunnel(Proxy):
    """A proxy as in a company: it connects to where it is told, and passes on what is said."""

    def __init__(self):
        self.asked = []
        super().__init__(None, 0)

    def connect(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(1)
        self.asked.append(head.split(b"\r\n")[0].decode())
        host, port = head.split()[1].decode().split(":")
        behind = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return behind


def test_lag_is_not_charged():
    # Thirteen turns at 200 ms each would take more than a clock of 100 ms a turn, and 500 in hand.
    with league("b=random", options=["--time", "100"]) as server:
        with contextlib.closing(Proxy(server.port, 0.1)) as proxy:
            process = join(server, invite(server, port=proxy.port))
            play(server, 2)
            wait_until(lambda: row(server)["games"] >= 2, "it plays")
            text = leave(process)
        assert forfeits(server) == {}, text
        assert 200 <= float(re.search(r"the lag was ([\d.]+) ms", text).group(1)) < 400, text


def test_lag_beyond_the_bound_is_charged():
    with league("b=random", options=["--time", "100"]) as server:
        with contextlib.closing(Proxy(server.port, 0.8)) as proxy:
            process = join(server, invite(server, port=proxy.port))
            play(server, 2)
            wait_until(lambda: row(server)["games"] >= 2, "it plays")
            process.kill()
        assert forfeits(server) == {"timeout": row(server)["games"]}


def test_a_connection_that_breaks_costs_no_game():
    with league("b=random") as server:
        with contextlib.closing(Proxy(server.port, 0)) as proxy:
            process = join(server, invite(server, port=proxy.port), "asked",
                           env={"THINKING": "0.1"})
            play(server, 4)
            path = os.path.join(server.folder, "asked")
            wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 30, "it is asked")
            proxy.cut()
            wait_until(lambda: row(server)["games"] >= 4, "it plays")
            text = leave(process)
        assert forfeits(server) == {}, text
        assert "trying again" in text


def tls_nginx(server, folder):
    """The configuration of an nginx with TLS in front of the server, and its port."""
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found or not shutil.which("openssl"):
        raise harness.Skip("nginx or openssl is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                   check=True, stderr=subprocess.DEVNULL)
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(folder + "/nginx.conf", "w", encoding="ascii") as file:
        file.write(f"""daemon off; master_process off; pid {folder}/nginx.pid;
error_log stderr; events {{}}
http {{ access_log off; {temporary}
server {{ listen 127.0.0.1:{port} ssl http2;
ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
location / {{ proxy_pass http://127.0.0.1:{server.port}; proxy_http_version 1.1;
proxy_set_header Host $host; }} }} }}
""")
    return [found, "-e", "stderr", "-p", folder, "-c", folder + "/nginx.conf"], port


def test_through_nginx_with_tls_and_through_a_proxy_before_it():
    with league("b=random") as server, tempfile.TemporaryDirectory() as folder:
        command, port = tls_nginx(server, folder)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "it listens")
            link = f"https://localhost:{port}/#" + invite(server).split("#")[1]
            refused("join", link, "--", "cat", saying=["certificate"])
            with contextlib.closing(Tunnel()) as tunnel:
                proxy = {"https_proxy": f"http://127.0.0.1:{tunnel.port}", "no_proxy": ""}
                for n_games, env in ((2, {"no_proxy": "*"}), (4, proxy)):
                    bot = join(server, link, options=["--cacert", folder + "/cert.pem"], env=env)
                    play(server, 2)
                    wait_until(lambda: row(server)["games"] >= n_games, "it plays")
                    leave(bot)
                    wait_until(lambda: not server.get("/api/league")["is_playing"], "it rests")
                assert tunnel.asked and set(tunnel.asked) == {f"CONNECT localhost:{port} HTTP/1.1"}
            assert row(server)["forfeited"] == 0
        finally:
            process.terminate()
            process.wait(LONG)


# ---- hostile clients ------------------------------------------------------------------------


class Raw:
    """A client of its own, which reads the stream in a thread."""

    def __init__(self, server, token, query=""):
        self.server, self.token, self.events = server, token, queue.Queue()
        self.line = http.client.HTTPConnection(server.host, server.port, timeout=LONG)
        self.line.request("GET", "/api/league/join" + query,
                          headers={"Authorization": "Bearer " + token})
        self.answer = self.line.getresponse()
        assert self.answer.status == 200, self.answer.read()
        self.says_pong = True
        threading.Thread(target=self.read, daemon=True).start()
        self.session = self.wait_for("hello")["session"]

    def read(self):
        kind = None
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            while text := self.answer.readline().decode():
                key, _, value = text.rstrip("\n").partition(": ")
                if key == "event":
                    kind = value
                elif key == "data":
                    data = json.loads(value)
                    if kind == "ping" and self.says_pong:
                        self.say(status=None, pongs=[data["ping"]])  # it may be over by now
                    elif kind != "ping":
                        self.events.put((kind, data))

    def wait_for(self, kind):
        while True:
            found, data = self.events.get(timeout=LONG)
            if found == kind:
                return data

    def say(self, status=200, **what):
        wait_until(lambda: hasattr(self, "session"), "hello")
        return self.server.post("/api/league/join/answers", {"session": self.session, **what},
                                self.token, status=status)

    def close(self):
        self.line.sock and self.line.sock.shutdown(socket.SHUT_RDWR)
        self.line.close()


def connected(server, token, **more):
    raw = Raw(server, token, **more)
    wait_until(lambda: row(server)["is_connected"], "it is connected")
    return raw


def test_requests_that_make_no_sense_are_refused():
    with league("b=random") as server:
        token = invite(server).split("/")[-1]
        path = "/api/league/join/answers"
        server.refused("GET", "/api/league/join", 401, "no-token")
        server.refused("GET", "/api/league/join", 403, "bad-token", token="0" * 32)
        server.refused("GET", "/api/league/join", 403, "bad-token", token=server.owner)
        for n in ("0", "65", "x"):
            server.refused("GET", "/api/league/join?games=" + n, 400, "bad-request", token=token)
        server.refused("POST", path, 409, "not-joined", {"session": "0" * 32}, token=token)
        server.refused("POST", path, 409, "not-joined", {"session": "0" * 32})
        server.refused("POST", path, 400, "bad-request", {}, token=token)
        with contextlib.closing(connected(server, token)) as raw:
            server.refused("POST", path, 409, "not-joined", {"session": raw.session},
                           token=invite(server, "eve").split("/")[-1])
            server.refused("POST", path, 413, "too-large",
                           {"session": raw.session, "answers": ["x" * 300000]}, token=token)
            raw.say(status=400, nonsense=1)
            for answers in ([1, 2], [{}], [{"game": 10**15, "line": "x"}], [{"game": "1"}], {}, 7,
                            [{"game": -1, "line": 3}]):
                raw.say(answers=answers, ready=answers, faults=answers, pongs=answers)
            assert raw.say(ready=[1, 2, -3], pongs=[0, -1, 2**62])["n_ignored"] == 6
            assert row(server)["is_connected"]


def test_garbage_and_floods_lose_the_game_and_nothing_else():
    with league("b=random", "c=random") as server:
        token = invite(server).split("/")[-1]
        lines = {"garbage": "no JSON", "flood": "x" * 65536}
        for n_played, line in enumerate(lines.values()):
            with contextlib.closing(connected(server, token)) as raw:
                play(server)
                game = raw.wait_for("begin")["game"]
                raw.say(ready=[game])
                raw.wait_for("question")
                raw.say(answers=[{"game": game, "line": line}])
                assert raw.wait_for("end")["error"]
                assert raw.say(answers=[{"game": game, "line": "{}"}])["n_ignored"] == 1
            wait_until(lambda: not row(server)["is_connected"], "it is gone")
            assert forfeits(server) == {k: 1 for k in list(lines)[:n_played + 1]}
            server.post_as_owner("/api/league/stop", {})
            wait_until(lambda: not server.get("/api/league")["is_playing"], "it has stopped")


def test_a_bot_that_is_never_ready_plays_no_game_and_loses_none():
    with league("b=random", "c=random") as server:
        token = invite(server).split("/")[-1]
        with contextlib.closing(connected(server, token)) as raw:
            play(server)
            raw.wait_for("begin")
            raw.wait_for("bye")
            wait_until(lambda: row(server, "b")["games"] > 20, "the others play on")
        assert row(server)["games"] == 0 and forfeits(server) == {}


def test_a_bot_that_answers_no_pings_is_not_asked():
    with league("b=random", "c=random") as server:
        token = invite(server).split("/")[-1]
        raw = Raw(server, token)
        raw.says_pong = False
        with contextlib.closing(raw):
            play(server)
            assert raw.wait_for("bye")["is_final"] is False
        assert row(server)["games"] == 0


if __name__ == "__main__":
    harness.main()
