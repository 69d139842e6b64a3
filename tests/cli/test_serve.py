"""turf serve: games, positions, live games and streams, as docs/api.md has them."""
import json
import os
import signal
import socket
import sys

import harness
from web import Stream, play_out, serving, wait_until

GAMES = harness.games()
SHORT = {"ai-battleground": {"config": {"maxGameIterations": 12}}, "amoeba-wars": {"start": "5x5"}}


def test_the_page_is_served_with_an_etag_and_a_strict_policy():
    with serving() as server:
        page = server.ask("GET", "/", status=200)
        assert page.json.lstrip().lower().startswith(b"<!doctype html>")
        policy = page.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'"), policy
        assert "unsafe" not in policy, policy
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        again = server.ask("GET", "/", headers={"If-None-Match": page.headers["ETag"]}, status=304)
        assert again.json == b""
        head = server.ask("HEAD", "/", status=200)
        assert head.headers["Content-Length"] == str(len(page.json))


def ask_byte_by_byte(server, method, path, body=b""):
    """The status and the body of an answer; every byte of both goes by itself, through buffers as
    small as they get."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {server.host}\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with server.raw() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        for byte in head.encode() + body:
            connection.sendall(bytes([byte]))
        answer = bytearray()
        while byte := connection.recv(1):
            answer += byte
    head, _, content = bytes(answer).partition(b"\r\n\r\n")
    return int(head.split()[1]), content


def test_requests_and_responses_may_arrive_byte_by_byte():
    with serving() as server:
        assert ask_byte_by_byte(server, "GET", "/") == (200, server.ask("GET", "/").json)
        body = {"game": "squirrel-war",
                "seats": [{"kind": "person", "name": "Zo\u00eb"},
                          {"kind": "player", "player": "random"}]}
        status, content = ask_byte_by_byte(server, "POST", "/api/live-games",
                                           json.dumps(body, ensure_ascii=False).encode())
        live = json.loads(content)["live_game"]
        assert status == 201 and live["seats"][0]["name"] == "Zo\u00eb", content
        assert ask_byte_by_byte(server, "POST", "/api/live-games", b'{"game":')[0] == 400


def test_the_page_can_come_from_a_folder():
    with serving() as server:
        folder = os.path.join(server.folder, "page")
        os.mkdir(folder)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write("mine")
        with open(os.path.join(server.folder, "secret.html"), "w", encoding="utf-8") as file:
            file.write("not for you")
        os.symlink("../secret.html", os.path.join(folder, "link.html"))
        server.end()
        server.options = ("--page", folder)
        server.start()
        assert server.ask("GET", "/", status=200).json == b"mine"
        for path in ("/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html",
                     "//secret.html", "/link.html", "/.x.html"):
            server.refused("GET", path, 404, "not-found")


def test_games_are_listed_with_players_and_options():
    with serving("--allow", "mine=minimax:depth=3", "--allow", "wol/only=random") as server:
        games = {game["name"]: game for game in server.get("/api/games")["games"]}
        assert list(games) == GAMES
        players = {p["id"]: p for p in games["war-of-life"]["players"]}
        assert players["random"]["kind"] == "strategy" and players["random"]["options"] == []
        depth = players["minimax"]["options"][0]
        assert depth["name"] == "depth" and depth["default"] == 2 and depth["max"] <= 6, depth
        assert players["mine"]["kind"] == "allowed" and players["mine"]["options"] == []
        assert "only" in players
        assert "only" not in [p["id"] for p in games["squirrel-war"]["players"]]
        assert not any("bot" in p["id"] or "tcp" in p["id"] for game in games.values()
                       for p in game["players"])
        assert games["amoeba-wars"]["moves_per_turn"] == 3
        assert games["ai-battleground"]["is_simultaneous"]
        facts = server.get("/api/server")
        assert facts["n_open_games"] == 0 and facts["limits"]["body_bytes"] == 262144


def test_a_start_may_be_a_name_a_size_a_text_or_a_position():
    with serving() as server:
        first = server.post("/api/start", {"game": "wol", "seed": 7})
        again = server.post("/api/start", {"game": "war-of-life", "start": "random", "seed": 7})
        assert first == again and first["scores"] == [12, 12] and first["seed"] == 7
        small = server.post("/api/start", {"game": "amoeba-wars", "start": "4x4"})
        assert small["position"]["board"] == ["...X", "....", "....", "O..."]
        back = server.post("/api/start", {"game": "amoeba-wars", "start": small["position"]})
        assert back["position"] == small["position"]
        grid = server.post("/api/start", {"game": "ai-battleground", "start": "10x12",
                                          "config": {"ruleset": "classic", "startingCells": 9}})
        assert grid["position"]["config"]["ruleset"] == "classic"
        assert grid["position"]["cells"] == [9, 9]
        text = server.post("/api/start",
                           {"game": "wol",
                            "start": "/".join(["bb......"] + ["........"] * 6 + ["rr......"])})
        assert text["scores"] == [2, 2]
        server.refused("POST", "/api/start", 400, "bad-request",
                       {"game": "wol", "start": "nowhere"})
        virus = server.post("/api/start", {"game": "aw", "start": "6x10",
                                           "config": {"chains": True, "first": 2, "end": "stuck"}})
        assert virus["position"]["rules"] == {"chains": True, "steps": 3, "end": "stuck"}
        assert virus["moves_left"] == 2 and len(virus["position"]["board"][0]) == 10
        plain = server.post("/api/start", {"game": "aw", "start": "virus-war",
                                           "config": {"chains": False, "end": "score"}})
        assert plain["position"] == server.post("/api/start", {"game": "aw"})["position"]
        server.refused("POST", "/api/start", 400, "bad-request",
                       {"game": "aw", "config": {"steps": 9}})
        server.refused("POST", "/api/start", 400, "bad-request", {"game": "wol", "config": {}})


def test_moves_are_listed_with_their_effects():
    with serving() as server:
        board = ["XO***", "*O***", "*****", "*****", "*****"]
        position = {"values": [[20, 16, 1, 32, 30], [2, 3, 4, 5, 6], [7] * 5, [8] * 5, [9] * 5],
                    "board": board, "to_move": "X"}
        moves = {m["move"]: m for m in server.post("/api/moves",
                                                   {"game": "sw", "position": position})["moves"]}
        assert moves["A2"]["effect"] == {"kind": "raid", "taken": [[1, 1]], "points": 5}
        assert moves["A2"]["scores"] == [25, 16] and moves["A2"]["cells"] == [[1, 0]]
        assert moves["E5"]["effect"] == {"kind": "sneak", "taken": [], "points": 9}

        wol = {"board": ["........", "..b.....", "..b.....", "........", "........", "......rr",
                         "......rr", "........"],
               "to_move": "b", "moves_made": 0}
        step = server.post("/api/step", {"game": "wol", "position": wol, "move": [2, 3, 2, 4]})
        assert step["move"]["cells"] == [[1, 2], [1, 3]]
        assert step["move"]["effect"]["between"][1] == "...b...."
        assert step["move"]["effect"]["died"] == [[1, 3], [2, 2]]
        assert step["over"] == {"winner": 1, "outcome": "red", "reason": "rules",
                                "text": "red wins, 4 to 0"}
        crank = server.post("/api/step", {"game": "wol", "position": wol})
        assert crank["move"]["move"] is None and crank["scores"] == [0, 4]

        aw = {"board": ["OX", "O."], "to_move": "O", "moves_left": 2, "killed": {"O": 0, "X": 0}}
        kinds = {m["move"]: m["effect"]["kind"]
                 for m in server.post("/api/moves", {"game": "aw", "position": aw})["moves"]}
        assert kinds == {"B2": "kill", "B1": "spread"}


def test_reach_collisions_and_the_illegal_cell_are_reported():
    with serving() as server:
        start = server.post("/api/start", {"game": "bg", "start": "8x8"})
        moves = server.post("/api/moves", {"game": "bg", "position": start["position"]})
        assert len(moves["reach"]) == 8 and set("".join(moves["reach"])) <= set("123.")
        both = next([r, c] for r, row in enumerate(moves["reach"]) for c,
                    x in enumerate(row) if x == "3")
        step = server.post("/api/step",
                           {"game": "bg", "position": start["position"],
                            "move": {"1": [both], "2": [both]}})
        assert step["move"]["effect"]["collisions"] == [both]
        assert step["move"]["effect"]["placed"] == [[both], [both]]
        assert step["move"]["effect"]["between"] == start["position"]["board"]
        assert step["position"]["iteration"] == 1
        live = next([r, c] for r, row in enumerate(start["position"]["board"]) for c,
                    x in enumerate(row) if x == "1")
        bad = server.ask("POST", "/api/step",
                         {"game": "bg", "position": start["position"],
                          "move": {"2": [both, live]}}, status=422)
        assert bad.json["error"] == "illegal-move" and bad.json["side"] == 1, bad.json
        assert bad.json["cell"] == 1, bad.json


def test_a_player_can_be_asked_about_any_position():
    with serving() as server:
        for game in GAMES:
            start = server.post("/api/start", {"game": game, "seed": 3})
            answer = server.post("/api/choose",
                                 {"game": game, "position": start["position"],
                                  "player": "land-grab", "all": True})
            assert answer["moves"] and answer["moves"][0]["effect"], answer
            for move in answer["moves"]:
                server.post("/api/step",
                            {"game": game, "position": start["position"], "move": move["move"]})
        full = {"values": [[1] * 5] * 5, "board": ["XXXXX"] * 5, "to_move": "X"}
        assert server.post("/api/choose",
                           {"game": "sw", "position": full, "player": "random"})["moves"] == []


def test_every_game_is_played_to_its_end_by_two_people():
    with serving() as server:
        for game in GAMES:
            live, tokens = server.sit(game, "@Ann", "@Bob", **SHORT.get(game, {}))
            assert all(len(token) == 32 for token in tokens) and tokens[0] != tokens[1]
            stream = Stream(server, f"/api/live-games/{live['id']}/events")
            view = play_out(server, live, tokens)
            assert view["over"]["reason"] == "rules" and view["mover"] is None
            events = stream.wait(lambda seen: any(e.type == "move" and e.data["over"]
                                                  for e in seen))
            moves = [e.data for e in events if e.type == "move"]
            assert events[0].type == "snapshot"
            assert [m["ply"] for m in moves] == list(range(1, view["n_moves"] + 1))
            assert [e.number for e in events] == list(range(len(events)))
            assert moves[-1]["position"] == view["position"]
            stream.close()


def test_players_answer_and_can_play_each_other():
    with serving() as server:
        for game in GAMES:
            live, tokens = server.sit(game, "@Ann", "random", **SHORT.get(game, {}))
            assert tokens[1] is None
            view = play_out(server, live, tokens)
            assert view["over"]["reason"] == "rules", view["over"]
        show, tokens = server.sit("wol", "land-grab", "random", delay_ms=0)
        assert tokens == [None, None]
        events = Stream(server, f"/api/live-games/{show['id']}/events").wait(
            lambda seen: seen[-1:] and seen[-1].data.get("over"))
        assert events[-1].data["over"]["reason"] == "rules"


def test_the_levels_are_listed_first_and_play_every_game():
    with serving() as server:
        for game in server.get("/api/games")["games"]:
            levels = [p for p in game["players"] if p["kind"] == "level"]
            assert levels == game["players"][: len(levels)] and len(levels) > 1
            assert [p["level"] for p in levels] == list(range(1, len(levels) + 1))
            live, tokens = server.sit(game["name"], "@Ann", levels[1]["id"],
                                      **SHORT.get(game["name"], {}))
            assert live["seats"][1]["name"] == "level 2"
            play_out(server, live, tokens)
            start = server.post("/api/start", {"game": game["name"], "seed": 1})["position"]
            asked = server.ask("POST", "/api/choose",
                               {"game": game["name"], "position": start,
                                "player": levels[-1]["id"]})
            # The highest level may take longer than the server lets it, on a machine that has much
            # else to do.
            if asked.status == 200:
                assert len(asked.json["moves"]) == 1, asked.json
            else:
                assert asked.json["error"] == "full", asked.json


def test_a_move_comes_with_the_legal_moves_of_the_person_who_is_next():
    with serving() as server:
        for game in GAMES:
            key, given = ("reach",
                          "reach") if game == "ai-battleground" else ("moves", "legal_moves")
            live, tokens = server.sit(game, "@Ann", "@Bob", **SHORT.get(game, {}))
            path = f"/api/live-games/{live['id']}"
            asked = server.get(path + "/moves")
            assert live[given] == asked[key], game
            move = [] if key == "reach" else asked["moves"][0]["move"]
            if key == "reach":
                server.post(path + "/moves", {"move": []}, tokens[1], status=202)
            answer = server.post(path + "/moves", {"move": move}, tokens[0])
            assert answer[given] == server.get(path + "/moves")[key], game
        # A player needs no list, and a long list is left to be asked for.
        live, tokens = server.sit("sw", "@Ann", "land-grab", seed=1)
        stream = Stream(server, f"/api/live-games/{live['id']}/events")
        assert "legal_moves" not in server.post(f"/api/live-games/{live['id']}/moves",
                                                {"move": "C3"}, tokens[0])
        moves = [e.data for e in stream.wait(lambda seen: sum(e.type == "move" for e in seen) == 2)
                 if e.type == "move"]
        assert moves[1]["legal_moves"] and "legal_moves" not in moves[0]
        stream.close()
        board = ["".join(" O"[(r + c) % 2] for c in range(26)).replace(" ", ".") for r in range(26)]
        large = {"board": board[:-1] + ["X" + board[-1][1:]], "to_move": "O", "moves_left": 3,
                 "killed": {"O": 0, "X": 0}}
        live, tokens = server.sit("aw", "@Ann", "@Bob", start=large)
        assert "legal_moves" not in live
        assert len(server.get(f"/api/live-games/{live['id']}/moves")["moves"]) > 200


def test_undo_gains_no_time():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "land-grab", seed=1,
                                  clock={"initial_ms": 600000, "gain_ms": 600000})
        path = f"/api/live-games/{live['id']}"
        for _ in range(3):
            server.post(path + "/moves", {"move": "C3"}, tokens[0])
            wait_until(lambda: server.get(path)["n_moves"] == 2, "the player moves")
            assert min(server.get(path)["clock"]["left_ms"]) > 600000
            assert max(server.post(path + "/undo", {}, tokens[0])["clock"]["left_ms"]) <= 600000


def test_undo_inside_a_turn_and_against_a_player():
    with serving() as server:
        live, tokens = server.sit("aw", "@Ann", "@Bob", start="5x5")
        path = f"/api/live-games/{live['id']}"
        server.post(path + "/moves", {"move": "B2"}, tokens[0])
        server.refused("POST", path + "/undo", 409, "nothing-to-undo", {}, token=tokens[0])
        server.post(path + "/moves", {"move": "D4"}, tokens[1])
        two = server.post(path + "/moves", {"move": "C4"}, tokens[1])
        assert two["moves_left"] == 1 and two["can_undo"] == [False, True]
        undone = server.post(path + "/undo", {}, tokens[1])
        assert undone["n_moves"] == 2 and undone["moves_left"] == 2 and undone["scores"] == [2, 2]
        server.post(path + "/moves", {"move": "C3"}, tokens[1])
        assert [m["move"] for m in server.get(path)["moves"]] == ["B2", "D4", "C3"]

        alone, tokens = server.sit("sw", "@Ann", "land-grab", seed=5)
        path = f"/api/live-games/{alone['id']}"
        server.post(path + "/moves", {"move": "C3"}, tokens[0])
        wait_until(lambda: server.get(path)["n_moves"] == 2, "the player moves")
        undone = server.post(path + "/undo", {}, tokens[0])
        assert undone["n_moves"] == 0 and undone["position"] == alone["start"]


def test_both_tokens_together_undo_the_last_move_of_either_side():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}"
        both = {"other": tokens[1]}
        server.refused("POST", path + "/undo", 409, "nothing-to-undo", both, token=tokens[0])
        server.post(path + "/moves", {"move": server.get(path + "/moves")["moves"][0]["move"]},
                    tokens[0])
        for other in ({}, {"other": tokens[0]}, {"other": "nobody's"}):
            server.refused("POST", path + "/undo", 409, "nothing-to-undo", other, token=tokens[0])
        undone = server.post(path + "/undo", both, tokens[0])
        assert undone["n_moves"] == 0 and undone["position"] == live["start"]


def test_both_tokens_together_undo_a_commitment_first():
    with serving() as server:
        live, tokens = server.sit("bg", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}"
        both = {"other": tokens[1]}
        for n_moves in (0, 1):
            server.post(path + "/moves", {"move": []}, tokens[0], status=202)
            undone = server.post(path + "/undo", both, tokens[0])
            assert (undone["n_moves"], undone["pending"]) == (n_moves, [False, False])
            # What was taken back is not half of the next turn.
            server.post(path + "/moves", {"move": []}, tokens[1], status=202)
            turned = server.post(path + "/moves", {"move": []}, tokens[0])
            assert turned["n_moves"] == n_moves + 1
        server.post(path + "/moves", {"move": []}, tokens[1], status=202)
        server.post(path + "/undo", both, tokens[0])
        server.end(signal.SIGKILL)
        server.start()
        assert server.get(path)["pending"] == [False, False] and server.get(path)["n_moves"] == 2
        assert server.post(path + "/undo", both, tokens[0])["n_moves"] == 1


def test_births_in_war_of_life_name_their_side():
    with serving() as server:
        start = "......../.bb...rr/.b....r./......../......../......../......../........"
        position = server.post("/api/start", {"game": "wol", "start": start})["position"]
        effect = server.post("/api/step", {"game": "wol", "position": position})["move"]["effect"]
        assert effect["born"] == [[2, 2], [2, 7]] and effect["born_to"] == [0, 1]
        assert effect["died"] == []


def test_two_people_agree_on_a_draw():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}"
        offer = lambda side, **more: server.post(path + "/offers", {"kind": "draw", **more},
                                                 tokens[side])
        assert offer(0) == {"offers": {"draw": [True, False], "takeback": [False, False]}}
        server.post(path + "/moves", {"move": "A1"}, tokens[0])
        assert server.get(path)["offers"]["draw"] == [True, False], "one's own move leaves it"
        assert server.end(signal.SIGKILL) != 0
        server.start()
        assert server.get(path)["offers"]["draw"] == [True, False], "a restart too"
        server.post(path + "/moves", {"move": "B1"}, tokens[1])
        assert server.get(path)["offers"]["draw"] == [False, False], "a reply declines it"
        offer(0)
        assert offer(1, is_declined=True)["offers"]["draw"] == [False, False]
        offer(1)
        over = offer(0)["over"]
        assert (over["winner"], over["outcome"], over["reason"]) == (None, "draw", "agreed"), over
        assert server.post(path + "/offers", {"kind": "draw"}, tokens[0], status=409)


def test_a_takeback_needs_the_other_person():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}"
        ask = lambda side, **more: server.post(path + "/offers", {"kind": "takeback"},
                                               tokens[side], **more)
        assert ask(0, status=409)["error"] == "nothing-to-undo"
        server.post(path + "/moves", {"move": "A1"}, tokens[0])
        server.post(path + "/moves", {"move": "B1"}, tokens[1])
        stream = Stream(server, path + "/events")
        assert ask(0)["offers"]["takeback"] == [True, False]
        assert ask(1)["n_moves"] == 0, "the move and the reply to it"
        kinds = [event.type for event in stream.wait(lambda events: len(events) >= 3)]
        assert kinds == ["snapshot", "offers", "undo"], kinds
        live, tokens = server.sit("sw", "@Ann", "random")
        path = f"/api/live-games/{live['id']}"
        assert ask(0, status=409)["error"] == "no-person"
        wrong = server.post(path + "/offers", {"kind": "peace"}, tokens[0], status=400)
        assert "draw or takeback" in wrong["message"]


def test_visitors_do_not_read_the_folders_of_bots():
    with serving() as server:
        folder = os.path.join(server.folder, "private-things")
        os.mkdir(folder)
        bot = os.path.join(folder, "bot.py")
        with open(bot, "w", encoding="utf-8") as file:
            file.write("import json, sys\nfor line in sys.stdin:\n"
                       "    print(json.dumps({'move': json.loads(line)['moves'][0]}),"
                       " flush=True)\n")
        command = f"bot:{sys.executable} {bot}"
        harness.turf("tournament", "sw", "random", command, f"x={command}", "-n", "1",
                     "--db", os.path.join(server.folder, "games.db"))
        texts = [json.dumps(server.get(path)) for path in
                 ("/api/tournaments", "/api/tournaments/1", "/api/history")]
        texts += [str(server.ask("GET", f"/api/tournaments/1/export?format={form}").json)
                  for form in ("json", "csv", "markdown", "html")]
        for text in texts:
            assert "private" not in text and folder not in text and "/bin/" not in text, text
        framed = server.ask("GET", "/api/tournaments/1/export?format=html&inline=1")
        assert "inline" in framed.headers["Content-Disposition"]
        assert "frame-ancestors 'self'" in framed.headers["Content-Security-Policy"]
        assert "script" not in framed.headers["Content-Security-Policy"]


def test_resigning_ends_the_game_and_a_rematch_swaps_sides():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}"
        stream = Stream(server, path + "/events")
        server.refused("POST", path + "/rematch", 409, "busy", {}, token=tokens[0])
        over = server.post(path + "/resign", {}, tokens[1])["over"]
        assert over["winner"] == 0 and over["reason"] == "resigned"
        server.refused("POST", path + "/moves", 409, "over", {"move": [1, 1, 1, 2]},
                       token=tokens[0])
        first = server.post(path + "/rematch", {}, tokens[0])["rematch"]
        assert first == {"offered": [True, False], "id": None}
        second = server.post(path + "/rematch", {}, tokens[1])["rematch"]
        next_path = f"/api/live-games/{second['id']}"
        assert server.get(next_path)["parent"] == live["id"]
        assert [seat["name"] for seat in server.get(next_path)["seats"]] == ["Bob", "Ann"]
        assert server.get(next_path + "/seat", token=tokens[0])["side"] == 1
        events = stream.wait(lambda seen: [e.type for e in seen].count("rematch") == 2)
        assert [e.type for e in events] == ["snapshot", "over", "rematch", "rematch"]


def test_clocks_start_when_both_seats_are_taken_and_run_out():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob", clock={"initial_ms": 1000, "gain_ms": 0})
        path = f"/api/live-games/{live['id']}"
        stream = Stream(server, path + "/events")
        assert server.ask("PUT", path + "/seat", {"name": "Ann"}, tokens[0],
                          status=200).json == {"side": 0, "name": "Ann"}
        assert server.get(path)["clock"]["running"] == [False, False]
        server.ask("PUT", path + "/seat", {"name": "Robert"}, tokens[1], status=200)
        assert server.get(path)["clock"]["running"] == [True, False]
        assert [seat["name"] for seat in server.get(path)["seats"]] == ["Ann", "Robert"]
        over = stream.wait(lambda seen: any(e.type == "over" for e in seen))[-1].data
        assert over["over"]["reason"] == "time" and over["over"]["winner"] == 1
        assert over["clock"]["left_ms"][0] == 0 and over["clock"]["running"] == [False, False]


def test_committing_stops_the_clock_and_is_published():
    with serving() as server:
        live, tokens = server.sit("bg", "@Ann", "@Bob", clock={"initial_ms": 900000, "gain_ms": 0})
        path = f"/api/live-games/{live['id']}"
        for token in tokens:
            server.ask("PUT", path + "/seat", {}, token, status=200)
        stream = Stream(server, path + "/events")
        half = server.post(path + "/moves", {"move": []}, tokens[1], status=202)
        assert half["pending"] == [False, True] and half["clock"]["running"] == [True, False], half
        assert half["clock"]["left_ms"][1] <= 900000 and half["clock"]["initial_ms"] == 900000
        assert stream.wait_for("pending").data == half


def test_late_subscribers_get_current_clocks():
    with serving() as server:
        live, tokens = server.sit("wol", "@Ann", "@Bob", seed=1, clock={"initial_ms": 3600000})
        path = f"/api/live-games/{live['id']}"
        for token in tokens:
            server.ask("PUT", path + "/seat", {}, token, status=200)

        def left(clock):
            return sum(clock["left_ms"])

        def wait_for_less_than(shown):
            wait_until(lambda: left(server.get(path)["clock"]) < left(shown) - 20, "the clock runs")
            return server.get(path)["clock"]

        first = Stream(server, path + "/events").wait(lambda events: events)[0].data["clock"]
        later = wait_for_less_than(first)
        second = Stream(server, path + "/events").wait(lambda events: events)[0].data["clock"]
        assert left(second) <= left(later)
        seen = server.get(path)["event"]
        moved = server.post(path + "/moves",
                            {"move": server.get(path + "/moves")["moves"][0]["move"]}, tokens[0])
        later = wait_for_less_than(moved["clock"])
        for stream in (Stream(server, f"{path}/events?after={seen}"),
                       Stream(server, path + "/events", last=seen)):
            missed = stream.wait(lambda events: events)[0]
            assert missed.data["n_moves"] == 1, missed.data
            assert left(missed.data["clock"]) <= left(later), missed.data


def test_a_stream_resumes_after_the_last_event_seen():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1)
        path = f"/api/live-games/{live['id']}"
        stream = Stream(server, path + "/events")
        for i, square in enumerate(["A1", "B1", "C1"]):
            server.post(path + "/moves", {"move": square}, tokens[i % 2])
        seen = stream.wait(lambda events: sum(e.type == "move" for e in events) == 3)
        stream.close()
        for i, square in enumerate(["D1", "E1"]):
            server.post(path + "/moves", {"move": square}, tokens[(i + 1) % 2])
        later = Stream(server, path + "/events",
                       last=seen[-1].id).wait(lambda events: len(events) == 2)
        assert [e.data["move"] for e in later] == ["D1", "E1"]
        assert later[0].number == seen[-1].number + 1
        after = Stream(server,
                       path + "/events?after=" + seen[-1].id).wait(lambda events: len(events) == 2)
        assert [e.id for e in after] == [e.id for e in later]
        for unknown in ("12345678-1", "x", seen[-1].id + "99"):
            fresh = Stream(server, path + "/events",
                           last=unknown).wait(lambda events: len(events) == 1)
            assert fresh[0].type == "snapshot" and fresh[0].data["n_moves"] == 5


def test_the_list_of_live_games_is_published():
    with serving() as server:
        stream = Stream(server, "/api/live")
        assert stream.wait(lambda seen: len(seen) == 1)[0].data == {"live_games": [], "gone": []}
        live, tokens = server.sit("sw", "@Ann", "@Bob", seed=1)
        server.sit("sw", "@Ann", "@Bob", is_listed=False)
        told = stream.wait(lambda seen: len(seen) == 2)[1].data["live_games"]
        assert [s["id"] for s in told] == [live["id"]] and told[0]["board"] == ["*****"] * 5
        assert told[0]["values"]
        server.post(f"/api/live-games/{live['id']}/moves", {"move": "A1"}, tokens[0])
        moved = stream.wait(lambda seen: any(s["n_moves"] == 1 for e in seen
                                             for s in e.data["live_games"]))[-1]
        assert moved.data["live_games"][0]["mover"] == 1
        playing = server.get("/api/live-games?state=playing&game=sw")["live_games"]
        assert [s["id"] for s in playing] == [live["id"]]
        assert server.get("/api/live-games?state=over")["live_games"] == []


if __name__ == "__main__":
    harness.main()
