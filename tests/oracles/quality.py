"""What the reference tool makes of samples of known rates: `again` of quality.json.

The study from which the other tables come ran each cell 30 times (8 times from 1000 samples on) and
gave no deviations; this runs the same on other seeds, more often, and gives them.
Usage: python3 quality.py [scenario ...] prints a line per cell (ten minutes per scenario)"""
import json
import sys

import numpy as np

from kriging_lib import eval_spline, merge_dups, reinsch

SCENARIOS = {
    'stream4': ([14, 13, 18, 19], [3600, 4250, 3300, 3800]),
    'contrast5': ([20, 15, 35, 10, 20], [1.5, .3, .8, 3, 1.2]),
    'short7': ([30, 3, 17, 5, 25, 4, 16], [1, 4, .6, 2.5, 1.2, .2, 1.5]),
}
RUNS = {50: 1500, 100: 1500, 200: 1500, 500: 500, 1000: 200}
MIDDLES = (np.arange(2000) + .5) / 2000


class Truth:
    def __init__(self, lengths, rates):
        self.borders = np.r_[0, np.cumsum(np.array(lengths, float) / np.sum(lengths))]
        self.borders[-1] = 1
        widths = np.diff(self.borders)
        self.rates = np.array(rates, float)
        self.rates = self.rates / np.sum(self.rates * widths)
        self.values = np.r_[0, np.cumsum(self.rates * widths)]

    def curve(self, x):
        return np.interp(x, self.borders, self.values)

    def rate(self, x):
        return self.rates[np.clip(np.searchsorted(self.borders, x, side='right') - 1, 0, len(self.rates) - 1)]


def folded(truth, instances, jitter, seed, period=1.05):
    """x and y of samples: durations, phases and rates lognormal, gaps exponential, the timer +- 20 %"""
    random = np.random.default_rng(seed)
    next_sample = random.uniform(0, period)
    now, samples, shares = 0.0, [], np.diff(truth.borders)
    for _ in range(instances):
        lengths = shares * np.exp(jitter * random.standard_normal(len(shares)))
        whole = np.exp(jitter * random.standard_normal()) * lengths.sum()
        lengths = lengths / lengths.sum() * whole
        ends = np.r_[0, np.cumsum(lengths)]
        counts = np.r_[0, np.cumsum(truth.rates * np.exp(jitter * random.standard_normal(len(shares))) * lengths)]
        while next_sample < now + whole:
            if next_sample >= now:
                samples.append(((next_sample - now) / whole, np.interp(next_sample - now, ends, counts) / counts[-1]))
            next_sample += period * (1 + .2 * random.uniform(-1, 1))
        now = now + whole + random.exponential(.3)
    return np.array(samples)


def kriging(x, y, steps=1000):
    """nugget 1e-4, evaluated on j/999, drawn on j/1000, the rate from the running maximum"""
    ux, uy, uw, _ = merge_dups(x, y)
    values = eval_spline(ux, *reinsch(ux, uy, uw, 1e-4 / 12), np.linspace(0, 1, steps))[0]
    values = np.maximum(values, 0)
    rates = np.r_[0, np.diff(np.maximum.accumulate(values)) * steps]
    drawn = np.arange(steps) / steps
    return np.interp(MIDDLES, drawn, values), np.interp(MIDDLES, drawn, rates)


def breakpoints(x, y, size, most):
    """strucchange: independent lines of at least `size` points, as many as the BIC wants"""
    n = len(x)
    u, v = x - x.mean(), y - y.mean()
    v = v - (u @ v) / (u @ u) * u
    sums = np.zeros((5, n + 1))
    sums[:, 1:] = np.cumsum([u, v, u * u, u * v, v * v], axis=1)
    least = np.full((most + 1, n + 1), np.inf)
    begins = np.zeros((most + 1, n + 1), int)
    for j in range(size, n + 1):
        i = np.arange(0, j - size + 1)
        su, sv, suu, suv, svv = sums[:, j:j + 1] - sums[:, i]
        uu, uv, vv = suu - su ** 2 / (j - i), suv - su * sv / (j - i), svv - sv ** 2 / (j - i)
        line = uu > 1e-13
        residuals = np.maximum(np.where(line, vv - uv ** 2 / np.where(line, uu, 1), vv), 0)
        least[0, j] = residuals[0]
        for m in range(1, min(most, j // size - 1) + 1):
            whole = least[m - 1, i] + residuals
            begins[m, j] = np.argmin(whole)
            least[m, j] = whole[begins[m, j]]
    possible = [m for m in range(most + 1) if np.isfinite(least[m, n])]
    rss = np.maximum(least[possible, n], 1e-300)
    criterion = n * (np.log(rss) + 1 - np.log(n) + np.log(2 * np.pi)) + 3 * (np.array(possible) + 1) * np.log(n)
    found, end = [], n
    for m in range(int(np.argmin(criterion)), 0, -1):
        end = begins[m, end]
        found.append(end)
    return found[::-1]


def strucchange(x, y, shortest):
    """breaks between samples, values from the five nearest, slopes of the lines between these"""
    size = int(np.floor(len(x) * shortest + 1e-9))
    found = breakpoints(x, y, size, int(np.ceil(len(x) / size)) - 2)
    near = lambda t: y[np.argsort(abs(x - t), kind='stable')[:5]].mean()
    borders = np.r_[0, [(x[i - 1] + x[i]) / 2 for i in found], 1]
    values = np.r_[0, [near(t) for t in borders[1:-1]], 1]
    rates = np.maximum(np.diff(values) / np.diff(borders), 0) if found else np.array([near(1)])
    place = np.clip(np.searchsorted(borders, MIDDLES, side='right') - 1, 0, len(rates) - 1)
    return np.interp(MIDDLES, borders, np.r_[0, np.cumsum(rates * np.diff(borders))]), rates[place]


def cell(scenario, jitter, samples, runs):
    truth = Truth(*SCENARIOS[scenario])
    found = {'kriging': [], 'strucchange': []}
    for run in range(100, 100 + runs):
        points = folded(truth, int(samples * 1.35) + 5, jitter, 1000 * run + samples)[:samples]
        x, y = np.r_[0, points[:, 0], 1], np.r_[0, points[:, 1], 1]
        order = np.argsort(x, kind='stable')
        x, y = x[order], y[order]
        for name, fit in (('kriging', kriging(x, y)), ('strucchange', strucchange(x, y, .05 if samples >= 100 else .1))):
            curve, rate = fit
            found[name].append((100 * np.mean(abs(curve - truth.curve(MIDDLES))), 100 * np.mean(abs(rate - truth.rate(MIDDLES)))))
    row = {'scenario': scenario, 'jitter': jitter, 'samples': samples, 'runs': runs}
    for name, errors in found.items():
        row[name] = [float('%.4g' % mean) for mean in np.mean(errors, axis=0)]
        row[name + '_deviation'] = [float('%.3g' % deviation) for deviation in np.std(errors, axis=0, ddof=1)]
    return row


if __name__ == '__main__':
    chosen = sys.argv[1:] or SCENARIOS
    for scenario in chosen:
        for jitter in (.005, .02):
            for samples in RUNS:
                print(json.dumps(cell(scenario, jitter, samples, RUNS[samples])), flush=True)
