//! Goes through the steps of all processes in the order of time.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::channel::{Channels, Moment};
use super::{Action, CallStep, Collective, Completes, Needs, Passages, Peer, Step};

/// The time that a process has spent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Seconds that it computed.
    pub computed: f64,
    /// In calls, without waiting.
    pub called: f64,
    /// Waiting in calls for another process.
    pub waited: f64,
    /// When it ended.
    pub end: f64,
}

/// The longest path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The length of the path in seconds: when the last process ends.
    pub time: f64,
    /// How often it goes through each source. The sum of these times the sources' seconds is `time`.
    pub through: Vec<f64>,
    /// The time that each process spent.
    pub by_process: Vec<Spent>,
    /// How often each process went through each source.
    pub passages: Vec<Vec<f64>>,
    /// How often a process could not go on and was taken on nevertheless: what it waited for never came.
    pub unmatched: u64,
}

/// Where a process is in its steps.
#[derive(Debug)]
struct WalkFrame<'a> {
    steps: &'a [Step],
    position: usize,
    /// Passages that remain, the present one included.
    left: u64,
    /// Further passages are of those that processes have in common.
    common: Option<usize>,
}

#[derive(Debug)]
enum Blocked<'a> {
    /// In a call that needs these requests.
    Requests(&'a CallStep, Vec<usize>),
    Probe(&'a CallStep, Option<usize>),
    Collective(&'a CallStep),
}

#[derive(Debug)]
struct Process<'a> {
    frames: Vec<WalkFrame<'a>>,
    time: f64,
    through: Vec<f64>,
    passages: Vec<f64>,
    spent: Spent,
    pending: Vec<usize>,
    last_source: Option<usize>,
    blocked: Option<Blocked<'a>>,
    /// The call whose computation is done, and its passage.
    arrived: Option<(&'a CallStep, usize)>,
    /// Passages of each call.
    counts: Vec<usize>,
    /// Parts of passages of loops that were not made yet, by address of the step.
    parts: BTreeMap<usize, f64>,
    /// When it last waited for others, if some of its computation may begin then.
    since: Option<Moment>,
    /// Collectives that it has come to, by members.
    collectives: BTreeMap<Vec<usize>, u64>,
    has_ended: bool,
}

/// The processes that have come to a collective.
#[derive(Debug, Default)]
struct Gathering {
    came: BTreeMap<usize, Moment>,
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Ready {
    time: f64,
    process: usize,
}

impl Eq for Ready {}

impl Ord for Ready {
    fn cmp(&self, other: &Ready) -> Ordering {
        other.time.total_cmp(&self.time).then(other.process.cmp(&self.process))
    }
}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Ready) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The longest path through what the processes do, with so many sources. `begins` is when each one begins: number of a
/// source, and seconds. `common` has the passages that processes have in common.
pub fn longest_path(
    processes: &[Vec<Step>],
    begins: &[super::Cost],
    common: &[f64],
    sources: usize,
) -> Path {
    let mut walk = Walk {
        common: common.iter().map(|count| count.max(0.0).round() as u64).collect(),
        processes: Vec::new(),
        channels: Channels::default(),
        gatherings: BTreeMap::new(),
        ready: BinaryHeap::new(),
    };
    for (number, steps) in processes.iter().enumerate() {
        let begin = begins.get(number).copied().unwrap_or_default();
        let mut through = vec![0.0; sources];
        if let Some(passages) = through.get_mut(begin.source) {
            *passages += f64::from(u8::from(begin.seconds > 0.0));
        }
        walk.ready.push(Ready { time: begin.seconds, process: number });
        walk.processes.push(Process {
            frames: vec![WalkFrame { steps, position: 0, left: 1, common: None }],
            time: begin.seconds,
            through,
            passages: vec![0.0; sources],
            spent: Spent::default(),
            pending: Vec::new(),
            last_source: None,
            blocked: None,
            arrived: None,
            counts: vec![0; nodes(steps)],
            parts: BTreeMap::new(),
            since: has_beside(steps)
                .then(|| Moment { time: begin.seconds, through: vec![0.0; sources].into() }),
            collectives: BTreeMap::new(),
            has_ended: false,
        });
    }
    let mut unmatched = 0;
    loop {
        while let Some(Ready { process, .. }) = walk.ready.pop() {
            walk.step(process);
        }
        // What never comes is not waited for.
        let stuck =
            walk.processes.iter().enumerate().filter(|(_, process)| process.blocked.is_some());
        let first = stuck.min_by(|left, other| left.1.time.total_cmp(&other.1.time));
        let Some(stuck) = first.map(|(number, _)| number) else { break };
        unmatched += 1;
        walk.give_up(stuck);
    }
    let last = walk.processes.iter().max_by(|process, other| process.time.total_cmp(&other.time));
    Path {
        time: last.map_or(0.0, |process| process.time),
        through: last.map_or(Vec::new(), |process| process.through.clone()),
        by_process: walk.processes.iter().map(|process| process.spent).collect(),
        passages: walk.processes.into_iter().map(|process| process.passages).collect(),
        unmatched,
    }
}

/// The number of calls in steps.
fn nodes(steps: &[Step]) -> usize {
    let nodes_of = |step: &Step| match step {
        Step::Call(call) => call.node + 1,
        Step::Repeat { body, .. } => nodes(body),
    };
    steps.iter().map(nodes_of).max().unwrap_or(0)
}

/// Whether some computation may begin early.
fn has_beside(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Call(call) => call.is_beside,
        Step::Repeat { body, .. } => has_beside(body),
    })
}

