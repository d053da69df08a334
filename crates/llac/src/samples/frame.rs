//! Columns of samples as expressions use them.

use super::{ATTRIBUTES, Attribute, Samples};
use crate::value::{Cells, Column, Unit};

/// The level of an expression: one value for each tuple of values, or for each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One value for each tuple of values.
    Groups,
    /// One value for each sample.
    Rows,
}

/// The columns of samples at a level.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The samples.
    pub samples: &'a Samples,
    /// The level of the columns.
    pub level: Level,
}

impl Samples {
    /// The level of a column: variables have one value for each group. `None`: there is no such column.
    pub fn level(&self, name: &str) -> Option<Level> {
        if self.variable(name).is_some() {
            return Some(Level::Groups);
        }
        let is_row = name == self.result
            || self.observable(name).is_some()
            || self.label(name).is_some()
            || ATTRIBUTES.iter().any(|attribute| attribute.name() == name && attribute.is_of(self));
        is_row.then_some(Level::Rows)
    }

    /// The level at which an expression with these names is evaluated.
    pub fn level_of<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Level {
        names.into_iter().filter_map(|name| self.level(name)).max().unwrap_or(Level::Groups)
    }
}

impl Frame<'_> {
    /// Number of values of a column.
    pub fn len(&self) -> usize {
        match self.level {
            Level::Groups => self.samples.groups.len(),
            Level::Rows => self.samples.rows(),
        }
    }

    /// The column of a name; `None` if the samples have none.
    pub fn column(&self, name: &str) -> Option<Cells> {
        let samples = self.samples;
        if let Some(index) = samples.variable(name) {
            let mut all = Vec::with_capacity(self.len());
            for group in &samples.groups {
                match self.level {
                    Level::Groups => all.push(group.values[index]),
                    Level::Rows => all.resize(all.len() + group.len(), group.values[index]),
                }
            }
            return Some(Cells::Numbers(Column::plain(all)));
        }
        if name == samples.result {
            let all = samples.groups.iter().flat_map(|group| &group.cell.inclusive);
            let unit = samples.unit.clone();
            return Some(Cells::Numbers(Column { values: all.copied().collect(), unit }));
        }
        if let Some(index) = samples.observable(name) {
            let unit = Unit::base(&samples.observables[index].unit);
            let mut all = Vec::with_capacity(self.len());
            for group in &samples.groups {
                match group.cell.observed.get(index) {
                    Some(series) => all.extend_from_slice(&series.inclusive),
                    None => all.resize(all.len() + group.len(), f64::NAN),
                }
            }
            return Some(Cells::Numbers(Column { values: all.into(), unit }));
        }
        if let Some(label) = samples.label(name) {
            return Some(label.cells(samples));
        }
        let attribute = Attribute::named(name).filter(|attribute| attribute.is_of(samples))?;
        Some(attribute.cells(samples))
    }
}
