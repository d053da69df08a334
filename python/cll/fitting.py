"""Fits, searches and suggestions."""

from __future__ import annotations

from typing import Any, Iterable, Literal, Mapping, Sequence, Union

from . import _cll
from ._data import columns_of
from ._frames import table
from ._options import names, options, paths
from .errors import FitError, UsageError
from .model import Model
from .trace import Trace

__all__ = ["fit", "search", "suggest"]

Names = Union[str, Iterable[str]]
Values = Union[float, Iterable[float]]
Points = Union[str, Mapping[str, Values], Sequence[Union[str, Mapping[str, Values]]]]
Weights = Literal["relative", "absolute"]
Loss = Literal["squares", "huber"]
Aggregate = Literal["median", "minimum", "mean", "all"]
Intervals = Literal["levels", "dynamic", "greedy", "none"]
Time = Literal["inclusive", "exclusive"]


def fit(
    data: Any,
    formula: Union[str, Sequence[str], None] = None,
    *,
    column: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool | None = None,
    exit_codes: Iterable[int] | None = None,
    experiments: Names | None = None,
    observable: str | None = None,
    time: Time | None = None,
    mixed: bool | None = None,
    hold_out: Points | None = None,
    weights: Weights | None = None,
    loss: Loss | None = None,
    aggregate: Aggregate | None = None,
    intervals: Intervals | None = None,
    max_intervals: int | None = None,
    error_threshold: float | None = None,
    breaks: Mapping[str, Values] | None = None,
    axis: str | None = None,
    join: bool | None = None,
    non_negative: bool | None = None,
    signed: bool | None = None,
    outliers: str | None = None,
    follow: bool | None = None,
    confidence: float | None = None,
    working_set: Names | None = None,
    share: Union[str, Sequence[Union[str, Sequence[str]]], None] = None,
    predict: Points | None = None,
) -> Model:
    """Fits complexity formulas to data, as ``cll fit`` does.

    ``data`` is a table, a :class:`cll.Trace`, or file names of all kinds that ``cll fit`` reads: traces, a folder, a
    campaign, CSV, files of other programs. A table is a DataFrame (with the named levels of its index), a Series whose
    index holds the variables, a dict of columns, a table of Arrow or Polars, a structured array of NumPy, an array of
    two dimensions with ``columns=``, or a list of records: a column for each variable and one with the measured
    values. Rows with equal variables are repetitions.

    ``formula`` is for example ``"f[0] + f[1]*N*log(N)"``. Of a trace it replaces the formula of the experiment that
    its constants name; without it the formulas are those in the source.

    Which values are fitted:

    - ``column``: the column with the measured values. Default: one with a known name (time, time_s, seconds,
      elapsed, …), else the only one that no formula uses. ``unit``: its unit (``"ms"``, ``"us"``, any other);
      default: that in its name, else seconds. ``by``: the column that names the experiment.
      ``format``, ``decimal`` (``","``), ``skip_bad=True``, ``exit_codes=[1]`` (of runs that count): for files;
      ``columns``: names of the columns of a file or an array without them.
    - ``experiments``: only these. ``observable``: for traces, such as ``"page-faults"``. ``time``: ``"inclusive"`` or
      ``"exclusive"`` of the regions inside. ``mixed``: fit a campaign of different programs.
    - ``hold_out``: points that are left out and compared: ``{"N": [4000, 8000]}``, or a text ``"N=4000,8000"``.

    How they are fitted:

    - ``weights``: ``"relative"`` (default) or ``"absolute"`` errors. ``loss``: ``"squares"`` or ``"huber"``.
      ``aggregate``: ``"median"``, ``"minimum"``, ``"mean"``, ``"all"`` of the repetitions.
    - ``intervals``: ``"levels"`` (default), ``"dynamic"`` (default with ``max_intervals`` or ``join=False``),
      ``"greedy"`` (with ``error_threshold``) or ``"none"``; ``max_intervals``; ``breaks={"N": [1448]}``; ``axis="N"``; ``join``: join constants that do not differ.
    - ``non_negative``, ``signed`` (for levels), ``outliers`` (``"keep"``, ``"spikes"``, ``"points"``, ``"points=4"``), ``follow``,
      ``confidence`` (0.90), ``working_set="8*N*N"``, ``share=["f[1],g[1]"]``.

    Values are in seconds, or in ``unit``. An experiment that cannot be fitted is in ``model.failures``; if none can,
    :class:`cll.FitError` says why.
    """
    settings = _settings(locals())
    return _fit(data, settings, formulas=names(formula))


