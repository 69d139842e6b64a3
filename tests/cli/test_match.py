"""turf match and turf tournament: totals add up and depend on the seed alone."""
import json
import math

import harness
import slow_wol
from harness import turf

STRATEGIES = ["random", "bloodlust", "self-preservation", "land-grab", "minimax"]


def match(*args, n=200):
    return json.loads(turf("match", "wol", *args, "-n", str(n), "--json").out)


def check(result, n):
    outcomes = result["outcomes"]
    assert result["games"] == n == sum(result["wins"]) + result["draws"]
    assert result["draws"] == outcomes["draw"] + outcomes["stalemate"] + outcomes["exhausted"]
    if not result["swap"]:
        assert result["wins"] == [outcomes["blue"], outcomes["red"]]
    assert sum(result["wins"]) == outcomes["blue"] + outcomes["red"]
    assert result["shortest"] <= result["average_length"] <= 250
    if result["longest"] is not None:
        assert result["longest"] <= 250 and (outcomes["exhausted"] or
                                             result["average_length"] <= result["longest"])
    whole = result["average_length"] * n
    assert abs(whole - round(whole)) < 1e-6 * max(1, whole), "an average of whole numbers"
    intervals = result["intervals"]
    shares = list(zip(result["wins"], intervals["wins"])) + [(result["draws"], intervals["draws"])]
    shares += [(count, intervals[name]) for name, count in outcomes.items()]
    for count, (low, high) in shares:
        p, z = count / n, 1.959964  # Wilson's interval
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        assert abs(low - (middle - half) / (1 + z * z / n)) < 1e-5 and abs(high - (middle + half) /
                                                                           (1 + z * z / n)) < 1e-5
    low, high = intervals["average_length"]
    assert abs((low + high) / 2 - result["average_length"]) < 1e-6


def test_match_totals_add_up():
    for first in STRATEGIES:
        for second in STRATEGIES:
            check(match(first, second, n=40), 40)


def test_totals_add_up_for_one_game_and_for_many():
    for n in (1, 2, 7, 64, 65, 100003):
        check(match("random", "random", n=n), n)


def test_match_plays_a_thousand_games_by_default():
    assert json.loads(turf("match", "wol", "random", "random", "--json").out)["games"] == 1000


def test_table_agrees_with_json():
    result = match("random", "bloodlust", "--no-times", n=500)
    lines = turf("match", "wol", "random", "bloodlust", "-n", "500", "--no-times").out.splitlines()

    def figure(label):
        (line,) = [line for line in lines if line.strip().startswith(label)]
        return line.strip()[len(label):].split("  ", 1)[1].split()[0]
    assert int(figure("Games played")) == 500
    assert int(figure("Draws")) == result["draws"]
    wins = [line.split(")")[1].split()[0] for line in lines if line.startswith("Wins for player")]
    assert [int(count) for count in wins] == result["wins"]
    for kind in ("draw", "stalemate", "exhausted"):
        assert int(figure(f"of them: {kind}")) == result["outcomes"][kind]
    assert int(figure("Shortest game")) == result["shortest"]
    assert int(figure("Longest game (not exhausted)")) == result["longest"]
    assert abs(float(figure("Average game length (with exhausted)")) -
               result["average_length"]) < 0.001


def test_no_times_hides_times():
    assert match("random", "random")["average_seconds"] > 0
    assert "average_seconds" not in match("random", "random", "--no-times")
    assert "time" in turf("match", "wol", "random", "random", "-n", "5").out
    assert "time" not in turf("match", "wol", "random", "random", "-n", "5", "--no-times").out


def test_output_does_not_depend_on_jobs():
    runs = [
        ["match", "wol", a, b, "-n", n]
        for a, b, n in (
            ("random", "random", "70001"),
            ("random", "minimax", "90"),
            ("bloodlust:ties=random", "land-grab", "300"),
        )
    ]
    runs += [
        ["match", "wol", "random", "bloodlust", "-n", "301", "--swap"],
        ["match", "wol", "random", "random", "-n", "3001", "--swap"],
        ["tournament", "wol", "-n", "30"],
        ["tournament", "wol", "a=random", "b=random", "greedy", "-n", "65"],
    ]
    runs += [["match", "wol", "random", "land-grab:ties=random", "-n", "200", "--start", start]
             for start in ("random", "cross", "checkers", "gliders", "/".join(slow_wol.GLIDERS))]
    for run in runs:
        for form in ([], ["--json"]):
            outs = {
                turf(*run, *form, "--no-times", "--seed", "5", "--jobs", jobs).out
                for jobs in ("1", "2", "7")
            }
            assert len(outs) == 1 and outs.pop(), run


