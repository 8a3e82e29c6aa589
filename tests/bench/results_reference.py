"""The tasks of bench_results.c in plain numpy: same formulas, same number of random games. Prints one
row per task: name, CPU seconds (minimum of several runs). With a file of results
(static/results/champions.tsv) as argument it prints the strengths and the terms of the chances
instead, to compare with ours.
"""
import sys

import numpy as np

from clock import least

UNIT = 400 / np.log(10)
GAMES, PLAYERS, YEARS = 30000, 6000, 60
DRIFT, DISPERSION, VIRTUAL, WHITE, WHITE_SD = 346.8, 0.4335, 2.0, 43.65, 20.0
LEVEL, ELO_SD, BELOW, BELOW_ALL, EARLY, EARLY_YEARS = 2421, 30, 200, 99, 16, 10


def whr(white, black, year, points, elo=None, drift=DRIFT, tol=1e-7):
    """Newton's method for one player after another. Arrays: player, year, Elo, error; White's
    advantage; sweeps."""
    keys = np.unique(np.r_[white.astype(np.int64) * 4096 + year, black.astype(np.int64) * 4096 + year])
    at = [np.searchsorted(keys, p.astype(np.int64) * 4096 + year) for p in (white, black)]
    player, period = keys // 4096, keys % 4096
    bounds = np.flatnonzero(np.r_[True, player[1:] != player[:-1], True])
    own = np.r_[at[0], at[1]]
    order = np.argsort(own, kind='stable')
    own, other = own[order], np.r_[at[1], at[0]][order]
    score = np.r_[points, 1 - points][order]
    colour = np.r_[np.ones(len(white)), -np.ones(len(white))][order]
    games = np.searchsorted(own, bounds)
    r, h = np.zeros(len(keys)), WHITE / UNIT
    elos = np.zeros((2, len(white))) if elo is None else elo
    elos = np.where((year < 1971) | ((year < 1987) & (elos == 2200)), 0, elos)

    def mean(values):
        values = values[order]
        with np.errstate(invalid='ignore'):
            return np.bincount(own, values, len(keys)) / np.bincount(own, values > 0, len(keys))

    known = (mean(np.r_[elos[0], elos[1]]) - LEVEL) / UNIT
    prior = mean(np.r_[elos[1], elos[0]])[bounds[:-1]] - BELOW - LEVEL
    everybody = 0 if np.isnan(known).all() else np.nanmean(known) - BELOW_ALL / UNIT
    prior = np.where(np.isnan(prior), everybody, prior / UNIT)
    anchor = np.where(np.isnan(known), 0, (UNIT / ELO_SD) ** 2)
    known = np.nan_to_num(known)

    def hessian(k):
        a, b = bounds[k], bounds[k + 1]
        g = slice(games[k], games[k + 1])
        e = 1 / (1 + np.exp(-(r[own[g]] - r[other[g]] + colour[g] * h)))
        n = b - a
        grad = np.bincount(own[g] - a, score[g] - e, n) / DISPERSION
        diag = np.bincount(own[g] - a, e * (1 - e), n) / DISPERSION
        grad += anchor[a:b] * (known[a:b] - r[a:b])
        diag += anchor[a:b]
        e = 1 / (1 + np.exp(prior[k] - r[a]))
        grad[0] += VIRTUAL * (.5 - e) / DISPERSION
        diag[0] += VIRTUAL * e * (1 - e) / DISPERSION
        m = np.diag(diag)
        if n > 1:
            age = period[a:b] - period[a]
            c = UNIT ** 2 / (drift * np.diff(age + (EARLY - 1) * np.minimum(age, EARLY_YEARS)))
            pull = c * np.diff(r[a:b])
            grad[:-1] += pull
            grad[1:] -= pull
            m += np.diag(np.r_[c, 0] + np.r_[0, c]) - np.diag(c, 1) - np.diag(c, -1)
        return grad, m

    sweep = 0
    while True:
        longest = 0.0
        players = range(len(bounds) - 1)
        for k in reversed(players) if sweep % 2 else players:
            grad, m = hessian(k)
            step = np.linalg.solve(m, grad)
            r[bounds[k]:bounds[k + 1]] += step * min(1, 2 / max(abs(step).max(), 1e-300))
            longest = max(longest, abs(step).max())
        e = 1 / (1 + np.exp(-(r[at[0]] - r[at[1]] + h)))
        precision = (e * (1 - e)).sum() / DISPERSION + (UNIT / WHITE_SD) ** 2
        step = ((points - e).sum() / DISPERSION - (h - WHITE / UNIT) * (UNIT / WHITE_SD) ** 2) / precision
        h += step
        longest = max(longest, abs(step))
        sweep += 1
        if longest <= tol:
            break
    var = np.concatenate([np.diag(np.linalg.inv(hessian(k)[1])) for k in range(len(bounds) - 1)])
    return player, period, LEVEL + UNIT * r, UNIT * np.sqrt(var), UNIT * h, sweep


