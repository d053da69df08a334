use std::collections::HashMap;

use crate::ResultKind;
use crate::error::{ImportCause, ImportError};
use crate::table::{Examples, Remark, RowGroups, Table};

/// Reads Extra-P's text input: `PARAMETER`, `POINTS`, `REGION`, `METRIC` and `DATA` lines, `#` begins a comment
/// line. Returns a table for each region and metric, with the region's name (empty if none was given); the metric
/// is the table's result. Each number of a `DATA` line is a repetition.
///
/// `unit` is that of all results; `None`: metrics called `time` are in seconds, a unit of time in the name of a
/// metric is used, and other metrics have their own units.
///
/// # Errors
/// With the line of the first error; for a region with fewer `DATA` lines than points with their number.
pub fn extrap(text: &str, unit: Option<&str>) -> Result<Vec<(String, Table)>, ImportError> {
    let mut file = File { unit, ..File::default() };
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        let number = index as u64 + 1;
        let trimmed = line.trim();
        if trimmed.is_empty() || line.starts_with('#') {
            continue;
        }
        last = number;
        let (field, value) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        file.line(field, value.trim(), number).map_err(|cause| cause.error_at(number, 0))?;
    }
    file.complete().map_err(|cause| cause.error_at(last, 0))?;
    match file.tables.is_empty() {
        true if text.trim().is_empty() => Err(ImportCause::Empty.error_at(0, 0)),
        true => Err(ImportCause::Extrap("there are no DATA lines".into()).error_at(0, 0)),
        false => file.tables.into_iter().map(Started::done).collect(),
    }
}

#[derive(Default)]
struct File<'a> {
    unit: Option<&'a str>,
    parameters: Vec<String>,
    points: Vec<Vec<f64>>,
    region: String,
    metric: String,
    /// The point of the next DATA line.
    point: usize,
    tables: Vec<Started>,
    /// The table of a region and a metric.
    index: HashMap<(String, String), usize>,
}

/// A table being read.
struct Started {
    region: String,
    table: Table,
    groups: RowGroups,
    left_out: Examples,
    not_positive: Examples,
}

impl File<'_> {
    fn line(&mut self, field: &str, value: &str, number: u64) -> Result<(), ImportCause> {
        match field {
            "PARAMETER" if !self.points.is_empty() => {
                return Err(ImportCause::Extrap("PARAMETER after POINTS".into()));
            }
            "PARAMETER" => self.parameters.extend(value.split_whitespace().map(str::to_owned)),
            "POINTS" => self.points(value)?,
            "REGION" => {
                self.complete()?;
                (self.region, self.point) = (value.to_owned(), 0);
            }
            "METRIC" => {
                self.complete()?;
                (self.metric, self.point) = (value.to_owned(), 0);
            }
            "DATA" => self.data(value, number)?,
            _ => {
                return Err(ImportCause::Extrap(format!(
                    "`{field}` is not one of PARAMETER, POINTS, REGION, METRIC, DATA"
                )));
            }
        }
        Ok(())
    }

    /// Checks that the ending region and metric have a DATA line for each point, or none at all.
    fn complete(&self) -> Result<(), ImportCause> {
        let (number, expected) = (self.point, self.points.len());
        if number == 0 || number == expected {
            return Ok(());
        }
        let region = if self.region.is_empty() {
            String::new()
        } else {
            format!(" in region `{}`", self.region)
        };
        Err(ImportCause::Extrap(format!("{number} DATA lines for {expected} POINTS{region}")))
    }

    fn points(&mut self, value: &str) -> Result<(), ImportCause> {
        if self.parameters.is_empty() {
            return Err(ImportCause::Extrap("POINTS before any PARAMETER".into()));
        }
        let mut values = Vec::new();
        let words = value.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        for word in words.filter(|word| !word.is_empty()) {
            values.push(numeral(word, "POINTS")?);
        }
        let dimensions = self.parameters.len();
        if !values.len().is_multiple_of(dimensions) {
            return Err(ImportCause::Extrap(format!(
                "{} numbers are not whole points of {dimensions} parameters",
                values.len()
            )));
        }
        self.points.extend(values.chunks_exact(dimensions).map(<[f64]>::to_vec));
        Ok(())
    }

    fn data(&mut self, value: &str, line: u64) -> Result<(), ImportCause> {
        let Some(point) = self.points.get(self.point) else {
            return Err(ImportCause::Extrap(format!(
                "more DATA lines than the {} POINTS",
                self.points.len()
            )));
        };
        self.point += 1;
        let metric = if self.metric.is_empty() { "time" } else { &self.metric };
        let index =
            *self.index.entry((self.region.clone(), metric.to_owned())).or_insert_with(|| {
                self.tables.push(Started::new(&self.region, metric, &self.parameters, self.unit));
                self.tables.len() - 1
            });
        let started = &mut self.tables[index];
        for word in value.split_whitespace() {
            started.add(point, numeral(word, "DATA")?, line);
        }
        Ok(())
    }
}

impl Started {
    fn new(region: &str, metric: &str, parameters: &[String], unit: Option<&str>) -> Started {
        let table = Table {
            variables: parameters.to_vec(),
            result: metric.to_owned(),
            quantity: unit.map_or_else(|| ResultKind::of_metric(metric), ResultKind::named),
            ..Table::default()
        };
        Started {
            region: region.to_owned(),
            table,
            groups: RowGroups::default(),
            left_out: Examples::default(),
            not_positive: Examples::default(),
        }
    }

    fn add(&mut self, point: &[f64], number: f64, line: u64) {
        if !number.is_finite() {
            return self
                .left_out
                .add(|| format!("line {line}: `{}` is {number}", self.table.result));
        }
        if self.table.quantity.is_time() && number <= 0.0 {
            let what = if number < 0.0 { "a negative time" } else { "a time of zero" };
            self.not_positive.add(|| format!("line {line}: `{}` is {what}", self.table.result));
        }
        self.groups.add(point, self.table.quantity.converted(number), None);
    }

    fn done(self) -> Result<(String, Table), ImportError> {
        let Started { region, mut table, groups, left_out, not_positive } = self;
        table.groups = groups.done();
        if table.groups.is_empty() {
            let example = left_out.first.first().cloned().unwrap_or_default();
            return Err(ImportCause::NothingLeft { example }.error_at(0, 0));
        }
        table.remarks.extend((left_out.count > 0).then_some(Remark::LeftOut(left_out)));
        table.remarks.extend((not_positive.count > 0).then_some(Remark::NotPositive(not_positive)));
        Ok((region, table))
    }
}

fn numeral(text: &str, column: &str) -> Result<f64, ImportCause> {
    let error = |_| ImportCause::NotANumber { text: text.to_owned(), column: column.to_owned() };
    text.parse().map_err(error)
}
