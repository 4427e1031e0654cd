"""Tables are the CSVs of the command line, in whatever reads Arrow."""

import csv
import gc
import io

import pandas
import polars
import pyarrow
import pytest
from conftest import EXAMPLES, example

import tracefold

WHOLE = {pyarrow.int64(), pyarrow.uint64()}


def rows_of(text):
    return list(csv.reader(io.StringIO(text.decode(), newline="")))


def same_as_text(table):
    """Whether each value is what stands in the text, with its type."""
    head, *rows = rows_of(table.to_csv())
    arrow = pyarrow.table(table)
    assert arrow.column_names == head and arrow.num_rows == len(rows)
    for at, field in enumerate(arrow.schema):
        texts = [row[at] for row in rows]
        if field.type in WHOLE:
            expected = [int(text) if text else None for text in texts]
        elif field.type == pyarrow.float64():
            expected = [float(text) if text else None for text in texts]
        else:
            assert field.type == pyarrow.string()
            expected = [text or None for text in texts]
        assert arrow.column(at).to_pylist() == expected, field.name
    return arrow


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_table_is_the_csv_of_the_command_line(name, command_line, tmp_path):
    command_line("fold", example(name), "--out", tmp_path, "--format", "csv,json")
    trace = tracefold.open(example(name))
    folding = trace.fold()
    for table in tracefold.Folding.tables:
        assert folding.table(table).to_csv() == (tmp_path / f"{table}.csv").read_bytes(), table
        same_as_text(folding.table(table))
    assert f"[{folding.to_json()}]".encode() == (tmp_path / "folding.json").read_bytes()
    for table, of in [("regions", trace.regions), ("iterations", trace.iterations), ("clusters", trace.clusters), ("bursts", trace.bursts)]:
        try:
            found = of()
        except tracefold.TraceError as none:
            assert name == "example-many", none
            continue
        command = "clusters" if table == "bursts" else table
        command_line(command, example(name), "--out", tmp_path)
        assert found.to_csv() == (tmp_path / f"{table}.csv").read_bytes()
        same_as_text(found)


def test_columns_have_one_type_even_where_nothing_is_known():
    of = {name: tracefold.open(example(name)).fold() for name in EXAMPLES}
    for table in tracefold.Folding.tables:
        schemas = [pyarrow.table(folding.table(table)).schema for folding in of.values()]
        types = {}
        for field in (field for schema in schemas for field in schema):
            assert types.setdefault(field.name, field.type) == field.type, (table, field.name)
        if all(schema == schemas[0] for schema in schemas):
            polars.concat([polars.DataFrame(folding.table(table)) for folding in of.values()])


def test_columns_have_the_type_of_what_they_hold():
    folding = tracefold.open(example("example")).fold()
    types = {
        "curves": {"region": "string", "group": "int64", "x": "double", "lower": "double"},
        "phases": {"phase": "int64", "start": "double", "PAPI_TOT_INS": "double", "place": "string", "place_line": "int64"},
        "instances": {"start_ns": "int64", "why": "string", "PAPI_TOT_INS": "uint64"},
        "references": {"address": "string", "level": "string", "cost": "int64"},
        "objects": {"bytes": "uint64", "mean_cost": "double", "L1": "uint64"},
        "streams": {"step_bytes": "uint64", "bytes_per_us": "double"},
    }
    for table, expected in types.items():
        schema = pyarrow.table(folding.table(table)).schema
        assert {name: str(schema.field(name).type) for name in expected} == expected, table


def test_pandas_and_polars_read_them_and_their_folding_may_go():
    phases = tracefold.open(example("example")).fold().phases()
    gc.collect()
    arrow = same_as_text(phases)
    frame = phases.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == phases.columns
    assert frame["PAPI_TOT_INS"].tolist() == arrow["PAPI_TOT_INS"].to_pylist()
    assert polars.DataFrame(phases).to_arrow().to_pydict() == arrow.to_pydict()
    # Streams that nobody reads, and one read by half.
    for _ in range(100):
        phases.__arrow_c_stream__()
    reader = pyarrow.RecordBatchReader.from_stream(phases)
    reader.read_next_batch()
    del reader, phases
    gc.collect()
    assert arrow.num_rows == len(frame)


def test_the_names_of_regions_may_have_anything_in_them(tmp_path):
    odd = 'a "quoted", name\twith 日本'
    (tmp_path / "odd.prv").write_text(
        "#Paraver (01/02/2025 at 10:00):4000_ns:1(1):1:1(1:1)\n"
        + "".join(
            f"2:1:1:1:1:{begin}:60000019:3:42000050:1\n"
            f"2:1:1:1:1:{begin + 400}:42000050:600\n"
            f"2:1:1:1:1:{begin + 1000}:60000019:0:42000050:400\n"
            for begin in [0, 1500, 3000]
        )
    )
    (tmp_path / "odd.pcf").write_text(f"EVENT_TYPE\n0 60000019 User function\nVALUES\n3 {odd}\n0 End\n")
    trace = tracefold.open(tmp_path / "odd.prv")
    regions = same_as_text(trace.regions()).to_pydict()["region"]
    assert regions == [f"User function:{odd}"]
    folding = trace.fold(regions[0])
    assert set(same_as_text(folding.curves()).to_pydict()["region"]) == {folding.region}
