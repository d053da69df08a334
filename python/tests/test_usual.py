"""What users of pandas, NumPy and scikit-learn expect to work."""

from __future__ import annotations

import inspect
import json
import warnings
from collections import namedtuple
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import FORMULA

import cll


def test_an_index_a_series_arrays_and_records_are_data(table: pd.DataFrame) -> None:
    expected = cll.fit(table, FORMULA).constants
    row = namedtuple("row", ["N", "P", "time_s"])
    kinds: list[Any] = [
        table.set_index(["N", "P"]),
        table.set_index("N"),
        table.set_index(["N", "P"]).time_s,
        table.to_records(index=False),
        table.to_dict(orient="records"),
        [row(*values) for values in table.itertuples(index=False)],
    ]
    for data in kinds:
        pd.testing.assert_frame_equal(cll.fit(data, FORMULA).constants, expected, rtol=1e-12)
    array = cll.fit(table.to_numpy(), FORMULA, columns=["N", "P", "time_s"])
    pd.testing.assert_frame_equal(array.constants, expected, rtol=1e-12)
    # The values of a Series are those that are fitted, whatever their name.
    medians = table.groupby(["N", "P"]).time_s.median().rename("result")
    assert cll.fit(medians, FORMULA).quality.loc[0, "points"] == 15
    searched = cll.search(table.set_index("N"), column="time_s", variables=["N", "P"])
    assert searched.formulas["f"].endswith("N^2/P")


def test_a_model_is_a_mapping_of_its_experiments(table: pd.DataFrame) -> None:
    both = pd.concat([table.assign(region="a"), table.assign(region="b", time_s=table.time_s * 2)])
    model = cll.fit(both, FORMULA)
    assert list(model) == ["a", "b"] and len(model) == 2 and "a" in model and "c" not in model
    assert model["b"].experiments == ["b"]
    assert model["b"](N=4000, P=2)[0] == pytest.approx(2 * model["a"](N=4000, P=2)[0], rel=1e-9)
    with pytest.raises(cll.UsageError, match="which experiment"):
        model.covariance()
    assert model.covariance("b").shape == (2, 2)


def test_constants_have_names_and_a_covariance(table: pd.DataFrame) -> None:
    model = cll.fit(table, FORMULA, intervals="none")
    constants = model.constants
    assert constants.loc["f[1]", "value"] == constants.value.iloc[1]
    covariance = model.covariance()
    assert list(covariance.index) == list(covariance.columns) == ["f[0]", "f[1]"]
    errors = np.sqrt(np.diag(covariance.to_numpy()))
    assert np.allclose(errors, constants.standard_error, rtol=1e-9)
    one, other = covariance.loc["f[0]", "f[1]"], covariance.loc["f[1]", "f[0]"]
    assert one == pytest.approx(other, rel=1e-9, abs=0) and one < 0
    assert "f[1]" in repr(model.summary()) and repr(model.summary()) == model.report()


def test_intervals_have_the_confidence_that_is_asked_for(table: pd.DataFrame) -> None:
    model = cll.fit(table, FORMULA)
    given, wide = model.predict(N=4000, P=2), model.predict(N=4000, P=2, confidence=0.99)
    assert given.value[0] == wide.value[0]
    assert wide.low[0] < given.low[0] < given.high[0] < wide.high[0]
    same = cll.fit(table, FORMULA, confidence=0.99).predict(N=4000, P=2)
    assert (wide.low[0], wide.high[0]) == pytest.approx((same.low[0], same.high[0]), rel=1e-9)


def test_values_need_no_name_where_it_is_clear(table: pd.DataFrame) -> None:
    one = cll.fit(table[table.P == 2][["N", "time_s"]], "f[0] + f[1]*N^2")
    assert one(4000)[0] == one(N=4000)[0]
    assert one([4000, 8000]).tolist() == one(N=[4000, 8000]).tolist()
    series = pd.Series([4000, 8000], index=["x", "y"])
    assert list(one.predict(series).index) == ["x", "y"]
    two = cll.fit(table, FORMULA)
    assert two(4000, 2)[0] == two(N=4000, P=2)[0]
    assert two([[4000, 2], [8000, 4]]).tolist() == two(N=[4000, 8000], P=[2, 4]).tolist()


def test_options_are_seen(table: pd.DataFrame) -> None:
    for function in (cll.fit, cll.search, cll.suggest, cll.import_):
        parameters = inspect.signature(function).parameters.values()
        assert not any(one.kind is one.VAR_KEYWORD for one in parameters), function
    from cll._options import KNOWN

    known = set(KNOWN) - {"terms"}
    for function, others in ((cll.fit, set()), (cll.search, {"share"}), (cll.suggest, {"share", "predict"})):
        assert known - others <= set(inspect.signature(function).parameters), function
    assert cll.search(table, column="time_s", time="inclusive").formulas


def test_defaults_are_those_of_the_program(table: pd.DataFrame) -> None:
    shown = {name: one.default for name, one in inspect.signature(cll.fit).parameters.items()}
    shown = {name: default for name, default in shown.items() if default not in (None, inspect.Parameter.empty)}
    assert len(shown) == 12

    def whole(**options: Any) -> Any:
        model = json.loads(cll.fit(table, FORMULA, **options).to_json())
        del model["created"]
        return model

    # Without a value an option is left to the program.
    assert whole(**dict.fromkeys(shown)) == whole()
    assert whole(confidence=0.5) != whole()


def test_notes_are_no_warnings(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "good.csv"
    path.write_text("N,host,time\n1,a,2\n2,b,4\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cll.import_(path)
    assert any("host" in note for note in found.attrs["notes"])


def test_an_estimator_is_validated(table: pd.DataFrame) -> None:
    X, y = table[["N", "P"]], table.time_s
    for estimator, rows in (
        (cll.Estimator(FORMULA), X),
        (cll.Estimator(FORMULA, variables=["N", "P"]), X.to_numpy()),
    ):
        # What scikit-learn's clone does.
        copy = type(estimator)(**estimator.get_params()).set_params(options={"weights": "absolute"})
        assert copy.fit(rows, y) is copy and copy.score(rows, y) > 0.98
        assert estimator.get_params()["options"] is None
    held = np.arange(len(table)) % 5 == 0
    fitted = cll.Estimator(FORMULA).fit(X[~held], y[~held])
    assert fitted.score(X[held], y[held]) > 0.98
    assert fitted.model_.constants.loc["f[1]", "value"] == pytest.approx(2e-8, rel=0.05)
    with pytest.raises(cll.UsageError, match="not fitted"):
        cll.Estimator(FORMULA).predict(X)
    with pytest.raises(cll.UsageError, match="no parameter form"):
        cll.Estimator(FORMULA).set_params(form="x")


def test_data_of_other_programs_need_no_pragma() -> None:
    with pytest.raises(cll.FitError, match="no variable") as caught:
        cll.search({"name": ["a", "b", "c"], "time_s": [1.0, 2.0, 3.0]}, column="time_s")
    assert "#pragma" not in str(caught.value)
