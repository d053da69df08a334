"""cll: fits complexity formulas to measurements and predicts times.

>>> import cll
>>> model = cll.fit({"N": [1000, 2000, 4000], "time_s": [0.011, 0.021, 0.041]}, "f[0] + f[1]*N")
>>> model.predict(N=8000)[["value", "inside"]].round(3).values.tolist()
[[0.081, False]]

Traces, campaigns, logs, profiles and machines of cll are read as DataFrames; numbers are those of the commands.
"""

from ._cll import __version__
from ._frames import to_arrow
from .comparison import Comparison, compare
from .errors import (
    CllWarning,
    Error,
    FitError,
    InputError,
    InternalError,
    MissingPackageError,
    NotFoundError,
    SystemFailure,
    UsageError,
)
from .estimator import Estimator
from .fitting import fit, suggest
from .measuring import measure
from .model import Model, load_model
from .reading import Machine, import_, read_campaign, read_log, read_machine, read_profile
from .searching import search
from .trace import Trace, read

__all__ = [
    "CllWarning",
    "Comparison",
    "Error",
    "Estimator",
    "FitError",
    "InputError",
    "InternalError",
    "Machine",
    "MissingPackageError",
    "Model",
    "NotFoundError",
    "SystemFailure",
    "Trace",
    "UsageError",
    "__version__",
    "compare",
    "fit",
    "import_",
    "load_model",
    "measure",
    "read",
    "read_campaign",
    "read_log",
    "read_machine",
    "read_profile",
    "search",
    "suggest",
    "to_arrow",
]
