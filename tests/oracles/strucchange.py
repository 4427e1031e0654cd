"""Joins the inputs and outputs of strucchange.R, in the folder given, into strucchange.json."""

import json
import sys
from fractions import Fraction
from itertools import accumulate, combinations
from pathlib import Path

folder = Path(sys.argv[1])


def lines(x, y):
    """Residual sum of squares of the line through points a..b, in exact arithmetic."""
    x, y = [Fraction(v) for v in x], [Fraction(v) for v in y]
    terms = x, y, [v * v for v in x], [a * b for a, b in zip(x, y)], [v * v for v in y]
    sums = [[Fraction(0), *accumulate(term)] for term in terms]

    def squares(a, b):
        sx, sy, sxx, sxy, syy = (sum[b] - sum[a] for sum in sums)
        sxx, sxy, syy = sxx - sx * sx / (b - a), sxy - sx * sy / (b - a), syy - sy * sy / (b - a)
        return syy - (sxy * sxy / sxx if sxx else 0)

    return squares


def divided(squares, n, breaks):
    return float(sum(squares(a, b) for a, b in zip([0, *breaks], [*breaks, n])))


def optimum(x, squares, smallest, count):
    """The best division with breaks between different x only, by trying every one."""
    n = len(x)
    borders = [0, *(i for i in range(1, n) if x[i - 1] != x[i]), n]
    cost = {
        (a, b): float(squares(a, b)) if b - a >= smallest else float("inf")
        for a, b in combinations(borders, 2)
    }
    total = lambda breaks: sum(cost[pair] for pair in zip((0, *breaks), (*breaks, n)))
    return list(min(combinations(borders[1:-1], count), key=total))


sets = []
for line in (folder / "sets.txt").read_text().splitlines():
    name = line.split()[0]
    rows = [row.split(";") for row in (folder / (name + ".in.csv")).read_text().splitlines()[1:]]
    x, y = [[row[column] for row in rows] for column in (0, 1)]
    made = dict(name=name, x=[float(v) for v in x], y=[float(v) for v in y], breaks=[[]])
    for fields in map(str.split, (folder / (name + ".out.txt")).read_text().splitlines()):
        if fields[0] == "hsize":
            made["smallest"] = int(fields[1])
        elif fields[0] == "chosen":
            made["chosen"] = int(fields[1])
        elif fields[0] == "RSS":
            made["rss"] = [float(v) for v in fields[1:]]
        elif fields[0] == "bp":
            made["breaks"].append([int(v) for v in fields[2:]])
    squares = lines(x, y)
    if len(set(x)) < len(x):
        # With ties in x, strucchange's recursive residuals are wrong by 1 % and miss the optimum.
        made["breaks"] = [optimum(x, squares, made["smallest"], m) for m in range(4)]
        del made["rss"], made["chosen"]
    made["exact_rss"] = [divided(squares, len(x), breaks) for breaks in made["breaks"]]
    sets.append(made)
Path("strucchange.json").write_text(json.dumps(sets) + "\n")
