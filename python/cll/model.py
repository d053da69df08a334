"""Models: constants, predictions, plots, reports."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _cll
from ._frames import frame, points
from ._frames import rows as dataframe
from ._options import names, path
from .errors import FitError, UnknownExperiment, UsageError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Model", "load_model"]

_ids = count()


class Model:
    """Fitted experiments, as ``model.json`` holds them.

    Made by :func:`cll.fit`, :func:`cll.search`, :func:`cll.suggest` or :func:`cll.load_model`. Times are in seconds,
    other observables in the unit that :attr:`units` names. A notebook shows a model as the report of ``cll fit``.
    """

    def __init__(self, model: _cll.Model) -> None:
        self._model = model

    @cached_property
    def _file(self) -> dict[str, Any]:
        file: dict[str, Any] = json.loads(self._model.to_json())
        return file

    @property
    def experiments(self) -> list[str]:
        """Names of the experiments."""
        return [name for name, _ in self._model.failures()]

    @property
    def formulas(self) -> dict[str, str]:
        """The formula of each experiment."""
        return {one["name"]: one["formula"] for one in self._file["experiments"]}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each experiment's values."""
        return {one["name"]: one["unit"] for one in self._file["experiments"]}

    @property
    def failures(self) -> dict[str, str]:
        """Why experiments have no fit."""
        return {name: why for name, why in self._model.failures() if why is not None}

    @property
    def measurable(self) -> bool:
        """Whether the machine was quiet enough: without that no number of the model is reliable."""
        return self._model.doubts()[1]

    @property
    def doubts(self) -> dict[str, str]:
        """Why the numbers are not to be believed as they stand: ``not-measurable``, ``disturbed``, ``predicted`` with a
        sentence for each; empty for a model of a quiet machine.
        """
        doubts: dict[str, str] = {}
        for code, text in self._model.doubts()[0]:
            doubts[code] = f"{doubts[code]}; {text}" if code in doubts else text
        return doubts

    @property
    def warnings(self) -> pd.DataFrame:
        """Notices on the model and its fits: ``experiment`` (empty: all), ``code``, ``text``."""
        rows = [("", one) for one in self._file["warnings"]]
        for experiment in self._file["experiments"]:
            rows += [(experiment["name"], one) for one in experiment["warnings"]]
        table = [(name, one["code"], one["text"]) for name, one in rows]
        return dataframe(table, columns=["experiment", "code", "text"])

    @property
    def constants(self) -> pd.DataFrame:
        """The constants with their intervals.

        The index has their names: ``model.constants.loc["f[1]", "value"]``; a constant with several values has a row
        for each of them. Columns: ``experiment``, ``constant``, ``term`` (what it is multiplied with), ``axis`` and
        ``first``, ``last``
        (the interval of validity: first and last measured value along the axis), ``value``, ``low``, ``high`` (the
        confidence interval), ``standard_error``, ``unit`` of the experiment.
        """
        rows = []
        for one, fit in self._fits():
            for constant in fit["constants"]:
                for piece in constant["segments"]:
                    first, last = (fit["intervals"][piece[k]] for k in ("first_interval", "last_interval"))
                    estimate = piece["estimate"]
                    rows.append(
                        (
                            one["name"],
                            constant["constant"],
                            constant["term"],
                            fit["axis"],
                            first["first"],
                            last["last"],
                            estimate["value"],
                            estimate["low"],
                            estimate["high"],
                            estimate["standard_error"],
                            one["unit"],
                        )
                    )
        columns = ["experiment", "constant", "term", "axis", "first", "last", "value", "low", "high"]
        made = dataframe(rows, columns=[*columns, "standard_error", "unit"])
        made.index = made["constant"].rename(None)
        return made

    def covariance(self, experiment: str | None = None, *, interval: int = 0) -> pd.DataFrame:
        """The covariance of the constants of an interval of validity, in the squared unit of the experiment.

        Rows and columns are named by the constants. ``interval`` counts from 0; ``experiment`` may be left out if
        there is one.
        """
        _, fit = self._fit_of(experiment)
        intervals = fit["intervals"]
        if not 0 <= interval < len(intervals):
            raise UsageError(f"interval={interval}: there are {len(intervals)}, counted from 0")
        made = dataframe(intervals[interval]["covariance"])
        made.index = made.columns = [constant["constant"] for constant in fit["constants"]]
        return made

    def _fit_of(self, experiment: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
        fits = self._fits()
        if experiment is not None:
            fits = self[experiment]._fits()
        if len(fits) != 1:
            raise UsageError(f"which experiment? {', '.join(one['name'] for one, _ in fits)}")
        return fits[0]

    def __getitem__(self, experiment: str) -> Model:
        """The model of one experiment: ``model["f"]``."""
        if experiment not in self.experiments:
            near = get_close_matches(str(experiment), self.experiments, 1)
            said = f"did you mean {near[0]}?" if near else f"it has {', '.join(self.experiments)}"
            raise UnknownExperiment(f"the model has no experiment {experiment}: {said}")
        return Model(self._model.chosen([experiment]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.experiments)

    def __len__(self) -> int:
        return len(self.experiments)

    def __contains__(self, experiment: object) -> bool:
        return experiment in self.experiments

    @property
    def quality(self) -> pd.DataFrame:
        """How well each experiment is fitted: points, observations, relative errors, BIC, test of lack of fit."""
        rows = []
        for one, fit in self._fits():
            quality = dict(fit["quality"])
            lack = quality.pop("lack_of_fit", None) or {}
            quality.pop("repetitions", None)
            intervals = len(fit["intervals"])
            rows.append(
                {"experiment": one["name"], "intervals": intervals, **quality, "lack_of_fit_p": lack.get("p_value")}
            )
        return dataframe(rows)

    @property
    def residuals(self) -> pd.DataFrame:
        """Every measured point: its values, ``measured``, ``fitted`` (in the unit of the experiment), ``error``
        ((measured - fitted)/measured), ``interval``, ``repetitions``, ``excluded`` (why it was left out).
        """
        rows = []
        for one, fit in self._fits():
            for point in fit["residuals"]:
                row = {"experiment": one["name"], **dict(zip(fit["recorded"], point["values"]))}
                row.update({key: point[key] for key in ("measured", "fitted", "error", "interval", "excluded")})
                row["repetitions"] = point["spread"]["count"]
                rows.append(row)
        return dataframe(rows)

    @property
    def suggestions(self) -> dict[str, dict[str, Any]]:
        """What :func:`cll.suggest` has found for each experiment: ``formula``, ``changes``, errors before and after."""
        all_ = self._file["experiments"]
        return {one["name"]: one["suggestion"] for one in all_ if one.get("suggestion")}

    @property
    def searches(self) -> dict[str, dict[str, Any]]:
        """What :func:`cll.search` has found for each experiment: candidates with their probabilities."""
        return {one["name"]: one["search"] for one in self._file["experiments"] if one.get("search")}

    def _fits(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        return [(one, one["fit"]) for one in self._file["experiments"] if one["fit"]]

    def predict(
        self,
        at: Any = None,
        *,
        experiments: str | Sequence[str] | None = None,
        confidence: float | None = None,
        **values: Any,
    ) -> pd.DataFrame:
        """Predicts at these values.

        ``model.predict(N=1e6, P=8)``, ``model.predict(N=[1e5, 1e6], P=8)`` (broadcast as NumPy does),
        ``model.predict(df)`` (a column for each variable; its index is kept), ``model.predict("N=1000:8000:*2,P=4,8")``
        (all combinations). A variable that had one value in all data may be left out.

        Columns: ``experiment``, the variables, ``value``, ``low`` and ``high`` (where a new measurement is expected,
        the median of as many runs as the fit's points have), ``run_low`` and ``run_high`` (where one run is expected),
        ``inside`` (whether it is within the measured values), ``domain`` (``inside``, ``between`` two intervals of
        validity, ``beyond`` the measured values, ``apart``: not measured together), ``unit``; ``error`` if some cannot
        be predicted. ``averaged`` and its interval are of a search. ``attrs["measurable"]`` of the table is
        :attr:`measurable`; if it is false, a warning says why.

        Args:
            at: Values without names: a DataFrame, a dict, a text. A model of one variable takes its values alone:
                ``model.predict(1e6)``, ``model.predict(series)``; of several an array with a column for each, in the
                order of the formula.
            experiments: Names of experiments, or of one. Default: all.
            confidence: The confidence of the intervals. Default: that of the fit.
            values: Values of the variables by their names.

        Raises:
            UsageError: A name is no variable, or nothing can be predicted.

        """
        if isinstance(at, str):
            rows: list[list[tuple[str, float]]] = self._model.values(at)
            index = None
        else:
            at = self._named(at)
            if hasattr(at, "columns"):
                own = {name for one, fit in self._fits() for name in [*fit["variables"], *fit["recorded"]]}
                at = at[[name for name in at.columns if name in own]]
            rows, index = points(at, values)
        made = frame(self._model.predict(rows, names(experiments), confidence))
        row = made.pop("row")
        if index is not None:
            made.index = index.take(row.to_numpy())
        made.attrs["measurable"] = self.measurable
        units = made["unit"].unique()
        if len(units) == 1:
            made.attrs["units"] = dict.fromkeys(["value", "low", "high", "run_low", "run_high"], str(units[0]))
        return made

    def _named(self, at: Any) -> Any:
        """Values without a name: those of the only variable, or an array with a column for each variable."""
        if at is None or hasattr(at, "columns") or isinstance(at, Mapping):
            return at
        every = [fit["variables"] for _, fit in self._fits()]
        variables = every[0] if every and all(own == every[0] for own in every) else []
        if hasattr(at, "to_frame") and hasattr(at, "index"):
            name = at.name if at.name in variables else variables[0] if len(variables) == 1 else None
            if name is None:
                raise UsageError(f"of which variable are these values? {', '.join(variables)}")
            return at.to_frame(name)
        array = np.asarray(at)
        if array.ndim == 2 and array.shape[1] == len(variables):
            return {name: array[:, k] for k, name in enumerate(variables)}
        if len(variables) == 1 and array.ndim < 2:
            return {variables[0]: array}
        raise UsageError(f"values are given by names, or as an array with a column for each of {', '.join(variables)}")

    def __call__(self, at: Any = None, *others: Any, **values: Any) -> Any:
        """The predicted values alone, as an array: the model as a function. For models of one experiment.

        ``model(1000)``, ``model(1000, 8)`` in the order of the formula's variables, ``model(N=sizes, P=8)``.
        """
        if others:
            _, fit = self._fit_of(None)
            given = (at, *others)
            if len(given) != len(fit["variables"]):
                raise UsageError(f"the model has the variables {', '.join(fit['variables'])}, not {len(given)}")
            at = dict(zip(fit["variables"], given))
        if len(self._fits()) != 1:
            raise FitError(f"the model has the fits {', '.join(one['name'] for one, _ in self._fits())}: predict one")
        return self.predict(at, **values)["value"].to_numpy()

    def plot(
        self,
        experiment: str | None = None,
        *,
        x: str | None = None,
        log: bool | None = None,
        at: Any = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draws measured points, the fitted curve with its band, boundaries, and predictions at ``at``.

        A model of several experiments is drawn in one figure, an axes below the other.

        Args:
            experiment: The experiment that is drawn. Default: all.
            x: The variable of the horizontal axis. Default: that of the intervals.
            log: Logarithmic axes (True) or linear ones (False). Default: what shows the points best.
            at: Values at which predictions are drawn, as for :meth:`predict`.
            ax: The axes of matplotlib to draw in, for one experiment. Default: new ones.

        Returns:
            The axes of matplotlib, of several the first.

        """
        from ._plot import draw

        rows = [] if at is None else (self._model.values(at) if isinstance(at, str) else points(at, {})[0])
        specs = json.loads(self._model.plots(names(experiment), x, log, rows))
        return draw(specs, ax)

    def report(self, *, width: int = 100, points: bool = False) -> str:
        """The report of ``cll fit`` as text; with ``points`` every point."""
        return self._model.text(width, points)

    def summary(self, *, points: bool = False) -> Summary:
        """The report of ``cll fit``, which is shown without quotes: constants, quality, warnings."""
        return Summary(self.report(points=points))

    def to_json(self) -> str:
        """The model as ``model.json``, which ``cll predict`` and ``cll plot`` read."""
        return self._model.to_json()

    def save(self, file: Any) -> None:
        """Writes ``model.json``."""
        self._model.save(path(file))

    def _repr_html_(self) -> str:
        return self._model.html(f"cll-{next(_ids)}")

    def __repr__(self) -> str:
        fitted = len(self._fits())
        shown = ", ".join(f"{name}: {formula}" for name, formula in list(self.formulas.items())[:3])
        more = len(self.formulas) - 3
        doubt = "" if self.measurable else ", not measurable"
        return f"<cll.Model {shown}{f' and {more} more' if more > 0 else ''} ({fitted} fitted{doubt})>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _from_json, (self.to_json(),)


def _from_json(text: str) -> Model:
    return Model(_cll.Model.from_json(text))


def load_model(file: Any) -> Model:
    """Reads ``model.json``, or the folder that ``cll model`` has written."""
    return Model(_cll.load_model(path(file)))


class Summary(str):
    """A text that is shown as it is."""

    def __repr__(self) -> str:
        return str(self)
