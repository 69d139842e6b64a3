"""Reads what 'turf selfplay' writes: numpy arrays of records (see docs/selfplay.md)."""
import struct

import numpy as np

HEADER = struct.Struct("<8sII20sHHHHH18x")


def read(path):
    """The header of a file as a dict, and its records as a structured array."""
    with open(path, "rb") as file:
        fields = HEADER.unpack(file.read(HEADER.size))
    names = ("magic", "version", "record_bytes", "game", "rows", "cols", "n_planes", "plane_words",
             "unit")
    header = dict(zip(names, fields))
    if header["magic"] != b"TURFPLAY" or header["version"] != 1:
        raise ValueError(f"{path} was not written by 'turf selfplay', or by another version of it")
    header["game"] = header["game"].rstrip(b"\0").decode()
    record = np.dtype([
        ("value", "<i2"), ("move", "<u2"), ("ply", "<u2"), ("own", "<u2", 2), ("result", "i1"),
        ("side", "u1"), ("moves_left", "u1"), ("unused", "u1", 3),
        ("planes", "<u8", (header["n_planes"], header["plane_words"]))])
    if record.itemsize != header["record_bytes"]:
        raise ValueError(f"{path} has records of {header['record_bytes']} bytes")
    return header, np.fromfile(path, record, offset=HEADER.size)
