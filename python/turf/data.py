"""Data: what 'turf selfplay' writes, the games of a turf.db, and data sets of random games."""
from __future__ import annotations

import json
import os
import sqlite3
import struct
from typing import Any, Iterator, Optional, Union

import numpy as np

from ._engine import TurfError
from .batches import Batch, aligned
from .games import Game, check_number, game

HEADER = struct.Struct("<8sII20sHHHHH18x")
APPLICATION = 0x54757266  # of a turf.db: "Turf"
NPY_HEADER = 128  # bytes: room for any number of positions
PATH = Union[str, "os.PathLike[str]"]


# ---- turf selfplay


class SelfPlay:
    """A file of 'turf selfplay', with an entry for each position in every array.

    planes      n x planes x rows x cols, uint8: as Position.planes of the first side
    value       n, float32: of the search, for the side to move, in pieces or points or, with
                `has_chances`, as chances of winning; nan if there is none
    move, ply, side, moves_left     n, as they were
    own         n x 2: pieces or points of both sides
    result      n, int8: of the game, for the side to move: 1, 0 or -1
    """

    def __init__(self, path: PATH):
        with open(path, "rb") as file:
            head = file.read(HEADER.size)
        if len(head) < HEADER.size or head[:8] != b"TURFPLAY":
            raise TurfError(f"{os.fspath(path)} was not written by 'turf selfplay'; its binary "
                            "format is meant, not .jsonl")
        (_, version, size, name, rows, cols, n_planes, n_words, unit) = HEADER.unpack(head)
        if version != 1:
            raise TurfError(f"{os.fspath(path)} has format {version}; this turf reads format 1")
        record = np.dtype([
            ("value", "<i2"), ("move", "<u2"), ("ply", "<u2"), ("own", "<u2", 2), ("result", "i1"),
            ("side", "u1"), ("moves_left", "u1"), ("unused", "u1", 3),
            ("planes", "<u8", (n_planes, n_words))])
        if record.itemsize != size or not 0 < rows * cols <= 64 * n_words:
            raise TurfError(f"{os.fspath(path)} is damaged: its records do not fit its board")
        self.game: Game = game(name.rstrip(b"\0").decode("ascii", "replace"))
        self.shape, self.has_chances = (rows, cols), unit == 0
        self.records = np.fromfile(path, record, offset=HEADER.size)
        for field in ("move", "ply", "side", "moves_left", "own", "result"):
            setattr(self, field, self.records[field])
        value = self.records["value"].astype(np.float32) / (unit or 100)
        value[self.records["value"] == np.iinfo(np.int16).min] = np.nan
        self.value = value

    def __len__(self) -> int:
        return len(self.records)

    @property
    def planes(self) -> np.ndarray:
        """Unpacked from bits at every call. The values of SquirrelWar's squares are bit planes."""
        words = np.ascontiguousarray(self.records["planes"])
        bits = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")
        rows, cols = self.shape
        return bits[..., :rows * cols].reshape(*words.shape[:2], rows, cols)


def read_selfplay(path: PATH) -> SelfPlay:
    """Reads a file of 'turf selfplay GAME PLAYER -o FILE'."""
    return SelfPlay(path)


# ---- turf.db


