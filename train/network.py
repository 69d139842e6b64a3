"""Network files: writing them from floats, and the integer arithmetic that turf uses."""
import struct

import numpy as np

ONE, OUTPUT_ONE = 256, 64  # 1.0 in the hidden layer, and in the weights of the output
HEADER = struct.Struct("<8sI20sIIIIIIQ")


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


class Network:
    """Weights as integers: inputs x hidden, hidden, buckets x hidden, buckets, and, in a game that
    has scalars, buckets x scalars. `states` lists, for each board of 64 cells, the sets of planes
    that a cell can be in at once."""

    def __init__(self, inputs, biases, outputs, output_biases, scale, states, scalars=None):
        self.inputs = np.round(inputs * ONE).astype(np.int32)
        self.biases = np.round(biases * ONE).astype(np.int32)
        self.outputs = np.round(outputs * OUTPUT_ONE).astype(np.int32)
        self.output_biases = np.round(output_biases * ONE * ONE * OUTPUT_ONE).astype(np.int32)
        if scalars is None:
            scalars = np.zeros((len(outputs), 0))
        self.scalars = np.round(scalars * ONE * ONE * OUTPUT_ONE).astype(np.int32)
        self.scale = int(round(scale))
        self.check(states)

    def check(self, states):
        """What turf checks when it reads a file: no sum leaves 16 bits."""
        planes = np.abs(self.inputs).reshape(-1, 64, self.inputs.shape[1])
        sums = np.abs(self.biases)
        for board in states:
            sums = sums + np.max([planes[list(state)].sum(0) for state in board], 0).sum(0)
        assert sums.max() <= 32767, "sums need more than 16 bits"
        assert np.abs(self.outputs).max() * ONE <= 32767, "an output weight is too large"

    def logits(self, features, buckets, scalars=None):
        """The same integers as in turf, as logits."""
        hidden = np.clip(features.astype(np.int32) @ self.inputs + self.biases, 0, ONE)
        sums = (hidden * self.outputs[buckets] * hidden).sum(1) + self.output_biases[buckets]
        if scalars is not None:
            sums = sums + (self.scalars[buckets].astype(np.int64) * scalars).sum(1)
        return sums / (ONE * ONE * OUTPUT_ONE)

    def write(self, path, game):
        body = (self.inputs.astype("<i2").tobytes() + self.biases.astype("<i2").tobytes()
                + self.outputs.astype("<i2").tobytes() + self.scalars.astype("<i4").tobytes()
                + self.output_biases.astype("<i4").tobytes())
        header = HEADER.pack(b"TURFNET", 1, game.encode(), *self.inputs.shape,
                             *self.scalars.shape, self.scale, 0, fnv1a(body))
        with open(path, "wb") as file:
            file.write(header + body)