rng = np.random.default_rng(7)
CHANCES, FIT, MATCH, MEAN = 1000, 18000, 24, 6
NODES, WEIGHTS = np.polynomial.hermite.hermgauss(9)


def knots(x, *at):
    return [x] + [np.maximum(x - k, 0) for k in at]


def terms(white, black, year):
    x, y = (white - black) / 100, (np.clip(year, 1971, 2025) - 2000) / 20
    level = (np.clip((white + black) / 2, 2300, 2850) - 2500) / 100
    rows = [x, 1, level, y, x * level, x * y, 1]
    rows += knots(x, -1, 0, 1) + knots(level, 0, 1, 2) + knots(y, -1, -.5, 0, .5)
    return np.stack(np.broadcast_arrays(*rows), -1)


def link(f, b):
    m, t = f[..., :MEAN] @ b[:MEAN], np.exp(f[..., MEAN:] @ b[MEAN:])
    win, loss = 1 / (1 + np.exp(t - m)), 1 / (1 + np.exp(t + m))
    return win, 1 - win - loss, loss, t


def grid(side):
    return side[..., None] + np.sqrt(2) * 60 * NODES


def chances(white, black, year, b):
    f = terms(grid(white)[..., :, None], grid(black)[..., None, :], year)
    w = np.outer(WEIGHTS, WEIGHTS) / np.pi
    return [(w * p).sum((-2, -1)) for p in link(f, b)[:3]]


def match(first, second, year, b):
    one, two = grid(np.array(first)), grid(np.array(second))
    total = np.zeros(2 * MATCH + 1)
    for i in range(9):
        for k in range(9):
            own = link(terms(one[i], two[k], year), b)[:3]
            other = link(terms(two[k], one[i], year), b)[:3]
            p = np.ones(1)
            for game in [own[::-1]] * (MATCH // 2) + [other] * (MATCH // 2):
                p = np.convolve(p, np.array(game))
            total += WEIGHTS[i] * WEIGHTS[k] / np.pi * p
    return total


def fit(white, black, year, halves):
    f, b = terms(white, black, year), np.r_[.5, np.zeros(19)]
    a, z = f[:, :MEAN], f[:, MEAN:]
    while True:
        win, draw, loss, t = link(f, b)
        w, v = win * (1 - win), loss * (1 - loss)
        p = np.stack([loss, draw, win])
        dm, dt = np.stack([-v, v - w, w]), np.stack([-v * t, (v + w) * t, -w * t])
        at = (halves, np.arange(len(f)))
        grad = np.r_[a.T @ (dm / p)[at], z.T @ (dt / p)[at]]
        mm, mt, tt = [(x * y / p).sum(0)[:, None] for x, y in ((dm, dm), (dm, dt), (dt, dt))]
        h = np.block([[a.T @ (mm * a), a.T @ (mt * z)], [z.T @ (mt * a), z.T @ (tt * z)]])
        step = np.linalg.solve(h, grad)
        b = b + step / max(abs(step).max(), 1)
        if abs(step).max() <= 1e-9:
            return b


def league():
    white = (PLAYERS * rng.random(GAMES) ** 4).astype(int)
    black = (PLAYERS * rng.random(GAMES) ** 4).astype(int)
    black = np.where(black == white, (black + 1) % PLAYERS, black)
    year = 1950 + (white + black) % 40 + rng.integers(0, YEARS - 40, GAMES)
    return white, black, year, rng.integers(0, 3, GAMES) / 2


if len(sys.argv) > 1:
    rows = np.loadtxt(sys.argv[1], dtype=int)
    player, period, elo, se, white, _ = whr(rows[:, 1], rows[:, 2], rows[:, 0], rows[:, 5] / 2, rows[:, 3:5].T)
    for row in zip(player, period, elo, se):
        print('%d\t%d\t%.4f\t%.4f' % row)
    print('# White %.4f' % white)
    rows = rows[(rows[:, 3] > 0) & (rows[:, 4] > 0)]
    print('# terms', *fit(rows[:, 3] * 1.0, rows[:, 4] * 1.0, rows[:, 0] * 1.0, rows[:, 5]))
    sys.exit()

games = league()
print(f'strengths of {PLAYERS} players over time from {GAMES} games', least(lambda: whr(*games), 1), sep='\t')

elo = rng.uniform(2300, 2850, CHANCES + 1)
b = np.r_[.68, .27, .07, -.06, .08, -.07, .6, np.zeros(13)]
print(f'chances of {CHANCES} games, errors of both players', least(lambda: chances(elo[:-1], elo[1:], 2000, b), 9), sep='\t')
print(f'score of a match of {MATCH} games, errors of both players', least(lambda: match(elo[0], elo[1], 2000, b), 9), sep='\t')
some = rng.uniform(2300, 2850, (2, FIT)), rng.uniform(1971, 2025, FIT)
some += (np.clip(1.5 * rng.random(FIT) + .75 / (1 + 10 ** ((some[0][1] - some[0][0]) / 400)), 0, 2).round().astype(int),)
print(f'fit of the chances to {FIT} games', least(lambda: fit(*some[0], *some[1:]), 1), sep='\t')