struct Walk<'a> {
    processes: Vec<Process<'a>>,
    channels: Channels,
    gatherings: BTreeMap<(Vec<usize>, u64), Gathering>,
    ready: BinaryHeap<Ready>,
    common: Vec<u64>,
}

/// Takes one of the passages that processes have in common; false: they are used up.
fn is_taken(common: &mut [u64], number: usize) -> bool {
    match common.get_mut(number) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}

impl<'a> Process<'a> {
    /// The next call.
    fn next(&mut self, common: &mut [u64]) -> Option<&'a CallStep> {
        loop {
            let frame = self.frames.last_mut()?;
            let Some(step) = frame.steps.get(frame.position) else {
                frame.left -= 1;
                frame.position = 0;
                if frame.common.is_some_and(|number| is_taken(common, number)) {
                    frame.left = 1;
                }
                if frame.left == 0 {
                    self.frames.pop();
                    if let Some(outer) = self.frames.last_mut() {
                        outer.position += 1;
                    }
                }
                continue;
            };
            match step {
                Step::Call(call) => {
                    frame.position += 1;
                    return Some(call);
                }
                Step::Repeat { body, .. } if body.is_empty() => frame.position += 1,
                Step::Repeat { passages: Passages::Times(passages), body } => {
                    let part = self.parts.entry(std::ptr::from_ref(step) as usize).or_default();
                    let all = passages.max(0.0) + *part;
                    // Sums of parts are not exact.
                    let full_passages = (all + 1e-9).floor();
                    *part = all - full_passages;
                    match full_passages as u64 {
                        0 => frame.position += 1,
                        left => {
                            self.frames.push(WalkFrame {
                                steps: body,
                                position: 0,
                                left,
                                common: None,
                            });
                        }
                    }
                }
                Step::Repeat { passages: Passages::Common(number), body } => {
                    if is_taken(common, *number) {
                        let common = Some(*number);
                        self.frames.push(WalkFrame { steps: body, position: 0, left: 1, common });
                    } else {
                        frame.position += 1
                    }
                }
            }
        }
    }

    fn moment(&self) -> Moment {
        Moment { time: self.time, through: self.through.as_slice().into() }
    }

    fn go_through(&mut self, cost: super::Cost) {
        self.time += cost.seconds;
        for list in [&mut self.through, &mut self.passages] {
            if let Some(count) = list.get_mut(cost.source) {
                *count += 1.0;
            }
        }
    }

    /// Computes beside what was done since the process last waited.
    fn go_beside(&mut self, cost: super::Cost) {
        if let Some(count) = self.passages.get_mut(cost.source) {
            *count += 1.0;
        }
        let Some(since) = &self.since else { return };
        let end = since.time + cost.seconds;
        if end > self.time {
            self.time = end;
            self.through.copy_from_slice(&since.through);
            if let Some(count) = self.through.get_mut(cost.source) {
                *count += 1.0;
            }
        }
    }

    /// Ends a call that could go on at these moments.
    fn return_from(&mut self, call: &CallStep, moments: &[Moment]) {
        let last = moments.iter().max_by(|moment, other| moment.time.total_cmp(&other.time));
        let waits = last.filter(|last| last.time > self.time);
        let cost = if waits.is_some() { call.waited } else { call.direct };
        if let Some(last) = waits {
            self.spent.waited += last.time - self.time;
            self.time = last.time;
            self.through.copy_from_slice(&last.through);
        }
        self.spent.called += cost.seconds;
        self.go_through(cost);
        self.blocked = None;
        if self.since.is_some() && !moments.is_empty() {
            self.since = Some(self.moment());
        }
    }
}

