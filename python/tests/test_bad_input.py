"""Whatever is given, the answer is an exception that says what is wrong and what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import FORMULA

import cll

BAD: list[tuple[str, type[Exception], str, Callable[[pd.DataFrame], Any]]] = [
    ("formula", cll.InputError, r"F005[\s\S]*formula:1:13[\s\S]*\^", lambda t: cll.fit(t, "f[0] + f[1]*(N")),
    ("formula of another kind", cll.UsageError, "option", lambda t: cll.fit(t, [3])),
    ("no formula", cll.UsageError, "formula", lambda t: cll.fit(t)),
    ("unknown variable", cll.FitError, r"uses M.*did you mean N\?", lambda t: cll.fit(t, "f[0] + f[1]*M")),
    ("unknown word", cll.UsageError, r"did you mean relative\?", lambda t: cll.fit(t, FORMULA, weights="relativ")),
    ("confidence", cll.UsageError, "between 0 and 1", lambda t: cll.fit(t, FORMULA, confidence=2)),
    ("confidence NaN", cll.UsageError, "wrong value", lambda t: cll.fit(t, FORMULA, confidence=np.nan)),
    (
        "option of another kind",
        cll.UsageError,
        "max_intervals|options",
        lambda t: cll.fit(t, FORMULA, max_intervals="x"),
    ),
    ("no rows", cll.InputError, "no rows", lambda t: cll.fit(t.iloc[:0], FORMULA)),
    ("no columns", cll.InputError, "no columns", lambda t: cll.fit(pd.DataFrame(), FORMULA)),
    ("no result", cll.InputError, "result", lambda t: cll.fit(t[["N", "P"]], FORMULA)),
    ("column not there", cll.InputError, "seconds", lambda t: cll.fit(t, FORMULA, column="seconds")),
    (
        "two columns of a name",
        cll.InputError,
        "two columns N",
        lambda t: cll.fit(t.rename(columns={"P": "N"}), "f[0]+f[1]*N"),
    ),
    ("a number as a name", cll.InputError, "names of columns", lambda t: cll.fit(t.rename(columns={"P": 3}), FORMULA)),
    ("objects", cll.InputError, "a dict in row 0", lambda t: cll.fit(t.assign(time_s=[{}] * len(t)), FORMULA)),
    ("lists", cll.InputError, "a list in row 0", lambda t: cll.fit(t.assign(time_s=[[1]] * len(t)), FORMULA)),
    (
        "objects and numbers",
        cll.InputError,
        "a object in row 2",
        lambda t: cll.fit(t.assign(N=[1, "2", object()] + [4] * (len(t) - 3)), FORMULA),
    ),
    (
        "sets in a column of names",
        cll.InputError,
        "a set in row 0",
        lambda t: cll.fit(t.assign(name=[{1}] * len(t)), FORMULA, by="name"),
    ),
    ("bytes", cll.InputError, "a bytes in row 0", lambda t: cll.fit(t.assign(N=[b"5"] * len(t)), FORMULA)),
    ("strings", cll.InputError, "row 0: `fast`", lambda t: cll.fit(t.assign(time_s="fast"), FORMULA)),
    (
        "strings of pandas",
        cll.InputError,
        "row 0: `many`",
        lambda t: cll.fit(t.assign(N=pd.array(["many"] * len(t), dtype="string")), FORMULA),
    ),
    (
        "categories",
        cll.InputError,
        "row 0: `big`",
        lambda t: cll.fit(t.assign(N=pd.Categorical(["big"] * len(t))), FORMULA),
    ),
    ("empty strings", cll.InputError, "row 0: `time_s` is empty", lambda t: cll.fit(t.assign(time_s=""), FORMULA)),
    ("texts", cll.InputError, r"row 0: `1000x`", lambda t: cll.fit(t.assign(N=t.N.astype(str) + "x"), FORMULA)),
    ("complex", cll.InputError, "complex", lambda t: cll.fit(t.assign(N=t.N * 1j), FORMULA)),
    ("dates", cll.InputError, "dates", lambda t: cll.fit(t.assign(N=pd.Timestamp("2026-01-01")), FORMULA)),
    (
        "durations",
        cll.InputError,
        "durations",
        lambda t: cll.fit(t.assign(time_s=pd.to_timedelta(t.time_s, "s")), FORMULA),
    ),
    ("all NaN", cll.InputError, "row 0: `time_s` is empty", lambda t: cll.fit(t.assign(time_s=np.nan), FORMULA)),
    ("all infinite", cll.InputError, "inf", lambda t: cll.fit(t.assign(time_s=np.inf), FORMULA)),
    ("one point", cll.FitError, "point", lambda t: cll.fit(t.iloc[:1], FORMULA)),
    ("different lengths", cll.InputError, "lengths", lambda t: cll.fit({"N": [1, 2], "time_s": [1.0]}, "f[0]+f[1]*N")),
    (
        "two dimensions",
        cll.InputError,
        "dimensions",
        lambda t: cll.fit({"N": [[1], [2]], "time_s": [1.0, 2]}, "f[0]+f[1]*N"),
    ),
    ("array", cll.UsageError, r"columns=\['N', 'time_s'\]", lambda t: cll.fit(t.to_numpy(), FORMULA)),
    ("array of other columns", cll.UsageError, "2 names", lambda t: cll.fit(t.to_numpy(), FORMULA, columns=["N", "P"])),
    ("series", cll.InputError, "index.name", lambda t: cll.fit(t.time_s, FORMULA)),
    ("record", cll.InputError, "row 1 is a int", lambda t: cll.fit([{"N": 1}, 3], FORMULA)),
    ("no data", cll.InputError, "int", lambda t: cll.fit(3, FORMULA)),
    ("no files", cll.UsageError, "no file", lambda t: cll.fit([], FORMULA)),
    ("missing file", FileNotFoundError, "nope.csv", lambda t: cll.fit("nope.csv", FORMULA)),
    ("missing file is a value", ValueError, "nope.csv", lambda t: cll.fit("nope.csv", FORMULA)),
    ("zero in a name", cll.Error, "a", lambda t: cll.read("a\0b")),
    ("unknown experiment", cll.InputError, "no experiment g", lambda t: cll.fit(t, FORMULA, experiments="g")),
    ("hold out elsewhere", cll.UsageError, "N has the values 1000", lambda t: cll.fit(t, FORMULA, hold_out={"N": 3})),
    (
        "hold out another",
        cll.UsageError,
        "no experiment has a variable Q",
        lambda t: cll.fit(t, FORMULA, hold_out="Q=3"),
    ),
    ("breaks along two", cll.UsageError, "one variable", lambda t: cll.fit(t, FORMULA, breaks={"N": 1, "P": 2})),
    ("search column", cll.UsageError, r"did you mean time_s\?", lambda t: cll.search(t, column="tme", variables=["N"])),
    ("search variable", cll.UsageError, r"no column M", lambda t: cll.search(t, column="time_s", variables=["M"])),
    ("search term", cll.InputError, r"terms:1", lambda t: cll.search(t, column="time_s", terms=["N*"])),
    ("predict variable", cll.UsageError, r"did you mean N\?", lambda t: cll.fit(t, FORMULA).predict(M=1)),
    ("predict missing", cll.UsageError, "no value for P", lambda t: cll.fit(t, FORMULA).predict(N=1)),
    ("predict nothing", cll.UsageError, "no value", lambda t: cll.fit(t, FORMULA).predict()),
    ("predict text", cll.InputError, "no numbers", lambda t: cll.fit(t, FORMULA).predict(N="x", P=1)),
    ("predict NaN", cll.InputError, "finite", lambda t: cll.fit(t, FORMULA).predict(N=[1, np.nan], P=1)),
    ("predict shapes", cll.UsageError, "combined", lambda t: cll.fit(t, FORMULA).predict(N=[1, 2], P=[1, 2, 3])),
    ("predict range", cll.UsageError, "N=1000", lambda t: cll.fit(t, FORMULA).predict("N=1:")),
    ("predict both", cll.UsageError, "either", lambda t: cll.fit(t, FORMULA).predict({"N": 1}, P=1)),
    ("predict confidence", cll.UsageError, "between 0", lambda t: cll.fit(t, FORMULA).predict(N=1, P=1, confidence=9)),
    ("experiment of a model", KeyError, r"did you mean f\?", lambda t: cll.fit(t, FORMULA)["ff"]),
    ("interval", cll.UsageError, "interval=7", lambda t: cll.fit(t, FORMULA).covariance(interval=7)),
    ("values without names", cll.UsageError, "each of N, P", lambda t: cll.fit(t, FORMULA).predict(3)),
    ("estimator without names", cll.UsageError, "variables=", lambda t: cll.Estimator(FORMULA).fit([[1.0]], [1.0])),
    ("machine", cll.InputError, "no published machine", lambda t: cll.read_machine("kray")),
    ("format", cll.UsageError, "no format csw", lambda t: cll.import_("x", format="csw")),
]


@pytest.mark.parametrize(("kind", "text", "call"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input_is_an_exception(
    table: pd.DataFrame, kind: type[Exception], text: str, call: Callable[[pd.DataFrame], Any]
) -> None:
    with pytest.raises(kind, match=text) as caught:
        call(table)
    assert isinstance(caught.value, cll.Error) and not re.search(r"(?<!cll )--[a-z]", commands_apart(str(caught.value)))
    assert not isinstance(caught.value, cll.InternalError)


def test_an_unknown_option_is_one_of_python(table: pd.DataFrame) -> None:
    for call in (cll.fit, cll.search, cll.suggest):
        with pytest.raises(TypeError, match="wieghts"):
            call(table, wieghts="absolute")  # type: ignore[operator]


def commands_apart(text: str) -> str:
    """Without the lines that show a command."""
    return "\n".join(line for line in text.splitlines() if "cll " not in line)


READERS: list[Callable[[Any], Any]] = [
    cll.read,
    cll.load_model,
    cll.read_log,
    cll.read_profile,
    cll.read_campaign,
    cll.read_machine,
    cll.import_,
]


@pytest.mark.parametrize("read", READERS, ids=lambda one: one.__name__)
@pytest.mark.parametrize(
    "content", [b"", b"\0" * 4096, b"hello\n", b"{", b"CLL1" + b"\xff" * 900, b"\x89PNG\r\n\x1a\n" * 80]
)
def test_wrong_files_are_exceptions(read: Callable[[Any], Any], content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(cll.Error) as caught:
        read(file)
    assert not isinstance(caught.value, cll.InternalError) and str(caught.value)
    with pytest.raises(cll.Error):
        read(tmp_path)


def test_damaged_traces_and_models_are_no_panic(trace: Path, table: pd.DataFrame, tmp_path: Path) -> None:
    whole = trace.read_bytes()
    text = cll.fit(table, FORMULA).to_json().encode()
    random = np.random.default_rng(3)
    for content, read in ((whole, cll.read), (text, cll.load_model)):
        for _ in range(60):
            bytes_ = bytearray(content[: random.integers(1, len(content))])
            for at in random.integers(0, len(bytes_), 4):
                bytes_[at] = random.integers(256)
            (tmp_path / "file").write_bytes(bytes_)
            try:
                with _quiet():
                    found = read(tmp_path / "file")
                    found._repr_html_()
            except cll.InternalError:
                raise
            except cll.Error as error:
                assert str(error)  # noqa: PT017 - some of the damaged files can be read


def _quiet() -> Any:
    import warnings

    return warnings.catch_warnings(action="ignore", category=cll.CllWarning)


def test_rows_without_a_number_are_left_out_and_said(table: pd.DataFrame) -> None:
    odd = table.astype(object)
    odd.loc[3, "time_s"] = None
    odd.loc[4, "time_s"] = pd.NA
    odd.loc[5, "time_s"] = float("inf")
    model = cll.fit(odd, FORMULA)
    expected = cll.fit(table.drop(index=[3, 4, 5]), FORMULA)
    pd.testing.assert_frame_equal(model.constants, expected.constants)
    assert model.warnings.text.str.contains("3 rows").any()


def test_texts_with_commas_quotes_and_signs_name_experiments(table: pd.DataFrame) -> None:
    names = ['a,b "c"', "#d", "5", " "]
    whole = pd.concat([table.assign(region=name) for name in names[:3]])
    model = cll.fit(whole, FORMULA, by="region")
    assert model.experiments == names[:3]


def test_optional_packages_are_named(monkeypatch: pytest.MonkeyPatch, table: pd.DataFrame) -> None:
    import sys

    model = cll.fit(table, FORMULA)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(cll.MissingPackageError, match="pip install"):
        model.plot()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install"):
        model.predict(N=1, P=1)
    # What needs no DataFrame works without pandas.
    assert cll.fit({"N": [1, 2, 3], "time_s": [1.0, 2.0, 3.0]}, "f[0]+f[1]*N").experiments == ["f"]
