"""Comparisons of two models of one program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _cll
from ._frames import rows as dataframe
from .model import Model

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "compare"]


class Comparison:
    """Which constants have moved from an old model to a new one."""

    def __init__(self, found: Mapping[str, Any], text: str) -> None:
        #: The answer of ``cll fit --compare --json``.
        self.json = found
        self._text = text

    @property
    def slower(self) -> bool:
        """Whether some value of an experiment has grown for certain."""
        return bool(self.json["slower"])

    @property
    def constants(self) -> pd.DataFrame:
        """A row for each constant that both models have: ``old``, ``new``, their ratio, the verdict."""
        rows = []
        for one in self.json["experiments"]:
            for constant in (one["comparison"] or {}).get("constants", []):
                flat = {"experiment": one["experiment"]}
                for key, value in constant.items():
                    if isinstance(value, dict):
                        flat.update({f"{key}_{inner}": part for inner, part in value.items()})
                    else:
                        flat[key] = value
                rows.append(flat)
        return dataframe(rows)

    def __repr__(self) -> str:
        return self._text


def compare(old: Model, new: Model, *, threshold: float = 0.05, confidence: float = 0.90) -> Comparison:
    """Compares a new model with an older one of the same program.

    Args:
        old: The older model.
        new: The newer model.
        threshold: A smaller relative change is of no importance.
        confidence: The confidence of all intervals of an experiment together.

    """
    found, text = _cll.compare(old._model, new._model, threshold, confidence)
    return Comparison(json.loads(found), text)
