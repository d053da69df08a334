//! The end of a superstep: with a barrier, or when as many messages have arrived as are expected.

use crate::engine::agreement::CollectiveState;
use crate::log::{Ending, Held};
use crate::misuse::{Areas, Difference, Misuse};
use crate::place::Place;

use super::barrier::{Arrival, BarrierCall, release_all};
use super::wait_site::{WaitReason, WaitSite};
use super::{Handle, Objects, kind};

/// Rounds of a barrier, at most.
const MAX_ROUNDS: u16 = 64;
/// First round of a barrier that ends no superstep, after those of the two that end one.
const SEPARATE_BARRIER: u16 = 2 * MAX_ROUNDS;

impl Objects {
    /// Ends the machine's superstep, together with its other processors: everything that they sent has arrived,
    /// gets and puts are written, registrations take effect.
    pub fn sync(&mut self, handle: Handle, place: Place) -> Result<(), Misuse> {
        self.sync_collective(handle, "bsp_sync", place, 0)
    }

    /// As [`Objects::sync`], for a function of the caller. `kind` is a number that the caller chooses for the
    /// superstep; it must be the same on all processors.
    pub fn sync_collective(
        &mut self,
        handle: Handle,
        name: &'static str,
        place: Place,
        of: u64,
    ) -> Result<(), Misuse> {
        let level = self.active(handle)?;
        let call = BarrierCall { name, place };
        self.record_place(place);
        if self.recorder.is_some() {
            self.record_entry();
            self.send_time(level)?;
        }
        let remote = &self.stack[level].remote;
        let collective = CollectiveState {
            pushes: remote.pushes(),
            pops: remote.pops(),
            kind: of,
            ..CollectiveState::default()
        };
        if collective.pushes + collective.pops > 0 {
            self.send_registrations(level)?;
        }
        let word = self.pass_barrier(level, call, Arrival::new(collective.fingerprint()))?;
        if !word.agrees() {
            return Err(self.difference(level, call, collective));
        }
        let object = &self.stack[level];
        if !object.requests.is_empty() || object.remote.is_used() {
            self.carry_out(level, call)?;
        }
        self.settle(level, call)?;
        if self.is_virtual() {
            self.synchronise_times(level, call)?;
        }
        self.end_superstep(level, place, None)
    }

    /// Waits for all processors of a machine, which must all call this. The superstep continues.
    pub fn barrier(&mut self, handle: Handle, place: Place) -> Result<(), Misuse> {
        let level = self.active(handle)?;
        let call = BarrierCall { name: "a barrier", place };
        self.record_place(place);
        let held = self.recorder.as_mut().map_or_else(Held::default, |recorder| recorder.hold());
        let object = &mut self.stack[level];
        object.is_odd_barrier = !object.is_odd_barrier;
        // A processor may be in the next one while another still leaves this one.
        let first = SEPARATE_BARRIER + if object.is_odd_barrier { MAX_ROUNDS } else { 0 };
        let (_, latest) = self
            .pass_barrier_from(first, level, call, Arrival::of_largest(0, held.begun))?
            .largest();
        if let Some(recorder) = &mut self.recorder {
            recorder.release(&held, latest);
        }
        Ok(())
    }

    /// Ends the machine's superstep as soon as `count` messages of it have arrived at this processor, without
    /// the others. All processors of the machine must end this superstep in this way. More messages than that
    /// are an error.
    #[inline]
    pub fn oblsync(&mut self, handle: Handle, count: usize, place: Place) -> Result<(), Misuse> {
        let level = self.active(handle)?;
        let call = BarrierCall { name: "bsp_oblsync", place };
        self.record_place(place);
        if self.recorder.is_some() {
            self.record_entry();
        }
        if self.stack[level].remote.is_used() {
            return Err(Misuse::AccessMeetsOblivious);
        }
        if self.is_virtual() {
            self.send_time(level)?;
        }
        if !self.in_place {
            // Now rather than when the awaited messages have arrived; no data that is sent is in the inbox.
            self.stack[level].inbox.empty(&mut *self.channels);
        }
        loop {
            self.take_in()?;
            let object = &self.stack[level];
            if object.is_synchronised() {
                return Err(self.meets_sync(level));
            }
            if object.arriving.len() >= count {
                break;
            }
            self.wait(level, call, WaitReason::Messages(count))?;
        }
        self.check_excess(level, count)?;
        if self.is_virtual() {
            self.synchronise_sender_times(level, call, count)?;
        }
        self.settle(level, call)?;
        self.end_superstep(level, place, Some(count as u64))
    }