impl<'a> Walk<'a> {
    /// Does the next computation of a process, or the call after it: others may come to their calls meanwhile.
    fn step(&mut self, number: usize) {
        if self.processes[number].blocked.is_some() || self.processes[number].has_ended {
            return;
        }
        let process = &mut self.processes[number];
        if let Some((call, count)) = process.arrived.take() {
            return self.call(number, call, count);
        }
        let Some(call) = process.next(&mut self.common) else {
            process.has_ended = true;
            process.spent.end = process.time;
            return;
        };
        process.spent.computed += call.computed.seconds;
        if call.is_beside {
            process.go_beside(call.computed)
        } else {
            process.go_through(call.computed)
        }
        let count = process.counts[call.node];
        process.counts[call.node] += 1;
        process.arrived = Some((call, count));
        self.ready.push(Ready { time: process.time, process: number });
    }

    fn call(&mut self, number: usize, call: &'a CallStep, count: usize) {
        let action = &call.action;
        if let Some(collective) = &action.collective {
            return self.come(number, call, collective);
        }
        if action.is_probe {
            let from = self.peer(number, &action.from, count);
            return match from {
                Some(from) => self.probe(number, call, from),
                None => self.go_on(number, call, &[]),
            };
        }
        let mut needed = self.communicate(number, action, count);
        let process = &mut self.processes[number];
        if action.is_begun {
            process.pending.append(&mut needed);
        }
        let oldest = match action.completes {
            Completes::None => 0,
            Completes::All => process.pending.len(),
            Completes::Oldest(count) => count.min(process.pending.len()),
        };
        needed.extend(process.pending.drain(..oldest));
        process.blocked = Some(Blocked::Requests(call, needed));
        self.try_on(number);
    }

    /// Begins the messages of a call; returns their requests.
    fn communicate(&mut self, number: usize, action: &Action, count: usize) -> Vec<usize> {
        let mut requests = Vec::new();
        let moment = if action.to.is_empty() && action.from.is_empty() {
            return requests;
        } else {
            self.processes[number].moment()
        };
        if let Some(Some(to)) = self.peer(number, &action.to, count) {
            let request = action.is_rendezvous.then(|| self.channels.request(number, None));
            requests.extend(request);
            if action.is_begun && request.is_none() {
                requests.push(self.channels.request(number, Some(moment.clone())));
            }
            let woken = self.channels.send(number, to, &moment, request);
            self.wake(woken.unwrap_or(to));
        }
        if let Some(from) = self.peer(number, &action.from, count) {
            let request = self.channels.request(number, None);
            requests.push(request);
            if let Some(woken) = self.channels.receive(number, from, &moment, request) {
                self.wake(woken);
            }
        }
        requests
    }

    /// The partner of a passage: `None` without one, `Some(None)` is any.
    fn peer(&self, number: usize, peers: &[Peer], count: usize) -> Option<Option<usize>> {
        let peer = peers.get(count % peers.len().max(1))?;
        let known = |process: usize| {
            (process < self.processes.len() && process != number).then_some(Some(process))
        };
        match *peer {
            Peer::Process(number) => known(number),
            Peer::Any => Some(None),
            Peer::LastSource => known(self.processes[number].last_source?),
            Peer::Nobody => None,
        }
    }

