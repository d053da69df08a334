//! The common facts of the ranks of a run: numbers of communicators, and the sizes of collectives in which each rank
//! may have another one.

use std::collections::BTreeMap;

use cll_trace::TraceError;
use cll_trace::meta::Communicator;
use cll_units::Bytes;

use crate::overview::is_uneven;
use crate::{Call, CallData, Calls, FastMap as HashMap, Opener, Overview};

/// The communicators of a run.
#[derive(Debug, Default)]
pub struct Groups {
    numbers: BTreeMap<String, u64>,
    /// By number of the communicator and rank in it.
    sizes: HashMap<(u64, u32), Vec<UnevenRun>>,
}

/// Uneven collectives, one after the other, in which a rank has the same sizes.
#[derive(Clone, Copy, Debug)]
struct UnevenRun {
    /// The number of the collective after the last one.
    end: u64,
    out: Bytes,
    into: Bytes,
}

/// How many uneven collectives a process has called, by number of the communicator.
#[derive(Debug, Default)]
pub(super) struct Counts(HashMap<u64, u64>);

/// One uneven collective, to ask what the other processes have in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uneven<'a> {
    groups: &'a Groups,
    communicator: u64,
    index: u64,
}

impl Uneven<'_> {
    /// The bytes that leave a rank of the communicator, and those that come to it; `None`: no log has them.
    pub(super) fn bytes(&self, rank: u32) -> Option<(Bytes, Bytes)> {
        let runs = self.groups.sizes.get(&(self.communicator, rank))?;
        let run = runs.get(runs.partition_point(|run| run.end <= self.index))?;
        Some((run.out, run.into))
    }
}

impl Groups {
    /// Reads the groups from the logs of a run. The logs are read only if they have uneven collectives.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn read(overviews: &[Overview], open: &mut Opener<'_>) -> Result<Groups, TraceError> {
        let mut groups = Groups::default();
        for table in overviews.iter().flat_map(|overview| overview.communicators.values()) {
            groups.numbers.insert(table.key.clone(), 0);
        }
        groups.numbers.values_mut().zip(0..).for_each(|(number, next)| *number = next);
        for (index, overview) in overviews.iter().enumerate() {
            if !overview.has_uneven {
                continue;
            }
            let mut counts = Counts::default();
            let mut calls = Calls::new(open(index)?, overview);
            while let Some(call) = calls.next_call()? {
                groups.add(overview, &call, &mut counts);
            }
        }
        Ok(groups)
    }

    fn add(&mut self, overview: &Overview, call: &Call, counts: &mut Counts) {
        for (_, call) in call.collectives() {
            let Some((table, out, into)) = uneven(overview, &call) else { continue };
            let Some((communicator, index)) = self.next(table, counts) else { continue };
            let runs = self.sizes.entry((communicator, table.rank)).or_default();
            match runs.last_mut().filter(|run| run.out == out && run.into == into) {
                Some(run) => run.end = index + 1,
                None => runs.push(UnevenRun { end: index + 1, out, into }),
            }
        }
    }

    fn next(&self, table: &Communicator, counts: &mut Counts) -> Option<(u64, u64)> {
        let communicator = *self.numbers.get(&table.key)?;
        let count = counts.0.entry(communicator).or_default();
        *count += 1;
        Some((communicator, *count - 1))
    }

    /// The number of a communicator, the same for all ranks; 0 if it is not known.
    pub(super) fn number(&self, key: &str) -> u64 {
        self.numbers.get(key).copied().unwrap_or(0)
    }

    /// The collective that a call is, if it is uneven. All calls of a process are passed in their order.
    pub(super) fn uneven(
        &self,
        overview: &Overview,
        call: &Call,
        counts: &mut Counts,
    ) -> Option<Uneven<'_>> {
        let (table, ..) = uneven(overview, call)?;
        let (communicator, index) = self.next(table, counts)?;
        Some(Uneven { groups: self, communicator, index })
    }
}

fn uneven<'o>(overview: &'o Overview, call: &Call) -> Option<(&'o Communicator, Bytes, Bytes)> {
    match call.what {
        CallData::Collective { communicator, out, into, .. } if is_uneven(call.op) => {
            Some((overview.communicators.get(&communicator)?, out, into))
        }
        _ => None,
    }
}
