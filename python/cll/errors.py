"""Exceptions and warnings of the package.

Every exception is an :class:`Error`. What users expect of Python holds too: wrong values are also ``ValueError``,
a file that is not there is also ``FileNotFoundError``.
"""

from __future__ import annotations

import logging
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "Error",
    "UsageError",
    "UnknownExperiment",
    "InputError",
    "NotFoundError",
    "FitError",
    "SystemFailure",
    "InternalError",
    "MissingPackageError",
    "CllWarning",
]


class Error(Exception):
    """Anything that cll cannot do."""


class UsageError(Error, ValueError):
    """An argument is wrong: an unknown option, experiment or variable."""


class UnknownExperiment(UsageError, KeyError):
    """A model has no experiment of this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class InputError(Error, ValueError):
    """A text or a file is wrong: a formula, a table, a trace, a model."""


class NotFoundError(InputError, FileNotFoundError):
    """A file does not exist."""


class FitError(Error, ValueError):
    """There are not enough data, or they cannot be used."""


class SystemFailure(Error, OSError):
    """The system refuses: permission, disk."""


class InternalError(Error, RuntimeError):
    """A mistake of cll."""


class MissingPackageError(Error, ImportError):
    """An optional package is not installed."""


class CllWarning(UserWarning):
    """What should be known of data that were read."""


def warn(text: str) -> None:
    """Warns of the user's line that called the package. The extension module calls this."""
    level = 1
    frame = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cll":
        level += 1
        frame = frame.f_back  # type: ignore[assignment]
    warnings.warn(text, CllWarning, stacklevel=level)


_log = logging.getLogger("cll")
#: Lists that take the notes of calls that are running.
_listeners: list[list[str]] = []


@contextmanager
def heard() -> Iterator[list[str]]:
    """The notes of the calls inside."""
    notes: list[str] = []
    _listeners.append(notes)
    try:
        yield notes
    finally:
        _listeners.remove(notes)


def note(text: str) -> None:
    """Something good to know: a message of the logger ``cll``, no warning. The extension module calls this."""
    for notes in _listeners:
        notes.append(text)
    _log.info(text)


# What the command line calls by an option is an argument here.
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: (?=['`A-Z]))?(:)?")
_RENAMED = {"experiment": "experiments", "from": "format"}
# A table is passed on as CSV: below the line of names each line is a row.
_LINE = re.compile(r"\bline (\d+)(?:, column \d+)?")


def _argument(match: re.Match[str]) -> str:
    name = match.group(1)
    return _RENAMED.get(name, name.replace("-", "_")) + (match.group(2) or "=")


def _row(match: re.Match[str]) -> str:
    line = int(match.group(1))
    return f"row {line - 2}" if line > 1 else "names of the columns"


def of(name: str, text: str) -> Error:
    """The exception of a class by its name. The extension module calls this."""
    # Lines that show a command stay as they are.
    lines = [line if re.search(r"\bcll [a-z]", line) else _OPTION.sub(_argument, line) for line in text.split("\n")]
    if lines[0].startswith("DataFrame:"):
        lines = [_LINE.sub(_row, line) for line in lines]
    text = "\n".join(lines)
    if name == "InputError" and ": no such file or directory" in text:
        name = "NotFoundError"
    kind: type[Error] = globals()[name]
    return kind(text)
