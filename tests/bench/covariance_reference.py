"""The covariance predictor in plain numpy: full distributions by real transforms, one core.
Prints name and seconds (the least of several runs), named as bench_covariance names them."""
import numpy as np

from clock import least

rng = np.random.default_rng(1)
GAMES, EACH = 100, 25


def losses(skill):
    u = rng.random(GAMES * EACH)
    loss = np.where(u > 0.45 * skill, rng.exponential(0.25 / skill, u.size), 0.0)
    loss += np.where(u > 1.0 - 0.01 / skill, rng.exponential(3.0, u.size), 0.0)
    return np.minimum(np.floor(100.0 * loss + 0.5), 1000).astype(int)


def expected(p1, p2, n0, b):
    n = 1 << int(np.ceil(np.log2(2000 * (n0 + 1) + 2)))
    phi = np.fft.rfft(p2, n) * np.conj(np.fft.rfft(p1, n))
    p = np.fft.irfft(phi ** (n0 + 1), n)
    m = int(100 * b)
    return p[m + 1:n // 2].sum() + (p[:m + 1].sum() + p[n - m:].sum()) / 2.0


def predict(l1, l2, n0, b, replicates):
    weights = [np.bincount(l, minlength=1001) / l.size for l in (l1, l2)]
    e = [expected(*weights, n0, b)]
    by_game = [l.reshape(GAMES, EACH) for l in (l1, l2)]
    for _ in range(replicates):
        drawn = [l[rng.integers(0, GAMES, GAMES)].ravel() for l in by_game]
        e.append(expected(*[np.bincount(l, minlength=1001) / l.size for l in drawn], n0, b))
    return e


one, two = losses(1.05), losses(0.95)
for n0 in (0, 7, 32, 95):
    name = f"covariance predictor, n0 = {n0}"
    point = least(lambda: predict(one, two, n0, 2.4, 0), 5)
    print(f"{name}\t{point:.6f}")
    # A tenth of the replicates: the rest takes as long.
    print(f"{name}, 1000 replicates\t{10 * least(lambda: predict(one, two, n0, 2.4, 100), 1):.6f}")
