"""The tasks of bench_royale.c in plain numpy, on play of the same size and kind; the same formulas.

One row a predictor: name, CPU seconds (the least of several runs).
"""
import numpy as np

from clock import least

rng = np.random.default_rng(7)
PLAYERS, YEARS, GAMES, EACH, CLASSES = 22, 25, 15, 40, 19
N, REPLICATES, SPLITS, DRAWS, STEPS = PLAYERS * YEARS, 200, 20, 4000, 28
COPIES, BOUND, POINTS = 33, 240, 16384


def logit(e):
    e = np.clip(e, .001, .999)
    return np.log(e / (1 - e))


# The posterior: Kalman's filter for all cells and players at once, year by year.
def kalman(y, v, tau, drift):
    level, share, before = np.zeros((len(tau), PLAYERS)), np.ones((len(tau), PLAYERS)), tau[:, None] ** 2
    levels, shares, variances, sums = [], [], [], np.zeros((4, len(tau)))
    for t in range(YEARS):
        f = before + v[:, t]
        r = y[:, t] - level
        gain = before / f
        sums += [(share * share / f).sum(1), (share * r / f).sum(1), (r * r / f).sum(1), np.log(f).sum(1)]
        level, share, variance = level + gain * r, share * (1 - gain), before * (1 - gain)
        levels.append(level), shares.append(share), variances.append(variance)
        before = variance + drift[:, None] ** 2
    mu = sums[1] / sums[0]
    density = -.5 * (sums[3] + sums[2] - sums[1] * mu + np.log(sums[0]))
    return density, mu, sums[0] ** -.5, (levels, shares, variances)


def backwards(mu, drift, states, noise):
    theta = np.empty((YEARS, len(mu), PLAYERS))
    for t in reversed(range(YEARS)):
        level, share, variance = (s[t] for s in states)
        mean = level + mu[:, None] * share
        if t + 1 < YEARS:
            gain = variance / (variance + drift[:, None] ** 2)
            mean, variance = mean + gain * (theta[t + 1] - mean), variance * (1 - gain)
        theta[t] = mean + noise * np.sqrt(variance) * rng.standard_normal(mean.shape)
    return theta.transpose(1, 2, 0).reshape(len(mu), N)


def hierarchy(own, se):
    y, v = own.reshape(PLAYERS, YEARS), se.reshape(PLAYERS, YEARS) ** 2
    scale = max(se.mean(), own.std(ddof=1))
    box = [(0, 3 * scale), (0, scale)]
    for _ in range(2):
        axes = [lo + (hi - lo) * (np.arange(STEPS) + .5) / STEPS for lo, hi in box]
        tau, drift = (a.ravel() for a in np.meshgrid(*axes, indexing='ij'))
        density, mu, mu_sd, states = kalman(y, v, tau, drift)
        weight = np.exp(density - density.max())
        kept = weight > np.exp(-12)
        box = [(max(0, a[kept].min() - (hi - lo) / STEPS / 2), a[kept].max() + (hi - lo) / STEPS / 2)
               for a, (lo, hi) in zip((tau, drift), box)]
    weight /= weight.sum()
    mean = weight @ backwards(mu, drift, states, 0)
    cell = np.searchsorted(weight.cumsum(), (np.arange(DRAWS) + .5) / DRAWS)
    theta = backwards(mu[cell] + mu_sd[cell] * rng.standard_normal(DRAWS), drift[cell],
                      [[s[cell] for s in state] for state in states], 1)
    order = (-theta).argsort(1)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(1, N + 1)[None], 1)
    best = np.bincount(order[:, 0], minlength=N) / DRAWS
    own_best = (theta.reshape(DRAWS, PLAYERS, YEARS).argmax(2)[..., None] == np.arange(YEARS)).mean(0)
    low, high = np.quantile(rank, [.025, .975], 0, method='inverted_cdf')
    w = 1 / se ** 2
    q = (w * (own - w @ own / w.sum()) ** 2).sum()
    return (mean, theta.std(0), np.quantile(theta, [.025, .975], 0), best, own_best, low, high, q,
            (high[:, None] < low[None]).mean())


def kendall(a, b):
    i, j = np.triu_indices(N, 1)
    return (np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])).mean()


