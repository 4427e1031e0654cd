"""Oracle for the clustering of durations and of bursts: labels of scikit-learn's DBSCAN and the knee of sorted
k-distances.

Durations are scaled to 0..1. Bursts are points (logarithm of instructions, instructions per cycle), each axis scaled
to 0..1. A label of -1 is noise. The k-distance counts the point itself, as MinPoints does."""
import json
import os

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.neighbors import NearestNeighbors


def scaled(values):
    values = np.asarray(values, float)
    extent = values.max(0) - values.min(0)
    return (values - values.min(0)) / np.where(extent > 0, extent, 1)


def knee(points, k):
    """The k-distance furthest below the chord of the sorted logarithms; None where all points are one."""
    if not np.any(points):
        return None
    distances = NearestNeighbors(n_neighbors=k).fit(points).kneighbors(points)[0][:, -1]
    falling = np.sort(distances)[::-1]
    height = np.log(np.maximum(falling, 1e-12))
    height = (height - height[-1]) / (height[0] - height[-1])
    return float(falling[np.argmax(1 - np.arange(len(falling)) / (len(falling) - 1) - height)])


def case(name, points, eps, min_points, **given):
    found = DBSCAN(eps=eps, min_samples=min_points).fit(points)
    core = np.zeros(len(points), int)
    core[found.core_sample_indices_] = 1
    return dict(name=name, eps=eps, min_points=min_points, labels=found.labels_.tolist(), core=core.tolist(),
                knee=knee(points, min_points), **given)


def durations(random, modes, noise):
    parts = [np.round(random.normal(mean, deviation, count)) for mean, deviation, count in modes]
    return random.permutation(np.concatenate(parts + [np.round(random.uniform(*noise))]))


def bursts(seed, modes, noise):
    random = np.random.default_rng(seed)
    instructions, per_cycle = [], []
    for mean, spread, ipc, deviation, count in modes:
        instructions.append(np.exp(random.normal(np.log(mean), spread, count)))
        per_cycle.append(np.clip(random.normal(ipc, deviation, count), .05, 4))
    instructions.append(np.exp(random.uniform(np.log(1e5), np.log(1e9), noise)))
    per_cycle.append(random.uniform(.1, 3, noise))
    instructions, per_cycle = np.round(np.concatenate(instructions)), np.concatenate(per_cycle)
    order = random.permutation(len(instructions))
    return instructions[order], np.round(instructions[order] / per_cycle[order])


cases = []
random = np.random.default_rng(7)
for name, values, eps, min_points in [
    ('dur_2modes_n120', durations(random, [(64e6, 4e5, 80), (80e6, 5e5, 30)], (55e6, 95e6, 10)), .02, 4),
    ('dur_3modes_n400',
     durations(random, [(1e6, 1e4, 200), (1.5e6, 2e4, 150), (3e6, 3e4, 40)], (.5e6, 4e6, 10)), .01, 10),
    ('dur_equal_n20', np.full(20, 5e6), .05, 4),
]:
    cases.append(case(name, scaled(values[:, None]), eps, min_points, durations=values.astype(int).tolist()))
for name, modes, noise, eps, min_points, seed in [
    ('bursts_n600', [(2e7, .03, .75, .02, 200), (5e7, .05, 1.4, .05, 200), (1e6, .08, .5, .03, 150)],
     50, .02, 10, 1),
    ('bursts_n2000', [(2e7, .02, .75, .02, 600), (2.2e7, .02, 1.0, .02, 600), (3e8, .1, 2.1, .1, 500),
                      (1e6, .2, .4, .03, 200)], 100, .015, 10, 2),
]:
    instructions, cycles = bursts(seed, modes, noise)
    points = scaled(np.c_[np.log(instructions), instructions / cycles])
    cases.append(case(name, points, eps, min_points, instructions=instructions.astype(int).tolist(),
                      cycles=cycles.astype(int).tolist()))

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'dbscan.json'), 'w') as file:
    file.write('[\n' + ',\n'.join(json.dumps(c, separators=(',', ':')) for c in cases) + '\n]\n')
