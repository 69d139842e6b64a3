"""How much of turf serve one client can take: games, streams, threads that think, processes of
bots; and its options in a file."""
import contextlib
import json
import os
import resource
import sqlite3
import sys
import threading

import harness
from harness import refused
from web import Stream, other_addresses, play_out, serving, wait_until

PERSONS = [{"kind": "person"}, {"kind": "person"}]
GAME = {"game": "sw", "seats": PERSONS}

# Notes how many of its kind are alive whenever one is started.
COUNTING_BOT = """import json, os, sys
def is_alive(pid):
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True
open(os.path.join({folder!r}, str(os.getpid())), "w").close()
n_alive = sum(is_alive(pid) for pid in os.listdir({folder!r}))
with open({notes!r}, "a", encoding="utf-8") as notes:
    notes.write(str(n_alive) + chr(10))
for line in sys.stdin:
    print(json.dumps({{"move": json.loads(line)["moves"][0]}}), flush=True)
"""


def open_games(server):
    return server.get("/api/server")["n_open_games"]


def make(server, source):
    return server.ask("POST", "/api/live-games", GAME, source=source)


def test_one_address_gets_half_of_the_games_and_later_addresses_find_room():
    a, b, c, d, e, _ = other_addresses()
    with serving("--max-games", "8") as server:
        assert server.get("/api/server")["limits"]["open_games"] == 8
        made = [make(server, a) for _ in range(4)]
        assert [answer.status for answer in made] == [201] * 4
        response = make(server, a)
        assert response.status == 503 and response.json["error"] == "full"
        assert "your address" in response.json["message"]
        assert int(response.headers["Retry-After"]) > 0
        assert [make(server, b).status for _ in range(3)] == [201, 201, 503]
        assert [make(server, c).status for _ in range(2)] == [201, 503]
        assert [make(server, d).status for _ in range(2)] == [201, 503]
        full = make(server, e)
        assert full.status == 503 and "8 games" in full.json["message"], full.json
        first = made[0].json
        path = f"/api/live-games/{first['live_game']['id']}"
        server.refused("POST", path + "/rematch", 503, "full", {}, token=first["tokens"][0],
                       source=e)
        server.post(path + "/resign", {}, first["tokens"][0])
        assert open_games(server) == 7 and make(server, e).status == 201 and open_games(server) == 8


def test_a_request_that_fails_holds_no_slot():
    with serving("--max-games", "4") as server:
        for _ in range(6):
            server.refused("POST", "/api/live-games", 404, "not-found",
                           {"game": "chess", "seats": PERSONS})
            server.refused("POST", "/api/live-games", 400, "bad-request",
                           {"game": "sw", "seats": []})
        live, tokens = server.sit("sw", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}"
        server.post(path + "/resign", {}, tokens[0])
        for _ in range(6):
            server.post(path + "/rematch", {}, tokens[0])
            server.refused("POST", path + "/rematch", 403, "bad-token", {}, token="0" * 32)
        assert open_games(server) == 0
        server.post(path + "/rematch", {}, tokens[1])
        assert open_games(server) == 1


def test_unstarted_games_make_room_and_games_being_played_do_not():
    with serving("--max-games", "5") as server:
        begun, tokens = server.sit("sw", "@Ann", "@Bob")
        server.post(f"/api/live-games/{begun['id']}/moves", {"move": "C3"}, tokens[0])
        forgotten = server.sit("sw", "@Ann", "@Bob")[0]["id"]
        older = server.sit("sw", "@Ann", "@Bob")[0]["id"]
        server.refused("POST", "/api/live-games", 503, "full", GAME)
        server.end()
        with sqlite3.connect(os.path.join(server.folder, "games.db")) as db:
            for number, name in enumerate((begun["id"], older, forgotten)):
                db.execute("UPDATE sittings SET updated = updated - ? WHERE id = ?",
                           (7200000 - 60000 * number, name))
        db.close()
        server.start()
        assert open_games(server) == 3
        assert make(server, None).status == 201, "two were free, and one of them is left for others"
        assert open_games(server) == 4, "two were free, and one of them is left for others"
        watched = Stream(server, f"/api/live-games/{older}/events")
        watched.wait(lambda events: events)
        assert make(server, None).status == 201 and open_games(server) == 4
        over = server.get(f"/api/live-games/{forgotten}")["over"]
        assert over["reason"] == "abandoned" and over["winner"] is None, over
        assert "nobody came" in over["text"], over
        server.refused("POST", "/api/live-games", 503, "full", GAME)
        for name in (begun["id"], older):
            assert not server.get(f"/api/live-games/{name}")["over"]
        watched.close()


