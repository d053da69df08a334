"""Arguments of the package as options of the extension module."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .errors import InputError, UsageError


def path(file: Any) -> str:
    """A file's name."""
    try:
        name = os.fspath(file)
    except TypeError:
        raise InputError(f"a {type(file).__name__} is no file name") from None
    return os.fsdecode(name)


def paths(files: Any) -> list[str]:
    """One file's name or several."""
    if isinstance(files, (str, bytes, os.PathLike)):
        return [path(files)]
    try:
        found = [path(file) for file in files]
    except TypeError:
        raise InputError(
            f"{type(files).__name__}: data are a DataFrame, a Series, an array, records, a dict of columns, "
            "a cll.Trace, or names of files"
        ) from None
    if not found:
        raise UsageError("no file is given")
    return found


def names(given: str | Iterable[str] | None) -> list[str]:
    """A name, several, or none."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def at(given: Any) -> list[str]:
    """Values of variables as the command line has them: texts, or dicts of numbers and lists."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping):
        return [",".join(f"{name}={listed(values)}" for name, values in given.items())]
    return [text for one in given for text in at(one)]


def listed(values: Any) -> str:
    """Numbers with commas."""
    if isinstance(values, str):
        return values
    try:
        return ",".join(number(value) for value in values)
    except TypeError:
        return number(values)


def number(value: Any) -> str:
    """A number, whole ones without a point."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


#: Every option of `fit`, with how its value is written.
KNOWN = {
    "experiments": names,
    "column": None,
    "unit": None,
    "format": None,
    "by": None,
    "columns": None,
    "decimal": None,
    "skip_bad": None,
    "exit_codes": None,
    "mixed": None,
    "weights": None,
    "loss": None,
    "aggregate": None,
    "intervals": None,
    "max_intervals": None,
    "error_threshold": None,
    "breaks": None,
    "axis": None,
    "working_set": names,
    "join": None,
    "non_negative": None,
    "signed": None,
    "hold_out": at,
    "follow": None,
    "outliers": None,
    "confidence": None,
    "time": None,
    "observable": None,
    "share": None,
    "predict": at,
    "terms": None,
}
TABLE = ("column", "unit", "format", "by", "columns", "decimal", "skip_bad", "exit_codes")


def options(given: Mapping[str, Any], **more: Any) -> str:
    """The options as JSON.

    Raises :class:`cll.UsageError` if one is not known; the nearest is suggested.
    """
    made: dict[str, Any] = {key: value for key, value in more.items() if value is not None}
    table: dict[str, Any] = {}
    value: Any
    for name, value in given.items():
        if name not in KNOWN:
            near = get_close_matches(name, KNOWN, 1)
            said = f": did you mean {near[0]}?" if near else f": it must be one of {', '.join(KNOWN)}"
            raise UsageError(f"there is no option {name}{said}")
        if value is None:
            continue
        write = KNOWN[name]
        value = write(value) if write else value
        if name == "breaks" and not isinstance(value, Mapping):
            raise UsageError("breaks are given as a dict: breaks={'N': [1448]}")
        if name == "breaks":
            value = [[name, float(one)] for name, all_ in value.items() for one in _many(all_)]
        if name == "share":
            value = [
                one if isinstance(one, str) else ",".join(one) for one in ([value] if isinstance(value, str) else value)
            ]
        if name == "terms" and not isinstance(value, str):
            value = ",".join(value)
        (table if name in TABLE else made)[name] = value
    if table:
        made["import"] = table
    try:
        return json.dumps(made, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise UsageError(f"an option has a wrong value: {error}") from None


def _many(values: Any) -> Sequence[float]:
    try:
        return list(values)
    except TypeError:
        return [values]
