"""Traces: the samples that programs have recorded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from . import _cll
from ._frames import arrow_table, frame
from ._options import names, paths

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Trace", "read"]


class Trace:
    """The samples of one or several runs of a program (``PROGRAM.cll.RUN.dat``). Made by :func:`cll.read`."""

    def __init__(self, trace: _cll.Trace, files: list[str]) -> None:
        self._trace = trace
        #: The files.
        self.files = files

    @property
    def experiments(self) -> pd.DataFrame:
        """A row for each experiment: ``experiment``, ``formula``, ``variables``, ``observables``, ``places`` in the
        source, number of ``samples`` and of ``points`` (distinct values of the variables).
        """
        return frame(self._trace.experiments())

    def samples(self, experiment: str | Iterable[str] | None = None) -> pd.DataFrame:
        """Every sample as it was recorded, in the order of the points.

        Columns: ``experiment``, ``place``, ``run`` (from 0), ``process`` (its number in the system), ``processor`` (of
        a parallel program, else -1), ``thread``, ``switched`` (the thread was switched out during it), ``left`` (the
        region was left early), ``late`` (began later than ``sync`` had agreed), the variables (NaN where the
        experiment has none of that name), ``inclusive_s`` and ``exclusive_s`` (seconds with and without the regions
        inside), and two columns for each observable: ``NAME``, ``NAME.exclusive``.
        ``attrs["units"]`` has the units.
        """
        return frame(self._trace.samples(names(experiment)))

    def to_pandas(self, experiment: str | Iterable[str] | None = None) -> pd.DataFrame:
        """The same as :meth:`samples`."""
        return self.samples(experiment)

    def to_arrow(self, experiment: str | Iterable[str] | None = None) -> pa.Table:
        """The samples as a table of Arrow, with the columns of :meth:`samples`; needs pyarrow, not pandas.

        Texts are dictionaries, a missing number is null, and the metadata of a field has its ``unit``.
        """
        return arrow_table(self._trace.samples(names(experiment)))

    def data(
        self,
        experiment: str | Iterable[str] | None = None,
        *,
        observable: str | None = None,
        time: Literal["inclusive", "exclusive"] = "inclusive",
        without_switched: bool = False,
    ) -> pd.DataFrame:
        """The observations that :func:`cll.fit` uses: of a passage of several processors the slowest sample.

        Columns: ``experiment``, the variables, ``time_s`` (seconds; or the name of ``observable``).

        Args:
            experiment: Names of experiments, or of one. Default: all.
            observable: The observable in place of the time.
            time: The time of a region with the regions inside it, or without (``"exclusive"``).
            without_switched: Leave out samples during which the program was switched out, where there are enough
                others.

        """
        from .errors import UsageError

        if time not in ("inclusive", "exclusive"):
            raise UsageError(f"time={time}: it must be inclusive or exclusive")
        columns = self._trace.data(names(experiment), observable, time == "exclusive", without_switched)
        return frame(columns)

    def __repr__(self) -> str:
        all_ = self._trace.experiments()
        found = ", ".join(all_["experiment"][2])
        return f"<cll.Trace {found} from {len(self.files)} file{'s' if len(self.files) != 1 else ''}>"

    def _repr_html_(self) -> str:
        html: str = self.experiments.to_html(index=False)
        return html


def read(files: Any) -> Trace:
    """Reads traces together, as one; a folder stands for the traces in it.

    Damage and other notices are warnings (:class:`cll.CllWarning`).
    """
    found = paths(files)
    return Trace(_cll.read_trace(found), found)
