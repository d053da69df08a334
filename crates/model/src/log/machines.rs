//! The machine objects of a log: their processors, and the machine around each.

use std::collections::HashMap;

use cll_supersteps::{Ending, Log, Processor, Superstep};
use cll_units::ProcessorId;

use super::{LogError, Note};

/// The machine objects, each after its parts; the whole machine last.
#[derive(Debug)]
pub(super) struct Machines<'a> {
    pub(super) all: Vec<LoggedMachine<'a>>,
    pub(super) index: HashMap<&'a str, usize>,
}

/// A machine object.
#[derive(Debug)]
pub(super) struct LoggedMachine<'a> {
    pub(super) key: &'a str,
    pub(super) parent: &'a str,
    /// The superstep of the parent, from 1.
    pub(super) within: u64,
    /// The number of its processor 0 in the program.
    pub(super) first: u32,
    pub(super) members: Vec<Member<'a>>,
    /// How many supersteps all members have.
    pub(super) count: usize,
    depth: usize,
}

/// A processor in a machine.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) processor: &'a Processor,
    pub(super) supersteps: Vec<&'a Superstep>,
}

impl<'a> Machines<'a> {
    pub(super) fn root(&self) -> &LoggedMachine<'a> {
        &self.all[self.all.len() - 1]
    }
}

pub(super) fn machines<'a>(log: &'a Log, notes: &mut Vec<Note>) -> Result<Machines<'a>, LogError> {
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut all: Vec<LoggedMachine<'_>> = Vec::new();
    let mut places: Vec<Vec<Option<Member<'_>>>> = Vec::new();
    let mut unnamed = 0;
    for processor in &log.processors {
        partners_are_there(processor)?;
        // Its machines by their number in its tables.
        let mut by_machine: HashMap<u32, Vec<&Superstep>> = HashMap::new();
        for superstep in &processor.supersteps {
            match processor.machine(superstep.machine) {
                Some(_) => by_machine.entry(superstep.machine).or_default().push(superstep),
                None => unnamed += 1,
            }
        }
        for machine in &processor.machines {
            let Some(mut supersteps) = by_machine.remove(&machine.id) else { continue };
            supersteps.sort_by_key(|superstep| superstep.number);
            let position = *index.entry(&machine.key).or_insert_with(|| {
                all.push(LoggedMachine {
                    key: &machine.key,
                    parent: &machine.parent,
                    within: machine.within,
                    first: machine.first,
                    members: Vec::new(),
                    count: 0,
                    depth: 0,
                });
                places.push((0..machine.nprocs).map(|_| None).collect());
                all.len() - 1
            });
            match places[position].get_mut(machine.pid as usize) {
                Some(place) => *place = Some(Member { processor, supersteps }),
                None => {
                    let (machine, parent) = (machine.key.clone(), machine.parent.clone());
                    return Err(LogError::Place { machine, parent });
                }
            }
        }
    }
    if unnamed > 0 {
        notes.push(Note::Unnamed { supersteps: unnamed });
    }
    if all.is_empty() {
        return Err(LogError::Empty);
    }
    let by_number: HashMap<ProcessorId, &Processor> =
        log.processors.iter().map(|processor| (processor.number, processor)).collect();
    for (machine, members) in all.iter_mut().zip(places) {
        machine.members = all_members(machine, members, &by_number)?;
        machine.count =
            machine.members.iter().map(|member| consecutive(&member.supersteps)).min().unwrap_or(0);
        notes.extend(end_note(machine));
    }
    for position in 0..all.len() {
        all[position].depth = depth(&all, &index, position)?;
    }
    let mut order: Vec<LoggedMachine<'_>> = all;
    // The deepest parts come first. Only the whole machine has no depth.
    order.sort_by_key(|machine| std::cmp::Reverse(machine.depth));
    let index =
        order.iter().enumerate().map(|(position, machine)| (machine.key, position)).collect();
    Ok(Machines { all: order, index })
}

/// The members of a machine, all of which must be there. If a processor's log has no record of a part, it ended before its
/// first superstep there.
fn all_members<'a>(
    machine: &LoggedMachine<'a>,
    mut members: Vec<Option<Member<'a>>>,
    by_number: &HashMap<ProcessorId, &'a Processor>,
) -> Result<Vec<Member<'a>>, LogError> {
    if machine.key != "0" {
        for (pid, member) in (0u32..).zip(&mut members).filter(|(_, member)| member.is_none()) {
            *member = by_number
                .get(&ProcessorId(machine.first.saturating_add(pid)))
                .map(|processor| Member { processor, supersteps: Vec::new() });
        }
    }
    let missing = members.iter().enumerate().filter(|(_, member)| member.is_none());
    let missing: Vec<u32> = missing.map(|(pid, _)| pid as u32).collect();
    if !missing.is_empty() {
        let count = members.len() as u32;
        return Err(LogError::Missing { machine: machine.key.to_owned(), missing, of: count });
    }
    Ok(members.into_iter().flatten().collect())
}

/// Says that a machine did not end as it should: some members have more supersteps, or not all have ended.
fn end_note(machine: &LoggedMachine<'_>) -> Option<Note> {
    let most = machine.members.iter().map(|member| member.supersteps.len()).max().unwrap_or(0);
    let (key, supersteps) = (machine.key.to_owned(), machine.count as u64);
    let ended = |member: &Member<'_>| {
        let last = machine.count.checked_sub(1).and_then(|last| member.supersteps.get(last));
        last.is_some_and(|last| last.ending == Ending::End)
    };
    if most > machine.count {
        Some(Note::CutOff { machine: key, supersteps, most: most as u64 })
    } else if !machine.members.iter().all(ended) {
        Some(Note::Unfinished { machine: key, supersteps })
    } else {
        None
    }
}

/// A set without entries is not written. A processor has only one such set.
fn partners_are_there(processor: &Processor) -> Result<(), LogError> {
    let mut without: Option<u32> = None;
    for superstep in &processor.supersteps {
        if processor.traffic.contains_key(&superstep.traffic) {
            continue;
        }
        if without.is_some_and(|known| known != superstep.traffic) {
            let machine = processor.machine(superstep.machine).map(|machine| machine.key.clone());
            return Err(LogError::Partners {
                machine: machine.unwrap_or_default(),
                superstep: superstep.number,
                processor: processor.number,
            });
        }
        without = Some(superstep.traffic);
    }
    Ok(())
}

/// How many supersteps follow each other from the first.
fn consecutive(supersteps: &[&Superstep]) -> usize {
    let steps = supersteps.iter().zip(1u64..);
    steps.take_while(|(superstep, number)| superstep.number.get() == *number).count()
}

fn depth(
    all: &[LoggedMachine<'_>],
    index: &HashMap<&str, usize>,
    position: usize,
) -> Result<usize, LogError> {
    let (mut depth, mut now) = (0, position);
    while all[now].key != "0" {
        let wrong = || LogError::Place {
            machine: all[now].key.to_owned(),
            parent: all[now].parent.to_owned(),
        };
        depth += 1;
        if depth > all.len() {
            return Err(wrong());
        }
        now = *index.get(all[now].parent).ok_or_else(wrong)?;
    }
    Ok(depth)
}
