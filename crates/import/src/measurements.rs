//! Measured values, collected to a table for each experiment and metric.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::distinct::distinct;
use crate::error::{ImportCause, ImportError};
use crate::header::{plain, variable};
use crate::place::PlacedText;
use crate::run_columns::{run_column, telling};
use crate::table::{Examples, Remark, Renamed, RowGroups, Table};
use crate::{ImportOptions, ResultKind};

/// The subject of a number in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Of<'a> {
    /// The experiment; empty if the file names none.
    pub(crate) experiment: &'a str,
    /// The metric, as the file calls it.
    pub(crate) metric: &'a str,
    /// The unit, if the file has one.
    pub(crate) unit: Option<&'a str>,
    /// Names and values of the parameters.
    pub(crate) parameters: &'a [(String, f64)],
}

/// Which metrics are taken if the user names none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wanted {
    #[default]
    All,
    /// The first of these that was measured, else the first one of the file.
    Preferred(Vec<String>),
}

/// Collects measured values.
pub(crate) struct Measurements<'o> {
    pub(crate) options: &'o ImportOptions,
    pub(crate) wanted: Wanted,
    series: Vec<Series>,
    index: HashMap<String, usize>,
    key: String,
    notes: Vec<String>,
    noted: HashSet<String>,
    /// Numbers of the runs by the bits of the parameter that tells them.
    runs: HashMap<u64, u32>,
    skipped: Examples,
}

struct Series {
    experiment: String,
    metric: String,
    quantity: ResultKind,
    names: Vec<String>,
    groups: RowGroups,
    values: Vec<f64>,
    left_out: Examples,
    not_positive: Examples,
}

