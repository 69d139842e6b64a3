"""turf serve: games as files, out of the history and back into it, as docs/api.md has them; and the
page in one file, for download."""
import json
import os
import shutil
import tempfile

import harness
import web
from harness import TURF
from web import play_out, serving

GAMES = harness.games()
SHORT = {"ai-battleground": {"config": {"maxGameIterations": 12}}, "amoeba-wars": {"start": "5x5"}}
VARYING = ("id", "finished_at", "seed", "tournament")


def record(server, game_id):
    whole = server.get("/api/history/" + game_id)
    return {key: value for key, value in whole.items() if key not in VARYING}


def export(server, game_id):
    return json.loads(server.ask("GET", f"/api/history/{game_id}/export", status=200).json)


def finished(server, game="sw"):
    live, tokens = server.sit(game, "@Ann", "@Bob", seed=1)
    server.post(f"/api/live-games/{live['id']}/resign", {}, tokens[0])
    return "s-" + live["id"]


def test_a_game_of_each_kind_comes_back_as_it_was():
    with serving() as one, serving() as other:
        for game in GAMES:
            more = {"seed": 3, "delay_ms": 0, **SHORT.get(game, {})}
            live, tokens = one.sit(game, "level-1", "random", **more)
            play_out(one, live, tokens)
            line = export(one, "s-" + live["id"])
            done = other.post("/api/history", line, other.owner, status=201)
            assert done["is_listed"] and done["is_new"], done
            assert record(other, done["id"]) == record(one, "s-" + live["id"])
            assert export(other, done["id"]) == line
        listed = other.get("/api/history")["games"]
        assert {each["game"] for each in listed} == set(GAMES), listed
        other.end()
        other.start()
        assert len(other.get("/api/history")["games"]) == len(GAMES)


def test_the_same_game_is_not_stored_twice():
    with serving() as server:
        line = export(server, finished(server))
        first = server.post("/api/history", line, server.owner, status=201)
        again = server.post("/api/history", line, server.owner, status=200)
        assert again == {**first, "is_new": False}
        assert len(server.get("/api/history")["games"]) == 2


def test_a_resigned_game_and_an_unfinished_one_keep_their_end():
    with serving() as server:
        line = export(server, finished(server))
        assert (line["forfeit"], line["winner"], line["outcome"]) == ("resigned", "Bob", "O")
        done = server.get("/api/history/" + server.post("/api/history", line, status=201)["id"])
        assert (done["winner"], done["reason"]) == (1, "resigned"), done
        for key in ("winner", "outcome", "forfeit"):
            line[key] = None
        done = server.get("/api/history/" + server.post("/api/history", line, status=201)["id"])
        assert (done["winner"], done["reason"]) == (None, "unfinished"), done


def test_a_visitors_game_opens_by_its_link_and_is_not_listed():
    with serving() as server:
        line = {**export(server, finished(server)), "first": "level 10"}
        done = server.post("/api/history", line, status=201)
        assert not done["is_listed"]
        assert server.get("/api/history/" + done["id"])["players"] == ["level 10", "Bob"]
        assert len(server.get("/api/history")["games"]) == 1


def test_games_of_turf_export_come_in_and_turf_replay_reads_those_that_go_out():
    with serving() as server:
        path = os.path.join(server.folder, "runs.db")
        for game in GAMES:
            harness.turf("match", game, "random", "greedy", "-n", "2", "--record", "2", "--db",
                         path, "-q")
            for line in harness.turf("export", "--db", path).out.splitlines():
                done = server.post("/api/history", json.loads(line), server.owner, status=201)
                out = os.path.join(server.folder, "game.jsonl")
                with open(out, "w", encoding="utf-8") as file:
                    json.dump(export(server, done["id"]), file)
                assert "The game is over" in harness.turf("replay", out).out


def test_what_is_no_game_gets_a_sentence_and_changes_nothing():
    with serving() as server:
        line = export(server, finished(server))
        wol = {"game": "war-of-life", "first": "a", "second": "b"}
        for bad, words in (
            ({}, "not a recorded game"),
            ({"tournament": 1, "standings": []}, "not a recorded game"),
            ({**line, "start": 7}, "start of the record"),
            ({**line, "moves": ["Z9"]}, "move 1 of the record"),
            ({**line, "forfeit": None}, "not whole"),
            ({**line, "outcome": None}, "who won"),
            ({**line, "forfeit": "x" * 99}, "forfeit"),
            ({**wol, "start": {}, "moves": []}, "start of the record"),
        ):
            answer = server.ask("POST", "/api/history", bad, server.owner, status=400).json
            assert words in answer["message"], (bad, answer)
        answer = server.ask("POST", "/api/history", {**line, "game": "chess"}, status=404).json
        assert "there is no game 'chess'" in answer["message"], answer
        assert len(server.get("/api/history")["games"]) == 1


def test_hostile_texts_are_made_harmless():
    with serving() as server:
        line = export(server, finished(server))
        line.update(first="\x1b[31mAnn\n" * 30, explanation="\x07" * 999, times=[2**62, -1, "x"])
        done = server.post("/api/history", line, server.owner, status=201)
        server.end()
        server.start()
        found = server.get("/api/history/" + done["id"])
        assert all(char.isprintable() for char in found["players"][0] + found["over"]["text"])


def check_download(server, content):
    answer = server.ask("GET", "/turf.html", status=200)
    assert answer.json == content, answer.json
    assert "attachment" in answer.headers["Content-Disposition"], answer.headers
    assert server.get("/api/server")["has_one_file"]


def test_the_page_in_one_file_is_offered_where_it_is():
    with tempfile.TemporaryDirectory() as folder:
        program, page = os.path.join(folder, "bin", "turf"), os.path.join(folder, "page.html")
        os.makedirs(os.path.dirname(program))
        shutil.copy(TURF, program)
        with open(page, "w", encoding="ascii") as file:
            file.write("<p>named")
        with serving("--one-file", page) as server:
            check_download(server, b"<p>named")
        web.TURF = program
        try:
            with serving() as server:
                server.ask("GET", "/turf.html", status=404)
                assert not server.get("/api/server")["has_one_file"]
            for place in ("share/turf/turf.html", "bin/turf.html"):  # the second comes first
                found = os.path.join(folder, place)
                os.makedirs(os.path.dirname(found), exist_ok=True)
                with open(found, "w", encoding="ascii") as file:
                    file.write(place)
                with serving() as server:
                    check_download(server, place.encode())
        finally:
            web.TURF = TURF
        harness.refused("serve", "--port", "0", "--one-file", os.path.join(folder, "none.html"),
                        saying=["cannot be read"])


harness.main()