    /// Checks that no more messages have arrived than were announced.
    #[inline]
    pub(super) fn check_excess(&self, level: usize, count: usize) -> Result<(), Misuse> {
        let object = &self.stack[level];
        if object.arriving.len() > count {
            Err(Misuse::Excess {
                announced: count as u64,
                came: object.arriving.len() as u64,
                superstep: object.superstep,
                machine: object.members(),
            })
        } else {
            Ok(())
        }
    }

    #[cold]
    pub(super) fn meets_sync(&self, level: usize) -> Misuse {
        let object = &self.stack[level];
        let first = object.tokens.first().or(object.requests.first());
        let first = first.or(object.arriving_parts.first());
        let pid = first.map_or(0, |record| record.from - object.base);
        let (superstep, machine) = (object.superstep, object.members());
        Misuse::SyncMeetsOblivious { pid, superstep, machine }
    }

    #[inline]
    fn settle(&mut self, level: usize, call: BarrierCall) -> Result<(), Misuse> {
        if std::mem::take(&mut self.in_place) { self.settle_now(level, call) } else { Ok(()) }
    }

    fn settle_now(&mut self, level: usize, call: BarrierCall) -> Result<(), Misuse> {
        let BarrierCall { name, place } = call;
        let object = &self.stack[level];
        let site = WaitSite { call: name, place, object, waits: WaitReason::Receivers };
        self.channels.settle(&site).map_err(|halt| halt.misuse())
    }

    /// Every superstep of every machine object ends here, on this processor. `sent` has what it sent,
    /// `arriving` what has arrived.
    #[inline]
    fn end_superstep(
        &mut self,
        level: usize,
        place: Place,
        announced: Option<u64>,
    ) -> Result<(), Misuse> {
        let object = &mut self.stack[level];
        let members = object.members();
        object.inbox.empty(&mut *self.channels);
        object.inbox.fill(&mut object.arriving, members)?;
        if announced.is_none() {
            object.parts.empty(&mut *self.channels);
            object.parts.fill(&mut object.arriving_parts, members)?;
        }
        object.advance(announced)?;
        if let Some(recorder) = &mut self.recorder {
            let ending = if announced.is_some() { Ending::Oblivious } else { Ending::Sync };
            recorder.end(place, ending);
        }
        Ok(())
    }

