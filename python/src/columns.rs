//! Columns for Python: each is a name with a bytearray of numbers, of which NumPy makes an array without a copy.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList};

/// The values of a column.
#[derive(Debug)]
pub enum Values {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Truth values, as 0 and 1.
    Flags(Vec<u8>),
    /// Texts from a small set: an index for each row (-1: none), and the set.
    Categories(Vec<i32>, Vec<String>),
    /// Texts, or none.
    Texts(Vec<Option<String>>),
}

/// A table of columns of one length, each with its name and the unit of its values (empty: none).
pub type Columns = Vec<(String, &'static str, Values)>;

/// The columns as a dict in their order: name → (kind, unit, values[, categories]).
pub fn to_python<'py>(py: Python<'py>, columns: Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, unit, values) in columns {
        match values {
            Values::Numbers(all) => {
                dict.set_item(
                    name,
                    ("f8", unit, PyByteArray::new(py, bytemuck::cast_slice(&all))),
                )?;
            }
            Values::Integers(all) => {
                dict.set_item(
                    name,
                    ("i8", unit, PyByteArray::new(py, bytemuck::cast_slice(&all))),
                )?;
            }
            Values::Flags(all) => {
                dict.set_item(name, ("?", unit, PyByteArray::new(py, &all)))?;
            }
            Values::Categories(codes, names) => {
                let codes = PyByteArray::new(py, bytemuck::cast_slice(&codes));
                dict.set_item(name, ("category", unit, codes, PyList::new(py, names)?))?;
            }
            Values::Texts(all) => {
                dict.set_item(name, ("text", unit, PyList::new(py, all)?))?;
            }
        }
    }
    Ok(dict)
}
