//! Observes machine and program during a launch.

use std::time::Instant;

use cll_trace::meta;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};

use super::message_latency;
use super::placement::Placement;
use super::process::ProcessStatus;
use super::sampler::MachineSampler;
use super::speed_test::SpeedTest;
use super::system::{TICK_SECONDS, Tick, Ticks};

/// The observed state during a launch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineObservation {
    /// The number of observed launches.
    #[serde(default)]
    pub launches: u32,
    /// Seconds from begin to end.
    pub wall: f64,
    /// Seconds of processor time of the program and what it started.
    pub cpu: f64,
    /// Number of involuntary switches, without those caused by our tests.
    pub involuntary: f64,
    /// Number of voluntary switches.
    pub voluntary: f64,
    /// Seconds in which it was ready and did not run; `None` for a program of several threads.
    pub waiting: Option<f64>,
    /// Seconds in which the quota of its control group had stopped it, of several processors together.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub stopped: f64,
    /// Use of the program's processors.
    #[serde(rename = "here")]
    pub program_cpus: Tick,
    /// Use of the other processors.
    #[serde(rename = "elsewhere")]
    pub other_cpus: Tick,
    /// Seconds of processor time of cll itself.
    pub own: f64,
    /// Speed tests of the program's processors, before, during and after the launch.
    #[serde(alias = "looks")]
    pub speed_tests: Vec<SpeedTest>,
    /// Nanoseconds of a message between two of them.
    #[serde(rename = "partner")]
    pub message_ns: Option<f64>,
    /// The same of each message that was timed before or after a launch.
    #[serde(skip)]
    pub messages_ns: Vec<f64>,
    /// The largest number of threads that it had.
    pub threads: u32,
    /// The change that the program made to its processors or priority.
    pub changed: Option<String>,
}

/// Observes from before the start until the program's end.
pub struct LaunchObserver {
    place: Placement,
    begin: Instant,
    ticks: Ticks,
    children: Option<Usage>,
    own: Option<Usage>,
    before: (Vec<SpeedTest>, Option<f64>),
    sampler: Option<MachineSampler>,
    /// The program's state at the start.
    start: Option<ProcessStatus>,
    last: Option<ProcessStatus>,
    threads: u32,
}

/// Speed tests before and after: a tenth of a millisecond.
const TESTS: usize = 16;

impl LaunchObserver {
    /// Begins, with a speed test of the program's processors.
    pub fn begin(place: &Placement) -> LaunchObserver {
        let before = test_speed(place);
        LaunchObserver {
            place: place.clone(),
            begin: Instant::now(),
            ticks: Ticks::now(),
            children: getrusage(UsageWho::RUSAGE_CHILDREN).ok(),
            own: getrusage(UsageWho::RUSAGE_SELF).ok(),
            before,
            sampler: MachineSampler::start(place),
            start: ProcessStatus::read(std::process::id()).map(|own| own.placed(place)),
            last: None,
            threads: 0,
        }
    }

    /// Checks the program; to be called from time to time, and before its end is waited for.
    pub fn look(&mut self, pid: u32) {
        let Some(inside) = ProcessStatus::read(pid) else { return };
        self.threads = self.threads.max(inside.threads);
        self.last = Some(inside);
    }

    /// Ends the observation, after the program was reaped.
    pub fn end(self) -> MachineObservation {
        let wall = self.begin.elapsed().as_secs_f64();
        let mut observation =
            MachineObservation { launches: 1, wall, ..MachineObservation::default() };
        let meanwhile = self.sampler.map(MachineSampler::stop).unwrap_or_default();
        let ticks = Ticks::now();
        let here = |cpu: usize| self.place.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu));
        observation.program_cpus = ticks.since(&self.ticks, here);
        observation.other_cpus = ticks.since(&self.ticks, |cpu| !here(cpu));
        let now = getrusage(UsageWho::RUSAGE_CHILDREN).ok();
        if let (Some(now), Some(before)) = (now, self.children) {
            observation.cpu = cpu(&now) - cpu(&before);
            let count =
                |counter: fn(&Usage) -> i64| (counter(&now) - counter(&before)).max(0) as f64;
            // Each test of the sampler causes one switch.
            observation.involuntary =
                (count(Usage::involuntary_context_switches) - meanwhile.len() as f64).max(0.0);
            observation.voluntary = count(Usage::voluntary_context_switches);
        }
        if let (Ok(now), Some(before)) = (getrusage(UsageWho::RUSAGE_SELF), self.own) {
            observation.own = cpu(&now) - cpu(&before);
        }
        let (mut tests, message_ns) = self.before;
        tests.extend(meanwhile);
        let after = test_speed(&self.place);
        tests.extend(after.0);
        observation.speed_tests = tests;
        observation.messages_ns = [message_ns, after.1].into_iter().flatten().collect();
        observation.message_ns = observation.messages_ns.iter().copied().reduce(f64::max);
        observation.threads = self.threads;
        if let (Some(start), Some(mut last)) = (self.start, self.last) {
            if self.place.binds && last.cpus.len() == 1 && start.cpus.contains(&last.cpus[0]) {
                last.cpus.clone_from(&start.cpus);
            }
            observation.waiting = last.waiting.filter(|_| self.threads == 1);
            observation.changed = last.differs(&start);
        }
        observation
    }
}