    /// Ends all machines, together with all processors. What was sent since the last synchronisation is
    /// discarded. The program continues on all processors.
    pub fn end(&mut self, place: Place) -> Result<(), Misuse> {
        if self.open > 1 {
            return Err(Misuse::EndsInPart(self.stack[self.open - 1].members()));
        }
        let call = BarrierCall { name: "bsplib_done", place };
        self.record_place(place);
        if let Some(recorder) = &mut self.recorder {
            recorder.enter();
        }
        let collective = CollectiveState { ends: true, ..CollectiveState::default() };
        let word = self.pass_barrier(0, call, Arrival::new(collective.fingerprint()))?;
        if !word.agrees() {
            return Err(self.difference(0, call, collective));
        }
        if let Some(record) = self.strangers.values().flatten().next() {
            return Err(Misuse::NoSuchMachine { from: record.from });
        }
        self.settle(0, call)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.end(place, Ending::End);
        }
        self.recorder = None;
        let root = &mut self.stack[0];
        root.inbox.empty(&mut *self.channels);
        release_all(&mut root.arriving, &mut *self.channels);
        release_all(&mut root.requests, &mut *self.channels);
        self.channels.end().map_err(|halt| halt.misuse())
    }

    /// Ends after a stop; on processor 0 it waits until the others have ended. Returns the processor that
    /// stopped them, if it was one, and the reason if one was given.
    pub fn end_after_stop(mut self) -> Option<(Option<usize>, String)> {
        self.channels.end_after_stop().map(|why| (why.processor, why.text))
    }

    /// Called if processors did not do the same although they must: each sends to all others what it has done.
    #[cold]
    fn difference(
        &mut self,
        level: usize,
        call: BarrierCall,
        collective: CollectiveState,
    ) -> Misuse {
        match self.exchange_differences(level, call, collective) {
            Ok(all) => compare(&all),
            Err(misuse) => misuse,
        }
    }

    fn exchange_differences(
        &mut self,
        level: usize,
        call: BarrierCall,
        collective: CollectiveState,
    ) -> Result<Vec<(CollectiveState, String)>, Misuse> {
        let description = match call.place.file() {
            Some(_) => format!("is in {} at {}", call.name, call.place),
            None => format!("is in {}", call.name),
        };
        let numbers =
            [collective.pushes, collective.pops, collective.kind, u64::from(collective.ends)];
        let mut payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        payload.extend(description.as_bytes());
        let (pid, nprocs, base) = {
            let object = &self.stack[level];
            (object.pid, object.nprocs, object.base)
        };
        let header = self.header(level, kind::DIFFERS, payload.len());
        for to in (0..nprocs).filter(|&to| to != pid) {
            // SAFETY: the bytes exist.
            unsafe { self.channels.send(base + to, header, payload.as_ptr()) }?;
        }
        let mut all = vec![None; nprocs];
        all[pid] = Some((collective, description));
        loop {
            self.take_in()?;
            for record in self.stack[level].requests.drain(..) {
                if record.header.kind == kind::DIFFERS {
                    // SAFETY: a record has this many bytes.
                    let bytes =
                        unsafe { std::slice::from_raw_parts(record.payload, record.header.size) };
                    all[record.from - base] = Some(differing(bytes));
                }
            }
            match all.iter().filter(|answer| answer.is_none()).count() {
                0 => return Ok(all.into_iter().flatten().collect()),
                missing => self.wait(level, call, WaitReason::Processors(missing))?,
            }
        }
    }
}

/// Reads the record of a processor about a superstep in which not all have done the same.
fn differing(bytes: &[u8]) -> (CollectiveState, String) {
    let (numbers, description) = bytes.split_at(bytes.len().min(32));
    let number = |index: usize| {
        let bytes = numbers.get(8 * index..8 * index + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_ne_bytes)
    };
    let collective = CollectiveState {
        pushes: number(0),
        pops: number(1),
        kind: number(2),
        ends: number(3) != 0,
        ..CollectiveState::default()
    };
    (collective, String::from_utf8_lossy(description).into_owned())
}

/// The first difference between processor 0 and another one.
fn compare(all: &[(CollectiveState, String)]) -> Misuse {
    let (first, first_at) = &all[0];
    let different = all.iter().enumerate().find(|(_, (collective, _))| collective != first);
    let Some((pid, (other, other_at))) = different else {
        return Misuse::Differ(Difference::Order);
    };
    let (first_at, other_at) = (first_at.clone(), other_at.clone());
    Misuse::Differ(if first.ends != other.ends {
        Difference::Ends(0, first_at, pid, other_at)
    } else if first.pushes != other.pushes {
        Difference::Pushes(0, Areas(first.pushes), pid, other.pushes)
    } else if first.pops != other.pops {
        Difference::Pops(0, Areas(first.pops), pid, other.pops)
    } else {
        Difference::Kinds(0, first_at, pid, other_at)
    })
}