class Database:
    """A turf.db, opened for reading. What it gives are dicts, one to a row of a data frame."""

    def __init__(self, path: PATH):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise TurfError(f"there is no database {self.path}")
        uri = "file:" + self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        self._connection = sqlite3.connect(uri + "?mode=ro", uri=True)
        self._connection.row_factory = sqlite3.Row
        if next(iter(self._rows("PRAGMA application_id")))["application_id"] != APPLICATION:
            raise TurfError(f"{self.path} is not a database of turf")

    def _rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        try:
            return [dict(row) for row in self._connection.execute(sql, values)]
        except sqlite3.Error as error:
            raise TurfError(f"the database {self.path} cannot be read: {error}") from None

    def runs(self) -> list[dict[str, Any]]:
        """The runs: id, game, created (seconds since 1970), is_finished, plan (a dict), and the
        names of the players."""
        rows = self._rows("SELECT id, game, created, is_finished, plan FROM runs ORDER BY id")
        for row in rows:
            row["plan"], row["is_finished"] = self._json(row["plan"]), bool(row["is_finished"])
            row["players"] = [each["name"] for each in self._rows(
                "SELECT name FROM entrants WHERE run=? ORDER BY entrant", row["id"])]
        return rows

    def results(self, run: int) -> list[dict[str, Any]]:
        """The pairings of a run: players, games, wins of each, draws. Games that were not played
        yet are not counted."""
        chunks = """SELECT pairing, n_counted n, won_by_first a, won_by_second b FROM chunks
                    WHERE run=?1"""
        singles = """SELECT pairing, 1, (ending='first') <> is_swapped AND ending IN
                     ('first', 'second'), (ending='second') <> is_swapped AND ending IN
                     ('first', 'second') FROM games WHERE run=?1 AND NOT is_sample"""
        rows = self._rows(f"""
            SELECT x.name first, y.name second, coalesce(sum(c.n), 0) games,
                   coalesce(sum(c.a), 0) wins_first, coalesce(sum(c.b), 0) wins_second
            FROM pairings p JOIN entrants x ON x.run=p.run AND x.entrant=p.first
            JOIN entrants y ON y.run=p.run AND y.entrant=p.second
            LEFT JOIN ({chunks} UNION ALL {singles}) c ON c.pairing=p.pairing
            WHERE p.run=?1 GROUP BY p.pairing ORDER BY p.pairing""",
                          check_number(run, 1, 2**63 - 1, "run"))
        return [{"players": (row["first"], row["second"]), "games": row["games"],
                 "wins": (row["wins_first"], row["wins_second"]),
                 "draws": row["games"] - row["wins_first"] - row["wins_second"]} for row in rows]

    def games(self, run: Optional[int] = None) -> Iterator[dict[str, Any]]:
        """The games that were kept move by move (--record, and those of bots): players (the first
        moved first), ending, length, start (a dict), moves (a list), reason of a forfeit."""
        rows = self._rows("""
            SELECT g.run, g.pairing, g.game, r.game name, g.ending, g.length, g.reason, g.start,
                   g.moves, g.is_swapped, x.name a, y.name b
            FROM games g JOIN runs r ON r.id=g.run
            JOIN pairings p ON p.run=g.run AND p.pairing=g.pairing
            JOIN entrants x ON x.run=g.run AND x.entrant=p.first
            JOIN entrants y ON y.run=g.run AND y.entrant=p.second
            WHERE ?1 IS NULL OR g.run=?1 ORDER BY g.run, g.pairing, g.game""",
                          None if run is None else check_number(run, 1, 2**63 - 1, "run"))
        for row in rows:
            names = (row.pop("a"), row.pop("b"))
            row["players"] = names[::-1] if row.pop("is_swapped") else names
            row["number"], row["game"] = row["game"], row.pop("name")
            row["start"], row["moves"] = self._json(row["start"]), self._json(row["moves"])
            yield row

    def _json(self, value: Any) -> Any:
        try:
            return json.loads(value)
        except (TypeError, ValueError):
            raise TurfError(f"the database {self.path} is damaged: a value is not JSON") from None


def database(path: PATH = "turf.db") -> Database:
    """Opens a database of runs."""
    return Database(path)


# ---- data sets


