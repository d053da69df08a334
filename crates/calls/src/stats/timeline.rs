//! The last activities of a thread, in memory that does not grow with the log.

use std::collections::VecDeque;
use std::rc::Rc;

use super::account::Shares;
use super::sites::ActivityId;

/// The number of calls of a thread that are remembered.
const REMEMBERED: usize = 512;

/// A share of a wait that something caused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blame {
    /// The process: its index among the overviews.
    pub(super) process: usize,
    /// The activity of that process.
    pub(super) activity: ActivityId,
    /// The share of the wait.
    pub(super) share: f64,
}

/// A call, and the computation before it. Times are seconds.
#[derive(Clone, Debug)]
pub(super) struct TimelineStep {
    /// Number of the call in its process.
    pub(super) number: u64,
    pub(super) computed: ActivityId,
    /// How long it was outside of MPI, until `start_s`.
    pub(super) outside_s: f64,
    /// How long of that it was ready and had no core, which counts as this.
    pub(super) starved_s: f64,
    pub(super) starved: ActivityId,
    pub(super) called: ActivityId,
    pub(super) start_s: f64,
    pub(super) end_s: f64,
    /// The time in the call; less than its span for unsuccessful polls, unless they are a loop that does nothing else.
    pub(super) inside_s: f64,
    /// The part of that time spent waiting.
    pub(super) waited_s: f64,
    pub(super) blames: Rc<[Blame]>,
}

impl TimelineStep {
    fn begin_s(&self) -> f64 {
        self.start_s - self.outside_s
    }

    /// When it has waited so long: it waits first.
    pub(super) fn waits_for(&self, waited_s: f64) -> f64 {
        let span_s = self.end_s - self.start_s;
        if self.inside_s > 0.0 {
            (self.start_s + span_s * waited_s / self.inside_s).min(self.end_s)
        } else {
            self.start_s
        }
    }

    /// The length of its parts in an interval, with what they are: computation, time without a core, call. It is not
    /// known when it had no core: that is spread evenly.
    fn within(&self, from_s: f64, to_s: f64) -> [(ActivityId, f64); 3] {
        let part = |begin: f64, end: f64| (end.min(to_s) - begin.max(from_s)).max(0.0);
        let span_s = self.end_s - self.start_s;
        let called = part(self.start_s, self.end_s);
        // Polls are spread evenly over their span.
        let called = if span_s > 0.0 { called * (self.inside_s / span_s) } else { 0.0 };
        let outside = part(self.begin_s(), self.start_s);
        let starved =
            if self.outside_s > 0.0 { outside * (self.starved_s / self.outside_s) } else { 0.0 };
        [(self.computed, outside - starved), (self.starved, starved), (self.called, called)]
    }
}

/// A thread's time.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    steps: VecDeque<TimelineStep>,
    /// Until when its time is accounted for.
    pub(super) cursor_s: f64,
    pub(super) has_begun: bool,
    /// The call that began MPI, if it is in the log.
    pub(super) beginning: Option<ActivityId>,
    /// When it would be here if nothing had to be transferred.
    pub(super) ideal_s: f64,
    /// The longest path that leads here: seconds by activity, and by process.
    pub(super) path: TimelinePath,
    /// The last collective in which all wait for all: which one, and when.
    pub(super) together: Option<(u32, f64)>,
}

/// Seconds on a path through the run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct TimelinePath {
    /// By process and activity. Paths that go over the same process share what it did there.
    by: Vec<Rc<Shares>>,
    /// How often it goes from one thread to another.
    pub(super) changes: u64,
    /// Seconds of waiting on it for which the path that led to their end is not known.
    pub(super) unknown_s: f64,
}

impl Clone for TimelinePath {
    fn clone(&self) -> TimelinePath {
        let mut path = TimelinePath::default();
        path.clone_from(self);
        path
    }

    /// Takes no new memory.
    fn clone_from(&mut self, other: &TimelinePath) {
        self.by.clone_from(&other.by);
        (self.changes, self.unknown_s) = (other.changes, other.unknown_s);
    }
}

impl TimelinePath {
    pub(super) fn add(&mut self, process: usize, activity: ActivityId, seconds: f64) {
        if seconds == 0.0 {
            return;
        }
        if self.by.len() <= process {
            self.by.resize_with(process + 1, Rc::default);
        }
        Rc::make_mut(&mut self.by[process]).add(activity, seconds);
    }

