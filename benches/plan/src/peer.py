"""Extra-P's Gaussian process chooses points of each truth within each budget; prints |ln(predicted/true)| by budget."""

import json
import math
import os
import sys

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["MPLBACKEND"] = "Agg"

from concurrent.futures import ProcessPoolExecutor

from extrap.entities.callpath import Callpath
from extrap.entities.coordinate import Coordinate
from extrap.entities.experiment import Experiment
from extrap.entities.measurement import Measurement
from extrap.entities.metric import Metric
from extrap.entities.parameter import Parameter
from extrap.modelers.model_generator import ModelGenerator
from extrap.mpa.gpr_selection_strategy import suggest_points_gpr_mode

PATH = Callpath("f")
METRIC = Metric("time")
# As ours: a prediction of the wrong sign counts as one that is wrong by a factor of 100.
WORST = math.log(100)


def modelled(known):
    """An experiment of the known runs, and its models."""
    experiment = Experiment()
    for name in ("x", "y"):
        experiment.add_parameter(Parameter(name))
    experiment.add_metric(METRIC)
    experiment.add_callpath(PATH)
    for at, runs in known.items():
        experiment.add_coordinate(Coordinate(*at))
        experiment.add_measurement(Measurement(Coordinate(*at), PATH, METRIC, runs))
    generator = ModelGenerator(experiment)
    generator.model_all()
    return experiment, generator


def error(function, share, target):
    points = {tuple(point["at"]): point for point in function["points"]}
    sizes = sorted({at[0] for at in points})
    least = sizes[0]
    whole = sum(point["true"] * len(point["runs"]) for point in points.values())
    known = {at: point["runs"] for at, point in points.items() if least in at}
    others = sorted((point["true"], at) for at, point in points.items() if least not in at)
    known[others[0][1]] = points[others[0][1]]["runs"]
    experiment, generator = modelled(known)
    budget = share * whole
    spent_first = sum(sum(runs) for runs in known.values())
    possible = [Coordinate(*at) for at in points if at not in known]
    suggested, _ = suggest_points_gpr_mode(
        experiment, possible, [PATH], METRIC, lambda _, runtime: runtime,
        spent_first + budget, spent_first, generator, random_state=1)
    spent = 0
    for coordinate in suggested:
        at = coordinate.as_tuple()
        point = points[at]
        done = known.get(at, [])
        # What a point takes is only predicted when it is chosen: a budget is never exceeded.
        if len(done) < len(point["runs"]) and spent + point["true"] <= budget:
            spent += point["true"]
            known[at] = done + [point["runs"][len(done)]]
    _, generator = modelled(known)
    value = float(generator.models[(PATH, METRIC)].hypothesis.function.evaluate([target, target]))
    ratio = value / function["goal"]
    return min(abs(math.log(ratio)), WORST) if ratio > 0 else WORST


def errors(task):
    function, budgets, target = task
    return [error(function, share, target) for share in budgets]


def main():
    with open(sys.argv[1]) as file:
        content = json.load(file)
    tasks = [(one, content["budgets"], content["target"]) for one in content["functions"]]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        by_function = list(pool.map(errors, tasks))
    print(json.dumps([list(one) for one in zip(*by_function)]))


if __name__ == "__main__":
    main()
