//! Groups samples into experiments and cells.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::meta;
use crate::trace::{Cell, Experiment, Observed, Origin, Place, Process};
use crate::warning::Warning;

use super::assemble::Sink;
use super::thread::RawSample;

/// Groups samples by experiment and values. Times are in ticks until [`CellGroups::finish`].
#[derive(Debug, Default)]
pub(crate) struct CellGroups {
    experiments: Vec<Group>,
    /// Indexed by process, then by place.
    slots: Vec<Vec<Option<Slot>>>,
    process: usize,
    thread: u32,
}

/// An experiment and where to find its cells.
#[derive(Debug, Default)]
pub(crate) struct Group {
    pub experiment: Experiment,
    cells: HashMap<Box<[u64]>, u32, FxBuildHasher>,
    origins: HashMap<Origin, u32>,
    /// For each process whether it has a sample of the experiment.
    begun: Vec<bool>,
    /// For each different set of variables the first place that has it.
    variables: Vec<(Vec<String>, String)>,
}

/// A place of a process, with its last sample.
#[derive(Debug)]
struct Slot {
    group: u32,
    place: u32,
    /// Positions of the experiment's variables among the place's values, if the order differs.
    order: Option<Vec<Option<usize>>>,
    last_values: Vec<u8>,
    /// Cell of the last sample, if there was one.
    last_cell: Option<u32>,
    /// Thread, flags and origin of the last sample.
    last_origin: Option<(u32, u8, u32)>,
    /// For each observable of its records its index in the experiment, the factor to its unit, and
    /// whether it is additive.
    observed: Vec<(usize, f64, bool)>,
}

impl CellGroups {
    /// The experiments, with times in seconds.
    pub fn finish(self, processes: &[Process]) -> Vec<Group> {
        let mut groups = self.experiments;
        for Group { experiment, .. } in &mut groups {
            let tick = |origin: &Origin| {
                let process = processes.get(origin.process as usize);
                process.map_or(1e-9, |process| process.calibration.tick.get())
            };
            let ticks: Vec<f64> = experiment.origins.iter().map(tick).collect();
            for cell in &mut experiment.cells {
                cell.scale(&ticks);
                cell.complete(experiment.observables.len());
            }
        }
        groups
    }
}

impl Sink for CellGroups {
    fn place(
        &mut self,
        process: usize,
        unit: &meta::Unit,
        place: &meta::Place,
        observables: &[meta::Observable],
    ) {
        let same = |group: &Group| {
            group.experiment.name == place.experiment && group.experiment.formula == place.formula
        };
        let group = self.experiments.iter().position(same).unwrap_or_else(|| {
            self.experiments.push(Group::new(&place.experiment, &place.formula));
            self.experiments.len() - 1
        });
        let known = &mut self.experiments[group];
        let before = known.experiment.variables.len();
        let index = known.place(Place::new(unit, place), &place.variables);
        if known.experiment.variables.len() > before {
            let variables = known.experiment.variables.clone();
            self.reorder(group as u32, &variables, before);
        }
        let known = &mut self.experiments[group];
        let number = |observable: &meta::Observable| {
            let meta::Observable { name, unit, scale, additive } = observable.clone();
            (known.observable(Observed { name, unit, additive }), scale, additive)
        };
        let observed = observables.iter().map(number).collect();
        let order = order(&self.experiments[group].experiment.variables, &place.variables);
        if self.slots.len() <= process {
            self.slots.resize_with(process + 1, Vec::new);
        }
        let slots = &mut self.slots[process];
        let id = place.id as usize;
        if slots.len() <= id {
            slots.resize_with(id + 1, || None);
        }
        slots[id] = Some(Slot {
            group: group as u32,
            place: index,
            order,
            last_values: Vec::new(),
            last_cell: None,
            last_origin: None,
            observed,
        });
    }

    fn thread(&mut self, process: usize, thread: u32) {
        (self.process, self.thread) = (process, thread);
    }

