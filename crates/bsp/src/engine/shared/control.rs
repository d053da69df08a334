//! State that all processors of a machine in one memory share: which processes they are, where they are in the
//! program, whether the machine was stopped.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*};

use super::ended::EndedSuperstep;
use super::turn_state::Turns;
use crate::engine::agreement::CollectiveState;
use crate::engine::stop::StopReason;
use crate::maker::Maker;

/// The state of one processor, as the others see it.
#[repr(C, align(128))]
#[derive(Debug)]
pub(crate) struct ProcessorState {
    /// Process ID; 0: not known.
    pub process: AtomicU32,
    stage: AtomicU32,
    /// The actions of the processor in this superstep that all must do in the same way; see [`CollectiveState`].
    pushes: AtomicU64,
    pops: AtomicU64,
    tag_calls: AtomicU64,
    tag_size: AtomicU64,
    kind: AtomicU64,
    ends: AtomicU32,
    pub ended: EndedSuperstep,
    /// It waits for others, and will notice without a signal when the machine is stopped.
    is_asleep: AtomicU32,
    /// 1 + the turn that it has; 0: none.
    turn: AtomicU32,
    /// 1 + the turn that it was given while it waits for one.
    pub granted: AtomicU32,
    /// For a virtual processor at the end of a superstep: bytes received and sent, and its time of arrival.
    pub bytes_in: AtomicU64,
    pub bytes_out: AtomicU64,
    pub came: AtomicU64,
    /// The line of its last synchronisation; 0: none.
    line: AtomicU32,
    file: [AtomicU8; 192],
}

/// The state of a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Stage {
    /// Before `bsp_begin`.
    Waiting = 0,
    /// Between begin and end.
    Running = 1,
    /// The parallel part of the processor has ended.
    Ended = 2,
}

impl ProcessorState {
    pub fn stage(&self) -> Stage {
        match self.stage.load(Acquire) {
            0 => Stage::Waiting,
            1 => Stage::Running,
            _ => Stage::Ended,
        }
    }

    pub fn set_stage(&self, stage: Stage) {
        self.stage.store(stage as u32, Release);
    }

    pub fn set_collective_state(&self, collective: &CollectiveState) {
        self.pushes.store(collective.pushes, Relaxed);
        self.pops.store(collective.pops, Relaxed);
        self.tag_calls.store(collective.tag_calls, Relaxed);
        self.tag_size.store(collective.tag_size, Relaxed);
        self.kind.store(collective.kind, Relaxed);
        self.ends.store(collective.ends.into(), Relaxed);
    }

    pub fn collective(&self) -> CollectiveState {
        CollectiveState {
            pushes: self.pushes.load(Relaxed),
            pops: self.pops.load(Relaxed),
            tag_calls: self.tag_calls.load(Relaxed),
            tag_size: self.tag_size.load(Relaxed),
            kind: self.kind.load(Relaxed),
            ends: self.ends.load(Relaxed) != 0,
        }
    }

    pub fn set_sleeping(&self, is_sleeping: bool) {
        self.is_asleep.store(is_sleeping.into(), Release);
    }

    pub fn is_sleeping(&self) -> bool {
        self.is_asleep.load(Acquire) != 0
    }

    /// Returns the previous turn.
    pub fn set_turn(&self, turn: Option<u32>) -> Option<u32> {
        self.turn.swap(turn.map_or(0, |turn| turn + 1), AcqRel).checked_sub(1)
    }

    pub fn turn(&self) -> Option<u32> {
        self.turn.load(Acquire).checked_sub(1)
    }

    #[inline]
    pub fn set_line(&self, line: u32) {
        self.line.store(line, Relaxed);
    }

    /// The file of the last synchronisation; cut if the name is very long.
    pub fn set_file(&self, name: &str) {
        let bytes = name.as_bytes();
        let from = bytes.len().saturating_sub(self.file.len() - 1);
        for (to, &byte) in self.file.iter().zip(bytes[from..].iter().chain(&[0])) {
            to.store(byte, Relaxed);
        }
    }

    /// The line of the last synchronisation; 0: none is known.
    pub fn line(&self) -> u32 {
        self.line.load(Relaxed)
    }

