"""What turf serve turns away: other sites, wrong tokens, bad requests, clients that are too large,
too slow or too many."""
import contextlib
import http.client
import json
import os
import socket
import sqlite3
import sys
import time

import harness
from harness import refused, turf
from web import LONG, Stream, choose, read_all, serving, wait_until

PERSONS = [{"kind": "person"}, {"kind": "person"}]


def test_foreign_hosts_and_origins_are_rejected():
    with serving("--host", "arena.example") as server:
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "",
                     "arena.example.evil"):
            server.refused("GET", "/api/server", 421, "bad-host", headers={"Host": host})
            server.refused("GET", "/", 421, "bad-host", headers={"Host": host})
        for host in ("localhost", f"localhost:{server.port}", "127.0.0.1", "[::1]:80",
                     "arena.example", "Arena.Example:443"):
            server.ask("GET", "/api/server", headers={"Host": host}, status=200)
        for origin in ("http://evil.example", "null", "http://localhost",
                       f"http://127.0.0.1:{server.port + 1}",
                       f"http://127.0.0.1:{server.port}.evil.example"):
            server.refused("POST", "/api/live-games", 403, "bad-origin",
                           {"game": "wol", "seats": PERSONS}, headers={"Origin": origin})
            server.refused("GET", "/api/live", 403, "bad-origin", headers={"Origin": origin})
        for site in ("cross-site", "same-site", "", "odd"):
            server.refused("GET", "/api/live-games", 403, "bad-origin",
                           headers={"Sec-Fetch-Site": site})
            server.ask("GET", "/", headers={"Sec-Fetch-Site": site}, status=200)
        for site in ("same-origin", "none"):
            server.get("/api/live-games", headers={"Sec-Fetch-Site": site})
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        server.post("/api/live-games", {"game": "wol", "seats": PERSONS}, headers=own, status=201)
        assert "Access-Control-Allow-Origin" not in server.ask("GET", "/api/server", headers=own,
                                                               status=200).headers


def test_old_paths_name_the_new_ones():
    with serving() as server:
        for method, path in (("GET", ""), ("GET", "/x/moves"), ("POST", "")):
            server.refused(method, "/api/sittings" + path, 410, "gone",
                           {} if method == "POST" else None)


def test_a_post_needs_the_json_content_type():
    with serving() as server:
        for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
            server.refused("POST", "/api/start", 415, "bad-type", '{"game":"wol"}',
                           headers={"Content-Type": kind})
        server.ask("POST", "/api/start", '{"game":"wol"}',
                   headers={"Content-Type": "application/json; charset=utf-8"}, status=200)
        for body in ("", "{", "[]", "7", '{"game":"wol","game":"sw"}', b'{"game":"\xff"}',
                     "{" * 5000):
            server.refused("POST", "/api/start", 400, "bad-request", body)


def test_invalid_requests_get_an_error_code():
    with serving() as server:
        for body in ({}, {"game": 7}, {"game": "wol", "sede": 1}, {"game": "wol", "seed": -1},
                     {"game": "wol", "seed": "x"},
                     {"game": "wol", "start": 7}, {"game": "aw", "start": "27x27"},
                     {"game": "bg", "config": {"rows": -1}}):
            server.refused("POST", "/api/start", 400, "bad-request", body)
        server.refused("POST", "/api/start", 404, "not-found", {"game": "chess"})
        for position in (None, [], "x", {}, {"board": ["b"]},
                         {"board": ["bbbbbbbb"] * 8, "to_move": "x"}):
            server.refused("POST", "/api/moves", 400, "bad-request",
                           {"game": "wol", "position": position})
        start = server.post("/api/start", {"game": "sw", "seed": 1})["position"]
        server.refused("POST", "/api/step", 400, "bad-request", {"game": "sw", "position": start})
        server.refused("POST", "/api/step", 400, "bad-request",
                       {"game": "sw", "position": start, "move": "Z9"})
        full = dict(start, board=["XXXXX"] * 5)
        server.refused("POST", "/api/step", 422, "illegal-move",
                       {"game": "sw", "position": full, "move": "A1"})
        good = {"game": "wol", "seats": PERSONS}
        for more in ({"seats": []}, {"seats": [{"kind": "cat"}, {"kind": "person"}]},
                     {"clock": {"initial_ms": 1}}, {"clock": 7},
                     {"delay_ms": 99999}, {"delay_ms": -1},
                     {"seats": [{"kind": "person", "name": "x" * 41}, {"kind": "person"}]},
                     {"seats": [{"kind": "person", "name": "a\nb"}, {"kind": "person"}]},
                     {"is_listed": "yes"}):
            server.refused("POST", "/api/live-games", 400, "bad-request", dict(good, **more))
        for config in ({"maxGameIterations": 1000000}, {"maxGameIterations": 0},
                       {"cellGainPerTurn": 16385}, {"maxCellCapacity": 16385},
                       {"startingCells": 16385}, {"maxCellcapacity": 5},
                       {"rows": 9, "note": "x" * 1000}):
            server.refused("POST", "/api/live-games", 400, "bad-request",
                           {"game": "bg", "seats": PERSONS, "config": config})
        most = {"cellGainPerTurn": 16384, "maxCellCapacity": 16384, "startingCells": 16384}
        server.post("/api/live-games", {"game": "bg", "seats": PERSONS, "config": most}, status=201)
        over = dict(start, board=["XXXXX"] * 5)
        assert "over" in server.refused("POST", "/api/live-games", 400, "bad-request",
                                        {"game": "sw", "seats": PERSONS, "start": over})
        server.refused("POST", "/api/start", 400, "bad-request",
                       {"game": "bg", "config": {"row": 9}})
        assert "65536" in server.refused("POST", "/api/live-games", 400, "bad-request",
                                         dict(good, start="8x8" + " " * 70000))


