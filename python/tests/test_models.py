"""Fits, predictions, searches and models: the same numbers as those of the commands."""

from __future__ import annotations

import json
import pickle
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import FORMULA

import cll


def without_origin(model: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on the hour and on the name of the data."""
    model = {
        key: value
        for key, value in model.items()
        if key not in ("created", "predictions", "scaling", "measurable", "why_not", "doubts")
    }
    for one in model["experiments"]:
        one["column"] = None
    return model


OPTIONS = [
    ({}, []),
    ({"weights": "absolute"}, ["--weights", "absolute"]),
    ({"aggregate": "all", "loss": "huber"}, ["--aggregate", "all", "--loss", "huber"]),
    ({"intervals": "none", "confidence": 0.99}, ["--intervals", "none", "--confidence", "0.99"]),
    (
        {"intervals": "greedy", "error_threshold": 0.02, "max_intervals": 3},
        ["--intervals", "greedy", "--error-threshold", "0.02", "--max-intervals", "3"],
    ),
    ({"intervals": "levels"}, ["--intervals", "levels"]),
    ({"intervals": "levels", "signed": True}, ["--intervals", "levels", "--signed"]),
    ({"breaks": {"N": [3000]}, "join": False}, ["--break", "N=3000", "--no-join"]),
    ({"hold_out": {"N": 8000, "P": [1, 2]}}, ["--hold-out", "N=8000,P=1,2"]),
    ({"non_negative": True, "follow": False}, ["--non-negative", "--no-follow"]),
    ({"outliers": "points=3", "axis": "P"}, ["--outliers", "points=3", "--axis", "P"]),
    ({"working_set": "8*N*N"}, ["--working-set", "8*N*N"]),
    ({"column": "time_s", "unit": "ms"}, ["--column", "time_s", "--unit", "ms"]),
]


@pytest.mark.parametrize(("arguments", "words"), OPTIONS, ids=lambda value: str(value)[:40])
def test_a_fit_is_that_of_the_command(
    table: pd.DataFrame, csv: Path, answer: Any, arguments: dict[str, Any], words: list[str]
) -> None:
    expected = without_origin(answer("fit", csv, "--formula", FORMULA, *words))
    for data in (table, csv, [str(csv)]):
        model = cll.fit(data, FORMULA, **arguments)
        assert without_origin(json.loads(model.to_json())) == expected


def test_tables_of_all_kinds_give_one_model(table: pd.DataFrame) -> None:
    expected = cll.fit(table, FORMULA).constants
    kinds: list[Any] = [
        table.to_dict(orient="list"),
        {name: table[name].to_numpy() for name in table},
        pa.table(table),
        table.convert_dtypes(),
        table.astype({"N": "Int64", "P": "int8", "time_s": "float64"}),
        table.astype(object),
        table.set_index(np.arange(len(table)) * 3),
        table.sample(frac=1, random_state=1),
    ]
    for data in kinds:
        pd.testing.assert_frame_equal(cll.fit(data, FORMULA).constants, expected, rtol=1e-12)


def test_the_truth_is_in_the_intervals(table: pd.DataFrame) -> None:
    found = cll.fit(table, FORMULA, confidence=0.999).constants
    assert list(found.constant) == ["f[0]", "f[1]"] and list(found.unit) == ["s", "s"]
    for truth, row in zip((1e-3, 2e-8), found.itertuples()):
        assert row.low < truth < row.high and row.low < row.value < row.high


def test_predictions_are_those_of_the_command(table: pd.DataFrame, csv: Path, tmp_path: Path, answer: Any) -> None:
    saved = tmp_path / "model.json"
    model = cll.fit(table, FORMULA)
    model.save(saved)
    at = "N=1500:48000:*2,P=1,3"
    expected = answer("predict", saved, "--at", at)["predictions"]
    found = model.predict(at)
    assert len(found) == len(expected) == 12
    for one, (_, row) in zip(expected, found.iterrows()):
        assert one["at"] == {"N": row.N, "P": row.P}
        assert (one["value"], one["low"], one["high"]) == (row.value, row.low, row.high)
        assert one["domain"]["where"] == row.domain
        assert row.inside == (row.domain in ("inside", "between")) and row.experiment == "f"
    assert found.attrs["units"] == dict.fromkeys(["value", "low", "high", "run_low", "run_high"], "s")
    again = cll.load_model(tmp_path)
    pd.testing.assert_frame_equal(again.predict(at), found)


def test_values_are_given_in_many_ways(table: pd.DataFrame) -> None:
    model = cll.fit(table, FORMULA)
    one = model.predict(N=4000, P=2)
    assert len(one) == 1 and one.loc[0, "value"] == pytest.approx(1e-3 + 2e-8 * 4000**2 / 2, rel=0.02)
    several = model.predict(N=[4000, 5000, 6000], P=2)
    assert list(several.P) == [2, 2, 2] and several.loc[0, "value"] == one.loc[0, "value"]
    frame = pd.DataFrame({"label": ["a", "b"], "P": [2, 2], "N": [4000, 6000]}, index=["x", "y"])
    joined = frame.join(model.predict(frame)[["value", "low", "high"]])
    assert list(joined.value) == [several.loc[0, "value"], several.loc[2, "value"]]
    assert list(model.predict({"N": np.array([4000, 6000]), "P": 2}).value) == list(joined.value)
    assert model(N=[4000, 6000], P=2).tolist() == list(joined.value)
    grid = model(N=np.array([[4000], [6000]]), P=np.array([[1, 2]]))
    assert grid.shape == (4,) and grid[1] == joined.value.iloc[0]


def test_a_variable_with_one_value_may_be_left_out(table: pd.DataFrame) -> None:
    model = cll.fit(table[table.P == 2], "f[0] + f[1]*N^2/P")
    assert model.predict(N=4000).P.tolist() == [2]


def test_several_experiments(table: pd.DataFrame) -> None:
    both = pd.concat([table.assign(region="a"), table.assign(region="b", time_s=table.time_s * 2)])
    model = cll.fit(both, "f[0] + f[1]*N^2/P", share=["[1]"])
    assert model.experiments == ["a", "b"]
    found = model.predict(pd.DataFrame({"N": [4000, 8000], "P": [1, 1]}, index=[5, 6]))
    assert list(found.experiment) == ["a", "a", "b", "b"] and list(found.index) == [5, 6, 5, 6]
    assert len(model.predict(N=1, P=1, experiments="b")) == 1
    with pytest.raises(cll.FitError, match="a, b"):
        model(N=1, P=1)
    with pytest.raises(cll.InputError, match="no experiment c"):
        model.predict(N=1, P=1, experiments="c")


def test_a_search_is_that_of_the_command(table: pd.DataFrame, csv: Path, answer: Any) -> None:
    expected = answer("fit", csv, "--search", "--predict", "N=32000,P=2")
    model = cll.search(table.assign(note="x", other=1.0), column="time_s", variables=["N", "P"])
    assert model.formulas == {"f": expected["experiments"][0]["formula"]}
    row = model.predict(N=32000, P=2).iloc[0]
    averaged = expected["predictions"][0]["averaged"]
    assert (row.averaged, row.averaged_low, row.averaged_high) == tuple(
        averaged[key] for key in ("value", "low", "high")
    )
    assert model.searches["f"]["candidates"][0]["weight"] > 0.2
    given = cll.search(table, column="time_s", terms=["N", "N^2", "N^2/P"])
    assert given.formulas["f"].endswith("N^2/P")


def test_a_suggestion_is_that_of_the_command(table: pd.DataFrame, csv: Path, answer: Any) -> None:
    expected = answer("fit", csv, "--formula", "f[0] + f[1]*N", "--suggest")["experiments"][0]["suggestion"]
    assert cll.suggest(table, "f[0] + f[1]*N").suggestions == {"f": expected}
    assert expected["formula"] == FORMULA


def test_a_comparison_is_that_of_the_command(table: pd.DataFrame, csv: Path, tmp_path: Path, answer: Any) -> None:
    old = cll.fit(table.assign(time_s=table.time_s / 2), FORMULA)
    old.save(tmp_path / "old.json")
    new = cll.fit(table, FORMULA)
    expected = answer("fit", csv, "--formula", FORMULA, "--compare", tmp_path / "old.json")["comparison"]
    found = cll.compare(old, new)
    assert found.json == expected and found.slower
    assert list(found.constants.experiment) == ["f", "f"] and "moved" in repr(found)
    assert not cll.compare(new, new).slower


def test_a_model_can_be_stored_and_sent(table: pd.DataFrame, tmp_path: Path) -> None:
    model = cll.fit(table, FORMULA)
    model.save(tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text() == model.to_json()
    copy = pickle.loads(pickle.dumps(model))
    assert copy.to_json() == model.to_json() and repr(copy) == f"<cll.Model f: {FORMULA} (1 fitted)>"


def test_quality_and_residuals(table: pd.DataFrame) -> None:
    model = cll.fit(table, FORMULA)
    assert model.quality.loc[0, "points"] == 15 and model.quality.loc[0, "observations"] == 45
    residuals = model.residuals
    assert len(residuals) == 15 and set(residuals.repetitions) == {3}
    medians = table.groupby(["N", "P"]).time_s.median()
    measured = residuals.set_index(["N", "P"]).measured
    assert (measured.sort_index().to_numpy() == medians.sort_index().to_numpy()).all()
    error = (residuals.measured - residuals.fitted) / residuals.measured
    assert np.allclose(error, residuals.error)


def test_what_a_notebook_and_a_reader_see(table: pd.DataFrame) -> None:
    evil = table.assign(region="<script>alert(1)</script>")
    html = cll.fit(evil, FORMULA)._repr_html_()
    assert "<script" not in html and "&lt;script" in html
    assert html.count("<div") == html.count("</div") and "<svg" in html and "Constants" in html
    first, second = cll.fit(table, FORMULA), cll.fit(table, FORMULA)
    ids = [set(re.findall(r'id="([^"]+)"', one._repr_html_())) for one in (first, second)]
    assert ids[0] and not ids[0] & ids[1]
    text = first.report()
    assert "f[1]" in text and "adjusted R²" in text
    assert len(first.report(points=True).splitlines()) >= len(text.splitlines()) + 15


def test_plots(table: pd.DataFrame, tmp_path: Path) -> None:
    import matplotlib.pyplot as plt

    model = cll.fit(table, FORMULA, hold_out="N=16000,P=4")
    axes = model.plot(at="N=32000,P=1")
    assert axes.get_xlabel() == "N" and axes.get_ylabel() == "time [s]"
    labels = axes.get_legend_handles_labels()[1]
    assert [label for label in labels if label.startswith("P = ")] == ["P = 1", "P = 2", "P = 4"]
    assert any(label.startswith("N = 32000") for label in labels)
    points = dict(zip(labels, axes.get_legend_handles_labels()[0]))
    assert len(points["P = 1"].get_xdata()) == 5
    axes.figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5000
    _, own = plt.subplots()
    assert model.plot(ax=own, x="P", log=True) is own and own.get_xlabel() == "P" and own.get_xscale() == "log"
    with pytest.raises(cll.UsageError, match="Q"):
        model.plot(x="Q")
    plt.close("all")


def test_notices_are_warnings_or_in_the_model(table: pd.DataFrame) -> None:
    odd = table.copy()
    odd.loc[0, "time_s"] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = cll.fit(odd, FORMULA)
    assert "left-out" in set(model.warnings.code)


def test_a_model_of_a_disturbed_machine_says_so(csv: Path) -> None:
    quiet = cll.fit(csv, FORMULA)
    assert quiet.measurable and quiet.doubts == {} and "measurable" not in repr(quiet)
    file = json.loads(quiet.to_json())
    doubt = {"code": "not-measurable", "text": "other programs were running"}
    for one in file["experiments"]:
        one["doubts"] = [doubt]
    loaded = cll.Model(cll._cll.Model.from_json(json.dumps(file)))
    assert not loaded.measurable and loaded.doubts == {"not-measurable": doubt["text"]}
    assert "not measurable" in repr(loaded)
    assert "NOT MEASURABLE" in loaded.report() and "NOT MEASURABLE" in loaded._repr_html_()
    with pytest.warns(cll.CllWarning, match="other programs"):
        made = loaded.predict(N=3000, P=2)
    assert made.attrs["measurable"] is False
    assert loaded.plot().get_title(loc="right") == "NOT MEASURABLE"
