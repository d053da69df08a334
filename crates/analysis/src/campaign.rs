//! The times in a campaign database, by experiment and point, one for each run.

use cll_statistics::median;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cll_import::{ResultKind, Table, grouped};
use cll_samples::{Policy, prepare};

use cll_campaign::State;
use cll_campaign_db::{CampaignDb, Row};

use super::{DataSource, Imported, read_together};
use crate::Error;

/// The times of runs by experiment. The whole run is one, named like the program.
#[derive(Debug, Default)]
pub struct Observed {
    /// Experiment and point (`N=8, P=2`) → the median of each run, seconds.
    pub times: BTreeMap<(String, String), Vec<f64>>,
}

/// In what the completed runs of a database differ, if they are of different programs, or were run in different
/// ways.
///
/// # Errors
/// If it cannot be read.
pub fn mixture(database: &CampaignDb) -> Result<Option<String>, Error> {
    let all = database.environments_of_done(None)?;
    let Some(((first, _), others)) = all.split_first() else { return Ok(None) };
    let mut reasons: Vec<String> = Vec::new();
    let mut count = 0;
    for (other, runs) in others {
        let differs = other.is_other(first);
        count += if differs.is_empty() { 0 } else { *runs };
        reasons.extend(differs);
    }
    reasons.dedup();
    Ok((!reasons.is_empty()).then(|| {
        let runs = if count == 1 { "1 run was".to_owned() } else { format!("{count} runs were") };
        format!("{runs} made in another way than the first ones: {}", reasons.join("; "))
    }))
}

/// The completed runs of a database.
///
/// # Errors
/// If it cannot be read.
pub fn completed(path: &Path) -> Result<Vec<Row>, Error> {
    let rows = CampaignDb::open(path)?.rows()?;
    Ok(rows.into_iter().filter(|row| row.state == State::Done).collect())
}

/// The data of completed runs of a database to fit: the traces of its runs, or a table of their times if there are no
/// traces. Also the number of runs that are left out because they had more processors than cores.
///
/// # Errors
/// If it cannot be read, or there is no such run.
pub fn readable(
    path: &Path,
    rows: &[Row],
) -> Result<(Vec<PathBuf>, Option<DataSource>, u64), Error> {
    let database = CampaignDb::open(path)?;
    let beyond = rows.iter().filter(|row| row.oversubscribed).count() as u64;
    let rows: Vec<Row> = rows.iter().filter(|row| !row.oversubscribed).cloned().collect();
    if rows.is_empty() {
        return Err(Error::data(format!("{}: no run is completed", path.display())).advise(
            match beyond {
                0 => "cll campaign status shows the progress".to_owned(),
                _ => format!("{beyond} runs had more processors than cores: they are never fitted"),
            },
        ));
    }
    let traces = database.traces();
    let named = rows.iter().filter_map(|row| row.trace.as_ref());
    let found: Vec<PathBuf> = named.map(|trace| traces.join(trace)).collect();
    if !found.is_empty() {
        return Ok((found, None, beyond));
    }
    let file = path.display().to_string();
    let imported = Imported { file, region: String::new(), table: table(&rows) };
    Ok((Vec::new(), Some(DataSource::Tables(vec![imported])), beyond))
}

/// The times of whole runs.
fn table(rows: &[Row]) -> Table {
    let mut variables: Vec<String> = Vec::new();
    let points: Vec<(serde_json::Map<String, serde_json::Value>, &Row)> = rows
        .iter()
        .map(|row| (serde_json::from_str(&row.parameters).unwrap_or_default(), row))
        .collect();
    for (point, _) in &points {
        for name in point.keys().filter(|name| !variables.contains(name)).collect::<Vec<_>>() {
            variables.push(name.clone());
        }
    }
    let has_processors = rows.iter().any(|row| row.processors > 0);
    if has_processors && !variables.iter().any(|name| name == "P") {
        variables.push("P".to_owned());
    }
    let rows = points.iter().map(|(point, row)| {
        let value = |name: &String| match point.get(name) {
            Some(value) => value.as_f64().unwrap_or(f64::NAN),
            None => f64::from(row.processors.max(1)),
        };
        (variables.iter().map(value).collect(), row.seconds.unwrap_or(f64::NAN), row.round)
    });
    // Those of one round were made at one time.
    let groups = grouped(rows);
    let quantity = ResultKind::named("s");
    Table { variables, result: "seconds".to_owned(), quantity, groups, ..Table::default() }
}

/// All times that can be compared.
///
/// # Errors
/// If a trace cannot be read.
pub fn observed(database: &CampaignDb) -> Result<Observed, Error> {
    let rows: Vec<Row> =
        database.rows()?.into_iter().filter(|row| row.state == State::Done).collect();
    let mut all = Observed::default();
    for row in &rows {
        let parameters: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&row.parameters).unwrap_or_default();
        let mut at: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if row.processors > 0 {
            at.push(format!("-n {}", row.processors));
        }
        let key = ("(whole run)".to_owned(), at.join(", "));
        all.times.entry(key).or_default().extend(row.seconds);
    }
    let with: Vec<&Row> = rows.iter().filter(|row| row.trace.is_some()).collect();
    let traces = database.traces();
    let paths: Vec<PathBuf> =
        with.iter().filter_map(|row| Some(traces.join(row.trace.as_ref()?))).collect();
    if paths.is_empty() {
        return Ok(all);
    }
    let (trace, _) = prepare(read_together(&paths)?, &Policy::default());
    for experiment in &trace.experiments {
        for cell in &experiment.cells {
            let names = experiment.variables.iter().zip(&cell.values);
            let at: Vec<String> = names.map(|(name, value)| format!("{name}={value}")).collect();
            let runs = trace.times_by_run(experiment, cell);
            let key = (experiment.name.clone(), at.join(", "));
            // Samples of one run share its disturbances.
            let medians = runs.into_values().filter_map(median);
            all.times.entry(key).or_default().extend(medians);
        }
    }
    Ok(all)
}
