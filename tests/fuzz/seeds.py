"""Generates the seeds of the fuzz targets with turf itself: positions, records and plans of games
that it plays, its list of players, and typical input around these.

    seeds.py TURF FOLDER

Writes the inputs to FOLDER/TARGET/ and the words in them, for libFuzzer, to FOLDER/TARGET.dict."""
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

SMALL_TORUS = json.dumps({
    "config": {"rows": 5, "cols": 7, "maxGameIterations": 6, "scoring": "sum"},
    "board": ["..1....", ".11..2.", ".....22", ".......", "......."]
})
# besides the first that a game has a name for
STARTS = {"war-of-life": ["cross"], "amoeba-wars": ["4x4", "12x12", "5x9,chains,steps=2,end=stuck"],
          "ai-battleground": ["6x9", SMALL_TORUS]}


class Maker:
    def __init__(self, turf, folder):
        self.turf, self.folder = os.path.abspath(turf), folder
        self.seeds = {}
        self.games = json.loads(self.run("games", "--json"))  # in the order of the first byte

    def number_of(self, name):
        return [game["name"] for game in self.games].index(name)

    def add(self, target, *texts):
        for text in texts:
            data = text if isinstance(text, bytes) else text.encode()
            self.seeds.setdefault(target, []).append(data)

    def run(self, *words, given=""):
        return subprocess.run([self.turf, *words], input=given, capture_output=True, text=True,
                              check=True, timeout=600).stdout

    def write(self):
        for target, seeds in self.seeds.items():
            folder = os.path.join(self.folder, target)
            os.makedirs(folder, exist_ok=True)
            for number, seed in enumerate(dict.fromkeys(seeds)):
                with open(os.path.join(folder, f"{number:03d}"), "wb") as file:
                    file.write(seed)
            words = sorted({
                word
                for seed in seeds
                for word in re.findall(rb"[A-Za-z][A-Za-z_/-]{2,30}", seed)
            })
            with open(os.path.join(self.folder, target + ".dict"), "wb") as file:
                file.writelines(b'"%s"\n' % word for word in words)


def compact(json_value):
    return json.dumps(json_value, separators=(",", ":"))


def play(maker):
    """Games of every kind: their records, and the plans of their runs."""
    records, plans = [], []
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "turf.db")
        for game in maker.games:
            for start in [game["starts"][0]["name"], *STARTS.get(game["name"], [])]:
                maker.run("match", game["name"], "random", "random", "-n", "1", "--record", "1",
                          "--start", start, "--db", database, "-q")
                records.append(json.loads(maker.run("export", "--db", database, "--no-times",
                                                    "-q")))
        maker.run("tournament", "wol", "random", "bloodlust:ties=random", "--schedule", "swiss",
                  "--rounds", "1", "--time", "1000", "--db", database, "-q")
        maker.run("match", "sw", "a=random", "b=land-grab", "-n", "10", "--swap", "--sprt=-5,5",
                  "--db", database, "-q")
        with sqlite3.connect(database) as connection:
            plans = [row[0] for row in connection.execute("SELECT plan FROM runs ORDER BY id")]
    return records, plans


def positions_of(maker, record):
    """The positions of a game with the moves made in them."""
    position = record["start"]
    with subprocess.Popen([maker.turf, "step", record["game"]], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, bufsize=1) as steps:
        for move in record["moves"]:
            yield position, move
            print(compact({**position, "move": move}), file=steps.stdin, flush=True)
            position = json.loads(steps.stdout.readline())
        yield position, None
        steps.stdin.close()


def prolog(rows):
    return compact([[[r + 1, c + 1]
                     for r, row in enumerate(rows)
                     for c, cell in enumerate(row)
                     if cell == colour]
                    for colour in "br"]) + "."


