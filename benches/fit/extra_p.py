"""Seconds that Extra-P needs to model every region of a text file.

Run by `cargo bench -p cll-fit`, which writes the file and prints the ratio. Once:

    python3 -m venv benches/fit/venv
    benches/fit/venv/bin/pip install extrap==4.2.5

Reading is not counted, only modelling, with the default modeler and the median as measure.
"""

import sys
import time
from importlib.metadata import version


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        print(version("extrap"))
        return
    from extrap.entities.measurement import Measure
    from extrap.fileio.file_reader.text_file_reader import TextFileReader
    from extrap.modelers.model_generator import ModelGenerator

    experiment = TextFileReader().read_experiment(sys.argv[1])
    generator = ModelGenerator(experiment, use_measure=Measure.MEDIAN)
    start = time.perf_counter()
    generator.model_all()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
