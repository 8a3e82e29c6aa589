"""The tasks of bench_strength.c in plain numpy, the same formulas on random features of the same
size; the features themselves are not computed. One row a task: name, CPU seconds (the least of
several runs).
"""
import time
import numpy as np

rng = np.random.default_rng(7)
FEATURES, SLOPES, STEPS, MOVES, YEAR, GAMES = 81, 3, 5, 300000, 2500, 9
PENALTY = np.r_[0, np.full(FEATURES - 1, 10.0), np.full(SLOPES, 300.0)]
KNOTS = np.array([1600.0, 1900, 2200, 2500, 2800])
GRID = 1000 + 10.0 * np.arange(241)


def least(task, runs):
    best = np.inf
    for _ in range(runs):
        begin = time.process_time()
        task()
        best = min(best, time.process_time() - begin)
    return best


def play(n):
    x = rng.standard_normal((n, FEATURES))
    x[:, 0] = 1
    return x, rng.uniform(-2, 2, n), rng.exponential(25, n) * (rng.random(n) > 0.45)


def fit(x, theta, loss):
    rows = np.hstack([x, theta[:, None] * x[:, [0, 1, 7]]])
    out = []
    left = np.arange(len(x))
    for step in (5, 20, 50, 100, 200):
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
    for k, step in enumerate((5, 20, 50, 100, 200)):
        p = 1 / (1 + np.exp(-(x @ w[k, :FEATURES])))
        g = u @ w[k, FEATURES:]
        score += left * g * ((loss > step) - p)
        information += left * g * g * p * (1 - p)
        left = left & (loss > step)
    return score, information


def posterior(score, information):
    z, v = score / information, 1.36 / information + 0.07
    d = (z - np.interp(GRID, KNOTS, [-2.3, -1.1, -0.2, 0.7, 2.0])) ** 2 / (v + 0.005)
    p = np.exp(-d / 2 - ((GRID - 2245) / 300) ** 2 / 2)
    p /= p.sum()
    below = np.cumsum(p)
    return p @ GRID, np.interp([0.025, 0.975], below, GRID)


def year(w, x, loss):
    score, information = scores(w, x, loss)
    return posterior(score.sum(), information.sum())


def event(s, i, players):
    for k in range(players):
        at = slice(k * GAMES, (k + 1) * GAMES)
        posterior(s[at].sum(), i[at].sum())


large, small = play(MOVES), play(YEAR)
w = fit(*small)
print(f'rating of a player-year, {YEAR} moves, from its evaluations', least(lambda: year(w, small[0], small[2]), 5), sep='\t')
s, i = rng.standard_normal(1000 * GAMES), rng.random(1000 * GAMES) + 0.1
print('rating of a player-year by the stored sums of its games', least(lambda: event(s, i, 1), 9), sep='\t')
print('ratings of an event of 1000 players by the same', least(lambda: event(s, i, 1000), 5), sep='\t')
print(f'calibration from {MOVES} moves', least(lambda: fit(*large), 1), sep='\t')
