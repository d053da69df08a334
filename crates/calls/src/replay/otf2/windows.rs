//! One-sided calls.

use std::collections::BTreeMap;
use std::io::{self, Write};

use cll_trace::layout::call::{Class, NOBODY, Op};

use super::UNDEFINED;
use crate::{Call, CallData};

/// Collectives on windows, by OTF2's numbers.
mod op {
    pub(super) const BARRIER: u32 = 0;
    pub(super) const CREATE: u32 = 17;
    pub(super) const DESTROY: u32 = 18;
    pub(super) const CREATE_AND_ALLOCATE: u32 = 21;
}

/// Atomic accesses, by OTF2's numbers.
mod atomic {
    pub(super) const ACCUMULATE: u32 = 0;
    pub(super) const COMPARE_AND_SWAP: u32 = 3;
    pub(super) const FETCH_AND_ACCUMULATE: u32 = 7;
}

/// The things that a collective on a window orders, by OTF2's bits: processes, memory.
const PROCESSES: u32 = 1;
const PROCESSES_AND_MEMORY: u32 = 3;

/// Accesses of a process that are not complete.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// By window: numbers and targets.
    open: BTreeMap<u32, Vec<(u64, i64)>>,
    next: u64,
}

/// Whether a call is for a window.
pub(super) fn is_of_window(call: &Call) -> bool {
    matches!(call.op.class(), Class::Access | Class::Epoch) || collective(call).is_some()
}

impl Accesses {
    pub(super) fn begins(
        &mut self,
        call: &Call,
        window: u32,
        time: u64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if collective(call).is_some() && call.end.is_some() {
            writeln!(out, "w {time}")?;
        }
        let CallData::Access { partner, put, got, .. } = call.what else { return Ok(()) };
        if partner == NOBODY {
            return Ok(());
        }
        let number = self.next;
        self.next += 1;
        self.open.entry(window).or_default().push((number, partner));
        let (put, got) = (put.get(), got.get());
        match call.op.plain() {
            Op::Put => writeln!(out, "p {time} {window} {partner} {put} {number}"),
            Op::Get => writeln!(out, "g {time} {window} {partner} {got} {number}"),
            plain => {
                let kind = match plain {
                    Op::Accumulate => atomic::ACCUMULATE,
                    Op::Compare_and_swap => atomic::COMPARE_AND_SWAP,
                    _ => atomic::FETCH_AND_ACCUMULATE,
                };
                writeln!(out, "m {time} {window} {partner} {kind} {put} {got} {number}")
            }
        }
    }

    pub(super) fn ends(
        &mut self,
        call: &Call,
        window: u32,
        time: u64,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let target = match call.what {
            CallData::Epoch { partner, .. } => partner,
            _ => NOBODY,
        };
        let completes: Option<fn(i64, i64) -> bool> = match call.op {
            Op::Win_fence
            | Op::Win_complete
            | Op::Win_unlock_all
            | Op::Win_flush_all
            | Op::Win_free => Some(|_, _| true),
            Op::Win_unlock | Op::Win_flush => Some(|accessed, target| accessed == target),
            _ => None,
        };
        if let (Some(completes), Some(open)) = (completes, self.open.get_mut(&window)) {
            for &(number, _) in open.iter().filter(|(_, accessed)| completes(*accessed, target)) {
                writeln!(out, "o {time} {window} {number}")?;
            }
            open.retain(|(_, accessed)| !completes(*accessed, target));
        }
        match collective(call) {
            Some((number, level)) => {
                writeln!(out, "W {time} {number} {level} {window} {UNDEFINED}")
            }
            None => Ok(()),
        }
    }
}

/// A collective on a window: its number, and what it orders.
fn collective(call: &Call) -> Option<(u32, u32)> {
    Some(match call.op {
        Op::Win_create | Op::Win_create_dynamic => (op::CREATE, PROCESSES),
        Op::Win_allocate | Op::Win_allocate_shared => (op::CREATE_AND_ALLOCATE, PROCESSES),
        Op::Win_fence => (op::BARRIER, PROCESSES_AND_MEMORY),
        Op::Win_free => (op::DESTROY, PROCESSES),
        _ => return None,
    })
}
