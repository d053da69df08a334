//! The processors, and which of them a program gets.

use cll_system::{numbers, text};
use rustix::thread::{CpuSet, sched_getaffinity};

/// The processors that this program may use, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processors(Vec<usize>);

impl Processors {
    /// The processors in our affinity mask.
    pub fn allowed() -> Processors {
        let mut cpus: Vec<Cpu> = sched_getaffinity(None)
            .map(|set| (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).map(read).collect())
            .unwrap_or_default();
        order(&mut cpus);
        Processors(cpus.into_iter().map(|processor| processor.number).collect())
    }

    /// All of them, in order.
    pub fn all(&self) -> Vec<usize> {
        let mut all = self.0.clone();
        all.sort_unstable();
        all
    }

    /// This number of processors for a program; `None` if there are fewer.
    pub fn choose(&self, count: usize) -> Option<Vec<usize>> {
        let mut chosen = self.0.get(..count).filter(|_| count > 0)?.to_vec();
        chosen.sort_unstable();
        Some(chosen)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Cpu {
    number: usize,
    /// The first of the processors that share its core.
    core: usize,
    /// The highest clock rate, 0 if not known: a machine may have two kinds of cores.
    clock: u64,
}

fn read(number: usize) -> Cpu {
    let path = |file: &str| format!("/sys/devices/system/cpu/cpu{number}/{file}");
    let siblings = numbers(&text(path("topology/thread_siblings_list")));
    let clock = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"];
    Cpu {
        number,
        core: siblings.first().copied().unwrap_or(number),
        clock: clock.into_iter().find_map(|file| cll_system::number(path(file))).unwrap_or(0),
    }
}

/// Fast ones first; one processor of each core before the others; the first processor of the machine, which the
/// system prefers for its own work, after the others.
fn order(processors: &mut [Cpu]) {
    let first = processors.iter().map(|processor| processor.number).min();
    let own_core = |candidate: &Cpu| candidate.core == candidate.number;
    processors.sort_by_key(|processor| {
        (
            !own_core(processor),
            std::cmp::Reverse(processor.clock),
            Some(processor.number) == first,
            processor.number,
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(processors: &[(usize, usize, u64)]) -> Vec<usize> {
        let mut cpus: Vec<Cpu> =
            processors.iter().map(|&(number, core, clock)| Cpu { number, core, clock }).collect();
        order(&mut cpus);
        cpus.into_iter().map(|processor| processor.number).collect()
    }

    #[test]
    fn fast_cores_first_and_no_core_twice_while_there_are_others() {
        assert_eq!(ordered(&[(0, 0, 0), (1, 1, 0)]), [1, 0]);
        assert_eq!(ordered(&[(0, 0, 5), (1, 0, 5), (2, 2, 5), (3, 2, 5)]), [2, 0, 1, 3]);
        assert_eq!(ordered(&[(0, 0, 9), (1, 1, 9), (2, 2, 4), (3, 3, 4)]), [1, 0, 2, 3]);
    }

    #[test]
    fn so_many_as_asked_or_none() {
        let processors = Processors(vec![3, 1, 2]);
        assert_eq!(processors.choose(2), Some(vec![1, 3]));
        assert_eq!((processors.choose(4), processors.choose(0)), (None, None));
        assert_eq!(processors.all(), [1, 2, 3]);
    }
}
