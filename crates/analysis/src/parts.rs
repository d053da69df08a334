//! The parts that are fitted separately: each file, each value of a variable, or each machine of a campaign.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cll_campaign_db::Row;
use cll_fit::share;
use cll_import::ImportOptions;
use cll_result::{ExperimentModel, ModelFile};

use crate::Error;
use cll_diagnostic::suggestion;
use cll_files::Notices;

use crate::campaign;
use crate::data::{DataSource, Observed};
use crate::empty_files;
use crate::folders::data_in;
use crate::imported::begins_as_table;

/// `--by` this: each file is a part.
const FILE: &str = "file";
/// `--by` this: each computer of a campaign is a part, if no factor is called so.
const MACHINE: &str = "machine";

/// Files that are read and fitted together.
#[derive(Debug)]
pub struct Part {
    /// The label that distinguishes its experiments from those of other parts; empty if there are no others.
    pub label: String,
    /// The files.
    pub files: Vec<PathBuf>,
    /// Their content.
    pub source: DataSource,
    /// Runs of a campaign that had more processors than cores, and are left out.
    pub beyond: u64,
    /// The recorded variable by whose values its experiments are fitted apart.
    pub by: Option<String>,
}

/// Reads files. `options.by` is the user's `--by`.
///
/// Several tables are parts; files of other formats and traces are one, unless `--by` says otherwise.
///
/// # Errors
/// If a file cannot be read, if one that is a part is given twice, or if there is nothing of the name that was given
/// by `--by`.
pub fn parts(
    files: &[PathBuf],
    options: &ImportOptions,
    notices: &dyn Notices,
) -> Result<Vec<Part>, Error> {
    let by = options.by.as_deref();
    if let ([database], Some(name)) = (files, by)
        && cll_campaign_db::is_campaign_db(database)
    {
        return of_factor(database, name, options);
    }
    let several = files.len() > 1;
    let tables = several && files.iter().all(|path| begins_as_table(path, options));
    let each_apart = tables || several && by == Some(FILE);
    if !each_apart {
        return Ok(vec![part(String::new(), files, options, notices)?]);
    }
    let twice = (1..files.len()).find(|&index| files[..index].contains(&files[index]));
    if let Some(twice) = twice.map(|index| &files[index]) {
        return Err(Error::request(format!("{} is given twice", twice.display()))
            .advise("each file is fitted by itself: name it once"));
    }
    let by = options.by.clone().filter(|name| name != FILE);
    let options = ImportOptions { by, ..options.clone() };
    let labels = labels(files);
    let each = files.iter().zip(labels);
    each.map(|(file, label)| part(label, std::slice::from_ref(file), &options, notices)).collect()
}

/// Short names of files that are all different.
fn labels(files: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let short: Vec<String> = files.iter().map(|path| stem(path).unwrap_or_default()).collect();
    let is_clear = |name: &String| {
        !name.is_empty() && short.iter().filter(|other| *other == name).count() == 1
    };
    if short.iter().all(is_clear) {
        short
    } else {
        files.iter().map(|path| path.display().to_string()).collect()
    }
}

fn part(
    label: String,
    files: &[PathBuf],
    options: &ImportOptions,
    notices: &dyn Notices,
) -> Result<Part, Error> {
    if let [database] = files
        && cll_campaign_db::is_campaign_db(database)
    {
        let rows = campaign::completed(database)?;
        return of_rows(label, database, &rows, options);
    }
    let files = empty_files::leave_out(data_in(files)?, notices)?;
    let source = DataSource::read(&files, options)?;
    let by = options.by.clone().filter(|_| source.trace().is_some());
    Ok(Part { label, files, source, beyond: 0, by })
}

fn of_rows(
    label: String,
    database: &Path,
    rows: &[Row],
    options: &ImportOptions,
) -> Result<Part, Error> {
    let (files, table, beyond) = campaign::readable(database, rows)?;
    let source = match table {
        Some(source) => source,
        None => DataSource::read(&files, options)?,
    };
    Ok(Part { label, files, source, beyond, by: None })
}

