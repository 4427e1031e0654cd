"""Parts of folds: whatever makes and merges them, they fold to the bytes of the whole."""

import random

import pytest
from conftest import example

import tracefold

REGION = "User function:main loop"


def merged(parts, random):
    """Of a random tree."""
    parts = list(parts)
    while len(parts) > 1:
        random.shuffle(parts)
        count = random.randint(2, max(2, len(parts) // 2))
        parts = [tracefold.merge(parts[:count]), *parts[count:]]
    return parts[0]


@pytest.mark.parametrize(("by", "count"), [("bytes", 1), ("bytes", 7), ("bytes", 64), ("objects", 3)])
def test_parts_in_any_tree_fold_to_the_bytes_of_the_whole(by, count, bare):
    whole = tracefold.open(bare).fold(REGION)
    parts = [tracefold.accumulate(bare, REGION, part=(k + 1, count), by=by) for k in range(count)]
    for seed in range(2):
        folding = tracefold.finish(merged(parts, random.Random(seed)))
        assert folding.to_json() == whole.to_json()
        for table in tracefold.Folding.tables:
            assert folding.table(table).to_csv() == whole.table(table).to_csv(), table


def test_they_are_the_parts_of_the_command_line(bare, command_line, tmp_path):
    for k in range(3):
        command_line("accumulate", bare, "--region", REGION, "--part", f"{k + 1}/3", "-o", tmp_path / f"{k}.part")
    parts = [tracefold.accumulate(bare, REGION, part=(k + 1, 3)) for k in range(3)]
    assert parts == [(tmp_path / f"{k}.part").read_bytes() for k in range(3)]
    command_line("merge", *tmp_path.glob("*.part"), "--partial", tmp_path / "all.part")
    assert tracefold.merge(parts) == (tmp_path / "all.part").read_bytes()
    # A part is a trace of its fold alone.
    trace = tracefold.open(tmp_path / "all.part")
    assert trace.fold().to_json() == tracefold.open(bare).fold(REGION).to_json()
    with pytest.raises(tracefold.TraceError, match="a part of a fold, which has the samples of one region"):
        trace.clusters()


@pytest.mark.parametrize("by", ["bytes", "objects"])
def test_two_passes_fold_to_the_bytes_of_the_whole(by, bare):
    few = {"samples": 500}
    asked = [{"part": (k, 3), "by": by} for k in (1, 2, 3)]
    durations = [tracefold.accumulate(bare, REGION, durations=True, **part) for part in asked]
    plan = tracefold.plan(tracefold.merge(durations), **few)
    planned = [tracefold.accumulate(bare, REGION, plan=plan, **part) for part in asked]
    whole = tracefold.open(bare).fold(REGION, **few)
    assert tracefold.finish(tracefold.merge(planned, **few), **few).to_json() == whole.to_json()
    with pytest.raises(ValueError, match="would be shown than the part has"):
        tracefold.finish(tracefold.merge(durations))
    with pytest.raises(tracefold.TraceError, match="A plan is made of all parts"):
        tracefold.plan(durations[0])
    with pytest.raises(tracefold.TraceError, match="found no plan of parts"):
        tracefold.accumulate(bare, REGION, plan=durations[0])
    with pytest.raises(tracefold.TraceError, match="the plan is for User function:main loop of .*, the part is of"):
        tracefold.accumulate(bare, "User function:main", plan=plan)
    with pytest.raises(ValueError, match="durations, plan: found both"):
        tracefold.accumulate(bare, REGION, durations=True, plan=plan)


def test_settings_act_after_the_merge(bare):
    parts = [tracefold.accumulate(bare, REGION, part=(k, 2)) for k in (1, 2)]
    whole = tracefold.open(bare).fold(REGION, fit="segments", points=100)
    assert tracefold.finish(tracefold.merge(parts), fit="segments", points=100).to_json() == whole.to_json()


def test_what_is_missing_wrong_or_unlike_is_said(bare):
    parts = [tracefold.accumulate(bare, REGION, part=(k, 3)) for k in (1, 2, 3)]
    with pytest.raises(tracefold.TraceError, match="incomplete=True"):
        tracefold.finish(tracefold.merge(parts[:2]))
    folding = tracefold.finish(tracefold.merge(parts[:2]), incomplete=True)
    assert any("missing" in notice or "of 3" in notice for notice in folding.notices), folding.notices
    with pytest.raises(tracefold.TraceError, match=r"parts\[0\].*parts\[1\]"):
        tracefold.merge([parts[0], parts[0]])
    other = tracefold.accumulate(bare, "User function:main", part=(2, 3))
    with pytest.raises(tracefold.TraceError, match="User function:main"):
        tracefold.merge([parts[0], other])
    damaged = parts[0][:-9] + b"x" + parts[0][-8:]
    for wrong in [b"", b"x", parts[0][:-1], damaged]:
        with pytest.raises(tracefold.TraceError):
            tracefold.merge([wrong])
        with pytest.raises(tracefold.TraceError):
            tracefold.finish(wrong)
    with pytest.raises(TypeError):
        tracefold.merge(["a part"])
    for part in [(0, 3), (4, 3)]:
        with pytest.raises(ValueError, match="expected a part from"):
            tracefold.accumulate(bare, REGION, part=part)
    with pytest.raises(ValueError, match='by: found "rows", expected "bytes" or "objects"'):
        tracefold.accumulate(bare, REGION, by="rows")
    with pytest.raises(tracefold.TraceError, match="unpack it"):
        tracefold.accumulate(example("example"), REGION, by="bytes")
    with pytest.raises(ValueError, match="main lop"):
        tracefold.accumulate(bare, "main lop")
