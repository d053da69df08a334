"""The package as a whole: its types, its promises, its notebook."""

from __future__ import annotations

import ast
import doctest
import inspect
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cll

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(cll.__file__).parent


def test_unsafe_code_is_only_in_macros() -> None:
    files = sorted((ROOT / "python/src").glob("**/*.rs"))
    assert len(files) > 8
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            code = line.split("//")[0]
            assert not re.search(r"\bunsafe\b|unsafe_code", code), f"{file}:{number}: {line}"
        assert len(file.read_text().splitlines()) <= 350, file


def test_everything_public_is_documented_and_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
    for name in cll.__all__:
        thing = getattr(cll, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        members = [thing] if inspect.isfunction(thing) else [
            member for key, member in vars(thing).items() if not key.startswith("_") and inspect.isfunction(member)
        ]  # fmt: skip
        for member in members:
            assert inspect.getdoc(member), member
            assert inspect.signature(member).return_annotation is not inspect.Signature.empty, member


def test_the_stub_has_all_that_the_module_has() -> None:
    from cll import _cll

    tree = ast.parse((PACKAGE / "_cll.pyi").read_text())
    stub = {one.name: one for one in tree.body if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
    there = {name for name in dir(_cll) if not name.startswith("_")}
    assert there == set(stub)
    for name, one in stub.items():
        if isinstance(one, ast.ClassDef):
            methods = {method.name for method in one.body if isinstance(method, ast.FunctionDef)}
            assert methods == {key for key in vars(getattr(_cll, name)) if not key.startswith("__")}, name


def explained(function: Any) -> dict[str, str]:
    """The arguments that a docstring explains, with what it says."""
    section = re.search(r"^Args:\n(.*?)(?=^\S|\Z)", inspect.getdoc(function) or "", re.S | re.M)
    assert section, function
    entries = re.findall(r"^ {4}(\w+): (.*?)(?=^ {4}\w|\Z)", section[1], re.S | re.M)
    return {name: " ".join(text.split()) for name, text in entries}


def test_every_argument_is_explained() -> None:
    functions = (
        cll.fit,
        cll.search,
        cll.suggest,
        cll.import_,
        cll.compare,
        cll.measure,
        cll.Model.plot,
        cll.Trace.data,
    )
    for function in functions:
        assert list(explained(function)) == [name for name in inspect.signature(function).parameters if name != "self"]


def test_options_are_the_same_in_fit_search_and_suggest() -> None:
    fit, told = inspect.signature(cll.fit).parameters, explained(cll.fit)
    for function in (cll.search, cll.suggest):
        parameters, texts = inspect.signature(function).parameters, explained(function)
        for name in fit.keys() & parameters.keys():
            assert (parameters[name], texts[name]) == (fit[name], told[name]), (function, name)


def test_examples_in_the_documentation() -> None:
    found = doctest.testmod(cll)
    assert found.attempted >= 3 and not found.failed


def test_the_wheel_needs_no_library_of_cll() -> None:
    from cll import _cll

    needed = subprocess.run(["ldd", _cll.__file__], capture_output=True, text=True, check=True).stdout
    assert "libc.so" in needed and "libcll.so" not in needed and "libpython" not in needed


def large() -> pd.DataFrame:
    random = np.random.default_rng(1)
    rows = 3000
    return pd.DataFrame(
        {name: random.integers(1, 1000, rows) for name in "NMKP"} | {"time_s": random.uniform(1, 2, rows)}
    )


def test_other_threads_run_while_something_is_computed() -> None:
    counts = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counts[0]
        cll.search(large(), column="time_s", variables=["N", "P"])
        assert counts[0] > before
    finally:
        stop.set()
        thread.join()


def test_an_interrupt_ends_a_long_call() -> None:
    program = """
import signal, sys; sys.path.insert(0, sys.argv[1])
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
import test_package, cll
print("begin", flush=True)
try:
    while True:
        cll.search(test_package.large(), column="time_s", variables=list("NMKP"))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os; os._exit(0)
"""
    words = [sys.executable, "-c", program, str(Path(__file__).parent)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ) as child:
        assert child.stdout is not None and child.stdout.readline() == "begin\n"
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(60) == 0


def test_calls_from_many_threads() -> None:
    data = {"N": [1.0, 2.0, 3.0, 4.0], "time_s": [3.0, 5.0, 7.0, 9.0]}
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(cll.fit(data, "f[0]+f[1]*N")(N=10)[0])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == pytest.approx([21.0] * 8)


@pytest.mark.parametrize("notebook", sorted((ROOT / "docs/notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_the_notebook_gives_what_it_shows(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell runs, and its text is the stored one, except in cells with the tag `varies`."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("PATH", f"{Path(os.environ['CLL']).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    stored = nbformat.read(notebook, as_version=4)
    run = nbformat.read(notebook, as_version=4)
    NotebookClient(run, timeout=300, resources={"metadata": {"path": str(notebook.parent)}}).execute()

    def shown(cell: Any) -> list[str]:
        texts = [one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs]
        return ["".join(text) for text in texts if not "".join(text).startswith("<Figure")]

    codes = [(old, new) for old, new in zip(stored.cells, run.cells) if new.cell_type == "code"]
    assert len(codes) >= 8
    for old, new in codes:
        if "varies" not in new.metadata.get("tags", []):
            assert shown(new) == shown(old), new.source


def test_what_the_chapter_says_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of Python in docs/python.md, one after the other; `# →` is what the line before gives."""
    monkeypatch.chdir(ROOT / "docs")
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
    assert len(blocks) >= 4
    for block in blocks:
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            source = ast.unparse(statement)
            following = lines[statement.end_lineno or 0 : (statement.end_lineno or 0) + 1]
            expected = following[0].removeprefix("# → ") if following and following[0].startswith("# → ") else None
            if expected is not None and isinstance(statement, ast.Expr):
                assert str(eval(source, names)) == expected, source
            else:
                exec(source, names)
