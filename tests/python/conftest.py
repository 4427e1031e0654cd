"""What the tests of the package have in common: traces that the project makes, and the command line."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ["example", "example-mpi", "example-many"]


def example(name):
    return ROOT / "static" / f"{name}.prv.gz"


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line of the same crate, and returns what it prints."""
    program = ROOT / "target" / "debug" / "tracefold"
    if not program.is_file():
        subprocess.run(
            ["cargo", "build", "--locked", "--profile", "test", "-p", "tracefold", "--bin", "tracefold"],
            cwd=ROOT,
            check=True,
        )

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True).stdout

    return run


@pytest.fixture(scope="session")
def bare(tmp_path_factory):
    """The example as a `.prv` that is not packed, with its labels: what is read by bytes."""
    import gzip
    import shutil

    folder = tmp_path_factory.mktemp("bare")
    with gzip.open(example("example")) as packed, (folder / "run.prv").open("wb") as out:
        shutil.copyfileobj(packed, out)
    for ending in ["pcf", "row"]:
        shutil.copy(ROOT / "static" / f"example.{ending}", folder / f"run.{ending}")
    return folder / "run.prv"