def search(
    data: Any,
    *,
    column: str | None = None,
    variables: Iterable[str] | None = None,
    terms: Union[str, Sequence[str], None] = None,
    unit: str | None = None,
    by: str | None = None,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool | None = None,
    exit_codes: Iterable[int] | None = None,
    experiments: Names | None = None,
    observable: str | None = None,
    time: Time | None = None,
    mixed: bool | None = None,
    hold_out: Points | None = None,
    weights: Weights | None = None,
    loss: Loss | None = None,
    aggregate: Aggregate | None = None,
    intervals: Intervals | None = None,
    max_intervals: int | None = None,
    error_threshold: float | None = None,
    breaks: Mapping[str, Values] | None = None,
    axis: str | None = None,
    join: bool | None = None,
    non_negative: bool | None = None,
    signed: bool | None = None,
    outliers: str | None = None,
    follow: bool | None = None,
    confidence: float | None = None,
    working_set: Names | None = None,
    predict: Points | None = None,
) -> Model:
    """Searches the formula: sums and products of powers and logarithms of the variables, by their probability.

    ``column`` is the column with the measured values, ``variables`` are the columns that it may depend on (default:
    all others with numbers). ``terms`` replaces the powers and logarithms: ``["N^2", "N*log2(N)", "N/P"]``. Other
    options are those of :func:`fit`. The formula is ``model.formulas``, its rivals are in ``model.searches``;
    predictions have the columns ``averaged``, … over all formulas that are possible.
    """
    settings = _settings(locals())
    keep = None
    if variables is not None:
        if columns_of(data, columns) is None:
            raise UsageError("variables= chooses columns of a table")
        if column is None:
            raise UsageError("variables= needs column=: the column with the measured values")
        keep = [*names(variables), *[name for name in (column, by) if name is not None]]
    return _fit(data, settings, keep, search=True)


def suggest(
    data: Any,
    formula: Union[str, Sequence[str], None] = None,
    *,
    column: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool | None = None,
    exit_codes: Iterable[int] | None = None,
    experiments: Names | None = None,
    observable: str | None = None,
    time: Time | None = None,
    mixed: bool | None = None,
    hold_out: Points | None = None,
    weights: Weights | None = None,
    loss: Loss | None = None,
    aggregate: Aggregate | None = None,
    intervals: Intervals | None = None,
    max_intervals: int | None = None,
    error_threshold: float | None = None,
    breaks: Mapping[str, Values] | None = None,
    axis: str | None = None,
    join: bool | None = None,
    non_negative: bool | None = None,
    signed: bool | None = None,
    outliers: str | None = None,
    follow: bool | None = None,
    confidence: float | None = None,
    working_set: Names | None = None,
) -> Model:
    """Fits, and names a term that the formula lacks, that it has in vain, or that should have another shape.

    Arguments are those of :func:`fit`; what is suggested is ``model.suggestions``.
    """
    settings = _settings(locals())
    return _fit(data, settings, formulas=names(formula), suggest=True)


def _settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options among a function's arguments."""
    others = ("data", "formula", "variables")
    return {name: value for name, value in given.items() if name not in others and value is not None}


def _fit(data: Any, settings: dict[str, Any], keep: Sequence[str] | None = None, **more: Any) -> Model:
    if isinstance(data, Trace):
        model = Model(_cll.fit_files(data.files, options(settings, **more)))
    else:
        found = columns_of(data, settings.get("columns"))
        if found is None:
            model = Model(_cll.fit_files(paths(data), options(settings, **more)))
        else:
            columns, values = found
            settings = {name: value for name, value in settings.items() if name != "columns"}
            if values is not None:
                settings.setdefault("column", values)
            model = Model(_cll.fit_table(table(columns, keep), options(settings, **more)))
    failures = model.failures
    if failures and len(failures) == len(model.experiments):
        raise FitError("\n".join(f"{name}: {why}" for name, why in failures.items()))
    return model
