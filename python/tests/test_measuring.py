"""`cll.measure`: a program is built, run and fitted from Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cll

SOURCE = """
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 100;
    volatile double sum = 0;
#pragma cll loop loop[0] + loop[1]*N
    for (int i = 0; i < N; i++)
        sum += i;
#pragma cll end loop
    printf("%g\\n", sum);
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    # A busy machine is no reason to fail.
    monkeypatch.setenv("CLL_LOADED", "accept")
    (tmp_path / "loop.c").write_text(SOURCE)
    return tmp_path


@pytest.mark.filterwarnings("ignore::cll.CllWarning")
def test_a_program_is_measured_and_fitted(folder: Path) -> None:
    model = cll.measure("loop.c", ["{N}"], vary={"N": [20000, 40000, 80000, 160000]}, launches=3)
    assert model.experiments == ["loop"]
    assert model.constants.loc["loop[1]", "value"].max() > 0
    assert (folder / "loop.cll" / "model.json").exists()
    other = cll.measure(
        folder / "loop.c", ["{N}"], vary={"N": "1000:8000:*2"}, launches=2, folder="other", options=["--no-pin"]
    )
    assert (folder / "other" / "model.json").exists()
    assert other.experiments == ["loop"]


def test_what_is_wrong_is_an_exception(folder: Path) -> None:
    (folder / "wrong.c").write_text("int main(void) {\n#pragma cll f f[0] +\n#pragma cll end f\n}\n")
    with pytest.raises(cll.InputError, match=r"wrong\.c:2"):
        cll.measure("wrong.c")
    (folder / "broken.c").write_text(SOURCE.replace("volatile double sum", "volatile sum of"))
    with pytest.raises(cll.InputError, match="compile"):
        cll.measure("broken.c", ["{N}"], vary={"N": [10]})
    with pytest.raises(cll.NotFoundError):
        cll.measure("missing.c")
    with pytest.raises(cll.UsageError):
        cll.measure("loop.c", ["{N}"], vary={"N": "what"})
    with pytest.raises(cll.MissingPackageError, match="there is no program no-such-cll"):
        cll.measure("loop.c", program="no-such-cll")
    with pytest.raises(cll.FitError):
        cll.measure("loop.c", ["{N}", "x"], vary={"N": [10]}, launches=1)


def test_an_interrupt_ends_sampling_and_the_samples_are_fitted(folder: Path) -> None:
    script = (
        "import warnings; warnings.simplefilter('ignore'); import cll\n"
        "model = cll.measure('loop.c', ['{N}'], vary={'N': [20000, 40000, 80000]}, budget='300', precision=1e-9)\n"
        "print(model.experiments)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    traces = folder / "loop.cll"
    # Some rounds: each leaves traces.
    for _ in range(600):
        if len(list(traces.glob("*.data*"))) + len(list(traces.glob("**/*.dat"))) >= 9 or process.poll() is not None:
            break
        time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    assert "loop" in out


def test_a_condition_that_is_met_is_an_exception(folder: Path) -> None:
    # An older model of nanoseconds: whatever is measured now is slower.
    quick = "N,time_s\n20000,2e-9\n40000,4e-9\n80000,8e-9\n160000,16e-9\n"
    (folder / "quick.csv").write_text(quick.replace("N,", "experiment,N,", 1).replace("\n", "\nloop,", 4))
    cll.fit("quick.csv", "loop[0] + loop[1]*N", by="experiment").save("quick.json")
    options = ["--compare", "quick.json", "--fail-if-slower"]
    with pytest.raises(cll.Error) as raised:
        cll.measure("loop.c", ["{N}"], vary={"N": [20000, 40000, 80000, 160000]}, launches=3, options=options)
    assert type(raised.value) is cll.Error
    assert "slower" in str(raised.value)
