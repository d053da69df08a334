//! The rows of a table.

use std::collections::HashMap;

use crate::ResultKind;
use crate::cell::Cell;
use crate::distinct::distinct;
use crate::error::{ImportCause, ImportError};
use crate::header::HeaderColumn;
use crate::signs::Signs;
use crate::table::{Examples, Group, Remark, RowGroups, RunStretch, Table};
use crate::words::is_result;

use super::ImportOptions;
use super::content::Content;
use super::job_state::JobState;
use super::layout::Layout;
use super::results::ResultColumn;

/// The largest number of unusable rows that are listed.
const MAX_LISTED_ROWS: usize = 10;

/// The rows being read.
pub(super) struct Rows<'a> {
    pub(super) columns: &'a [HeaderColumn],
    pub(super) layout: Layout,
    options: &'a ImportOptions,
    delimiter: u8,
    pub(super) signs: Signs,
    /// Values that were read otherwise than they stand there.
    pub(super) notes: Vec<String>,
    /// Whether each variable is one of the formulas, if these are known.
    needed: Vec<bool>,
    /// The first place without a number, for each variable that no formula needs.
    pub(super) gaps: Vec<Option<String>>,
    /// The first clock time without hours.
    pub(super) short_clock: Option<String>,
    values: Vec<f64>,
    series: Vec<Series>,
    index: HashMap<String, usize>,
    key: String,
    /// The first text of each unused column, and whether there is another.
    pub(super) texts: Vec<(Option<String>, bool)>,
    /// The column of the state that a batch system gave each job, and whether it has one.
    state: Option<usize>,
    pub(super) has_states: bool,
    /// Numbers of the runs by their text.
    runs: HashMap<String, u32>,
    left_out: Examples,
    not_positive: Examples,
    skipped: Examples,
    wrong: Vec<ImportError>,
    wrongs: u64,
}

