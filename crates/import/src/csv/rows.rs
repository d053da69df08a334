//! The rows of a table.

use std::collections::HashMap;

use crate::Quantity;
use crate::error::{ImportCause, ImportError};
use crate::field::{Field, Fields};
use crate::header::{Column, is_result};
use crate::table::{Examples, Groups, Remark, Table};

use super::ImportOptions;
use super::layout::{Layout, ResultColumn};

/// The largest number of unusable rows that are listed.
const MAX_LISTED_ROWS: usize = 10;

/// The rows being read.
pub(super) struct Rows<'a> {
    columns: &'a [Column],
    layout: Layout,
    options: &'a ImportOptions,
    delimiter: u8,
    reader: Fields,
    values: Vec<f64>,
    series: Vec<Series>,
    index: HashMap<String, usize>,
    key: String,
    /// Of each ignored column the first text, and whether there is another.
    texts: Vec<(Option<String>, bool)>,
    /// Numbers of the runs by their text.
    runs: HashMap<String, u32>,
    left_out: Examples,
    not_positive: Examples,
    wrong: Vec<ImportError>,
    wrongs: u64,
}

/// The rows of an experiment and metric.
struct Series {
    experiment: String,
    metric: String,
    quantity: Quantity,
    groups: Groups,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        columns: &'a [Column],
        layout: Layout,
        options: &'a ImportOptions,
        delimiter: u8,
    ) -> Rows<'a> {
        Rows {
            columns,
            options,
            delimiter,
            reader: Fields::new(delimiter),
            values: Vec::with_capacity(layout.variables.len() + 1),
            series: Vec::new(),
            index: HashMap::new(),
            key: String::new(),
            texts: vec![(None, false); layout.ignored.len()],
            runs: HashMap::new(),
            left_out: Examples::default(),
            not_positive: Examples::default(),
            wrong: Vec::new(),
            wrongs: 0,
            layout,
        }
    }

    pub(super) fn wrong(&mut self, error: ImportError) {
        if self.wrong.len() < MAX_LISTED_ROWS {
            self.wrong.push(error);
        }
        self.wrongs += 1;
    }

    pub(super) fn add(&mut self, fields: &[String], line: u64) {
        let (expected, found) = (self.columns.len(), fields.len());
        if expected != found {
            let is_digits = |field: &String| field.bytes().all(|byte| byte.is_ascii_digit());
            let commas =
                self.delimiter == b',' && found > expected && fields[1..].iter().any(is_digits);
            return self.wrong(ImportCause::Fields { expected, found, commas }.at(line, 0));
        }
        self.values.clear();
        let mut missing = None;
        for index in 0..self.layout.variables.len() {
            match self.number(fields, self.layout.variables[index], line) {
                Ok(Ok(value)) => self.values.push(value),
                Ok(Err(what)) => missing = Some(what),
                Err(error) => return self.wrong(error),
            }
        }
        let of = match self.series(fields, line) {
            Ok(index) => index,
            Err(error) => return self.wrong(error),
        };
        for ((first, differs), &at) in self.texts.iter_mut().zip(&self.layout.ignored) {
            match first {
                None => *first = Some(fields[at].clone()),
                Some(first) => *differs |= *first != fields[at],
            }
        }
        let own_run = self.layout.run.map(|at| self.run(&fields[at]));
        for index in 0..self.layout.results.len() {
            let column = self.layout.results[index];
            let run = own_run.or_else(|| column.tells_run.then_some(index as u32));
            match (self.number(fields, column.at, line), &missing) {
                (Ok(Ok(result)), None) => {
                    self.result(of, column, run, result, line);
                }
                (Ok(Ok(_)), Some(_)) => {}
                (Ok(Err(what)), None) => self.left_out.add(|| what),
                (Ok(Err(what)), Some(_)) => missing = Some(what),
                (Err(error), _) => return self.wrong(error),
            }
        }
        if let Some(what) = missing {
            self.left_out.add(|| what);
        }
    }

    /// The number in a column, or what is there in its place.
    fn number(
        &mut self,
        fields: &[String],
        at: usize,
        line: u64,
    ) -> Result<Result<f64, String>, ImportError> {
        let (text, column) = (&fields[at], &self.columns[at].header);
        let missing = match self.reader.read(text) {
            Field::Number(value) => return Ok(Ok(value)),
            Field::NotFinite(value) => value.to_string(),
            Field::Missing if text.is_empty() => "empty".to_owned(),
            Field::Missing => format!("`{text}`"),
            Field::Text => {
                let (text, column) = (text.clone(), column.clone());
                return Err(ImportCause::NotANumber { text, column }.at(line, at + 1));
            }
        };
        Ok(Err(format!("line {line}: `{column}` is {missing}")))
    }

    /// The number of the run that a field names.
    fn run(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.runs.get(name) {
            return known;
        }
        let number = u32::try_from(self.runs.len()).unwrap_or(u32::MAX);
        self.runs.insert(name.to_owned(), number);
        number
    }

    fn result(
        &mut self,
        of: usize,
        column: ResultColumn,
        run: Option<u32>,
        result: f64,
        line: u64,
    ) {
        let series = &mut self.series[of];
        let result = series.quantity.converted(result);
        if series.quantity.is_time() && result <= 0.0 {
            let what = if result < 0.0 { "a negative time" } else { "a time of zero" };
            let column = &self.columns[column.at].header;
            self.not_positive.add(|| format!("line {line}: `{column}` is {what}"));
        }
        match column.value {
            None => series.groups.add(&self.values, result, run),
            Some(value) => {
                self.values.push(value);
                series.groups.add(&self.values, result, run);
                self.values.pop();
            }
        }
    }

    /// The series of a row's experiment and metric.
    fn series(&mut self, fields: &[String], line: u64) -> Result<usize, ImportError> {
        let layout = &self.layout;
        self.key.clear();
        for &at in &layout.by {
            if !self.key.is_empty() {
                self.key.push('/');
            }
            self.key.push_str(&fields[at]);
        }
        let length = self.key.len();
        let metric = layout.metric.map_or(layout.title.as_str(), |at| fields[at].as_str());
        if layout.metric.is_some() {
            self.key.push('\0');
            self.key.push_str(metric);
        }
        let unit =
            layout.unit.filter(|_| self.options.unit.is_none()).map(|at| (at, fields[at].as_str()));
        let quantity = match unit {
            Some((_, unit)) if !unit.is_empty() => Quantity::named(unit),
            _ if layout.metric.is_some() && self.options.unit.is_none() => {
                Quantity::of_metric(metric)
            }
            _ => layout.quantity.clone(),
        };
        if let Some(&index) = self.index.get(&self.key) {
            let known = &self.series[index].quantity;
            return match unit {
                Some((at, unit)) if *known != quantity => {
                    let known = match known {
                        Quantity::Time { unit, .. } => unit,
                        Quantity::Other(unit) => unit.as_str(),
                        Quantity::Unknown => "none",
                    };
                    let message = format!("the unit is `{unit}` here, and `{known}` above");
                    Err(ImportCause::Unexpected(message).at(line, at + 1))
                }
                _ => Ok(index),
            };
        }
        self.index.insert(self.key.clone(), self.series.len());
        self.series.push(Series {
            experiment: self.key[..length].to_owned(),
            metric: metric.to_owned(),
            quantity,
            groups: Groups::default(),
        });
        Ok(self.series.len() - 1)
    }

    pub(super) fn done(mut self, header_line: u64) -> Result<Vec<(String, Table)>, ImportError> {
        match self.wrongs {
            0 => {}
            1 => return Err(self.wrong.remove(0)),
            count => return Err(ImportCause::Rows { first: self.wrong, count }.at(0, 0)),
        }
        let mut remarks = Vec::new();
        if self.layout.metric.is_some() {
            remarks.extend(self.choose_metric().map_err(|cause| cause.at(header_line, 0))?);
        }
        let comma = self.reader.decimal_comma().map_err(|cause| cause.at(0, 0))?;
        let (columns, layout) = (self.columns, &self.layout);
        let header = |&at: &usize| columns[at].header.clone();
        for (at, (_, several)) in layout.ignored.iter().zip(self.texts) {
            remarks.push(Remark::TextColumn { header: header(at), several });
        }
        remarks.extend(layout.numbering.iter().map(header).map(Remark::RepetitionColumn));
        remarks.extend(comma.map(Remark::DecimalComma));
        remarks.extend((self.left_out.count > 0).then(|| Remark::LeftOut(self.left_out.clone())));
        remarks.extend(
            (self.not_positive.count > 0).then_some(Remark::NotPositive(self.not_positive)),
        );
        let names = layout.variables.iter().map(|&at| columns[at].name.clone());
        let variables: Vec<String> = names.chain(layout.across.clone()).collect();
        let renamed: Vec<_> =
            layout.variables.iter().filter_map(|&at| columns[at].renamed()).collect();
        let mut tables: Vec<(String, Table)> = Vec::new();
        for series in self.series {
            let groups = series.groups.done();
            if groups.is_empty() {
                continue;
            }
            let is_first = tables.is_empty();
            let table = Table {
                variables: variables.clone(),
                result: series.metric,
                quantity: series.quantity,
                groups,
                renamed: if is_first { renamed.clone() } else { Vec::new() },
                remarks: if is_first { std::mem::take(&mut remarks) } else { Vec::new() },
            };
            tables.push((series.experiment, table));
        }
        if tables.is_empty() {
            let example = self.left_out.first.first().cloned().unwrap_or_default();
            return Err(ImportCause::NothingLeft { example }.at(0, 0));
        }
        Ok(tables)
    }

    /// Keeps one metric: the requested one, or the time if there is one.
    fn choose_metric(&mut self) -> Result<Option<Remark>, ImportCause> {
        let mut metrics: Vec<String> = Vec::new();
        for series in &self.series {
            if !metrics.contains(&series.metric) {
                metrics.push(series.metric.clone());
            }
        }
        let is_time = |metric: &&String| {
            is_result(&metric.to_lowercase()) || Quantity::of_metric(metric).is_time()
        };
        let wanted = match &self.options.result {
            Some(name) if !metrics.contains(name) => {
                return Err(ImportCause::NoMetric { name: name.clone(), known: metrics });
            }
            Some(name) => name.clone(),
            None => match metrics.iter().find(is_time) {
                Some(time) => time.clone(),
                None => return Ok(None),
            },
        };
        self.series.retain(|series| series.metric == wanted);
        metrics.retain(|metric| *metric != wanted);
        let others = format!("other metrics, chosen by --metric: {}", metrics.join(", "));
        let is_told = !metrics.is_empty() && self.options.result.is_none();
        Ok(is_told.then_some(Remark::Note(others)))
    }
}
