//! Samples of an experiment as a value of the language: subsets, new columns, marks.

mod attribute;
mod build;
mod frame;
mod label;
mod launches;
mod table;
mod trace;

use std::sync::Arc;

use cll_result::ColumnModel;
use cll_trace::{Cell, Observed, Origin, Place};

use crate::value::Unit;

pub use attribute::{ATTRIBUTES, Attribute};
pub use build::{labelled_samples, table_samples, trace_samples};
pub use frame::{Frame, Level};
pub use label::Label;

/// The common origin of the samples of several experiments.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The trace without experiments: processes, runs, damage, warnings.
    pub trace: cll_trace::Trace,
    /// The files that were read, in the order of the traces.
    pub files: Vec<String>,
}

/// The samples of one experiment.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Where they come from.
    pub context: Arc<Context>,
    /// The name of the experiment.
    pub name: String,
    /// The formula in the source; empty if there is none.
    pub formula: String,
    /// The variables whose values each sample has.
    pub variables: Vec<String>,
    /// The name of the numbers: `time`, or the name of a table's column.
    pub result: String,
    /// Their unit.
    pub unit: Unit,
    /// The observables that were recorded beside the numbers, and columns that were added.
    pub observables: Vec<Observed>,
    /// The places in the source.
    pub places: Vec<Place>,
    /// Where samples come from, as in [`cll_trace::Experiment::origins`].
    pub origins: Arc<[Origin]>,
    /// The samples by values of the variables.
    pub groups: Vec<Group>,
    /// The column of a table; `None` for samples of a trace.
    pub column: Option<ColumnModel>,
    /// Columns of words, by origin.
    pub labels: Vec<Label>,
    /// The changes since the samples were read, as statements: `time = time/N`.
    pub changes: Vec<String>,
}

/// The samples at one tuple of values.
#[derive(Clone, Debug)]
pub struct Group {
    /// One value for each variable.
    pub values: Vec<f64>,
    /// The samples; the values in it are those that were recorded.
    pub cell: Arc<Cell>,
    /// For each sample whether it is marked as an outlier; `None`: none is.
    pub marks: Option<Arc<[bool]>>,
}

impl Group {
    /// Number of samples.
    pub fn len(&self) -> usize {
        self.cell.inclusive.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of marked samples.
    pub fn marked(&self) -> usize {
        self.marks.as_deref().map_or(0, |marks| marks.iter().filter(|mark| **mark).count())
    }
}

impl Samples {
    /// Number of samples, with those that are marked.
    pub fn rows(&self) -> usize {
        self.groups.iter().map(Group::len).sum()
    }

    /// Number of marked samples.
    pub fn marked(&self) -> usize {
        self.groups.iter().map(Group::marked).sum()
    }

    /// The index of the variable of this name.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|known| known == name)
    }

    /// The index of the observable of this name; `_` may stand for `-`.
    pub fn observable(&self, name: &str) -> Option<usize> {
        let same =
            |observed: &Observed| observed.name == name || observed.name.replace('-', "_") == name;
        self.observables.iter().position(same)
    }

    /// The names that may be used for columns, in the order in which they are shown.
    pub fn column_names(&self) -> Vec<String> {
        let mut names = self.variables.clone();
        names.push(self.result.clone());
        let attributes = ATTRIBUTES.iter().filter(|attribute| attribute.is_of(self));
        let observables = self.observables.iter().map(|observed| observed.name.replace('-', "_"));
        names.extend(self.labels.iter().map(|label| label.name.clone()));
        names.extend(observables.chain(attributes.map(|attribute| attribute.name().to_owned())));
        names
    }

    /// The groups that are marked; for each of them, with these samples only, if some are given.
    pub fn kept_groups(&self, keep: &[bool]) -> Samples {
        let groups = self.groups.iter().zip(keep).filter(|(_, keep)| **keep);
        Samples { groups: groups.map(|(group, _)| group.clone()).collect(), ..self.clone() }
    }

    /// The samples that are marked in `keep`, in the order of groups and samples.
    pub fn kept_rows(&self, keep: &[bool]) -> Samples {
        let mut groups = Vec::new();
        let mut first = 0;
        for group in &self.groups {
            let here = &keep[first..first + group.len()];
            first += group.len();
            let kept: Vec<usize> =
                here.iter().enumerate().filter(|(_, keep)| **keep).map(|(k, _)| k).collect();
            if kept.len() == group.len() {
                groups.push(group.clone());
            } else if !kept.is_empty() {
                let mut cell = Cell::clone(&group.cell);
                cell.keep_samples(&kept);
                let marks =
                    group.marks.as_ref().map(|marks| kept.iter().map(|k| marks[*k]).collect());
                groups.push(Group { values: group.values.clone(), cell: Arc::new(cell), marks });
            }
        }
        Samples { groups, ..self.clone() }
    }

