"""Columns of the extension module as DataFrames and tables of Arrow, and DataFrames as its columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError, MissingPackageError, UsageError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def pandas() -> Any:
    """The module pandas, or an exception that says how to install it."""
    try:
        import pandas as pd
    except ImportError as error:
        raise MissingPackageError("this needs pandas: pip install 'cll[pandas]'") from error
    return pd


def pyarrow() -> Any:
    """The module pyarrow, or an exception that says how to install it."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingPackageError("this needs pyarrow: pip install 'cll[arrow]'") from error
    return pa


def frame(columns: Mapping[str, tuple[Any, ...]]) -> pd.DataFrame:
    """A DataFrame of the columns; ``attrs["units"]`` has the unit of each column that has one."""
    module = pandas()
    names = titles(columns)
    data: dict[str, Any] = {}
    units: dict[str, str] = {}
    for name, (kind, unit, values, *rest) in columns.items():
        title = names[name]
        if kind == "category":
            codes = np.frombuffer(values, dtype=np.int32)
            data[title] = module.Categorical.from_codes(codes, categories=module.Index(rest[0], dtype=object))
        elif kind == "text":
            data[title] = module.Series(values, dtype=object)
        else:
            data[title] = np.frombuffer(values, dtype=kind)
        if unit:
            units[title] = unit
    made: pd.DataFrame = module.DataFrame(data, copy=False)
    made.attrs["units"] = units
    return made


def arrow_table(columns: Mapping[str, tuple[Any, ...]]) -> pa.Table:
    """A table of Arrow of the columns, without pandas; a missing number is null, a field's metadata has its unit."""
    module = pyarrow()
    names = titles(columns)
    arrays, fields = [], []
    for name, (kind, unit, values, *rest) in columns.items():
        if kind == "category":
            codes = np.frombuffer(values, dtype=np.int32)
            indices = module.array(codes, mask=codes < 0)
            array = module.DictionaryArray.from_arrays(indices, module.array(rest[0], module.string()))
        elif kind == "text":
            array = module.array(values, module.string())
        else:
            numbers = np.frombuffer(values, dtype=kind)
            # Numbers that are all there are not copied.
            missing = np.isnan(numbers) if kind == "f8" else None
            has_missing = missing is not None and bool(missing.any())
            array = module.array(numbers, mask=missing if has_missing else None)
        arrays.append(array)
        fields.append(module.field(names[name], array.type, metadata={"unit": unit} if unit else None))
    return module.table(arrays, schema=module.schema(fields))


def to_arrow(frame: pd.DataFrame) -> pa.Table:
    """A DataFrame of this package as a table of Arrow: ``cll.to_arrow(cll.read_log(files))``.

    A field's metadata has the unit that ``frame.attrs["units"]`` gives. Needs pyarrow.
    """
    module = pyarrow()
    if not (hasattr(frame, "columns") and hasattr(frame, "attrs")):
        raise InputError(f"{type(frame).__name__} is no DataFrame of pandas")
    try:
        made = module.Table.from_pandas(frame, preserve_index=False)
    except (module.ArrowInvalid, module.ArrowTypeError, ValueError) as error:
        raise InputError(f"the DataFrame cannot be a table of Arrow: {error}") from error
    units = frame.attrs.get("units", {})
    fields = [
        field.with_metadata({"unit": units[field.name]}) if units.get(field.name) else field for field in made.schema
    ]
    return made.cast(module.schema(fields))