    #[inline]
    fn sample(&mut self, sample: &RawSample<'_>) {
        let slots = self.slots.get_mut(self.process);
        let slot = slots.and_then(|slots| slots.get_mut(usize::from(sample.header.place)));
        let Some(Some(slot)) = slot else { return };
        let group = &mut self.experiments[slot.group as usize];
        let cell = match slot.last_cell {
            Some(cell) if same(&slot.last_values, sample.values) => cell,
            _ => {
                let cell = group.cell(sample.values, slot.order.as_deref());
                group.begins(self.process, cell);
                slot.last_values.clear();
                slot.last_values.extend_from_slice(sample.values);
                slot.last_cell = Some(cell);
                cell
            }
        };
        let flags = sample.header.flags;
        let origin = match slot.last_origin {
            Some((thread, same, origin)) if (thread, same) == (self.thread, flags) => origin,
            _ => {
                let origin = group.origin(Origin {
                    process: self.process as u32,
                    thread: self.thread,
                    place: slot.place,
                    left: sample.left(),
                    switched: sample.switched(),
                    start: sample.start(),
                });
                slot.last_origin = Some((self.thread, flags, origin));
                origin
            }
        };
        let inclusive = sample.inclusive_ticks();
        let experiment = &mut group.experiment;
        experiment.count(sample, slot.place);
        let cell = &mut experiment.cells[cell as usize];
        cell.push(inclusive as f64, sample.exclusive_ticks as f64, origin);
        let both = sample.observed.iter().zip(sample.observed_exclusive);
        for (&(index, scale, additive), (all, own)) in slot.observed.iter().zip(both) {
            let own = if additive { own } else { all };
            cell.observe(index, all * scale, own * scale);
        }
    }
}

impl CellGroups {
    /// Counts a sample without keeping it.
    pub fn count(&mut self, sample: &RawSample<'_>) {
        let slots = self.slots.get_mut(self.process);
        let slot = slots.and_then(|slots| slots.get_mut(usize::from(sample.header.place)));
        let Some(Some(slot)) = slot else { return };
        let experiment = &mut self.experiments[slot.group as usize].experiment;
        experiment.count(sample, slot.place);
    }

    /// The experiment has new variables: gives its cells NaN for them.
    fn reorder(&mut self, group: u32, variables: &[String], before: usize) {
        self.experiments[group as usize].extend_cells();
        for slot in self.slots.iter_mut().flatten().flatten().filter(|slot| slot.group == group) {
            let old = slot.order.take();
            let known = (0..before).map(|index| match &old {
                Some(order) => order[index],
                None => Some(index),
            });
            slot.order = Some(known.chain((before..variables.len()).map(|_| None)).collect());
            slot.last_cell = None;
        }
    }
}

impl Group {
    pub fn new(name: &str, formula: &str) -> Group {
        let experiment = Experiment {
            name: name.to_owned(),
            formula: formula.to_owned(),
            ..Experiment::default()
        };
        Group { experiment, ..Group::default() }
    }

    /// Index of a place among those of the experiment; new variables are added.
    pub fn place(&mut self, place: Place, variables: &[String]) -> u32 {
        if !self.variables.iter().any(|(known, _)| known == variables) {
            self.variables.push((variables.to_vec(), place.to_string()));
        }
        for name in variables {
            if !self.experiment.variables.contains(name) {
                self.experiment.variables.push(name.clone());
            }
        }
        let places = &mut self.experiment.places;
        let same = |known: &Place| Place { samples: 0, ..known.clone() } == place;
        places.iter().position(same).unwrap_or_else(|| {
            places.push(place);
            places.len() - 1
        }) as u32
    }

    /// Index of an observable of the experiment.
    pub fn observable(&mut self, observed: Observed) -> usize {
        let known = &mut self.experiment.observables;
        known.iter().position(|existing| existing.name == observed.name).unwrap_or_else(|| {
            known.push(observed);
            known.len() - 1
        })
    }

    pub fn origin(&mut self, origin: Origin) -> u32 {
        let origins = &mut self.experiment.origins;
        *self.origins.entry(origin).or_insert_with(|| {
            origins.push(origin);
            origins.len() as u32 - 1
        })
    }

    /// Records which cell has the first sample of a process.
    fn begins(&mut self, process: usize, cell: u32) {
        if self.begun.len() <= process {
            self.begun.resize(process + 1, false);
        }
        if !std::mem::replace(&mut self.begun[process], true) {
            self.experiment.cells[cell as usize].first_of.push(process as u32);
        }
    }