    fn probe(&mut self, number: usize, call: &'a CallStep, from: Option<usize>) {
        match self.channels.probe(number, from) {
            Some((moment, source)) => {
                self.processes[number].last_source = Some(source);
                self.go_on(number, call, &[moment]);
            }
            None => self.processes[number].blocked = Some(Blocked::Probe(call, from)),
        }
    }

    fn go_on(&mut self, number: usize, call: &CallStep, moments: &[Moment]) {
        let process = &mut self.processes[number];
        process.return_from(call, moments);
        self.ready.push(Ready { time: process.time, process: number });
    }

    /// Something has happened that a process may wait for.
    fn wake(&mut self, number: usize) {
        match self.processes[number].blocked {
            Some(Blocked::Requests(..)) => self.try_on(number),
            Some(Blocked::Probe(call, from)) => {
                self.processes[number].blocked = None;
                self.probe(number, call, from);
            }
            _ => {}
        }
    }

    /// Goes on if all requests are complete.
    fn try_on(&mut self, number: usize) {
        let Some(Blocked::Requests(call, requests)) = &self.processes[number].blocked else {
            return;
        };
        let call = *call;
        let mut moments = Vec::with_capacity(requests.len());
        let mut source = None;
        for &request in requests {
            let entry = &self.channels.requests[request];
            let Some(done) = &entry.done else { return };
            moments.push(done.clone());
            source = entry.source.or(source);
        }
        for request in requests.clone() {
            self.channels.release(request);
        }
        self.processes[number].last_source = source.or(self.processes[number].last_source);
        self.go_on(number, call, &moments);
    }

    /// A process comes to a collective.
    fn come(&mut self, number: usize, call: &'a CallStep, collective: &Collective) {
        let size = match collective.members.len() {
            0 => self.processes.len(),
            some => some,
        };
        let process = &mut self.processes[number];
        let count = process.collectives.entry(collective.members.clone()).or_default();
        *count += 1;
        let key = (collective.members.clone(), *count);
        process.blocked = Some(Blocked::Collective(call));
        let moment = process.moment();
        self.gatherings.entry(key.clone()).or_default().came.insert(number, moment);
        let here: Vec<usize> = self.gatherings[&key].came.keys().copied().collect();
        for waiting in here {
            let Some(Blocked::Collective(call)) = self.processes[waiting].blocked else { continue };
            let Some(own) = &call.action.collective else { continue };
            if self.processes[waiting].collectives.get(&key.0) != Some(&key.1)
                || own.members != key.0
            {
                continue;
            }
            let gathering = &self.gatherings[&key];
            let needed: Option<Vec<Moment>> = match own.needs {
                Needs::All => gathered(gathering, size),
                Needs::AtRoot(root) if root == waiting => gathered(gathering, size),
                Needs::Root(root) => gathering.came.get(&root).map(|moment| vec![moment.clone()]),
                Needs::Before => {
                    let before = (0..waiting)
                        .filter(|number| own.members.is_empty() || own.members.contains(number));
                    before.map(|number| gathering.came.get(&number).cloned()).collect()
                }
                Needs::AtRoot(_) | Needs::None => Some(Vec::new()),
            };
            if let Some(needed) = needed {
                self.go_on(waiting, call, &needed);
                let gathering = self.gatherings.entry(key.clone()).or_default();
                gathering.left += 1;
                if gathering.left == size {
                    self.gatherings.remove(&key);
                    return;
                }
            }
        }
    }

    /// A process goes on without what it waits for.
    fn give_up(&mut self, number: usize) {
        match self.processes[number].blocked.take() {
            Some(Blocked::Requests(call, requests)) => {
                let done = |index: &usize| self.channels.requests[*index].done.clone();
                let moments: Vec<Moment> = requests.iter().filter_map(done).collect();
                requests.iter().for_each(|&request| self.channels.release(request));
                self.go_on(number, call, &moments);
            }
            Some(Blocked::Probe(call, _) | Blocked::Collective(call)) => {
                self.go_on(number, call, &[]);
            }
            None => {}
        }
    }
}

/// When all have come; `None` if some have not.
fn gathered(gathering: &Gathering, size: usize) -> Option<Vec<Moment>> {
    (gathering.came.len() == size).then(|| gathering.came.values().cloned().collect())
}