def positions(maker, records):
    for number, game in enumerate(maker.games):
        maker.add("position", *(f"{number}{start['name']}" for start in game["starts"]),
                  f"{number}6x6")
    for record in records:
        number = maker.number_of(record["game"])
        line = list(positions_of(maker, {**record, "moves": record["moves"][:8]}))
        for position, move in line[::2]:
            rows = position["board"]
            maker.add("position", f"{number}{compact(position)}")
            maker.add("move", f"{number}{compact({**position, 'move': move})}")
            if record["game"] == "squirrel-war":
                values = "\n".join(" ".join(map(str, row)) for row in position["values"])
                maker.add("position", f"{number}{values}\n" + "\n".join(rows))
                maker.add("squirrel", f"1\nX\n2\n{values}\n" + "\n".join(rows),
                          f"4\nX\n1\n2\nO\n3\n2\n{values}\n" + "\n".join(rows) + "\n")
            else:
                maker.add("position", f"{number}" + "/".join(rows),
                          f"{number}" + "\n".join(rows) + "\n")
            if record["game"] == "war-of-life":
                maker.add("position", f"{number}{prolog(rows)}", f"{number}{compact(rows)}")
            maker.add("lists", f"{number}s# starts\n{compact(position)}\n\n" + "/".join(rows))
    maker.add("move", "03 8 2 7", "0[3,8,2,7]", "1A2", "1b 7", "2{}", "3C3", "3\"e5\"")


def players(maker):
    for number, game in enumerate(maker.games):
        specs = [
            "level=3", "anna=level:10", "bot:sh -c 'exit 1'", "b=bot:sh", "tcp:9000",
            "tcp:0.0.0.0:9001"
        ]
        for player in game["players"]:
            specs.append(player["name"])
            for option in (player["options"] or "").split(", "):
                name, _, value = option.partition("=")
                choices = re.findall(r"\d+|first|random|measure|beyond",
                                     value) or ["7", "material", "mobility+reductions"]
                specs += [f"{player['name']}:{name}={choice}" for choice in choices if name]
        maker.add("player", *(f"{number}{spec}" for spec in specs),
                  f"{number}deep=minimax:depth=3,ties=random,wins=beyond")
        maker.add(
            "lists", f"{number}e# entrants\n" +
            "\n".join(f" p{i} = {spec}" for i, spec in enumerate(specs[6:14])),
            f"{number}e" + "\n".join(specs[6:9]))


def configs(maker):
    game = {
        "rows": 12, "cols": 12, "cellGainPerTurn": 2, "maxCellCapacity": 9, "startingCells": 4,
        "maxColonisationDistance": 2, "maxGameIterations": 30, "ruleset": "diff"
    }
    cells = [[[5, 2], [5, 3]], [[5, 8], [5, 9]]]
    kinds = [{"type": "dummy", "name": "Idle"}, {
        "type": "tcp", "name": "Far", "timer": {"maxLength": 1000}
    }, {"type": "process", "command": ["sh", "-c", "cat"], "workingDirectory": "/", "timer": None}]
    for first in kinds:
        for second in kinds:
            config = {
                "players": [
                    dict(first, startingCells=cells[0]),
                    dict(second, startingCells=cells[1])
                ], "game": game, "port": 1989, "visualization": True
            }
            maker.add("config", json.dumps(config, indent=1))
    maker.add(
        "config",
        compact({
            "players": kinds[:2], "game": dict(game, ruleset="classic", collisions="player2",
                                               scoring="sum")
        }))


def settings(maker):
    maker.add(
        "settings",
        compact({
            "port": 8080, "listen": "::1", "allow": ["x=random", "wol/y=minimax:depth=3"],
            "host": ["turf.example"], "quiet": True
        }),
        compact({
            "db": "games.db", "patience": 30, "max-games": 10, "max-bots": 2, "allow-write": [],
            "sandbox": "off", "quiet": False
        }))


