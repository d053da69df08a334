use std::collections::HashMap;

use crate::ResultKind;

/// Rows of values and results, grouped by their values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the variables, as in formulas.
    pub variables: Vec<String>,
    /// The header of the column that is the result.
    pub result: String,
    /// The kind of the result; times are converted to seconds.
    pub quantity: ResultKind,
    /// The rows: repetitions are together, in the order of the file.
    pub groups: Vec<Group>,
    /// Columns that have another name in formulas than their header.
    pub renamed: Vec<Renamed>,
    /// Assumptions, and rows that were left out.
    pub remarks: Vec<Remark>,
}

/// Rows with the same values of all variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// One value for each variable.
    pub values: Vec<f64>,
    /// The results, in seconds if they are times, in the order of the file.
    pub results: Vec<f64>,
    /// The runs that the results are of: stretches of consecutive results of one run; empty if the file does not say.
    pub runs: Vec<RunStretch>,
}

/// Consecutive results of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStretch {
    /// The run's number in the file.
    pub run: u32,
    /// How many results.
    pub count: u32,
}

/// A column with another name in formulas than its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The header in the file.
    pub header: String,
    /// The name in formulas.
    pub name: String,
}

/// Remarks of a reader on a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// Rows without a number where one is needed are left out.
    LeftOut(Examples),
    /// Lines that cannot be used are left out, as was asked for.
    Skipped(Examples),
    /// Times of zero or below: they are kept.
    NotPositive(Examples),
    /// Numbers have a decimal comma: the first one.
    DecimalComma(String),
    /// A column with text that no formula uses.
    TextColumn {
        /// The header of the column.
        header: String,
        /// Whether it has several texts.
        several: bool,
    },
    /// A column that numbers runs, repetitions or rows and that no formula uses.
    RepetitionColumn(String),
    /// The format that was read, and how its parts were understood.
    Format(String),
    /// Something else that was read otherwise than it stands in the file.
    Note(String),
}

/// The first few of a kind, and their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examples {
    /// The first, at most [`Examples::SHOWN`].
    pub first: Vec<String>,
    /// The total number.
    pub count: u64,
}

impl Examples {
    /// The largest number that is kept as text.
    pub const SHOWN: usize = 3;

    pub(crate) fn add(&mut self, example: impl FnOnce() -> String) {
        if self.first.len() < Self::SHOWN {
            self.first.push(example());
        }
        self.count += 1;
    }

    /// How many are not among the first.
    pub fn more(&self) -> u64 {
        self.count - self.first.len() as u64
    }
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.groups.iter().map(|group| group.results.len()).sum()
    }
}

/// Rows `(values, result, run)` with equal values together, in the order of the first of each.
pub fn grouped(rows: impl IntoIterator<Item = (Vec<f64>, f64, u32)>) -> Vec<Group> {
    let mut groups = RowGroups::default();
    for (values, result, run) in rows {
        groups.add(&values, result, Some(run));
    }
    groups.done()
}

/// Collects rows into groups.
#[derive(Default)]
pub(crate) struct RowGroups {
    groups: Vec<Group>,
    index: HashMap<Vec<u64>, usize>,
    key: Vec<u64>,
}

impl RowGroups {
    pub(crate) fn add(&mut self, values: &[f64], result: f64, run: Option<u32>) {
        self.key.clear();
        // Zero and negative zero are equal.
        self.key.extend(values.iter().map(|value| (value + 0.0).to_bits()));
        let index = match self.index.get(&self.key) {
            Some(&index) => index,
            None => {
                self.index.insert(self.key.clone(), self.groups.len());
                self.groups.push(Group { values: values.to_vec(), ..Group::default() });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[index];
        group.results.push(result);
        let Some(run) = run else { return };
        match group.runs.last_mut() {
            Some(last) if last.run == run && last.count < u32::MAX => last.count += 1,
            _ => group.runs.push(RunStretch { run, count: 1 }),
        }
    }

    pub(crate) fn done(self) -> Vec<Group> {
        self.groups
    }
}
