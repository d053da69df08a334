"""Data for the tests: tables of known truth, and traces and logs of programs that `cll` builds and runs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
FORMULA = "f[0] + f[1]*N^2/P"


@pytest.fixture(scope="session")
def command() -> Any:
    """Runs `cll` and returns what it prints; its exit code must be that."""
    program = os.environ["CLL"]

    def run(*words: object, code: int = 0, cwd: Path | None = None) -> str:
        done = subprocess.run(
            [program, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=600, check=False
        )
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


@pytest.fixture(scope="session")
def answer(command: Any) -> Any:
    """What `cll` prints as JSON."""
    return lambda *words, code=0: json.loads(command(*words, "--json", code=code))


@pytest.fixture
def table() -> pd.DataFrame:
    """Measurements of 1 ms + 20 ns * N^2/P with noise of 2 %, three of each point."""
    random = np.random.default_rng(7)
    rows = [
        (n, p, (1e-3 + 2e-8 * n * n / p) * random.normal(1, 0.02))
        for n in (1000, 2000, 4000, 8000, 16000)
        for p in (1, 2, 4)
        for _ in range(3)
    ]
    return pd.DataFrame(rows, columns=["N", "P", "time_s"])


@pytest.fixture
def csv(table: pd.DataFrame, tmp_path: Path) -> Path:
    """The same as a file."""
    path = tmp_path / "times.csv"
    table.to_csv(path, index=False)
    return path


PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
static volatile double sink;
static void work(int N) {
    int k;
#pragma cll outer outer[0] + outer[1]*N
    for (k = 0; k < N; k++) sink += k;
#pragma cll inner inner[0] + inner[1]*N
    for (k = 0; k < N; k++) sink -= k;
#pragma cll end inner
#pragma cll end outer
}
int main(void) {
    int N, r;
    for (N = 1000; N <= 16000; N *= 2)
        for (r = 0; r < 5; r++) work(N);
    return 0;
}
"""

BSP = """
#include <bsp.h>
static void part(void) {
    int s, of = bsp_nprocs(), me;
    int value = 0;
    bsp_begin(2);
    me = bsp_pid();
    bsp_push_reg(&value, sizeof value);
    bsp_sync();
    for (s = 0; s < 4; s++) {
        bsp_put((me + 1) % bsp_nprocs(), &s, &value, 0, sizeof s);
        bsp_sync();
    }
    bsp_end();
    (void)of;
}
int main(int argc, char **argv) { bsp_init(part, argc, argv); part(); return 0; }
"""


@pytest.fixture(scope="session")
def trace(command: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The trace of a program with two experiments, one inside the other."""
    folder = tmp_path_factory.mktemp("trace")
    (folder / "work.c").write_text(PROGRAM)
    command("cc", "-O1", "work.c", "-o", "work", cwd=folder)
    command("run", "./work", cwd=folder)
    return folder / "work.cll.0.dat"


@pytest.fixture(scope="session")
def log(command: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a BSP program on two processors."""
    folder = tmp_path_factory.mktemp("log")
    (folder / "ring.c").write_text(BSP)
    command("cc", "-O1", "ring.c", "-o", "ring", cwd=folder)
    command("run", "--log", "-n", "2", "./ring", cwd=folder)
    return folder / "ring.cll.0.log"