def test_errors_in_a_body_have_readable_messages():
    with serving() as server:
        for path, body, message in (
                ("/api/start", {}, "'game' is missing"),
                                    ("/api/start", {"game": 7}, "'game' must be a string"),
                ("/api/start", {"game": "wol", "zz": 1},
                 "there is no member 'zz' here; choose from game, start, seed, config"),
                ("/api/live-games", {"game": "wol"}, "'seats' is missing"),
                ("/api/live-games", {"game": "wol", "seats": PERSONS, "is_listed": "yes"},
                 "'is_listed' must be true or false"),
                ("/api/live-games", {"game": "wol", "seats": PERSONS, "delay_ms": "1"},
                 "'delay_ms' must be an integer"),
                ("/api/tournaments/1/stop", {"now": True},
                 "there is no member 'now' here; the body must be {}"),
                ("/api/start", {"game": "a\0b"},
                 "the body is not a JSON object: a string must not contain \\u0000"),
                ("/api/start", [], "the body is not a JSON object: it is another kind of value")):
            assert server.refused("POST", path, 400, "bad-request", body,
                                  token=server.owner) == message


def test_a_client_cannot_run_commands_or_exceed_search_limits():
    with serving("--allow", "mine=bot:cat") as server:
        for player in ("bot:cat", "bot", "tcp:1", "mine=bot:cat", "minimax:depth=20", "x=random",
                       "nobody"):
            seats = [{"kind": "person"}, {"kind": "player", "player": player}]
            server.refused("POST", "/api/live-games", 404, "not-found",
                           {"game": "wol", "seats": seats})
            server.refused("POST", "/api/tournaments", 404, "not-found",
                           {"game": "wol", "players": [{"player": "random"}, {"player": player}]},
                           token=server.owner)
        for options in ({"depth": 20}, {"depth": "3"}, {"hash": 100000}, {"threads": 64},
                        {"time": 3600000}, {"ties": "x"}, []):
            seats = [{"kind": "person"},
                     {"kind": "player", "player": "minimax", "options": options}]
            server.refused("POST", "/api/live-games", 400, "bad-request",
                           {"game": "wol", "seats": seats})
        mine = [{"kind": "person"},
                {"kind": "player", "player": "mine", "options": {"command": "sh"}}]
        server.refused("POST", "/api/live-games", 400, "bad-request",
                       {"game": "wol", "seats": mine})
        start = server.post("/api/start", {"game": "wol", "seed": 1})["position"]
        server.refused("POST", "/api/choose", 400, "bad-request",
                       {"game": "wol", "position": start, "player": "mine"})


def test_a_run_with_a_disallowed_bot_is_not_resumed():
    with serving() as server:
        database = os.path.join(server.folder, "games.db")
        turf("match", "wol", "mine=bot:cat", "random", "-n", "2", "--db", database, "--quiet")
        assert [t["state"] for t in server.get("/api/tournaments")["tournaments"]] == ["done"]
        with contextlib.closing(sqlite3.connect(database)) as db, db:
            db.execute("DELETE FROM games WHERE game = 1")
            db.execute("UPDATE runs SET is_finished = 0")
        server.post_as_owner("/api/tournaments/1/resume", {})
        wait_until(lambda: server.get("/api/tournaments/1")["state"] != "running", "it is refused")
        now = server.get("/api/tournaments/1")
        assert now["state"] == "failed" and "not allowed" in now["error"], now
        assert now["n_played"] == 1, now


