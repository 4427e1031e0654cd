"""Folding of performance traces: many sampled instances of a region become one detailed picture.

    >>> import tracefold
    >>> trace = tracefold.open("run.prv")
    >>> folding = trace.fold("User function:main loop")
    >>> folding.phases().to_pandas()

Times are in nanoseconds where their name ends in ``_ns``, in milliseconds where it ends in ``_ms``; folded
time ``x`` is a share of a region's mean duration, from 0 to 1; rates are in events per microsecond, so that
instructions are in MIPS.
"""

from ._native import (
    Folding,
    Table,
    Trace,
    TraceError,
    __version__,
    accumulate,
    finish,
    merge,
    open,
    plan,
)

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
