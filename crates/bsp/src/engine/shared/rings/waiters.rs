//! The shared state of processors that wait for records.

use std::fmt::Display;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::*};

use super::super::atomics::AtomicU32;
use super::super::waiting;

/// The futex word on which a processor sleeps while nothing comes.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct SleepWord {
    pub(super) word: AtomicU32,
}

impl SleepWord {
    #[inline]
    pub fn wake(&self) {
        waiting::wake(&self.word);
    }
}

/// The report of a waiting processor about itself.
#[repr(C, align(64))]
#[derive(Debug)]
pub(crate) struct WaitReport {
    waits: AtomicU32,
    /// Unsuccessful polls since it began to wait.
    pub(super) polls: AtomicU32,
    /// Long waits that have ended.
    pub(super) ended_waits: AtomicU64,
    /// Where it is; ends with the first 0.
    text: [AtomicU8; 496],
}

impl WaitReport {
    pub(super) fn stand(&self, wait_site: &dyn Display) {
        let text = wait_site.to_string();
        let mut end = text.len().min(self.text.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for (to, &byte) in self.text.iter().zip(text.as_bytes()[..end].iter().chain(&[0])) {
            to.store(byte, Relaxed);
        }
        self.waits.store(1, Release);
    }

    /// The wait has ended.
    pub fn go_on(&self) {
        self.waits.store(0, Relaxed);
        self.ended_waits.fetch_add(1, Release);
    }

    pub(super) fn waits(&self) -> bool {
        self.waits.load(Acquire) != 0
    }

    pub(super) fn text(&self) -> String {
        let bytes = self.text.iter().map(|byte| byte.load(Relaxed));
        let text: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        String::from_utf8_lossy(&text).into_owned()
    }
}
