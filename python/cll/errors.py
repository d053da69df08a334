"""Exceptions and warnings of the package.

Every exception is an :class:`Error`. What users expect of Python holds too: wrong values are also ``ValueError``,
a file that is not there is also ``FileNotFoundError``.
"""

from __future__ import annotations

import re

__all__ = [
    "Error",
    "UsageError",
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


# What the command line calls by an option is an argument here.
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
_RENAMED = {"experiment": "experiments", "from": "format", "terms": "terms", "at": "at"}


def _argument(match: re.Match[str]) -> str:
    name = match.group(1)
    return _RENAMED.get(name, name.replace("-", "_"))


def of(name: str, text: str) -> Error:
    """The exception of a class by its name. The extension module calls this."""
    text = _OPTION.sub(_argument, text)
    if name == "InputError" and ": no such file or directory" in text:
        name = "NotFoundError"
    kind: type[Error] = globals()[name]
    return kind(text)
