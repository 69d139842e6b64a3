"""The league of a server: what visitors, teams and the owner see and may do."""
import json
import os
import signal
import sqlite3
import subprocess
import time

import harness
from harness import turf
from web import Stream, serving, wait_until


def make_league(server, *players, options=()):
    """A league in the server's own database."""
    file = os.path.join(server.folder, "games.db")
    turf("league", "new", file, "squirrel-war", "--quiet", *options)
    if players:
        turf("league", "add", file, "--quiet", *players)
    return file


def invite(server, team):
    made = server.post_as_owner(f"/api/league/teams/{team}/invite", {})
    assert made["link"].endswith("/#/league/join/" + made["token"]), made
    assert made["link"].startswith("http://"), made
    return made["token"]


def test_without_a_league_there_is_none():
    with serving() as server:
        server.refused("GET", "/api/league", 404, "not-found")
        server.refused("GET", "/api/league/events", 404, "not-found")
        server.refused("POST", "/api/league/teams/anna/invite", 404, "not-found", body={},
                       token=server.owner)


def test_a_league_made_while_the_server_runs_is_shown():
    with serving() as server:
        server.refused("GET", "/api/league", 404, "not-found")
        make_league(server, "anna=random", "bert=land-grab")
        league = server.get("/api/league")
        assert league["game"] == "squirrel-war" and league["audience"] == "games"
        assert league["you"] == {"role": "visitor", "team": None}
        assert [row["team"] for row in league["table"]] == ["anna", "bert"]
        assert {row["status"] for row in league["table"]} == {"waits"}


def test_the_table_is_that_of_the_command():
    with serving() as server:
        file = make_league(server, "anna=random", "bert=land-grab", "carl=bloodlust")
        turf("league", "play", file, "--games", "36", "--quiet")
        league = server.get("/api/league")
        table = json.loads(turf("league", "table", file, "--json").out)
        assert league["n_games"] == table["games"] >= 36
        assert league["round"] == table["rounds"]
        assert [(row["team"], row["rank"], row["games"], row["won"], row["rating"])
                for row in league["table"]] == [
            (row["team"], row["rank"], row["games"], row["won"], row["elo"])
            for row in table["standings"]]


def test_a_token_says_who_asks():
    with serving() as server:
        make_league(server, "bert=land-grab")
        first = invite(server, "anna")
        league = server.get("/api/league", token=first)
        assert league["you"] == {"role": "team", "team": "anna"}
        anna = next(row for row in league["table"] if row["team"] == "anna")
        assert anna["version"] is None and anna["status"] == "waits"
        assert server.get("/api/league", token=server.owner)["you"]["role"] == "owner"
        second = invite(server, "anna")
        assert second != first
        server.refused("GET", "/api/league", 403, "bad-token", token=first)
        assert server.get("/api/league", token=second)["you"]["team"] == "anna"


def test_only_the_owner_invites():
    with serving() as server:
        make_league(server, "bert=land-grab")
        path = "/api/league/teams/anna/invite"
        server.refused("POST", path, 401, "no-token", body={})
        server.refused("POST", path, 403, "bad-token", body={}, token="0" * 32)
        server.refused("POST", path, 403, "bad-token", body={}, token=invite(server, "bert"))
        server.refused("POST", "/api/league/teams/anna%20v2/invite", 400, "bad-request", body={},
                       token=server.owner)


def wait_for(server, what):
    """Asks for the league as the owner until `what` is true of it."""
    for _ in range(600):
        league = server.get("/api/league", token=server.owner)
        if what(league):
            return league
        time.sleep(0.1)
    raise AssertionError(league)


def games_of(file):
    """How often each game was played, and how many there are."""
    db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    counts = db.execute("SELECT count(*), count(DISTINCT run||'/'||pairing||'/'||game) FROM games"
                        " WHERE run IN (SELECT run FROM league_rounds)").fetchone()
    db.close()
    return counts


def is_idle(league):
    return not league["is_playing"]


