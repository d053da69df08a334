"""Traces, logs, profiles, campaigns, machines and files of other programs: the content that the commands export."""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cll

ROOT = Path(__file__).resolve().parents[2]


def test_samples_are_those_of_the_export(trace: Path, command: Any) -> None:
    exported = pd.read_csv(io.StringIO(command("export", trace)))
    found = cll.read(trace)
    assert set(found.experiments.experiment) == {"outer", "inner"}
    samples = found.samples()
    assert len(samples) == len(exported) == 50
    assert samples.attrs["units"] == {"inclusive_s": "s", "exclusive_s": "s"}
    for name in ("outer", "inner"):
        for column in ("inclusive_s", "exclusive_s"):
            ours = samples[samples.experiment == name].sort_values(["N", column])[["N", column]].to_numpy()
            theirs = exported[exported.experiment == name].sort_values(["N", column])[["N", column]].to_numpy()
            assert (ours == theirs).all()
    assert set(samples.place) == set(exported.place) and set(samples.process) == set(exported.process)
    assert len(found.samples("outer")) == 25 and set(found.samples("outer").experiment) == {"outer"}
    samples["inclusive_s"] *= 2  # the arrays are the user's


def test_data_are_what_is_fitted(trace: Path, answer: Any) -> None:
    expected = answer("fit", trace, "--experiment", "outer")["experiments"][0]["fit"]["residuals"]
    medians = cll.read(trace).data("outer").groupby("N").time_s.median()
    assert [point["measured"] for point in expected] == list(medians)
    exclusive = answer("fit", trace, "--experiment", "outer", "--time", "exclusive")["experiments"][0]["fit"][
        "residuals"
    ]
    medians = cll.read(trace).data("outer", time="exclusive").groupby("N").time_s.median()
    assert [point["measured"] for point in exclusive] == list(medians)


def test_a_trace_is_fitted_as_by_the_command(trace: Path, answer: Any) -> None:
    def constants(model: dict[str, Any]) -> Any:
        return [(one["name"], one["fit"]["constants"]) for one in model["experiments"]]

    expected = answer("fit", trace, "--time", "exclusive")
    for data in (trace, cll.read(trace), trace.parent):
        model = json.loads(cll.fit(data, time="exclusive").to_json())
        assert constants(model) == constants(expected)
        assert model["program"]["name"] == "work" and model["machine"] == expected["machine"]
    other = cll.fit(trace, "outer[0] + outer[1]*N^2", experiments="outer", intervals="none")
    assert other.formulas == {"outer": "outer[0] + outer[1]*N^2"}
    with pytest.raises(cll.UsageError, match="no experiment utter"):
        cll.fit(trace, "utter[0] + utter[1]*N")
    with pytest.raises(cll.UsageError, match="not recorded"):
        cll.fit(trace, observable="page-faults")
    with pytest.raises(cll.UsageError, match="not recorded"):
        cll.read(trace).data(observable="page-faults")
    with pytest.raises(cll.UsageError, match="column"):
        cll.fit(trace, column="x")
    with pytest.raises(cll.InputError, match="did you mean outer"):
        cll.read(trace).samples("outr")


def test_observables_have_columns() -> None:
    file = ROOT / "crates/trace/tests/fixtures/v2-observables.dat"
    found = cll.read(file)
    samples = found.samples()
    names = {name for text in found.experiments.observables for name in text.split(", ") if name}
    assert names and all(name in samples and f"{name}.exclusive" in samples for name in names)
    name = sorted(names)[0]
    data = found.data(observable=name)
    assert name in data and data[name].notna().all()


def test_a_cut_trace_is_read_with_a_warning(trace: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.dat"
    cut.write_bytes(trace.read_bytes()[:-600])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = cll.read(cut)
    assert found.experiments is not None and "cut.dat" in str(said[0].message)
    assert said[-1].filename == __file__


def test_a_log_is_that_of_the_export(log: Path, command: Any) -> None:
    expected = pd.read_csv(io.StringIO(command("export", log, "--supersteps")), keep_default_na=False)
    found = cll.read_log(log)
    assert list(found.columns) == list(expected.columns) and len(found) == len(expected) >= 10
    assert (found.computation_s == expected.computation_s).all() and found.attrs["units"]["h_bytes"] == "B"
    grid = found.pivot(index="superstep", columns="processor", values="bytes_sent")
    assert list(grid.columns) == [0, 1] and grid.to_numpy().max() == 4


def test_a_profile_is_that_of_the_export(log: Path, command: Any) -> None:
    expected = pd.read_csv(io.StringIO(command("profile", "export", log, "--format", "csv")))
    found = cll.read_profile(log)
    assert list(found.columns) == list(expected.columns) and len(found) == len(expected)
    assert (found.maximum == expected.maximum).all() and found.parent.isna().any()
    assert found.attrs["profile"] == json.loads(command("profile", "show", log, "--json"))


def test_a_campaign_is_a_row_for_each_run(command: Any, tmp_path: Path) -> None:
    (tmp_path / "work.sh").write_text("#!/bin/sh\nsleep 0.00$1\n")
    (tmp_path / "work.sh").chmod(0o755)
    plan = 'cll-campaign = 1\nprogram = "./work.sh"\narguments = ["{N}"]\nrounds = 2\n\n[parameters]\nN = "1:3"\n'
    (tmp_path / "plan.toml").write_text(plan)
    command("campaign", "run", "plan.toml", "--output", "runs", cwd=tmp_path)
    found = cll.read_campaign(tmp_path / "runs")
    assert len(found) >= 4 and set(found.state) == {"done"} and (found.time_s > 0).all()
    assert found.attrs["units"]["time_s"] == "s" and set(found["round"]) == {0, 1}
    model = cll.fit(tmp_path / "runs", "f[0] + f[1]*N", intervals="none")
    assert model.residuals.repetitions.sum() == len(found)
    with pytest.raises(cll.InputError, match="campaign"):
        cll.read_campaign(tmp_path)


def test_a_machine_is_that_of_the_command(answer: Any) -> None:
    machine = cll.read_machine("sgi-powerchallenge")
    assert machine.json == answer("machine", "show", "sgi-powerchallenge")["machine"]
    assert machine.name == "SGI PowerChallenge" and list(machine.classic.processors) == [1, 2, 3, 4]
    assert "Mop/s" in repr(machine) and machine.classic.g_value.gt(0).all()


def test_files_of_other_programs(tmp_path: Path) -> None:
    benchmarks = {
        "context": {"library_version": "v1.8"},
        "benchmarks": [
            {"name": f"BM_sort/{n}", "run_name": f"BM_sort/{n}", "run_type": "iteration", "iterations": 9,
             "real_time": 2.0 * n, "cpu_time": 2.0 * n, "time_unit": "us"}
            for n in (8, 16, 32, 64)
        ],
    }  # fmt: skip
    file = tmp_path / "benchmarks.json"
    file.write_text(json.dumps(benchmarks))
    found = cll.import_(file)
    assert found.attrs["notes"]
    times = found[found.metric == "real_time"] if "real_time" in set(found.metric) else found
    variable = [name for name in found if name not in ("experiment", "metric", "unit", "value")]
    assert len(variable) == 1 and np.allclose(times.value, 2e-6 * times[variable[0]])
    with pytest.raises(cll.InputError, match=r"cll\.read"):
        cll.import_(ROOT / "crates/trace/tests/fixtures/v1-small.dat")
