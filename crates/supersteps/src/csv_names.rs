//! The names of the columns of a CSV.

use std::io;

use serde::Serialize;

/// The first line of a CSV with rows of this type. The writer of `csv` gives it with a row only, and there may be none.
///
/// # Errors
/// If the type is no row.
pub fn csv_names<Row: Default + Serialize>() -> io::Result<Vec<u8>> {
    let mut line = csv::Writer::from_writer(Vec::new());
    line.serialize(Row::default())?;
    let mut line = line.into_inner().map_err(|error| error.into_error())?;
    line.truncate(line.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    Ok(line)
}