/// The rows of an experiment and metric.
struct Series {
    experiment: String,
    metric: String,
    quantity: ResultKind,
    groups: RowGroups,
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        columns: &'a [HeaderColumn],
        layout: Layout,
        options: &'a ImportOptions,
        signs: Signs,
        delimiter: u8,
    ) -> Rows<'a> {
        let is_used =
            |position: &usize| options.used.iter().any(|name| columns[*position].is_called(name));
        let used: Vec<bool> = layout.variables.iter().map(is_used).collect();
        // Without formulas, and with one that is wrong, all are needed.
        let needed = if used.contains(&true) { used } else { vec![true; layout.variables.len()] };
        Rows {
            columns,
            options,
            delimiter,
            signs,
            notes: Vec::new(),
            gaps: vec![None; needed.len()],
            needed,
            short_clock: None,
            values: Vec::with_capacity(layout.variables.len() + 1),
            series: Vec::new(),
            index: HashMap::new(),
            key: String::new(),
            texts: vec![(None, false); layout.unused.len()],
            state: layout
                .unused
                .iter()
                .map(|&(position, _)| position)
                .find(|&position| is_state(columns, position)),
            has_states: false,
            runs: HashMap::new(),
            left_out: Examples::default(),
            not_positive: Examples::default(),
            skipped: Examples::default(),
            wrong: Vec::new(),
            wrongs: 0,
            layout,
        }
    }

    pub(super) fn wrong(&mut self, error: ImportError) {
        if self.options.skip_bad {
            return self.skipped.add(|| error.to_string());
        }
        if self.wrong.len() < MAX_LISTED_ROWS {
            self.wrong.push(error);
        }
        self.wrongs += 1;
    }

    pub(super) fn add(&mut self, fields: &[String], line: u64) {
        let (expected, number) = (self.columns.len(), fields.len());
        // A separator behind the last field may stand in some rows only.
        let is_shorter = number + 1 == expected && self.columns[number].header.is_empty();
        let is_longer =
            number > expected && fields[expected..].iter().all(String::is_empty) && expected > 1;
        if expected != number && !is_shorter && !is_longer {
            let is_digits = |field: &String| field.bytes().all(|byte| byte.is_ascii_digit());
            let commas =
                self.delimiter == b',' && number > expected && fields[1..].iter().any(is_digits);
            return self
                .wrong(ImportCause::Fields { expected, found: number, commas }.error_at(line, 0));
        }
        if let Some(position) = self.state {
            let text = fields.get(position).map_or("", String::as_str);
            let state = JobState::read(text);
            self.has_states |= state.is_some();
            if state == Some(JobState::Unfinished) {
                let header = &self.columns[position].header;
                return self.left_out.add(|| format!("line {line}: `{header}` is {text}"));
            }
        }
        self.values.clear();
        let mut missing = None;
        for index in 0..self.layout.variables.len() {
            let position = self.layout.variables[index];
            let place = match self.number(fields, position, line) {
                Ok(Ok(value)) => {
                    self.values.push(value);
                    continue;
                }
                Ok(Err(what)) if self.needed[index] => {
                    missing = Some(what);
                    continue;
                }
                Ok(Err(what)) => what,
                Err(error) if self.needed[index] => return self.wrong(error),
                Err(error) => error.to_string(),
            };
            self.values.push(f64::NAN);
            self.gaps[index].get_or_insert(place);
        }
        let series_index = match self.series(fields, line) {
            Ok(index) => index,
            Err(error) => return self.wrong(error),
        };
        for ((first, differs), &(position, _)) in self.texts.iter_mut().zip(&self.layout.unused) {
            let text = fields.get(position).map_or("", String::as_str);
            match first {
                None => *first = Some(text.to_owned()),
                Some(first) => *differs |= first != text,
            }
        }
        let name = |position: usize| fields.get(position).map_or("", String::as_str);
        let own_run = self.layout.run.map(|position| self.run(name(position)));
        for index in 0..self.layout.results.len() {
            let column = self.layout.results[index];
            let run = own_run.or_else(|| column.tells_run.then_some(index as u32));
            match (self.number(fields, column.index, line), &missing) {
                (Ok(Ok(result)), None) => self.result(series_index, column, run, result, line),
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

    /// The number in a column, or what is there in its place. Times that have their unit in the cell are in seconds.
    fn number(
        &mut self,
        fields: &[String],
        position: usize,
        line: u64,
    ) -> Result<Result<f64, String>, ImportError> {
        let (text, column) =
            (fields.get(position).map_or("", String::as_str), &self.columns[position]);
        let cell = self.signs.read(text).map_err(|cause| cause.error_at(line, position + 1))?;
        let missing = match cell {
            Cell::NotFinite(value) => value.to_string(),
            Cell::Missing if text.is_empty() => "empty".to_owned(),
            Cell::Missing => format!("`{text}`"),
            Cell::Text => {
                let (text, column) = (text.to_owned(), column.header.clone());
                return Err(ImportCause::NotANumber { text, column }.error_at(line, position + 1));
            }
            Cell::Number(value) | Cell::Percent(value) | Cell::Time(value) | Cell::Clock(value) => {
                let is_result = self.layout.results.iter().any(|result| result.index == position);
                let (own, expected) = (content(cell), self.layout.contents[position]);
                // Zero is the same in each unit.
                let is_convertible = |content: Content| {
                    content.is_time() || content == Content::Number && column.is_time_unit()
                };
                let is_alike = own == expected
                    || is_convertible(own) && is_convertible(expected)
                    || value == 0.0;
                if !is_alike {
                    let text = text.to_owned();
                    let error = ImportCause::OtherUnit { text, column: column.header.clone() };
                    return Err(error.error_at(line, position + 1));
                }
                if own == Content::Clock && text.matches(':').count() == 1 {
                    self.short_clock.get_or_insert_with(|| text.to_owned());
                }
                // Other numbers of the column are in the unit of its header.
                let value = if is_result && own.is_time() {
                    self.layout.quantity.unconverted(value)
                } else {
                    value
                };
                return Ok(Ok(value));
            }
        };
        Ok(Err(format!("line {line}: `{}` is {missing}", column.header)))
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
        series_index: usize,
        column: ResultColumn,
        run: Option<u32>,
        result: f64,
        line: u64,
    ) {
        let series = &mut self.series[series_index];
        let result = series.quantity.converted(result);
        if series.quantity.is_time() && result <= 0.0 {
            let what = if result < 0.0 { "a negative time" } else { "a time of zero" };
            let column = &self.columns[column.index].header;
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
        let text = |position: usize| fields.get(position).map_or("", String::as_str);
        self.key.clear();
        for &position in &layout.by {
            if !self.key.is_empty() {
                self.key.push('/');
            }
            self.key.push_str(text(position));
        }
        let length = self.key.len();
        let metric = layout.metric.map_or(layout.title.as_str(), |position| text(position));
        if layout.metric.is_some() {
            self.key.push('\0');
            self.key.push_str(metric);
        }
        let unit = layout
            .unit
            .filter(|_| self.options.unit.is_none())
            .map(|position| (position, text(position)));
        let quantity = match unit {
            Some((_, unit)) if !unit.is_empty() => ResultKind::named(unit),
            _ if layout.metric.is_some() && self.options.unit.is_none() => {
                ResultKind::of_metric(metric)
            }
            _ => layout.quantity.clone(),
        };
        if let Some(&index) = self.index.get(&self.key) {
            let known = &self.series[index].quantity;
            return match unit {
                Some((position, unit)) if *known != quantity => {
                    let known = match known {
                        ResultKind::Time { unit, .. } => unit,
                        ResultKind::Other(unit) => unit.as_str(),
                        ResultKind::Unknown => "none",
                    };
                    let message = format!("the unit is `{unit}` here, and `{known}` above");
                    Err(ImportCause::Unexpected(message).error_at(line, position + 1))
                }
                _ => Ok(index),
            };
        }
        self.index.insert(self.key.clone(), self.series.len());
        self.series.push(Series {
            experiment: self.key[..length].to_owned(),
            metric: metric.to_owned(),
            quantity,
            groups: RowGroups::default(),
        });
        Ok(self.series.len() - 1)
    }

    pub(super) fn done(mut self, header_line: u64) -> Result<Vec<(String, Table)>, ImportError> {
        match self.wrongs {
            0 => {}
            1 => return Err(self.wrong.remove(0)),
            count => return Err(ImportCause::Rows { first: self.wrong, count }.error_at(0, 0)),
        }
        let mut remarks = Vec::new();
        if self.layout.metric.is_some() {
            remarks.extend(self.choose_metric().map_err(|cause| cause.error_at(header_line, 0))?);
        }
        remarks.extend(self.remarks());
        let (columns, layout) = (self.columns, &self.layout);
        remarks.extend((self.left_out.count > 0).then(|| Remark::LeftOut(self.left_out.clone())));
        remarks.extend((self.skipped.count > 0).then(|| Remark::Skipped(self.skipped.clone())));
        remarks.extend(
            (self.not_positive.count > 0).then(|| Remark::NotPositive(self.not_positive.clone())),
        );
        let kept: Vec<usize> =
            (0..self.gaps.len()).filter(|&index| self.gaps[index].is_none()).collect();
        let has_gaps = kept.len() < self.gaps.len();
        let variables_at: Vec<usize> = kept.iter().map(|&index| layout.variables[index]).collect();
        let names = variables_at.iter().map(|&position| columns[position].name.clone());
        let variables: Vec<String> = names.chain(layout.across.clone()).collect();
        let renamed: Vec<_> =
            variables_at.iter().filter_map(|&position| columns[position].renamed()).collect();
        let mut tables: Vec<(String, Table)> = Vec::new();
        for series in self.series {
            let mut groups = series.groups.done();
            if has_gaps {
                groups = without_gaps(groups, &kept, layout.variables.len());
            }
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
            return Err(ImportCause::NothingLeft { example }.error_at(0, 0));
        }
        Ok(tables)
    }

    /// Keeps one metric: the requested one, or the time if there is one.
    fn choose_metric(&mut self) -> Result<Option<Remark>, ImportCause> {
        let mut metrics: Vec<String> =
            distinct(self.series.iter().map(|series| series.metric.clone()));
        let is_time = |metric: &&String| {
            is_result(&metric.to_lowercase()) || ResultKind::of_metric(metric).is_time()
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

fn is_state(columns: &[HeaderColumn], position: usize) -> bool {
    columns[position].header.eq_ignore_ascii_case("state")
}

/// The content of a column with this cell.
fn content(cell: Cell) -> Content {
    match cell {
        Cell::Percent(_) => Content::Percent,
        Cell::Time(_) => Content::Time,
        Cell::Clock(_) => Content::Clock,
        Cell::Number(_) | Cell::NotFinite(_) | Cell::Missing | Cell::Text => Content::Number,
    }
}

/// Groups by the variables that are kept, of `count`; what stands behind these stays.
fn without_gaps(groups: Vec<Group>, kept: &[usize], count: usize) -> Vec<Group> {
    let mut regrouped = RowGroups::default();
    for group in groups {
        let own = kept.iter().map(|&index| group.values[index]);
        let values: Vec<f64> = own.chain(group.values[count..].iter().copied()).collect();
        let counted =
            |stretch: &RunStretch| (0..stretch.count).map(|_| Some(stretch.run)).collect();
        let runs: Vec<Vec<Option<u32>>> = group.runs.iter().map(counted).collect();
        let runs = runs.into_iter().flatten().chain(std::iter::repeat(None));
        for (result, run) in group.results.into_iter().zip(runs) {
            regrouped.add(&values, result, run);
        }
    }
    regrouped.done()
}