def test_one_address_gets_half_of_the_streams():
    a, b, *_ = other_addresses()
    with serving("--max-streams", "8") as server:
        live, _ = server.sit("sw", "@Ann", "@Bob")
        path = f"/api/live-games/{live['id']}/events"
        streams = [Stream(server, path, source=a)
                   for _ in range(3)] + [Stream(server, "/api/live", source=a)]
        for where in (path, "/api/live"):
            assert "your address" in server.refused("GET", where, 503, "full", source=a)
        streams += [Stream(server, path, source=b) for _ in range(2)]
        server.refused("GET", path, 503, "full", source=b)
        assert server.get("/api/server")["n_streams"] == 6
        for stream in streams:
            stream.close()
        wait_until(lambda: server.get("/api/server")["n_streams"] == 0, "places are given back")
        Stream(server, path, source=a).close()


def moves_of(server, live_games):
    return sum(server.get(f"/api/live-games/{s['id']}")["n_moves"] for s in live_games)


def test_a_person_gets_answers_while_many_background_games_think():
    with serving() as server:
        slow = "alphabeta time=5000"
        shows = [server.sit("aw", slow, slow, start="12x12", delay_ms=0)[0] for _ in range(40)]
        live, tokens = server.sit("sw", "@Ann", "land-grab", seed=3)
        assert play_out(server, live, tokens)["over"]["reason"] == "rules"
        # By turns with the shows, each of the twelve answers would have come after some forty moves
        # of theirs.
        assert moves_of(server, shows) < 200


def test_queued_questions_of_one_address_leave_room_for_another():
    a, b, *_ = other_addresses()
    with serving() as server:
        start = server.post("/api/start", {"game": "aw", "start": "12x12"})["position"]
        body = {"game": "aw", "position": start, "player": "alphabeta", "options": {"time": 1000}}
        statuses = []

        def flood():
            with contextlib.suppress(OSError):  # the server was leaving
                statuses.append(server.ask("POST", "/api/choose", body, source=a).status)

        threads = [threading.Thread(target=flood) for _ in range(30)]
        for thread in threads:
            thread.start()
        wait_until(lambda: 503 in statuses or not any(thread.is_alive() for thread in threads),
                   "its part of the queue is full")
        server.ask("POST", "/api/choose", dict(body, player="random", options={}), source=b,
                   status=200)
        server.end()
        for thread in threads:
            thread.join()
        assert set(statuses) <= {200, 503}


def write_counting_bot(server):
    folder, notes, program = (os.path.join(server.folder, name)
                              for name in ("pids", "notes", "bot.py"))
    os.mkdir(folder)
    with open(program, "w", encoding="utf-8") as file:
        file.write(COUNTING_BOT.format(folder=folder, notes=notes))
    return f"bot:{sys.executable} {program}", notes


def test_max_bots_is_respected_and_every_bot_gets_its_turn():
    with serving() as server:
        bot, notes = write_counting_bot(server)
        server.end()
        server.options = ("--sandbox", "off", "--max-bots", "2", "--allow", "good=" + bot)
        server.start()
        assert server.get("/api/server")["limits"]["bots"] == 2
        games = [server.sit("sw", "@Ann", "good", seed=2) for _ in range(3)]
        show = server.sit("sw", "good", "good", seed=2, delay_ms=0)[0]
        for live, tokens in games:
            server.post(f"/api/live-games/{live['id']}/moves", {"move": "C3"}, tokens[0])

        def has_come_to(live, n_moves):
            # On a very busy machine the interpreter alone may take longer than a bot has for a
            # move.
            now = server.get(f"/api/live-games/{live['id']}")
            return now["n_moves"] >= n_moves or now["over"]

        for live, _ in games:
            wait_until(lambda: has_come_to(live, 2), "each bot gets a turn")
            assert server.get("/api/server")["n_bots"] <= 2
        wait_until(lambda: has_come_to(show, 3), "the show goes on")
        live, tokens = games[0]
        server.ask("POST", f"/api/live-games/{live['id']}/moves", {"move": "E5"}, tokens[0])
        wait_until(lambda: has_come_to(live, 4), "a bot that had to go comes back")
        with open(notes, encoding="utf-8") as file:
            counts = [int(line) for line in file]
        assert len(counts) >= 5 and max(counts) <= 2, counts