    /// With these marks added (or removed), one for each sample in the order of groups and samples.
    pub fn with_marks(&self, which: &[bool], mark: bool) -> Samples {
        let mut samples = self.clone();
        let mut first = 0;
        for group in &mut samples.groups {
            let length = group.len();
            let here = &which[first..first + length];
            first += length;
            if !here.contains(&true) {
                continue;
            }
            let mut marks =
                group.marks.as_deref().map_or_else(|| vec![false; length], <[bool]>::to_vec);
            for (known, which) in marks.iter_mut().zip(here) {
                *known = if *which { mark } else { *known };
            }
            group.marks = marks.contains(&true).then(|| marks.into());
        }
        samples
    }

    /// With one value of a variable, old or new, for each group. Groups of then equal values are put together.
    pub fn with_variable(&self, name: &str, values: &[f64]) -> Samples {
        let mut samples = self.clone();
        let index = samples.variable(name);
        if index.is_none() {
            samples.variables.push(name.to_owned());
        }
        for (group, value) in samples.groups.iter_mut().zip(values) {
            match index {
                Some(index) => group.values[index] = *value,
                None => group.values.push(*value),
            }
        }
        if index.is_some() { samples.joined() } else { samples }
    }

    /// With a column of numbers, one for each sample: the result itself, or an observable.
    pub fn with_rows(&self, name: &str, values: &[f64], unit: &Unit) -> Samples {
        let mut samples = self.clone();
        let is_result = name == samples.result;
        let observable = samples.observable(name);
        let index = observable.unwrap_or(samples.observables.len());
        if !is_result && observable.is_none() {
            let (name, unit) = (name.to_owned(), unit.to_string());
            samples.observables.push(Observed { name, unit, additive: false });
        }
        let mut first = 0;
        for group in &mut samples.groups {
            let here = &values[first..first + group.len()];
            first += group.len();
            let cell = if is_result {
                with_times(&group.cell, here)
            } else {
                let mut cell = Cell::clone(&group.cell);
                cell.observed.resize_with(index + 1, Default::default);
                let series = (here.to_vec(), here.to_vec());
                cell.observed[index] =
                    cll_trace::Series { inclusive: series.0, exclusive: series.1 };
                cell
            };
            group.cell = Arc::new(cell);
        }
        if is_result {
            samples.unit = unit.clone()
        } else {
            samples.observables[index].unit = unit.to_string()
        }
        samples
    }

    /// Puts groups of equal values together.
    pub(crate) fn joined(mut self) -> Samples {
        let mut index = std::collections::HashMap::new();
        let mut groups: Vec<Group> = Vec::new();
        for group in std::mem::take(&mut self.groups) {
            let key: Vec<u64> = group.values.iter().map(|value| (value + 0.0).to_bits()).collect();
            match index.get(&key) {
                Some(&position) => {
                    let known: &mut Group = &mut groups[position];
                    *known = known.with(&group, self.observables.len());
                }
                None => {
                    index.insert(key, groups.len());
                    groups.push(group);
                }
            }
        }
        self.groups = groups;
        self
    }
}

impl Group {
    /// With the samples of another one after its own.
    fn with(&self, other: &Group, observables: usize) -> Group {
        let mut cell = Cell::clone(&self.cell);
        let own: Vec<u32> = self
            .cell
            .stretches
            .iter()
            .chain(&other.cell.stretches)
            .map(|stretch| stretch.origin + 1)
            .max()
            .map_or_else(Vec::new, |count| (0..count).collect());
        let all: Vec<usize> = (0..observables).collect();
        cell.append(Cell::clone(&other.cell), &own, &all);
        let marks = (self.marks.is_some() || other.marks.is_some()).then(|| {
            let marks_of = |group: &Group| {
                group.marks.as_deref().map_or_else(|| vec![false; group.len()], <[bool]>::to_vec)
            };
            [marks_of(self), marks_of(other)].concat().into()
        });
        Group { values: self.values.clone(), cell: Arc::new(cell), marks }
    }
}

/// A cell with other times; times without the regions inside change by the same factor.
fn with_times(cell: &Cell, times: &[f64]) -> Cell {
    let mut new = Cell::new(cell.values.clone());
    let mut stretches = cell.stretches.iter();
    let (mut origin, mut end) = (0, 0);
    for (k, time) in times.iter().enumerate() {
        while k >= end {
            let Some(stretch) = stretches.next() else { break };
            (origin, end) = (stretch.origin, end + stretch.count as usize);
        }
        let (old, own) = (cell.inclusive[k], cell.exclusive()[k]);
        let own = if old == own { *time } else { time * own / old };
        new.push(*time, own, origin);
    }
    new.observed.clone_from(&cell.observed);
    new.first_of.clone_from(&cell.first_of);
    new
}