def rows(all_: Sequence[Any], columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A DataFrame of rows."""
    made: pd.DataFrame = pandas().DataFrame(all_, columns=columns)
    return made


def titles(columns: Iterable[str]) -> dict[str, str]:
    """Variables lose their prefix unless another column has that name."""
    own = {name for name in columns if not name.startswith("variable.")}
    plain = {name: name.removeprefix("variable.") for name in columns}
    return {name: name if plain[name] in own and name not in own else plain[name] for name in columns}


def is_frame(data: object) -> bool:
    """Whether it is a DataFrame of pandas, a table of Arrow or Polars, or a mapping of columns."""
    return hasattr(data, "columns") or hasattr(data, "column_names") or isinstance(data, Mapping)


def table(data: Any, keep: Sequence[str] | None = None) -> list[tuple[str, bytes | list[str | None]]]:
    """The columns of a table for the extension module; ``keep`` names those that are used."""
    if hasattr(data, "column_names") and hasattr(data, "to_pydict"):
        data = {name: data[name].to_numpy(zero_copy_only=False) for name in data.column_names}
    names = list(data.columns) if hasattr(data, "columns") else list(data)
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"the DataFrame has the column {name!r}: names of columns are texts")
    if keep is not None:
        from difflib import get_close_matches

        for name in keep:
            if name not in names:
                near = get_close_matches(name, names, 1)
                said = f"did you mean {near[0]}?" if near else f"it has {', '.join(names)}"
                raise UsageError(f"the DataFrame has no column {name}: {said}")
        names = list(keep)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the DataFrame has two columns {twice}")
    columns = [(name, column(name, data[name])) for name in names]
    lengths = {name: len(values) // 8 if isinstance(values, bytes) else len(values) for name, values in columns}
    if len(set(lengths.values())) > 1:
        raise InputError(f"the columns have different lengths: {lengths}")
    return columns


def column(name: str, values: Any) -> bytes | list[str | None]:
    """Numbers as bytes of float64 with NaN where there is none, anything else as texts."""
    kind = getattr(values, "dtype", None)
    if kind is not None and hasattr(values, "to_numpy") and getattr(kind, "kind", "O") in "iufb":
        # Extension types of pandas have NA in place of NaN.
        values = values.to_numpy(dtype=np.float64, na_value=np.nan)
    array = np.asarray(values)
    if array.ndim != 1:
        raise InputError(f"the column {name} has {array.ndim} dimensions: it must have 1")
    if array.dtype.kind in "iufb":
        return np.ascontiguousarray(array, dtype=np.float64).tobytes()
    if array.dtype.kind == "m":
        raise InputError(f"the column {name} has durations: divide it by pandas.Timedelta('1s')")
    if array.dtype.kind == "M":
        raise InputError(f"the column {name} has dates: it cannot be a number")
    if array.dtype.kind == "c":
        raise InputError(f"the column {name} has complex numbers")
    return objects(name, array.tolist())


def objects(name: str, values: list[Any]) -> bytes | list[str | None]:
    """Objects: numbers if all are, else texts; anything else is refused."""
    if all(value is None or is_number(value) or is_missing(value) for value in values):
        numbers = [math.nan if value is None or is_missing(value) else float(value) for value in values]
        return np.array(numbers, dtype=np.float64).tobytes()
    texts: list[str | None] = []
    for row, value in enumerate(values):
        if value is None or is_missing(value):
            texts.append(None)
        elif isinstance(value, str) or is_number(value):
            texts.append(str(value))
        else:
            raise InputError(
                f"the column {name} has a {type(value).__name__} in row {row}: its values must be numbers or texts"
            )
    return texts


def is_number(value: Any) -> bool:
    """Whether it is a real number."""
    return isinstance(value, (int, float, np.integer, np.floating)) or (
        hasattr(value, "__float__") and type(value).__module__ in ("decimal", "fractions")
    )


def is_missing(value: Any) -> bool:
    """Whether it is the missing value of pandas or NumPy."""
    return type(value).__name__ in ("NAType", "NaTType")


def points(at: Any, given: Mapping[str, Any]) -> tuple[list[list[tuple[str, float]]], Any]:
    """The values to predict at: a row for each point, and the index of the DataFrame that was given."""
    if at is not None and given:
        raise UsageError("give either a table of values or variables by their names")
    index = getattr(at, "index", None) if at is not None else None
    columns = given if at is None else ({name: at[name] for name in at.columns} if hasattr(at, "columns") else at)
    if not isinstance(columns, Mapping):
        raise UsageError(
            "values are given as a DataFrame, a dict, a text such as 'N=1000:8000:*2', or by names: N=1000"
        )
    arrays = {}
    for name, values in columns.items():
        try:
            arrays[name] = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"the values of {name} are no numbers: {error}") from None
        if not np.isfinite(arrays[name]).all():
            raise InputError(f"the values of {name} must be finite")
    if not arrays:
        return [[]], None
    try:
        together = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = ", ".join(f"{name} has {array.shape}" for name, array in arrays.items())
        raise UsageError(f"the values cannot be combined: {shapes}") from None
    rows = zip(*(array.ravel().tolist() for array in together))
    names = list(arrays)
    return [list(zip(names, row)) for row in rows], index if callable(getattr(index, "get_indexer", None)) else None
