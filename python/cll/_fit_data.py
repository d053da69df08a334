"""Calls of the extension module for fits, searches and suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from . import _cll
from ._data import columns_of
from ._frames import table
from ._options import options, paths
from .errors import FitError
from .model import Model
from .trace import Trace

Names = str | Iterable[str]
Values = float | Iterable[float]
Points = str | Mapping[str, Values] | Sequence[str | Mapping[str, Values]]
Weights = Literal["relative", "absolute"]
Loss = Literal["squares", "huber"]
Aggregate = Literal["median", "minimum", "mean", "all"]
Intervals = Literal["levels", "dynamic", "greedy", "none"]
Time = Literal["inclusive", "exclusive"]


def options_among(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options among a function's arguments; those without a value are left out."""
    others = ("data", "formula", "variables")
    return {name: value for name, value in given.items() if name not in others and value is not None}


def fit_data(data: Any, given: Mapping[str, Any], keep: Sequence[str] | None = None, **more: Any) -> Model:
    """Fits data with these options; ``keep`` names the columns of a table that are used.

    Raises :class:`cll.FitError` if no experiment can be fitted.
    """
    if isinstance(data, Trace):
        model = Model(_cll.fit_files(data.files, options(given, **more)))
    else:
        found = columns_of(data, given.get("columns"))
        if found is None:
            model = Model(_cll.fit_files(paths(data), options(given, **more)))
        else:
            columns, values = found
            given = {name: value for name, value in given.items() if name != "columns"}
            if values is not None:
                given.setdefault("column", values)
            model = Model(_cll.fit_table(table(columns, keep), options(given, **more)))
    failures = model.failures
    if failures and len(failures) == len(model.experiments):
        raise FitError("\n".join(f"{name}: {why}" for name, why in failures.items()))
    return model
