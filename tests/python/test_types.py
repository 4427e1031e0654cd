"""The stubs say what there is."""

import subprocess
import sys


def test_stubs_are_those_of_what_is_there(tmp_path):
    command = [sys.executable, "-m", "mypy.stubtest", "tracefold", "--concise", "--ignore-missing-stub"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_script_is_checked_against_them(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import tracefold\n"
        "trace = tracefold.open('run.prv', progress=print)\n"
        "rates: tracefold.Table = trace.fold('solve', points=100, counters=['A']).curves()\n"
        "parts = [tracefold.accumulate('run.prv', 'solve', part=(k, 8)) for k in range(1, 9)]\n"
        "whole: bytes = tracefold.merge(parts)\n"
        "tracefold.finish(whole).fold()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", script], cwd=tmp_path, capture_output=True, text=True
    )
    *wrong, told = done.stdout.strip().splitlines()
    assert told.startswith("Found 1 error")
    assert len(wrong) == 1 and ':6: error: "Folding" has no attribute "fold"' in wrong[0]
