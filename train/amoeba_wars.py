"""Trains the network of Amoeba Wars on 8x8 from positions of 'turf selfplay'.

    python3 train/amoeba_wars.py -o amoeba-wars.net --seconds 90 DATA...

Runs on a GPU if there is one. train/README.md has the commands for the network in networks/."""
import torch
from torch.nn.functional import max_pool2d

import learn
from learn import device

MOVES_A_TURN, FULLNESS, CELLS_A_BUCKET = 3, 4, 16
SCALE = 64  # of a logit; a point is 32


def near(cells):
    return max_pool2d(cells.view(-1, 1, 8, 8), 3, 1, 1).view(-1, 64)


def prepare(data):
    shaded = data.others[0]
    data.features = torch.empty(data.n, 448, dtype=torch.uint8, device=device)
    data.scalars = torch.empty(data.n, 4, device=device)
    for chunk in data.chunks():
        own, enemy, shade = (x[chunk].float() for x in (data.own, data.enemy, shaded))
        reach, enemy_reach = near(own) * (1 - own) * (1 - shade), near(enemy) * (1 - enemy) * (
            1 - shade)
        prey, enemy_prey = reach * enemy, enemy_reach * own
        planes = [own, enemy, shade, reach * (1 - enemy), enemy_reach * (1 - own), prey, enemy_prey]
        data.features[chunk] = torch.cat(planes, 1).to(torch.uint8)
        left = data.moves_left[chunk].float()
        data.scalars[chunk] = torch.stack([
            data.lead[chunk], reach.sum(1) - enemy_reach.sum(1),
            torch.minimum(prey.sum(1), left), enemy_prey.sum(1)], 1)
    n_taken = (data.own + data.enemy + shaded).sum(1, dtype=torch.int64)
    fullness = (n_taken // CELLS_A_BUCKET).clamp(max=FULLNESS - 1)
    data.buckets = (data.moves_left - 1) * FULLNESS + fullness


def main():
    options = learn.parse(__doc__.split("\n", maxsplit=1)[0], results=0.6, scale=SCALE)
    learn.seed(options)
    data = learn.Data(options.data, "amoeba-wars")
    prepare(data)
    learn.learn(options, data, "amoeba-wars", MOVES_A_TURN * FULLNESS,
                states=[[(0, 6), (1, 5), (2,), (3, 4)]])


main()
