//! Observes machine and program during a launch.

use std::time::Instant;

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};

use super::canary::Look;
use super::partner;
use super::place::Placement;
use super::process::Inside;
use super::sentinel::Sentinel;
use super::system::{TICK_SECONDS, Tick, Ticks};

/// The observed state during a launch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
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
    /// Use of the program's processors.
    pub here: Tick,
    /// Use of the other processors.
    pub elsewhere: Tick,
    /// Seconds of processor time of cll itself.
    pub own: f64,
    /// Speed tests of the program's processors, before, during and after the launch.
    pub looks: Vec<Look>,
    /// Nanoseconds of a message between two of them.
    pub partner: Option<f64>,
    /// The largest number of threads that it had.
    pub threads: u32,
    /// What it changed of its processors or priority.
    pub changed: Option<String>,
}

/// Observes from before the start until the program's end.
pub struct Watch {
    place: Placement,
    begin: Instant,
    ticks: Ticks,
    children: Option<Usage>,
    own: Option<Usage>,
    before: (Vec<Look>, Option<f64>),
    sentinel: Option<Sentinel>,
    /// The program's state at the start.
    start: Option<Inside>,
    last: Option<Inside>,
    threads: u32,
}

/// Speed tests before and after: a tenth of a millisecond.
const LOOKS: usize = 16;

impl Watch {
    /// Begins, with a speed test of the program's processors.
    pub fn begin(place: &Placement) -> Watch {
        let before = looks(place);
        Watch {
            place: place.clone(),
            begin: Instant::now(),
            ticks: Ticks::now(),
            children: getrusage(UsageWho::RUSAGE_CHILDREN).ok(),
            own: getrusage(UsageWho::RUSAGE_SELF).ok(),
            before,
            sentinel: Sentinel::post(place),
            start: Inside::look(std::process::id()).map(|own| own.placed(place)),
            last: None,
            threads: 0,
        }
    }

    /// Checks the program; to be called from time to time, and before its end is waited for.
    pub fn look(&mut self, pid: u32) {
        let Some(inside) = Inside::look(pid) else { return };
        self.threads = self.threads.max(inside.threads);
        self.last = Some(inside);
    }

    /// Ends the observation, after the program was reaped.
    pub fn end(self) -> Seen {
        let wall = self.begin.elapsed().as_secs_f64();
        let mut seen = Seen { launches: 1, wall, ..Seen::default() };
        let meanwhile = self.sentinel.map(Sentinel::call_back).unwrap_or_default();
        let ticks = Ticks::now();
        let here = |cpu: usize| self.place.cpus.as_ref().is_none_or(|cpus| cpus.contains(&cpu));
        seen.here = ticks.since(&self.ticks, here);
        seen.elsewhere = ticks.since(&self.ticks, |cpu| !here(cpu));
        let now = getrusage(UsageWho::RUSAGE_CHILDREN).ok();
        if let (Some(now), Some(before)) = (now, self.children) {
            seen.cpu = cpu(&now) - cpu(&before);
            let count = |of: fn(&Usage) -> i64| (of(&now) - of(&before)).max(0) as f64;
            // Each test of the sampler causes one switch.
            seen.involuntary =
                (count(Usage::involuntary_context_switches) - meanwhile.len() as f64).max(0.0);
            seen.voluntary = count(Usage::voluntary_context_switches);
        }
        if let (Ok(now), Some(before)) = (getrusage(UsageWho::RUSAGE_SELF), self.own) {
            seen.own = cpu(&now) - cpu(&before);
        }
        let (mut looks, partner) = self.before;
        looks.extend(meanwhile);
        let after = self::looks(&self.place);
        looks.extend(after.0);
        seen.looks = looks;
        seen.partner = [partner, after.1].into_iter().flatten().reduce(f64::max);
        seen.threads = self.threads;
        if let (Some(start), Some(mut last)) = (self.start, self.last) {
            if self.place.binds && last.cpus.len() == 1 && start.cpus.contains(&last.cpus[0]) {
                last.cpus.clone_from(&start.cpus);
            }
            seen.waiting = last.waiting.filter(|_| self.threads == 1);
            seen.changed = last.differs(&start);
        }
        seen
    }
}

impl Seen {
    /// Share of the time of the program's processors that others used; `None` if the time was too short for the
    /// kernel's clock.
    pub fn others(&self) -> Option<f64> {
        self.share(self.here, self.cpu)
    }

    /// The same for the other processors, on which cll ran meanwhile.
    pub fn others_elsewhere(&self) -> Option<f64> {
        self.share(self.elsewhere, self.own)
    }

    fn share(&self, of: Tick, ours: f64) -> Option<f64> {
        const FEWEST: f64 = 10.0;
        // Each launch's ticks are integers: over n launches the error is about the root of n.
        let rounding = f64::from(self.launches).sqrt();
        let others = of.busy - ours / TICK_SECONDS - rounding;
        (of.all >= FEWEST).then(|| (others / of.all).max(0.0))
    }

    /// Share that the hypervisor stole.
    pub fn steal(&self) -> f64 {
        if self.here.all > 0.0 { self.here.steal / self.here.all } else { 0.0 }
    }

    /// Adds the observation of the next launch of the same round.
    pub fn add(&mut self, more: Seen) {
        self.launches += more.launches;
        self.wall += more.wall;
        self.cpu += more.cpu;
        self.involuntary += more.involuntary;
        self.voluntary += more.voluntary;
        self.waiting = self.waiting.zip(more.waiting).map(|(a, b)| a + b);
        self.here += more.here;
        self.elsewhere += more.elsewhere;
        self.own += more.own;
        self.looks.extend(more.looks);
        self.partner = [self.partner, more.partner].into_iter().flatten().reduce(f64::max);
        self.threads = self.threads.max(more.threads);
        self.changed = self.changed.take().or(more.changed);
    }
}

/// A few speed tests of the program's processors, and a message between two of them.
fn looks(place: &Placement) -> (Vec<Look>, Option<f64>) {
    let Some(cpus) = &place.cpus else { return (Vec::new(), None) };
    let on = |cpu: usize| Placement { cpus: Some(vec![cpu]), ..place.clone() };
    let mut found = Vec::new();
    for &cpu in cpus {
        let place = on(cpu);
        let looking = std::thread::spawn(move || {
            place.take();
            Look::for_a_while(LOOKS)
        });
        found.extend(looking.join().unwrap_or_default());
    }
    let partner = match cpus[..] {
        [first, second, ..] => partner::one_way(&on(first), &on(second)),
        _ => None,
    };
    (found, partner)
}

fn cpu(usage: &Usage) -> f64 {
    (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 * 1e-6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_ticks_of_many_launches_are_no_load() {
        let seen = |launches, busy| Seen {
            launches,
            cpu: 0.4,
            here: Tick { all: 60.0, busy, steal: 0.0 },
            ..Seen::default()
        };
        assert_eq!(seen(12, 43.0).others(), Some(0.0));
        assert!(seen(12, 58.0).others().unwrap() > 0.2);
        assert!(seen(1, 43.0).others().unwrap() > 0.03);
    }
}
