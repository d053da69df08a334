//! Databases of campaigns.

use std::path::PathBuf;

use cll_analysis::Error;
use cll_campaign_db::{CampaignDb, Row};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};

use crate::columns::{Columns, Values, to_python};
use crate::work::in_thread;

/// A row for each run of a campaign.
#[pyfunction]
pub fn read_campaign(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let columns = in_thread(py, move |_| {
        let database = CampaignDb::open(&path)?;
        columns(&database.rows()?)
    })?;
    to_python(py, columns)
}

fn columns(rows: &[Row]) -> Result<Columns, Error> {
    let parameters = |row: &Row| serde_json::from_str::<Map<String, Value>>(&row.parameters);
    let parameters = rows.iter().map(parameters).collect::<Result<Vec<_>, _>>();
    let parameters = parameters
        .map_err(|error| Error::content(format!("the campaign's parameters: {error}")))?;
    let integers = |of: &dyn Fn(&Row) -> i64| Values::Integers(rows.iter().map(of).collect());
    let numbers = |of: &dyn Fn(&Row) -> Option<f64>| {
        Values::Numbers(rows.iter().map(|row| of(row).unwrap_or(f64::NAN)).collect())
    };
    let texts = |of: &dyn Fn(&Row) -> Option<String>| Values::Texts(rows.iter().map(of).collect());
    let mut all: Columns = vec![
        ("run".to_owned(), "", integers(&|row| row.id)),
        ("campaign".to_owned(), "", integers(&|row| row.campaign)),
        ("round".to_owned(), "", integers(&|row| i64::from(row.round))),
        ("processors".to_owned(), "", integers(&|row| i64::from(row.processors))),
    ];
    let mut names: Vec<&String> = Vec::new();
    for name in parameters.iter().flat_map(Map::keys) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let values = || parameters.iter().map(|all| all.get(name));
        let column = if values().flatten().all(Value::is_number) {
            Values::Numbers(
                values().map(|value| value.and_then(Value::as_f64).unwrap_or(f64::NAN)).collect(),
            )
        } else {
            Values::Texts(
                values()
                    .map(|value| {
                        value.map(|value| match value {
                            Value::String(text) => text.clone(),
                            other => other.to_string(),
                        })
                    })
                    .collect(),
            )
        };
        all.push((format!("variable.{name}"), "", column));
    }
    all.extend([
        ("state".to_owned(), "", texts(&|row| Some(row.state.name().to_owned()))),
        ("attempts".to_owned(), "", integers(&|row| i64::from(row.attempts))),
        ("time_s".to_owned(), "s", numbers(&|row| row.seconds)),
        ("started".to_owned(), "s", numbers(&|row| row.started)),
        ("exit".to_owned(), "", numbers(&|row| row.exit.map(f64::from))),
        ("signal".to_owned(), "", numbers(&|row| row.signal.map(f64::from))),
        ("load".to_owned(), "", numbers(&|row| row.load)),
        (
            "oversubscribed".to_owned(),
            "",
            Values::Flags(rows.iter().map(|row| u8::from(row.oversubscribed)).collect()),
        ),
        ("host".to_owned(), "", texts(&|row| row.host.clone())),
        ("trace".to_owned(), "", texts(&|row| row.trace.clone())),
        ("message".to_owned(), "", texts(&|row| row.message.clone())),
    ]);
    Ok(all)
}