def test_a_seat_needs_its_own_token():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob")
        other, strangers = server.sit("wol", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}"
        for method, end, body in (("GET", "/seat", None), ("PUT", "/seat", {}),
                                  ("POST", "/moves", {"move": [1, 1, 1, 2]}),
                                  ("POST", "/undo", {}), ("POST", "/resign", {}),
                                  ("POST", "/rematch", {})):
            server.refused(method, path + end, 401, "no-token", body)
            for token in (strangers[0], "0" * 32, tokens[0][:-1], tokens[0] + "0",
                          tokens[0].upper(), "x" * 1000):
                server.refused(method, path + end, 403, "bad-token", body, token=token)
            server.refused(method, path + end, 401, "no-token", body,
                           headers={"Authorization": "Basic " + tokens[0]})
            server.refused(method, f"{path}{end}?token={tokens[0]}", 401, "no-token", body)
        view = server.get(path + "/moves")
        move = view["moves"][0]["move"]
        server.refused("POST", path + "/moves", 409, "not-your-turn", {"move": move},
                       token=tokens[1])
        server.post(path + "/moves", {"move": move}, tokens[0])
        for where in (path, f"{path}/frames", "/api/live-games", f"/api/live-games/{other['id']}"):
            text = str(server.get(where))
            assert not any(token in text for token in tokens + strangers), where


def test_illegal_moves_are_rejected_and_change_nothing():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}/moves"
        server.post(path, {"move": "A1"}, tokens[0])
        for move in (7, None, [], "Z9", {"1": []}):
            server.refused("POST", path, 400, "bad-request", {"move": move}, token=tokens[1])
        server.refused("POST", path, 400, "bad-request", {}, token=tokens[1])
        server.refused("POST", path, 422, "illegal-move", {"move": "A1"}, token=tokens[1])
        server.refused("POST", path, 409, "stale", {"move": "B1", "n_moves": 0}, token=tokens[1])
        assert server.get(f"/api/live-games/{live['id']}")["n_moves"] == 1
        grid, tokens = server.sit("bg", "@Ann", "@Bob")
        path = f"/api/live-games/{grid['id']}/moves"
        answer = server.ask("POST", path, {"move": [[11, 8], [0, 0]]}, tokens[0], status=422)
        assert answer.json["cell"] == 1, answer.json
        for move in ([[-1, 0]], [[99999999999, 0]], [["a", 0]], [[0]], {"1": [[0, 0]]}):
            assert server.ask("POST", path, {"move": move}, tokens[0]).status in (400, 422)
        assert server.get(f"/api/live-games/{grid['id']}")["pending"] == [False, False]


def test_a_legal_move_takes_the_seat_and_a_rejected_one_does_not():
    with serving() as server:
        for game, wrong, right in (("sw", "Z9", "C3"), ("bg", [[-1, -1]], [])):
            live, tokens = server.sit(game, "@Ann", "@Bob", seed=1, clock={"initial_ms": 3600000})
            path = f"/api/live-games/{live['id']}"
            answer = server.ask("POST", path + "/moves", {"move": wrong}, tokens[0])
            assert answer.status in (400, 422), answer.json
            assert not server.get(path)["seats"][0]["is_taken"]
            assert server.ask("POST", path + "/moves", {"move": right},
                              tokens[0]).status in (200, 202)
            assert server.get(path)["seats"][0]["is_taken"]
            assert server.ask("POST", path + "/moves", {"move": wrong},
                              tokens[1]).status in (400, 422)
            assert server.get(path)["clock"]["running"] == [False, False]
            assert not server.get(path)["seats"][1]["is_taken"]


def test_conflicting_options_are_rejected_before_the_game():
    with serving() as server:
        player = {"kind": "player", "player": "alphabeta", "options": {"depth": 2, "time": 100}}
        body = {"game": "sw", "seats": [{"kind": "person"}, player]}
        assert "one limit" in server.refused("POST", "/api/live-games", 400, "bad-request", body)
        assert server.get("/api/server")["n_open_games"] == 0


def test_an_empty_game_filter_matches_any_game():
    with serving() as server:
        live, _ = server.sit("sw", "@Ann", "@Bob", seed=1)
        assert [s["id"] for s in server.get("/api/live-games?game=")["live_games"]] == [live["id"]]
        assert server.get("/api/history?game=")["games"] == []