def limit_files(most):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def test_too_few_open_files_for_the_bots_is_a_startup_error():
    refused("serve", "--port", "0", "--sandbox", "off", "--allow", "x=bot:cat", "--max-bots", "200",
            saying=["open files", "ulimit", "--max-bots"], preexec_fn=limit_files(400))
    refused("serve", "--port", "0", saying=["open files"], preexec_fn=limit_files(150))


def write_config(folder, config):
    path = os.path.join(folder, "serve.json")
    with open(path, "w", encoding="utf-8") as file:
        file.write(config if isinstance(config, str) else json.dumps(config))
    return path


def test_typed_options_override_the_config_file():
    with serving() as server:
        path = write_config(server.folder,
                            {"port": 1, "host": ["arena.example"],
                             "allow": ["mine=minimax:depth=3"],
                                            "max-games": 7, "max-streams": 9, "quiet": True})
        server.end()
        server.options = ("--config", path, "--max-games", "6", "--allow", "also=random")
        server.start()
        limits = server.get("/api/server", headers={"Host": "arena.example"})["limits"]
        assert limits["open_games"] == 6 and limits["streams"] == 9
        players = [p["id"] for p in server.get("/api/games")["games"][0]["players"]
                   if p["kind"] == "allowed"]
        assert sorted(players) == ["also", "mine"]


def test_a_bad_config_file_is_rejected_in_one_line():
    folder = harness.FOLDER
    for config, saying in (("{\n\"port\": }", ["line 2", "JSON"]), ("[]", ["object"]),
                           ({"ports": 1}, ["ports", "turf help serve"]),
                           ({"port": "x"}, ['"port"', "65535"]),
                           ({"port": 70000}, ['"port"', "65535"]), ({"port": -1}, ["65535"]),
                           ({"allow": "mine=random"}, ['"allow"', "list"]),
                           ({"host": [1]}, ['"host"', "list"]),
                           ({"listen": 7}, ['"listen"', "string"]),
                           ({"listen": "nowhere"}, ["nowhere"]), ({"quiet": 1}, ["true or false"]),
                           ({"allow": ["x=nobody"]}, ["nobody"]), ({"config": "x"}, ["config"]),
                           ({"games": 3}, ["games"]),
                           ('{"port":0,"port":1}', ["port"]), ('\ufeff{"ports":1}', ["ports"])):
        path = write_config(folder, config)
        line = refused("serve", "--config", path, saying=saying)
        assert "serve.json" in line or "nowhere" in line or "nobody" in line, line
    refused("serve", "--config", os.path.join(folder, "missing.json"), saying=["missing.json"])


def test_a_missing_page_folder_is_a_startup_error():
    folder = harness.FOLDER
    refused("serve", "--port", "0", "--page", os.path.join(folder, "missing"),
            saying=["--page", "missing"])
    refused("serve", "--port", "0", "--page", folder, saying=["--page", "index.html"])
    refused("serve", "--port", "0", "--page", os.path.abspath(__file__), saying=["--page"])


def test_an_invalid_allow_option_says_why():
    line = refused("serve", "--port", "0", "--allow", "foo",
                   saying=["--allow foo", "there is no player 'foo'", "conqueror", "perfect"])
    assert not any(game in line for game in ("squirrel-war", "war-of-life")), line
    refused("serve", "--port", "0", "--allow", "wol/perfect",
            saying=["--allow wol/perfect", "war-of-life"])
    refused("serve", "--port", "0", "--allow", "x=conqueror:depth=1",
            saying=["conqueror has no option 'depth'"])
    refused("serve", "--port", "0", "--allow", "minimax:depth=99", saying=["depth=99", "20"])


if __name__ == "__main__":
    harness.main()
