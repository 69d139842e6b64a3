"""What the training programs share: the model, its training, its integers and its file.

A network has one hidden layer of squared, clipped units and one output for each bucket of
positions. It learns to predict a mixture of the search's value and the game's result, from the side
to move, under all eight symmetries of the board."""
import argparse
import time

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from network import Network
from selfplay import read

HIDDEN = 32
LIMIT = 1.98  # of weights, so that they fit their integers
device = "cuda" if torch.cuda.is_available() else "cpu"


def parse(description, results, scale):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("data", nargs="+", help="files of 'turf selfplay'")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--results", type=float, default=results,
                        help=f"weight of the result; the rest is the value's ({results})")
    parser.add_argument("--scale", type=float, default=scale,
                        help=f"the value of a logit in the search ({scale})")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def bits(words):
    """64 columns of 0 and 1 for an array of words."""
    as_bytes = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 8)
    return torch.from_numpy(np.unpackbits(as_bytes, axis=1, bitorder="little")).to(device)


class Data:
    """Records as tensors, from the side to move. A game's program adds what it computes of them:
    features (n x inputs), buckets, and scalars (n x k, whole numbers) if it has any."""

    def __init__(self, paths, game):
        records = []
        for path in paths:
            header, rows = read(path)
            if header["game"] != game or (header["rows"], header["cols"]) != (8, 8):
                raise SystemExit(f"{path} does not have positions of {game} on 8x8")
            records.append(rows)
        records = np.concatenate(records)
        self.n = len(records)
        everyone, side = np.arange(self.n), records["side"].astype(np.int64)
        planes, own = records["planes"][:, :, 0], records["own"].astype(np.float32)
        self.own, self.enemy = bits(planes[everyone, side]), bits(planes[everyone, 1 - side])
        self.others = [bits(planes[:, k]) for k in range(2, planes.shape[1])]
        self.lead = torch.from_numpy(own[everyone, side] - own[everyone, 1 - side]).to(device)
        self.moves_left = torch.from_numpy(records["moves_left"].astype(np.int64)).to(device)
        self.values = torch.from_numpy(records["value"].astype(np.float32)).to(device)
        self.results = torch.from_numpy((records["result"].astype(np.float32) + 1) / 2).to(device)
        self.scalars = None

    def chunks(self):
        step = 1 << 18
        return [slice(i, i + step) for i in range(0, self.n, step)]


def symmetries(n_inputs):
    """The eight symmetries of the board as permutations of the inputs."""
    board, lists = torch.arange(64, device=device).view(8, 8), []
    for turn in range(8):
        turned = board.flip(0) if turn & 1 else board
        turned = turned.flip(1) if turn & 2 else turned
        turned = turned.t() if turn & 4 else turned
        lists.append(torch.cat([turned.reshape(-1) + i for i in range(0, n_inputs, 64)]))
    return lists


def fit_scale(values, results):
    """The value of a logit that predicts the results best, and its loss."""
    log_scale = torch.full((1,), 4.6, device=device, requires_grad=True)
    optimiser = torch.optim.Adam([log_scale], 0.05)
    for _ in range(200):
        loss = cross_entropy(values.clamp(-3000, 3000) / log_scale.exp(), results)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return log_scale.exp().item(), loss.item()


class Model(torch.nn.Module):
    def __init__(self, n_inputs, n_buckets, n_scalars):
        super().__init__()
        self.first = torch.nn.Linear(n_inputs, HIDDEN)
        self.last = torch.nn.Linear(HIDDEN, n_buckets)
        self.direct = torch.nn.Linear(n_scalars, n_buckets, bias=False) if n_scalars else None

    def forward(self, features, buckets, scalars):
        hidden = self.first(features.float()).clamp(0, 1)
        outputs = self.last(hidden * hidden)
        if self.direct is not None:
            outputs = outputs + self.direct(scalars)
        return outputs.gather(1, buckets[:, None]).squeeze(1)

    def clamp(self):
        with torch.no_grad():
            self.first.weight.clamp_(-LIMIT, LIMIT)
            self.last.weight.clamp_(-LIMIT, LIMIT)

    def integers(self, scale, states):
        tensors = [self.first.weight.t(), self.first.bias, self.last.weight, self.last.bias]
        arrays = [tensor.detach().cpu().numpy().astype(np.float64) for tensor in tensors]
        direct = self.direct
        if direct is not None:
            direct = direct.weight.detach().cpu().numpy().astype(np.float64)
        return Network(*arrays, scale, states, direct)


def pick(data, rows):
    return data.features[rows], data.buckets[rows], (
        None if data.scalars is None else data.scalars[rows])


def train(model, options, data, target, rows):
    optimiser = torch.optim.Adam(model.parameters(), options.rate)
    turns, begin, step = symmetries(data.features.shape[1]), time.time(), 0
    while (done := (time.time() - begin) / options.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = options.rate * (1 - done) + 1e-6
        picked = rows[torch.randint(len(rows), (options.batch,), device=device)]
        features, buckets, scalars = pick(data, picked)
        features = features[:, turns[np.random.randint(8)]]
        loss = cross_entropy(model(features, buckets, scalars), target[picked])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        model.clamp()
        step += 1
    return step


def learn(options, data, game, n_buckets, states):
    """Trains a model, compares it with its integers, and writes these to options.output."""
    sample = torch.randint(data.n, (min(data.n, 2_000_000),), device=device)
    data_scale, search_loss = fit_scale(data.values[sample], data.results[sample])
    print(f"{data.n} positions; a logit is {data_scale:.1f} in the search, "
          f"whose loss on results is {search_loss:.4f}", flush=True)
    target = ((1 - options.results) * torch.sigmoid(data.values / data_scale)
              + options.results * data.results)
    order = torch.randperm(data.n, device=device)
    n_test = min(data.n // 50, 200_000)
    test, rows = order[:n_test], order[n_test:]
    n_scalars = 0 if data.scalars is None else data.scalars.shape[1]
    model = Model(data.features.shape[1], n_buckets, n_scalars).to(device)
    steps = train(model, options, data, target, rows)
    with torch.no_grad():
        features, buckets, scalars = pick(data, test)
        logits = model(features, buckets, scalars)
        print(f"{steps} steps; loss {cross_entropy(logits, target[test]).item():.5f}, "
              f"on results {cross_entropy(logits, data.results[test]).item():.5f}")
    network = model.integers(options.scale, states)
    arrays = [None if x is None else x.cpu().numpy() for x in (features, buckets, scalars)]
    difference = np.abs(network.logits(*arrays) - logits.cpu().numpy())
    print(f"as integers: mean difference {difference.mean():.4f}, largest {difference.max():.4f}")
    assert difference.mean() < 0.05, "the integers are too far from the floats"
    network.write(options.output, game)


def seed(options):
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