impl<'o> Measurements<'o> {
    pub(crate) fn new(options: &'o ImportOptions) -> Measurements<'o> {
        Measurements {
            options,
            wanted: Wanted::All,
            series: Vec::new(),
            index: HashMap::new(),
            key: String::new(),
            notes: Vec::new(),
            noted: HashSet::new(),
            runs: HashMap::new(),
            skipped: Examples::default(),
        }
    }

    /// Something that a user should know, once.
    pub(crate) fn note(&mut self, text: impl Into<String>) {
        let text = text.into();
        if self.noted.insert(text.clone()) {
            self.notes.push(text);
        }
    }

    /// Leaves out a line that cannot be used, if the user wants that.
    ///
    /// # Errors
    /// Else with this error.
    pub(crate) fn skip(&mut self, error: ImportError) -> Result<(), ImportError> {
        if self.options.skip_bad {
            self.skipped.add(|| first_line(&error));
            Ok(())
        } else {
            Err(error)
        }
    }

    /// Adds a value in the unit of the file. Values and parameters that are not finite are left out and counted.
    pub(crate) fn add(
        &mut self,
        labels: Of<'_>,
        value: f64,
        source: PlacedText<'_>,
        span: Range<usize>,
    ) {
        let numbering = self.numbering(labels.parameters);
        let run = self.run(labels.parameters, &numbering);
        let index = self.series(labels, &numbering);
        let series = &mut self.series[index];
        let line = || source.line(span.start);
        series.values.clear();
        let variables = labels.parameters.iter().zip(&numbering).filter(|(_, numbers)| !**numbers);
        let variables: Vec<&(String, f64)> = variables.map(|(variable, _)| variable).collect();
        for (position, name) in series.names.iter().enumerate() {
            // Mostly in the same order.
            let known = variables.get(position).filter(|(known, _)| known == name).copied();
            let known =
                known.or_else(|| variables.iter().find(|(known, _)| known == name).copied());
            series.values.push(known.map_or(f64::NAN, |(_, value)| *value));
        }
        let odd = series.values.iter().position(|value| !value.is_finite());
        let odd = match odd {
            Some(position) => Some((series.names[position].as_str(), series.values[position])),
            None => (!value.is_finite()).then_some((labels.metric, value)),
        };
        if let Some((name, value)) = odd {
            return series.left_out.add(|| format!("line {}: `{name}` is {value}", line()));
        }
        if series.quantity.is_time() && value <= 0.0 {
            let what = if value < 0.0 { "a negative time" } else { "a time of zero" };
            series.not_positive.add(|| format!("line {}: `{}` is {what}", line(), labels.metric));
        }
        // The unit may differ from that of the first value.
        let value = match (&self.options.unit, labels.unit.and_then(ResultKind::time)) {
            (None, Some(quantity)) if series.quantity.is_time() => quantity.converted(value),
            _ => series.quantity.converted(value),
        };
        series.groups.add(&series.values, value, run);
    }

    /// Which parameters number runs or rows: no formula uses them, and there are others.
    fn numbering(&self, parameters: &[(String, f64)]) -> Vec<bool> {
        let numbers = |name: &String| {
            run_column(&plain(name)).is_some() && !self.options.used.iter().any(|used| used == name)
        };
        let all: Vec<bool> = parameters.iter().map(|(name, _)| numbers(name)).collect();
        if all.iter().all(|numbers| *numbers) { vec![false; all.len()] } else { all }
    }

    /// The number of the run that the parameters tell.
    fn run(&mut self, parameters: &[(String, f64)], numbering: &[bool]) -> Option<u32> {
        let telling_names =
            parameters.iter().enumerate().filter(|(position, _)| numbering[*position]);
        let names: Vec<(usize, String)> =
            telling_names.map(|(position, (name, _))| (position, plain(name))).collect();
        let position = telling(names.iter().map(|(position, name)| (*position, name.as_str())))?;
        let next = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        Some(*self.runs.entry(parameters[position].1.to_bits()).or_insert(next))
    }

    /// The series of an experiment, a metric and a set of parameters.
    fn series(&mut self, labels: Of<'_>, numbering: &[bool]) -> usize {
        self.key.clear();
        for part in [labels.experiment, labels.metric] {
            self.key.push_str(part);
            self.key.push('\0');
        }
        let own = labels.parameters.iter().zip(numbering).filter(|(_, numbers)| !**numbers);
        let variables: Vec<&str> = own.map(|((name, _), _)| name.as_str()).collect();
        let mut names = variables.clone();
        names.sort_unstable();
        for name in names {
            self.key.push_str(name);
            self.key.push('\0');
        }
        if let Some(&index) = self.index.get(&self.key) {
            return index;
        }
        let quantity = match (self.options.unit.as_deref(), labels.unit) {
            (Some(unit), _) | (None, Some(unit)) => ResultKind::named(unit),
            (None, None) => ResultKind::of_metric(labels.metric),
        };
        self.index.insert(self.key.clone(), self.series.len());
        self.series.push(Series {
            experiment: labels.experiment.to_owned(),
            metric: labels.metric.to_owned(),
            quantity,
            names: variables.into_iter().map(str::to_owned).collect(),
            groups: RowGroups::default(),
            values: Vec::new(),
            left_out: Examples::default(),
            not_positive: Examples::default(),
        });
        self.series.len() - 1
    }

    /// The metrics so far, each once.
    fn metrics(&self) -> Vec<String> {
        distinct(self.series.iter().map(|series| &series.metric)).into_iter().cloned().collect()
    }

    /// A table for each experiment and wanted metric, with the experiment's name.
    ///
    /// # Errors
    /// If there is no value, or none of the requested metric.
    pub(crate) fn done(mut self, title: &str) -> Result<Vec<(String, Table)>, ImportError> {
        let metrics = self.metrics();
        let wanted = match (&self.options.result, &self.wanted) {
            (Some(name), _) if !metrics.contains(name) && !metrics.is_empty() => {
                let cause = ImportCause::NoMetric { name: name.clone(), known: metrics };
                return Err(cause.error_at(0, 0));
            }
            (Some(name), _) => Some(name.clone()),
            (None, Wanted::All) => None,
            (None, Wanted::Preferred(names)) => {
                names.iter().find(|name| metrics.contains(name)).or(metrics.first()).cloned()
            }
        };
        if let Some(wanted) = &wanted {
            let others: Vec<&str> =
                metrics.iter().filter(|metric| *metric != wanted).map(String::as_str).collect();
            if !others.is_empty() && self.options.result.is_none() {
                self.note(format!("other metrics, chosen by --metric: {}", others.join(", ")));
            }
            self.series.retain(|series| series.metric == *wanted);
        }
        name_apart(&mut self.series);
        let mut tables = Vec::new();
        let mut example = None;
        for series in self.series {
            example = example.or_else(|| series.left_out.first.first().cloned());
            let experiment = series.experiment.clone();
            tables.extend(series.done().map(|table| (experiment, table)));
        }
        match (tables.is_empty(), example) {
            (true, Some(example)) => {
                return Err(ImportCause::NothingLeft { example }.error_at(0, 0));
            }
            (true, None) => {
                let message = format!("there is no measured value in it ({title})");
                return Err(ImportCause::Unexpected(message).error_at(0, 0));
            }
            (false, _) => {}
        }
        let summary = understood(title, &tables);
        let notes = self.notes.into_iter().map(Remark::Note);
        let skipped = (self.skipped.count > 0).then_some(Remark::Skipped(self.skipped));
        let first = [Remark::Format(summary)].into_iter().chain(notes).chain(skipped);
        tables[0].1.remarks.splice(0..0, first);
        Ok(tables)
    }
}

impl Series {
    /// The table; `None` if all its values are left out.
    fn done(self) -> Option<Table> {
        let Series { metric, quantity, names, groups, left_out, not_positive, .. } = self;
        let mut table =
            Table { result: metric, quantity, groups: groups.done(), ..Table::default() };
        if table.groups.is_empty() {
            return None;
        }
        for header in names {
            let name = variable(&header);
            if name != header {
                table.renamed.push(Renamed { header, name: name.clone() });
            }
            table.variables.push(name);
        }
        table.remarks.extend((left_out.count > 0).then_some(Remark::LeftOut(left_out)));
        table.remarks.extend((not_positive.count > 0).then_some(Remark::NotPositive(not_positive)));
        Some(table)
    }
}

/// An error without the text at its place.
fn first_line(error: &ImportError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

/// Experiments of one name with different parameters get these behind their names.
fn name_apart(series: &mut [Series]) {
    // One for each experiment, metric and set of parameters.
    let mut first: HashMap<(&str, &str), (&[String], bool)> = HashMap::new();
    for series in &*series {
        let key = (series.experiment.as_str(), series.metric.as_str());
        let (names, is_shared) = first.entry(key).or_insert((series.names.as_slice(), false));
        *is_shared |= **names != *series.names;
    }
    let is_shared = |entry: &Series| first[&(entry.experiment.as_str(), entry.metric.as_str())].1;
    let shared: Vec<bool> = series.iter().map(is_shared).collect();
    for (series, _) in series.iter_mut().zip(shared).filter(|(_, shared)| *shared) {
        series.experiment = format!("{}({})", series.experiment, series.names.join(","));
    }
}

/// Says in one sentence how the file was read.
fn understood(title: &str, tables: &[(String, Table)]) -> String {
    let metric = |table: &Table| {
        let unit = match &table.quantity {
            ResultKind::Time { unit, .. } => format!(" in {unit}"),
            ResultKind::Other(unit) if *unit != table.result => format!(" in {unit}"),
            ResultKind::Other(_) => String::new(),
            ResultKind::Unknown => " taken as seconds".to_owned(),
        };
        format!("{}{unit}", table.result)
    };
    let metrics = distinct(tables.iter().map(|(_, table)| metric(table)));
    let variables = distinct(tables.iter().flat_map(|(_, table)| &table.variables));
    let variables: Vec<&str> = variables.into_iter().map(String::as_str).collect();
    let named = tables.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty());
    let names = distinct(named);
    let values: usize = tables.iter().map(|(_, table)| table.rows()).sum();
    let over = if variables.is_empty() { "no parameter".to_owned() } else { variables.join(", ") };
    let experiments = match names.len() {
        0 => String::new(),
        1 => format!(", experiment {}", names[0]),
        count => format!(", {count} experiments"),
    };
    let values = if values == 1 { "1 value".to_owned() } else { format!("{values} values") };
    format!("{title}: {} over {over}{experiments}, {values}", metrics.join(", "))
}