class Dataset:
    """Positions of whole games in a folder of .npy files, which are mapped into memory. Planes and
    masks are packed, 8 cells or actions to a byte, the first in the lowest bit.

    planes      n x bytes: Position.planes of the side to move (of SquirrelWar without the values)
    masks       n x bytes: the legal actions
    actions     n, uint16: the action that was played
    sides       n, uint8: the side to move
    games       n, uint32: the index of the game in `results`
    results     for each game, int8: 1 if the first side won, -1 if the second did, else 0
    """

    NAMES = ("planes", "masks", "actions", "sides", "games", "results")

    def __init__(self, folder: PATH):
        path = os.path.join(folder, "dataset.json")
        try:
            with open(path, encoding="utf-8") as file:
                facts = json.load(file)
            self.game, self.shape = game(facts["game"]), tuple(facts["shape"])
            self.n_actions: int = facts["actions"]
            for name in self.NAMES:
                setattr(self, name, np.load(os.path.join(folder, name + ".npy"), mmap_mode="r"))
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise TurfError(f"{os.fspath(folder)} is no data set of turf: {error}") from None

    def __len__(self) -> int:
        return len(self.actions)

    def unpack(self, which: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Planes (uint8), masks (bool) and results for the side to move (int8) of some positions,
        by a slice or an array of indices."""
        planes = np.unpackbits(self.planes[which], axis=-1, bitorder="little")
        masks = np.unpackbits(self.masks[which], axis=-1, bitorder="little")
        size = int(np.prod(self.shape))
        results = self.results[self.games[which]]
        results = np.where(self.sides[which] == 0, results, -results)
        return (planes[..., :size].reshape(-1, *self.shape),
                masks[..., :self.n_actions].astype(bool), results)


def read_dataset(folder: PATH) -> Dataset:
    """Opens what write_dataset wrote."""
    return Dataset(folder)


def write_dataset(of: Union[str, Game], folder: PATH, n: int, seed: int = 1, places: int = 4096,
                  threads: int = 1) -> Dataset:
    """Plays the first n random games of a seed and writes their positions, masks and results. They
    are the games of 'turf match GAME random random -n N --seed SEED'."""
    n_games = check_number(n, 1, 10**8, "n")
    batch = Batch(of, min(check_number(places, 1, 2**24, "places"), n_games), seed,
                  threads=threads)
    if batch.is_simultaneous:
        raise TurfError(f"data sets are for games with turns, not for {batch.game.name}")
    os.makedirs(folder, exist_ok=True)
    writer = _Writer(batch, os.fspath(folder), n_games)
    while writer.n_left > 0:
        writer.step()
    writer.close()
    return Dataset(folder)


class _Writer:
    """Appends the positions of a batch to files, and learns the results as games end."""

    def __init__(self, batch: Batch, folder: str, n_games: int):
        self.batch, self.folder, self.n_left = batch, folder, n_games
        self.results = np.zeros(n_games, np.int8)
        self.numbers = np.arange(batch.n, dtype=np.uint32)
        self.actions = aligned((batch.n,), np.int32)
        has_values = batch.observations.shape[1] == 3 and batch.game.name == "squirrel-war"
        self.n_planes = batch.observations.shape[1] - has_values
        self.count = 0
        self.files = {name: open(os.path.join(folder, name + ".npy"), "wb")
                      for name in Dataset.NAMES[:-1]}
        for file in self.files.values():
            file.write(bytes(NPY_HEADER))  # filled in by close

    def step(self) -> None:
        batch, wanted = self.batch, self.numbers < len(self.results)
        rows = slice(None) if wanted.all() else np.flatnonzero(wanted)
        batch.sample(out=self.actions)
        self._write("planes", _pack(batch.observations[rows, :self.n_planes]))
        self._write("masks", _pack(batch.masks[rows]))
        self._write("actions", self.actions[rows].astype(np.uint16))
        self._write("sides", batch.to_move[rows])
        self._write("games", self.numbers[rows])
        self.count += int(wanted.sum())
        batch.step(self.actions)
        over = np.flatnonzero(batch.ended & wanted)
        won = batch.endings[over]
        self.results[self.numbers[over]] = (won == 0).astype(np.int8) - (won == 1)
        self.n_left -= len(over)
        self.numbers[batch.ended] += np.uint32(batch.n)

    def _write(self, name: str, rows: np.ndarray) -> None:
        self.files[name].write(np.ascontiguousarray(rows).data)

    def close(self) -> None:
        """Fills in the headers, now that the number of positions is known."""
        batch = self.batch
        shape = (self.n_planes, *batch.observations.shape[2:])
        widths = {"planes": -(-int(np.prod(shape)) // 8), "masks": -(-batch.masks.shape[1] // 8)}
        kinds = {"actions": "<u2", "games": "<u4"}
        for name, file in self.files.items():
            rows = (self.count, widths[name]) if name in widths else (self.count,)
            facts = {"descr": kinds.get(name, "|u1"), "fortran_order": False, "shape": rows}
            text = repr(facts).encode().ljust(NPY_HEADER - 11) + b"\n"
            file.seek(0)
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
            file.close()
        np.save(os.path.join(self.folder, "results.npy"), self.results)
        with open(os.path.join(self.folder, "dataset.json"), "w", encoding="utf-8") as out:
            json.dump({"game": batch.game.name, "shape": shape,
                       "actions": batch.masks.shape[1]}, out)


def _pack(rows: np.ndarray) -> np.ndarray:
    return np.packbits(rows.reshape(len(rows), -1), axis=-1, bitorder="little")
