"""Trains the network of War of Life from positions of 'turf selfplay'.

    python3 train/war_of_life.py -o war-of-life.net --seconds 90 DATA...

Runs on a GPU if there is one. train/README.md has the commands for the network in networks/."""
import torch
from torch.nn.functional import conv2d

import learn
from learn import device

BUCKETS, PIECES_A_BUCKET, FEWEST = 8, 4, 2
SCALE = 298  # a logit of winning is what the hand-made evaluation called 18.6 pieces


def crank(pieces):
    """One step of the board: n x 2 x 8 x 8 of 0 and 1, the side to move first."""
    kernel = torch.ones(1, 1, 3, 3, device=device)
    kernel[0, 0, 1, 1] = 0
    counts = conv2d(pieces.reshape(-1, 1, 8, 8), kernel, padding=1).view(-1, 2, 8, 8)
    total = counts.sum(1, keepdim=True)
    stays = pieces * ((total == 2) | (total == 3))
    is_born = (total == 3) & (pieces.sum(1, keepdim=True) == 0)
    return stays + is_born * (counts > counts.flip(1))


def prepare(data):
    data.features = torch.empty(data.n, 256, dtype=torch.uint8, device=device)
    for chunk in data.chunks():
        now = torch.cat([data.own[chunk], data.enemy[chunk]], 1)
        after = crank(now.float().view(-1, 2, 8, 8)).reshape(-1, 128)
        data.features[chunk] = torch.cat([now, after.to(torch.uint8)], 1)
    n_pieces = (data.own + data.enemy).sum(1, dtype=torch.int64)
    data.buckets = ((n_pieces - FEWEST).clamp(0) // PIECES_A_BUCKET).clamp(max=BUCKETS - 1)


def main():
    options = learn.parse(__doc__.split("\n", maxsplit=1)[0], results=0.3, scale=SCALE)
    learn.seed(options)
    data = learn.Data(options.data, "war-of-life")
    prepare(data)
    learn.learn(options, data, "war-of-life", BUCKETS, states=[[(0,), (1,)], [(2,), (3,)]])


main()
