"""Alignment of call-stack segments, written out sample by sample.

Writes callstack_fig2.json: the worked example of Servat 2015, Fig. 4.21 and 4.22, whose final matrix
and selection are typed off from the figures and asserted here; and callstack_extra.json: small cases
by the same code. Stacks are lists of names, outermost first.
"""

import json
import os
from bisect import bisect_left
from collections import Counter, defaultdict

FIGURE = [["b", "c", "d"], ["c", "d", "e"], ["a", "b", "c"], ["main", "a", "b"], ["c", "d", "f"], ["c", "d", "e"]]
MATRIX = [["main"] * 6, ["a"] * 6, ["b"] * 6, ["c", "c", "c", None, "c", "c"], ["d", "d", None, None, "d", "d"],
          [None, "e", None, None, "f", "e"]]
SELECTED = [(1, 0, 5, "main"), (2, 0, 5, "a"), (3, 0, 5, "b"), (4, 0, 2, "c"), (5, 0, 1, "d"), (4, 4, 5, "c"),
            (5, 4, 5, "d")]

CASES = {
    "two_parents": [["r", "p", "f"], ["p", "f", "x"], ["p", "f", "y"], ["r", "q", "f"], ["q", "f", "x"],
                    ["q", "f", "z"]],
    "two_parents_different_depth": [["r", "p", "f"], ["p", "f", "x"], ["r", "q", "g"], ["q", "g", "f"],
                                    ["g", "f", "x"], ["g", "f", "x"]],
    "recursion": [["r", "f"], ["r", "f", "f"], ["f", "f", "g"], ["f", "g", "h"], ["r", "f", "g"]],
    "disconnected": [["a", "b"], ["a", "b"], ["x", "y"], ["x", "z"], ["a", "c"]],
    "pivot_tie": [["a", "b"], ["b", "a"]],
    "full_stacks": [["m", "a", "b"], ["m", "a", "b", "c"], ["m", "a"], ["m", "d", "e", "f"]],
}


def pivot_of(samples):
    counts = Counter(name for stack in samples for name in set(stack))
    most = max(counts.values())
    return min(name for name in counts if counts[name] == most), counts


def published(samples):
    """Pivot, counts, the state after every step, and the aligned stacks by sample."""
    pivot, counts = pivot_of(samples)
    states = []

    def note(step):
        shown = {f"s{i + 1}": ["°" * gap + name for name, gap in aligned[i]] for i in sorted(aligned)}
        states.append({"step": step, "stacks_outermost_first": shown})

    chosen = [i for i, stack in enumerate(samples) if pivot in stack]
    aligned = {i: [(name, False) for name in samples[i]] for i in chosen}
    height = lambda i: [name for name, _ in aligned[i]].index(pivot)
    gaps_of = lambda i, count: [(name, True) for name, _ in aligned[i][:count]]
    note(f"samples with pivot {pivot}")
    for before, sample in zip(chosen, chosen[1:]):
        more = height(sample) - height(before)
        if more < 0:
            aligned[sample] = gaps_of(before, -more) + aligned[sample]
        elif more > 0:
            gaps = gaps_of(sample, more)
            for earlier in (i for i in chosen if i < sample):
                aligned[earlier] = gaps + aligned[earlier]
        note(f"s{sample + 1} beside s{before + 1}")
    for sample, stack in enumerate(samples):
        if pivot in stack:
            continue
        for other in sorted(aligned, key=lambda i: (abs(i - sample), i)):
            names = [name for name, _ in aligned[other]]
            common = next((name for name in stack if name in names), None)
            if common is None:
                continue
            own, theirs = stack.index(common), names.index(common)
            captured = [(name, False) for name in stack]
            if own <= theirs:
                aligned[sample] = gaps_of(other, theirs - own) + captured
            else:
                gaps = [(name, True) for name in stack[:own - theirs]]
                for known in aligned:
                    aligned[known] = gaps + aligned[known]
                aligned[sample] = captured
            note(f"s{sample + 1} beside s{other + 1}")
            break
    return pivot, counts, states, {i: [name for name, _ in aligned[i]] for i in sorted(aligned)}


def chained(samples):
    """Each sample with the ancestors that the nearest samples show."""
    of_call, of_routine = defaultdict(list), defaultdict(list)
    for i, stack in enumerate(samples):
        for k in range(1, len(stack)):
            of_routine[stack[k]].append((i, stack[k - 1]))
            if k + 1 < len(stack):
                of_call[stack[k], stack[k + 1]].append((i, stack[k - 1]))

    def nearest(evidence, sample):
        at = bisect_left(evidence, (sample,))
        beside = [evidence[k] for k in (at - 1, at) if 0 <= k < len(evidence)]
        return min(beside, key=lambda entry: (abs(entry[0] - sample), entry[0]))[1]

    def one(sample, stack):
        outermost, called = stack[0], stack[1] if len(stack) > 1 else None
        ancestors, seen = [], {(outermost, called)}
        while evidence := of_call.get((outermost, called)) or of_routine.get(outermost):
            caller = nearest(evidence, sample)
            if (caller, outermost) in seen:
                break
            seen.add((caller, outermost))
            ancestors.insert(0, caller)
            outermost, called = caller, outermost
        return ancestors + stack

    return [one(i, stack) for i, stack in enumerate(samples)]


def matrix_of(aligned, count):
    levels = range(max(map(len, aligned.values())))
    at = lambda i, level: aligned[i][level] if i in aligned and level < len(aligned[i]) else None
    return [[at(i, level) for i in range(count)] for level in levels]


def select(matrix, threshold, first, end, level=0):
    """(height from 1, first sample, last sample, routine) of every run of at least `threshold`."""
    found = []
    while level < len(matrix) and first < end:
        last = first
        while last < end and matrix[level][last] == matrix[level][first]:
            last += 1
        if matrix[level][first] is not None and last - first >= threshold:
            found.append((level + 1, first, last - 1, matrix[level][first]))
            found += select(matrix, threshold, first, last, level + 1)
        first = last
    return found


def write(name, value):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def main():
    pivot, counts, states, aligned = published(FIGURE)
    matrix = matrix_of(aligned, 6)
    assert pivot == "c" and matrix == MATRIX, matrix
    selected = select(matrix, 2, 0, 6)
    assert selected == SELECTED, selected
    rows = [{"height": h, "first": f"s{a + 1}", "last": f"s{b + 1}", "routine": name} for h, a, b, name in selected]
    write("callstack_fig2.json", {
        "samples": [{"name": f"s{i + 1}", "frames_outermost_first": stack} for i, stack in enumerate(FIGURE)],
        "pivot": pivot, "counts": dict(counts), "states": states, "matrix_rows_height1_first": matrix,
        "threshold": 2, "selected": rows,
    })
    cases = []
    for name, samples in CASES.items():
        pivot, _, _, aligned = published(samples)
        paper = {str(i): stack for i, stack in aligned.items()}
        cases.append({"name": name, "samples": samples, "chain": chained(samples), "paper_pivot": pivot, "paper": paper})
    write("callstack_extra.json", cases)


if __name__ == "__main__":
    main()