def test_the_owner_has_it_played_and_nobody_else():
    with serving() as server:
        file = make_league(server, "anna=random", "bert=land-grab", "carl=bloodlust")
        token = invite(server, "anna")
        for path, body in (("play", {"max_games": 24}), ("stop", {}), ("final", {}),
                           ("freeze", {"is_frozen": True}), ("audience", {"audience": "nothing"}),
                           ("teams", {"name": "dora", "player": "random"}),
                           ("teams/anna/retire", {})):
            server.refused("POST", "/api/league/" + path, 401, "no-token", body=body)
            server.refused("POST", "/api/league/" + path, 403, "bad-token", body=body, token=token)
        server.refused("POST", "/api/league/stop", 409, "busy", body={}, token=server.owner)
        started = server.post_as_owner("/api/league/play", {"max_games": 24})
        assert started["you"]["role"] == "owner"
        league = wait_for(server, lambda league: is_idle(league) and league["n_games"] >= 24)
        assert league["error"] is None and league["now"] == []
        table = json.loads(turf("league", "table", file, "--json").out)
        assert table["games"] == league["n_games"] == 24
        assert {row["team"]: row["rating"] for row in league["table"]} == {
            row["team"]: row["elo"] for row in table["standings"]}
        assert games_of(file) == (24, 24)


def test_one_program_at_a_time_plays_it():
    with serving() as server:
        file = make_league(server, "anna=minimax:depth=3", "bert=land-grab")
        playing = subprocess.Popen([harness.TURF, "league", "play", file, "--quiet"],
                                   stdout=subprocess.DEVNULL)
        wait_for(server, lambda league: league["round"] > 0)
        message = server.refused("POST", "/api/league/play", 409, "busy", body={},
                                 token=server.owner)
        assert "another program" in message
        playing.send_signal(signal.SIGINT)
        playing.wait(60)
        server.post_as_owner("/api/league/play", {})
        server.refused("POST", "/api/league/play", 409, "busy", body={}, token=server.owner)
        other = turf("league", "play", file, status=2)
        assert "another turf is playing" in other.err
        server.post_as_owner("/api/league/stop", {})
        assert is_idle(server.get("/api/league"))
        n_games, n_different = games_of(file)
        assert n_games == n_different > 0
        turf("league", "play", file, "--games", "4", "--quiet")


def test_what_was_played_without_a_limit_goes_on_after_a_kill():
    with serving() as server:
        file = make_league(server, "anna=minimax:depth=2", "bert=land-grab", "carl=bloodlust")
        server.post_as_owner("/api/league/play", {"for_s": 3600})
        wait_for(server, lambda league: league["n_games"] > 8)
        server.end(signal.SIGKILL)
        server.start()
        assert is_idle(server.get("/api/league")), "it was started with a limit"
        server.post_as_owner("/api/league/play", {})
        for _ in range(3):
            n_games = server.get("/api/league")["n_games"]
            wait_for(server, lambda league: league["n_games"] > n_games)
            server.end(signal.SIGKILL)
            assert games_of(file)[0] >= n_games
            server.start()
            assert server.get("/api/league")["is_playing"]
        server.post_as_owner("/api/league/stop", {})
        server.end()
        n_games, n_different = games_of(file)
        assert n_games == n_different
        server.start()
        league = server.get("/api/league")
        assert is_idle(league)
        assert league["n_games"] == json.loads(turf("league", "table", file, "--json").out)["games"]


def test_it_waits_for_bots_while_there_are_too_few():
    with serving() as server:
        make_league(server, "anna=random")
        server.post_as_owner("/api/league/play", {"max_games": 10})
        league = wait_for(server, lambda league: is_idle(league) and league["error"])
        assert "two teams" in league["error"] and not league["can_play"]
        assert server.folder not in league["error"]
        assert server.get("/api/league")["error"] is None, "it is not for visitors"
        server.post_as_owner("/api/league/play", {})
        league = wait_for(server, lambda league: league["error"])
        assert league["is_playing"] and "two teams" in league["error"]
        server.post_as_owner("/api/league/teams", {"name": "bert", "player": "land-grab"})
        league = wait_for(server, lambda league: league["n_games"] > 0 and not league["error"])
        assert league["is_playing"] and league["can_play"]


