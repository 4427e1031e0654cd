"""The notebook of the guide runs, and what it says of the example is so."""

import re
import subprocess
import sys

from conftest import ROOT

NOTEBOOK = ROOT / "static" / "guide" / "folding.ipynb"
# What `notebook.test.mjs` opens.
EXPORTED = ROOT / "target" / "python" / "folding.html"


def test_the_notebook_of_the_guide_runs_and_is_exported():
    convert = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", NOTEBOOK]
    subprocess.run([*convert, "--output-dir", EXPORTED.parent, "--output", EXPORTED.stem], check=True)
    html = EXPORTED.read_text(encoding="utf-8")
    assert html.count("<iframe") == 1 and "tracefold-link" in html
    assert "Traceback" not in html
    # Mean of the slopes by hand and of the phases: both are the rate of the whole region.
    assert re.search(r"User function:main loop", html)
