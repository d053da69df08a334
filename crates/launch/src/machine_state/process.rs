//! The state of the measured process, from the system.

use cll_system::{ProcessStat, field, numbers, text};

use super::placement::{Placement, Scheduler};

/// The state of a process at one moment, or at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcessStatus {
    /// Processors that it may use.
    pub cpus: Vec<usize>,
    /// Scheduling policy, real-time priority, nice value.
    pub policy: (i64, i64, i64),
    /// The number of its threads.
    pub threads: u32,
    /// Seconds in which its main thread was ready and did not run.
    pub waiting: Option<f64>,
}

impl ProcessStatus {
    /// Reads the state of a process; `None` if it is gone.
    pub fn read(pid: u32) -> Option<ProcessStatus> {
        let file = |name: &str| text(format!("/proc/{pid}/{name}"));
        let mut inside = ProcessStatus::new(&ProcessStat::read(pid)?, &file("status"))?;
        // Time on the processor, time waiting for one, number of slices.
        let waiting = file("schedstat").split_whitespace().nth(1).and_then(|ns| ns.parse().ok());
        inside.waiting = waiting.map(|ns: f64| ns * 1e-9);
        Some(inside)
    }

    fn new(stat: &ProcessStat, status: &str) -> Option<ProcessStatus> {
        Some(ProcessStatus {
            cpus: numbers(field(status, "Cpus_allowed_list").unwrap_or_default()),
            policy: (stat.field(41)?, stat.field(40)?, stat.field(19)?),
            threads: field(status, "Threads").and_then(|count| count.parse().ok()).unwrap_or(1),
            waiting: None,
        })
    }

    /// The state of a process that this one would start with these settings.
    #[must_use]
    pub fn placed(mut self, place: &Placement) -> ProcessStatus {
        if let Some(cpus) = &place.cpus {
            self.cpus.clone_from(cpus);
        }
        match place.scheduler {
            Scheduler::RealTime => (self.policy.0, self.policy.1) = (2, 1),
            Scheduler::Nice => self.policy.2 = -20,
            Scheduler::Ordinary => {}
        }
        self
    }

    /// The differences from its state at the start, as text.
    pub fn differs(&self, start: &ProcessStatus) -> Option<String> {
        let list = |cpus: &[usize]| cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let mut changes = Vec::new();
        if !self.cpus.is_empty() && self.cpus != start.cpus {
            changes.push(format!(
                "its processors (from {} to {})",
                list(&start.cpus),
                list(&self.cpus)
            ));
        }
        if self.policy != start.policy {
            changes.push(format!(
                "its priority (from {} to {})",
                in_words(start.policy),
                in_words(self.policy)
            ));
        }
        (!changes.is_empty()).then(|| changes.join(" and "))
    }
}

fn in_words((policy, priority, nice): (i64, i64, i64)) -> String {
    match policy {
        0 => format!("nice {nice}"),
        1 => format!("SCHED_FIFO {priority}"),
        2 => format!("SCHED_RR {priority}"),
        3 => "SCHED_BATCH".to_owned(),
        5 => "SCHED_IDLE".to_owned(),
        other => format!("policy {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_process() {
        let own = ProcessStatus::read(std::process::id()).unwrap();
        assert!(!own.cpus.is_empty() && own.threads >= 1, "{own:?}");
        assert_eq!(own.differs(&own), None);
        assert_eq!(own.clone().placed(&Placement::free()), own);
        let placed = Placement {
            cpus: Some(vec![7]),
            scheduler: Scheduler::RealTime,
            ..Placement::default()
        };
        assert_eq!(own.clone().placed(&placed).cpus, [7]);
        assert_eq!(ProcessStatus::read(u32::MAX), None);
    }

    #[test]
    fn what_a_process_changes_itself_is_reported() {
        let mut stat: Vec<String> = (3..=52).map(|k| k.to_string()).collect();
        let read =
            |stat: &[String]| ProcessStat::parse(&format!("17 (a) b) {}", stat.join(" "))).unwrap();
        (stat[16], stat[37], stat[38]) = ("0".into(), "1".into(), "2".into());
        let start =
            ProcessStatus::new(&read(&stat), "Threads:\t3\nCpus_allowed_list:\t0-1\n").unwrap();
        assert_eq!((start.policy, start.threads, &start.cpus[..]), ((2, 1, 0), 3, &[0, 1][..]));
        (stat[16], stat[37], stat[38]) = ("5".into(), "0".into(), "0".into());
        let end = ProcessStatus::new(&read(&stat), "Cpus_allowed_list:\t1\n").unwrap();
        let words = end.differs(&start).unwrap();
        assert_eq!(
            words,
            "its processors (from 0,1 to 1) and its priority (from SCHED_RR 1 to nice 5)"
        );
    }
}
