"""Types of the package; what each function does is in its docstring."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias, final

from ._page import Page

__all__ = [
    "Folding",
    "Table",
    "Trace",
    "TraceError",
    "__version__",
    "accumulate",
    "finish",
    "merge",
    "open",
    "plan",
]

_Path: TypeAlias = str | os.PathLike[str]
_Paths: TypeAlias = _Path | Sequence[_Path]
_Setting: TypeAlias = str | int | float | bool | Sequence[str | int | float] | None
_Progress: TypeAlias = Callable[[str, int, int], object]

__version__: str

class TraceError(ValueError): ...

@final
class Table:
    name: str
    columns: list[str]
    def to_csv(self) -> bytes: ...
    def to_pandas(self) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Trace:
    name: str
    duration_ns: int
    notices: list[str]
    def regions(self, **settings: _Setting) -> Table: ...
    def iterations(self, **settings: _Setting) -> Table: ...
    def clusters(self, **settings: _Setting) -> Table: ...
    def bursts(self, **settings: _Setting) -> Table: ...
    def fold(self, region: str | None = None, **settings: _Setting) -> Folding: ...

@final
class Folding:
    region: str
    notices: list[str]
    tables: list[str]
    def table(self, name: str) -> Table: ...
    def curves(self) -> Table: ...
    def phases(self) -> Table: ...
    def lines(self) -> Table: ...
    def routines(self) -> Table: ...
    def instances(self) -> Table: ...
    def points(self) -> Table: ...
    def to_json(self) -> str: ...
    def svg(self, **view: _Setting) -> str: ...
    def link(self, url: str | None = None) -> str: ...
    def show(self, *, height: int = 720) -> Page: ...
    def write(self, folder: _Path, formats: Sequence[str] = ...) -> None: ...

def open(
    files: _Paths,
    *,
    trace: str | None = None,
    only: dict[str, _Setting] | None = None,
    ranks: bool = False,
    threads: int | None = None,
    progress: _Progress | None = None,
) -> Trace: ...
def accumulate(
    files: _Paths,
    region: str,
    *,
    part: tuple[int, int] | None = None,
    by: Literal["bytes", "objects"] | None = None,
    only: dict[str, _Setting] | None = None,
    trace: str | None = None,
    threads: int = 1,
    progress: _Progress | None = None,
    durations: bool = False,
    plan: bytes | None = None,
) -> bytes: ...
def merge(parts: Sequence[bytes], **settings: _Setting) -> bytes: ...
def plan(part: bytes, **settings: _Setting) -> bytes: ...
def finish(
    part: bytes,
    *,
    incomplete: bool = False,
    threads: int | None = None,
    **settings: _Setting,
) -> Folding: ...