    /// By process and activity.
    pub(super) fn shares(&self) -> Vec<Shares> {
        self.by.iter().map(|shares| Shares::clone(shares)).collect()
    }
}

/// The activities of a thread in an interval.
#[derive(Debug, Default)]
pub(super) struct Did {
    /// Seconds by activity, without waiting.
    pub(super) own: Vec<(ActivityId, f64)>,
    pub(super) waited_s: f64,
    /// The causes of this waiting: seconds by process and activity.
    pub(super) caused: Vec<(usize, ActivityId, f64)>,
}

impl Did {
    fn add(&mut self, activity: ActivityId, seconds: f64) {
        if seconds <= 0.0 {
            return;
        }
        match self.own.iter_mut().find(|pair| pair.0 == activity) {
            Some(pair) => pair.1 += seconds,
            None => self.own.push((activity, seconds)),
        }
    }

    fn caused_by(&mut self, blame: &Blame, seconds: f64) {
        let is = |cause: &&mut (usize, ActivityId, f64)| {
            (cause.0, cause.1) == (blame.process, blame.activity)
        };
        match self.caused.iter_mut().find(is) {
            Some(cause) => cause.2 += seconds,
            None => self.caused.push((blame.process, blame.activity, seconds)),
        }
    }
}

impl Timeline {
    pub(super) fn push(&mut self, step: TimelineStep) {
        if self.steps.len() == REMEMBERED {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }

    /// The step of a call of the process.
    pub(super) fn step(&mut self, number: u64) -> Option<&mut TimelineStep> {
        let index = self.steps.binary_search_by_key(&number, |step| step.number).ok()?;
        self.steps.get_mut(index)
    }

    /// The beginning of what is remembered.
    pub(super) fn remembered_s(&self) -> f64 {
        match self.steps.front() {
            Some(step) if self.steps.len() == REMEMBERED => step.begin_s(),
            _ => f64::MIN,
        }
    }

    /// Sums the activities of the thread between two times.
    pub(super) fn did(&self, from_s: f64, to_s: f64) -> Did {
        let mut did = Did::default();
        for step in self.steps.iter().rev() {
            if step.end_s <= from_s {
                break;
            }
            let [computed, starved, (called, called_s)] = step.within(from_s, to_s);
            did.add(computed.0, computed.1);
            did.add(starved.0, starved.1);
            // It waits first.
            let waited_s = step.within(from_s, to_s.min(step.waits_for(step.waited_s)))[2].1;
            did.add(called, called_s - waited_s);
            did.waited_s += waited_s;
            for blame in step.blames.iter() {
                did.caused_by(blame, waited_s * blame.share);
            }
        }
        did
    }

    /// Finds the activity of the thread at a time: the last thing that it began before.
    pub(super) fn activity_at(&self, time_s: f64) -> Option<ActivityId> {
        let begun = self.steps.iter().rev().find(|step| step.begin_s() < time_s);
        let Some(step) = begun else {
            return self.beginning.or(self.steps.front().map(|step| step.computed));
        };
        Some(if step.start_s < time_s { step.called } else { step.computed })
    }

    /// Writes the path that led to a time; returns false if what happened since is not remembered, or went over another
    /// thread.
    pub(super) fn path_at(&self, process: usize, time_s: f64, path: &mut TimelinePath) -> bool {
        if time_s < self.remembered_s() {
            return false;
        }
        path.clone_from(&self.path);
        for step in self.steps.iter().rev() {
            if step.end_s <= time_s {
                break;
            }
            let parts = step.within(time_s, f64::MAX);
            if step.waited_s > 0.0 && parts[2].1 > 0.0 && step.start_s < time_s {
                return false;
            }
            parts.into_iter().for_each(|(activity, seconds)| path.add(process, activity, -seconds));
        }
        true
    }

    /// Continues another path from a time until now by what this thread did since; `path` is then its former one.
    pub(super) fn follow(&mut self, process: usize, path: &mut TimelinePath, time_s: f64) {
        for step in self.steps.iter().rev() {
            if step.end_s <= time_s {
                break;
            }
            let parts = step.within(time_s, f64::MAX);
            parts.into_iter().for_each(|(activity, seconds)| path.add(process, activity, seconds));
        }
        path.changes += 1;
        std::mem::swap(&mut self.path, path);
    }
}
