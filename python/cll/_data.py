"""Data of Python as columns: frames with their index, Series, arrays, records."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._frames import is_frame
from .errors import InputError, UsageError

#: The name of the values of a Series that has none.
VALUES = "value"


def columns_of(data: Any, columns: Sequence[str] | None = None) -> tuple[Any, str | None] | None:
    """The columns of data, and the name of the column with the values if the data say it.

    ``columns`` names the columns of an array. ``None``: these are names of files.
    """
    if hasattr(data, "to_frame") and hasattr(data, "index") and not hasattr(data, "columns"):
        return _of_series(data)
    if is_frame(data):
        return _with_index(data), None
    if isinstance(data, np.ndarray):
        return _of_array(data, columns)
    if isinstance(data, (str, bytes, os.PathLike)):
        return None
    if isinstance(data, (list, tuple)) and data and not isinstance(data[0], (str, bytes, os.PathLike)):
        return _of_records(data), None
    return None


def _of_series(series: Any) -> tuple[Any, str]:
    name = series.name if isinstance(series.name, str) else VALUES
    if all(level is None for level in series.index.names):
        raise InputError(
            "the Series has no variables: its index is to hold their values and names, series.index.name = 'N'"
        )
    return _with_index(series.to_frame(name)), name


def _with_index(frame: Any) -> Any:
    """The frame with those levels of its index as columns that have a name."""
    levels = getattr(getattr(frame, "index", None), "names", None)
    if levels is None or not hasattr(frame, "reset_index"):
        return frame
    named = [level for level in levels if isinstance(level, str) and level not in frame.columns]
    if not named:
        return frame
    others = [level for level in range(len(levels)) if levels[level] not in named]
    return frame.reset_index(level=others, drop=True).reset_index() if others else frame.reset_index()


def _of_array(array: np.ndarray[Any, Any], columns: Sequence[str] | None) -> tuple[Any, None] | None:
    if array.dtype.names:
        return {name: array[name] for name in array.dtype.names}, None
    if array.dtype.kind in "US":
        return None
    if array.ndim != 2:
        raise InputError(f"an array of {array.ndim} dimensions is no table: it must have rows and columns")
    if columns is None:
        raise UsageError("an array has no names of columns: columns=['N', 'time_s'] gives them")
    if len(columns) != array.shape[1]:
        raise UsageError(f"columns= has {len(columns)} names, and the array {array.shape[1]} columns")
    return {name: array[:, k] for k, name in enumerate(columns)}, None


def _of_records(records: Sequence[Any]) -> dict[str, list[Any]]:
    """Rows as columns: dicts, named tuples, data classes."""
    rows: list[Mapping[str, Any]] = []
    for number, record in enumerate(records):
        if isinstance(record, Mapping):
            rows.append(record)
        elif hasattr(record, "_asdict"):
            rows.append(record._asdict())
        elif dataclasses.is_dataclass(record) and not isinstance(record, type):
            rows.append(dataclasses.asdict(record))
        else:
            raise InputError(
                f"row {number} is a {type(record).__name__}: rows are dicts, named tuples or data classes, and files "
                "are named by texts"
            )
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}
