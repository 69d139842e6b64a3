"""One address that keeps turf serve busy: the others do not notice, and it is told to wait."""
import http.client
import threading
import time

import harness
from web import LONG, Stream, other_addresses, serving, wait_until

SHOW = {"game": "bg", "start": "128x128", "delay_ms": 0, "config": {"maxGameIterations": 10000},
        "seats": [{"kind": "player", "player": "settler"}, {"kind": "player", "player": "settler"}]}


def long_game(server, n_turns):
    """A game on the largest board, in which both sides pass."""
    live, tokens = server.sit("bg", "@Ann", "@Bob", start="128x128")
    path = f"/api/live-games/{live['id']}"
    for turn in range(n_turns):
        for side in (0, 1):
            server.post(path + "/moves", {"move": [], "n_moves": turn}, tokens[side],
                        status=200 if side else 202)
    return path


def test_a_client_that_loops_costly_requests_is_told_to_wait_and_the_others_are_not():
    a, b, *_ = other_addresses()
    enough = 20000  # requests, if costs were not charged
    with serving() as server:
        path = long_game(server, 100) + "/frames?from=50&n=50"
        statuses = []

        def loop():  # does not look at the answers, which would take longer than making them
            line = http.client.HTTPConnection(server.host, server.port, timeout=LONG,
                                              source_address=(a, 0))
            while 429 not in statuses[-100:] and len(statuses) < enough:
                line.request("GET", path)
                answer = line.getresponse()
                answer.read()
                statuses.append(answer.status)
            line.close()

        threads = [threading.Thread(target=loop) for _ in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            server.get("/api/server", source=b)
            server.get(path.replace("n=50", "n=1"), source=b)
            time.sleep(0.01)
        for thread in threads:
            thread.join()
        assert set(statuses) <= {200, 429, 503} and 429 in statuses, set(statuses)
        server.get(path, source=b)


def games(server):
    return {game["id"]: game for game in server.get("/api/live-games")["live_games"]}


def test_games_of_players_pause_while_nobody_watches():
    with serving() as server:
        ids = [server.post("/api/live-games", SHOW, status=201)["live_game"]["id"]
               for _ in range(3)]
        # The list does not count as watching.
        wait_until(lambda: all(games(server)[name]["is_paused"] for name in ids), "they pause")
        before = games(server)

        def assert_paused(*names):
            """They stand still, but for a turn that was in the making when they paused."""
            now = games(server)
            for name in names:
                assert now[name]["is_paused"], now[name]
                assert now[name]["n_moves"] <= before[name]["n_moves"] + 1, now[name]

        for _ in range(10):
            time.sleep(0.05)
            assert_paused(*ids)
        stream = Stream(server, f"/api/live-games/{ids[0]}/events")
        stream.wait(lambda events: sum(event.type == "move" for event in events) >= 3)
        assert not games(server)[ids[0]]["is_paused"]
        assert_paused(*ids[1:])
        n_moves = server.get(f"/api/live-games/{ids[1]}")["n_moves"]  # somebody looks
        wait_until(lambda: games(server)[ids[1]]["n_moves"] > n_moves, "it goes on")
        stream.close()
        server.end()
        server.start()
        assert_paused(ids[2])  # nobody has looked since the start


def test_clocks_of_a_paused_game_stand():
    with serving() as server:
        show = dict(SHOW, clock={"initial_ms": 3600000}, delay_ms=10000)
        name = server.post("/api/live-games", show, status=201)["live_game"]["id"]
        wait_until(lambda: games(server)[name]["is_paused"], "it pauses")
        server.end()
        server.start()
        stream = Stream(server, f"/api/live-games/{name}/events")
        seen = stream.wait_for("snapshot").data
        assert seen["clock"]["running"] == [True, True] and not seen["is_paused"], "it is watched"
        assert min(seen["clock"]["left_ms"]) > 3000000
        stream.close()


def test_a_game_with_a_person_goes_on_unwatched():
    with serving() as server:
        live, tokens = server.sit("sw", "@Ann", "land-grab", seed=3)
        server.post(f"/api/live-games/{live['id']}/moves", {"move": "C3"}, tokens[0])
        wait_until(lambda: games(server)[live["id"]]["n_moves"] >= 2, "the player answers")
        assert not games(server)[live["id"]]["is_paused"]


if __name__ == "__main__":
    harness.main()
