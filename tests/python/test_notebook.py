"""The notebook of the guide runs, and what it says of the example is so."""

import json
import re
import subprocess
import sys

import pytest
from conftest import ROOT

NOTEBOOK = ROOT / "static" / "guide" / "folding.ipynb"
FOLDER = ROOT / "target" / "python"
TRUTH = json.loads((ROOT / "tests" / "truth" / "example.json").read_text())["folded"]


def convert(*arguments):
    subprocess.run([sys.executable, "-m", "nbconvert", "--output-dir", FOLDER, *arguments], check=True)


@pytest.fixture(scope="module")
def outputs():
    """Of each cell of code its text. `notebook.test.mjs` opens the HTML of the same run."""
    executed = FOLDER / "folding.ipynb"
    convert("--to", "notebook", "--execute", "--output", executed.stem, NOTEBOOK)
    convert("--to", "html", executed)
    cells = [cell for cell in json.loads(executed.read_text())["cells"] if cell["cell_type"] == "code"]
    return ["".join("".join(of["data"]["text/plain"]) for of in cell["outputs"]) for cell in cells]


def last_numbers(text, column):
    """A column of a table as pandas prints it, counted from the right."""
    rows = [re.split(r"\s+", line.strip()) for line in text.splitlines()]
    return [float(row[column]) for row in rows if len(row) > -column and re.fullmatch(r"\d+", row[0])]


def test_its_rates_are_those_that_the_example_was_made_with(outputs):
    opened, regions, by_hand, phases, shown = outputs
    assert opened.endswith("[])") and "User function:main loop" in regions
    assert shown == "<tracefold: User function:main loop, folded; a notebook shows it>"
    rates = [phase["rates"]["PAPI_TOT_INS"] for phase in TRUTH["phases"]]
    slopes = last_numbers(by_hand, -1)
    assert len(slopes) == 9 and min(rates) * 0.98 < min(slopes) < max(slopes) < max(rates) * 1.02
    rows = re.findall(r"^\d +\d +[\d.]+ +([\d.]+) +([\d.]+)", phases, re.MULTILINE)
    assert [float(end) for end, _ in rows] == pytest.approx([phase["end"] for phase in TRUTH["phases"]], abs=0.002)
    assert [float(rate) for _, rate in rows] == pytest.approx(rates, rel=0.002)


def test_it_is_committed_as_it_was_written():
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)
