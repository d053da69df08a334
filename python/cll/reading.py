"""Logs, profiles, campaigns, machines and files of other programs as DataFrames."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _cll
from ._frames import frame, pandas
from ._options import options, path, paths
from .errors import heard

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Machine", "import_", "read_campaign", "read_log", "read_machine", "read_profile"]


def _table(text: str | bytes, units: dict[str, str]) -> pd.DataFrame:
    data = io.BytesIO(text.encode() if isinstance(text, str) else text)
    made: pd.DataFrame = pandas().read_csv(data, keep_default_na=False, na_values={"parent": [""], "within": [""]})
    made.attrs["units"] = {name: unit for name, unit in units.items() if name in made}
    return made


def read_log(files: Any) -> pd.DataFrame:
    """The log of a run of a BSP or MPI program (``cll run --log``): a row for each superstep of each processor.

    Columns as those of ``cll export --supersteps``: ``machine``, ``superstep``, ``processor``, ``processors``,
    ``ending``, ``file``, ``line``, ``start_s``, ``computation_s``, ``communication_s``, ``waiting_s`` (seconds),
    ``requests``, ``bytes_sent``, ``bytes_received``, ``h_bytes`` (bytes), …
    ``df.pivot(index="superstep", columns="processor", values="computation_s")`` is supersteps by processors.
    """
    seconds = ("start_s", "computation_s", "communication_s", "waiting_s")
    units = {**dict.fromkeys(seconds, "s"), **dict.fromkeys(("bytes_sent", "bytes_received", "h_bytes"), "B")}
    return _table(_cll.read_log(paths(files)), units)


def read_profile(files: Any) -> pd.DataFrame:
    """The call path profile of a run, from its log or of the Oxford BSP Toolset: a row for each node and metric.

    Columns: ``node``, ``parent`` (NaN: the root), ``kind``, ``name``, ``file``, ``line``, ``path``, ``supersteps``,
    ``metric``, ``maximum``, ``average``, ``minimum`` over the processors, and ``p0``, ``p1``, … for each of them.
    Times are in seconds, h in the profile's unit. ``attrs["profile"]`` has all that ``cll profile show --json`` says.
    """
    text, whole = _cll.read_profile(paths(files))
    made = _table(text, {})
    made.attrs["profile"] = json.loads(whole)
    return made


def read_campaign(folder: Any) -> pd.DataFrame:
    """The database of a campaign: a row for each run.

    Columns: ``run``, ``campaign``, ``round``, ``processors``, the parameters, ``state``, ``attempts``, ``time_s`` (of
    the whole run), ``started`` (Unix time, seconds), ``exit``, ``signal``, ``load``, ``oversubscribed``, ``host``,
    ``trace`` (its file), ``message``. :func:`cll.fit` of the folder fits the traces or times.
    """
    return frame(_cll.read_campaign(path(folder)))


def import_(
    files: Any,
    *,
    format: str | None = None,
    column: str | None = None,
    unit: str | None = None,
    by: str | None = None,
    columns: Sequence[str] | None = None,
    decimal: str | None = None,
    skip_bad: bool = False,
    exit_codes: Iterable[int] | None = None,
) -> pd.DataFrame:
    """Measurements of other programs: CSV, Extra-P, Google Benchmark, hyperfine, Criterion, Caliper, JUBE, ReFrame.

    Columns of the result: ``experiment``, ``metric``, ``unit``, the parameters, ``value`` (times in seconds).
    ``attrs["notes"]`` says how the files were read.

    Args:
        files: Names of files, or of one.
        format: The format. Default: recognised by the content.
        column: The column with the measured values, or the metric. Default: all metrics.
        unit: The unit of the values. Default: that of the file, else seconds.
        by: The column that names the experiment.
        columns: Names of the columns of a table that has none.
        decimal: The sign before a fraction, ``"."`` or ``","``. Default: found from the numbers.
        skip_bad: Leave out lines that cannot be used; a warning counts them.
        exit_codes: Exit codes besides 0 of runs that count, for what hyperfine has measured.

    """
    given: dict[str, Any] = {"format": format, "column": column, "unit": unit, "by": by, "columns": columns}
    given |= {"decimal": decimal, "skip_bad": skip_bad, "exit_codes": exit_codes}
    written = json.loads(options(given)).get("import", {})
    with heard() as notes:
        made = frame(_cll.read_tables(paths(files), json.dumps(written)))
    made.attrs["notes"] = list(notes)
    return made


class Machine:
    """The costs of a machine. Made by :func:`cll.read_machine`."""

    def __init__(self, found: dict[str, Any], text: str) -> None:
        #: All of it, as ``cll machine show --json`` has it: seconds and bytes.
        self.json = found
        self._text = text

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.json["name"])

    @property
    def classic(self) -> pd.DataFrame:
        """The (s, g, l) of the literature: a row for each number of processors, in seconds."""
        return self._rows("classic")

    @property
    def empty(self) -> pd.DataFrame:
        """What an empty superstep costs, in seconds."""
        return self._rows("empty")

    @property
    def communication(self) -> pd.DataFrame:
        """The cost of supersteps by pattern and size: seconds, bytes."""
        return self._rows("communication")

    def _rows(self, key: str) -> pd.DataFrame:
        made: pd.DataFrame = pandas().json_normalize(self.json.get(key) or [], sep="_")
        return made

    def __repr__(self) -> str:
        return self._text


def read_machine(name: Any) -> Machine:
    """A machine by its file (``cll machine probe`` writes one), or the name of a published machine."""
    found, text = _cll.read_machine(path(name))
    return Machine(json.loads(found)["machine"], text)
