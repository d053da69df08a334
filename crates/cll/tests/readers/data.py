"""Data as programs in Python read them, told as JSON.

data.py extrap-jsonl FILE          Extra-P: call path, metric and point of each measurement, and what it keeps of the values
data.py extrap FILE                the same of its text format
data.py extrap-save FILE OUT       reads JSON lines and saves the experiment; OUT is the document inside of it
data.py caliper FILE               caliper-reader: the path and the numbers of each record, and the globals
"""

import json
import sys


def measurements(experiment):
    found = []
    for measurement in experiment.measurements.values():
        for one in measurement:
            found.append(
                {
                    "callpath": one.callpath.name,
                    "metric": one.metric.name,
                    "point": [float(value) for value in one.coordinate.as_tuple()],
                    "repetitions": int(one.repetitions),
                    "median": float(one.median),
                    "minimum": float(one.minimum),
                    "maximum": float(one.maximum),
                }
            )
    return {"parameters": [parameter.name for parameter in experiment.parameters], "measurements": found}


def extrap_jsonl(path):
    from extrap.fileio.file_reader.json_file_reader import JsonFileReader

    return measurements(JsonFileReader().read_experiment(path))


def extrap(path):
    from extrap.fileio.file_reader.text_file_reader import TextFileReader

    return measurements(TextFileReader().read_experiment(path))


def extrap_save(path, out):
    import tempfile
    import zipfile

    from extrap.fileio.experiment_io import write_experiment
    from extrap.fileio.file_reader.json_file_reader import JsonFileReader

    experiment = JsonFileReader().read_experiment(path)
    with tempfile.NamedTemporaryFile(suffix=".extra-p") as saved:
        write_experiment(experiment, saved.name)
        with zipfile.ZipFile(saved.name) as archive, open(out, "wb") as file:
            file.write(archive.read("experiment.json"))
    return measurements(experiment)


def caliper(path):
    import caliperreader

    reader = caliperreader.CaliperReader()
    reader.read(path)
    records = []
    for record in reader.records:
        numbers = {}
        for name, value in record.items():
            kind = reader.attribute(name).attribute_type() if name != "path" else ""
            if kind in ("int", "uint", "double"):
                numbers[name] = float(value)
        records.append({"path": "/".join(record.get("path", [])), "numbers": numbers})
    return {"records": records, "globals": reader.globals}


if __name__ == "__main__":
    kind, *arguments = sys.argv[1:]
    kinds = {"extrap-jsonl": extrap_jsonl, "extrap": extrap, "extrap-save": extrap_save, "caliper": caliper}
    print(json.dumps(kinds[kind](*arguments)))
