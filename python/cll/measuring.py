"""Programs measured: ``cll model`` from Python.

The program ``cll`` does it, as a process of its own: it passes signals on to what it starts, binds processors and ends
what a launch leaves behind. In the process of a notebook all that would meet others.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import errors
from ._options import at, listed, names, paths
from .errors import MissingPackageError
from .model import Model, load_model

__all__ = ["measure"]

#: The exception of each exit code of ``cll``.
_EXCEPTIONS = {
    2: "UsageError",
    3: "InputError",
    4: "InputError",
    5: "FitError",
    6: "FitError",
    7: "SystemFailure",
    9: "Error",
}
#: The meanings of codes that come without a message.
_MEANINGS = {9: "a value of the model is slower than that of the older one"}
#: The machine was too disturbed. The model is there, and says so.
_NOT_MEASURABLE = 8
#: Sampling was ended by an interrupt, and the samples are fitted.
_INTERRUPTED = 128 + signal.SIGINT
#: The first line of a message.
_MESSAGE = re.compile(r"(warning|note|error)(?:\[\w+\])?: ")


def measure(
    files: Any,
    arguments: Sequence[str] = (),
    *,
    vary: Mapping[str, Any] | None = None,
    auto: bool = False,
    processors: Any = None,
    predict: Any = None,
    budget: str | float | None = None,
    precision: float | None = None,
    launches: int | None = None,
    observable: str | None = None,
    counters: str | Sequence[str] | None = None,
    cflags: str | None = None,
    libs: str | None = None,
    folder: Any = None,
    fresh: bool = False,
    options: Sequence[str] = (),
    program: str | None = None,
) -> Model:
    """Builds and runs an annotated program, and fits its experiments, as ``cll model`` does.

    It needs the program ``cll``. Ctrl-C ends sampling; the samples so far are fitted. The same call again goes on from
    them. What ``cll`` notes goes to the logger ``cll``, what it warns of is a :class:`cll.CllWarning`.

    Args:
        files: The C files of the program.
        arguments: The program's arguments; ``{N}`` stands for the varied value, ``{P}`` for the number of processors.
        vary: Values of variables that are arguments: ``{"N": "1000:8000:*2"}``, or a list of numbers for each.
        auto: Make an experiment of every function and outermost loop, and search their formulas.
        processors: Numbers of processors: ``[1, 2, 4]`` or ``"1:8:*2"``.
        predict: Where predictions are to be precise: ``{"N": 16000}`` or ``"N=16000"``.
        budget: The time of sampling: seconds, or a text such as ``"10m"`` or ``"10core-min"``.
        precision: End sampling when half the width of the intervals is at most this share.
        launches: Make exactly this number of rounds.
        observable: What is fitted in place of the time, such as ``"page-faults"``.
        counters: What is recorded besides the time.
        cflags: Options of the compiler, such as ``"-O3 -fopenmp"``.
        libs: Libraries of the program, such as ``"-lblas"``.
        folder: The folder for the program, the traces and the model. Default: the first file's name with ``.cll``.
        fresh: Begin again, even if the same call has sampled before.
        options: More options of ``cll model``, as on the command line.
        program: The program ``cll``. Default: that of the environment's ``CLL``, else the one in ``PATH``.

    Raises:
        cll.InputError: A file or a formula is wrong, or the program does not compile.
        cll.FitError: The program failed, or there are not enough data.
        cll.MissingPackageError: The program ``cll`` is not there.

    """
    sources = paths(files)
    if folder is None:
        folder = f"{Path(sources[0]).stem}.cll"
    words = ["model", *sources, "--quiet", "--color", "never", "--output", os.fspath(folder)]
    for name, values in (vary or {}).items():
        words += ["--vary", f"{name}={listed(values)}"]
    given = {
        "--processors": None if processors is None else listed(processors),
        "--budget": budget,
        "--precision": precision,
        "--launches": launches,
        "--observable": observable,
        "--counters": ",".join(names(counters)) or None,
        "--cflags": cflags,
        "--libs": libs,
    }
    words += [f"{option}={value}" for option, value in given.items() if value is not None]
    for point in at(predict):
        words += ["--predict", point]
    words += [option for option, is_on in {"--auto": auto, "--fresh": fresh}.items() if is_on]
    words += [*options, "--", *arguments] if arguments else list(options)
    code, messages, is_interrupted = _run(_program(program), words)
    text = "\n".join(_told(messages)) or _MEANINGS.get(code, f"cll model ended with {code}")
    if is_interrupted and not (Path(folder) / "model.json").exists():
        raise KeyboardInterrupt
    if code not in (0, _NOT_MEASURABLE) and not (is_interrupted and code == _INTERRUPTED):
        raise errors.of(_EXCEPTIONS.get(code, "InternalError"), text)
    return load_model(folder)


def _program(given: str | None) -> str:
    """The program ``cll``."""
    wanted = given or os.environ.get("CLL") or "cll"
    program = shutil.which(wanted)
    if program is None:
        raise MissingPackageError(
            f"there is no program {wanted}: build it with `cargo build --release` and put it into PATH, "
            "or name it with program="
        )
    return program


def _run(program: str, words: Sequence[str]) -> tuple[int, str, bool]:
    """The exit code, what the program has said, and whether it was interrupted: it then fits what it has."""
    # A session of its own: an interrupt of the terminal reaches it once, from here.
    process = subprocess.Popen(
        [program, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    is_interrupted = False
    while True:
        try:
            _, messages = process.communicate()
            return process.returncode, messages, is_interrupted
        except KeyboardInterrupt:
            is_interrupted = True
            process.send_signal(signal.SIGINT)
        except BaseException:
            process.terminate()
            raise


def _told(messages: str) -> list[str]:
    """Passes warnings and notes on; the lines of errors are left."""
    left: list[str] = []
    for part in re.split(r"^(?=(?:warning|note|error)(?:\[\w+\])?: )", messages, flags=re.M):
        first = _MESSAGE.match(part)
        kind = first[1] if first else "error"
        text = part[first.end() if first else 0 :].rstrip()
        if kind == "warning":
            errors.warn(text)
        elif kind == "note":
            errors.note(text)
        elif text:
            left += text.splitlines()
    return left