def test_a_browser_adds_built_in_players_alone():
    with serving() as server:
        make_league(server)
        for spec in ("bot:cat /etc/passwd", "x=bot:true", "tcp:4000", "home:anna"):
            answer = server.ask("POST", "/api/league/teams", {"name": "anna", "player": spec},
                                server.owner)
            assert answer.status in (400, 403), answer.json
        server.post_as_owner("/api/league/teams", {"name": "anna", "player": None})
        server.post_as_owner("/api/league/teams", {"name": "bert", "player": "minimax:depth=2"})
        server.refused("POST", "/api/league/teams", 400, "bad-request", token=server.owner,
                       body={"name": "bert v2", "player": "random"})
        table = server.get("/api/league")["table"]
        assert [(row["team"], row["version"]) for row in table] == [("anna", None), ("bert", 1)]
        server.post_as_owner("/api/league/teams", {"name": "bert", "player": "random"})
        server.post_as_owner("/api/league/teams/bert/retire", {})
        table = server.get("/api/league")["table"]
        assert [(row["team"], row["status"]) for row in table] == [
            ("anna", "waits"), ("bert", "retired")]
        server.post_as_owner("/api/league/freeze", {"is_frozen": True})
        server.refused("POST", "/api/league/teams", 400, "bad-request", token=server.owner,
                       body={"name": "carl", "player": "random"})
        assert server.get("/api/league")["is_frozen"]


def test_bots_of_a_league_play_in_the_sandbox_or_not_at_all():
    with serving() as server:
        script = os.path.join(server.folder, "bot.py")
        with open(script, "w") as file:
            file.write("import json, os, sys\n"
                       "for line in sys.stdin:\n"
                       "    question = json.loads(line)\n"
                       "    if os.path.exists('games.db.owner'): sys.exit('I see the token')\n"
                       "    if 'moves' in question:\n"
                       "        print(json.dumps({'move': question['moves'][0]}), flush=True)\n")
        bot = f"bot:/usr/bin/python3 {script}"
        league = make_league(server, "anna=random", "bert=" + bot)
        server.end()
        server.options = ("--sandbox", "off")
        server.start()
        server.post_as_owner("/api/league/play", {"max_games": 4})
        shown = wait_for(server, lambda league: is_idle(league) and league["error"])
        assert "sandbox" in shown["error"] and shown["n_games"] == 0
        assert script not in json.dumps(shown), "visitors see no commands"
        server.end()
        server.options = ()
        server.start()
        server.post_as_owner("/api/league/play", {"max_games": 4})
        shown = wait_for(server, lambda league: is_idle(league) and league["n_games"] >= 4)
        assert next(row for row in shown["table"] if row["team"] == "bert")["forfeited"] == 0
        assert script not in json.dumps(shown) and server.folder not in json.dumps(shown)
        assert league


def test_a_final_is_played_and_goes_on_after_a_kill():
    with serving() as server:
        file = make_league(server, "anna=random", "bert=land-grab", "carl=bloodlust",
                           "dora=minimax:depth=2")
        server.refused("POST", "/api/league/final", 400, "bad-request", token=server.owner,
                       body={"games": 3})
        server.post_as_owner("/api/league/play", {"max_games": 40})
        n_games = wait_for(server, lambda league: is_idle(league)
                           and league["n_games"] >= 40)["n_games"]
        server.post_as_owner("/api/league/final", {"best": 4, "games": 40})
        server.end(signal.SIGKILL)
        server.start()
        league = wait_for(server, is_idle)
        assert league["error"] is None
        assert league["n_games"] == n_games, "a final does not count in the table"
        n_all, n_different = games_of(file)
        db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        is_finished, n_final = db.execute(
            "SELECT min(r.is_finished), sum(p.n_games) FROM league_rounds l"
            " JOIN runs r ON r.id=l.run JOIN pairings p ON p.run=l.run WHERE l.is_final").fetchone()
        db.close()
        assert is_finished and n_final >= 2 * 40
        final = server.get("/api/league")["final"]
        assert final["is_finished"] and final["n_played"] == n_final
        assert final["schedule"] == "knock-out" and final["bracket"]["winner"] == final["champion"]
        games = server.get("/api/league/games?kind=final&limit=200")["games"]
        assert len(games) == n_final and all(game["is_final"] for game in games)
        assert n_all == n_different == n_games + n_final


