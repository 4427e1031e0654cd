"""The recipes of the guide, each by its engine, fold to the bytes of the whole trace.

Where an engine is missing its test says so; `make setup-cluster` installs them.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from html import unescape
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import ROOT

REGION = "User function:main loop"
GUIDE = (ROOT / "static" / "guide" / "cluster.html").read_text(encoding="utf-8")
# Most that an engine may take to start and to run: far more than it does.
PATIENCE_S = 240


def recipe(name):
    _, rest = GUIDE.split(f'id="recipe-{name}">')
    return unescape(rest.split("</pre>")[0])


def needs(*, programs=(), modules=()):
    missing = [name for name in programs if not shutil.which(name)]
    missing += [name for name in modules if not find_spec(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed (make setup-cluster)")


@pytest.fixture
def folder(bare, tmp_path, command_line, monkeypatch):
    """Where a recipe finds `run.prv`, the command line and the package; what must come out lies in `whole`."""
    for path in bare.parent.iterdir():
        shutil.copy(path, tmp_path)
    command_line("fold", bare, "--region", REGION, "--out", tmp_path / "whole", "--format", "csv,json")
    monkeypatch.chdir(tmp_path)
    paths = [ROOT / "target" / "debug", Path(sys.executable).parent]
    monkeypatch.setenv("PATH", os.pathsep.join([*map(str, paths), os.environ["PATH"]]))
    return tmp_path


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_whole(folder):
    tables = sorted(path.name for path in (folder / "whole").iterdir())
    assert sorted(os.listdir(folder / "folded")) == tables
    for name in tables:
        assert (folder / "folded" / name).read_bytes() == (folder / "whole" / name).read_bytes(), name


def test_gnu_parallel(folder):
    needs(programs=["parallel"])
    run("sh", "-ec", recipe("parallel"))
    is_whole(folder)


def test_dask_on_one_computer(folder):
    needs(modules=["dask", "distributed"])
    # On a computer without network only its own address has a name.
    local = 'LocalCluster(host="127.0.0.1", dashboard_address=None, n_workers=2, '
    Path("fold.py").write_text(recipe("dask").replace("LocalCluster(", local))
    run(sys.executable, "fold.py")
    is_whole(folder)


def test_mpi(folder):
    needs(programs=["mpirun"], modules=["mpi4py"])
    Path("fold.py").write_text(recipe("mpi"))
    alone = ["--allow-run-as-root", "--oversubscribe"] if os.geteuid() == 0 else ["--oversubscribe"]
    run("mpirun", *alone, "-np", "2", sys.executable, "fold.py")
    is_whole(folder)


@pytest.fixture
def slurm(tmp_path_factory, monkeypatch):
    """A cluster of this computer alone, which ends with the test."""
    needs(programs=["sbatch", "slurmctld", "slurmd", "munged"])
    if os.geteuid() != 0:
        pytest.skip("Slurm is started by root alone")
    place = tmp_path_factory.mktemp("slurm")
    for name in ["spool", "state", "log"]:
        (place / name).mkdir()
    host = socket.gethostname().split(".")[0]
    settings = {
        "ClusterName": "one",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core",
        "ReturnToService": "2",
        "MpiDefault": "none",
        "SlurmctldPidFile": place / "controller.pid",
        "SlurmdPidFile": place / "node.pid",
        "SlurmdSpoolDir": place / "spool",
        "StateSaveLocation": place / "state",
        "SlurmctldLogFile": place / "log" / "controller.log",
        "SlurmdLogFile": place / "log" / "node.log",
        "PartitionName": "all Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
    }
    node = f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN\n"
    lines = [f"{key}={value}\n" for key, value in settings.items()]
    (place / "slurm.conf").write_text("".join([*lines[:-1], node, lines[-1]]))
    monkeypatch.setenv("SLURM_CONF", str(place / "slurm.conf"))
    munge = Path("/run/munge/munged.pid")
    own_munge = not munge.exists()
    if own_munge:
        for path in ["/run/munge", "/var/log/munge", "/var/lib/munge"]:
            run("install", "-d", "-o", "munge", "-g", "munge", path)
        run("runuser", "-u", "munge", "--", "munged")
    run("slurmctld")
    run("slurmd", "-N", host)
    try:
        until(lambda: run("sinfo", "--noheader", "--format", "%T").strip() == "idle", "an idle node")
        yield
    finally:
        subprocess.run(["scancel", "--user", "root"], check=False)
        pids = [place / "node.pid", place / "controller.pid", *([munge] if own_munge else [])]
        for pid in pids:
            if pid.exists():
                os.kill(int(pid.read_text()), signal.SIGTERM)


def until(happens, what):
    end = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < end, f"no {what} in {PATIENCE_S} s"
        time.sleep(0.2)


def test_a_slurm_array_and_a_job_that_merges(folder, slurm):
    Path("part.sh").write_text(recipe("slurm"))
    run("sh", "-ec", recipe("sbatch"))
    until(lambda: not run("squeue", "--noheader").strip(), "empty queue")
    is_whole(folder)


def test_dask_on_slurm(folder, slurm):
    needs(modules=["dask_jobqueue"])
    head, _ = recipe("dask").split("if __name__")
    # One node with two processors, whose memory Slurm does not know, and no network.
    own = (
        'SLURMCluster(scheduler_options={"host": "127.0.0.1", "dashboard_address": None}, '
        'worker_extra_args=["--host", "127.0.0.1"], job_directives_skip=["--mem"], python=sys.executable, '
    )
    body = recipe("dask-slurm").replace("SLURMCluster(", own).replace("scale(8)", "scale(2)")
    Path("fold.py").write_text("import sys\n" + head + body)
    run(sys.executable, "fold.py")
    is_whole(folder)
