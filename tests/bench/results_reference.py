"""The tasks of bench_results.c in plain numpy, the same formulas on random games of the same size.
One row a task: name, CPU seconds (the least of several runs). With a file of results
(static/results/champions.tsv) as argument it prints strengths instead, for comparison with ours.
"""
import sys
import time
import numpy as np

UNIT = 400 / np.log(10)
GAMES, PLAYERS, YEARS = 30000, 6000, 60
DRIFT, DISPERSION, VIRTUAL, WHITE, WHITE_SD = 346.8, 0.4335, 2.0, 43.65, 20.0


def whr(white, black, year, points, drift=DRIFT, tol=1e-7):
    """Players one after the other, Newton on each: arrays of player, year, Elo, error; White."""
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

    def hessian(k):
        a, b = bounds[k], bounds[k + 1]
        g = slice(games[k], games[k + 1])
        e = 1 / (1 + np.exp(-(r[own[g]] - r[other[g]] + colour[g] * h)))
        n = b - a
        grad = np.bincount(own[g] - a, score[g] - e, n) / DISPERSION
        diag = np.bincount(own[g] - a, e * (1 - e), n) / DISPERSION
        e = 1 / (1 + np.exp(-r[a]))
        grad[0] += VIRTUAL * (.5 - e) / DISPERSION
        diag[0] += VIRTUAL * e * (1 - e) / DISPERSION
        m = np.diag(diag)
        if n > 1:
            c = UNIT ** 2 / (drift * np.diff(period[a:b]))
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
    return player, period, UNIT * r, UNIT * np.sqrt(var), UNIT * h, sweep


if len(sys.argv) > 1:
    rows = np.loadtxt(sys.argv[1], dtype=int)
    player, period, elo, se, white, _ = whr(rows[:, 1], rows[:, 2], rows[:, 0], rows[:, 5] / 2)
    for row in zip(player, period, elo, se):
        print('%d\t%d\t%.4f\t%.4f' % row)
    print('# White %.4f' % white)
    sys.exit()

rng = np.random.default_rng(7)


def league():
    white = (PLAYERS * rng.random(GAMES) ** 4).astype(int)
    black = (PLAYERS * rng.random(GAMES) ** 4).astype(int)
    black = np.where(black == white, (black + 1) % PLAYERS, black)
    year = 1950 + (white + black) % 40 + rng.integers(0, YEARS - 40, GAMES)
    return white, black, year, rng.integers(0, 3, GAMES) / 2


games = league()
begin = time.process_time()
whr(*games)
print(f'strengths of {PLAYERS} players over time from {GAMES} games', time.process_time() - begin, sep='\t')
