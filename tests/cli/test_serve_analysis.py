"""The API's analysis of finished games, and its judgements of any position."""
import harness
from web import play_out, serving


def whole(server, record):
    """The analysis, as a page asks for it."""
    plies, n_asked = [], 0
    while True:
        answer = server.get(f"/api/history/{record}/analysis?from={len(plies)}")
        assert answer["from"] == len(plies), answer["from"]
        plies += answer["plies"]
        n_asked += 1
        assert n_asked < 500
        if answer["is_done"]:
            assert len(plies) == answer["n_plies"]
            return plies, answer


def test_a_finished_game_is_analysed_in_slices():
    with serving() as server:
        for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
            live, tokens = server.sit(game, "@Ann", "@Bob")
            play_out(server, live, tokens)
            record = server.get(f"/api/history/s-{live['id']}")
            plies, last = whole(server, f"s-{live['id']}")
            assert [ply["move"] for ply in plies] == [move["move"] for move in record["moves"]]
            assert [ply["side"] for ply in plies] == [move["side"] for move in record["moves"]]
            assert last["summary"]["sides"][0]["accuracy"] >= 0
            winner = record["winner"]
            assert last["end"]["chance"] == (0.5 if winner is None else 1 - winner)
            again = server.get(f"/api/history/s-{live['id']}/analysis")
            assert again["plies"] == plies and again["summary"] == last["summary"]


def test_a_game_that_goes_on_is_not_analysed():
    with serving() as server:
        live, tokens = server.sit("amoeba-wars", "@Ann", "@Bob")
        server.refused("GET", f"/api/history/s-{live['id']}/analysis", 404, "not-found")
        server.refused("GET", "/api/history/r-12345/analysis", 404, "not-found")


def test_a_game_without_turns_is_refused_with_the_reason():
    with serving() as server:
        live, tokens = server.sit("bg", "@Ann", "@Bob")
        server.post(f"/api/live-games/{live['id']}/resign", {}, tokens[0])
        answer = server.ask("GET", f"/api/history/s-{live['id']}/analysis", status=400)
        assert "oth sides move at once" in answer.json["message"]


def test_any_position_and_move_is_judged():
    with serving() as server:
        for game in ("war-of-life", "amoeba-wars", "squirrel-war"):
            start = server.post("/api/start", {"game": game, "seed": 3})["position"]
            judged = server.post("/api/evaluate", {"game": game, "position": start})["judgement"]
            assert 0 <= judged["chance"] <= 1 and len(judged["lines"]) > 1
            best = judged["lines"][0]["move"]
            moves = server.post("/api/moves", {"game": game, "position": start})["moves"]
            answer = server.post("/api/evaluate",
                                 {"game": game, "position": start, "move": best})
            assert answer["verdict"]["mark"] in ("best", "good"), answer["verdict"]["mark"]
            assert answer["verdict"]["move"] == best
            assert answer["judgement"]["to_move"] is not None
            assert best in [move["move"] for move in moves]


def test_wrong_questions_get_a_sentence():
    with serving() as server:
        start = server.post("/api/start", {"game": "sw", "seed": 3})["position"]
        ask = lambda body, *rest: server.refused("POST", "/api/evaluate", *rest, body)
        ask({"game": "sw", "position": start, "move": "Z9"}, 400, "bad-request")
        ask({"game": "sw", "position": {}}, 400, "bad-request")
        ask({"game": "chess", "position": start}, 404, "not-found")
        taken = dict(start, board=["X****"] + ["*****"] * 4, to_move="O")
        ask({"game": "sw", "position": taken, "move": "A1"}, 422, "illegal-move")
        full = {"values": [[1] * 5] * 5, "board": ["XXXXX"] * 5, "to_move": "X"}
        assert server.post("/api/evaluate",
                           {"game": "sw", "position": full})["judgement"]["lines"] == []
        ask({"game": "sw", "position": full, "move": "A1"}, 422, "illegal-move")


def test_a_puzzle_is_made_for_its_seed_and_number():
    with serving() as server:
        first = server.get("/api/puzzles/amoeba-wars?seed=4&number=1")
        assert first == server.get("/api/puzzles/aw?seed=4&number=1")
        assert first["game"] == "amoeba-wars" and first["solution"]["move"]
        moves = server.post("/api/moves", {"game": "aw", "position": first["position"]})["moves"]
        assert first["solution"]["move"] in [move["move"] for move in moves]
        server.refused("GET", "/api/puzzles/chess", 404, "not-found")
        server.refused("GET", "/api/puzzles/aw?seed=x", 400, "bad-request")
        server.refused("GET", "/api/puzzles/bg", 400, "bad-request")


harness.main()
