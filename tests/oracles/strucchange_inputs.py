"""Makes the inputs of strucchange.R: samples of broken lines with noise, one .csv a set, and sets.txt."""

import numpy as np


def made(name, n, breaks, rates, noise, smallest, seed, grid=None):
    rng = np.random.default_rng(seed)
    knots = np.r_[0, breaks, 1.0]
    rates = np.array(rates, float)
    rates = rates / np.sum(rates * np.diff(knots))
    curve = lambda t: sum(r * np.clip(t - a, 0, b - a) for r, a, b in zip(rates, knots, knots[1:]))
    x = np.sort(rng.uniform(0, 1, n - 2))
    if grid:
        x = np.round(x * grid) / grid
    y = curve(x) + noise * rng.standard_normal(n - 2) * 2 * np.sqrt(x * (1 - x))
    x, y = np.r_[0, x, 1], np.r_[0, y, 1]
    # Nine digits, so that every reader has the same numbers.
    x = np.array([float("%.9g" % v) for v in x])
    y = np.array([float("%.9g" % v) for v in y])
    order = np.argsort(x, kind="stable")
    columns = np.c_[x[order], y[order]]
    np.savetxt(name + ".in.csv", columns, fmt="%.9g", delimiter=";", header="time;value", comments="")
    return dict(name=name, h=smallest)


sets = [
    made("d1_n50_m1", 50, [0.4], [1, 3], 1e-3, 0.15, 1),
    made("d2_stream_n200_m3", 200, [14 / 64, 27 / 64, 45 / 64], [3600, 4250, 3300, 3800], 1e-3, 0.10, 2),
    made("d3_n500_m5", 500, [0.12, 0.3, 0.45, 0.62, 0.8], [2, 0.5, 1.5, 0.8, 3, 1], 1e-3, 0.08, 3),
    made("d4_dups_n500_m3", 500, [0.25, 0.5, 0.75], [1, 2.5, 0.7, 1.8], 3e-3, 0.10, 4, grid=100),
    made(
        "d5_n1000_m8", 1000, [0.1, 0.2, 0.31, 0.42, 0.55, 0.68, 0.79, 0.9],
        [1, 3, 0.5, 2, 1, 2.5, 0.4, 1.6, 2.2], 5e-4, 0.05, 5,
    ),
    made("d6_n2000_m3", 2000, [0.2, 0.5, 0.75], [1, 1.4, 0.9, 1.2], 2e-3, 0.10, 6),
    made("d7_n100_m0", 100, [], [1], 1e-3, 0.15, 7),
    made("d8_noisy_n300_m2", 300, [0.3, 0.7], [1, 1.6, 0.8], 2e-2, 0.10, 8),
    made("d9_tiny_n12_m1", 12, [0.5], [1, 4], 1e-4, 0.25, 9),
]
with open("sets.txt", "w") as file:
    file.writelines("%s %g\n" % (one["name"], one["h"]) for one in sets)
