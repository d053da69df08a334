//! The machine objects of a log, from the tables of their processors.

use std::collections::HashMap;

use cll_supersteps::StoredProcessor;
use cll_units::ProcessorId;

use super::GatherError;

/// A machine object.
#[derive(Clone, Debug)]
pub(super) struct GatheredMachine {
    /// The machine that was divided; `None` for the machine of all processors.
    pub(super) parent: Option<usize>,
    /// The superstep of the parent, from 1.
    pub(super) within: u64,
    /// Number in the program of its processor 0.
    pub(super) first: u32,
    pub(super) nprocs: u32,
}

/// Which machine each number in a processor's tables is.
type Numbers = Vec<Option<usize>>;

/// The machines, the whole one first; and for each processor which they are by its own numbers.
pub(super) fn machines(
    processors: &[&StoredProcessor<'_>],
) -> Result<(Vec<GatheredMachine>, Vec<Numbers>), GatherError> {
    let tables = || processors.iter().flat_map(|processor| &processor.tables.machines);
    let root = tables().find(|table| table.key == "0").ok_or(GatherError::Whole)?;
    let count = root.nprocs;
    let missing: Vec<ProcessorId> = (0..count)
        .map(ProcessorId)
        .filter(|number| {
            processors.binary_search_by_key(number, |processor| processor.tables.number).is_err()
        })
        .collect();
    if !missing.is_empty() {
        return Err(GatherError::Missing { missing, of: count });
    }
    if let Some(other) = processors.get(count as usize) {
        return Err(GatherError::TooMany { processor: other.tables.number, of: count });
    }
    let mut index: HashMap<&str, usize> = HashMap::from([("0", 0)]);
    let mut all = vec![GatheredMachine { parent: None, within: 0, first: 0, nprocs: count }];
    let mut parents = vec!["0"];
    for table in tables() {
        if !index.contains_key(table.key.as_str()) {
            index.insert(&table.key, all.len());
            let (within, first, nprocs) = (table.within, table.first, table.nprocs);
            all.push(GatheredMachine { parent: None, within, first, nprocs });
            parents.push(&table.parent);
        }
    }
    let usable: Vec<bool> = place(&mut all, &parents, &index);
    let own = processors.iter().map(|processor| {
        let number = processor.tables.number.get();
        let mut own = Vec::new();
        for table in &processor.tables.machines {
            let id = table.id as usize;
            if id >= usize::from(cll_trace::layout::UNKNOWN_MACHINE) {
                continue;
            }
            if own.len() <= id {
                own.resize(id + 1, None);
            }
            let position = index[table.key.as_str()];
            let fits = number
                .checked_sub(all[position].first)
                .is_some_and(|pid| pid < all[position].nprocs);
            own[id] = (usable[position] && fits).then_some(position);
        }
        own
    });
    let own = own.collect();
    Ok((all, own))
}

/// Finds the parents; whether a machine lies within its parent, and that in the whole.
fn place(all: &mut [GatheredMachine], parents: &[&str], index: &HashMap<&str, usize>) -> Vec<bool> {
    for machine in 1..all.len() {
        all[machine].parent =
            index.get(parents[machine]).copied().filter(|&parent| parent != machine);
    }
    let inside = |machine: usize| {
        let own = &all[machine];
        let parent = &all[own.parent?];
        let end = own.first.checked_add(own.nprocs)?;
        let fits = own.nprocs > 0 && own.first >= parent.first;
        (fits && end <= parent.first + parent.nprocs).then_some(own.parent?)
    };
    let usable = |from: usize| {
        let mut current = from;
        for _ in 0..all.len() {
            if current == 0 {
                return true;
            }
            match inside(current) {
                Some(parent) => current = parent,
                None => return false,
            }
        }
        false
    };
    (0..all.len()).map(usable).collect()
}
