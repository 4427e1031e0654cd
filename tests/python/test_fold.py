"""Folding, its settings, pictures and links; and what is wrong, in words."""

import os
import shutil
import signal
import subprocess
import sys
import threading

import pytest
from conftest import ROOT, example

import tracefold


def test_settings_are_those_of_the_command_line(command_line, tmp_path):
    options = ["--set", "fit=segments", "--set", "points=200", "--set", "counters=PAPI_TOT_INS,PAPI_L1_DCM"]
    region = "User function:main loop"
    command_line("fold", example("example"), "--region", region, *options, "--out", tmp_path, "--format", "csv,svg")
    folding = tracefold.open(example("example")).fold(
        region, fit="segments", points=200, counters=["PAPI_TOT_INS", "PAPI_L1_DCM"], eps=None
    )
    assert folding.region == region
    assert folding.curves().to_csv() == (tmp_path / "curves.csv").read_bytes()
    folding.write(tmp_path / "mine" / "deep", ["svg"])
    pictures = sorted(tmp_path.glob("*.svg"))
    assert [path.name for path in pictures] == sorted(os.listdir(tmp_path / "mine" / "deep"))
    for path in pictures:
        assert (tmp_path / "mine" / "deep" / path.name).read_bytes() == path.read_bytes()
    shown = folding.svg(shown=1, theme="light")
    assert shown.startswith("<svg") and shown.rstrip().endswith("</svg>")


def test_a_part_of_a_trace_is_read(bare):
    alone = tracefold.open(bare, only={"objects": "*.1.*"})
    folding = alone.fold("main loop")
    assert set(folding.instances().to_pandas()["task"]) == {1}
    # `from` is a word of Python's own.
    late = tracefold.open(bare).fold("main loop", from_=3_000_000_000)
    assert late.instances().to_pandas().query("group > 0")["start_ns"].min() >= 3_000_000_000


def test_several_traces_are_ranks_of_one_run(bare, tmp_path):
    paths = []
    for rank in range(2):
        (tmp_path / str(rank)).mkdir()
        for ending in ["prv", "pcf", "row"]:
            shutil.copy(bare.with_suffix(f".{ending}"), tmp_path / str(rank) / f"rank.{ending}")
        paths.append(tmp_path / str(rank) / "rank.prv")
    both = tracefold.open(paths, ranks=True)
    one = tracefold.open(bare)
    instances = [len(of.fold("main loop").instances().to_pandas()) for of in (both, one)]
    assert instances[0] == 2 * instances[1]
    with pytest.raises(ValueError, match="there are several traces; name one with trace=: "):
        tracefold.open(paths)


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (lambda t: t.fold("main lop"), ValueError, 'unknown region "main lop"; the nearest are "User function:main'),
        (lambda t: t.fold(fit="kring"), ValueError, 'setting fit: found "kring", expected auto, kriging'),
        (lambda t: t.fold(pints=3), ValueError, "points"),
        (lambda t: t.fold(points=object()), TypeError, "points: found object, expected str, int, float, bool"),
        (lambda t: t.fold(counters="NONE"), ValueError, "NONE"),
        (lambda t: t.fold().table("curve"), ValueError, 'unknown table "curve"; there are curves, phases'),
        (lambda t: t.fold().svg(counter="NONE"), ValueError, "NONE"),
        (lambda t: t.fold().write("/dev/null/x"), OSError, "/dev/null/x"),
        (lambda t: t.fold().write("/tmp", ["cvs"]), ValueError, 'unknown format "cvs"; there are csv'),
        (lambda t: tracefold.open("/no/such.prv"), FileNotFoundError, "/no/such.prv"),
        (lambda t: tracefold.open(ROOT / "Makefile"), tracefold.TraceError, "Makefile"),
        (lambda t: tracefold.open([]), tracefold.TraceError, "trace"),
        (lambda t: tracefold.open(7), TypeError, "files: found int, expected str, os.PathLike, or a list"),
        (lambda t: tracefold.open(["a", 7]), TypeError, "files: found int, expected str, os.PathLike, or a list"),
        (lambda t: tracefold.open(example("example"), trace="other"), ValueError, 'unknown trace "other"'),
        (lambda t: tracefold.open(example("example"), only={"fit": "x"}), ValueError, "only: "),
    ],
)
def test_what_is_wrong_is_said(wrong, error, words):
    trace = tracefold.open(example("example"))
    with pytest.raises(error) as raised:
        wrong(trace)
    assert words in str(raised.value)


def test_a_file_that_vanishes_is_said_and_what_was_read_stays(bare, tmp_path):
    copy = tmp_path / "run.prv"
    shutil.copy(bare, copy)
    trace = tracefold.open(copy)
    copy.unlink()
    assert trace.fold("3").region
    with pytest.raises(FileNotFoundError):
        tracefold.open(copy)


def test_a_link_opens_as_what_it_is_of(monkeypatch, command_line, tmp_path):
    folding = tracefold.open(example("example")).fold()
    assert folding.link().startswith("#s=")
    monkeypatch.setenv("TRACEFOLD_URL", "http://traces.example/t.html#old")
    link = folding.link()
    assert link.startswith("http://traces.example/t.html#s=")
    assert folding.link("http://other.example/") == link.replace("traces.example/t.html", "other.example/")
    # The command line reads it as a run: of two alike nothing changed.
    (tmp_path / "link.txt").write_text(link)
    told = command_line("compare", tmp_path / "link.txt", example("example"), "--region", folding.region)
    assert told.decode().startswith("No change of time seen")


def test_progress_is_told_and_what_it_raises_stops_the_reading(bare):
    seen = []
    tracefold.open(bare, progress=lambda *how_far: seen.append(how_far))
    name, done, total = seen[-1]
    assert name == "run.prv" and done == total == bare.stat().st_size

    def stop(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tracefold.open(bare, progress=stop)


INTERRUPTED = """
import os, signal, sys, threading, time, tracefold
trace = tracefold.open(sys.argv[1], threads=1)
def threads():
    return len(os.listdir("/proc/self/task"))
before = threads()
threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
try:
    # One call, which takes many times as long as the timer.
    trace.fold(points=100_000)
except KeyboardInterrupt:
    # The fold goes on in its threads: Python did not wait for it.
    time.sleep(0.1)
    print("interrupted", threads() > before)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="this system does not tell its threads")
def test_a_fold_is_interrupted_while_it_goes_on():
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, example("example-many")], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, "interrupted True\n"), run.stderr


def test_two_threads_fold_the_same():
    trace = tracefold.open(example("example-many"), threads=1)
    alone = trace.fold().to_json()
    foldings = []
    threads = [threading.Thread(target=lambda: foldings.append(trace.fold().to_json())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert foldings == [alone, alone]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_after_a_fold_folds():
    trace = tracefold.open(example("example"))
    before = trace.fold().to_json()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        # A fold that waits for threads that are not there would wait for ever.
        signal.alarm(120)
        try:
            os.write(write, b"same" if trace.fold().to_json() == before else b"else")
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    assert status == 0 and os.read(read, 4) == b"same"
