"""Tables of Arrow have what the DataFrames have."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import FORMULA

import cll

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("experiment", [None, "inner"])
def test_samples_are_those_of_the_data_frame(trace: Path, experiment: str | None) -> None:
    found = cll.read(trace)
    table, frame = found.to_arrow(experiment), found.to_pandas(experiment)
    pd.testing.assert_frame_equal(frame, found.samples(experiment))
    assert isinstance(table, pa.Table) and table.column_names == list(frame.columns) and len(table) == len(frame)
    for name in frame.columns:
        ours = table[name].to_pandas()
        assert list(ours.astype(object).fillna("-")) == list(frame[name].astype(object).fillna("-")), name
    units = {field.name: field.metadata[b"unit"].decode() for field in table.schema if field.metadata}
    assert units == frame.attrs["units"] and units
    # It is fitted as it is.
    if experiment is not None:
        model = cll.fit(table.select(["N", "inclusive_s"]), "inner[0] + inner[1]*N", intervals="none")
        assert model.experiments == ["inner"]


def test_missing_numbers_and_texts_are_null() -> None:
    table = cll.read(ROOT / "crates/trace/tests/fixtures/v2-observables.dat").to_arrow()
    frame = cll.read(ROOT / "crates/trace/tests/fixtures/v2-observables.dat").samples()
    for name in frame.columns:
        assert table[name].null_count == int(frame[name].isna().sum()), name
    assert pa.types.is_dictionary(table.schema.field("experiment").type)


def test_any_data_frame_of_the_package_is_a_table(table: pd.DataFrame) -> None:
    found = cll.fit(table, FORMULA).predict(N=[1000, 2000], P=4)
    made = cll.to_arrow(found)
    assert made.column_names == list(found.columns) and len(made) == 2
    assert np.allclose(made["value"].to_numpy(), found["value"])


def test_what_is_no_data_frame_is_refused() -> None:
    for wrong in (3, "x", [1, 2], {"a": [1]}, None):
        with pytest.raises(cll.InputError, match="no DataFrame"):
            cll.to_arrow(wrong)  # type: ignore[arg-type]
    with pytest.raises(cll.InputError, match="cannot be a table of Arrow"):
        cll.to_arrow(pd.DataFrame({"a": [1, "x", {}]}))
    with pytest.raises(cll.InputError, match="cannot be a table of Arrow"):
        cll.to_arrow(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_without_pyarrow_it_is_named(monkeypatch: pytest.MonkeyPatch, trace: Path) -> None:
    found, frame = cll.read(trace), pd.DataFrame({"a": [1]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for call in (found.to_arrow, lambda: cll.to_arrow(frame)):
        with pytest.raises(cll.MissingPackageError, match="pip install"):
            call()


def test_without_pandas_there_are_tables_of_arrow(monkeypatch: pytest.MonkeyPatch, trace: Path) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert len(cll.read(trace).to_arrow()) == 50
    with pytest.raises(cll.MissingPackageError, match="pandas"):
        cll.read(trace).to_pandas()