def test_a_game_whose_moves_grow_too_large_ends():
    with serving() as server:
        config = {"cellGainPerTurn": 16384, "maxCellCapacity": 16384, "startingCells": 16384}
        live, tokens = server.sit("bg", "@Ann", "@Bob", config=config)
        path = f"/api/live-games/{live['id']}"
        view = server.get(path + "/moves")
        while not view["over"] and view["n_moves"] < 12:
            moves = [choose(view, side)[:1] * 16384 for side in (0, 1)]
            assert moves[0] or moves[1], "somebody has cells left"
            for side in (0, 1):
                server.ask("POST", path + "/moves", {"move": moves[side]}, tokens[side])
            view = server.get(path + "/moves")
        assert view["over"]["reason"] == "too-long" and view["over"]["winner"] is None, view["over"]
        server.refused("POST", path + "/moves", 409, "over", {"move": []}, token=tokens[0])
        assert server.get("/api/history")["games"][0]["reason"] == "too-long"


def test_missing_resources_are_404():
    with serving() as server:
        for path in ("/api", "/api/", "/api/nothing", "/api/live-games/",
                     "/api/live-games/abcdefghijkm", "/api/live-games/x/moves",
                     "/api/live-games/%00", "/api/live-games/' OR 1=1 --",
                     "/api/history/s-abcdefghijkm", "/api/history/r-1", "/api/history/zzz",
                     "/api/history/r-1/frames", "/api/tournaments/1", "/api/tournaments/x",
                     "/api/tournaments/1/events", "/api/tournaments/1/export",
                     "/api/live-games/abcdefghijkm/events", "/nothing", "/nothing.html",
                     "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                     "/..%2f..%2fetc%2fpasswd", "/index.html/", "/index.html%00.js",
                     "/./index.html"):
            server.refused("GET", path.replace(" ", "%20"), 404, "not-found")
        for method, path in (("PUT", "/api/games"), ("DELETE", "/api/live-games"),
                             ("POST", "/api/games"), ("POST", "/"), ("PATCH", "/x.js")):
            answer = server.ask(method, path, "{}", headers={"Content-Type": "application/json"},
                                status=405)
            assert answer.json["error"] == "bad-method" and answer.headers["Allow"], answer.headers
        for query in ("limit=0", "limit=x", "limit=1000", "before=x", "before=1.2.3.4",
                      "tournament=-1"):
            server.refused("GET", "/api/history?" + query, 400, "bad-request")
        server.refused("GET", "/api/history?game=chess", 404, "not-found")
        server.refused("GET", "/api/live-games?state=odd", 400, "bad-request")


def test_an_unreadable_tournament_is_500_not_404():
    with serving() as server:
        path = os.path.join(server.folder, "games.db")
        harness.turf("match", "sw", "a|b=random", "greedy", "-n", "2", "--db", path, "-q")
        assert r"| a\|b " in server.ask("GET", "/api/tournaments/1/export?format=markdown",
                                        status=200).json.decode()
        shown, exported = (set(server.get("/api/tournaments/1" + more)) for more in ("", "/export"))
        assert shown - exported == {"recent", "state", "error"}
        with sqlite3.connect(path) as db:
            db.execute("UPDATE runs SET plan = '{}'")
        for ask in ("", "/export"):
            server.refused("GET", "/api/tournaments/1" + ask, 500, "store")
        with sqlite3.connect(path) as db:
            db.execute("ALTER TABLE runs RENAME TO away")
        for method, what in (("GET", ""), ("GET", "/events"), ("GET", "/export?format=csv"),
                             ("POST", "/stop"), ("POST", "/resume")):
            server.refused(method, "/api/tournaments/1" + what, 500, "store",
                           body={} if method == "POST" else None, token=server.owner)
        with sqlite3.connect(path) as db:
            db.execute("ALTER TABLE away RENAME TO runs")
        for method, what in (("GET", ""), ("GET", "/events"), ("GET", "/export"),
                             ("POST", "/stop"), ("POST", "/resume")):
            server.refused(method, "/api/tournaments/2" + what, 404, "not-found",
                           body={} if method == "POST" else None, token=server.owner)


def test_large_requests_are_rejected_early():
    with serving() as server:
        line = server.raw()
        line.sendall(b"POST /api/start HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Type: application/json\r\nContent-Length: 300000\r\n\r\n")
        assert b" 413 " in line.recv(4096).split(b"\r\n")[0]
        line.close()
        headers = server.raw()
        with contextlib.suppress(OSError):
            headers.sendall(b"GET /api/server HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 200000
                            + b"\r\n\r\n")
        assert b" 200 " not in read_all(headers)[:40]
        headers.close()
        odd = server.raw()
        odd.sendall(b"\x16\x03\x01 what is this\r\n\r\n")
        assert b" 200 " not in read_all(odd)[:40]
        odd.close()
        server.get("/api/server")