# Times that each game counts: all once, then replicates, then halves.
def times():
    halves = np.zeros((2 * SPLITS, GAMES))
    for s in range(SPLITS):
        halves[2 * s, rng.permutation(GAMES)[:GAMES // 2]] = 1
        halves[2 * s + 1] = 1 - halves[2 * s]
    drawn = rng.multinomial(GAMES, np.full(GAMES, 1 / GAMES), REPLICATES)
    return np.concatenate([np.ones((1, GAMES)), drawn, halves])


def finish(e):
    own, se = logit(e[:, 0]), logit(e[:, 1:REPLICATES + 1]).std(1, ddof=1) * (GAMES / (GAMES - 1)) ** .5
    halves = e[:, REPLICATES + 1:].T
    return hierarchy(own, se), np.mean([kendall(halves[s], halves[s + 1]) for s in range(0, 2 * SPLITS, 2)])


# Markov: M = F mirror(S), pi M = pi.
def expected(f, s):
    m = f @ s[..., ::-1, ::-1]
    a = np.swapaxes(m, -1, -2) - np.eye(CLASSES)
    a[..., -1, :] = 1
    pi = np.linalg.solve(a, np.broadcast_to(np.eye(CLASSES)[:, -1:], a.shape[:-1] + (1,)))[..., 0]
    back = np.einsum('...i,...ij->...j', pi, f)
    return (2 + pi[..., -1] - pi[..., 0] + back[..., -1] - back[..., 0]) / 4


def normalised(c):
    return c / c.sum(-1, keepdims=True)


def markov(counts):
    flat = counts.reshape(N, GAMES, -1)
    years = flat.sum(1).reshape(PLAYERS, YEARS, -1)
    fading = np.tril(.5 ** (np.arange(YEARS)[:, None] - np.arange(YEARS)))
    with_earlier = normalised((fading @ years).reshape(N, CLASSES, CLASSES))
    pair = [expected(with_earlier[i], with_earlier[i + 1:]) for i in range(N - 1)]
    alone = normalised(years.reshape(N, CLASSES, CLASSES))
    everyone = alone.sum(0)
    e = np.empty((N, 1 + REPLICATES + 2 * SPLITS))
    for i in range(N):
        drawn = normalised((times() @ flat[i]).reshape(-1, CLASSES, CLASSES) + 1e-9 * np.tril(np.ones((CLASSES, CLASSES))))
        e[i] = expected(drawn, (everyone - alone[i]) / (N - 1))
    return pair, finish(e)


# Covariance: phi of the sum of differences of losses, at the frequencies where it is not negligible.
def covariance(losses):
    angle = np.exp(-2j * np.pi * np.arange(POINTS) / POINTS)
    phi = np.array([np.fft.fft(np.bincount(one.ravel(), minlength=POINTS)) for one in losses])[:, 1:POINTS // 2]
    j = 1 + np.flatnonzero(np.abs(phi / (GAMES * EACH)).max(0) ** COPIES > 1e-7)
    t = 2 * np.pi * j / POINTS
    score = (np.cos((BOUND + .5) * t) - np.cos((POINTS / 2 - .5) * t)) / (4 * np.sin(t / 2))
    power = (phi[:, j - 1] / (GAMES * EACH)) ** COPIES
    pair = .5 - 4 / POINTS * ((power.conj() * score) @ power.T).imag
    everyone = power.sum(0)
    e = np.empty((N, 1 + REPLICATES + 2 * SPLITS))
    for i in range(N):
        games = angle[(j * losses[i][..., None]) % POINTS].sum(1)
        drawn = times()
        one = (drawn @ games / (drawn.sum(1, keepdims=True) * EACH)) ** COPIES
        e[i] = .5 - 4 / POINTS * ((one.conj() * score) @ ((everyone - power[i]) / (N - 1))).imag
    return pair, finish(e)


# Conformance: a straight line in the difference of shares.
def share_score(q, other):
    return (np.clip((1 + 3.64 * (q - other) - .007) / 2, 0, 1) + np.clip((1 + 3.64 * (q - other) + .007) / 2, 0, 1)) / 2


def conformance(losses):
    good = (losses <= 30).mean(2)
    alone = good.mean(1)
    pair = share_score(alone[:, None], alone[None])
    e = np.empty((N, 1 + REPLICATES + 2 * SPLITS))
    for i in range(N):
        drawn = times()
        e[i] = share_score(drawn @ good[i] / drawn.sum(1), (alone.sum() - alone[i]) / (N - 1))
    return pair, finish(e)


def ratings(elo):
    unit = np.log(10) / 400
    pair = 1 / (1 + np.exp(-unit * (elo[:, None] - elo[None])))
    own, se = unit * (elo - (elo.sum() - elo) / (N - 1)), np.full(N, 100 * unit)
    posterior = hierarchy(own, se)
    taus = []
    for _ in range(SPLITS):
        theta = posterior[0] + posterior[1] * rng.standard_normal(N)
        halves = theta + se * 2 ** .5 * rng.standard_normal((2, N))
        taus.append(kendall(*halves))
    return pair, posterior, np.mean(taus)


def play():
    i = rng.integers(0, CLASSES, (N, GAMES, EACH))
    j = np.where(rng.random(i.shape) < .25, (i * rng.random(i.shape)).astype(int), i)
    counts = np.zeros((N, GAMES, CLASSES, CLASSES))
    np.add.at(counts, (np.arange(N)[:, None, None], np.arange(GAMES)[None, :, None], i, j), 1)
    counts += 1e-3 * np.tril(np.ones((CLASSES, CLASSES)))
    losses = np.where(rng.random(i.shape) < .5, 0, np.minimum(rng.exponential(25, i.shape).astype(int), 1000))
    return counts, losses


COUNTS, LOSSES = play()
for name, task in (('Markov', lambda: markov(COUNTS)), ('covariance', lambda: covariance(LOSSES)),
                   ('conformance', lambda: conformance(LOSSES)),
                   ('a rating', lambda: ratings(rng.uniform(2400, 2800, N)))):
    print(f'royale of {N} player-years with intervals, by {name}', least(task, 1), sep='\t')
