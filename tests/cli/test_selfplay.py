"""turf selfplay: its two formats, what they do not depend on, and its errors; networks by name."""
import json
import os
import struct

import harness
from harness import ROOT, refused, turf

HEADER = struct.Struct("<8sII20sHHHHH18x")
RECORD = struct.Struct("<hHHHHbBB3x")
NETWORK = os.path.join(ROOT, "networks", "war-of-life.net")


def selfplay(game, player, name, *options):
    path = os.path.join(harness.FOLDER, name)
    result = turf("selfplay", game, player, "-o", path, *options)
    with open(path, "rb") as file:
        return file.read(), result


def records(data):
    magic, version, n_bytes, game, rows, cols, n_planes, n_words, unit = HEADER.unpack_from(data)
    assert (magic, version, unit) == (b"TURFPLAY", 1, 16)
    assert n_bytes == RECORD.size + 8 * n_planes * n_words
    for at in range(HEADER.size, len(data), n_bytes):
        planes = struct.unpack_from(f"<{n_planes * n_words}Q", data, at + RECORD.size)
        yield RECORD.unpack_from(data, at), planes


def turn_games():
    return [game for game in harness.games() if game != "ai-battleground"]


def test_output_does_not_depend_on_the_number_of_jobs():
    options = ["-n", "30", "--opening", "5", "--random-moves", "10"]
    one, _ = selfplay("wol", "alphabeta:nodes=300", "one", *options, "-j", "1")
    four, _ = selfplay("wol", "alphabeta:nodes=300", "four", *options, "-j", "4")
    other, _ = selfplay("wol", "alphabeta:nodes=300", "other", *options, "--seed", "2")
    assert one == four != other


def test_shards_make_up_the_whole():
    for name, header in (("x.jsonl", 0), ("x.bin", HEADER.size)):
        options = ["wol", "minimax:depth=1", name, "-n", "11"]
        whole, _ = selfplay(*options)
        parts = [selfplay(*options, "--shard", f"{k}/3")[0] for k in (1, 2, 3)]
        assert whole == parts[0] + b"".join(part[header:] for part in parts[1:])


def test_binary_and_json_lines_agree():
    for game in turn_games():
        player = "alphabeta:nodes=200"
        binary = list(records(selfplay(game, player, "a.bin", "-n", "3")[0]))
        lines = selfplay(game, player, "a.jsonl", "-n", "3")[0].decode().splitlines()
        assert len(binary) == len(lines) > 10
        letters = None
        for (value, _, ply, *own, result, side, _), planes in binary:
            line = json.loads(lines.pop(0))
            position = line["position"]
            cells = "".join(position["board"])
            letters = letters or sorted({"war-of-life": "br", "amoeba-wars": "OX",
                                         "squirrel-war": "XO"}[game])
            assert line["ply"] == ply and line["result"] == result
            assert abs(line["value"] * 16 - value) < 1e-6
            first = position["to_move"] if side == 0 else None
            if first:
                mine = {i for i, cell in enumerate(cells) if cell == first}
                assert mine == {i for i in range(len(cells)) if planes[0] >> i & 1}


def test_planes_hold_what_the_board_does_not_show_by_letters():
    lines = selfplay("sw", "minimax", "v.jsonl", "-n", "1")[0].decode().splitlines()
    for (_, planes), line in zip(records(selfplay("sw", "minimax", "v.bin", "-n", "1")[0]), lines):
        values = sum(json.loads(line)["position"]["values"], [])
        assert values == [sum((planes[2 + k] >> i & 1) << k for k in range(7)) for i in range(25)]


def test_moves_lead_to_the_next_position():
    for game in turn_games():
        lines = [json.loads(line) for line in
                 selfplay(game, "minimax", "m.jsonl", "-n", "1")[0].decode().splitlines()]
        for line, after in zip(lines, lines[1:]):
            step = turf("step", game, given=json.dumps({**line["position"], "move": line["move"]}))
            assert json.loads(step.out)["board"] == after["position"]["board"]


def test_random_positions_are_left_out():
    none, said = selfplay("wol", "minimax", "none", "-n", "5", "--random-moves", "100")
    assert none == b"" and "5 games, 0 positions" in said.err
    opened = selfplay("wol", "minimax", "o.jsonl", "-n", "20", "--opening", "6")[0].decode()
    plies = [json.loads(line)["ply"] for line in opened.splitlines()]
    assert min(plies) < 3 and any(ply > 0 for ply in plies)


def test_bad_arguments_are_refused():
    refused("selfplay", "wol", "minimax", saying=["-o FILE"])
    refused("selfplay", "bg", "random", "-o", "x", saying=["both sides move at once"])
    refused("selfplay", "wol", "bot:cat", "-o", "x", saying=["built-in"])
    refused("selfplay", "wol", "minimax", "-o", "x", "--format", "csv", saying=["binary or jsonl"])
    refused("selfplay", "wol", "minimax", "-o", "/nowhere/x", saying=["/nowhere/x"])
    refused("selfplay", "wol", "minimax", "-o", "x", "--random-moves", "101", saying=["0 to 100"])


def test_interrupt_keeps_the_games_so_far():
    import signal
    import subprocess
    path = os.path.join(harness.FOLDER, "long.jsonl")
    process = subprocess.Popen([harness.TURF, "selfplay", "wol", "minimax", "-n", "100000000",
                                "-o", path], stderr=subprocess.PIPE)
    harness.wait_until_it_heeds(process, signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err.startswith(b"stopped after "), err
    with open(path, encoding="utf-8") as file:
        assert all(json.loads(line)["ply"] >= 0 for line in file)


def best_of(player):
    return json.loads(turf("choose", "wol", player, "--explain", "--json", "--start", "random",
                           "--seed", "3").out)["best"]


def test_network_file_can_be_named():
    assert best_of(f"alphabeta:depth=2,net={NETWORK}") == best_of("alphabeta:depth=2")


def test_leaving_out_a_hand_made_term_means_to_do_without_the_network():
    by_network, by_hand = best_of("alphabeta:depth=2"), best_of("alphabeta:depth=2,without=net")
    no_crank = best_of("alphabeta:depth=2,without=net+crank")
    assert by_network != by_hand != no_crank == best_of("alphabeta:depth=2,without=crank")
    assert best_of("alphabeta:depth=2,without=reductions") == by_network


def test_wrong_networks_are_refused():
    path = os.path.join(harness.FOLDER, "bad.net")
    with open(NETWORK, "rb") as file:
        data = bytearray(file.read())
    data[5000] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    refused("match", "wol", f"alphabeta:net={path}", "random", "-n", "1", saying=["checksum"])
    refused("match", "wol", "alphabeta:net=", "random", saying=["net needs a value", "file"])
    refused("match", "wol", "alphabeta:net=/no/such.net", "random", saying=["No such file"])
    refused("match", "wol", f"alphabeta:net={harness.FOLDER}", "random", saying=["directory"])
    refused("match", "sw", f"alphabeta:net={NETWORK}", "random", saying=["squirrel-war"])


harness.main()
