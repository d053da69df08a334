"""Fits, searches and suggestions."""

from __future__ import annotations

from typing import Any, Iterable, Sequence, Union

from . import _cll
from ._frames import is_frame, table
from ._options import names, options, paths
from .errors import FitError, UsageError
from .model import Model
from .trace import Trace

__all__ = ["fit", "search", "suggest"]


def fit(data: Any, formula: Union[str, Sequence[str], None] = None, **settings: Any) -> Model:
    """Fits complexity formulas to data, as ``cll fit`` does.

    ``data`` is a table (a DataFrame, a dict of columns, a table of Arrow or Polars: a column for each variable and one
    with the measured values; rows with equal variables are repetitions), a :class:`cll.Trace`, or file names of all
    kinds that ``cll fit`` reads: traces, a folder, a campaign, CSV, files of other programs.

    ``formula`` is for example ``"f[0] + f[1]*N*log(N)"``. Of a trace it replaces the formula of the experiment that
    its constants name; without it the formulas are those in the source.

    Which values are fitted:

    - ``column``: the column with the measured values. Default: one with a known name (time, time_s, seconds,
      elapsed, …), else the only one that no formula uses. ``unit``: its unit (``"ms"``, ``"us"``, any other);
      default: that in its name, else seconds. ``by``: the column that names the experiment.
      ``format``, ``columns``, ``decimal`` (``","``), ``skip_bad=True``,
      ``exit_codes=[1]`` (of runs that count): for files.
    - ``experiments``: only these. ``observable``: for traces, such as ``"page-faults"``. ``time``: ``"inclusive"`` or
      ``"exclusive"`` of the regions inside. ``mixed``: fit a campaign of different programs.
    - ``hold_out``: points that are left out and compared: ``{"N": [4000, 8000]}``, or a text ``"N=4000,8000"``.

    How they are fitted:

    - ``weights``: ``"relative"`` (default) or ``"absolute"`` errors. ``loss``: ``"squares"`` or ``"huber"``.
      ``aggregate``: ``"median"``, ``"minimum"``, ``"mean"``, ``"all"`` of the repetitions.
    - ``intervals``: ``"dynamic"`` (default), ``"greedy"`` (with ``error_threshold``) or ``"none"``;
      ``max_intervals``; ``breaks={"N": [1448]}``; ``axis="N"``; ``join``: join constants that do not differ.
    - ``non_negative``, ``outliers`` (``"keep"``, ``"spikes"``, ``"points"``, ``"points=4"``), ``follow``,
      ``confidence`` (0.90), ``working_set="8*N*N"``, ``share=["f[1],g[1]"]``.

    Values are in seconds, or in ``unit``. An experiment that cannot be fitted is in ``model.failures``; if none can,
    :class:`cll.FitError` says why.
    """
    return _fit(data, options(settings, formulas=names(formula)))


def search(
    data: Any,
    *,
    time: str | None = None,
    variables: Iterable[str] | None = None,
    terms: str | Sequence[str] | None = None,
    **settings: Any,
) -> Model:
    """Searches the formula: sums and products of powers and logarithms of the variables, by their probability.

    ``time`` is the column with the measured values, ``variables`` are the columns that it may depend on (default: all
    others with numbers). ``terms`` replaces the powers and logarithms: ``["N^2", "N*log2(N)", "N/P"]``. Other options
    are those of :func:`fit`. The formula is ``model.formulas``, its rivals are in ``model.searches``; predictions have
    the columns ``averaged``, … over all formulas that are possible.
    """
    keep = None
    if variables is not None or time is not None:
        if not is_frame(data):
            raise UsageError("time= and variables= choose columns of a DataFrame")
        settings["column"] = time if time is not None else settings.get("column")
    if variables is not None:
        keep = [*names(variables), *[settings[k] for k in ("column", "by") if settings.get(k)]]
        if time is None:
            raise UsageError("variables= needs time=: the column with the measured values")
    elif time is not None:
        from ._frames import table as check

        check(data, [time])
    return _fit(data, options({**settings, "terms": terms}, search=True), keep)


def suggest(data: Any, formula: str | Sequence[str] | None = None, **settings: Any) -> Model:
    """Fits, and names a term that the formula lacks, that it has in vain, or that should have another shape.

    Arguments are those of :func:`fit`; what is suggested is ``model.suggestions``.
    """
    return _fit(data, options(settings, formulas=names(formula), suggest=True))


def _fit(data: Any, written: str, keep: Sequence[str] | None = None) -> Model:
    if isinstance(data, Trace):
        model = Model(_cll.fit_files(data.files, written))
    elif is_frame(data):
        model = Model(_cll.fit_table(table(data, keep), written))
    else:
        model = Model(_cll.fit_files(paths(data), written))
    failures = model.failures
    if failures and len(failures) == len(model.experiments):
        raise FitError("\n".join(f"{name}: {why}" for name, why in failures.items()))
    return model
