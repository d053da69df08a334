//! What all processors of a machine in one memory share: who they are, where they stand, whether
//! the machine was stopped.

use std::ffi::CStr;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::*};

/// One processor, as the others see it.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Seat {
    /// Number of its process; 0: not known.
    pub process: AtomicU32,
    stage: AtomicU32,
    /// What it did in this superstep that all must do alike; see [`Alike`].
    pushes: AtomicU64,
    pops: AtomicU64,
    tag_calls: AtomicU64,
    tag_size: AtomicU64,
    ends: AtomicU32,
    /// Its last synchronisation, if any.
    line: AtomicU32,
    file: [AtomicU8; 192],
}

/// How far a processor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Stage {
    /// Before `bsp_begin`.
    Waiting = 0,
    /// Between begin and end.
    Running = 1,
    /// It has ended its part.
    Ended = 2,
}

/// What all processors must do alike in a superstep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alike {
    pub pushes: u64,
    pub pops: u64,
    pub tag_calls: u64,
    pub tag_size: u64,
    /// The superstep ends the program's parallel part.
    pub ends: bool,
}

impl Alike {
    /// 0 if there is nothing; else hardly ever the same for two that differ.
    #[inline]
    pub fn word(&self) -> u64 {
        if *self == Alike::default() {
            return 0;
        }
        let mixed = [self.pushes, self.pops, self.tag_calls, self.tag_size, u64::from(self.ends)];
        let mix = |word: u64, value: u64| {
            let word = (word ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            word ^ (word >> 29)
        };
        mixed.into_iter().fold(1, mix) | 1
    }
}

impl Seat {
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

    pub fn set_alike(&self, alike: &Alike) {
        self.pushes.store(alike.pushes, Relaxed);
        self.pops.store(alike.pops, Relaxed);
        self.tag_calls.store(alike.tag_calls, Relaxed);
        self.tag_size.store(alike.tag_size, Relaxed);
        self.ends.store(alike.ends.into(), Relaxed);
    }

    pub fn alike(&self) -> Alike {
        Alike {
            pushes: self.pushes.load(Relaxed),
            pops: self.pops.load(Relaxed),
            tag_calls: self.tag_calls.load(Relaxed),
            tag_size: self.tag_size.load(Relaxed),
            ends: self.ends.load(Relaxed) != 0,
        }
    }

    #[inline]
    pub fn set_line(&self, line: u32) {
        self.line.store(line, Relaxed);
    }

    /// The file of the last synchronisation; cut if it is very long.
    pub fn set_file(&self, name: &CStr) {
        let bytes = name.to_bytes();
        let from = bytes.len().saturating_sub(self.file.len() - 1);
        for (to, &byte) in self.file.iter().zip(bytes[from..].iter().chain(&[0])) {
            to.store(byte, Relaxed);
        }
    }

    /// `FILE:LINE` of the last synchronisation.
    pub fn place(&self) -> Option<String> {
        let line = self.line.load(Relaxed);
        let bytes = self.file.iter().map(|byte| byte.load(Relaxed));
        let name: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        (line > 0).then(|| format!("{}:{line}", String::from_utf8_lossy(&name)))
    }
}

/// The beginning of the shared memory.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct Control {
    /// 0 while the machine runs.
    stopped: AtomicU32,
    /// Processors that take part; 0 until processor 0 has said so.
    pub taking_part: AtomicU32,
    /// Processors that wait for `taking_part`.
    pub before_begin: AtomicU32,
    /// The watching process; 0: none.
    pub warden: AtomicU32,
    /// Of the processors, those whose processes are gone.
    pub gone: AtomicU32,
}

impl Control {
    /// Whether somebody has stopped the machine.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) != 0
    }

    /// Stops the machine; whether this call was the first, which says why.
    pub fn stop(&self) -> bool {
        self.stopped.swap(1, AcqRel) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_tells_apart_what_differs() {
        let all: Vec<Alike> = (0..3u64)
            .flat_map(|pushes| (0..3).map(move |pops| (pushes, pops)))
            .flat_map(|(pushes, pops)| (0..3).map(move |tag_size| (pushes, pops, tag_size)))
            .flat_map(|(pushes, pops, tag_size)| {
                [false, true].map(|ends| Alike { pushes, pops, tag_calls: 1, tag_size, ends })
            })
            .collect();
        let mut words: Vec<u64> = all.iter().map(Alike::word).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all.len());
        assert_eq!(Alike::default().word(), 0);
    }
}
