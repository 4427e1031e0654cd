"""What Python adds, and whether folds in threads of its own run side by side."""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from threading import Thread

import tracefold

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7


def seconds(of):
    begin = time.perf_counter()
    of()
    return time.perf_counter() - begin


def in_threads(count, of, times):
    """Does it so often in so many threads."""

    def some(share):
        for _ in range(share):
            of()

    threads = [Thread(target=some, args=(times // count,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def turns_meanwhile(of):
    """How often a loop of Python comes round while a thread works, and how long that takes."""
    turns, thread = 0, Thread(target=of)
    begin = time.perf_counter()
    thread.start()
    while thread.is_alive():
        turns += 1
    return turns, time.perf_counter() - begin


path = ROOT / "static" / "example-many.prv.gz"
trace = tracefold.open(path, threads=1)
every = tracefold.open(path)
folding = trace.fold()
imported = [seconds(lambda: subprocess.run([sys.executable, "-c", "import tracefold"], check=True)) for _ in range(RUNS)]
started = [seconds(lambda: subprocess.run([sys.executable, "-c", ""], check=True)) for _ in range(RUNS)]
one, two, alone, tables = [], [], [], []
for _ in range(RUNS):
    one.append(seconds(lambda: in_threads(1, trace.fold, 4)))
    two.append(seconds(lambda: in_threads(2, trace.fold, 4)))
    alone.append(seconds(lambda: in_threads(1, every.fold, 4)))
    tables.append(seconds(lambda: folding.points().__arrow_c_stream__()))
# Beside a thread that waits, which has no need of the lock.
meanwhile, waited = [], []
for _ in range(RUNS):
    turns, of_fold = turns_meanwhile(trace.fold)
    meanwhile.append(turns / of_fold)
    turns, of_wait = turns_meanwhile(lambda: time.sleep(of_fold))
    waited.append(turns / of_wait)
shares = sorted(100 * a / b for a, b in zip(meanwhile, waited))
gains = sorted(a / b for a, b in zip(one, two))
rows = folding.points().to_csv().count(b"\n") - 1
wheel = max((ROOT / "target" / "wheels").glob("*.whl"), key=os.path.getmtime).stat().st_size
print(f"""## Python

Python {platform.python_version()}, the bundled `example-many` (28 counters), median of {RUNS} alternating runs.

| | |
| --- | ---: |
| wheel | {wheel / 1e6:.2f} MB of 6 MB allowed |
| `import tracefold`, beside an empty script | {1e3 * (median(imported) - median(started)):.0f} ms |
| 4 folds, one thread | {1e3 * median(one):.0f} ms |
| 4 folds, two threads of Python, each fold by one thread | {1e3 * median(two):.0f} ms |
| the second beside the first, goal 1.6 | {median(gains):.2f} × ({gains[0]:.2f} to {gains[-1]:.2f}) |
| 4 folds one after the other, each by all processors | {1e3 * median(alone):.0f} ms |
| turns of a loop of Python while a thread folds, beside one that waits | {median(shares):.0f} % ({shares[0]:.0f} to {shares[-1]:.0f}) |
| `points()` as Arrow, {rows} rows | {1e3 * median(tables):.0f} ms |
""")