/// A part for each value of a factor of a campaign, or each of its computers; else for each value of a variable that
/// the traces of its runs have.
fn of_factor(database: &Path, name: &str, options: &ImportOptions) -> Result<Vec<Part>, Error> {
    let rows = campaign::completed(database)?;
    let mut by_value: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let factors: Vec<serde_json::Map<String, serde_json::Value>> =
        rows.iter().map(|row| serde_json::from_str(&row.parameters).unwrap_or_default()).collect();
    let is_factor = factors.iter().any(|factors| factors.contains_key(name));
    for (row, factors) in rows.iter().zip(&factors) {
        let value = match (is_factor, name) {
            (true, _) => factors.get(name).map(|value| match value {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            }),
            (false, MACHINE | "host") => row.host.clone(),
            (false, "P") => Some(row.processors.to_string()),
            (false, _) => None,
        };
        let label = value
            .map(|value| if is_factor || name == "P" { format!("{name}={value}") } else { value });
        by_value.entry(label.unwrap_or_default()).or_default().push(row.clone());
    }
    if by_value.keys().all(String::is_empty) {
        let part = of_rows(String::new(), database, &rows, options)?;
        if part.source.trace().is_none() {
            let mut known: Vec<&str> =
                factors.iter().flat_map(|factors| factors.keys().map(String::as_str)).collect();
            known.sort_unstable();
            known.dedup();
            known.push(MACHINE);
            return Err(Error::request(format!(
                "--by {name}: the campaign has no factor {name}: {}",
                suggestion(name, &known)
            )));
        }
        return Ok(vec![Part { by: Some(name.to_owned()), ..part }]);
    }
    by_value.into_iter().map(|(label, rows)| of_rows(label, database, &rows, options)).collect()
}

/// The data of experiments, apart for each value of a variable.
///
/// # Errors
/// If no experiment has the variable.
pub fn apart(observed: Vec<Observed>, name: &str) -> Result<Vec<Observed>, Error> {
    if !observed.iter().any(|observed| observed.data.variable(name).is_some()) {
        let mut known: Vec<&str> = observed
            .iter()
            .flat_map(|observed| &observed.data.variables)
            .map(String::as_str)
            .collect();
        known.sort_unstable();
        known.dedup();
        return Err(Error::request(format!(
            "--by {name}: no experiment has a variable {name}: {}",
            suggestion(name, &known)
        ))
        .advise("--by file fits each of several files apart"));
    }
    let mut all = Vec::new();
    for observed in observed {
        let Some(column) = observed.data.variable(name) else {
            all.push(observed);
            continue;
        };
        let mut values: Vec<f64> =
            observed.data.points.iter().map(|point| point.values[column]).collect();
        values.sort_unstable_by(f64::total_cmp);
        values.dedup();
        all.extend(values.into_iter().map(|value| {
            let mut own = observed.clone();
            own.data.points.retain(|point| point.values[column] == value);
            own.first_calls.retain(|call_values| call_values.get(column) == Some(&value));
            own.samples = own.data.observations() as u64;
            own.part = format!("{name}={value}");
            own
        }));
    }
    Ok(all)
}

/// The name of an experiment of a part.
pub fn named(experiment: &str, part: &str) -> String {
    if part.is_empty() { experiment.to_owned() } else { format!("{experiment}:{part}") }
}

/// Gives constants of several experiments one value: `groups` as `--share` has them.
///
/// # Errors
/// If one is unknown, or cannot be shared.
pub fn share_constants(model: &mut ModelFile, groups: &[String]) -> Result<(), Error> {
    let split = |group: &String| group.split(',').map(|name| name.trim().to_owned()).collect();
    let groups: Vec<Vec<String>> = groups.iter().map(split).collect();
    let with_fit = |candidate: &&mut ExperimentModel| candidate.fit.is_some();
    let (names, mut fits): (Vec<String>, Vec<_>) = model
        .experiments
        .iter_mut()
        .filter(with_fit)
        .filter_map(|experiment| Some((experiment.name.clone(), experiment.fit.as_mut()?)))
        .unzip();
    let mut shared =
        share(&mut fits, &groups).map_err(|error| Error::request(format!("--share: {error}")))?;
    for constant in &mut shared {
        constant.experiments = constant.fits.iter().map(|&fit| names[fit].clone()).collect();
    }
    model.shared = shared;
    Ok(())
}
