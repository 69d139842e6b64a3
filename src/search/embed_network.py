"""Writes a network file as C, so that the program carries it.

    embed_network.py NETWORK OUT.c

The numbers go through the compiler, so the byte order of the processor does not matter."""
import struct
import sys

HEADER = struct.Struct("<8sI20sIIIIIIQ")
source, out = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
(magic, version, game, n_inputs, n_hidden, n_buckets, n_scalars, scale, _,
 checksum) = HEADER.unpack_from(data)
fnv = 0xCBF29CE484222325
for byte in data[HEADER.size:]:
    fnv = (fnv ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
if magic != b"TURFNET\0" or version != 1 or fnv != checksum:
    sys.exit(f"{source} is not a network of version 1, or it is damaged")
at = HEADER.size


def take(count, code="h"):
    global at
    numbers = struct.unpack_from(f"<{count}{code}", data, at)
    at += struct.calcsize(f"<{count}{code}")
    return "{" + ",".join(map(str, numbers or (0,))) + "}"


def rows(count, width, code="h"):
    return "{" + ",\n".join(take(width, code) for _ in range(count)) + "}"


name = "network_" + game.rstrip(b"\0").decode().replace("-", "_")
with open(out, "w", encoding="ascii") as file:
    file.write(f"""#include "search/network.h"
#include <assert.h>
static_assert(NETWORK_HIDDEN == {n_hidden}, "the size of the network");
extern const Network {name};
const Network {name} = {{
    .inputs = {rows(n_inputs, n_hidden)},
    .biases = {take(n_hidden)},
    .outputs = {rows(n_buckets, n_hidden)},
    .scalars = {rows(n_buckets, n_scalars, "i")},
    .output_biases = {take(n_buckets, "i")},
    .scale = {scale},
}};
""")
