//! The logs of a run: its profile, its supersteps, and what it would cost on a machine.

use std::any::Any;
use std::path::{Path, PathBuf};

use cll_analysis::logs::{logs, sources};
use cll_analysis::profile;
use cll_llac::value::{Quantity, Value};
use cll_llac::{Refusal, Thing, csv_table};
use cll_profile::critical::first;
use cll_profile::export::csv;
use cll_profile::{Metric, Profile};
use cll_report::{ProfileReport, ProfileView, Style};
use cll_result::ProfileJson;
use cll_supersteps::LogExport;
use serde_json::Value as Json;
use std::sync::Arc;

use super::super::heard::Heard;
use super::on_machine::needed;
use super::program::ProgramCosts;
use crate::failure::Failure;

/// The logs of one run.
#[derive(Debug)]
pub struct Logs {
    paths: Vec<PathBuf>,
    profile: Profile,
}

impl Logs {
    /// Reads them.
    pub fn read(paths: &[PathBuf], heard: &Heard) -> Result<Logs, Failure> {
        Ok(Logs { paths: paths.to_vec(), profile: profile::profile(paths, false, heard)? })
    }

    /// A row for each superstep on each processor, as `cll export --supersteps` writes them.
    fn supersteps(&self) -> Option<Value> {
        let heard = Heard::default();
        let (paths, sources) = sources(&self.paths, &heard).ok()?;
        let logs = logs(&paths, &sources, &heard).ok()?;
        let export = LogExport::new(&logs).ok()?;
        let mut text = Vec::new();
        export.csv(&mut text).ok()?;
        Some(Value::Table(Arc::new(csv_table(&text))))
    }
}

impl Thing for Logs {
    fn kind(&self) -> &'static str {
        "log"
    }

    fn summary(&self) -> String {
        let (file, more) = (self.paths[0].display(), self.paths.len() - 1);
        let files = if more > 0 { format!("{file} and {more} more") } else { file.to_string() };
        let root = &self.profile.root().costs;
        let time = Metric::ALL.iter().filter(|metric| metric.is_time());
        let time: f64 = time.map(|metric| root.summary(*metric).maximum).sum();
        format!("{files}: {} processors, {time:.3} s at most", self.profile.processors)
    }

    fn text(&self, style: &Style) -> String {
        let (chosen, empty) = first(&self.profile);
        let report = ProfileReport {
            waits: &[],
            profile: &self.profile,
            chosen: &chosen,
            empty: &empty,
            priced: None,
            hide_below: 0.01,
            style: *style,
            on_terminal: true,
        };
        report.text(ProfileView::Tree)
    }

    fn json(&self) -> Json {
        serde_json::to_value(ProfileJson::of(&self.profile, None)).unwrap_or_default()
    }

    fn members(&self) -> Vec<String> {
        vec!["supersteps".to_owned(), "nodes".to_owned()]
    }

    fn member(&self, name: &str) -> Option<Value> {
        match name {
            "supersteps" => self.supersteps(),
            "nodes" => Some(Value::Table(Arc::new(csv_table(csv(&self.profile).as_bytes())))),
            _ => None,
        }
    }

    fn call(&self, _: &[(String, f64)], _: f64) -> Option<Result<Quantity, String>> {
        Some(Err("on which machine? `cost NAME on \"MACHINE\"` gives a function".to_owned()))
    }

    fn cost(&self, machine: Option<&str>, points: &[Vec<(String, f64)>]) -> Result<Value, Refusal> {
        if points.iter().any(|point| !point.is_empty()) {
            let message = "a log has one size and one number of processors".to_owned();
            return Err(Refusal { message, help: vec!["leave out `at`".to_owned()] });
        }
        let heard = Heard::default();
        let costs = ProgramCosts::of_logs(&self.paths, Path::new(needed(machine)?), &heard);
        costs.map_err(|failure| heard.refusal(failure))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
