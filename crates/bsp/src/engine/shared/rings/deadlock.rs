//! Detects that all processors wait for each other.
//!
//! After a long wait a processor publishes where it is and counts its unsuccessful polls. The first of the
//! waiting processors compares: if all wait and nothing but these counts has changed for the deadlock limit,
//! nothing will change. Counts are needed in addition to time: a process that the system has stopped polls nothing, and
//! may find what it waits for when it continues.

use std::fmt::Display;
use std::sync::atomic::Ordering::*;
use std::time::{Duration, Instant};

use super::super::arena::Arena;
use super::super::control::Stage;

/// Unsuccessful polls of each processor before a deadlock is reported.
const MIN_POLLS: u32 = 3;

/// The deadlock detection of one processor.
#[derive(Debug)]
pub(super) struct DeadlockDetector {
    limit: Option<Duration>,
    has_reported: bool,
    /// Since when nothing has changed, and how many waits and polls each processor had counted then.
    unchanged_since: Option<(Instant, Vec<(u64, u32)>)>,
    deadlock: Option<String>,
}

impl Default for DeadlockDetector {
    fn default() -> DeadlockDetector {
        DeadlockDetector {
            limit: Some(Duration::from_secs(10)),
            has_reported: false,
            unchanged_since: None,
            deadlock: None,
        }
    }
}

impl DeadlockDetector {
    pub fn set_limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    pub fn has_reported(&self) -> bool {
        self.has_reported
    }

    /// The wait has ended. Returns the deadlock if this processor has found one.
    #[inline]
    pub fn end(&mut self) -> Option<String> {
        if !self.has_reported {
            return None;
        }
        self.has_reported = false;
        self.unchanged_since = None;
        self.deadlock.take()
    }

    /// Whether a deadlock was found.
    pub fn has_found(&self) -> bool {
        self.deadlock.is_some()
    }

    /// Checks once, after an unsuccessful poll.
    pub fn check(&mut self, arena: &Arena, me: usize, processors: usize, wait_site: &dyn Display) {
        let reports = &arena.wait_reports()[..processors];
        if !self.has_reported {
            self.has_reported = true;
            reports[me].polls.store(0, Relaxed);
            reports[me].stand(wait_site);
        }
        reports[me].polls.fetch_add(1, Release);
        let Some(limit) = self.limit else { return };
        if self.unchanged_for(arena, me, processors).is_some_and(|since| since >= limit) {
            let line = |pid: usize| match arena.processor_states()[pid].stage() {
                Stage::Ended => format!("  processor {pid} has ended its part"),
                _ => format!("  processor {pid}: {}", reports[pid].text()),
            };
            let lines: Vec<String> = (0..processors).map(line).collect();
            self.deadlock = Some(lines.join("\n"));
        }
    }

    /// For how long all have waited and nothing has changed.
    fn unchanged_for(&mut self, arena: &Arena, me: usize, processors: usize) -> Option<Duration> {
        let (reports, processor_states) = (arena.wait_reports(), arena.processor_states());
        let mut now = Vec::new();
        for pid in 0..processors {
            let has_ended = processor_states[pid].stage() == Stage::Ended;
            // Only the first of the waiting processors checks.
            if !has_ended && (pid < me || !reports[pid].waits()) {
                self.unchanged_since = None;
                return None;
            }
            now.push(if has_ended {
                (u64::MAX, u32::MAX)
            } else {
                (reports[pid].ended_waits.load(Acquire), reports[pid].polls.load(Acquire))
            });
        }
        match &self.unchanged_since {
            Some((since, before)) if before.iter().zip(&now).all(|(b, n)| b.0 == n.0) => {
                let looked = |(before, now): (&(u64, u32), &(u64, u32))| {
                    now.1 == u32::MAX || now.1.wrapping_sub(before.1) >= MIN_POLLS
                };
                let enough = before.iter().zip(&now).all(looked);
                Some(if enough { since.elapsed() } else { Duration::ZERO })
            }
            _ => {
                self.unchanged_since = Some((Instant::now(), now));
                Some(Duration::ZERO)
            }
        }
    }
}