def wire(maker, records):
    """Questions and answers between the arena and bots."""
    numbers = {
        "cellsRemaining": 3, "cellGainPerTurn": 3, "maxCellCapacity": 15,
        "maxColonisationDistance": 2, "currIteration": 4, "maxGameIterations": 500
    }
    for record in records:
        number = maker.number_of(record["game"])
        for made in (0, 3, 60):
            head = f"{number}{chr(made)}".encode()
            maker.add("answer",
                      head + b"\0{\"move\":" + compact(record["moves"][0]).encode() + b"}\n",
                      head + b"\x0cTraceback\n!\n",
                      head + b"\x05\xff\x1b[0m\xfe{\"cells\":[[1,2],[3,4]]}\n",
                      head + b"\0{\"cells\":[]}\n{}", head + b"\0[]\n")
        if record["game"] == "ai-battleground":
            field = [row.replace("1", "#").replace("2", "O") for row in record["start"]["board"]]
            maker.add(
                "question", compact({"field": field, **numbers}),
                compact({"field": field, **numbers, "timeGainPerTurn": 100,
                         "timeLeftForMove": 500}))


def request(method, path, body=None, token=None, **headers):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost:8417"
             ] + [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines.append("Content-Type: application/json")
    return "\n".join(lines) + "\n\n" + (compact(body) if body is not None else "")


def requests(maker, records):
    def live(game, *seats, **more):
        return request("POST", "/api/live-games", {"game": game, "seats": list(seats), **more})

    person, player = {"kind": "person", "name": "Ann"}, {"kind": "player", "player": "land-grab"}
    here = "/api/live-games/$S"
    maker.add(
        "http",
        *(request("GET", path)
          for path in ("/", "/main.js", "/nothing", "/api/server", "/api/games", "/api/live",
                       "/api/live-games?state=over&game=wol&limit=3",
                       "/api/history?limit=5&before=1.-.2",
                       "/api/history?game=wol&player=random&tournament=1",
                       "/api/history/g-1/frames?from=0&n=2", "/api/tournaments",
                       "/api/tournaments/1", "/api/%67ames")),
        request("GET", "/", If_None_Match="\"x\""),
        request("GET", "/api/games", Origin="http://localhost:8417", Sec_Fetch_Site="same-origin"),
        request("HEAD", "/api/games"), request("DELETE", "/api/games"),
        request("GET", "/api/live", Last_Event_ID="abc-1"))
    for record in records[::2]:
        game, start, move = record["game"], record["start"], record["moves"][0]
        seat_move = move["1"] if isinstance(move, dict) else move
        maker.add(
            "http", request("POST", "/api/start", {"game": game, "seed": 1}),
            request("POST", "/api/moves", {"game": game, "position": start}),
            request("POST", "/api/step", {"game": game, "position": start, "move": move}),
            request("POST", "/api/step", {"game": game, "position": start}),
            request("POST", "/api/choose",
                    {"game": game, "position": start, "player": "random", "all": True}), "\f".join([
                        live(game, person, player, start=start,
                             clock={"initial_ms": 300000, "gain_ms": 5000}),
                        request("GET", here + "/moves"),
                        request("PUT", here + "/seat", {"name": "Bob"}, "$T"),
                        request("POST", here + "/moves", {"move": seat_move, "n_moves": 0}, "$T"),
                        request("GET", here + "/frames?from=0&n=3"),
                        request("POST", here + "/undo", {}, "$T"),
                        request("POST", here + "/resign", {}, "$T"),
                        request("POST", here + "/rematch", {}, "$T"),
                        request("GET", "/api/history/s-$S")
                    ]), "\f".join([
                        live(game, person, dict(person, name="Bea"), is_listed=False),
                        request("POST", here + "/moves", {"move": seat_move}, "$T"),
                        request("POST", here + "/moves", {"move": seat_move}, "$U"),
                        request("GET", here + "/events"),
                        request("GET", here + "/seat", token="$U")
                    ]))
    maker.add(
        "http",
        request("POST", "/api/start", {
            "game": "bg", "start": "40x17",
            "config": {"maxGameIterations": 200, "ruleset": "classic"}
        }),
        live("wol", player, dict(player, player="minimax", options={"depth": 1}), delay_ms=0,
             start="cross"))
    for export in ("json", "csv", "markdown", "html"):
        maker.add(
            "http", "\f".join([
                request(
                    "POST", "/api/tournaments", {
                        "game": "wol", "games": 2, "seed": 1, "swaps_sides": True, "players": [{
                            "player": "random"
                        }, {"player": "bloodlust", "name": "red", "options": {"ties": "random"}}]
                    }, "$O"),
                request("GET", "/api/tournaments/$R"),
                request("GET", f"/api/tournaments/$R/export?format={export}"),
                request("GET", "/api/tournaments/$R/events"),
                request("POST", "/api/tournaments/$R/stop", {}, "$O"),
                request("POST", "/api/tournaments/$R/resume", {}, "$O")
            ]))


def calls(maker):
    """Calls of turf.h, by their numbers in fuzz_api.c: each player of each game is opened, asked,
    asked again when the game is over, and sent into a run; and calls in a random order."""
    (find, start, _, both, moves, ask, read, opens, custom, choose, cells, run, observe,
     batch) = range(14)
    for game in range(4):
        begin = bytes([find, 0, 1, game, start, 0, 1, 9, 1, start, 1, 1, 2, 1])
        for player in range(18):
            made = bytes([opens, 0, 1, player, custom, 1, 1, 0, 1, 1])
            asked = bytes([choose, 0, 0, 1, 1, cells, 0, 0, 1, choose, 1, 1, 1, 1]) * 3
            played = bytes([run, 0, 1, 1, 0, 2, 1, 1, 2, 0, 1, 1, 7, 4, 40, 0, 1, 1, 1, 1])
            maker.add("api", begin + made + asked + played)
        maker.add("api", begin + bytes([choose, 0, 2, 1, 1, both, 0, 1, 0, 3, 1, 2, 3, 4, 5, 6]),
                  begin + bytes([moves, 0, ask, 0, 1, 1, 1, 1, read, 0, 1, 2]),
                  begin + bytes([observe, 0, 0, 1, 1, 7, observe, 1, 1, 1, 0, 2]),
                  begin + bytes([batch, 3, 1, 1, 6, 31] + [1, 3, 5, 7] * 6 + [4, 2, 8, 3, 9]))
    order = random.Random(1)
    maker.add("api", *(order.randbytes(order.randrange(20, 400)) for _ in range(100)))


def databases(maker):
    """Changes of rows, as fuzz_database.c describes them; the first ones crashed turf once."""
    known = ["2 0 2 =4294967296", "2 0 5 =0", "2 0 5 =-1", "0 0 5 =0", "3 3 8 \"draw",
             "4 0 8 =-300000"]
    maker.add("database", *known, "")
    values = ["!", "=9223372036854775807", "\"x", "=1.5", "=-1"]
    for table, n_columns in enumerate((9, 4, 7, 16, 16, 16, 5)):
        for column in range(0, n_columns, 2):
            value = values[(table + column // 2) % len(values)]
            maker.add("database", f"{table} 0 {column} {value}")
        maker.add("database", f"{table} 0 0 -", f"{table} 1 0 +")
    maker.add("database", "0 0 2 @40 swiss", "0 1 2 @60 99999", "0 2 2 \"{}", "3 0 14 @3 ]",
              "3 1 13 @9 {", "5 0 14 @12 -", "5 0 15 @30 99999999999", "6 0 3 \"null")


def main():
    maker = Maker(*sys.argv[1:])
    records, plans = play(maker)
    for record in records:
        record["moves"] = record["moves"][:40]  # enough to see, and quick to change
        maker.add("record", compact(record))
    maker.add(
        "record",
        compact({**records[0], "forfeit": "crash", "explanation": "ended by signal 6",
                 "moves": []}))
    maker.add("plan", *plans)
    positions(maker, records)
    players(maker)
    configs(maker)
    settings(maker)
    wire(maker, records)
    requests(maker, records)
    calls(maker)
    databases(maker)
    maker.write()


if __name__ == "__main__":
    main()