def played(server, n_games):
    server.post_as_owner("/api/league/play", {"max_games": n_games})
    return wait_for(server, lambda league: is_idle(league) and league["n_games"] >= n_games)


def test_games_come_in_lists_with_their_replays():
    with serving() as server:
        make_league(server, "anna=random", "bert=land-grab", "carl=bloodlust")
        league = played(server, 48)
        ids = []
        page = server.get("/api/league/games?limit=20")
        while True:
            ids += [game["id"] for game in page["games"]]
            if not page["next"]:
                break
            page = server.get(f"/api/league/games?limit=20&before={page['next']}")
        assert len(ids) == len(set(ids)) == league["n_games"]
        latest = server.get("/api/league")["latest"]
        assert [game["id"] for game in latest] == ids[:10]
        for game in latest:
            record = server.get("/api/history/" + game["id"])
            assert record["players"] == game["teams"] and record["scores"] == game["scores"]
            assert record["winner"] == game["winner"] and game["versions"] == [1, 1]
        ratings = {row["team"]: row["rating"] for row in league["table"]}
        lost = server.get("/api/league/games?team=anna&kind=lost&limit=200")["games"]
        row = next(row for row in league["table"] if row["team"] == "anna")
        assert len(lost) == row["lost"]
        for game in lost:
            assert game["teams"][game["winner"]] != "anna" and "anna" in game["teams"]
            assert game["ratings"] == [ratings[team] for team in game["teams"]]
        both = server.get("/api/league/games?team=anna&opponent=bert&limit=200")["games"]
        assert both and all(sorted(game["teams"]) == ["anna", "bert"] for game in both)
        margins = [abs(game["scores"][0] - game["scores"][1])
                   for game in server.get("/api/league/games?kind=closest&limit=200")["games"]]
        assert margins == sorted(margins) and len(margins) == league["n_games"]
        for game in server.get("/api/league/games?kind=upsets")["games"]:
            assert game["ratings"][game["winner"]] < game["ratings"][1 - game["winner"]]
        server.refused("GET", "/api/league/games?kind=best", 400, "bad-request")
        server.refused("GET", "/api/league/games?kind=lost", 400, "bad-request")


def test_a_team_has_a_page_and_its_stderr_is_its_own():
    with serving() as server:
        script = os.path.join(server.folder, "bot.py")
        with open(script, "w") as file:
            file.write("import sys\nsys.stdin.readline()\nsys.exit('secret: no idea')\n")
        make_league(server, "anna=random", f"bert=bot:/usr/bin/python3 {script}", "carl=land-grab")
        server.end()
        server.start()  # with a sandbox
        played(server, 24)
        token, other = invite(server, "bert"), invite(server, "anna")
        page = server.get("/api/league/teams/bert")
        assert page["versions"][0]["forfeits"] == {"crash": page["versions"][0]["games"]}
        assert "last_words" not in page and "submissions" not in page
        mine = server.get("/api/league/teams/bert", token=token)
        assert "secret" in mine["last_words"][0]["text"] and mine["submissions"] == []
        game = mine["last_words"][0]["game"]
        log = f"/api/league/teams/bert/games/{game}/log"
        assert "secret" in server.get(log, token=token)["text"]
        assert "secret" in server.get(log, token=server.owner)["text"]
        server.refused("GET", log, 401, "no-token")
        server.refused("GET", log, 403, "bad-token", token=other)
        server.refused("GET", "/api/league/teams/bert/games/r-99999/log", 404, "not-found",
                       token=token)
        seen = [server.get("/api/league"), server.get("/api/league", token=other), page,
                server.get("/api/league/teams/bert", token=other),
                server.get("/api/league/games?kind=forfeits"), server.get("/api/history"),
                server.get("/api/history/" + game), server.get("/api/tournaments")]
        for each in seen:
            assert "secret" not in json.dumps(each) and "bot.py" not in json.dumps(each), each
        anna = server.get("/api/league/teams/anna")
        row = next(row for row in seen[0]["table"] if row["team"] == "anna")
        for key in ("games", "won", "lost", "drawn"):
            assert sum(each[key] for each in anna["opponents"]) == row[key]
            assert sum(each[side][key] for each in anna["opponents"]
                       for side in ("as_first", "as_second")) == row[key]
        last = anna["history"][-1]
        assert last["rating"] == row["rating"] and last["games"] == row["games"]
        assert [point["round"] for point in anna["history"]] == sorted(
            {point["round"] for point in anna["history"]})
        server.refused("GET", "/api/league/teams/nobody", 404, "not-found")


