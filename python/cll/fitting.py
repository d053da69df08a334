"""Fits of formulas that are given, and suggestions of better ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._fit_data import Aggregate, Intervals, Loss, Names, Points, Time, Values, Weights, fit_data, options_among
from ._options import names
from .model import Model

__all__ = ["fit", "suggest"]


def fit(
    data: Any,
    formula: str | Sequence[str] | None = None,
    *,
    column: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool = False,
    exit_codes: Iterable[int] | None = None,
    experiments: Names | None = None,
    observable: str | None = None,
    time: Time = "inclusive",
    mixed: bool = False,
    hold_out: Points | None = None,
    weights: Weights = "relative",
    loss: Loss = "squares",
    aggregate: Aggregate = "median",
    intervals: Intervals | None = None,
    max_intervals: int | None = None,
    error_threshold: float | None = None,
    breaks: Mapping[str, Values] | None = None,
    axis: str | None = None,
    join: bool = True,
    non_negative: bool = False,
    signed: bool = False,
    outliers: str = "keep",
    follow: bool = True,
    confidence: float = 0.90,
    working_set: Names | None = None,
    share: str | Sequence[str | Sequence[str]] | None = None,
    predict: Points | None = None,
) -> Model:
    """Fits complexity formulas to data, as ``cll fit`` does.

    Values are in seconds, or in ``unit``. An experiment that cannot be fitted is in ``model.failures``.

    Args:
        data: A table, a :class:`cll.Trace`, or names of files that ``cll fit`` reads: traces, a folder, a
            campaign, CSV, files of other programs. A table is a DataFrame (with the named levels of its index),
            a Series whose index holds the variables, a dict of columns, a table of Arrow or Polars, a
            structured array of NumPy, an array of two dimensions with ``columns``, or a list of records: a
            column for each variable and one with the measured values. Rows with equal variables are
            repetitions.
        formula: For example ``"f[0] + f[1]*N*log(N)"``. Of a trace it replaces the formula of the experiment
            that its constants name; without it the formulas are those in the source.
        column: The column with the measured values. Default: one with a known name (time, time_s, seconds,
            elapsed, …), else the only one that no formula uses.
        unit: The unit of the values: ``"ms"``, ``"us"``, any other. Default: that in the column's name, else
            seconds.
        by: The column that names the experiment.
        format: The format of files. Default: recognised by their content.
        columns: Names of the columns of a file or an array that has none.
        decimal: The sign before a fraction in files, ``"."`` or ``","``. Default: found from the numbers.
        skip_bad: Leave out lines of files that cannot be used; a warning counts them.
        exit_codes: Exit codes besides 0 of runs that count, for what hyperfine has measured.
        experiments: Names of the experiments. Default: all.
        observable: For traces: what is fitted in place of the time, such as ``"page-faults"``.
        time: For traces: the time of a region with the regions inside it, or without (``"exclusive"``).
        mixed: Fit a campaign of different programs all the same; a warning says in what they differ.
        hold_out: Points that are left out of the fit and compared: ``{"N": [4000, 8000]}``, or
            ``"N=4000,8000"``.
        weights: Errors that are minimised: relative or absolute.
        loss: Squares of errors, or Huber's function, by which points far from the model count less.
        aggregate: The value that stands for the repetitions of a point.
        intervals: How constants change: between levels, in intervals by the best division (``"dynamic"``), in
            intervals by the rule of the papers (``"greedy"``), nowhere. Default: ``"levels"``; ``"dynamic"``
            with ``max_intervals`` or ``join=False``.
        max_intervals: The largest number of intervals. Default: 6.
        error_threshold: The error threshold of the papers, for ``"greedy"``. Default: 0.1.
        breaks: Boundaries that are given, ``{"N": [1448]}``; no others are searched.
        axis: The variable or expression along which intervals lie. Default: the best of the formula's.
        join: Join constants of neighbouring intervals that do not differ.
        non_negative: No constant may be negative.
        signed: Constants with levels may be negative, too.
        outliers: ``"keep"``, or leave out ``"spikes"``, ``"points"``, ``"points=4"`` (of so many deviations).
        follow: Predictions between measured values may follow the data where the formula does not fit.
        confidence: The confidence of every interval.
        working_set: Bytes that an experiment touches, such as ``"8*N*N"``: boundaries are compared with the
            caches.
        share: Constants of several experiments that have one value: ``["f[1],g[1]"]``.
        predict: Points at which searched formulas are averaged and experiments are ranked.

    Returns:
        The fitted model.

    Raises:
        FitError: No experiment can be fitted; the text says why.

    """
    return fit_data(data, options_among(locals()), formulas=names(formula))


def suggest(
    data: Any,
    formula: str | Sequence[str] | None = None,
    *,
    column: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    format: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool = False,
    exit_codes: Iterable[int] | None = None,
    experiments: Names | None = None,
    observable: str | None = None,
    time: Time = "inclusive",
    mixed: bool = False,
    hold_out: Points | None = None,
    weights: Weights = "relative",
    loss: Loss = "squares",
    aggregate: Aggregate = "median",
    intervals: Intervals | None = None,
    max_intervals: int | None = None,
    error_threshold: float | None = None,
    breaks: Mapping[str, Values] | None = None,
    axis: str | None = None,
    join: bool = True,
    non_negative: bool = False,
    signed: bool = False,
    outliers: str = "keep",
    follow: bool = True,
    confidence: float = 0.90,
    working_set: Names | None = None,
) -> Model:
    """Fits, and names a term that the formula lacks, that it has in vain, or that should have another shape.

    What is suggested is ``model.suggestions``.

    Args:
        data: A table, a :class:`cll.Trace`, or names of files that ``cll fit`` reads: traces, a folder, a
            campaign, CSV, files of other programs. A table is a DataFrame (with the named levels of its index),
            a Series whose index holds the variables, a dict of columns, a table of Arrow or Polars, a
            structured array of NumPy, an array of two dimensions with ``columns``, or a list of records: a
            column for each variable and one with the measured values. Rows with equal variables are
            repetitions.
        formula: For example ``"f[0] + f[1]*N*log(N)"``. Of a trace it replaces the formula of the experiment
            that its constants name; without it the formulas are those in the source.
        column: The column with the measured values. Default: one with a known name (time, time_s, seconds,
            elapsed, …), else the only one that no formula uses.
        unit: The unit of the values: ``"ms"``, ``"us"``, any other. Default: that in the column's name, else
            seconds.
        by: The column that names the experiment.
        format: The format of files. Default: recognised by their content.
        columns: Names of the columns of a file or an array that has none.
        decimal: The sign before a fraction in files, ``"."`` or ``","``. Default: found from the numbers.
        skip_bad: Leave out lines of files that cannot be used; a warning counts them.
        exit_codes: Exit codes besides 0 of runs that count, for what hyperfine has measured.
        experiments: Names of the experiments. Default: all.
        observable: For traces: what is fitted in place of the time, such as ``"page-faults"``.
        time: For traces: the time of a region with the regions inside it, or without (``"exclusive"``).
        mixed: Fit a campaign of different programs all the same; a warning says in what they differ.
        hold_out: Points that are left out of the fit and compared: ``{"N": [4000, 8000]}``, or
            ``"N=4000,8000"``.
        weights: Errors that are minimised: relative or absolute.
        loss: Squares of errors, or Huber's function, by which points far from the model count less.
        aggregate: The value that stands for the repetitions of a point.
        intervals: How constants change: between levels, in intervals by the best division (``"dynamic"``), in
            intervals by the rule of the papers (``"greedy"``), nowhere. Default: ``"levels"``; ``"dynamic"``
            with ``max_intervals`` or ``join=False``.
        max_intervals: The largest number of intervals. Default: 6.
        error_threshold: The error threshold of the papers, for ``"greedy"``. Default: 0.1.
        breaks: Boundaries that are given, ``{"N": [1448]}``; no others are searched.
        axis: The variable or expression along which intervals lie. Default: the best of the formula's.
        join: Join constants of neighbouring intervals that do not differ.
        non_negative: No constant may be negative.
        signed: Constants with levels may be negative, too.
        outliers: ``"keep"``, or leave out ``"spikes"``, ``"points"``, ``"points=4"`` (of so many deviations).
        follow: Predictions between measured values may follow the data where the formula does not fit.
        confidence: The confidence of every interval.
        working_set: Bytes that an experiment touches, such as ``"8*N*N"``: boundaries are compared with the
            caches.

    Returns:
        The fitted model with suggestions.

    Raises:
        FitError: No experiment can be fitted; the text says why.

    """
    return fit_data(data, options_among(locals()), formulas=names(formula), suggest=True)
