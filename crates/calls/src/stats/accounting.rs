//! Computes an account while calls are read.

use std::rc::Rc;

use crate::FastMap as HashMap;

use cll_trace::layout::call::{Class, NOBODY};
use cll_units::{Bytes, Seconds};

use super::account::{Mismatch, SiteTotal};
use super::delays::{self, Meetings};
use super::ledger::{Booking, Ledger};
use super::sites::{Activity, ActivityId, SiteId, Sites};
use super::timeline::{Blame, Timeline, TimelinePath, TimelineStep};
use super::waits::{Wait, starts_processes};
use crate::waiting::is_loop;
use crate::{
    Analysis, Call, CallData, LastCall, Located, Message, Overview, Thread, WaitKind, Waiting,
};

/// Computes an [`super::Account`] while calls are read.
#[derive(Debug)]
pub(super) struct Accounting<'s> {
    pub(super) overviews: &'s [Overview],
    pub(super) sites: Sites,
    pub(super) totals: Vec<SiteTotal>,
    /// By activity: times, seconds by process.
    pub(super) activities: Vec<(u64, Vec<f64>)>,
    /// By process and lane.
    pub(super) numbers: Vec<Vec<Option<u32>>>,
    pub(super) threads: Vec<Thread>,
    pub(super) timelines: Vec<Timeline>,
    /// The last call of each thread.
    pub(super) last: Vec<Option<SiteId>>,
    /// When MPI was begun, by process.
    pub(super) begun: Vec<Option<f64>>,
    pub(super) meetings: Meetings,
    /// Memory for paths that are copied.
    pub(super) path: TimelinePath,
    /// That of all calls that did not wait.
    unblamed: Rc<[Blame]>,
    pub(super) collectives: u32,
    pub(super) kinds: HashMap<Option<WaitKind>, (u64, f64)>,
    pub(super) delays: HashMap<(usize, ActivityId, SiteId, WaitKind), f64>,
    pub(super) traffic: HashMap<(u32, u32), (u64, Bytes)>,
    pub(super) mismatches: Vec<Mismatch>,
    pub(super) calls: Vec<u64>,
    pub(super) last_call: (SiteId, Seconds),
    pub(super) first_s: f64,
    pub(super) last_s: f64,
    /// If it is asked for.
    pub(super) ledger: Option<Ledger>,
}