def test_different_seeds_play_different_games():
    results = {
        json.dumps(match("random", "random", "--no-times", "--seed", str(seed))["outcomes"])
        for seed in range(8)
    }
    assert len(results) > 1


def test_longer_match_begins_with_the_same_games():
    # Sums can only grow when more games of the same seed are played.
    smaller, larger = match("random", "bloodlust", n=100), match("random", "bloodlust", n=150)
    for name, count in smaller["outcomes"].items():
        assert count <= larger["outcomes"][name] <= count + 50
    assert larger["shortest"] <= smaller["shortest"] and larger["longest"] >= smaller["longest"]


def test_tournament_row_equals_the_match_of_its_players():
    specs = ["random", "bloodlust:ties=random", "minimax"]
    rows = json.loads(
        turf("tournament", "wol", *specs, "-n", "50", "--seed", "9", "--json", "--no-times").out
    )["pairings"]
    assert [row["players"] for row in rows] == [[a, b] for a in specs for b in specs]
    for row in rows:
        alone = match(*row["players"], "--seed", "9", "--no-times", n=50)
        assert alone.pop("seed") == 9 and alone == row


def test_default_tournament_has_every_ordered_pair_of_strategies():
    rows = json.loads(turf("tournament", "wol", "-n", "20", "--json").out)["pairings"]
    assert [row["players"] for row in rows] == [[a, b] for a in STRATEGIES for b in STRATEGIES]
    for row in rows:
        check(row, 20)


def test_tournament_tables_agree_with_json():
    args = ["tournament", "wol", "random", "bloodlust", "land-grab", "-n", "40", "--no-times"]
    rows = json.loads(turf(*args, "--json").out)["pairings"]
    lines = [line.split() for line in turf(*args).out.splitlines()]
    scores = {}
    for row in rows:
        figures = [*row["players"], 40, *row["wins"], row["draws"]]
        assert [str(f) for f in figures] in [line[:6] for line in lines]
        if row["players"][0] != row["players"][1]:
            for me in (0, 1):
                score = scores.setdefault(row["players"][me], [0, 0, 0, 0])
                for i, count in enumerate((40, row["wins"][me], row["wins"][1 - me], row["draws"])):
                    score[i] += count
    # the cross table has fewer
    standings = [line for line in lines if line and line[0] in ("1", "2", "3") and len(line) > 7]
    assert sorted(line[1] for line in standings) == sorted(scores)
    shares = []
    for line in standings:
        games, won, lost, drawn = scores[line[1]]
        assert line[2:6] == [str(n) for n in (games, won, lost, drawn)]
        shares.append((won + drawn / 2) / games)
        assert abs(float(line[6]) - 100 * shares[-1]) < 0.006
    assert shares == sorted(shares, reverse=True)


def test_fixed_start_plays_the_game_of_the_slow_stepper():
    for name, board in slow_wol.STARTS.items():
        for pair in (
            ["bloodlust", "land-grab"],
            ["self-preservation", "bloodlust"],
            ["land-grab", "minimax"],
        ):
            if name != "gliders" and "minimax" in pair:
                continue  # slow indeed
            outcome, n_moves = slow_wol.whole_game(board, pair)
            result = match(*pair, "--start", name, n=2)
            assert (
                result["outcomes"][outcome] == 2
                and result["shortest"] == n_moves == result["average_length"]
            ), (name, pair)


