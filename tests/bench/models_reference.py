"""The tasks of bench_models.c in plain numpy, on play of the same size and kind; the same formulas.

The fits start once, near the answer; ours start four times. One row a task: name, CPU seconds (the least of several runs).
"""
import numpy as np

from clock import least

rng = np.random.default_rng(7)
Q = np.arange(1, 20) / 20


# Regan and Haworth: p_i = exp(-L/y_i), 1/y_i = exp((delta_i/s)^c), sum p_i = 1.
def probabilities(delta, s, c):
    g = np.exp((delta / s) ** c)
    x = np.full(len(delta), -1.0)
    for _ in range(60):
        u = np.exp(x)[:, None] * np.minimum(g, 1e250)
        p = np.exp(-u)
        rest = -np.expm1(-u[:, 0])
        others = p[:, 1:].sum(1)
        h = np.log(np.maximum(others, 1e-300) / rest)
        slope = -(p * u)[:, 1:].sum(1) / np.maximum(others, 1e-300) - u[:, 0] * p[:, 0] / rest
        step = np.clip(-h / slope, -1, 1)
        x = x + step
        if np.abs(step).max() < 1e-8:
            break
    return p


def play(turns, moves=21):
    delta = np.zeros((turns, moves))
    delta[:, 1:] = np.cumsum(-0.13 * np.log(rng.random((turns, moves - 1))) * rng.random((turns, moves - 1)), 1)
    up_to = np.cumsum(probabilities(delta, 0.1, 0.48), 1)
    return delta, np.minimum((rng.random(turns)[:, None] > up_to).sum(1), moves - 1)


def quantiles(x, delta, played):
    p = probabilities(delta, *np.exp(x))
    rows = np.arange(len(p))
    own = p[rows, played]
    below = np.cumsum(p, 1)[rows, played] - own
    return np.clip((Q - below[:, None]) / np.maximum(own, 1e-300)[:, None], 0, 1).mean(0) - Q


def moments(x, delta, played):
    p = probabilities(delta, *np.exp(x))
    loss = (p * delta).sum(1) - delta[np.arange(len(p)), played]
    return np.stack([p[:, 0] - (played == 0), loss], 1)


# Gauss and Newton's method with forward differences, from one start.
def solve(f, x, steps):
    for _ in range(steps):
        r = f(x)
        jac = np.stack([(f(x + d) - r) / 1e-5 for d in 1e-5 * np.eye(2)], 1)
        step = np.clip(np.linalg.lstsq(jac, -r, rcond=None)[0], -0.5, 0.5)
        x = x + step
        if np.abs(step).max() < 1e-7:
            break
    return x, jac


START = np.log([0.1, 0.48]) + 0.1


def moments_fit(delta, played):
    x, jac = solve(lambda v: moments(v, delta, played).mean(0), START, 20)
    u = np.add.reduceat(moments(x, delta, played), np.arange(0, len(delta), 40))
    half = np.linalg.inv(jac) @ u.T
    return x, half @ half.T / len(delta) ** 2


# Markov: M = F mirror(S), pi M = pi.
def expected(f, s):
    n = f.shape[-1]
    m = f @ s[..., ::-1, ::-1]
    a = np.swapaxes(m, -1, -2) - np.eye(n)
    a[..., -1, :] = 1
    pi = np.linalg.solve(a, np.eye(n)[None, :, -1:])[..., 0]
    back = np.einsum('...i,...ij->...j', pi, f)
    return (1 + pi[..., -1] - pi[..., 0]) / 2, (1 + back[..., -1] - back[..., 0]) / 2


def counts(games, each=40, n=19):
    c = np.zeros((games, n, n))
    i = rng.integers(0, n, (games, each))
    j = np.where(rng.random((games, each)) < 0.25, (i * rng.random((games, each))).astype(int), i)
    np.add.at(c, (np.arange(games)[:, None], i, j), 1)
    return c + 1e-3 * np.tril(np.ones((n, n)))


def normalised(c):
    return c / c.sum(-1, keepdims=True)


def head_to_head(c1, c2, replicates=1000):
    both = []
    for c in (c1, c2):
        drawn = rng.multinomial(len(c), np.full(len(c), 1 / len(c)), replicates)
        both.append(normalised((drawn @ c.reshape(len(c), -1)).reshape(replicates, 19, 19)))
    white, black = expected(*both)
    e = np.clip((white + black) / 2, 0.001, 0.999)
    return np.log(e / (1 - e)).std()


c1, c2 = counts(62), counts(62)
print('head-to-head with 1,000 bootstrap replicates', least(lambda: head_to_head(c1, c2), 5), sep='\t')
# Di Fatta, Haworth and Regan: p_i = (delta_i + 0.1)^-c over the sum, c on an adaptive grid.
def log_likelihood(c, x, own):
    return -c * own.sum() - np.log(np.exp(-c * x).sum(1)).sum()


def posterior(delta, played):
    x = np.log(delta[:, :10] + 0.1)
    own = x[np.arange(len(x)), played]
    lo, hi, step = 0.0, 10.0, 0.1
    while True:
        c = np.linspace(lo, hi, 1 + int(np.ceil((hi - lo) / step)))
        f = np.array([log_likelihood(v, x, own) for v in c])
        p = np.exp(f - f.max())
        p /= p.sum()
        mean = p @ c
        sd = np.sqrt(p @ (c - mean) ** 2)
        if c[1] - c[0] <= sd / 20:
            return mean, sd
        within = np.flatnonzero(p > np.exp(-40) * p.max())
        lo, hi = c[max(within[0] - 1, 0)], c[min(within[-1] + 1, len(c) - 1)]
        step = max(sd / 25, (c[1] - c[0]) / 10)


small, large = play(2480), play(25000)
print('moments fit with sandwich errors', least(lambda: moments_fit(*small), 3), sep='\t')
print('percentile fit', least(lambda: solve(lambda v: quantiles(v, *large), START, 20), 1), sep='\t')
delta, played = play(30107, 20)
print('posterior of the reference agent', least(lambda: posterior(delta, np.minimum(played, 9)), 1), sep='\t')
