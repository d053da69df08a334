//! The causes of waits.
//!
//! A process waits for another one because that one took longer since the two were together last. What took it longer
//! is found by comparing what both did in that time, activity by activity (Böhme, Geimer, Wolf, Arnold: *Identifying the
//! root causes of wait states in large-scale parallel applications*, 2010): where the late one took longer, there is the
//! cause. If it took longer because it waited itself, the causes of that wait are causes of this one, too, so causes are
//! followed back along the messages.
//!
//! Why: decision 0122.

use std::rc::Rc;

use crate::FastMap as HashMap;

use super::sites::ActivityId;
use super::timeline::{Blame, Timeline};
use crate::Thread;

/// The number of causes of one wait that are kept, the largest ones.
const CAUSES: usize = 8;
/// Differences below this are rounding.
const LEAST_S: f64 = 1e-9;

/// When threads were together last.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    pairs: HashMap<(u32, u32), f64>,
}

impl Meetings {
    pub(super) fn last_s(&self, number: u32, other: u32) -> f64 {
        let pair = (number.min(other), number.max(other));
        self.pairs.get(&pair).copied().unwrap_or(f64::MIN)
    }

    pub(super) fn meet(&mut self, number: u32, other: u32, at_s: f64) {
        let last = self.pairs.entry((number.min(other), number.max(other))).or_insert(f64::MIN);
        *last = last.max(at_s);
    }
}

/// The causes of a wait of `waiter` for `late`, which began and ended at these times. `together_s` is when both were
/// together last.
pub(super) fn causes(
    waiter: &Timeline,
    late: (&Timeline, Thread),
    together_s: f64,
    (begin_s, until_s): (f64, f64),
) -> Rc<[Blame]> {
    let (timeline, thread) = late;
    let from_s = together_s.max(waiter.remembered_s()).max(timeline.remembered_s());
    let here = waiter.did(from_s, begin_s);
    let there = timeline.did(from_s, until_s);
    let mut causes: Vec<Blame> = Vec::new();
    let mut add = |process: usize, activity: ActivityId, seconds: f64| match causes
        .iter_mut()
        .find(|blame| (blame.process, blame.activity) == (process, activity))
    {
        Some(known) => known.share += seconds,
        None => causes.push(Blame { process, activity, share: seconds }),
    };
    for &(activity, seconds) in &there.own {
        let also = here.own.iter().find(|pair| pair.0 == activity).map_or(0.0, |pair| pair.1);
        if seconds > also + LEAST_S {
            add(thread.process, activity, seconds - also);
        }
    }
    let more_s = there.waited_s - here.waited_s;
    let known_s: f64 = there.caused.iter().map(|cause| cause.2).sum();
    if more_s > 0.0 && known_s > 0.0 {
        for &(process, activity, seconds) in &there.caused {
            add(process, activity, more_s * seconds / known_s);
        }
    }
    causes.sort_by(|blame, other| other.share.total_cmp(&blame.share));
    causes.truncate(CAUSES);
    let sum: f64 = causes.iter().map(|blame| blame.share).sum();
    if sum <= 0.0 {
        let activity = timeline.activity_at(until_s);
        let alone =
            activity.map(|activity| Blame { process: thread.process, activity, share: 1.0 });
        return alone.into_iter().collect();
    }
    causes.iter_mut().for_each(|blame| blame.share /= sum);
    causes.into()
}

/// The causes of a wait that became longer: the earlier ones and those of the rest.
pub(super) fn merged(
    before: &Rc<[Blame]>,
    before_s: f64,
    more: &[Blame],
    more_s: f64,
) -> Rc<[Blame]> {
    let all_s = before_s + more_s;
    if before.is_empty() || before_s <= 0.0 || all_s <= 0.0 {
        return more.into();
    }
    let mut all: Vec<Blame> = Vec::new();
    for (blames, part) in [(&before[..], before_s / all_s), (more, more_s / all_s)] {
        for blame in blames {
            let same = |entry: &&mut Blame| {
                (entry.process, entry.activity) == (blame.process, blame.activity)
            };
            match all.iter_mut().find(same) {
                Some(known) => known.share += blame.share * part,
                None => all.push(Blame { share: blame.share * part, ..*blame }),
            }
        }
    }
    all.sort_by(|blame, other| other.share.total_cmp(&blame.share));
    all.truncate(CAUSES);
    all.into()
}