def test_slow_clients_are_disconnected():
    with serving("--patience", "1") as server:
        silent, half, trickling, body = (server.raw() for _ in range(4))
        half.sendall(b"GET /api/ser")
        body.sendall(b"POST /api/start HTTP/1.1\r\nHost: localhost\r\n"
                     b"Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{")
        trickling.sendall(b"GET /api/server HTTP/1.1\r\nHost: localhost\r\nX: ")
        begin = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() < begin + LONG:
                trickling.sendall(b"x")
                time.sleep(0.1)
        assert time.monotonic() - begin < LONG / 2, "a client that trickles was kept"
        for line in (silent, half, body, trickling):
            assert b" 200 " not in read_all(line)
            line.close()
        server.get("/api/server")


def test_an_unread_stream_is_dropped_and_the_others_continue():
    with serving("--patience", "1") as server:
        live, tokens = server.sit("bg", "@Ann", "@Bob", start="128x128")
        path = f"/api/live-games/{live['id']}"
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((server.host, server.port))
        deaf.sendall(f"GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        wait_until(lambda: server.get("/api/server")["n_streams"] == 1, "the stream is open")
        for ply in range(300):
            for side in (0, 1):
                server.post(path + "/moves", {"move": [], "n_moves": ply}, tokens[side],
                            status=202 if side == 0 else 200)
            if server.get("/api/server")["n_streams"] == 0:
                break
        wait_until(lambda: server.get("/api/server")["n_streams"] == 0,
                   "the deaf client is dropped")
        deaf.close()


def test_streams_of_disconnected_clients_end_soon():
    with serving() as server:
        live, _ = server.sit("wol", "@Ann", "@Bob")
        streams = [Stream(server, f"/api/live-games/{live['id']}/events") for _ in range(20)]
        for stream in streams:
            stream.wait(lambda seen: seen)
            stream.close()
        wait_until(lambda: server.get("/api/server")["n_streams"] == 0, "nobody is left")


def test_a_flood_of_requests_gets_429():
    with serving() as server:
        statuses = [server.ask("POST", "/api/live-games", {"game": "wol", "seats": PERSONS}).status
                    for _ in range(450)]
        assert statuses[:300] == [201] * 300 and 429 in statuses
        answer = server.ask("POST", "/api/live-games", {"game": "wol", "seats": PERSONS})
        if answer.status == 429:
            assert int(answer.headers["Retry-After"]) >= 1 and answer.json["error"] == "too-fast"
        server.get("/api/server")


def test_ipv4_clients_of_an_ipv6_socket_have_separate_rates():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::", 0))
            is_both = not probe.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    except OSError:
        is_both = False
    if not is_both or sys.platform != "linux":
        raise harness.Skip("no socket takes both kinds of addresses here")
    with serving("--listen", "::") as server:
        def make(source):
            line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONG,
                                              source_address=(source, 0))
            line.request("POST", "/api/live-games", json.dumps({"game": "wol", "seats": PERSONS}),
                         {"Content-Type": "application/json"})
            status = line.getresponse().status
            line.close()
            return status
        statuses = []
        while 429 not in statuses and len(statuses) < 1000:
            statuses.append(make("127.0.0.2"))
        assert statuses[-1] == 429
        assert make("127.0.0.3") == 201


def test_invalid_options_get_a_one_line_error():
    with serving() as server:
        refused("serve", "--port", str(server.port), saying=["in use", "--port"], cwd=server.folder)
    refused("serve", "--port", "0", "--listen", "nowhere", saying=["--listen", "0.0.0.0"])
    refused("serve", "--port", "0", "--allow", "nobody", saying=["--allow nobody"])
    refused("serve", "--port", "0", "--allow", "random", saying=["NAME=SPEC"])
    for spec in ("chess/x=random", "chess/random", "war-of-lyfe/deep=minimax:depth=3",
                 "x" * 5000 + "/x=random"):
        refused("serve", "--port", "0", "--allow", spec,
                saying=["--allow " + spec[:40], "there is no game", "war-of-life"])
    for host in ("", "a b", "arena.example.org:80", "http://arena.example.org", "a\tb", "x" * 300):
        refused("serve", "--port", "0", "--host", host, saying=["--host", "arena.example.org"])
    refused("serve", "--port", "0", "--db", "none", saying=["--db none"])
    refused("serve", "--port", "0", "--db", "/nowhere/x.db", saying=["/nowhere/x.db"])
    refused("serve", "--port", "70000", saying=["65535"])
    refused("serve", "now", saying=["turf serve"])


if __name__ == "__main__":
    harness.main()