impl<'s> Accounting<'s> {
    pub(super) fn new(overviews: &'s [Overview]) -> Accounting<'s> {
        Accounting {
            overviews,
            sites: Sites::default(),
            totals: Vec::new(),
            activities: Vec::new(),
            numbers: vec![Vec::new(); overviews.len()],
            threads: Vec::new(),
            timelines: Vec::new(),
            last: Vec::new(),
            begun: vec![None; overviews.len()],
            meetings: Meetings::default(),
            path: TimelinePath::default(),
            unblamed: [].into(),
            collectives: 0,
            kinds: HashMap::default(),
            delays: HashMap::default(),
            traffic: HashMap::default(),
            mismatches: Vec::new(),
            calls: vec![0; overviews.len()],
            last_call: (SiteId(0), Seconds::ZERO),
            first_s: f64::MAX,
            last_s: f64::MIN,
            ledger: None,
        }
    }

    /// Keeps a ledger, too.
    pub(super) fn keep_ledger(&mut self) {
        self.ledger = Some(Ledger::new(self.overviews.len()));
    }

    fn number(&mut self, thread: Thread) -> usize {
        let lane = thread.lane as usize;
        if let Some(&Some(number)) = self.numbers[thread.process].get(lane) {
            return number as usize;
        }
        let of_process = &mut self.numbers[thread.process];
        of_process.resize(of_process.len().max(lane + 1), None);
        of_process[lane] = Some(self.threads.len() as u32);
        self.threads.push(thread);
        let mut timeline = Timeline::default();
        // Other threads have existed since MPI was begun, as far as the log shows.
        if let Some(begun_s) = self.begun[thread.process] {
            (timeline.has_begun, timeline.cursor_s) = (true, begun_s);
        }
        self.timelines.push(timeline);
        self.last.push(None);
        self.threads.len() - 1
    }

    /// Takes the next call of a process and passes it to the analysis, if there is one. `rest` is then what that found of
    /// waits and messages.
    pub(super) fn add(
        &mut self,
        process: usize,
        call: &Call,
        analysis: Option<&mut Analysis<'s>>,
        rest: &mut Vec<LastCall>,
    ) {
        rest.clear();
        let number = self.calls[process];
        self.calls[process] += 1;
        let thread = Thread { process, lane: call.lane };
        let own = self.number(thread);
        self.advance(own, number, call);
        self.traffic(process, call);
        let Some(analysis) = analysis else { return };
        let ideal = Seconds(self.timelines[own].ideal_s);
        analysis.add(&Located { process, call, ideal });
        for fact in analysis.drain() {
            match fact {
                LastCall::Needed { who, ideal } => {
                    let who = self.number(who);
                    let timeline = &mut self.timelines[who];
                    timeline.ideal_s = timeline.ideal_s.max(ideal.get());
                }
                LastCall::Mismatch { one: first, other } => self.mismatches.push([first, other]),
                mismatch => rest.push(mismatch),
            }
        }
    }

    /// The path of the call that was added last, and the computation before it.
    pub(super) fn last_call(&self) -> (SiteId, Seconds) {
        self.last_call
    }

    /// Accounts for the computation before a call, and for its time.
    fn advance(&mut self, own: usize, number: u64, call: &Call) {
        let process = self.threads[own].process;
        let site =
            self.sites.site(process, &self.overviews[process], call.lane, call.op, call.point);
        let start_s = call.start.get();
        let end_s = call.end.map_or(start_s, Seconds::get).max(start_s);
        let is_life = call.op.class() == Class::Life;
        if call.op.begins_mpi() {
            self.begin((own, process), site, end_s);
            self.count(process, site, call);
            return;
        }
        let timeline = &mut self.timelines[own];
        if !timeline.has_begun {
            (timeline.has_begun, timeline.cursor_s) = (true, start_s);
            self.first_s = self.first_s.min(start_s);
        }
        let before_s = timeline.cursor_s;
        let outside_s = (start_s - before_s).max(0.0);
        let ready_s = call.off_core.and_then(|off| off.ready).map_or(0.0, Seconds::get);
        let starved_s = ready_s.min(outside_s);
        let computed_s = outside_s - starved_s;
        let end_s = if is_life { start_s } else { end_s };
        let inside_s = if is_life { 0.0 } else { call.time().map_or(0.0, Seconds::get) };
        // Between unsuccessful polls it is outside of MPI, unless other polls are counted for that time already.
        let between_s = if call.unsuccessful > 0 {
            (end_s - start_s.max(before_s) - inside_s).max(0.0)
        } else {
            0.0
        };
        // In a loop that does nothing else it does not compute there.
        let (computed_between_s, around_s) =
            if is_loop(call) { (0.0, end_s - start_s) } else { (between_s, inside_s) };
        self.last_call = (site, Seconds(outside_s));
        let after = self.last[own];
        let computed = self.activity(Activity::Computation { after, before: site });
        let called = self.activity(Activity::Call(site));
        let starved = self.activity(Activity::WithoutCore(site));
        self.activities[starved.0 as usize].1[process] += starved_s;
        let total = &mut self.activities[computed.0 as usize];
        total.0 += 1;
        total.1[process] += computed_s;
        if computed_between_s > 0.0 {
            let between = self.activity(Activity::Computation { after: Some(site), before: site });
            self.activities[between.0 as usize].1[process] += computed_between_s;
        }
        let total = &mut self.activities[called.0 as usize];
        total.0 += u64::from(call.unsuccessful.max(1));
        total.1[process] += inside_s;
        if let Some(ledger) = &mut self.ledger {
            let from_s = before_s.min(start_s);
            let start_s = start_s.max(before_s.min(end_s));
            let booking =
                Booking { process, site, from_s, outside_s, start_s, end_s, inside_s, between_s };
            ledger.add(call, booking);
        }
        self.count(process, site, call);
        let timeline = &mut self.timelines[own];
        timeline.ideal_s += computed_s + computed_between_s;
        timeline.path.add(process, computed, computed_s);
        timeline.path.add(process, starved, starved_s);
        timeline.path.add(process, called, (end_s - start_s.max(before_s)).max(0.0));
        timeline.cursor_s = before_s.max(end_s);
        self.last_s = self.last_s.max(timeline.cursor_s);
        timeline.push(TimelineStep {
            number,
            computed,
            outside_s,
            starved_s,
            starved,
            called,
            start_s,
            end_s,
            inside_s: around_s,
            waited_s: 0.0,
            blames: Rc::clone(&self.unblamed),
        });
        self.last[own] = Some(site);
    }

    /// Begins the timeline of a thread with the call that begins MPI.
    fn begin(&mut self, (own, process): (usize, usize), site: SiteId, end_s: f64) {
        let beginning = self.activity(Activity::Call(site));
        let timeline = &mut self.timelines[own];
        (timeline.has_begun, timeline.cursor_s) = (true, end_s);
        timeline.beginning = Some(beginning);
        self.first_s = self.first_s.min(end_s);
        self.begun[process] = Some(end_s);
        self.last[own] = Some(site);
        self.last_call = (site, Seconds::ZERO);
    }

    fn activity(&mut self, activity: Activity) -> ActivityId {
        let id = self.sites.activity(activity);
        if self.activities.len() <= id.0 as usize {
            self.activities.push((0, vec![0.0; self.overviews.len()]));
        }
        id
    }

    fn count(&mut self, process: usize, site: SiteId, call: &Call) {
        let index = site.0 as usize;
        if self.totals.len() <= index {
            self.totals.push(SiteTotal {
                site: self.sites.sites[index],
                calls: (0, 0),
                sent: Bytes(0),
                received: Bytes(0),
                time: vec![Seconds::ZERO; self.overviews.len()],
                waiting: Seconds::ZERO,
            });
        }
        let total = &mut self.totals[index];
        let (sent, received) = call.bytes();
        total.calls.0 += u64::from(call.unsuccessful.max(1));
        total.calls.1 += u64::from(call.unsuccessful);
        total.sent += sent;
        total.received += received;
        let time = call.time().unwrap_or_default();
        total.time[process] += time;
        if starts_processes(call) {
            total.waiting += time;
            let kind = self.kinds.entry(None).or_default();
            *kind = (kind.0 + 1, kind.1 + time.get());
            if let (Some(ledger), Some(end)) = (&mut self.ledger, call.end) {
                let span = (call.start.get(), end.get());
                ledger.waited(process, site, None, span, time.get());
            }
        }
    }

    fn traffic(&mut self, process: usize, call: &Call) {
        if call.unsuccessful > 0 || call.error != 0 {
            return;
        }
        match call.what {
            CallData::Send(message) if !call.op.is_persistent() => self.message(process, &message),
            CallData::Exchange { sent, .. } => self.message(process, &sent),
            _ => {}
        }
        for started in call.started.iter().filter_map(|started| started.origin) {
            if let CallData::Send(message) = started.what {
                self.message(process, &message);
            }
        }
    }

    fn message(&mut self, process: usize, message: &Message) {
        let overview = &self.overviews[process];
        let (Some((from, _)), true) = (overview.rank(), message.partner != NOBODY) else { return };
        let Some(to) = overview.world_rank(message.communicator, message.partner) else { return };
        let known = self.traffic.entry((from, to)).or_default();
        *known = (known.0 + 1, known.1 + message.bytes);
    }

    /// How many calls of a process were taken.
    pub(super) fn calls_of(&self, process: usize) -> u64 {
        self.calls[process]
    }

    /// Books a wait.
    pub(super) fn waited(&mut self, wait: &Wait) {
        let Wait { found: waiting, more, from, is_new } = wait;
        let (number, late) = (self.number(waiting.who), self.number(waiting.for_whom));
        let until_s = waiting.until.get();
        let together = match (self.timelines[number].together, self.timelines[late].together) {
            (Some(of_one), Some(of_late)) if of_one.0 == of_late.0 => of_one.1,
            _ => f64::MIN,
        };
        let met_s = self.meetings.last_s(number as u32, late as u32).max(together);
        let late_thread = (&self.timelines[late], waiting.for_whom);
        let span = (from.get(), until_s);
        let causes = delays::causes(&self.timelines[number], late_thread, met_s, span);
        self.meetings.meet(number as u32, late as u32, until_s);
        let path = &mut self.path;
        let is_known = self.timelines[late].path_at(waiting.for_whom.process, until_s, path);
        let timeline = &mut self.timelines[number];
        if is_known && number != late {
            timeline.follow(waiting.who.process, path, until_s)
        } else {
            timeline.path.unknown_s += more.get()
        }
        if let Some(step) = timeline.step(waiting.call) {
            let around_s = waiting.around.get();
            step.blames =
                delays::merged(&step.blames, step.waited_s, &causes, around_s - step.waited_s);
            step.waited_s = around_s;
        }
        let Thread { process, lane } = waiting.who;
        let overview = &self.overviews[process];
        let site = self.sites.site(process, overview, lane, waiting.op, waiting.point);
        let kind = self.kinds.entry(Some(waiting.kind)).or_default();
        *kind = (kind.0 + u64::from(*is_new), kind.1 + more.get());
        self.totals[site.0 as usize].waiting += *more;
        let called = self.activity(Activity::Call(site));
        self.activities[called.0 as usize].1[process] -= more.get();
        if let Some(ledger) = &mut self.ledger {
            let span = (from.get(), waiting.over.get());
            ledger.waited(process, site, Some(waiting.kind), span, more.get());
        }
        for cause in causes.iter() {
            let key = (cause.process, cause.activity, site, waiting.kind);
            *self.delays.entry(key).or_insert(0.0) += cause.share * more.get();
        }
    }

    /// All threads of a collective in which all wait for all were together at this time.
    pub(super) fn together(&mut self, waits: &[Waiting]) {
        let all = waits.iter().filter(|waiting| waiting.kind == WaitKind::Collective);
        let mut number = None;
        for waiting in all {
            let together = *number.get_or_insert_with(|| {
                self.collectives += 1;
                self.collectives
            });
            for thread in [waiting.who, waiting.for_whom] {
                let index = self.number(thread);
                let known = &mut self.timelines[index].together;
                *known = Some((together, waiting.until.get()));
            }
        }
    }
}
