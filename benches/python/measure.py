"""Two figures of the package for Python, each the median of ROUNDS runs, in turns where two are compared.

- 10^6 samples of a trace into a DataFrame: at most 0.3 s.
- `cll.fit` of 1000 experiments in a DataFrame, by the time of `cll fit --json` of the same table: at most 1.2.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd

import cll

ROUNDS = 7
HERE = Path(__file__).resolve().parent


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def command(*words, **more):
    subprocess.run([os.environ["CLL"], *map(str, words)], check=True, capture_output=True, **more)


def reading(folder):
    command("cc", "-O2", HERE / "samples.c", "-o", "samples", cwd=folder)
    command("run", "./samples", cwd=folder)
    trace = folder / "samples.cll.0.dat"
    assert len(cll.read(trace).samples()) == 1_000_000
    times = [seconds(lambda: cll.read(trace).samples()) for _ in range(ROUNDS)]
    read = [seconds(lambda: cll.read(trace)) for _ in range(ROUNDS)]
    return statistics.median(times), statistics.median(read)


def fitting(folder):
    random = np.random.default_rng(5)
    sizes = np.repeat(2.0 ** np.arange(8, 20), 3)
    parts = [
        pd.DataFrame({"region": f"r{k}", "N": sizes, "time_s": (1e-6 * k + 1e-9 * sizes * np.log(sizes)) * random.normal(1, 0.02, sizes.size)})
        for k in range(1000)
    ]
    table = pd.concat(parts, ignore_index=True)
    table.to_csv(folder / "times.csv", index=False)
    formula = "f[0] + f[1]*N*log(N)"
    assert len(cll.fit(table, formula).experiments) == 1000
    ours, theirs = [], []
    for _ in range(ROUNDS):
        theirs.append(seconds(lambda: command("fit", folder / "times.csv", "--formula", formula, "--json")))
        ours.append(seconds(lambda: cll.fit(table, formula)))
    return statistics.median(ours), statistics.median(theirs)


with tempfile.TemporaryDirectory() as place:
    samples, read = reading(Path(place))
    print(f"10^6 samples into a DataFrame: {samples:.3f} s, of which reading the trace {read:.3f} s (at most 0.3 s)")
    ours, theirs = fitting(Path(place))
    print(f"1000 experiments: cll.fit {ours:.3f} s, cll fit --json {theirs:.3f} s: ratio {ours / theirs:.2f} (at most 1.2)")
    sys.exit(samples > 0.3 or ours > 1.2 * theirs)