def test_the_audience_sees_what_it_may():
    with serving() as server:
        make_league(server, "anna=random", "bert=land-grab")
        played(server, 16)
        token = invite(server, "anna")
        game = server.get("/api/league/games")["games"][0]["id"]
        assert server.get("/api/history")["games"]
        server.post_as_owner("/api/league/audience", {"audience": "table"})
        assert server.get("/api/league")["latest"] == []
        assert server.get("/api/league", token=token)["latest"] != []
        server.refused("GET", "/api/league/games", 403, "no-audience")
        for path in ("", "/frames", "/analysis"):
            server.refused("GET", f"/api/history/{game}{path}", 404, "not-found")
        assert server.get("/api/history")["games"] == []
        assert server.get("/api/history/" + game, token=token)["id"] == game
        server.post_as_owner("/api/league/audience", {"audience": "nothing"})
        for path in ("", "/events", "/table", "/teams/anna", "/games"):
            server.refused("GET", "/api/league" + path, 403, "no-audience")
        assert server.get("/api/league", token=token)["table"]
        server.refused("POST", "/api/league/audience", 400, "bad-request", token=server.owner,
                       body={"audience": "all"})


def test_rounds_are_no_tournaments():
    with serving() as server:
        make_league(server, "anna=random", "bert=land-grab")
        played(server, 16)
        assert server.get("/api/tournaments")["tournaments"] == []
        server.refused("GET", "/api/tournaments/1", 404, "not-found")
        server.refused("POST", "/api/tournaments/1/resume", 404, "not-found", body={},
                       token=server.owner)
        server.refused("GET", "/api/tournaments/1/export", 404, "not-found")


def test_grades_are_for_the_owner():
    with serving() as server:
        file = make_league(server, "anna=random", "bert=land-grab")
        played(server, 16)
        server.refused("GET", "/api/league/table?format=csv", 401, "no-token")
        answer = server.ask("GET", "/api/league/table?format=csv", token=server.owner, status=200)
        assert answer.headers["Content-Type"].startswith("text/csv")
        assert answer.json.decode() == subprocess.run(
            [harness.TURF, "league", "table", file, "--format", "csv"], stdout=subprocess.PIPE,
            check=True).stdout.decode()
        assert server.get("/api/league/table") == json.loads(
            turf("league", "table", file, "--json").out)


def test_events_tell_what_changes():
    with serving() as server:
        make_league(server, "anna=random", "bert=land-grab")
        server.get("/api/league")
        events = Stream(server, "/api/league/events")
        first = events.wait(len)[0]
        assert first.type == "league" and first.data["n_games"] == 0 and "you" not in first.data
        played(server, 16)
        events.wait(lambda seen: any(e.type == "league" and e.data["n_games"] == 16 for e in seen))
        server.end()
        assert events.wait_for_end()[-1].type == "bye"
        server.start()