impl MachineObservation {
    /// Share of the time of the program's processors that others used; `None` if the time was too short for the
    /// kernel's clock.
    pub fn others(&self) -> Option<f64> {
        self.share(self.program_cpus, self.cpu)
    }

    /// The same for the other processors, on which cll ran meanwhile.
    pub fn others_elsewhere(&self) -> Option<f64> {
        self.share(self.other_cpus, self.own)
    }

    fn share(&self, ticks: Tick, ours: f64) -> Option<f64> {
        const MIN_TICKS: f64 = 10.0;
        // Each launch's ticks are integers: over n launches the error is about the root of n.
        let rounding = f64::from(self.launches).sqrt();
        let others = ticks.busy - ours / TICK_SECONDS - rounding;
        (ticks.all >= MIN_TICKS).then(|| (others / ticks.all).max(0.0))
    }

    /// Share that the hypervisor stole.
    pub fn steal(&self) -> f64 {
        if self.program_cpus.all > 0.0 {
            self.program_cpus.steal / self.program_cpus.all
        } else {
            0.0
        }
    }

    /// The same with the stops of the control group.
    #[must_use]
    pub fn with_stops(self, allowed: &meta::Allowed) -> MachineObservation {
        MachineObservation { stopped: allowed.stopped_ns as f64 * 1e-9, ..self }
    }

    /// Adds the observation of the next launch of the same round.
    pub fn add(&mut self, more: MachineObservation) {
        self.launches += more.launches;
        self.wall += more.wall;
        self.cpu += more.cpu;
        self.involuntary += more.involuntary;
        self.voluntary += more.voluntary;
        self.waiting = self.waiting.zip(more.waiting).map(|(a, b)| a + b);
        self.stopped += more.stopped;
        self.program_cpus += more.program_cpus;
        self.other_cpus += more.other_cpus;
        self.own += more.own;
        self.speed_tests.extend(more.speed_tests);
        self.message_ns = [self.message_ns, more.message_ns].into_iter().flatten().reduce(f64::max);
        self.messages_ns.extend(more.messages_ns);
        self.threads = self.threads.max(more.threads);
        self.changed = self.changed.take().or(more.changed);
    }
}

/// A few speed tests of the program's processors, and a message between two of them.
fn test_speed(place: &Placement) -> (Vec<SpeedTest>, Option<f64>) {
    let Some(cpus) = &place.cpus else { return (Vec::new(), None) };
    let on = |cpu: usize| Placement { cpus: Some(vec![cpu]), ..place.clone() };
    let mut tests = Vec::new();
    for &cpu in cpus {
        let place = on(cpu);
        let looking = std::thread::spawn(move || {
            place.take();
            SpeedTest::repeat(TESTS)
        });
        tests.extend(looking.join().unwrap_or_default());
    }
    let message_ns = match cpus[..] {
        [first, second, ..] => message_latency::one_way(&on(first), &on(second)),
        _ => None,
    };
    (tests, message_ns)
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn cpu(usage: &Usage) -> f64 {
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_ticks_of_many_launches_are_no_load() {
        let observation = |launches, busy| MachineObservation {
            launches,
            cpu: 0.4,
            program_cpus: Tick { all: 60.0, busy, steal: 0.0 },
            ..MachineObservation::default()
        };
        assert_eq!(observation(12, 43.0).others(), Some(0.0));
        assert!(observation(12, 58.0).others().unwrap() > 0.2);
        assert!(observation(1, 43.0).others().unwrap() > 0.03);
    }
}
