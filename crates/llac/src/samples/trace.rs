//! From samples back to a trace, for everything that takes one.

use std::sync::Arc;

use cll_samples::{Policy, prepare};
use cll_trace::{Cell, Experiment, Start, Starts, Trace};

use super::{Group, Samples, trace_samples};

impl Samples {
    /// The samples that fits use: of each passage of a parallel program the slowest, without marked ones.
    pub fn prepared(&self) -> Samples {
        if self.column.is_some() {
            let mut kept = self.clone();
            kept.groups = self
                .groups
                .iter()
                .filter_map(|group| {
                    let cell = group.cell(false)?;
                    Some(Group { values: group.values.clone(), cell: Arc::new(cell), marks: None })
                })
                .collect();
            return kept;
        }
        let prepared = prepare(self.to_trace(false), &Policy::default()).0;
        let trace = Trace::clone(&prepared);
        let mut all = trace_samples(trace, self.context.files.clone());
        let changes = self.changes.clone();
        Samples { changes, ..all.swap_remove(0) }
    }

    /// A trace with this experiment alone, with or without samples that are marked.
    pub fn to_trace(&self, marked: bool) -> Trace {
        let cells = self.groups.iter().filter_map(|group| group.cell(marked));
        let (mut places, mut starts, mut left, mut switched) =
            (self.places.clone(), Starts::default(), 0, 0);
        places.iter_mut().for_each(|place| place.samples = 0);
        let cells: Vec<Cell> = cells.collect();
        for stretch in cells.iter().flat_map(|cell| &cell.stretches) {
            let count = u64::from(stretch.count);
            let Some(origin) = self.origins.get(stretch.origin as usize) else { continue };
            if let Some(place) = places.get_mut(origin.place as usize) {
                place.samples += count;
            }
            left += if origin.left { count } else { 0 };
            switched += if origin.switched { count } else { 0 };
            match origin.start {
                Start::Own => {}
                Start::Barrier => starts.barrier += count,
                Start::Window => starts.window += count,
                Start::Late => starts.late += count,
            }
        }
        let experiment = Experiment {
            name: self.name.clone(),
            formula: self.formula.clone(),
            variables: self.variables.clone(),
            observables: self.observables.clone(),
            places,
            starts,
            left,
            switched,
            cells,
            origins: self.origins.to_vec(),
            ..Experiment::default()
        };
        let context = &self.context.trace;
        Trace { experiments: vec![experiment], report: Vec::new(), ..context.clone() }
    }
}

impl Group {
    /// The samples, with or without those that are marked; `None` if there is none.
    pub fn cell(&self, marked: bool) -> Option<Cell> {
        let mut cell = Cell::clone(&self.cell);
        if let Some(marks) = self.marks.as_ref().filter(|_| !marked) {
            let kept: Vec<usize> = (0..marks.len()).filter(|k| !marks[*k]).collect();
            cell.keep_samples(&kept);
        }
        cell.values.clone_from(&self.values);
        (!cell.inclusive.is_empty()).then_some(cell)
    }
}