def test_swap_plays_every_start_from_both_sides():
    for start in ("cross", "gliders", "checkers"):
        one, other = match("bloodlust", "land-grab", "--start", start,
                           n=1), match("land-grab", "bloodlust", "--start", start, n=1)
        both = match("bloodlust", "land-grab", "--start", start, "--swap", n=2)
        assert both["wins"] == [
            one["wins"][0] + other["wins"][1],
            one["wins"][1] + other["wins"][0],
        ]
        assert both["average_length"] * 2 == one["average_length"] + other["average_length"]
        check(both, 2)


def test_swap_counts_wins_by_side_in_outcomes_and_table():
    results = [
        match("bloodlust", "land-grab", "--start", start, "--swap", n=2)
        for start in ("cross", "gliders", "checkers")
    ]
    for start, both in zip(("cross", "gliders", "checkers"), results):
        one, other = match("bloodlust", "land-grab", "--start", start,
                           n=1), match("land-grab", "bloodlust", "--start", start, n=1)
        assert both["outcomes"] == {
            name: one["outcomes"][name] + other["outcomes"][name] for name in one["outcomes"]
        }
        lines = turf(
            "match", "wol", "bloodlust", "land-grab", "--start", start, "--swap", "-n", "2"
        ).out.splitlines()
        for name in ("blue", "red"):
            (line,) = [
                line for line in lines if line.startswith(f"Wins for {name} (either player) ")
            ]
            assert (
                int(line[len(f"Wins for {name} (either player)") :].split()[0])
                == both["outcomes"][name]
            )
    assert any(
        both["wins"] != [both["outcomes"]["blue"], both["outcomes"]["red"]] for both in results
    ), "or nothing was shown"


def test_swap_makes_a_player_even_against_itself():
    result = match("land-grab", "land-grab", "--swap", n=200)
    assert result["wins"][0] == result["wins"][1]


def test_equivalent_specs_are_the_same_player():
    for one, other in (
        ("greedy", "land-grab"),
        ("self_preservation", "self-preservation"),
        ("self", "self-preservation"),
        ("minimax:depth=2", "minimax"),
        ("bloodlust:ties=first", "bloodlust"),
        ("minimax:depth=1", "minimax:depth=1"),
    ):
        assert match(one, "random", "--no-times", n=50) == match(other, "random", "--no-times",
                                                                 n=50)


def test_minimax_of_depth_one_plays_like_land_grab():
    for start in slow_wol.STARTS:
        one, other = (
            match(p, "bloodlust", "--no-times", "--start", start, n=1)
            for p in ("minimax:depth=1", "land-grab")
        )
        assert one["outcomes"] == other["outcomes"] and one["average_length"] == other[
            "average_length"]


def test_player_name_changes_only_the_name():
    named, plain = match("mine=minimax", "random", "--no-times",
                         n=50), match("minimax", "random", "--no-times", n=50)
    assert named["players"] == ["mine", "random"] and named | {"players": plain["players"]} == plain


def test_names_of_forty_letters_of_any_alphabet_keep_the_table_aligned():
    names = ["森" * 40, "ä" * 40, "x" * 40]
    lines = turf(
        "tournament", "wol", *(f"{name}=random" for name in names), "-n", "1", "--no-times"
    ).out.splitlines()
    rows = [
        line
        for line in lines
        if line.split()[1:2] and line.split()[1] in names and line.split()[0] in names
    ]
    assert len(rows) == 9
    for row in rows:
        first, second = row.split()[:2]
        columns = sum(2 if letter == "森" else 1 for letter in row[:row.index(second, len(first))])
        assert columns == 82, row
    for name in names:
        turf("match", "wol", f"{name + name[0]}=random", "random", "-n", "1", status=2)


def test_game_name_can_be_an_abbreviation_or_prefix():
    outs = {
        turf("match", game, "random", "random", "-n", "50", "--no-times").out
        for game in ("war-of-life", "wol", "war", "war_of_life")
    }
    assert len(outs) == 1


def test_finished_start_gives_games_of_no_moves():
    result = match("random", "random", "--start", "[[[1,1]],[]]", n=3)
    assert result["wins"] == [3, 0] and result["longest"] == result["shortest"] == 0


def test_progress_is_silent_without_a_terminal():
    assert turf("match", "wol", "random", "random", "-n", "300000").err == ""
    assert turf("tournament", "wol", "-n", "100").err == ""


harness.main()