    /// Index of the cell of these values (little-endian `f64`s).
    fn cell(&mut self, values: &[u8], order: Option<&[Option<usize>]>) -> u32 {
        let (values, _) = values.as_chunks::<8>();
        let value = |bytes: &[u8; 8]| canonical(f64::from_le_bytes(*bytes));
        let mut short = [0u64; 8];
        let mut long = Vec::new();
        let length = order.map_or(values.len(), <[_]>::len);
        let key = match short.get_mut(..length) {
            Some(key) => key,
            None => {
                long.resize(length, 0);
                &mut long[..]
            }
        };
        match order {
            None => key.iter_mut().zip(values).for_each(|(key, bytes)| *key = value(bytes)),
            Some(order) => key.iter_mut().zip(order).for_each(|(key, index)| {
                *key = index.and_then(|index| values.get(index)).map_or(canonical(f64::NAN), value);
            }),
        }
        self.cell_of(key)
    }

    /// Index of the cell with this key.
    pub fn cell_of(&mut self, key: &[u64]) -> u32 {
        if let Some(&cell) = self.cells.get(key) {
            return cell;
        }
        let cell = self.experiment.cells.len() as u32;
        let values = key.iter().map(|&bits| f64::from_bits(bits)).collect();
        self.experiment.cells.push(Cell::new(values));
        self.cells.insert(key.into(), cell);
        cell
    }

    /// Extends all cells to all variables, with NaN for missing values.
    pub fn extend_cells(&mut self) {
        let length = self.experiment.variables.len();
        self.cells.clear();
        for (index, cell) in self.experiment.cells.iter_mut().enumerate() {
            cell.values.resize(length, f64::NAN);
            self.cells.insert(key(&cell.values).into(), index as u32);
        }
    }

    /// The warnings about the experiment.
    pub fn warnings(&self) -> Vec<Warning> {
        let Experiment { name, left, negative, exclusive_uncertain, .. } = &self.experiment;
        let mut warnings = Vec::new();
        let name = || name.clone();
        if self.variables.len() > 1 {
            let sorted = |names: &[String]| {
                let mut names = names.to_vec();
                names.sort_unstable();
                names
            };
            let first = sorted(&self.variables[0].0);
            if self.variables.iter().any(|(variables, _)| sorted(variables) != first) {
                let variables = self.variables.clone();
                warnings.push(Warning::Variables { name: name(), variables });
            }
        }
        if *left > 0 {
            let total = self.experiment.samples();
            warnings.push(Warning::Left { name: name(), count: *left, of: total });
        }
        if *negative > 0 {
            warnings.push(Warning::Negative { name: name(), count: *negative });
        }
        if *exclusive_uncertain > 0 {
            warnings.push(Warning::Exclusive { name: name(), count: *exclusive_uncertain });
        }
        warnings
    }
}

impl Experiment {
    #[inline]
    fn count(&mut self, sample: &RawSample<'_>, place: u32) {
        self.left += u64::from(sample.left());
        self.switched += u64::from(sample.switched());
        self.starts.count(sample.start());
        self.negative += u64::from(sample.inclusive_ticks() < 0);
        self.exclusive_uncertain += u64::from(!sample.exclusive_certain);
        self.places[place as usize].samples += 1;
    }
}

/// Whether the bytes of two tuples of values are equal; they are short, so without a call.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    a.len() == b.len() && words.into_iter().all(|(a, b)| a == b)
}

/// The bits by which values are distinguished.
pub fn key(values: &[f64]) -> Vec<u64> {
    values.iter().map(|&value| canonical(value)).collect()
}

fn canonical(value: f64) -> u64 {
    match value {
        value if value.is_nan() => f64::NAN.to_bits(),
        0.0 => 0,
        value => value.to_bits(),
    }
}

/// The positions of `variables` in `values`; `None` if they are in the same order.
pub(crate) fn order(variables: &[String], values: &[String]) -> Option<Vec<Option<usize>>> {
    let position_of = |name| values.iter().position(|value| value == name);
    (variables != values).then(|| variables.iter().map(position_of).collect())
}
