"""Learns War of Life from nothing but its own games, with numpy alone, until it beats 'land-grab':

    python3 examples/learning/war_of_life.py [STEPS [GAMES]]

A network of one hidden layer judges the board after a move: will the side that moved win? In each
step every game of a batch draws a fifth of its legal moves and makes the one that is judged best:
that is quick, and no two games are alike. When a game is over its boards are what the network
learns from, each with the result for its side."""
import sys

import numpy as np

import turf

N_GAMES, HIDDEN, SHARE, BATCH, RATE = 256, 32, 0.2, 1024, 2e-3
DISTANCE = np.array([-9, -8, -7, -1, 1, 7, 8, 9])  # of an action's direction, in cells


def crank(own, other):
    """One step of the Game of Life with two colours, on many boards of 64 bytes."""
    def neighbours(cells):
        wide = np.zeros((len(cells), 10, 10), np.uint8)
        wide[:, 1:9, 1:9] = cells.reshape(-1, 8, 8)
        rows = wide[:, :, :8] + wide[:, :, 1:9] + wide[:, :, 2:]
        return (rows[:, :8] + rows[:, 1:9] + rows[:, 2:]).reshape(-1, 64) - cells
    both = own | other
    count, mine = neighbours(both), neighbours(own)
    stays, born = (count == 2) | (count == 3), (count == 3) & (both == 0)
    return own & stays | born & (mine > 1), other & stays | born & (mine < 2)


def afterstates(planes, masks):
    """The boards after every legal move, as the side that moved sees them, with the game that each
    belongs to and its action."""
    games, actions = np.nonzero(masks)
    own, other = (planes[games, side].reshape(-1, 64) for side in (0, 1))
    rows, cells = np.arange(len(games)), actions % 64
    own[rows, cells] = 0
    own[rows, cells + DISTANCE[actions // 64]] = 1
    return np.concatenate(crank(own, other), axis=1), games, actions


class Network:
    """128 inputs, a hidden layer, and tanh: -1 lost, 1 won. It learns by Adam."""

    def __init__(self, rng):
        self.weights = [rng.normal(0, 0.1, (128, HIDDEN)), np.zeros(HIDDEN),
                        rng.normal(0, 0.1, HIDDEN), np.zeros(1)]
        self.weights = [each.astype(np.float32) for each in self.weights]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.n_updates = 0

    def judge(self, boards):
        first, bias, second, offset = self.weights
        hidden = np.maximum(boards.astype(np.float32) @ first + bias, 0)
        return np.tanh(hidden @ second + offset), hidden

    def learn(self, boards, results):
        values, hidden = self.judge(boards)
        slope = ((values - results) * (1 - values * values) / len(boards)).astype(np.float32)
        back = np.outer(slope, self.weights[2]) * (hidden > 0)
        slopes = [boards.astype(np.float32).T @ back, back.sum(0), hidden.T @ slope,
                  slope.sum(keepdims=True)]
        self.n_updates += 1
        for weight, mean, square, change in zip(self.weights, self.means, self.squares, slopes):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change * change - square)
            scale = np.sqrt(square / (1 - 0.999 ** self.n_updates)) + 1e-8
            weight -= RATE * mean / (1 - 0.9 ** self.n_updates) / scale


def best_actions(network, planes, masks, rng):
    """For each game an action, and the board after it."""
    boards, games, actions = afterstates(planes, masks)
    values = network.judge(boards)[0] + 1e-6 * rng.random(len(boards), np.float32)
    order = np.lexsort((values, games))
    best = order[np.flatnonzero(np.diff(games[order], append=len(planes)))]
    return actions[best].astype(np.int32), boards[best]


def train(n_steps, n_test_games, seed=1):
    rng, batch = np.random.default_rng(seed), turf.batch("war-of-life", N_GAMES, seed=seed)
    network, history = Network(rng), [[] for _ in range(N_GAMES)]
    boards, results, n_games = [], [], 0
    for step in range(1, n_steps + 1):
        masks = batch.masks & (rng.random(batch.masks.shape, np.float32) < SHARE)
        masks[np.arange(N_GAMES), batch.sample()] = True
        actions, after = best_actions(network, batch.observations, masks, rng)
        for game, board in enumerate(after):
            history[game].append(board)
        batch.step(actions)
        for game in np.flatnonzero(batch.ended):  # rewards are those of the side that moved last
            signs = batch.rewards[game] * (-1.0) ** np.arange(len(history[game]))[::-1]
            boards += history[game]
            results.extend(signs)
            history[game], n_games = [], n_games + 1
        while len(boards) >= BATCH:
            network.learn(np.array(boards[:BATCH]), np.array(results[:BATCH], np.float32))
            boards, results = boards[BATCH:], results[BATCH:]
        if step % max(1, n_steps // 5) == 0:
            against = score(network, "land-grab", n_test_games).mean()
            print(f"{n_games} games: {against:.0%} against land-grab", flush=True)
    return network


def score(network, opponent, n_games, seed=1000):
    """The network's points against a player of turf, game by game, each start from both sides."""
    rng, rival, points = np.random.default_rng(seed), turf.player("war-of-life", opponent), []
    for number in range(n_games):
        position, side = turf.position("war-of-life", seed=seed + number // 2), number % 2
        while not position.is_over:
            if position.to_move == side:
                planes, mask = position.planes()[None], position.mask()[None]
                action = best_actions(network, planes, mask, rng)[0][0]
                position.play(position.move_of_action(action))
            else:
                position.play(rival.choose(position))
        points.append((1 + position.reward(side)) / 2)
    return np.array(points)


if __name__ == "__main__":
    steps, games = [int(word) for word in sys.argv[1:]] + [4000, 400][len(sys.argv) - 1:]
    points = score(train(steps, games // 4), "land-grab", games, seed=9000)
    print(f"score {points.mean():.3f} ± {1.96 * points.std() / games ** 0.5:.3f} of {games} games "
          "against land-grab")
