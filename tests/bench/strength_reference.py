"""The tasks of bench_strength.c in plain numpy, the same formulas on random features of the same
size; the features themselves are not computed. Usage: strength_reference.py FILE. The file is the
output of `bench_strength --shipped`: the constants, and ratings that must be reproduced. Prints one row
per task: name, CPU seconds (minimum of several runs).
"""
import sys

import numpy as np

from clock import least

rng = np.random.default_rng(7)
shipped = {}
for line in open(sys.argv[1]):
    name, values = line.split('\t')
    shipped[name] = np.array(values.split(), float)
FEATURES, SLOPES = shipped['sizes'].astype(int)
STEPS = shipped['steps']
MOVES, YEAR, GAMES = 300000, 2500, 9
PENALTY = np.r_[0, np.full(FEATURES - 1, 10.0), np.full(SLOPES, 300.0)]
GRID = 1000 + 10.0 * np.arange(241)


# The curve and its variance on the grid; linear beyond the knots, too.
def curve():
    elo, z, var, cov = (shipped[name] for name in ('elo', 'z', 'var', 'cov'))
    k = np.clip(np.searchsorted(elo, GRID) - 1, 0, len(elo) - 2)
    t = (GRID - elo[k]) / (elo[k + 1] - elo[k])
    return z[k] + t * (z[k + 1] - z[k]), (1 - t) ** 2 * var[k] + 2 * t * (1 - t) * cov[k] + t * t * var[k + 1]


CURVE, CURVE_VARIANCE = curve()


def play(n):
    x = rng.standard_normal((n, FEATURES))
    x[:, 0] = 1
    return x, rng.uniform(-2, 2, n), rng.exponential(25, n) * (rng.random(n) > 0.45)


def fit(x, theta, loss):
    rows = np.hstack([x, theta[:, None] * x[:, [0, 1, 7]]])
    out = []
    left = np.arange(len(x))
    for step in STEPS:
        w, r, y = np.zeros(FEATURES + SLOPES), rows[left], loss[left] > step
        for _ in range(8):
            p = 1 / (1 + np.exp(-(r @ w)))
            h = (r * (p * (1 - p))[:, None]).T @ r + np.diag(PENALTY) + 1e-9 * np.eye(len(w))
            w = w + np.linalg.solve(h, r.T @ (y - p) - PENALTY * w)
        out.append(w)
        left = left[y]
    return np.array(out)


def scores(w, x, loss):
    u = x[:, [0, 1, 7]]
    score, information, left = np.zeros(len(x)), np.zeros(len(x)), np.ones(len(x), bool)
    for k, step in enumerate(STEPS):
        p = 1 / (1 + np.exp(-(x @ w[k, :FEATURES])))
        g = u @ w[k, FEATURES:]
        score += left * g * ((loss > step) - p)
        information += left * g * g * p * (1 - p)
        left = left & (loss > step)
    return score, information


def posterior(score, information):
    (factor, player), (mean, sd) = shipped['spread'], shipped['prior']
    v = factor / information + player + CURVE_VARIANCE
    p = np.exp(-(score / information - CURVE) ** 2 / v / 2 - ((GRID - mean) / sd) ** 2 / 2) / np.sqrt(v)
    p /= p.sum()
    return p @ GRID, np.interp([0.025, 0.975], np.cumsum(p), GRID + 5)


def year(w, x, loss):
    score, information = scores(w, x, loss)
    return posterior(score.sum(), information.sum())


def event(s, i, players):
    for k in range(players):
        at = slice(k * GAMES, (k + 1) * GAMES)
        posterior(s[at].sum(), i[at].sum())


for score, information, *ours in shipped['ratings'].reshape(-1, 5):
    mean, interval = posterior(score, information)
    assert np.allclose(ours, [mean, *interval], atol=0.01), (ours, mean, interval)

large, small = play(MOVES), play(YEAR)
w = fit(*small)
print(f'rating of a player-year, {YEAR} moves, from its evaluations', least(lambda: year(w, small[0], small[2]), 5), sep='\t')
s, i = rng.standard_normal(1000 * GAMES), rng.random(1000 * GAMES) + 0.1
print('rating of a player-year by the stored sums of its games', least(lambda: event(s, i, 1), 9), sep='\t')
print('ratings of an event of 1000 players by the same', least(lambda: event(s, i, 1000), 5), sep='\t')
print(f'calibration from {MOVES} moves', least(lambda: fit(*large), 1), sep='\t')
