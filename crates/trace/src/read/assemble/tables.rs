//! Reads the tables: processes, places, end records.

use crate::damage::Cause;
use crate::layout::{MAX_PLACES, pid_of, sample_size};
use crate::meta::{self, Meta};
use crate::observable::MAX_OBSERVABLES;

use super::super::scan::Block;
use super::super::thread::Size;
use super::{Assembler, Sink};

/// Largest number of values of a place; more do not fit into a block.
const MAX_VALUES: usize = 1 << 16;

/// Largest number of `sync` kinds kept for a process.
const MAX_SYNCS: usize = 64;

impl Assembler {
    /// Adds the objects of a block of tables.
    pub(super) fn tables(&mut self, block: &Block, payload: &[u8], sink: &mut impl Sink) {
        let pid = block.header.process;
        for line in payload.split_inclusive(|&byte| byte == b'\n') {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let table = match serde_json::from_slice::<Meta>(line) {
                Ok(table) => table,
                Err(error) => {
                    let cause = Cause::Table { error: error.to_string() };
                    self.report_damage(Some(block.offset), line.len() as u64, cause);
                    continue;
                }
            };
            match table {
                Meta::Process(table) => self.process_table(pid, table, sink),
                Meta::Unit(unit) => self.unit(pid, block.offset, unit, sink),
                Meta::Observables(table) => self.observables(pid, block.offset, table, sink),
                Meta::Report(report) => self.report(report),
                Meta::Processor(processor) => {
                    let process = self.process(pid);
                    self.processes[process].processor = Some(processor);
                }
                Meta::Sync(sync) => {
                    let process = self.process(pid);
                    let known = &mut self.processes[process].sync;
                    if !known.contains(&sync) && known.len() < MAX_SYNCS {
                        known.push(sync);
                    }
                }
                Meta::End(end) => {
                    let process = self.process(pid);
                    self.processes[process].end = Some(end);
                }
                Meta::Run(run) => self.runs.push(run),
                Meta::Module(_)
                | Meta::Machine(_)
                | Meta::Point(_)
                | Meta::Virtual(_)
                | Meta::Mpi(_)
                | Meta::Cost(_)
                | Meta::Width(_)
                | Meta::Communicator(_)
                | Meta::Window(_)
                | Meta::Unknown => {}
            }
        }
    }

    /// A process table. A second, different one with the same number is another process (the number
    /// was reused, or `exec` started another program).
    fn process_table(&mut self, pid: u32, table: meta::Process, sink: &mut impl Sink) {
        self.newest_format = self.newest_format.max(table.format);
        let mut process = self.process(pid);
        if let Some(known) = &self.processes[process].table {
            if known.start_unix_ns == table.start_unix_ns {
                return;
            }
            self.drain(process, true, sink);
            process = self.new_process(pid);
        }
        self.processes[process].table = Some(table);
    }

    /// The table of observables. Units with counted places were held until it came.
    fn observables(
        &mut self,
        pid: u32,
        offset: u64,
        table: meta::Observables,
        sink: &mut impl Sink,
    ) {
        let process = self.process(pid);
        let known = &mut self.processes[process].observables;
        match known {
            Some(known) if *known == table => return,
            None if table.list.len() <= MAX_OBSERVABLES => *known = Some(table),
            _ => {
                let error = "its observables were given before, differently, or are too many";
                return self.report_damage(
                    Some(offset),
                    0,
                    Cause::Table { error: error.to_owned() },
                );
            }
        }
        for unit in std::mem::take(&mut self.processes[process].waiting) {
            self.unit(pid, offset, unit, sink);
        }
    }

    fn unit(&mut self, pid: u32, offset: u64, mut unit: meta::Unit, sink: &mut impl Sink) {
        let process = self.process(pid);
        let observables = self.processes[process].observables.clone();
        let counted = unit.places.iter().any(|place| place.observables > 0);
        if counted && observables.is_none() {
            self.processes[process].waiting.push(unit);
            return;
        }
        let list = observables.map(|table| table.list).unwrap_or_default();
        let places = std::mem::take(&mut unit.places);
        for place in places {
            let known = self.processes[process].units.iter().flat_map(|unit| &unit.places);
            match known.into_iter().find(|known| known.id == place.id) {
                Some(known) if *known == place => continue,
                None if place.id < u32::from(MAX_PLACES)
                    && place.variables.len() < MAX_VALUES
                    && [0, list.len()].contains(&(place.observables as usize)) => {}
                _ => {
                    let cause = Cause::PlaceConflict { process: pid_of(pid), place: place.id };
                    self.report_damage(Some(offset), 0, cause);
                    continue;
                }
            }
            set_size(&mut self.processes[process].sizes, &place);
            sink.place(process, &unit, &place, &list[..place.observables as usize]);
            unit.places.push(place);
        }
        self.processes[process].units.push(unit);
        self.drain(process, false, sink);
    }

    fn report(&mut self, report: meta::Report) {
        self.report_all |= report.names.is_empty();
        if self.report_all {
            self.report.clear();
            return;
        }
        for name in report.names {
            if !self.report.contains(&name) {
                self.report.push(name);
            }
        }
    }
}

/// Sets the length of the place's records, unless it is known.
pub(super) fn set_size(sizes: &mut Vec<Size>, place: &meta::Place) {
    let id = place.id as usize;
    let observables = place.observables as usize;
    let known = place.variables.len() < MAX_VALUES && observables <= MAX_OBSERVABLES;
    if id >= usize::from(MAX_PLACES) || !known {
        return;
    }
    if sizes.len() <= id {
        sizes.resize(id + 1, Size::default());
    }
    if sizes[id].bytes == 0 {
        sizes[id] = Size {
            bytes: sample_size(place.variables.len() + observables) as u32,
            observed: 8 * observables as u32,
        };
    }
}