    /// The name of the file of the last synchronisation, without allocation.
    pub fn file_bytes(&self) -> impl Iterator<Item = u8> {
        self.file.iter().map(|byte| byte.load(Relaxed)).take_while(|&byte| byte != 0)
    }

    /// `FILE:LINE` of the last synchronisation.
    pub fn place(&self) -> Option<String> {
        let line = self.line();
        let name: Vec<u8> = self.file_bytes().collect();
        (line > 0).then(|| format!("{}:{line}", String::from_utf8_lossy(&name)))
    }
}

/// The beginning of the shared memory.
#[repr(C, align(128))]
#[derive(Debug)]
pub(crate) struct Control {
    /// 0 while the machine runs.
    stopped: AtomicU32,
    /// Processors that take part; 0 until processor 0 has set it.
    pub taking_part: AtomicU32,
    /// Processors that wait for `taking_part`.
    pub before_begin: AtomicU32,
    /// Process ID of the supervisor; 0: none.
    pub supervisor: AtomicU32,
    /// How many processors' processes have ended.
    pub gone: AtomicU32,
    /// Processor 0's program continues after a stop: nobody prints the reason, and nobody ends it.
    pub host_goes_on: AtomicU32,
    /// All processes continue after their parallel part; their exit statuses count.
    pub all_go_on: AtomicU32,
    /// The first exit status other than 0 of a process that has ended after its part; processor 0 excepted.
    pub status: AtomicU32,
    /// The parts of the [`Maker`].
    maker: AtomicU32,
    maker_first_unix_ns: AtomicU64,
    /// For virtual processors.
    pub turns: Turns,
    /// Virtual processors: the latest time and the largest h of the last superstep.
    pub latest: AtomicU64,
    pub largest: AtomicU64,
    /// System time at which the time of virtual processors began, in nanoseconds.
    pub origin: AtomicU64,
    /// Memory of virtual processors in bytes: the maximum of one, the sum of all that have measured it, and
    /// their number.
    pub memory_peak: AtomicU64,
    pub memory_in_use: AtomicU64,
    pub memory_known: AtomicU64,
    /// Whether `by` and `why` are set.
    is_set: AtomicU32,
    /// 1 + the processor that has stopped the machine; 0: none of them.
    by: AtomicU32,
    /// The reason; it ends with the first 0.
    why: [AtomicU8; 2048],
}

impl Control {
    /// Whether the machine was stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) != 0
    }

    /// Sets the process that has made the machine, before it starts others.
    pub fn set_maker(&self, maker: Maker) {
        let (process, first_unix_ns) = maker.parts();
        self.maker.store(process, Relaxed);
        self.maker_first_unix_ns.store(first_unix_ns, Release);
    }

    /// The process that has made the machine.
    pub fn maker(&self) -> Maker {
        let first_unix_ns = self.maker_first_unix_ns.load(Acquire);
        Maker::from_parts(self.maker.load(Relaxed), first_unix_ns)
    }

    /// Stops the machine. Returns whether this call was the first; its caller sets the reason.
    pub fn stop(&self) -> bool {
        self.stopped.swap(1, SeqCst) == 0
    }

    /// Sets the reason. Only for the one that was first to stop the machine.
    pub fn set_stop_reason(&self, processor: Option<usize>, text: &str) {
        self.by.store(processor.map_or(0, |pid| pid as u32 + 1), Relaxed);
        let mut end = text.len().min(self.why.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for (to, &byte) in self.why.iter().zip(text.as_bytes()[..end].iter().chain(&[0])) {
            to.store(byte, Relaxed);
        }
        self.is_set.store(1, Release);
    }

    /// Why the machine was stopped, once the reason is set.
    pub fn stop_reason(&self) -> Option<StopReason> {
        if self.is_set.load(Acquire) == 0 {
            return None;
        }
        let bytes = self.why.iter().map(|byte| byte.load(Relaxed));
        let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        let processor = (self.by.load(Relaxed) as usize).checked_sub(1);
        Some(StopReason { processor, text: String::from_utf8_lossy(&text).into_owned() })
    }
}
