"""A model as an estimator of scikit-learn, which need not be installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import UsageError
from .fitting import fit
from .model import Model
from .searching import search

__all__ = ["Estimator"]


class Estimator:
    """A formula that is fitted to ``X`` and ``y``: for ``cross_val_score``, ``GridSearchCV`` and pipelines.

    ``formula`` is that of :func:`cll.fit`, or ``None`` for a search. ``variables`` are the names of the columns of
    ``X``, in their order; a DataFrame has names of its own. ``options`` are those of :func:`cll.fit`, or of
    :func:`cll.search`: ``{"weights": "absolute"}``. After ``fit``, ``model_`` is the :class:`cll.Model`.

    >>> import numpy as np
    >>> sizes = np.array([[1000.0], [2000.0], [4000.0], [8000.0]])
    >>> estimator = Estimator("f[0] + f[1]*N", variables=["N"]).fit(sizes, 1e-3 + 1e-6 * sizes[:, 0])
    >>> estimator.predict([[16000.0]]).round(4).tolist()
    [0.017]
    """

    _estimator_type = "regressor"
    _names = ("formula", "variables", "options")

    def __init__(
        self,
        formula: str | None = None,
        *,
        variables: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.formula = formula
        self.variables = variables
        self.options = options

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments."""
        return {name: getattr(self, name) for name in self._names}

    def set_params(self, **given: Any) -> Estimator:
        """Changes arguments."""
        for name, value in given.items():
            if name not in self._names:
                raise UsageError(f"there is no parameter {name}: they are {', '.join(self._names)}")
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any) -> Estimator:
        """Fits the values ``y`` at the rows of ``X``."""
        columns = self._columns(X)
        values = np.asarray(y, dtype=np.float64)
        if values.ndim != 1:
            raise UsageError(f"y has {values.ndim} dimensions: it must have 1")
        name = next(name for name in ("y", *(f"y_{k}" for k in range(len(columns) + 1))) if name not in columns)
        # Without a unit of its own the values are what they are.
        given = {"column": name, "unit": "s", **(self.options or {})}
        if self.formula is None:
            self.model_ = search({**columns, name: values}, **given)
        else:
            self.model_ = fit({**columns, name: values}, self.formula, **given)
        self.n_features_in_ = len(columns)
        return self

    def predict(self, X: Any) -> np.ndarray[Any, Any]:
        """The model at the rows of ``X``."""
        model: Model | None = getattr(self, "model_", None)
        if model is None:
            raise UsageError("the estimator is not fitted: fit(X, y) comes first")
        own = {name for _, fitted in model._fits() for name in [*fitted["variables"], *fitted["recorded"]]}
        columns = {name: values for name, values in self._columns(X).items() if name in own}
        values: np.ndarray[Any, Any] = model.predict(columns)["value"].to_numpy(dtype=np.float64)
        return values

    def score(self, X: Any, y: Any) -> float:
        """R²: 1 for exact predictions, 0 for those of the mean."""
        values = np.asarray(y, dtype=np.float64)
        rest = float(((values - self.predict(X)) ** 2).sum())
        whole = float(((values - values.mean()) ** 2).sum())
        return 1.0 - rest / whole if whole > 0 else float("nan")

    def _columns(self, X: Any) -> dict[str, Any]:
        if hasattr(X, "columns"):
            return {str(name): np.asarray(X[name], dtype=np.float64) for name in X.columns}
        array = np.asarray(X, dtype=np.float64)
        if array.ndim != 2:
            raise UsageError(f"X has {array.ndim} dimensions: it must have rows and columns")
        names = self.variables if self.variables is not None else _variables(self.formula, array.shape[1])
        if len(names) != array.shape[1]:
            raise UsageError(f"X has {array.shape[1]} columns, and there are the variables {', '.join(names)}")
        return {name: array[:, k] for k, name in enumerate(names)}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True),
            regressor_tags=RegressorTags(),
            input_tags=InputTags(),
        )

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self.get_params().items() if value is not None]
        return f"cll.Estimator({', '.join(given)})"


def _variables(formula: str | None, count: int) -> Sequence[str]:
    """Names for columns that have none: x0, x1, … of a search; a formula's variables must be named."""
    if formula is not None:
        raise UsageError("an array has no names of columns: variables=['N', 'P'] gives them")
    return [f"x{k}" for k in range(count)]
