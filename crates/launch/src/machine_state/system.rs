//! The use of all processors, from `/proc/stat`.

use serde::{Deserialize, Serialize};

/// Ticks of each processor, by its number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks(Vec<(usize, Tick)>);

/// Ticks of one or more processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// Busy.
    pub busy: f64,
    /// Stolen by the hypervisor.
    pub steal: f64,
    /// All.
    pub all: f64,
}

/// The kernel counts in hundredths of a second, independent of its own clock rate.
pub const TICK_SECONDS: f64 = 0.01;

impl Ticks {
    /// The ticks until now; empty if the system does not have them.
    pub fn now() -> Ticks {
        Ticks::parse(&cll_system::text("/proc/stat"))
    }

    fn parse(text: &str) -> Ticks {
        let line = |line: &str| {
            let mut words = line.strip_prefix("cpu")?.split_whitespace();
            let number = words.next()?.parse().ok()?;
            let counts: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
            let [user, nice, system, idle, wait, irq, soft, steal] =
                counts.get(..8)?.try_into().ok()?;
            let busy = user + nice + system + irq + soft;
            Some((number, Tick { busy, steal, all: busy + idle + wait + steal }))
        };
        Ticks(text.lines().filter(|text| !text.starts_with("cpu ")).filter_map(line).collect())
    }

    /// Ticks since `earlier` of the processors that are wanted.
    pub fn since(&self, earlier: &Ticks, wanted: impl Fn(usize) -> bool) -> Tick {
        let mut sum = Tick::default();
        for (number, now) in self.0.iter().filter(|(number, _)| wanted(*number)) {
            let Some((_, before)) = earlier.0.iter().find(|(known, _)| known == number) else {
                continue;
            };
            sum.busy += (now.busy - before.busy).max(0.0);
            sum.steal += (now.steal - before.steal).max(0.0);
            sum.all += (now.all - before.all).max(0.0);
        }
        sum
    }
}

impl std::ops::AddAssign for Tick {
    fn add_assign(&mut self, more: Tick) {
        self.busy += more.busy;
        self.steal += more.steal;
        self.all += more.all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_the_processors_that_are_wanted() {
        let before = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 10 0 5 100 0 0 1 2 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 5\n";
        let after = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 20 0 5 180 0 0 1 12 0 0\ncpu1 1 1 1 2 1 1 1 1 0 0\nintr 5\n";
        let (before, after) = (Ticks::parse(before), Ticks::parse(after));
        let all = after.since(&before, |number| number == 0);
        assert_eq!(all, Tick { busy: 10.0, steal: 10.0, all: 100.0 });
        assert_eq!(after.since(&before, |number| number == 1).all, 1.0);
        assert_eq!(Ticks::parse("").since(&before, |_| true), Tick::default());
    }
}
