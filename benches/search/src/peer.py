"""Models each function with Extra-P and prints the share of predictions within 5 % of the goal."""

import json
import sys

from extrap.entities.coordinate import Coordinate
from extrap.entities.measurement import Measurement
from extrap.entities.callpath import Callpath
from extrap.entities.metric import Metric
from extrap.entities.parameter import Parameter
from extrap.entities.experiment import Experiment
from extrap.modelers.model_generator import ModelGenerator


def main():
    with open(sys.argv[1]) as file:
        content = json.load(file)
    functions = content["functions"]
    names = functions[0]["variables"]
    experiment = Experiment()
    for name in names:
        experiment.add_parameter(Parameter(name))
    metric = Metric("time")
    experiment.add_metric(metric)
    for values, _ in functions[0]["points"]:
        experiment.add_coordinate(Coordinate(*values))
    paths = []
    for k, function in enumerate(functions):
        path = Callpath(f"f{k}")
        paths.append(path)
        experiment.add_callpath(path)
        for values, observations in function["points"]:
            experiment.add_measurement(Measurement(Coordinate(*values), path, metric, observations))
    generator = ModelGenerator(experiment)
    generator.model_all()
    near = 0
    for path, function in zip(paths, functions):
        model = generator.models[(path, metric)]
        at = [content["target"]] * len(names)
        value = model.hypothesis.function.evaluate(at if len(at) > 1 else at[0])
        near += abs(float(value) / function["goal"] - 1) < 0.05
    print(near / len(functions))


main()