def test_a_team_may_let_others_practise():
    with serving() as server:
        script = os.path.join(server.folder, "bot.py")
        with open(script, "w") as file:
            file.write("import json, sys\n"
                       "for line in sys.stdin:\n"
                       "    question = json.loads(line)\n"
                       "    if 'moves' in question:\n"
                       "        print(json.dumps({'move': question['moves'][0]}), flush=True)\n")
        make_league(server, "anna=random", "bert=bot:/usr/bin/python3 bot.py")
        server.end()
        turf("league", "add", os.path.join(server.folder, "games.db"), "--quiet",
             "bert=bot:/usr/bin/python3 bot.py", cwd=server.folder)
        server.start()
        token = invite(server, "bert")
        body = {"game": "squirrel-war", "seats": [{"kind": "person", "name": "Ann"},
                                                  {"kind": "player", "player": "league/bert"}]}

        def offered():
            games = server.get("/api/games")["games"]
            return [player["id"] for game in games for player in game["players"]
                    if player["kind"] == "league"]

        server.refused("POST", "/api/live-games", 404, "not-found", body=body)
        assert offered() == []
        path = "/api/league/teams/bert"
        server.refused("PUT", path, 401, "no-token", body={"allows_practice": True})
        server.refused("PUT", path, 403, "bad-token", body={"allows_practice": True},
                       token=invite(server, "anna"))
        server.ask("PUT", path, {"allows_practice": True}, token, status=200)
        assert offered() == ["league/bert"]
        made = server.post("/api/live-games", body, status=201)
        game = made["live_game"]["id"]
        assert "bot.py" not in json.dumps(made)
        assert made["live_game"]["seats"][1]["name"] == "bert v2"
        move = server.get(f"/api/live-games/{game}/moves")["moves"][0]["move"]
        server.post(f"/api/live-games/{game}/moves", {"move": move}, made["tokens"][0])
        for _ in range(300):
            state = server.get(f"/api/live-games/{game}")
            if state["n_moves"] > 1 or state["over"]:
                break
            time.sleep(0.1)
        assert state["n_moves"] > 1 and not state["over"], state
        server.refused("POST", "/api/tournaments", 404, "not-found", token=server.owner, body={
            "game": "squirrel-war", "players": [{"player": "league/bert"}, {"player": "random"}]})
        server.ask("PUT", path, {"allows_practice": False}, token, status=200)
        server.refused("POST", "/api/live-games", 404, "not-found", body=body)


def test_practice_does_not_show_what_a_bot_wrote():
    with serving() as server:
        with open(os.path.join(server.folder, "rude.py"), "w") as file:
            file.write("import sys\nsys.stdin.readline()\nsys.exit('my secret plan')\n")
        make_league(server, "anna=random")
        server.end()
        turf("league", "add", os.path.join(server.folder, "games.db"), "--quiet",
             "rude=bot:/usr/bin/python3 rude.py", cwd=server.folder)
        server.start()
        server.ask("PUT", "/api/league/teams/rude", {"allows_practice": True}, server.owner,
                   status=200)
        made = server.post("/api/live-games", {
            "game": "squirrel-war", "seats": [{"kind": "player", "player": "league/rude"},
                                              {"kind": "person", "name": "Ann"}]}, status=201)
        path = f"/api/live-games/{made['live_game']['id']}"
        server.ask("PUT", path + "/seat", {}, made["tokens"][1], status=200)
        wait_until(lambda: server.get(path)["over"], "the bot crashes")
        over = server.get(path)["over"]
        assert over["reason"] == "crash" and "secret" not in json.dumps(over), over


def test_the_audience_is_chosen_at_the_terminal_too():
    with serving() as server:
        file = make_league(server, "anna=random", options=("--audience", "nothing"))
        server.refused("GET", "/api/league", 403, "no-audience")
        turf("league", "audience", file, "table")
        assert server.get("/api/league")["audience"] == "table"
        assert "nothing, table or games" in turf("league", "audience", file, "all", status=2).err


harness.main()
