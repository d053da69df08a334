//! Both directions of what went between processors, from what each asked for.

use std::collections::HashMap;

use super::{Log, Superstep};

/// What a processor sent and received in a superstep, without what it asked of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Puts, gets and messages that it asked for.
    pub requests: u64,
    /// Bytes.
    pub sent: u64,
    /// Bytes.
    pub received: u64,
}

impl Share {
    /// What it counts in an h-relation, bytes: the more of both.
    pub fn h(&self) -> u64 {
        self.sent.max(self.received)
    }
}

/// The supersteps of all machines with what went between their processors.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// By key of the machine and superstep, then number in the machine.
    shares: HashMap<(String, u64), HashMap<u32, Share>>,
}

impl Relation {
    /// Of a log. Where the log of a processor is missing, so is what it asked for.
    pub fn of(log: &Log) -> Relation {
        let mut relation = Relation::default();
        for processor in &log.processors {
            for superstep in &processor.supersteps {
                let Some(machine) = processor.machine(superstep.machine) else { continue };
                let key = (machine.key.clone(), superstep.number);
                let shares = relation.shares.entry(key).or_default();
                shares.entry(machine.pid).or_default();
                for traffic in processor.traffic(superstep) {
                    if traffic.partner == machine.pid {
                        continue;
                    }
                    let own = shares.entry(machine.pid).or_default();
                    own.requests += u64::from(traffic.requests);
                    own.sent += traffic.sent;
                    own.received += traffic.got;
                    let other = shares.entry(traffic.partner).or_default();
                    other.received += traffic.sent;
                    other.sent += traffic.got;
                }
            }
        }
        relation
    }

    /// What a processor of a machine sent and received in a superstep.
    pub fn share(&self, machine: &str, superstep: &Superstep, pid: u32) -> Share {
        let key = (machine.to_owned(), superstep.number);
        self.shares.get(&key).and_then(|shares| shares.get(&pid)).copied().unwrap_or_default()
    }
}
