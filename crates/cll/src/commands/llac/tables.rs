//! Tables of other programs, as samples or as tables of the language.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cll_analysis::{Imported, begins_as_trace, remarks};
use cll_import::Remark;
use cll_llac::value::Value;
use cll_llac::{
    CsvColumn, TableOptions, columns_table, csv_columns, labelled_samples, table_samples,
};

use super::heard::Heard;
use crate::failure::{Failure, unreadable};

/// The largest file whose columns of text are read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The values of tables that were read from these files.
pub fn values(
    mut tables: Vec<Imported>,
    files: &[PathBuf],
    options: &TableOptions,
    heard: &Heard,
) -> Result<Vec<(String, Value)>, Failure> {
    let columns = match (files, &tables[..]) {
        ([file], [only]) if only.region.is_empty() && !file.is_dir() => columns(file)?,
        _ => None,
    };
    let is_chosen = *options != TableOptions::default();
    if let (Some(columns), [only]) = (columns.as_ref().filter(|_| !is_chosen), &tables[..])
        && !only.table.names_its_quantity()
    {
        let (name, value) = table_value(&files[0], columns);
        let (file, result) = (files[0].display(), &only.table.result);
        let text = format!(
            "{file} does not say what was measured: {name} is a table; `open \"{file}\" with \
             column = {result}` makes samples of it"
        );
        heard_notice(heard, &text);
        return Ok(vec![(name, value)]);
    }
    let several = tables.len() > 1;
    let mut all = Vec::new();
    for imported in &mut tables {
        let name = match (imported.region.is_empty(), several) {
            (false, _) => imported.region.clone(),
            (true, false) => name_of(Path::new(&imported.file), "table"),
            (true, true) => imported.table.result.clone(),
        };
        let labelled = columns
            .as_ref()
            .and_then(|columns| labelled_samples(&imported.table, columns, &name, &imported.file));
        if labelled.is_some() {
            imported.table.remarks.retain(|remark| !matches!(remark, Remark::TextColumn { .. }));
        }
        let samples =
            labelled.unwrap_or_else(|| table_samples(&imported.table, &name, &imported.file));
        all.push((name, Value::samples(samples)));
    }
    for notice in remarks(&tables) {
        heard_notice(heard, &notice.text);
    }
    Ok(all)
}

/// The columns of a file, if it is a table.
fn columns(file: &Path) -> Result<Option<Vec<CsvColumn>>, Failure> {
    let size = fs::metadata(file).map_err(|error| unreadable(file, error))?.len();
    if size > LARGEST {
        return Ok(None);
    }
    let bytes = fs::read(file).map_err(|error| unreadable(file, error))?;
    Ok(csv_columns(&bytes))
}

/// A file as a table with all its columns.
pub fn table(file: &Path) -> Result<(String, Value), Failure> {
    let failure = || {
        Failure::input(format!("{} is no table in CSV", file.display())).help(
            "a table has names in its first line, and commas, semicolons or tabs between fields",
        )
    };
    if file.is_dir() || begins_as_trace(file) {
        return Err(failure());
    }
    let columns = columns(file)?.ok_or_else(failure)?;
    Ok(table_value(file, &columns))
}

fn table_value(file: &Path, columns: &[CsvColumn]) -> (String, Value) {
    (name_of(file, "table"), Value::Table(Arc::new(columns_table(columns))))
}

/// Something good to know about a file.
pub fn heard_notice(heard: &Heard, text: &str) {
    cll_files::Notices::note(heard, text);
}

/// A name for a file: what stands before the first dot, with letters that names may have.
pub fn name_of(path: &Path, otherwise: &str) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or_default();
    let letter = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let stem: String = stem.chars().map(letter).collect();
    match stem.chars().next() {
        Some(first) if first.is_alphabetic() || first == '_' => stem,
        Some(_) => format!("{otherwise}_{stem}"),
        None => otherwise.to_owned(),
    }
}
